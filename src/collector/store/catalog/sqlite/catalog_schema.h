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

enum { CATALOG_SCHEMA_TEXT_BYTES = 250 };

// catalog_schema_refuse writes why a catalog of a version is refused, for people; place is what a
// catalog of its own needs, "data directory" or the like.
void catalog_schema_refuse(
    long version, const char *place, char out_text[CATALOG_SCHEMA_TEXT_BYTES]);

// catalog_schema_ensure makes the tables of an empty database and brings those of an older one up
// to date, but not for a reader. Returns SQLite's code; *out_version is the version that the
// database has then, which is a later one where a later program made it.
int catalog_schema_ensure(sqlite3 *db, bool is_reader, long *out_version);

// catalog_schema_make makes the tables of an empty database as a version had them, from 1 to the
// present one. Returns SQLite's code.
int catalog_schema_make(sqlite3 *db, long version);

// A statement that reads no row, of all columns that the table of sessions has: builds before the
// first release had others by the same version.
extern const char catalog_schema_columns_sql[];

#endif // LP_COLLECTOR_STORE_CATALOG_SCHEMA_H
