// SPDX-License-Identifier: Apache-2.0
// reconciler: what reconcile.h is asked for, and what it counts.
//
// Threads: as reconcile.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#ifndef LP_COLLECTOR_RECONCILER_H
#define LP_COLLECTOR_RECONCILER_H

#include "collector/journal/data_dir.h"
#include "collector/mend/finding.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct reconcile_config {
    const data_dir *dir;
    bool is_repairing; // else nothing is changed
    bool is_thorough;  // reads every chunk, and all of the catalog
    // Asked now and then: it ends with LP_ECLOSED once this returns true. NULL is fine, as below.
    bool (*is_ending)(void *arg);
    void (*on_finding)(void *arg, const finding *found);
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // so many of all sessions
    void *arg;
} reconcile_config;

// What is looked at when it is not thorough, so that a large store starts soon. What was not is
// found out when it is read; `loupe fsck` looks at all of it.
enum {
    RECONCILE_CATALOG_MS_MAX = 2000, // for the catalog's tables of statistics
    RECONCILE_SIZES_MS_MAX = 5000,   // for the sizes of files, those of the latest sessions first
};

typedef struct reconcile_counts {
    uint64_t found[FINDING_COUNT];
    uint64_t sessions;
    uint64_t chunks;
    uint64_t sessions_unsized;      // of which only the names of files were compared
    bool is_catalog_unfinished;     // not all of it was looked at
    uint64_t statistics_unreadable; // times that rows of a damaged catalog could not be read
} reconcile_counts;

#endif // LP_COLLECTOR_RECONCILER_H
