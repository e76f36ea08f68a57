// SPDX-License-Identifier: Apache-2.0

// log_route: a log in front of the journal. As the sink of agent_protocol.h it appends requests to
// the log, and acknowledges them when the log has them. A log_worker in this or another process
// reads them.
//
// Batches of a session are appended and acknowledged in the order of their numbers. If an append
// fails, later ones of the session count as failed, too: the agent has to retry, sends a Hello and
// resends all batches that were not acknowledged. So the log has each acknowledged batch after all
// earlier ones, perhaps more than once.
//
// Acknowledged batches are durable in the log, so Reply.durable_sequence is the acknowledged
// number.
//
// Threads: open and close while the loop does not run; the rest on the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_log.c, test_server_log_faults.c,
//          tests/e2e/kafka.py

#pragma once

#include "collector/cluster/log_url.h"
#include "collector/intake/agent_protocol.h"
#include "collector/intake/journal_sink.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// If an agent has sent no batch for this long, it has to send a Hello: the worker may have ended
// its session, and retention may have removed the session.
enum { LOG_ROUTE_SILENT_MS = 60 * 1000 };

typedef struct log_route log_route;

typedef struct log_route_config {
    struct uv_loop_s *loop; // a uv_loop_t
    const log_url *url;     // borrowed until log_route_open returns
    agent_protocol *door;   // gets the sink; borrowed until log_route_close
    journal_sink *journals; // of the worker; borrowed until log_route_close
    size_t bytes_max;       // see log_client_config
    uint64_t peer_max;      // sessions of one address, or of one token
} log_route_config;

// log_route_check returns LP_OK if this build supports Kafka. Threads: any thread. Errors:
// LP_EVERSION if it does not
LP_MUST_USE lp_err log_route_check(lp_problem *out_problem);

// log_route_open begins to read the log.
// Owns:   the caller calls log_route_stop and log_route_close. After an error the loop has to run
//         once more.
// Errors: as log_route_check and log_client_open; LP_ENOMEM
LP_MUST_USE lp_err log_route_open(
    const log_route_config *config, log_route **out_route, lp_problem *out_problem);

// log_route_look runs log_worker_tick and log_client_look. Call it now and then.
void log_route_look(log_route *route);

// log_route_get_fault is log_client_get_fault.
const char *log_route_get_fault(const log_route *route);

// log_route_is_current returns whether all records of the session's partition were read.
bool log_route_is_current(const log_route *route, const session *session);

// log_route_stop is log_client_stop. NULL is fine.
void log_route_stop(log_route *route);

// Call log_route_close after log_route_stop, when the loop has run once more. NULL is fine.
void log_route_close(log_route *route);
