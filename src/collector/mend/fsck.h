// SPDX-License-Identifier: Apache-2.0
// fsck: checks a data directory as a whole, and mends it: the catalog, every chunk with its hash,
// every record of the journals, what is in damaged/, and the index of ids.
//
// Threads: one thread at a time; no collector runs on the data directory, which is locked.
// Tests:   tests/unit/collector/mend/test_fsck.c, tests/e2e/mend.py
// Memory:  that of a chunk where one is adopted or compacted; else that of reconcile.h

#ifndef LP_COLLECTOR_FSCK_H
#define LP_COLLECTOR_FSCK_H

#include "collector/mend/finding.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fsck_config {
    const char *data_dir;
    bool is_repairing; // else nothing is changed but that an older catalog's log may be read
    void (*on_finding)(void *arg, const finding *found);         // NULL is fine, as below
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // so many of all recordings
    void *arg;
} fsck_config;

typedef struct fsck_counts {
    uint64_t sessions;
    uint64_t chunks;
    uint64_t journals;
    uint64_t findings;
    uint64_t repaired;
    uint64_t kept; // pieces in damaged/ of which nothing can be made
} fsck_counts;

// fsck_run does it.
// Errors: LP_ELIMIT a collector runs on the directory; LP_ENOENT it is none of a collector's; as
//         reconcile_run, and as reindex_run where the index of ids has to be made again
LP_MUST_USE lp_err fsck_run(
    const fsck_config *config, fsck_counts *out_counts, lp_problem *out_problem);

#endif // LP_COLLECTOR_FSCK_H
