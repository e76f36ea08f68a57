// SPDX-License-Identifier: Apache-2.0

// agent_socket: receives requests from agents, which speak NNG's REQ protocol, and answers them.
//
// It speaks NNG's wire protocol itself (sp_frame.h), on the loop of its owner: agent_listener
// accepts, agent_connection reads and writes. The requests of one connection come in the order in
// which they were sent, a few at a time, so that no agent keeps the others waiting; any number up
// to AGENT_CONNECTION_UNANSWERED_MAX may be unanswered.
//
// Messages that are coming in have bytes_max in all, their whole size counted from their
// announcement on. Those for which there is no room are not read, and the agents' TCP connections
// fill up: that is the back-pressure. What was taken and is not answered is its owner's to bound
// (agent_socket_get_taken_bytes).
//
// Under TLS (tls+tcp://) each connection begins with a handshake. Its steps cost some time of the
// loop's, so a few of them are taken at a time, and what else there is to do comes in between.
// Where too many connections have not finished theirs, the oldest of these is closed.
//
// An address (peers.h) may have half of the descriptors that are for agents: further connections of
// it are closed, so that others always get in. Of connections by TLS there are so many in all, as
// each has memory of its own, and half as many of an address. Where all are taken, the oldest whose
// handshake is not done is closed for one more; where there is none, that one is.
//
// Threads: the loop that owns it; start before the loop runs, destroy after it ran.
// Tests:   tests/unit/collector/net/test_agent_socket.c, test_agent_tls.c, test_server.c,
//          test_server_exit.c

#ifndef LP_COLLECTOR_SERVER_AGENT_SOCKET_H
#define LP_COLLECTOR_SERVER_AGENT_SOCKET_H

#include "collector/base/tls_files.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AGENT_SOCKET_TICK_MS = 1000, // how often connections that take too long are looked for
    AGENT_SOCKET_LOG_MS = 1000,  // at least, between two lines about connections that were closed
    AGENT_SOCKET_SHAKES_PER_MS = 8,  // steps of handshakes, before others get their turn
    AGENT_SOCKET_SHAKING_MAX = 4096, // connections whose handshake is not done
    // What came of these handshakes, in all. While it is more, those are closed that have more than
    // their share of it.
    AGENT_SOCKET_SHAKING_BYTES_MAX = 32 << 20,
    AGENT_SOCKET_SHAKING_BYTES_EACH = AGENT_SOCKET_SHAKING_BYTES_MAX / AGENT_SOCKET_SHAKING_MAX,
};

typedef struct agent_socket agent_socket;
typedef struct agent_socket_request agent_socket_request;

typedef struct agent_socket_config {
    struct uv_loop_s *loop;     // a uv_loop_t
    const char *url;            // see agent_listener.h
    bool is_local;              // the same
    tls_files *tls;             // for a URL of TLS; borrowed until agent_socket_destroy. NULL: none
    size_t tls_connections_max; // for a URL of TLS, 2 or more
    size_t bytes_max;           // of messages that are coming in; WIRE_MESSAGE_BYTES_MAX or more
    // The callee owns request and ends it with agent_socket_answer or agent_socket_drop, at once or
    // later.
    void (*on_request)(void *arg, agent_socket_request *request);
    void *arg;
} agent_socket_config;

// agent_socket_start listens. Requests come once the loop runs.
// Errors: LP_ECORRUPT for a URL that cannot be read, or needs the TLS that there is not; LP_EIO if
//         it cannot be listened on; LP_ENOMEM
LP_MUST_USE lp_err agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem);

// agent_socket_get_url returns the URL that is listened on, with the actual port. Any thread.
const char *agent_socket_get_url(const agent_socket *socket);

// agent_socket_get_taken_bytes returns the size of all requests that have not ended, without those
// whose bytes were forgotten.
size_t agent_socket_get_taken_bytes(const agent_socket *socket);

// agent_socket_get_bytes returns the message, which is borrowed until the request's end.
lp_slice agent_socket_get_bytes(const agent_socket_request *request);

// agent_socket_forget_bytes frees the message of a request that has yet to be answered.
void agent_socket_forget_bytes(agent_socket_request *request);

// agent_socket_get_connection returns the number of the connection that request came over: never 0,
// and no other connection's.
uint64_t agent_socket_get_connection(const agent_socket_request *request);

// agent_socket_get_peer returns the number of the peer's address (peers.h); PEERS_NONE: it is gone.
uint64_t agent_socket_get_peer(const agent_socket_request *request);

// agent_socket_get_peer_name returns the name in the certificate of the peer that sent request
// (agent_stream.h). It is borrowed until the loop runs again. NULL: it has none, or is gone.
const char *agent_socket_get_peer_name(const agent_socket_request *request);

// agent_socket_is_sender_there returns whether the sender of request has left the connection open.
// It asks the kernel: what was sent before the end of a connection is read before that end.
bool agent_socket_is_sender_there(const agent_socket_request *request);

// agent_socket_is_connected returns whether the connection of this number is still there.
bool agent_socket_is_connected(const agent_socket *socket, uint64_t connection);

// agent_socket_answer sends reply to the sender of request, if that is still connected.
void agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply);

// agent_socket_drop ends a request without an answer; the agent resends it. NULL is fine, and so is
// a socket that was closed.
void agent_socket_drop(agent_socket_request *request);

// agent_socket_stop accepts and receives nothing more; the URL can be listened on again. Requests
// can still be answered. The loop runs on until the answers are taken, for
// AGENT_CONNECTION_STOP_MS_MAX at the longest.
void agent_socket_stop(agent_socket *socket);

// agent_socket_close stops, and ends every connection. The loop has to run once more. NULL is fine.
void agent_socket_close(agent_socket *socket);

// agent_socket_destroy frees a socket that was closed, when every request has ended. NULL is fine.
void agent_socket_destroy(agent_socket *socket);

#endif // LP_COLLECTOR_SERVER_AGENT_SOCKET_H
