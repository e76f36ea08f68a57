// SPDX-License-Identifier: Apache-2.0
// reconcile: compares the catalog of a data directory with the files of its chunks, and has them
// agree again.
//
// A catalog that is damaged is put aside, as catalog.db.damaged-TIME, and made again: of the rows
// that can be read in it, and for what is missing then of the files. A session's names come from
// its session.pb (or are "unknown"), the rest of its chunks (chunk_facts.h). Gone then are: the
// statistics of its contexts, its carry-over, and the number of the next batch, which the agent
// knows. Each is counted in the session's losses.
//
// Threads: one thread; nobody else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile.c, test_reconcile_catalog.c
// Cost:    2 us for each chunk, of names and sizes alone, unless it is thorough: then all chunks
//          are read
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

// reconcile_run does it.
// Errors: LP_ECLOSED; LP_EVERSION a later program wrote the catalog (or an earlier one, where it is
//         not repairing); LP_ENOENT there is none, and nothing is repaired; those of a catalog
LP_MUST_USE lp_err reconcile_run(
    const reconcile_config *config, reconcile_counts *out_counts, lp_problem *out_problem);

#endif // LP_COLLECTOR_RECONCILE_H
