// SPDX-License-Identifier: Apache-2.0
// reconcile: compares the catalog of a data directory with the files of its chunks, and makes them
// agree.
//
// A damaged catalog is renamed to catalog.db.damaged-TIME and rebuilt: from its readable rows, and
// from the files for the rest. A session's names come from its session.pb (else "unknown"), other
// data from its chunks (chunk_facts.h). Lost are the statistics of its contexts, its carry-over,
// and the number of the next batch, which the agent knows. Each counts in the session's losses.
//
// Threads: one thread; nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile.c, test_reconcile_catalog.c
// Cost:    2 us for each chunk, comparing names and sizes; if is_thorough, it reads all chunks
// Memory:  40 bytes for each session, 100 for each chunk of one; that of a chunk that is read

#ifndef LP_COLLECTOR_RECONCILE_H
#define LP_COLLECTOR_RECONCILE_H

#include "collector/journal/data_dir.h"
#include "collector/mend/finding.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct reconcile_config {
    const data_dir *dir;
    bool is_repairing; // else it changes nothing
    bool is_thorough;  // reads every chunk, and the whole catalog
    // Called regularly: reconcile_run returns LP_ECLOSED once it returns true. NULL is fine, as
    // below.
    bool (*is_ending)(void *arg);
    void (*on_finding)(void *arg, const finding *found);
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // sessions
    void *arg;
} reconcile_config;

// Limits of a run that is not thorough, so that a large store starts soon. A reader finds the rest
// when it reads it; `loupe fsck` checks all.
enum {
    RECONCILE_CATALOG_MS_MAX = 2000, // for the catalog's tables of statistics
    RECONCILE_SIZES_MS_MAX = 5000,   // for the sizes of files; the latest sessions come first
};

typedef struct reconcile_counts {
    uint64_t found[FINDING_COUNT];
    uint64_t sessions;
    uint64_t chunks;
    uint64_t sessions_unsized;      // whose files were compared by name only
    bool is_catalog_unfinished;     // a part of it was not checked
    uint64_t statistics_unreadable; // failed reads of rows of a damaged catalog
} reconcile_counts;

// reconcile_run compares, and repairs if config says so.
// Errors: LP_ECLOSED; LP_EVERSION a later program wrote the catalog (or an earlier one, if it does
//         not repair); LP_ENOENT no catalog, and it does not repair; as a catalog
LP_MUST_USE lp_err reconcile_run(
    const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem);

#endif // LP_COLLECTOR_RECONCILE_H
