// SPDX-License-Identifier: Apache-2.0
// fsck: checks and repairs a whole data directory: the catalog, every chunk with its hash, every
// record of the journals and of raw data, the files in damaged/, and the index of ids.
//
// Threads: one thread at a time. It locks the data directory, so no collector may run on it.
// Tests:   tests/unit/collector/mend/test_fsck.c, tests/e2e/mend.py
// Memory:  as reconcile.h; more for a chunk while it is added or compacted

#pragma once

#include "collector/mend/finding.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fsck_config {
    const char *data_dir;
    bool is_repairing;                                           // else it only checks
    void (*on_finding)(void *arg, const finding *found);         // NULL is fine
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // recordings; NULL is fine
    void *arg;
} fsck_config;

typedef struct fsck_counts {
    uint64_t sessions;
    uint64_t chunks;
    uint64_t journals;
    uint64_t findings;
    uint64_t repaired;
    uint64_t kept; // files that stay in damaged/, because they cannot be used
} fsck_counts;

// fsck_run checks the directory, and repairs it if config->is_repairing.
// Errors: LP_ELIMIT if a collector runs on the directory; LP_ENOENT if it is not a collector's
//         directory; as reconcile_run, and as reindex_run if the index of ids must be rebuilt
LP_MUST_USE lp_err fsck_run(
    const fsck_config *config, fsck_counts *out_counts, lp_problem *out_problem);
