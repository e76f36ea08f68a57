// SPDX-License-Identifier: Apache-2.0

// recovery: at start, loads the sessions and journals of an earlier run of the collector.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/start/test_recovery.c

#ifndef LP_COLLECTOR_SERVER_RECOVERY_H
#define LP_COLLECTOR_SERVER_RECOVERY_H

#include "collector/intake/policy_cache.h"
#include "collector/session/sessions.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct recovery_config {
    // Asked between records: recovery ends with LP_ECLOSED once it returns true. NULL is fine.
    bool (*is_ending)(void *arg);
    void *arg;
    bool was_cut;        // the power: a session of which batches are missing waits for its agent
    bool has_tails;      // journals end where the first batch is missing (journal_tail.h)
    policy_cache *cache; // of the policies in journals
} recovery_config;

// recovery_run loads every session of the catalog that has not ended, of one that is shared those
// of this node, and reads every journal; those of sessions that other nodes have are removed. What
// cannot be read costs itself: a torn or damaged end of a journal is copied to damaged/ and cut
// off, a journal that cannot be read at all is moved there, and a directory is left out until the
// next start; each is in the log, and counted. Journals of chunks that the catalog already has are
// deleted; those of recordings that were removed are left to who removes their files
// (leaving_files.h).
// Errors: LP_ECLOSED; LP_EIO files cannot be opened, for want of descriptors; LP_ENOMEM; LP_EAGAIN
//         the catalog is away; others of a catalog's, where it does not say what was removed
LP_MUST_USE lp_err recovery_run(
    sessions *sessions, const recovery_config *config, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_RECOVERY_H
