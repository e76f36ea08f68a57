// SPDX-License-Identifier: Apache-2.0

// log_worker: what the log has becomes sessions: batches go into journals, from which chunks are
// compacted and committed as ever. The journals are scratch here: all that is in them is in the log
// as well, from the offset on that was committed to it, and they are thrown away when the partition
// goes to another collector, and at the start.
//
// A session's row says which batches are in compacted chunks (settled), and so from
// which number on they are journalled when they are read:
//
//   its number is   what is done
//   lower           nothing: it is in a chunk, or in the journal, already
//   the next one    it is journalled
//   higher          nothing: nobody was told that it is here, and so it comes again, behind those
//                   before it. But where its record says that those before it were acknowledged,
//                   the log has lost them, which counts, and it is the next one
//
// A session's row says which batches are in compacted chunks; the log has all behind them, from the
// offset on that was committed to it. So a session may come into memory only before the first
// record of its partition, or where it has nothing behind its row:
//
//   before the first record    all that run are taken from whoever has them (log_sessions_bring)
//   later, it has ended        it is taken; its row says all
//   later, it runs elsewhere   the two collectors do not agree whose the partition is. It is read
//                              again from what counted last (log_offsets_doubt), as is that of one
//                              that was taken from this collector: whoever has the partition in the
//                              end has taken the session last, and has read all of it
//
// A record that cannot be taken now (the catalog is away, the disk is full, too many chunks wait)
// holds up its partition. A session is silent only by what was read of its partition: it does not
// end while the log has something that was not read, or is away.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/log/test_log_worker.c, test_server_log.c, tests/e2e/kafka.py

#ifndef LP_COLLECTOR_SERVER_LOG_WORKER_H
#define LP_COLLECTOR_SERVER_LOG_WORKER_H

#include "collector/intake/journal_sink.h"
#include "collector/log/log_client.h"
#include "collector/log/log_offsets.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LOG_WORKER_TAKEN_MAX = 512,    // sessions that run, in a transaction
    LOG_WORKER_COMMIT_TICKS = 5,   // between two looks at which offsets can be committed
    LOG_WORKER_OLD_MS = 60 * 1000, // a record that is read later than that is no sign of life
};

// All is borrowed.
typedef struct log_worker {
    journal_sink *journals; // what batches are journalled by, and sessions are in
    log_client *log;
    log_offsets offsets;
    bool must_list;              // those that run are not known
    bool lists_again;            // the same, of one that may come into memory later
    LP_VEC(catalog_own) running; // that are not in memory yet, by id
    const char *why;             // the last LP_EAGAIN, for people; NULL: the catalog's
    uint64_t look_round;         // after which the look at the offsets counts
    uint64_t tick_count;
    uint64_t quiet_ms; // loop time before which no line about the log is due
    // The number of the connection of a session's agent, for presence; 0: it has none here.
    uint64_t (*find_connection)(void *arg, const char *session_id);
    // Of a session of which batches come, though nobody knows it any more: it was removed.
    void (*on_unknown)(void *arg, const char *session_id);
    void *arg;
} log_worker;

// log_worker_init makes one that reads nothing yet, and stays where it is; the callbacks are set
// behind it.
void log_worker_init(log_worker *worker, journal_sink *journals, log_client *log);

void log_worker_fini(log_worker *worker);

// log_worker_take is log_client's on_record. now_ms is the loop's time.
bool log_worker_take(log_worker *worker, const log_client_record *record, uint64_t now_ms);

// log_worker_begin is for a partition that this process reads from now on, log_worker_end for one
// that it reads no more: what is known of its sessions is forgotten.
void log_worker_begin(log_worker *worker, int32_t partition);
void log_worker_end(log_worker *worker, int32_t partition);

// log_worker_tick brings the running sessions of partitions that began to memory, so that their end
// is noticed if nothing comes of them any more, as soon as the catalog tells them; ends sessions
// that another collector has, and has their partitions be read again, which may wait for
// LOG_CLIENT_REWIND_MS_MAX each; and commits what can be committed. Now and then.
void log_worker_tick(log_worker *worker, uint64_t now_ms);

#endif // LP_COLLECTOR_SERVER_LOG_WORKER_H
