// SPDX-License-Identifier: Apache-2.0

// agent_socket: receives requests from agents over NNG and hands them to one loop, in order.
//
// A raw REP socket with one receive in flight at a time, so the requests of one agent keep their
// order and any number of its requests may be unanswered. While more than
// AGENT_SOCKET_QUEUE_BYTES_MAX wait to be taken nothing more is received, and the agents' TCP
// connections fill up: that is the back-pressure.
//
// Threads: everything on the loop that owns it; on_waiting is called on NNG's threads.
// Tests:   tests/unit/collector/server/test_server.c, test_server_exit.c

#ifndef LP_COLLECTOR_SERVER_AGENT_SOCKET_H
#define LP_COLLECTOR_SERVER_AGENT_SOCKET_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>

enum { AGENT_SOCKET_QUEUE_BYTES_MAX = 64 << 20 };

typedef struct agent_socket agent_socket;
typedef struct agent_socket_request agent_socket_request;

typedef struct agent_socket_config {
    const char *url;               // an NNG URL; a TCP port of 0 means any
    void (*on_waiting)(void *arg); // a request waits to be taken
    void *arg;
} agent_socket_config;

// Errors: LP_ECORRUPT for a URL that NNG does not understand; LP_EIO if it cannot be listened on
LP_MUST_USE lp_err agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem);

// agent_socket_get_url returns the URL that is listened on, with the actual port.
const char *agent_socket_get_url(const agent_socket *socket);

// agent_socket_take returns the oldest request that waits, NULL if none does. The caller owns it
// and ends it with agent_socket_answer or agent_socket_drop.
agent_socket_request *agent_socket_take(agent_socket *socket);

// agent_socket_get_taken_bytes returns the size of all requests that were taken and have not ended.
size_t agent_socket_get_taken_bytes(const agent_socket *socket);

// agent_socket_get_bytes returns the message, which is borrowed until the request's end.
lp_slice agent_socket_get_bytes(const agent_socket_request *request);

// agent_socket_answer sends reply to the sender of request, if that is still connected.
void agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply);

// agent_socket_drop ends a request without an answer; the agent resends it. NULL is fine.
void agent_socket_drop(agent_socket_request *request);

// agent_socket_stop receives nothing more; requests that wait can still be taken and answered.
void agent_socket_stop(agent_socket *socket);

// agent_socket_destroy comes after the end of every request that was taken. It stops, drops the
// requests that wait, and shuts the listener and every connection; the URL can be listened on
// again. The socket itself stays until the process ends: NNG 1.5.2 may wait for ever for a
// connection that is closed while a message comes in over it, and nng_close would wait with it.
// NULL is fine.
void agent_socket_destroy(agent_socket *socket);

#endif // LP_COLLECTOR_SERVER_AGENT_SOCKET_H
