// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/postgres/catalog_postgres_schema.h"

#include "collector/store/catalog/session_columns.def"
#include "collector/store/catalog/sqlite/catalog_schema.h"

#include <stdlib.h>

#define TEXT         " TEXT COLLATE \"C\" NOT NULL"
#define NUMBER       " BIGINT NOT NULL"
#define BYTES        " BYTEA NOT NULL"
#define MAYBE_NUMBER " BIGINT"
#define MAYBE_BYTES  " BYTEA"
#define BY_KEY       ""

// Creates the tables of version 1; then upgrades each version to the next. Each ends by writing its
// version to loupe_schema. Ids are random and do not compress.
static const char *const upgrade_sql[] = {
    "CREATE TABLE loupe_schema (version BIGINT NOT NULL);"
    "INSERT INTO loupe_schema VALUES (1);"
    "CREATE TABLE carry ("
    " session_id" TEXT ", piece" NUMBER ", bytes" BYTES ", PRIMARY KEY (session_id, piece));"
#include "collector/store/catalog/catalog_tables.def"
    "ALTER TABLE chunk_ids ALTER COLUMN marks SET STORAGE EXTERNAL;"
    "ALTER TABLE chunk_ids ALTER COLUMN hashes SET STORAGE EXTERNAL;",
};
_Static_assert(sizeof(upgrade_sql) / sizeof(*upgrade_sql) == CATALOG_SCHEMA_VERSION,
    "each version has its statements");

static lp_err
read_version(postgres_link *link, long *out_version)
{
    PGresult *result = NULL;
    lp_err err = postgres_link_run(link,
        "SELECT 1 FROM pg_class WHERE relname = 'loupe_schema' AND relkind = 'r'"
        " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())",
        &result);
    bool is_there = err == LP_OK && PQntuples(result) > 0;
    PQclear(result);
    *out_version = 0;
    if (err != LP_OK || !is_there) {
        return err;
    }
    err = postgres_link_run(link, "SELECT max(version) FROM loupe_schema", &result);
    if (err == LP_OK) {
        *out_version = PQntuples(result) == 0 ? 0 : strtol(PQgetvalue(result, 0, 0), NULL, 10);
        PQclear(result);
    }
    return err;
}

static lp_err
upgrade(postgres_link *link, long *version)
{
    // Another collector may have upgraded them meanwhile.
    lp_err err = postgres_link_run(link,
        "SELECT pg_advisory_xact_lock(hashtext('loupe_schema'), hashtext(current_schema()))", NULL);
    LP_THEN(err, read_version(link, version));
    while (err == LP_OK && catalog_schema_is_older(*version)) {
        err = postgres_link_run(link, upgrade_sql[*version], NULL);
        *version += err == LP_OK;
    }
    return err;
}

lp_err
catalog_postgres_schema_ensure(postgres_link *link, bool is_reader, long *out_version)
{
    lp_err err = read_version(link, out_version);
    if (err != LP_OK || !catalog_schema_is_older(*out_version) || is_reader) {
        return err;
    }
    postgres_link_set_limit(link, POSTGRES_LINK_START_MS_MAX); // tables may be large
    err = postgres_link_run(link, "BEGIN; SET LOCAL statement_timeout = 0", NULL);
    if (err == LP_OK) {
        err = upgrade(link, out_version);
        lp_err ended = postgres_link_run(link, err == LP_OK ? "COMMIT" : "ROLLBACK", NULL);
        LP_THEN(err, ended);
    }
    return err;
}
