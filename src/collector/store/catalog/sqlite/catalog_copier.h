// SPDX-License-Identifier: Apache-2.0
// catalog_copier: copies the log of a catalog into its database, which SQLite would do in a commit,
// waiting for the disk: a connection of its own does it, on a thread that may wait.
//
// What is committed meanwhile stays in the log, which begins anew at the first commit after all of
// it was copied. Where that does not come about, since commits come faster than they are copied,
// they copy it themselves from CATALOG_COPIER_PAGES_MAX on.
//
// Threads: that of the catalog, but for catalog_copier_run.
// Tests:   tests/unit/collector/store/catalog/test_catalog_copier.c

#ifndef LP_COLLECTOR_STORE_CATALOG_COPIER_H
#define LP_COLLECTOR_STORE_CATALOG_COPIER_H

#include "collector/store/catalog/catalog.h"

enum {
    CATALOG_COPIER_PAGES = 1000, // of the log, from which on it is copied
    CATALOG_COPIER_PAGES_MAX = 16000,
    CATALOG_COPIER_TRIES = 4, // to be done before the next commit
};

typedef struct catalog_copier catalog_copier;

// catalog_copier_create opens a connection for a catalog that was opened for writing, and that does
// not copy its log any more until catalog_copier_destroy. Errors: as catalog_open
LP_MUST_USE lp_err catalog_copier_create(catalog *of, catalog_copier **out_copier);

// catalog_copier_destroy is called before the catalog is closed. NULL is fine.
void catalog_copier_destroy(catalog_copier *copier);

// catalog_copier_is_due returns whether the log has CATALOG_COPIER_PAGES or more.
bool catalog_copier_is_due(const catalog_copier *copier);

// catalog_copier_run copies what the log has, and waits for the disk.
// Threads: one at a time. Errors: as of a catalog; what was not copied stays in the log
LP_MUST_USE lp_err catalog_copier_run(catalog_copier *copier);

#endif // LP_COLLECTOR_STORE_CATALOG_COPIER_H
