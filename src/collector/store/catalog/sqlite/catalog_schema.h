// SPDX-License-Identifier: Apache-2.0
// catalog_schema: creates the tables of a catalog, and upgrades them from earlier versions.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#pragma once

#include <sqlite3.h>
#include <stdbool.h>

// The version of the schema, in PRAGMA user_version. Raise it for a change that an older program
// cannot read.
enum { CATALOG_SCHEMA_VERSION = 1 };

static inline bool
catalog_schema_is_older(long version)
{
    return version >= 0 && version < CATALOG_SCHEMA_VERSION;
}

enum { CATALOG_SCHEMA_TEXT_BYTES = 250 };

// catalog_schema_refuse writes the message that refuses a catalog of another version. place says
// what the user may create anew, such as "data directory".
void catalog_schema_refuse(
    long version, const char *place, char out_text[CATALOG_SCHEMA_TEXT_BYTES]);

// catalog_schema_read_version sets *out_version to the version of a database, 0 if it has no
// tables. Returns SQLite's result code.
int catalog_schema_read_version(sqlite3 *db, long *out_version);

// catalog_schema_ensure creates or upgrades the tables, but not for a reader. *out_version is the
// version of the database, which is higher than this program's if a later program has upgraded it.
// Returns SQLite's result code.
int catalog_schema_ensure(sqlite3 *db, bool is_reader, long *out_version);

// catalog_schema_make creates the tables of a version (from 1 to the current one) in an empty
// database. Returns SQLite's result code.
int catalog_schema_make(sqlite3 *db, long version);

// SQL statements that select columns of sessions, and of chunks, but no row. They fail on a database
// of a build before the first release, which had other columns under the same version. PostgreSQL
// runs only the first: the other would wait for a lock of the chunks each time that it connects.
extern const char catalog_schema_columns_sql[];
extern const char catalog_schema_chunk_columns_sql[];
