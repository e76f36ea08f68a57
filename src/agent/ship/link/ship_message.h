// SPDX-License-Identifier: Apache-2.0
// ship_message: packs and unpacks requests and answers (proto/loupe.proto).
//
// Threads: any thread.
// Tests: tests/unit/agent/ship/test_ship.c, test_ship_window.c

#pragma once

#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/ship/ship_policy.h"
#include "agent/tail/tail.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ship_status {
    SHIP_OK,
    SHIP_UNKNOWN_SESSION,
    SHIP_REFUSED,
    SHIP_BUSY,
    SHIP_NOT_ALLOWED,
} ship_status;

typedef struct ship_reply {
    ship_status status;
    uint64_t next_sequence; // these five: see Reply in loupe.proto
    uint64_t durable_sequence;
    uint32_t lacking_chunk;
    uint32_t again_after_ms;
    bool go_elsewhere;
    ship_policy policy; // the collector's policy for this JVM; settings only if it sent them
    char message[192];  // truncated if longer
} ship_reply;

// The parts of a batch. Everything is borrowed.
typedef struct ship_batch {
    const uint8_t *session; // WIRE_SESSION_BYTES
    uint64_t sequence;
    const tail_piece *piece; // its place is the batch's, even if its size is 0
    lp_slice jfr_zstd;
    lp_slice contexts_packed;
    uint32_t contexts_size;
    ctx_registry *registry;
    size_t first_type; // the batch has types [first_type, end_type), at most CTX_TYPES_MAX
    size_t end_type;
    const ctx_recording *recordings;
    size_t recording_count;
    const uint64_t *recordings_ended;
    size_t recordings_ended_count;
    const ctx_filter *filters;
    size_t filter_count;
    bool has_own_policy;      // contains the JVM's own settings of the chunk
    lp_slice own_policy_zstd; // the JVM's own settings (proto/loupe.proto)
    uint32_t own_policy_size;
    bool is_own_policy_lost;
    Loupe__Wire__Counters counters;
    bool is_last;
    bool begins_again;
} ship_batch;

// The next two functions append a whole request to out.
LP_MUST_USE lp_err ship_message_pack_hello(const Loupe__Wire__Hello *hello, lp_buf *out);
LP_MUST_USE lp_err ship_message_pack_batch(const ship_batch *batch, lp_buf *out);

// Adds the numbers of uncompressed bytes of JFR and of context records in a packed batch. Adds
// nothing if memory ran out.
void ship_message_measure_batch(lp_slice packed, uint64_t *jfr_bytes, uint64_t *contexts_bytes);

// Sets *out_chunk to the chunk of a packed batch. Returns false if memory ran out.
bool ship_message_get_chunk(lp_slice packed, uint32_t *out_chunk);

// Replaces a packed batch by an empty batch with this chunk and the same sequence number. Errors:
// LP_ENOMEM: packed is unchanged
LP_MUST_USE lp_err ship_message_empty(lp_buf *packed, uint32_t chunk);

// Unpacks an answer. An invalid answer, or one of another version, counts as SHIP_REFUSED, with a
// message about it; if memory runs out, as SHIP_BUSY. The caller frees the result with
// ship_message_reply_fini.
ship_reply ship_message_unpack_reply(lp_slice bytes);

void ship_message_reply_fini(ship_reply *reply);
