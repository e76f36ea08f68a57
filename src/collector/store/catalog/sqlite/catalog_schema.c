// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/sqlite/catalog_schema.h"

#include "collector/store/catalog/session_columns.def"

#include <stdio.h>
#include <stdlib.h>

#define TEXT         " TEXT NOT NULL"
#define NUMBER       " INTEGER NOT NULL"
#define BYTES        " BLOB NOT NULL"
#define MAYBE_NUMBER " INTEGER"
#define MAYBE_BYTES  " BLOB"
#define BY_KEY       " WITHOUT ROWID"

// Creates the tables of version 1; then upgrades each version to the next. catalog_check.c uses
// tables that all versions have: before it uses a newer table, it must check the version.
static const char *const upgrade_sql[] = {
#include "collector/store/catalog/catalog_tables.def"
    "CREATE TABLE carry (session_id TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "PRAGMA user_version = 1;",
};
_Static_assert(sizeof(upgrade_sql) / sizeof(*upgrade_sql) == CATALOG_SCHEMA_VERSION,
    "each version has its statements");

#define COLUMN_NAME(number, kind, name, field) ", " #name
const char catalog_schema_columns_sql[] =
    "SELECT id" CATALOG_SESSION_COLUMNS(COLUMN_NAME) " FROM session LIMIT 0";
const char catalog_schema_chunk_columns_sql[] =
    "SELECT context_longest_ns, request_longest_ns FROM chunk LIMIT 0";

static int
on_version_row(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    *(long *)arg = values[0] == NULL ? 0 : strtol(values[0], NULL, 10);
    return 0;
}

int
catalog_schema_read_version(sqlite3 *db, long *out_version)
{
    *out_version = 0;
    return sqlite3_exec(db, "PRAGMA user_version", on_version_row, out_version, NULL);
}

static int
upgrade(sqlite3 *db, long from, long to)
{
    int code = SQLITE_OK;
    for (; code == SQLITE_OK && from < to && catalog_schema_is_older(from); from++) {
        code = sqlite3_exec(db, upgrade_sql[from], NULL, NULL, NULL);
    }
    return code;
}

void
catalog_schema_refuse(long version, const char *place, char out_text[CATALOG_SCHEMA_TEXT_BYTES])
{
    int len = snprintf(out_text, CATALOG_SCHEMA_TEXT_BYTES,
        "catalog of version %ld, this program reads version %d: ", version, CATALOG_SCHEMA_VERSION);
    if (catalog_schema_is_older(version)) {
        (void)snprintf(out_text + len, (size_t)(CATALOG_SCHEMA_TEXT_BYTES - len),
            "a collector brings it up to date when it starts");
    } else {
        (void)snprintf(out_text + len, (size_t)(CATALOG_SCHEMA_TEXT_BYTES - len),
            "a later Loupe wrote it, or one before the first release; run the one that wrote it, "
            "or begin with a new %s",
            place);
    }
}

int
catalog_schema_make(sqlite3 *db, long version)
{
    return upgrade(db, 0, version);
}

int
catalog_schema_ensure(sqlite3 *db, bool is_reader, long *out_version)
{
    int code = catalog_schema_read_version(db, out_version);
    if (code != SQLITE_OK || !catalog_schema_is_older(*out_version) || is_reader) {
        return code;
    }
    // Again inside the transaction: another process may have upgraded it meanwhile.
    code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    code = code == SQLITE_OK ? catalog_schema_read_version(db, out_version) : code;
    if (code == SQLITE_OK && catalog_schema_is_older(*out_version)) {
        code = upgrade(db, *out_version, CATALOG_SCHEMA_VERSION);
        *out_version = CATALOG_SCHEMA_VERSION;
    }
    return code == SQLITE_OK ? sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) : code;
}
