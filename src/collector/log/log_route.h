// SPDX-License-Identifier: Apache-2.0

// log_route: the way of batches through a log, in place of the journal (agent_protocol.h): a sink
// that appends what agents send to the log and has it answered when the log has it, and the worker
// that reads the log (log_worker.h), in this process or in another, bound to a client and a loop.
//
// Batches of a session are appended in the order of their numbers and acknowledged in that order.
// Where one could not be appended, or nobody knows, those behind it count as not appended either:
// the agent is put off, says Hello, and sends all again that was not acknowledged. So each batch
// that was acknowledged is in the log behind all those before it, maybe more than once.
//
// What is acknowledged is in the log, which is durable: Reply.durable_sequence is the same number.
//
// Threads: open and close with the loop at rest; the rest the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_log.c, test_server_log_faults.c,
//          tests/e2e/kafka.py

#ifndef LP_COLLECTOR_SERVER_LOG_ROUTE_H
#define LP_COLLECTOR_SERVER_LOG_ROUTE_H

#include "collector/cluster/log_url.h"
#include "collector/intake/agent_protocol.h"
#include "collector/intake/journal_sink.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// After so long without a batch an agent says Hello again: whoever reads the log may have ended its
// session, which was removed then.
enum { LOG_ROUTE_SILENT_MS = 60 * 1000 };

typedef struct log_route log_route;

typedef struct log_route_config {
    struct uv_loop_s *loop; // a uv_loop_t
    const log_url *url;     // borrowed until log_route_open returns
    agent_protocol *door;   // whose sink it becomes; borrowed until log_route_close, as journals
    journal_sink *journals; // what the worker journals by
    size_t bytes_max;       // that the client holds: see log_client_config
    uint64_t peer_max;      // sessions of one address, or one token
} log_route_config;

// log_route_check returns LP_OK where this build has Kafka. Errors: LP_EVERSION it was left out,
// and out_problem says what to do. Any thread
LP_MUST_USE lp_err log_route_check(lp_problem *out_problem);

// log_route_open begins to read the log.
// Owns:   the caller ends it by log_route_stop and log_route_close. After an error the loop has to
//         run once more.
// Errors: those of log_route_check and log_client_open; LP_ENOMEM
LP_MUST_USE lp_err log_route_open(
    const log_route_config *config, log_route **out_route, lp_problem *out_problem);

// log_route_look has each of its parts do what is due. Now and then.
void log_route_look(log_route *route);

// log_route_get_fault returns why the log takes nothing, for people; NULL: it does.
const char *log_route_get_fault(const log_route *route);

// log_route_is_current returns whether all that came of a session until now was read.
bool log_route_is_current(const log_route *route, const session *session);

// log_route_stop is log_client_stop: what was appended has ended when it returns, and nothing more
// is read. NULL is fine.
void log_route_stop(log_route *route);

// log_route_close frees everything, after log_route_stop and once the loop ran. NULL is fine.
void log_route_close(log_route *route);

#endif // LP_COLLECTOR_SERVER_LOG_ROUTE_H
