// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog_schema.h"

#include <stdlib.h>

// The carry-over has a table of its own because it is large and lists of sessions do not want it.
static const char first_schema_sql[] =
    "CREATE TABLE session ("
    " id TEXT PRIMARY KEY, service TEXT NOT NULL, instance TEXT NOT NULL, jvm_name TEXT NOT NULL,"
    " jvm_version TEXT NOT NULL, pid INTEGER NOT NULL, start_wall_ns INTEGER NOT NULL,"
    " end_wall_ns INTEGER NOT NULL, is_ended INTEGER NOT NULL, next_chunk INTEGER NOT NULL,"
    " next_sequence INTEGER NOT NULL, events_in INTEGER NOT NULL, events_out INTEGER NOT NULL,"
    " contexts_in INTEGER NOT NULL, contexts_out INTEGER NOT NULL, bytes_in INTEGER NOT NULL,"
    " bytes_out INTEGER NOT NULL, late_events INTEGER NOT NULL, contexts_dropped INTEGER NOT NULL,"
    " context_values_cut INTEGER NOT NULL, context_bytes_dropped INTEGER NOT NULL,"
    " chunk_bytes_dropped INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX session_by_start ON session (start_wall_ns);"
    "CREATE INDEX session_by_service ON session (service, instance, start_wall_ns);"
    "CREATE TABLE chunk ("
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, start_wall_ns INTEGER NOT NULL,"
    " duration_ns INTEGER NOT NULL, size_bytes INTEGER NOT NULL, content_hash INTEGER NOT NULL,"
    " PRIMARY KEY (session_id, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE chunk_type ("
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL,"
    " events_in INTEGER NOT NULL, events_out INTEGER NOT NULL, bytes_in INTEGER NOT NULL,"
    " bytes_out INTEGER NOT NULL, PRIMARY KEY (session_id, ordinal, name)) WITHOUT ROWID;"
    "CREATE TABLE carry (session_id TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "PRAGMA user_version = 1;";

// Rollups have rowids: those of an hour lie one after the other then. What is not always asked
// for comes last, in pages that are not read then.
//
// The statements that bring a database of each version up to the next one.
static const char *const upgrade_sql[CATALOG_SCHEMA_VERSION] = {
    first_schema_sql,
    "ALTER TABLE session ADD COLUMN jfr_restarts INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 2;",
    "CREATE TABLE chunk_dropped ("
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,"
    " events INTEGER NOT NULL, PRIMARY KEY (session_id, ordinal, name, reason)) WITHOUT ROWID;"
    "INSERT INTO chunk_dropped SELECT session_id, ordinal, name, 'unknown', events_in - events_out"
    " FROM chunk_type WHERE events_in > events_out;"
    "PRAGMA user_version = 3;",
    "ALTER TABLE session ADD COLUMN late_contexts INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 4;",
    "ALTER TABLE chunk ADD COLUMN context_begin_min_ns INTEGER;"
    "ALTER TABLE chunk ADD COLUMN commit_min_ns INTEGER;"
    "ALTER TABLE chunk ADD COLUMN commit_max_ns INTEGER;"
    "CREATE TABLE chunk_rollup ("
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, service TEXT NOT NULL,"
    " start_wall_ns INTEGER NOT NULL, types BLOB NOT NULL, exemplars BLOB NOT NULL,"
    " attributes BLOB NOT NULL,"
    " PRIMARY KEY (session_id, ordinal));"
    "CREATE INDEX chunk_rollup_by_start ON chunk_rollup (start_wall_ns, service);"
    "CREATE INDEX chunk_rollup_by_session ON chunk_rollup (session_id, start_wall_ns);"
    "CREATE TABLE service_rollup ("
    " step_ns INTEGER NOT NULL, start_wall_ns INTEGER NOT NULL, service TEXT NOT NULL,"
    " types BLOB NOT NULL, exemplars BLOB NOT NULL,"
    " attributes BLOB NOT NULL,"
    " PRIMARY KEY (step_ns, start_wall_ns, service));"
    "PRAGMA user_version = 5;",
    "ALTER TABLE chunk ADD COLUMN has_period INTEGER;"
    "PRAGMA user_version = 6;",
    "CREATE TABLE session_loss ("
    " session_id TEXT NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL,"
    " PRIMARY KEY (session_id, kind)) WITHOUT ROWID;"
    "ALTER TABLE session ADD COLUMN heard_wall_ns INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN ended_how INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN compacted_sequence INTEGER NOT NULL DEFAULT -1;"
    "ALTER TABLE session ADD COLUMN batches_missing INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN journal_bytes_missing INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE chunk ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;"
    "UPDATE chunk SET stored_bytes = size_bytes;"
    "PRAGMA user_version = 7;",
    "ALTER TABLE chunk ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 8;",
    "ALTER TABLE session ADD COLUMN expired_chunks INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_wall_ns INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE chunk ADD COLUMN service TEXT NOT NULL DEFAULT '';"
    "UPDATE chunk SET service ="
    " coalesce((SELECT service FROM session WHERE session.id = chunk.session_id), '');"
    "CREATE INDEX chunk_by_service ON chunk (service, start_wall_ns);"
    "CREATE TABLE removal (session_id TEXT NOT NULL, ordinal INTEGER NOT NULL,"
    " PRIMARY KEY (session_id, ordinal)) WITHOUT ROWID;"
    "PRAGMA user_version = 9;",
    "ALTER TABLE session ADD COLUMN secret_hash BLOB;"
    "PRAGMA user_version = 10;",
    "ALTER TABLE session ADD COLUMN identity TEXT NOT NULL DEFAULT '';"
    "PRAGMA user_version = 11;",
    "CREATE TABLE service_day (service TEXT PRIMARY KEY, day INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, put_off INTEGER NOT NULL, bytes_max INTEGER NOT NULL) WITHOUT ROWID;"
    "PRAGMA user_version = 12;",
    // Of a version before, those that are more than was ever lost were late.
    "ALTER TABLE session ADD COLUMN late_missing INTEGER NOT NULL DEFAULT 0;"
    "UPDATE session SET late_missing = max(0, batches_missing - coalesce("
    " (SELECT amount FROM session_loss WHERE session_id = session.id AND kind = 'batches_lost'),"
    " 0)) WHERE batches_missing > 0;"
    "PRAGMA user_version = 13;",
    // A chunk that is stored by itself has no object.
    "ALTER TABLE chunk ADD COLUMN object TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE chunk ADD COLUMN object_offset INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE object (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL,"
    " live_bytes INTEGER NOT NULL, is_settled INTEGER NOT NULL) WITHOUT ROWID;"
    "PRAGMA user_version = 14;",
    "CREATE TABLE node (id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL,"
    " key TEXT NOT NULL, version TEXT NOT NULL, is_draining INTEGER NOT NULL,"
    " lease_end_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE session_owner (session_id TEXT PRIMARY KEY, node TEXT NOT NULL,"
    " term INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX session_owner_by_node ON session_owner (node);"
    "ALTER TABLE service_day RENAME TO service_day_before;"
    "CREATE TABLE service_day (service TEXT NOT NULL, node TEXT NOT NULL, day INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, put_off INTEGER NOT NULL, bytes_max INTEGER NOT NULL,"
    " PRIMARY KEY (service, node)) WITHOUT ROWID;"
    "INSERT INTO service_day (service, node, day, bytes, put_off, bytes_max)"
    " SELECT service, '', day, bytes, put_off, bytes_max FROM service_day_before;"
    "DROP TABLE service_day_before;"
    // Each node adds to sums of its own.
    "ALTER TABLE chunk_rollup ADD COLUMN node TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE service_rollup RENAME TO service_rollup_before;"
    "CREATE TABLE service_rollup ("
    " step_ns INTEGER NOT NULL, start_wall_ns INTEGER NOT NULL, service TEXT NOT NULL,"
    " types BLOB NOT NULL, exemplars BLOB NOT NULL, attributes BLOB NOT NULL,"
    " node TEXT NOT NULL DEFAULT '', PRIMARY KEY (step_ns, start_wall_ns, service, node));"
    "INSERT INTO service_rollup (step_ns, start_wall_ns, service, types, exemplars, attributes)"
    " SELECT step_ns, start_wall_ns, service, types, exemplars, attributes"
    " FROM service_rollup_before;"
    "DROP TABLE service_rollup_before;"
    "PRAGMA user_version = 15;",
    // ids_hour: when the row of its ids was written, 0 where another index has them, NULL where
    // none has.
    "ALTER TABLE chunk ADD COLUMN ids_hour INTEGER;"
    "CREATE INDEX chunk_without_ids ON chunk (start_wall_ns) WHERE ids_hour IS NULL;"
    "CREATE TABLE chunk_ids ("
    " collector TEXT NOT NULL, number INTEGER NOT NULL, hour INTEGER NOT NULL,"
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, start_wall_ns INTEGER NOT NULL,"
    " id_count INTEGER NOT NULL, marks BLOB NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY "
    "(collector, number));"
    "CREATE INDEX chunk_ids_by_chunk ON chunk_ids (session_id, ordinal);"
    "CREATE TABLE id_segment ("
    " name TEXT PRIMARY KEY, hour INTEGER NOT NULL, from_wall_ns INTEGER NOT NULL,"
    " to_wall_ns INTEGER NOT NULL, head_bytes INTEGER NOT NULL, size_bytes INTEGER NOT NULL,"
    " entry_count INTEGER NOT NULL, is_leaving INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "PRAGMA user_version = 16;",
    "ALTER TABLE node ADD COLUMN log TEXT NOT NULL DEFAULT '';"
    "PRAGMA user_version = 17;",
    "ALTER TABLE session ADD COLUMN requests_in INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN requests_out INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 18;",
    "ALTER TABLE session ADD COLUMN kept_parts INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_open INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_event INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_rare INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_slowest INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_slow INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN kept_condition INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN dropped_budget INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN dropped_drop INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 19;",
};

static int
on_version_row(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    *(long *)arg = values[0] == NULL ? 0 : strtol(values[0], NULL, 10);
    return 0;
}

// is_older returns whether there are statements that bring the version up to the present one.
static bool
is_older(long version)
{
    return version >= 0 && version < CATALOG_SCHEMA_VERSION;
}

// upgrade brings a database of a version up to a later one.
static int
upgrade(sqlite3 *db, long from, long to)
{
    int code = SQLITE_OK;
    for (; code == SQLITE_OK && from < to; from++) {
        code = sqlite3_exec(db, upgrade_sql[from], NULL, NULL, NULL);
    }
    return code;
}

int
catalog_schema_make(sqlite3 *db, long version)
{
    return upgrade(db, 0, version);
}

int
catalog_schema_ensure(sqlite3 *db, bool is_reader, long *out_version)
{
    *out_version = 0;
    int code = sqlite3_exec(db, "PRAGMA user_version", on_version_row, out_version, NULL);
    if (code != SQLITE_OK || !is_older(*out_version) || is_reader) {
        return code;
    }
    // Once more inside the transaction: another process may have done it in between.
    code =
        sqlite3_exec(db, "BEGIN IMMEDIATE; PRAGMA user_version", on_version_row, out_version, NULL);
    if (code == SQLITE_OK && is_older(*out_version)) {
        code = upgrade(db, *out_version, CATALOG_SCHEMA_VERSION);
        *out_version = CATALOG_SCHEMA_VERSION;
    }
    return code == SQLITE_OK ? sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) : code;
}
