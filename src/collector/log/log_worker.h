// SPDX-License-Identifier: Apache-2.0

// log_worker: reads the log into sessions. It journals their batches; chunks are then compacted
// from journals, as in a collector without a log. The log has all these batches, from the committed
// offset on. So the journals are deleted when the partition is revoked, and at the start.
//
// A session's row says which batches are in compacted chunks (settled). The number of a batch
// decides:
//
//   lower than the next   nothing to do: a chunk or the journal has it
//   the next              it is journaled
//   higher                nothing to do: it was not acknowledged, so the agent resends it after the
//                         batches before it. But if its record says that these were acknowledged,
//                         the log has lost them: they are counted, and this batch is the next
//
// A session may be loaded only before the first record of its partition is read, or if it has
// ended: otherwise records that its row does not cover may have been read already.
//
//   before the first record    all running sessions are taken from their owners (bring_running)
//   later, it has ended        it is taken; its row has everything
//   later, it runs elsewhere   two collectors disagree about the owner of the partition. This one
//                              reads the partition again from its settled offset
//                              (log_offsets_doubt), also if another collector took a session from
//                              it. The final owner of the partition takes the session last, and
//                              has read all of it
//
// A record that cannot be taken now (the catalog does not answer, the disk is full, too many chunks
// wait) stops its partition. Only records that were read count as signs of life: a session does not
// time out while the log has unread records, or does not answer.
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
    LOG_WORKER_TAKEN_MAX = 512,    // running sessions, in a transaction
    LOG_WORKER_COMMIT_TICKS = 5,   // between two looks at the offsets
    LOG_WORKER_OLD_MS = 60 * 1000, // an older record is not a sign of life
};

// All is borrowed.
typedef struct log_worker {
    journal_sink *journals; // has the sessions, and the loop's time
    log_client *log;
    log_offsets offsets;
    bool must_list;              // running has to be listed before a record is taken
    bool lists_again;            // at the next tick, as a session could not be loaded
    LP_VEC(catalog_own) running; // running sessions that are not in memory yet, by id
    const char *why;             // the reason of the last LP_EAGAIN; NULL: the catalog's
    uint64_t look_round;         // round after which the last look at the offsets counts
    uint64_t tick_count;
    uint64_t log_ms; // loop time of the next line about the log, at the earliest
    // Returns the number of the connection of the session's agent, 0 if it has none here.
    uint64_t (*find_connection)(void *arg, const char *session_id);
    // Called for a batch of an unknown session, which was removed.
    void (*on_unknown)(void *arg, const char *session_id);
    void *arg;
} log_worker;

// log_worker_init leaves the callbacks to the caller. The worker may not move.
void log_worker_init(log_worker *worker, journal_sink *journals, log_client *log);

void log_worker_fini(log_worker *worker);

// log_worker_take is log_client's on_record. now_ms is the loop's time.
bool log_worker_take(log_worker *worker, const log_client_record *record, uint64_t now_ms);

// Call log_worker_begin for a partition that was assigned, log_worker_end for one that was revoked:
// its sessions leave memory.
void log_worker_begin(log_worker *worker, int32_t partition);
void log_worker_end(log_worker *worker, int32_t partition);

// Call log_worker_tick now and then. It
// - takes the running sessions of new partitions, so that those without records can time out;
// - withdraws sessions that another collector has taken, and rewinds their partitions; each rewind
//   may take LOG_CLIENT_REWIND_MS_MAX;
// - commits offsets.
void log_worker_tick(log_worker *worker, uint64_t now_ms);
