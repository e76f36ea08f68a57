// SPDX-License-Identifier: Apache-2.0

// log_route: the way of batches through a log: its client, the front that takes the requests of
// agents, and the worker that reads it, bound to each other and to a loop.
//
// Threads: open and close with the loop at rest; the rest the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_log.c

#ifndef LP_COLLECTOR_SERVER_LOG_ROUTE_H
#define LP_COLLECTOR_SERVER_LOG_ROUTE_H

#include "collector/intake/agent_protocol.h"
#include "collector/log/log_client.h"
#include "collector/log/log_front.h"
#include "collector/log/log_url.h"
#include "collector/log/log_worker.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>
#include <uv.h>

// A zeroed one is closed: batches go into the journals alone.
typedef struct log_route {
    uv_loop_t *loop;
    log_client *client; // NULL: it is closed
    log_front *front;
    log_worker worker;
} log_route;

typedef struct log_route_config {
    uv_loop_t *loop;
    const log_url *url; // borrowed until log_route_open returns
    // What the worker journals by; the front checks with the same sessions and limits. It has its
    // socket already. Borrowed until log_route_close
    agent_protocol *journals;
    size_t bytes_max;  // that the client holds: see log_client_config
    uint64_t peer_max; // sessions of one address, or one token
} log_route_config;

// log_route_open begins to read the log; *route stays where it is until log_route_close.
// Owns:   the caller ends it, after an error, too, by log_route_stop and log_route_close.
// Errors: those of log_client_open and log_client_start; LP_ENOMEM
LP_MUST_USE lp_err log_route_open(
    log_route *route, const log_route_config *config, lp_problem *out_problem);

// log_route_look has each of the three do what is due. Now and then.
void log_route_look(log_route *route);

// log_route_stop is log_client_stop: what was appended has ended when it returns, and nothing more
// is read. A closed one is fine.
void log_route_stop(log_route *route);

// log_route_close frees everything, after log_route_stop and once the loop ran. A closed one is
// fine.
void log_route_close(log_route *route);

#endif // LP_COLLECTOR_SERVER_LOG_ROUTE_H
