// SPDX-License-Identifier: Apache-2.0
// reconcile_session: the part of reconcile.h that compares the rows of one session with its files.
// It also has the options, counts and stores of a comparison.
//
// Threads: as reconcile.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#pragma once

#include "collector/index/id_gather.h"
#include "collector/journal/data_dir.h"
#include "collector/mend/finding.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/removals.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct reconcile_config {
    const data_dir *dir;
    bool is_repairing; // else it changes nothing
    bool is_thorough;  // reads every chunk, and the whole catalog
    // Called regularly. Once it returns true, reconcile_run returns LP_ECLOSED. The callbacks may
    // be NULL.
    bool (*is_ending)(void *arg);
    void (*on_finding)(void *arg, const finding *found);
    void (*on_progress)(void *arg, uint64_t done, uint64_t all); // sessions
    void *arg;
} reconcile_config;

// Limits of a run that is not thorough, so that a large store starts soon. Damage that it misses is
// found when a reader reads the data, or by `loupe fsck`, which checks everything.
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

typedef struct reconciler {
    const reconcile_config *config;
    reconcile_counts *counts;
    catalog *catalog;
    blobs *blobs;
    const char *blobs_path;
    removal_list leaving; // files that wait for deletion
    id_rows ids;          // of added chunks
    int64_t sizes_end_ns; // monotonic; 0: sizes are always compared
} reconciler;

// reconcile_session_check compares the rows and files of a session. has_row: the catalog has the
// session.
// Errors: as a catalog; LP_ECLOSED, LP_ENOMEM. Problems with files are findings, not errors
LP_MUST_USE lp_err reconcile_session_check(reconciler *self, const char *session_id, bool has_row);

// reconcile_limit_sizes stops comparing sizes after ms milliseconds from now.
void reconcile_limit_sizes(reconciler *self, int64_t ms);

// reconcile_is_ending returns whether the caller wants the run to end.
bool reconcile_is_ending(const reconciler *self);

// The next two functions count a finding about a session (NULL: about none) or about a chunk, and
// pass it to on_finding.
void reconcile_report(reconciler *self, finding_kind kind, const char *session_id,
    const char *detail, bool is_repaired);
void reconcile_report_chunk(reconciler *self, finding_kind kind, const char *session_id,
    uint32_t ordinal, const char *detail, bool is_repaired);
