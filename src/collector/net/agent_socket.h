// SPDX-License-Identifier: Apache-2.0

// agent_socket: receives requests from agents, which use NNG's REQ protocol, and answers them.
//
// It implements NNG's wire protocol (sp_frame.h) on the owner's loop: agent_listener accepts,
// agent_connection reads and writes. The requests of one connection arrive in the order in which
// they were sent, a few at a time, so that no agent delays the others. Up to
// AGENT_CONNECTION_UNANSWERED_MAX of them may be unanswered.
//
// Messages that are being received share bytes_max. Each counts with its full size from its
// announcement on. A message without room is not read: the agent's TCP connection fills up, and the
// agent waits. The owner limits the requests that it has received but not answered
// (agent_socket_get_taken_bytes).
//
// With TLS (tls+tcp://) each connection begins with a handshake. Its steps take time of the loop,
// so only a few are made before other work. If too many handshakes are unfinished, the oldest of
// these connections is closed.
//
// One address (peers.h) may use half of the agents' descriptors; its further connections are
// closed, so that other addresses can always connect. With TLS each connection takes memory. So
// there are at most tls_connections_max, and half as many for one address. At this limit, a new
// connection replaces the oldest one whose handshake is unfinished; if there is none, the new one
// is closed.
//
// Threads: the loop that owns it; agent_socket_start before the loop runs, agent_socket_destroy
//          after.
// Tests:   tests/unit/collector/net/test_agent_socket.c, test_agent_tls.c, test_server.c,
//          test_server_exit.c

#pragma once

#include "collector/base/tls_files.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AGENT_SOCKET_TICK_MS = 1000,     // between checks of the connections' limits of time
    AGENT_SOCKET_LOG_MS = 1000,      // between two log lines about closed connections
    AGENT_SOCKET_SHAKES_PER_MS = 8,  // steps of handshakes
    AGENT_SOCKET_SHAKING_MAX = 4096, // connections whose handshake is not done
    // The limit for the bytes that unfinished handshakes have received. Above it, a handshake with
    // more than its share is closed.
    AGENT_SOCKET_SHAKING_BYTES_MAX = 32 << 20,
    AGENT_SOCKET_SHAKING_BYTES_EACH = AGENT_SOCKET_SHAKING_BYTES_MAX / AGENT_SOCKET_SHAKING_MAX,
};

typedef struct agent_socket agent_socket;
typedef struct agent_socket_request agent_socket_request;

typedef struct agent_socket_config {
    struct uv_loop_s *loop;     // a uv_loop_t
    const char *url;            // see agent_listener.h
    bool is_local;              // see agent_listener.h
    tls_files *tls;             // for tls+tcp://, else NULL; borrowed until agent_socket_destroy
    size_t tls_connections_max; // for tls+tcp://, 2 or more
    size_t bytes_max;           // of messages being received; WIRE_MESSAGE_BYTES_MAX or more
    // The callee owns request, and ends it with agent_socket_answer or agent_socket_drop, at once
    // or later.
    void (*on_request)(void *arg, agent_socket_request *request);
    void *arg;
} agent_socket_config;

// agent_socket_start listens. Requests arrive once the loop runs.
// Errors: LP_ECORRUPT for a malformed URL, or tls+tcp:// without tls; LP_EIO if it cannot listen;
//         LP_ENOMEM
LP_MUST_USE lp_err agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem);

// agent_socket_get_url returns the URL with the actual port. Threads: any thread.
const char *agent_socket_get_url(const agent_socket *socket);

// agent_socket_get_taken_bytes returns the size of all received messages that are not freed yet.
size_t agent_socket_get_taken_bytes(const agent_socket *socket);

// agent_socket_get_bytes returns the message without its header, borrowed until the request's end.
lp_slice agent_socket_get_bytes(const agent_socket_request *request);

// agent_socket_forget_bytes frees the message of a request that is answered later.
void agent_socket_forget_bytes(agent_socket_request *request);

// agent_socket_get_connection returns the unique number of the request's connection; never 0.
uint64_t agent_socket_get_connection(const agent_socket_request *request);

// agent_socket_get_peer returns the number of the peer's address (peers.h); PEERS_NONE if the
// connection is closed.
uint64_t agent_socket_get_peer(const agent_socket_request *request);

// agent_socket_get_peer_name returns the name in the peer's certificate (agent_stream.h), borrowed
// until the loop runs again; NULL if it has none, or the connection is closed.
const char *agent_socket_get_peer_name(const agent_socket_request *request);

// agent_socket_is_sender_there returns whether the sender of request still has the connection open.
// It asks the kernel, because the loop reads all earlier bytes before it sees the end of a
// connection.
bool agent_socket_is_sender_there(const agent_socket_request *request);

// agent_socket_is_connected returns whether the connection of this number is open.
bool agent_socket_is_connected(const agent_socket *socket, uint64_t connection);

// agent_socket_answer sends reply to the sender of request if the sender is still connected.
void agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply);

// agent_socket_drop ends a request without an answer; the agent resends it. NULL is fine, and so is
// a request of a closed socket.
void agent_socket_drop(agent_socket_request *request);

// agent_socket_stop stops listening and receiving. Another socket may then use the URL. Requests
// can still be answered: the loop runs until the peers have read their answers, at most
// AGENT_CONNECTION_STOP_MS_MAX.
void agent_socket_stop(agent_socket *socket);

// agent_socket_close does the same as agent_socket_stop, and closes all connections. The loop has
// to run once more. NULL is fine.
void agent_socket_close(agent_socket *socket);

// agent_socket_destroy frees a closed socket. Call it after every request has ended. NULL is fine.
void agent_socket_destroy(agent_socket *socket);
