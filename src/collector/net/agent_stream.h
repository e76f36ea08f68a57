// SPDX-License-Identifier: Apache-2.0

// agent_stream: the bytes of one connection, as they are on its descriptor or under TLS. Nothing
// here waits.
//
// Under TLS it begins with a handshake: agent_stream_shake, again and again, until it is done. The
// descriptor says when there is more to do, with two exceptions: bytes that came in the record of
// others and were not read yet (agent_stream_has_more), and what TLS has to send before it goes on
// (agent_stream_wants_write).
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/net/test_agent_tls.c, test_agent_connection.c

#ifndef LP_COLLECTOR_SERVER_AGENT_STREAM_H
#define LP_COLLECTOR_SERVER_AGENT_STREAM_H

#include "collector/base/tls_files.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

enum {
    AGENT_STREAM_NAME_BYTES_MAX = 255,           // of a peer
    AGENT_STREAM_HANDSHAKE_BYTES_MAX = 64 << 10, // that a peer may send until it is done
};

typedef struct agent_stream_tls agent_stream_tls;

typedef struct agent_stream {
    int fd;
    agent_stream_tls *tls; // NULL: none
} agent_stream;

typedef enum agent_stream_state {
    AGENT_STREAM_READY,
    AGENT_STREAM_WAITS, // for the peer
    AGENT_STREAM_ENDED, // the peer is gone, or agent_stream_get_problem says what is wrong
} agent_stream_state;

// agent_stream_open makes a stream of fd, which does not block. files: of TLS; NULL: none.
// Owns:   takes fd, also after an error
// Errors: LP_ENOMEM
LP_MUST_USE lp_err agent_stream_open(agent_stream *stream, int fd, tls_files *files);

// agent_stream_close closes the descriptor and frees the rest. What the peer has not taken yet is
// lost.
void agent_stream_close(agent_stream *stream);

// agent_stream_is_shaking returns whether the handshake is still to be done.
bool agent_stream_is_shaking(const agent_stream *stream);

// agent_stream_shake does what can be done of the handshake. Its cost, where the peer has sent what
// it had to, is that of a signature and a key exchange: about a millisecond.
agent_stream_state agent_stream_shake(agent_stream *stream);

// agent_stream_get_shaken_bytes returns how many bytes the peer sent for the handshake so far, at
// most AGENT_STREAM_HANDSHAKE_BYTES_MAX, with which it ends; 0 without TLS.
size_t agent_stream_get_shaken_bytes(const agent_stream *stream);

// agent_stream_read reads what there is into pieces. Returns the number of bytes, which may be 0,
// or -1: the connection has ended, or is broken. *out_is_drained: there was no more.
ssize_t agent_stream_read(
    agent_stream *stream, const struct iovec *pieces, int count, bool *out_is_drained);

// agent_stream_send returns how many bytes of pieces are taken: fewer than all where the peer has
// no room. The next call continues with the bytes behind these. -1 as above.
ssize_t agent_stream_send(agent_stream *stream, const struct iovec *pieces, int count);

bool agent_stream_has_more(const agent_stream *stream);
bool agent_stream_wants_write(const agent_stream *stream);

// agent_stream_get_problem says, to a person, what was wrong with the peer's TLS; NULL: nothing.
const char *agent_stream_get_problem(const agent_stream *stream);

// agent_stream_get_peer_name returns the name in the certificate that the peer has proved to own:
// the first DNS name, or else its common name. NULL: it did not show one, or it has no name.
const char *agent_stream_get_peer_name(const agent_stream *stream);

#endif // LP_COLLECTOR_SERVER_AGENT_STREAM_H
