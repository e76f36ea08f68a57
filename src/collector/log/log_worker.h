// SPDX-License-Identifier: Apache-2.0

// log_worker: reads the log into sessions. It writes their batches to journals, from which chunks
// are compacted as without a log. These journals are temporary: from the committed offset on, the
// log has all their batches. They are deleted when the partition is revoked, and at the start.
//
// A session's row says which batches are in compacted chunks (settled). The number of a batch
// decides what happens:
//
//   lower than the next   nothing: a chunk or the journal has the batch
//   the next              the batch is journaled
//   higher                nothing: the batch was not acknowledged, so the agent resends it after
//                         the missing ones. But if its record says that the missing ones were
//                         acknowledged, the log has lost them: they count as lost, and the number
//                         after them is the next
//
// A session may be loaded only before the first record of its partition is read, or if it has
// ended: otherwise this process may already have read records that the session's row does not
// cover.
//
//   before the first record    all running sessions are taken from their owners (`running`)
//   later, it has ended        it is taken; its row has everything
//   later, it runs elsewhere   two collectors disagree about the owner of the partition. This
//                              collector reads the partition again from its settled offset
//                              (log_offsets_doubt), also if another collector took a session from
//                              this one. The final owner of the partition takes the session
//                              last, and has read all of it
//
// A record that cannot be taken now stops its partition: the catalog does not answer, the disk is
// full, or too many chunks wait. Only records that were read count as a session's signs of
// life. While the log has unread records or does not answer, no session times out.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/log/test_log_worker.c, test_server_log.c, tests/e2e/kafka.py

#pragma once

#include "collector/intake/journal_sink.h"
#include "collector/log/log_client.h"
#include "collector/log/log_offsets.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LOG_WORKER_TAKEN_MAX = 512,    // running sessions that one transaction takes
    LOG_WORKER_COMMIT_TICKS = 5,   // between two looks at the offsets
    LOG_WORKER_OLD_MS = 60 * 1000, // an older record is not a sign of life
};

// Everything is borrowed.
typedef struct log_worker {
    journal_sink *journals; // has the sessions, and the loop's time
    log_client *log;
    log_offsets offsets;
    bool must_list;              // `running` has to be listed before a record is taken
    bool lists_again;            // list again at the next tick: a session could not be loaded
    LP_VEC(catalog_own) running; // running sessions that are not in memory yet, by id
    const char *why;             // the reason of the last LP_EAGAIN; NULL: the catalog returned it
    uint64_t look_round;         // round after which the last look at the offsets counts
    uint64_t tick_count;
    uint64_t log_ms; // loop time of the next line about the log, at the earliest
    // Returns the number of the connection of the session's agent, 0 if it has none here.
    uint64_t (*find_connection)(void *arg, const char *session_id);
    // Called for a batch of a session that has no row: it was removed.
    void (*on_unknown)(void *arg, const char *session_id);
    void *arg;
} log_worker;

// log_worker_init initializes all but the callbacks, which the caller sets. The worker must not
// move.
void log_worker_init(log_worker *worker, journal_sink *journals, log_client *log);

void log_worker_fini(log_worker *worker);

// log_worker_take is the on_record of log_client. now_ms is the loop's time.
bool log_worker_take(log_worker *worker, const log_client_record *record, uint64_t now_ms);

// Call log_worker_begin when a partition is assigned, and log_worker_end when it is revoked.
// log_worker_end removes the partition's sessions from memory.
void log_worker_begin(log_worker *worker, int32_t partition);
void log_worker_end(log_worker *worker, int32_t partition);

// log_worker_tick does periodic work. Call it now and then. It
// - takes the running sessions of new partitions, so that sessions without records can time out;
// - gives up sessions that another collector has taken, and rewinds their partitions; each rewind
//   may take LOG_CLIENT_REWIND_MS_MAX;
// - commits offsets.
void log_worker_tick(log_worker *worker, uint64_t now_ms);
