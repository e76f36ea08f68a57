// SPDX-License-Identifier: Apache-2.0

// wire_client: speaks to a collector as an agent does, over a real connection, and lets a test say
// anything, wrong things too. Whatever should work and does not fails the test.

#pragma once

#include "unit/collector/server/tick_chunk.h"

#include "common/base/lp_buf.h"
#include "common/wire/wire.h"

#include <nng/nng.h>
#include <stdbool.h>
#include <stdint.h>

enum { WIRE_CLIENT_TIMEOUT_MS = 60000 };

typedef struct wire_client {
    nng_socket socket;
    uint8_t session[WIRE_SESSION_BYTES];
    uint8_t secret[WIRE_SECRET_BYTES];
    size_t secret_bytes;                  // of the secret, as many as Hello has
    const char *token;                    // as Hello has it
    const char *service;                  // the same
    Loupe__Wire__Counters *last_counters; // of Hellos; NULL: none
    bool takes_policy;                    // as Hello says
} wire_client;

// wire_client_open dials url (it need not answer yet), as the session whose id is 16 times this
// byte, and whose secret follows from it.
void wire_client_open(wire_client *client, const char *url, uint8_t session_byte);
void wire_client_close(wire_client *client);

// The session's id as the catalog has it.
void wire_client_id(const wire_client *client, char out_id[33]);

#define WIRE_CLIENT_OWN_NONE "none" // there are none
#define WIRE_CLIENT_OWN_LOST "lost" // the agent has forgotten them

// What the next batch carries; {0} is nothing.
typedef struct wire_piece {
    uint64_t sequence;
    uint32_t chunk;
    const tick_chunk *ticks; // NULL: no JFR bytes
    size_t from;             // its bytes from here to its end
    bool begins_event;       // says that an event begins there
    int64_t duration_ns;     // of its header
    bool is_last;
    bool begins_again;
    const char *own_policy; // the JVM's own settings, or WIRE_CLIENT_OWN_...; NULL: not said
} wire_piece;

// wire_piece_take adds count events to the chunk, numbered from number, and returns a piece with
// all that is behind the last one. The caller says of which batch and chunk it is.
wire_piece wire_piece_take(tick_chunk *ticks, uint64_t number, unsigned count);

// wire_client_pack appends the batch as a message of the protocol.
void wire_client_pack(const wire_client *client, const wire_piece *piece, lp_buf *out);

// wire_client_pack_batch appends any batch as a message of the protocol.
void wire_client_pack_batch(Loupe__Wire__Batch *batch, lp_buf *out);

// Statuses of a reply.
enum {
    OK = LOUPE__WIRE__REPLY__STATUS__OK,
    UNKNOWN_SESSION = LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION,
    REFUSED = LOUPE__WIRE__REPLY__STATUS__REFUSED,
    BUSY = LOUPE__WIRE__REPLY__STATUS__BUSY,
    NOT_ALLOWED = LOUPE__WIRE__REPLY__STATUS__NOT_ALLOWED,
};

// A reply, flat.
typedef struct wire_answer {
    int status;
    uint32_t version;
    uint64_t next_sequence;
    uint32_t lacking_chunk;
    bool go_elsewhere;
    uint32_t again_after_ms;
    uint64_t durable_sequence;
    char message[256];
    uint64_t policy_id;
    bool has_policy;
    char policy[512]; // "event#setting=value\n" for each of its settings
} wire_answer;

// These send and wait for the answer.
wire_answer wire_client_ask(wire_client *client, const void *bytes, size_t size);
wire_answer wire_client_hello(wire_client *client, uint64_t next_sequence);
wire_answer wire_client_send(wire_client *client, const wire_piece *piece);

// A request that is on its way.
typedef struct wire_pending {
    nng_ctx context;
    nng_aio *aio;
} wire_pending;

wire_pending wire_client_start(wire_client *client, const void *bytes, size_t size);
wire_answer wire_client_finish(wire_pending *pending);
