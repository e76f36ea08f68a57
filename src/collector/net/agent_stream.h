// SPDX-License-Identifier: Apache-2.0

// agent_stream: the bytes of one connection, with or without TLS. No function blocks.
//
// With TLS, call agent_stream_shake until the handshake is done. Then poll the descriptor, with two
// exceptions. TLS may already have read bytes that polling does not show (agent_stream_has_more).
// And TLS may have to send before it can read on (agent_stream_wants_write).
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/net/test_agent_tls.c, test_agent_connection.c

#pragma once

#include "collector/base/tls_files.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

enum {
    AGENT_STREAM_NAME_BYTES_MAX = 255,           // of a peer's name
    AGENT_STREAM_HANDSHAKE_BYTES_MAX = 64 << 10, // received from a peer
};

typedef struct agent_stream_tls agent_stream_tls;

typedef struct agent_stream {
    int fd;
    agent_stream_tls *tls; // NULL: none
} agent_stream;

typedef enum agent_stream_state {
    AGENT_STREAM_READY,
    AGENT_STREAM_WAITS, // for the peer
    AGENT_STREAM_ENDED, // the peer closed it, or TLS failed (agent_stream_get_problem)
} agent_stream_state;

// agent_stream_open makes a stream of fd, which is non-blocking. It has TLS unless files is NULL.
// Owns:   takes fd, even after an error
// Errors: LP_ENOMEM
LP_MUST_USE lp_err agent_stream_open(agent_stream *stream, int fd, tls_files *files);

// agent_stream_close closes the descriptor and frees the rest. Unsent bytes are lost.
void agent_stream_close(agent_stream *stream);

// agent_stream_is_shaking returns whether the handshake is unfinished.
bool agent_stream_is_shaking(const agent_stream *stream);

// agent_stream_shake continues the handshake with the bytes that have arrived.
// Cost: a signature and a key exchange, about a millisecond
agent_stream_state agent_stream_shake(agent_stream *stream);

// agent_stream_get_shaken_bytes returns the bytes received for the handshake; 0 without TLS. At
// AGENT_STREAM_HANDSHAKE_BYTES_MAX the handshake fails.
size_t agent_stream_get_shaken_bytes(const agent_stream *stream);

// agent_stream_read reads available bytes into pieces. Returns their number, which may be 0, or -1
// if the connection has ended or failed. *out_is_drained: no more bytes are available.
ssize_t agent_stream_read(
    agent_stream *stream, const struct iovec *pieces, int count, bool *out_is_drained);

// agent_stream_send sends bytes of pieces. Returns how many, which is fewer than all if the peer
// has no room: the next call continues with the rest. Returns -1 if the connection has ended or
// failed.
ssize_t agent_stream_send(agent_stream *stream, const struct iovec *pieces, int count);

bool agent_stream_has_more(const agent_stream *stream);
bool agent_stream_wants_write(const agent_stream *stream);

// agent_stream_get_problem returns a text for the log about how TLS with the peer failed; NULL if
// it did not.
const char *agent_stream_get_problem(const agent_stream *stream);

// agent_stream_get_peer_name returns the first DNS name, or else the common name, of the peer's
// verified certificate; NULL if there is none.
const char *agent_stream_get_peer_name(const agent_stream *stream);
