// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog_postgres_schema.h"

#include "collector/store/catalog_schema.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_VERSION = 13 };

#define TEXT   " TEXT COLLATE \"C\" NOT NULL"
#define NUMBER " BIGINT NOT NULL"

static const char first_schema_sql[] =
    "CREATE TABLE loupe_schema (version BIGINT NOT NULL);"
    "INSERT INTO loupe_schema VALUES (13);"
    "CREATE TABLE session ("
    " id" TEXT " PRIMARY KEY, service" TEXT ", instance" TEXT ", jvm_name" TEXT ", jvm_version" TEXT
    ", pid" NUMBER ", start_wall_ns" NUMBER ", end_wall_ns" NUMBER ", is_ended" NUMBER
    ", next_chunk" NUMBER ", next_sequence" NUMBER ", events_in" NUMBER ", events_out" NUMBER
    ", contexts_in" NUMBER ", contexts_out" NUMBER ", bytes_in" NUMBER ", bytes_out" NUMBER
    ", late_events" NUMBER ", contexts_dropped" NUMBER ", context_values_cut" NUMBER
    ", context_bytes_dropped" NUMBER ", chunk_bytes_dropped" NUMBER ", jfr_restarts" NUMBER
    ", late_contexts" NUMBER ", heard_wall_ns" NUMBER ", ended_how" NUMBER
    ", compacted_sequence" NUMBER ", batches_missing" NUMBER ", journal_bytes_missing" NUMBER
    ", expired_chunks" NUMBER ", kept_wall_ns" NUMBER ", secret_hash BYTEA, identity" TEXT
    ", late_missing" NUMBER ");"
    "CREATE INDEX session_by_start ON session (start_wall_ns);"
    "CREATE INDEX session_by_service ON session (service, instance, start_wall_ns);"
    "CREATE TABLE session_loss ("
    " session_id" TEXT ", kind" TEXT ", amount" NUMBER ", PRIMARY KEY (session_id, kind));"
    "CREATE TABLE chunk ("
    " session_id" TEXT ", ordinal" NUMBER ", start_wall_ns" NUMBER ", duration_ns" NUMBER
    ", size_bytes" NUMBER ", content_hash" NUMBER ", context_begin_min_ns BIGINT"
    ", commit_min_ns BIGINT, commit_max_ns BIGINT, has_period BIGINT, stored_bytes" NUMBER
    ", is_lost" NUMBER " DEFAULT 0, service" TEXT ", PRIMARY KEY (session_id, ordinal));"
    "CREATE INDEX chunk_by_service ON chunk (service, start_wall_ns);"
    "CREATE TABLE chunk_type ("
    " session_id" TEXT ", ordinal" NUMBER ", name" TEXT ", events_in" NUMBER ", events_out" NUMBER
    ", bytes_in" NUMBER ", bytes_out" NUMBER ", PRIMARY KEY (session_id, ordinal, name));"
    "CREATE TABLE chunk_dropped ("
    " session_id" TEXT ", ordinal" NUMBER ", name" TEXT ", reason" TEXT ", events" NUMBER
    ", PRIMARY KEY (session_id, ordinal, name, reason));"
    "CREATE TABLE chunk_rollup ("
    " session_id" TEXT ", ordinal" NUMBER ", service" TEXT ", start_wall_ns" NUMBER
    ", types BYTEA NOT NULL, exemplars BYTEA NOT NULL, attributes BYTEA NOT NULL"
    ", PRIMARY KEY (session_id, ordinal));"
    "CREATE INDEX chunk_rollup_by_start ON chunk_rollup (start_wall_ns, service);"
    "CREATE INDEX chunk_rollup_by_session ON chunk_rollup (session_id, start_wall_ns);"
    "CREATE TABLE service_rollup ("
    " step_ns" NUMBER ", start_wall_ns" NUMBER ", service" TEXT
    ", types BYTEA NOT NULL, exemplars BYTEA NOT NULL, attributes BYTEA NOT NULL"
    ", PRIMARY KEY (step_ns, start_wall_ns, service));"
    "CREATE TABLE carry ("
    " session_id" TEXT ", piece" NUMBER ", bytes BYTEA NOT NULL, PRIMARY KEY (session_id, piece));"
    "CREATE TABLE removal ("
    " session_id" TEXT ", ordinal" NUMBER ", PRIMARY KEY (session_id, ordinal));"
    "CREATE TABLE service_day ("
    " service" TEXT " PRIMARY KEY, day" NUMBER ", bytes" NUMBER ", put_off" NUMBER
    ", bytes_max" NUMBER ");";

static const char objects_sql[] = "ALTER TABLE chunk ADD COLUMN object" TEXT
                                  " DEFAULT '', ADD COLUMN object_offset" NUMBER " DEFAULT 0;"
                                  "CREATE TABLE object (name" TEXT " PRIMARY KEY, bytes" NUMBER
                                  ", live_bytes" NUMBER ", is_settled" NUMBER ");"
                                  "UPDATE loupe_schema SET version = 14;";

// Ids are random: to compress them would be in vain.
static const char ids_sql[] =
    "UPDATE loupe_schema SET version = 16;"
    "ALTER TABLE chunk ADD COLUMN ids_hour BIGINT;"
    "CREATE INDEX chunk_without_ids ON chunk (start_wall_ns) WHERE ids_hour IS NULL;"
    "CREATE TABLE chunk_ids ("
    " collector" TEXT ", number" NUMBER ", hour" NUMBER ", session_id" TEXT ", ordinal" NUMBER
    ", start_wall_ns" NUMBER ", id_count" NUMBER ", marks BYTEA NOT NULL, hashes BYTEA NOT NULL"
    ", PRIMARY KEY (collector, number));"
    "ALTER TABLE chunk_ids ALTER COLUMN marks SET STORAGE EXTERNAL;"
    "ALTER TABLE chunk_ids ALTER COLUMN hashes SET STORAGE EXTERNAL;"
    "CREATE INDEX chunk_ids_by_chunk ON chunk_ids (session_id, ordinal);"
    "CREATE TABLE id_segment ("
    " name" TEXT " PRIMARY KEY, hour" NUMBER ", from_wall_ns" NUMBER ", to_wall_ns" NUMBER
    ", head_bytes" NUMBER ", size_bytes" NUMBER ", entry_count" NUMBER ", is_leaving" NUMBER
    " DEFAULT 0);";

// The statements that make the first version, and bring each one up to the next. Each of them
// writes its version to loupe_schema.
static const char *const upgrade_sql[] = {
    first_schema_sql,
    objects_sql,
    "CREATE TABLE node (id" TEXT " PRIMARY KEY, name" TEXT ", url" TEXT ", key" TEXT
    ", version" TEXT ", is_draining" NUMBER ", lease_end_ms" NUMBER ");"
    "CREATE TABLE session_owner (session_id" TEXT " PRIMARY KEY, node" TEXT ", term" NUMBER ");"
    "CREATE INDEX session_owner_by_node ON session_owner (node);"
    "ALTER TABLE service_day ADD COLUMN node" TEXT " DEFAULT '';"
    "ALTER TABLE service_day DROP CONSTRAINT service_day_pkey;"
    "ALTER TABLE service_day ADD PRIMARY KEY (service, node);"
    "ALTER TABLE chunk_rollup ADD COLUMN node" TEXT " DEFAULT '';"
    "ALTER TABLE service_rollup ADD COLUMN node" TEXT " DEFAULT '';"
    "ALTER TABLE service_rollup DROP CONSTRAINT service_rollup_pkey;"
    "ALTER TABLE service_rollup ADD PRIMARY KEY (step_ns, start_wall_ns, service, node);"
    "UPDATE loupe_schema SET version = 15;",
    ids_sql,
    "ALTER TABLE node ADD COLUMN log" TEXT " DEFAULT '';"
    "UPDATE loupe_schema SET version = 17;",
    "ALTER TABLE session ADD COLUMN requests_in" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN requests_out" NUMBER " DEFAULT 0;"
    "UPDATE loupe_schema SET version = 18;",
    "ALTER TABLE session ADD COLUMN kept_parts" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_open" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_event" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_rare" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_slowest" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_slow" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_condition" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN dropped_budget" NUMBER " DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN dropped_drop" NUMBER " DEFAULT 0;"
    "UPDATE loupe_schema SET version = 19;",
};
_Static_assert(
    sizeof(upgrade_sql) / sizeof(upgrade_sql[0]) == CATALOG_SCHEMA_VERSION - FIRST_VERSION + 1,
    "a version without its statements");

// read_version returns 0 where there is no table.
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

static bool
is_older(long version)
{
    return version < CATALOG_SCHEMA_VERSION;
}

// upgrade brings the tables up to date, within a transaction.
static lp_err
upgrade(postgres_link *link, long *version)
{
    // Another one may have done it meanwhile.
    lp_err err = postgres_link_run(link,
        "SELECT pg_advisory_xact_lock(hashtext('loupe_schema'), hashtext(current_schema()))", NULL);
    if (err == LP_OK) {
        err = read_version(link, version);
    }
    long next = *version == 0 ? FIRST_VERSION : *version + 1;
    for (; err == LP_OK && next <= CATALOG_SCHEMA_VERSION; next++) {
        err = postgres_link_run(link, upgrade_sql[next - FIRST_VERSION], NULL);
        *version = err == LP_OK ? next : *version;
    }
    return err;
}

lp_err
catalog_postgres_schema_ensure(postgres_link *link, bool is_reader, long *out_version)
{
    lp_err err = read_version(link, out_version);
    if (err != LP_OK || !is_older(*out_version) || is_reader) {
        return err;
    }
    postgres_link_set_limit(link, POSTGRES_LINK_START_MS_MAX); // tables may be large
    err = postgres_link_run(link, "BEGIN; SET LOCAL statement_timeout = 0", NULL);
    if (err == LP_OK) {
        err = upgrade(link, out_version);
        lp_err ended = postgres_link_run(link, err == LP_OK ? "COMMIT" : "ROLLBACK", NULL);
        err = err == LP_OK ? ended : err;
    }
    return err;
}
