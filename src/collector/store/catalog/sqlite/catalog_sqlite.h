// SPDX-License-Identifier: Apache-2.0
// catalog_sqlite: the driver of catalog_db.h for catalogs in SQLite files. Commits do not wait for
// the disk (catalog.h).
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#pragma once

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_err.h"

#include <sqlite3.h>

// How long a connection waits for another writer.
enum { CATALOG_SQLITE_BUSY_MS_MAX = 5000 };

// catalog_sqlite_open does the work of catalog_open or, for a reader, of catalog_open_reader.
LP_MUST_USE lp_err catalog_sqlite_open(
    const char *path, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem);

// catalog_sqlite_get_db returns the connection of a catalog that is in SQLite.
sqlite3 *catalog_sqlite_get_db(const catalog *catalog);

// catalog_sqlite_connect is sqlite3_open_v2 for a connection that one thread at a time will use.
//
// Threads: any thread.
int catalog_sqlite_connect(const char *path, int flags, sqlite3 **out_db);

// catalog_sqlite_err converts a result code of SQLite into an lp_err.
lp_err catalog_sqlite_err(int code);
