// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog_db.h"

#define SESSION_COLUMNS                                                                            \
    "id, service, instance, jvm_name, jvm_version, pid, start_wall_ns, end_wall_ns, is_ended,"     \
    " next_chunk, next_sequence, events_in, events_out, contexts_in, contexts_out, bytes_in,"      \
    " bytes_out, late_events, contexts_dropped, context_values_cut, context_bytes_dropped,"        \
    " chunk_bytes_dropped, jfr_restarts, late_contexts"

#define CHUNKS_IN_RANGE                                                                            \
    " WHERE session_id = ?1 AND ordinal IN (SELECT ordinal FROM chunk WHERE session_id = ?1"       \
    " AND ordinal < ?2 AND start_wall_ns + duration_ns / 2 >= ?3"                                  \
    " AND start_wall_ns + duration_ns / 2 < ?4)"

static const char *const statement_sql[CATALOG_DB_STATEMENT_COUNT] = {
    [CATALOG_DB_BEGIN] = "BEGIN IMMEDIATE",
    [CATALOG_DB_COMMIT] = "COMMIT",
    [CATALOG_DB_ROLLBACK] = "ROLLBACK",
    [CATALOG_DB_PUT_SESSION] = "INSERT OR REPLACE INTO session (" SESSION_COLUMNS ") VALUES"
                               " (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [CATALOG_DB_PUT_CHUNK] =
        "INSERT OR REPLACE INTO chunk (session_id, ordinal, start_wall_ns, duration_ns,"
        " size_bytes, content_hash, context_begin_min_ns, commit_min_ns, commit_max_ns,"
        " has_period) VALUES (?,?,?,?,?,?,?,?,?,?)",
    [CATALOG_DB_DROP_TYPES] = "DELETE FROM chunk_type WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_PUT_TYPES] =
        "INSERT INTO chunk_type SELECT ?1, ?2, key, coalesce(json_extract(value, '$.in'), 0),"
        " coalesce(json_extract(value, '$.out'), 0),"
        " coalesce(json_extract(value, '$.bytes_in'), 0),"
        " coalesce(json_extract(value, '$.bytes_out'), 0) FROM json_each(?3)",
    [CATALOG_DB_DROP_DROPPED] = "DELETE FROM chunk_dropped WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_PUT_DROPPED] =
        "INSERT INTO chunk_dropped SELECT ?1, ?2, type.key, dropped.key, dropped.value"
        " FROM json_each(?3) type, json_each(type.value, '$.dropped') dropped",
    [CATALOG_DB_PUT_CARRY] = "INSERT OR REPLACE INTO carry (session_id, bytes) VALUES (?,?)",
    [CATALOG_DB_GET_CARRY] = "SELECT bytes FROM carry WHERE session_id = ?",
    [CATALOG_DB_LIST] =
        "SELECT " SESSION_COLUMNS " FROM session WHERE (?1 IS NULL OR service = ?1)"
        " AND (?2 IS NULL OR instance = ?2)"
        " AND (?3 = 0 OR end_wall_ns >= ?3 OR (is_ended = 0 AND ?6 >= ?3))"
        " AND (?4 = 0 OR start_wall_ns < ?4) ORDER BY start_wall_ns DESC, id LIMIT ?5",
    [CATALOG_DB_FIND] = "SELECT " SESSION_COLUMNS " FROM session WHERE id = ?",
    [CATALOG_DB_FIRST_START] = "SELECT start_wall_ns FROM session ORDER BY start_wall_ns LIMIT 1",
    [CATALOG_DB_LIST_CHUNKS] =
        "SELECT ordinal, start_wall_ns, duration_ns, size_bytes, content_hash,"
        " context_begin_min_ns IS NOT NULL, context_begin_min_ns, commit_min_ns, commit_max_ns,"
        " has_period IS NOT NULL, has_period FROM chunk WHERE session_id = ? ORDER BY ordinal",
    [CATALOG_DB_LIST_TYPES] =
        "SELECT name, sum(events_in), sum(events_out), sum(bytes_in), sum(bytes_out)"
        " FROM chunk_type" CHUNKS_IN_RANGE " GROUP BY name ORDER BY name",
    [CATALOG_DB_LIST_DROPPED] =
        "SELECT name, reason, sum(events)"
        " FROM chunk_dropped" CHUNKS_IN_RANGE " GROUP BY name, reason ORDER BY name, reason",
    [CATALOG_DB_FIND_ROLLUP] =
        "SELECT service, start_wall_ns FROM chunk_rollup WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_DROP_ROLLUP] = "DELETE FROM chunk_rollup WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_PUT_ROLLUP] = "INSERT INTO chunk_rollup (session_id, ordinal, service,"
                              " start_wall_ns, types, exemplars, attributes)"
                              " VALUES (?,?,?,?,?,?,?)",
    [CATALOG_DB_LIST_ROLLUPS] =
        "SELECT service, session_id, start_wall_ns, types, CASE WHEN ?4 THEN exemplars END,"
        " CASE WHEN ?5 THEN attributes END"
        " FROM chunk_rollup WHERE start_wall_ns >= ?1 AND start_wall_ns < ?2"
        " AND (?3 IS NULL OR service = ?3)",
    // First the sessions: those of an instance are few.
    [CATALOG_DB_LIST_SESSION_ROLLUPS] =
        "SELECT r.service, r.session_id, r.start_wall_ns, types, CASE WHEN ?4 THEN exemplars END,"
        " CASE WHEN ?5 THEN attributes END"
        " FROM session s CROSS JOIN chunk_rollup r ON r.session_id = s.id"
        " WHERE r.start_wall_ns >= ?1 AND r.start_wall_ns < ?2"
        " AND (?3 IS NULL OR r.service = ?3) AND (?6 IS NULL OR s.id = ?6)"
        " AND (?7 IS NULL OR s.instance = ?7)",
    [CATALOG_DB_GET_SUM] = "SELECT types, exemplars, attributes FROM service_rollup"
                           " WHERE step_ns = ? AND start_wall_ns = ? AND service = ?",
    [CATALOG_DB_PUT_SUM] =
        "INSERT INTO service_rollup (step_ns, start_wall_ns, service, types, exemplars,"
        " attributes) VALUES (?,?,?,?,?,?) ON CONFLICT (step_ns, start_wall_ns, service)"
        " DO UPDATE SET types = excluded.types, exemplars = excluded.exemplars,"
        " attributes = excluded.attributes",
    [CATALOG_DB_LIST_SUMS] =
        "SELECT service, '', start_wall_ns, types, CASE WHEN ?4 THEN exemplars END,"
        " CASE WHEN ?5 THEN attributes END"
        " FROM service_rollup WHERE step_ns = ?6 AND start_wall_ns >= ?1 AND start_wall_ns < ?2"
        " AND (?3 IS NULL OR service = ?3)",
};

lp_err
catalog_db_err(int code)
{
    switch (code & 0xff) { // the rest is SQLite's extended code
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return LP_OK;
    case SQLITE_NOMEM:
        return LP_ENOMEM;
    case SQLITE_BUSY:
        return LP_EAGAIN;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return LP_ECORRUPT;
    default:
        return LP_EIO;
    }
}

lp_err
catalog_db_start(catalog *self, catalog_db_statement which, catalog_db_call *out_call)
{
    if (self->statements[which] == NULL) {
        int code = sqlite3_prepare_v3(self->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
            &self->statements[which], NULL);
        if (code != SQLITE_OK) {
            return catalog_db_err(code);
        }
    }
    *out_call = (catalog_db_call){.stmt = self->statements[which]};
    return LP_OK;
}

static void
note_bound(catalog_db_call *call, int code)
{
    call->value_count++;
    if (call->code == SQLITE_OK) {
        call->code = code;
    }
}

void
catalog_db_bind_text(catalog_db_call *call, const char *text)
{
    note_bound(call, sqlite3_bind_text(call->stmt, call->value_count + 1, text, -1, SQLITE_STATIC));
}

void
catalog_db_bind_bytes(catalog_db_call *call, lp_slice bytes)
{
    // A NULL pointer would be bound as NULL rather than as no bytes.
    const void *from = bytes.len == 0 ? "" : (const void *)bytes.ptr;
    note_bound(call,
        sqlite3_bind_blob64(call->stmt, call->value_count + 1, from, bytes.len, SQLITE_STATIC));
}

void
catalog_db_bind_int(catalog_db_call *call, int64_t value)
{
    note_bound(call, sqlite3_bind_int64(call->stmt, call->value_count + 1, value));
}

void
catalog_db_bind_null(catalog_db_call *call)
{
    note_bound(call, sqlite3_bind_null(call->stmt, call->value_count + 1));
}

void
catalog_db_bind_uint(catalog_db_call *call, uint64_t value)
{
    catalog_db_bind_int(call, (int64_t)value);
}

int
catalog_db_step(catalog_db_call *call)
{
    return call->code == SQLITE_OK ? sqlite3_step(call->stmt) : call->code;
}

void
catalog_db_finish(catalog_db_call *call)
{
    (void)sqlite3_reset(call->stmt); // repeats the error of the last step
    (void)sqlite3_clear_bindings(call->stmt);
}

lp_err
catalog_db_run(catalog_db_call *call)
{
    int code = catalog_db_step(call);
    catalog_db_finish(call);
    return catalog_db_err(code);
}
