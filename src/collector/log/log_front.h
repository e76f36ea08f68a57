// SPDX-License-Identifier: Apache-2.0

// log_front: the requests of agents, where batches go through a log (log_client.h) in place of the
// journal: it checks each, appends Hellos and batches to the log, and answers when the log has
// them. Whoever reads the log does everything else (log_worker.h), in this process or in another.
//
// Batches of a session are appended in the order of their numbers and acknowledged in that order.
// Where one could not be appended, or nobody knows, those behind it count as not appended either:
// the agent is put off, says Hello, and sends all again that was not acknowledged. So each batch
// that was acknowledged is in the log behind all those before it, maybe more than once.
//
// What is acknowledged is in the log, which is durable: Reply.durable_sequence is the same number.
//
// A front knows a session for as long as its agent's connection lasts, and nothing of it is kept.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_log.c, test_server_log_faults.c,
//          tests/e2e/kafka.py

#ifndef LP_COLLECTOR_SERVER_LOG_FRONT_H
#define LP_COLLECTOR_SERVER_LOG_FRONT_H

#include "collector/access/access_file.h"
#include "collector/intake/day_quotas.h"
#include "collector/keep/retention.h"
#include "collector/log/log_client.h"
#include "collector/net/agent_socket.h"
#include "collector/session/sessions.h"
#include "policy/policy_dir.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

// After so long without a batch an agent says Hello again: whoever reads the log may have ended its
// session, which was removed then.
enum { LOG_FRONT_SILENT_MS = 60 * 1000 };

typedef struct log_front log_front;

// All is borrowed until log_front_destroy.
typedef struct log_front_config {
    agent_socket *socket;
    log_client *log;
    sessions *sessions; // those that this process reads of the log, and the catalog
    const retention *retention;
    access_file *access; // who may send; NULL: everybody
    policy_dir *policies;
    day_quotas *quotas;
    size_t early_bytes_max; // of all batches that came early; further ones are put off
    uint64_t peer_max;      // sessions of one address, or one token
    // Every answer asks the agent to go to another collector, as agent_protocol has it.
    const atomic_bool *is_drained;
} log_front_config;

// log_front_create returns NULL if memory ran out.
log_front *log_front_create(const log_front_config *config);

// log_front_destroy drops the requests that wait. NULL is fine.
void log_front_destroy(log_front *front);

// log_front_handle takes request, and answers it, now or later. now_ms is the loop's time.
void log_front_handle(log_front *front, agent_socket_request *request, uint64_t now_ms);

// log_front_end is the end of a record that was appended, as log_client_config has it.
void log_front_end(log_front *front, void *tag, const char *failure);

// log_front_forget has the session's agent say Hello before its next batch. One that is not here is
// fine.
void log_front_forget(log_front *front, const char *session_id);

// log_front_find_connection returns the number of the connection of a session's agent; 0: it has
// none here.
uint64_t log_front_find_connection(const log_front *front, const char *session_id);

// log_front_look forgets sessions whose connection is gone. Now and then.
void log_front_look(log_front *front, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_LOG_FRONT_H
