// SPDX-License-Identifier: Apache-2.0

// log_sessions: the sessions of the partitions that a worker reads (log_worker.h), as they come
// into memory: from which batch on they go on, and, where collectors share the catalog, whose they
// are.
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
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/log/test_log_worker.c

#ifndef LP_COLLECTOR_SERVER_LOG_SESSIONS_H
#define LP_COLLECTOR_SERVER_LOG_SESSIONS_H

#include "collector/log/log_client.h"
#include "collector/log/log_offsets.h"
#include "collector/session/sessions.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { LOG_SESSIONS_TAKEN_MAX = 512 }; // that run, in a transaction

// {.all, .log, .offsets}, which are borrowed, is one that knows nothing.
typedef struct log_sessions {
    sessions *all;
    log_client *log;
    log_offsets *offsets;        // which partitions there are, and which of them are doubted
    bool must_list;              // those that run are not known
    bool lists_again;            // the same, of one that may come into memory later
    LP_VEC(catalog_own) running; // that are not in memory yet, by id
    const char *why;             // the last LP_EAGAIN, for people; NULL: the catalog's
} log_sessions;

void log_sessions_fini(log_sessions *sessions);

// log_sessions_expect is for partitions that came, went, or are read again.
void log_sessions_expect(log_sessions *sessions);

// log_sessions_expect_rest is for those that run and could not come into memory before. Now and
// then.
void log_sessions_expect_rest(log_sessions *sessions);

// log_sessions_bring brings sessions that run into memory, LOG_SESSIONS_TAKEN_MAX at most, that
// what came of them before is not passed over. now_ms is the loop's time.
// Errors: LP_EAGAIN not all are there yet: no record may be taken; LP_ENOMEM, LP_EIO, and the
//         catalog's, which are the same
LP_MUST_USE lp_err log_sessions_bring(log_sessions *sessions, uint64_t now_ms);

// log_sessions_load finds a session in memory, or brings it there, for a Hello of its partition.
// Errors: as session_take; LP_EAGAIN also while what is here of it goes, or its partition is to be
//         read again
LP_MUST_USE lp_err log_sessions_load(log_sessions *sessions, const char *session_id,
    int32_t partition, uint64_t now_ms, session **out_session, uint64_t *out_term);

// log_sessions_find does the same for a batch: one that nobody knows does not become this node's.
LP_MUST_USE lp_err log_sessions_find(log_sessions *sessions, const char *session_id,
    int32_t partition, uint64_t now_ms, session **out_session);

#endif // LP_COLLECTOR_SERVER_LOG_SESSIONS_H
