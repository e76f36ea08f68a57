// SPDX-License-Identifier: Apache-2.0
// server_loop: handles events of the server's loop: requests of agents, requests for snapshots, the
// end.
//
// Threads: the loop's, unless a function says otherwise.
// Tests:   tests/unit/collector/server/test_server.c

#ifndef LP_COLLECTOR_SERVER_SERVER_LOOP_H
#define LP_COLLECTOR_SERVER_SERVER_LOOP_H

#include "collector/net/agent_socket.h"
#include "collector/server/server_parts.h"

// server_loop_wake wakes the loop, which is not closed. Any thread.
void server_loop_wake(server *self);

// server_loop_pass_on passes a request on to the loop, if it is not NULL, and wakes it. False: it
// is stopping. Any thread.
bool server_loop_pass_on(server *self, snapshots_request *request);

// server_loop_on_session is called when a session has got a batch, or its chunks were committed.
// arg is the server.
void server_loop_on_session(void *arg, session *s);

// server_loop_on_request answers a message of an agent. arg is the server.
void server_loop_on_request(void *arg, agent_socket_request *request);

void server_loop_on_wake(uv_async_t *wake);

// server_loop_run runs the loop until the server is to stop and all that it began is done. It is
// the function of its thread: arg is the server. Returns NULL.
void *server_loop_run(void *arg);

#endif // LP_COLLECTOR_SERVER_SERVER_LOOP_H
