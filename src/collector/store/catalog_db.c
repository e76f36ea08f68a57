// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog_db.h"

#include <errno.h>
#include <pthread.h>

#define SESSION_COLUMNS                                                                            \
    "id, service, instance, jvm_name, jvm_version, pid, start_wall_ns, end_wall_ns, is_ended,"     \
    " next_chunk, next_sequence, events_in, events_out, contexts_in, contexts_out, bytes_in,"      \
    " bytes_out, late_events, contexts_dropped, context_values_cut, context_bytes_dropped,"        \
    " chunk_bytes_dropped, jfr_restarts, late_contexts, heard_wall_ns, ended_how,"                 \
    " compacted_sequence, batches_missing, journal_bytes_missing, expired_chunks, kept_wall_ns,"   \
    " secret_hash, identity, late_missing"

#define CHUNKS_IN_RANGE                                                                            \
    " WHERE session_id = ?1 AND ordinal IN (SELECT ordinal FROM chunk WHERE session_id = ?1"       \
    " AND ordinal < ?2 AND start_wall_ns + duration_ns / 2 >= ?3"                                  \
    " AND start_wall_ns + duration_ns / 2 < ?4)"

#define IN_RANGE_NEWEST_FIRST                                                                      \
    " AND (?3 = 0 OR end_wall_ns >= ?3 OR (is_ended = 0 AND ?6 >= ?3))"                            \
    " AND (?4 = 0 OR start_wall_ns < ?4) ORDER BY start_wall_ns DESC, id LIMIT ?5"

// With whether the session has losses.
#define SESSION_ROW                                                                                \
    SESSION_COLUMNS ", EXISTS (SELECT 1 FROM session_loss"                                         \
                    " WHERE session_id = session.id AND amount <> 0)"

static const char *const statement_sql[CATALOG_DB_STATEMENT_COUNT] = {
    [CATALOG_DB_BEGIN] = "BEGIN IMMEDIATE",
    [CATALOG_DB_COMMIT] = "COMMIT",
    [CATALOG_DB_ROLLBACK] = "ROLLBACK",
    [CATALOG_DB_PUT_SESSION] =
        "INSERT OR REPLACE INTO session (" SESSION_COLUMNS ") VALUES"
        " (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [CATALOG_DB_PUT_LOSS] =
        "INSERT OR REPLACE INTO session_loss (session_id, kind, amount) VALUES (?,?,?)",
    [CATALOG_DB_CLEAR_LOSS] =
        "UPDATE session_loss SET amount = 0 WHERE session_id = ? AND kind = ? AND amount <> 0",
    [CATALOG_DB_LIST_LOSSES] = "SELECT kind, amount FROM session_loss WHERE session_id = ?",
    [CATALOG_DB_PUT_CHUNK] =
        "INSERT OR REPLACE INTO chunk (session_id, ordinal, start_wall_ns, duration_ns,"
        " size_bytes, content_hash, context_begin_min_ns, commit_min_ns, commit_max_ns,"
        " has_period, stored_bytes, service) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
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
    [CATALOG_DB_PUT_CARRY] =
        "INSERT OR REPLACE INTO carry (session_id, bytes) VALUES (?, zeroblob(?))",
    [CATALOG_DB_GET_CARRY] = "SELECT bytes FROM carry WHERE session_id = ?",
    [CATALOG_DB_LIST] = "SELECT " SESSION_ROW
                        " FROM session WHERE (?1 IS NULL OR service = ?1)" IN_RANGE_NEWEST_FIRST,
    // An index has these, and so reads those of an instance alone of the table.
    [CATALOG_DB_LIST_INSTANCE] =
        "SELECT " SESSION_ROW " FROM session WHERE id IN (SELECT id FROM session"
        " WHERE (?1 IS NULL OR service = ?1) AND instance = ?2)" IN_RANGE_NEWEST_FIRST,
    // The newest sessions of CATALOG_DB_LIST, by service.
    [CATALOG_DB_LIST_SERVICES] =
        "SELECT service, count(*) FROM (SELECT service, start_wall_ns FROM session"
        " WHERE (?1 = 0 OR end_wall_ns >= ?1 OR (is_ended = 0 AND ?4 >= ?1))"
        " AND (?2 = 0 OR start_wall_ns < ?2) ORDER BY start_wall_ns DESC, id LIMIT ?3)"
        " GROUP BY service ORDER BY max(start_wall_ns) DESC, service",
    [CATALOG_DB_LIST_EMPTY] =
        "SELECT " SESSION_ROW " FROM session WHERE is_ended = 1"
        " AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.session_id = session.id)",
    [CATALOG_DB_FIND] = "SELECT " SESSION_ROW " FROM session WHERE id = ?",
    [CATALOG_DB_FIRST_START] = "SELECT start_wall_ns FROM session ORDER BY start_wall_ns LIMIT 1",
    [CATALOG_DB_LIST_CHUNKS] =
        "SELECT ordinal, start_wall_ns, duration_ns, size_bytes, content_hash,"
        " context_begin_min_ns IS NOT NULL, context_begin_min_ns, commit_min_ns, commit_max_ns,"
        " has_period IS NOT NULL, has_period, stored_bytes, is_lost FROM chunk"
        " WHERE session_id = ? ORDER BY ordinal",
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
    [CATALOG_DB_LIST_SUMMED] = "SELECT service, min(start_wall_ns) FROM chunk_rollup"
                               " GROUP BY service, start_wall_ns / ?",
    [CATALOG_DB_ADD_LOSS] = "INSERT INTO session_loss (session_id, kind, amount) VALUES (?1,?2,?3)"
                            " ON CONFLICT (session_id, kind)"
                            " DO UPDATE SET amount = max(amount + ?3, 0)",
    [CATALOG_DB_LOSE_CHUNK] =
        "UPDATE chunk SET is_lost = ?3 WHERE session_id = ?1 AND ordinal = ?2 AND is_lost <> ?3",
    [CATALOG_DB_SIZE_CHUNK] =
        "UPDATE chunk SET stored_bytes = ?3 WHERE session_id = ?1 AND ordinal = ?2",
    [CATALOG_DB_LIST_KEPT] =
        "SELECT service, count(*), sum(stored_bytes) FROM chunk GROUP BY service",
    [CATALOG_DB_LIST_OLDEST] =
        "SELECT service, session_id, ordinal, start_wall_ns, duration_ns, stored_bytes FROM chunk"
        " WHERE service = ? ORDER BY start_wall_ns LIMIT ?",
    [CATALOG_DB_LIST_REMOVED] =
        "SELECT service, session_id, ordinal, start_wall_ns, duration_ns, stored_bytes FROM chunk"
        " WHERE session_id = ? LIMIT ?",
    [CATALOG_DB_DROP_CHUNK] = "DELETE FROM chunk WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_DROP_SUM] =
        "DELETE FROM service_rollup WHERE step_ns = ?1 AND start_wall_ns = ?2 AND service = ?3"
        " AND NOT EXISTS (SELECT 1 FROM chunk_rollup WHERE start_wall_ns >= ?2"
        " AND start_wall_ns < ?2 + ?1 AND service = ?3)",
    [CATALOG_DB_COUNT_EXPIRED] =
        "UPDATE session SET expired_chunks = expired_chunks + 1, kept_wall_ns = coalesce("
        "(SELECT min(start_wall_ns) FROM chunk WHERE session_id = ?1), ?2) WHERE id = ?1",
    [CATALOG_DB_DROP_SESSION] = "DELETE FROM session WHERE id = ?",
    [CATALOG_DB_DROP_LOSSES] = "DELETE FROM session_loss WHERE session_id = ?",
    [CATALOG_DB_DROP_CARRY] = "DELETE FROM carry WHERE session_id = ?",
    [CATALOG_DB_PUT_REMOVAL] = "INSERT OR IGNORE INTO removal (session_id, ordinal) VALUES (?,?)",
    [CATALOG_DB_DROP_REMOVAL] = "DELETE FROM removal WHERE session_id = ? AND ordinal = ?",
    [CATALOG_DB_LIST_REMOVALS] = "SELECT session_id, ordinal FROM removal",
    [CATALOG_DB_DROP_DAYS] = "DELETE FROM service_day WHERE day <> ?",
    [CATALOG_DB_PUT_DAY] =
        "INSERT OR REPLACE INTO service_day (service, day, bytes, put_off, bytes_max)"
        " VALUES (?,?,?,?,?)",
    [CATALOG_DB_LIST_DAYS] = "SELECT service, day, bytes, put_off, bytes_max FROM service_day",
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

// set_up has SQLite not count what memory it takes. For that it has one lock, which a thread of low
// priority would have, too, while malloc works for it and all others wait.
static void
set_up(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); // fails where SQLite is at work already
}

int
catalog_db_open(const char *path, int flags, sqlite3 **out_db)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_up);
    return sqlite3_open_v2(path, out_db, flags | SQLITE_OPEN_NOMUTEX, NULL);
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

// find_error returns the errno behind a failed step, after which it is system_error.
static int
find_error(sqlite3 *db, int system_error)
{
    int code = sqlite3_extended_errcode(db);
    if (code == SQLITE_FULL) {
        return ENOSPC;
    }
    if ((code & 0xff) == SQLITE_READONLY) {
        return code == SQLITE_READONLY_DBMOVED ? ENOENT : EROFS;
    }
    if (system_error == 0) {
        system_error = sqlite3_system_errno(db);
    }
    return system_error == 0 ? EIO : system_error;
}

int
catalog_db_step(catalog_db_call *call)
{
    errno = 0;
    int code = call->code == SQLITE_OK ? sqlite3_step(call->stmt) : call->code;
    if (catalog_db_err(code) == LP_EIO) {
        call->error = find_error(sqlite3_db_handle(call->stmt), errno);
    }
    return code;
}

void
catalog_db_finish(catalog_db_call *call)
{
    (void)sqlite3_reset(call->stmt); // repeats the error of the last step
    (void)sqlite3_clear_bindings(call->stmt);
    if (call->error != 0) {
        errno = call->error;
    }
}

lp_err
catalog_db_run(catalog_db_call *call)
{
    int code = catalog_db_step(call);
    catalog_db_finish(call);
    return catalog_db_err(code);
}

static lp_err
run_plain(catalog *self, catalog_db_statement which)
{
    catalog_db_call call = {0};
    lp_err err = catalog_db_start(self, which, &call);
    return err == LP_OK ? catalog_db_run(&call) : err;
}

lp_err
catalog_db_begin(catalog *self)
{
    return run_plain(self, CATALOG_DB_BEGIN);
}

lp_err
catalog_db_end(catalog *self, lp_err err)
{
    if (err == LP_OK) {
        err = run_plain(self, CATALOG_DB_COMMIT);
    }
    if (err != LP_OK) {
        // SQLite may have rolled back by itself, then this one fails and that is fine.
        int saved_errno = errno;
        lp_err ignored = run_plain(self, CATALOG_DB_ROLLBACK);
        (void)ignored;
        errno = saved_errno;
    }
    return err;
}
