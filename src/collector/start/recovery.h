// SPDX-License-Identifier: Apache-2.0

// recovery: loads the sessions and journals of an earlier run when the collector starts.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/start/test_recovery.c

#pragma once

#include "collector/intake/policy_cache.h"
#include "collector/session/sessions.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

typedef struct recovery_config {
    // Called between records. Once it returns true, recovery_run returns LP_ECLOSED. NULL: never.
    bool (*is_ending)(void *arg);
    void *arg;
    bool was_cut;        // the power failed: sessions with missing batches wait for their agent
    bool has_tails;      // cut journals at the first missing batch (journal_list.h)
    policy_cache *cache; // of the policies in journals
} recovery_config;

// recovery_run loads every session of the catalog that has not ended, and reads every journal. If
// the catalog is shared, it loads only this node's sessions, and deletes the journals of others.
//
// Unreadable data does not stop the start:
// - the damaged end of a journal is copied to damaged/ and cut off;
// - an unreadable journal moves to damaged/;
// - an unreadable directory is skipped until the next start.
// Each is logged and counted. Journals of chunks that the catalog has are kept as raw
// data, or deleted. Journals of
// removed recordings stay for the retention task (leaving_files.h).
//
// Errors: LP_ECLOSED; LP_EIO no file can be opened because descriptors ran out; LP_ENOMEM;
//         LP_EAGAIN the catalog is away; if the list of removals cannot be read, a
//         catalog's errors
LP_MUST_USE lp_err recovery_run(
    sessions *sessions, const recovery_config *config, lp_problem *out_problem);
