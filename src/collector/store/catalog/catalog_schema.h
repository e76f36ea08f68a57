// SPDX-License-Identifier: Apache-2.0
// catalog_schema: the tables of a catalog, and how those of earlier versions become the present
// ones.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#ifndef LP_COLLECTOR_STORE_CATALOG_SCHEMA_H
#define LP_COLLECTOR_STORE_CATALOG_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

// The version of the schema, in PRAGMA user_version. A change that an older program cannot read
// raises it.
enum { CATALOG_SCHEMA_VERSION = 1 };

// Why a catalog is refused, for people: its version, and the present one.
#define CATALOG_SCHEMA_REFUSED                                                                     \
    "catalog of version %ld, this program reads version %d: a later Loupe wrote it, or "           \
    "one before the first release; begin with a new "

// catalog_schema_ensure makes the tables of an empty database and brings those of an older one up
// to date, but not for a reader. Returns SQLite's code; *out_version is the version that the
// database has then, which is a later one where a later program made it.
int catalog_schema_ensure(sqlite3 *db, bool is_reader, long *out_version);

// catalog_schema_make makes the tables of an empty database as a version had them, from 1 to the
// present one. Returns SQLite's code.
int catalog_schema_make(sqlite3 *db, long version);

#endif // LP_COLLECTOR_STORE_CATALOG_SCHEMA_H
