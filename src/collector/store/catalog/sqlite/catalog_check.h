// SPDX-License-Identifier: Apache-2.0
// catalog_check: checks a catalog for damage, and copies the readable rows of a damaged catalog
// into a new one. It reads this and earlier versions. A later version counts as sound: opening it
// fails with LP_EVERSION.
//
// Rows are found by their keys, so a damaged page costs only the rows on it.
//
// Threads: one thread at a time, while nothing else has the catalog open.
// Tests:   tests/unit/collector/mend/test_reconcile_catalog.c

#pragma once

#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum catalog_check_state {
    CATALOG_CHECK_SOUND,
    CATALOG_CHECK_UNFINISHED, // no damage found within the budget
    CATALOG_CHECK_MISSING,    // no file
    CATALOG_CHECK_DAMAGED,
} catalog_check_state;

typedef struct catalog_check_config {
    bool is_thorough;  // also compare indexes with their tables
    int64_t budget_ns; // for the tables of statistics, which may be large; 0: unlimited
    // Once it returns true, the check or the copy ends with LP_ECLOSED. NULL is fine.
    bool (*is_ending)(void *arg);
    void *arg;
} catalog_check_config;

// catalog_check reads the database at path, the tables of sessions and chunks first. It changes
// nothing. It reports only damage that it finds twice; out_problem then describes it. Errors:
// LP_ECLOSED; LP_EIO, LP_EAGAIN, LP_ENOMEM
LP_MUST_USE lp_err catalog_check(const char *path, const catalog_check_config *config,
    catalog_check_state *out_state, lp_problem *out_problem);

// catalog_move renames the database at path and its log; either may be missing. `to` must not
// exist. Errors: LP_EIO with errno
LP_MUST_USE lp_err catalog_move(const char *path, const char *to);

// catalog_salvage creates a catalog of the same version at `to` from the readable rows of the
// damaged database at path. It copies the sessions that the database lists, and those in known. It
// does not change the damaged database. It copies no sums of statistics, and no objects, which only
// the catalog of an object store has. Chunks whose ids are lost become uncovered (catalog_ids.h).
// *out_unreadable counts failures to read the rows of a session or a chunk.
// Errors: LP_ECORRUPT or LP_EVERSION if nothing can be read, and then `to` has no tables;
//         LP_ECLOSED; as a catalog
LP_MUST_USE lp_err catalog_salvage(const char *to, const char *path,
    const catalog_check_config *config, const blob_list_sessions *known, uint64_t *out_unreadable);
