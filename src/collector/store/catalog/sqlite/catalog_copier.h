// SPDX-License-Identifier: Apache-2.0
// catalog_copier: copies the log (WAL) of a catalog into its database. SQLite would do this within
// a commit and wait for the disk. The copier does it with its own connection, on a thread that may
// wait.
//
// Commits during a copy stay in the log, which restarts at the first commit after a complete copy.
// If commits are faster than the copier, they copy the log themselves when it has
// CATALOG_COPIER_PAGES_MAX pages.
//
// Threads: as the catalog, except for catalog_copier_run.
// Tests:   tests/unit/collector/store/catalog/test_catalog_copier.c

#pragma once

#include "collector/store/catalog/catalog.h"

enum {
    CATALOG_COPIER_PAGES = 1000, // pages of the log that make a copy due
    CATALOG_COPIER_PAGES_MAX = 16000,
    CATALOG_COPIER_TRIES = 4, // of catalog_copier_run, to copy all before the next commit
};

typedef struct catalog_copier catalog_copier;

// catalog_copier_create opens a connection for a catalog that was opened for writing. Until
// catalog_copier_destroy, commits copy the log only once it has CATALOG_COPIER_PAGES_MAX pages.
// Errors: as catalog_open
LP_MUST_USE lp_err catalog_copier_create(catalog *of, catalog_copier **out_copier);

// Call catalog_copier_destroy before the catalog is closed. copier may be NULL.
void catalog_copier_destroy(catalog_copier *copier);

// catalog_copier_is_due returns whether the log has CATALOG_COPIER_PAGES pages or more.
bool catalog_copier_is_due(const catalog_copier *copier);

// catalog_copier_run copies the log and waits for the disk. Pages that it could not copy stay in
// the log. Threads: any thread, one at a time. Errors: as a catalog
LP_MUST_USE lp_err catalog_copier_run(catalog_copier *copier);
