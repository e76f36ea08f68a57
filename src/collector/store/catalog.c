// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog.h"

#include "common/base/lp_assert.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The version of the schema, in PRAGMA user_version. A change that an older program cannot read
// raises it.
enum { SCHEMA_VERSION = 3 };

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

// What brings a database of each version up to the next one.
static const char *const upgrade_sql[SCHEMA_VERSION] = {
    first_schema_sql,
    "ALTER TABLE session ADD COLUMN jfr_restarts INTEGER NOT NULL DEFAULT 0;"
    "PRAGMA user_version = 2;",
    "CREATE TABLE chunk_dropped ("
    " session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,"
    " events INTEGER NOT NULL, PRIMARY KEY (session_id, ordinal, name, reason)) WITHOUT ROWID;"
    "INSERT INTO chunk_dropped SELECT session_id, ordinal, name, 'unknown', events_in - events_out"
    " FROM chunk_type WHERE events_in > events_out;"
    "PRAGMA user_version = 3;",
};

#define SESSION_COLUMNS                                                                            \
    "id, service, instance, jvm_name, jvm_version, pid, start_wall_ns, end_wall_ns, is_ended,"     \
    " next_chunk, next_sequence, events_in, events_out, contexts_in, contexts_out, bytes_in,"      \
    " bytes_out, late_events, contexts_dropped, context_values_cut, context_bytes_dropped,"        \
    " chunk_bytes_dropped, jfr_restarts"

typedef enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    PUT_SESSION,
    PUT_CHUNK,
    DROP_TYPES,
    PUT_TYPES,
    DROP_DROPPED,
    PUT_DROPPED,
    PUT_CARRY,
    GET_CARRY,
    LIST,
    FIND,
    LIST_CHUNKS,
    LIST_TYPES,
    LIST_DROPPED,
    STATEMENT_COUNT,
} statement;

static const char *const statement_sql[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [PUT_SESSION] = "INSERT OR REPLACE INTO session (" SESSION_COLUMNS ") VALUES"
                    " (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [PUT_CHUNK] = "INSERT OR REPLACE INTO chunk (session_id, ordinal, start_wall_ns, duration_ns,"
                  " size_bytes, content_hash) VALUES (?,?,?,?,?,?)",
    [DROP_TYPES] = "DELETE FROM chunk_type WHERE session_id = ? AND ordinal = ?",
    [PUT_TYPES] =
        "INSERT INTO chunk_type SELECT ?1, ?2, key, coalesce(json_extract(value, '$.in'), 0),"
        " coalesce(json_extract(value, '$.out'), 0),"
        " coalesce(json_extract(value, '$.bytes_in'), 0),"
        " coalesce(json_extract(value, '$.bytes_out'), 0) FROM json_each(?3)",
    [DROP_DROPPED] = "DELETE FROM chunk_dropped WHERE session_id = ? AND ordinal = ?",
    [PUT_DROPPED] = "INSERT INTO chunk_dropped SELECT ?1, ?2, type.key, dropped.key, dropped.value"
                    " FROM json_each(?3) type, json_each(type.value, '$.dropped') dropped",
    [PUT_CARRY] = "INSERT OR REPLACE INTO carry (session_id, bytes) VALUES (?,?)",
    [GET_CARRY] = "SELECT bytes FROM carry WHERE session_id = ?",
    [LIST] = "SELECT " SESSION_COLUMNS " FROM session WHERE (?1 IS NULL OR service = ?1)"
             " AND (?2 IS NULL OR instance = ?2)"
             " AND (?3 = 0 OR end_wall_ns >= ?3 OR (is_ended = 0 AND ?6 >= ?3))"
             " AND (?4 = 0 OR start_wall_ns < ?4) ORDER BY start_wall_ns DESC, id LIMIT ?5",
    [FIND] = "SELECT " SESSION_COLUMNS " FROM session WHERE id = ?",
    [LIST_CHUNKS] = "SELECT ordinal, start_wall_ns, duration_ns, size_bytes, content_hash"
                    " FROM chunk WHERE session_id = ? ORDER BY ordinal",
    [LIST_TYPES] = "SELECT name, sum(events_in), sum(events_out), sum(bytes_in), sum(bytes_out)"
                   " FROM chunk_type WHERE session_id = ? AND ordinal < ? GROUP BY name"
                   " ORDER BY name",
    [LIST_DROPPED] = "SELECT name, reason, sum(events) FROM chunk_dropped WHERE session_id = ?"
                     " AND ordinal < ? GROUP BY name, reason ORDER BY name, reason",
};

struct catalog {
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENT_COUNT]; // prepared at their first use
};

bool
catalog_id_is_valid(const char *text)
{
    size_t len = strspn(text, "0123456789abcdef");
    return len == CATALOG_ID_CHARS && text[len] == '\0';
}

static lp_err
err_of(int code)
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

// --- Opening.

static int
on_version_row(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    *(long *)arg = values[0] == NULL ? 0 : strtol(values[0], NULL, 10);
    return 0;
}

// is_older returns whether there are statements that bring the version up to ours.
static bool
is_older(long version)
{
    return version >= 0 && version < SCHEMA_VERSION;
}

// ensure_schema makes the tables of an empty database, and brings those of an older one up to date.
// The version is read again inside the transaction: another process may have done it in between.
static lp_err
ensure_schema(
    catalog *opened, bool is_reader, const char *path, int *out_code, lp_problem *out_problem)
{
    long version = 0;
    int code = sqlite3_exec(opened->db, "PRAGMA user_version", on_version_row, &version, NULL);
    if (code == SQLITE_OK && is_older(version) && !is_reader) {
        code = sqlite3_exec(
            opened->db, "BEGIN IMMEDIATE; PRAGMA user_version", on_version_row, &version, NULL);
        while (code == SQLITE_OK && is_older(version)) {
            code = sqlite3_exec(opened->db, upgrade_sql[version++], NULL, NULL, NULL);
        }
        if (code == SQLITE_OK) {
            code = sqlite3_exec(opened->db, "COMMIT", NULL, NULL, NULL);
        }
    }
    *out_code = code;
    if (code == SQLITE_OK && version != SCHEMA_VERSION) {
        return lp_problem_set(out_problem, LP_EVERSION,
            "%s: catalog of version %ld, this program reads version %d", path, version,
            SCHEMA_VERSION);
    }
    return err_of(code);
}

static lp_err
open_with(const char *path, bool is_reader, catalog **out_catalog, lp_problem *out_problem)
{
    catalog *opened = calloc(1, sizeof(*opened));
    if (opened == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    }
    int flags = is_reader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = sqlite3_open_v2(path, &opened->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(opened->db, CATALOG_BUSY_MS_MAX);
    }
    if (code == SQLITE_OK && !is_reader) {
        code = sqlite3_exec(
            opened->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    }
    lp_err err = err_of(code);
    if (code == SQLITE_CANTOPEN && is_reader) {
        err = LP_ENOENT;
    }
    if (err == LP_OK) {
        err = ensure_schema(opened, is_reader, path, &code, out_problem);
    }
    if (code != SQLITE_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", path,
            opened->db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(opened->db));
    }
    if (err != LP_OK) {
        catalog_close(opened);
        return err;
    }
    *out_catalog = opened;
    return LP_OK;
}

lp_err
catalog_open(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    return open_with(path, false, out_catalog, out_problem);
}

lp_err
catalog_open_reader(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    return open_with(path, true, out_catalog, out_problem);
}

void
catalog_close(catalog *self)
{
    if (self == NULL) {
        return;
    }
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        (void)sqlite3_finalize(self->statements[i]);
    }
    (void)sqlite3_close(self->db);
    free(self);
}

// --- Statements.

// find_statement lends a prepared statement, reset and without values.
static lp_err
find_statement(catalog *self, statement which, sqlite3_stmt **out_statement)
{
    if (self->statements[which] == NULL) {
        int code = sqlite3_prepare_v3(self->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
            &self->statements[which], NULL);
        if (code != SQLITE_OK) {
            return err_of(code);
        }
    }
    *out_statement = self->statements[which];
    return LP_OK;
}

// finish ends the use of a statement: bound values may be freed, and no read transaction stays
// open.
static void
finish(sqlite3_stmt *stmt)
{
    (void)sqlite3_reset(stmt); // repeats the error of the last step
    (void)sqlite3_clear_bindings(stmt);
}

static lp_err
run(sqlite3_stmt *stmt)
{
    int code = sqlite3_step(stmt);
    finish(stmt);
    return err_of(code);
}

static lp_err
run_plain(catalog *self, statement which)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, which, &stmt);
    return err == LP_OK ? run(stmt) : err;
}

// Values are bound one after the other; the first failure is kept. Text and bytes are borrowed
// until finish.
typedef struct binder {
    sqlite3_stmt *stmt;
    int index;
    int code;
} binder;

static void
bind_code(binder *values, int code)
{
    if (values->code == SQLITE_OK) {
        values->code = code;
    }
}

static void
bind_text(binder *values, const char *text)
{
    bind_code(values, sqlite3_bind_text(values->stmt, ++values->index, text, -1, SQLITE_STATIC));
}

static void
bind_int(binder *values, int64_t value)
{
    bind_code(values, sqlite3_bind_int64(values->stmt, ++values->index, value));
}

// SQLite's integers are signed: a counter's upper half is kept as negative numbers.
static void
bind_uint(binder *values, uint64_t value)
{
    bind_int(values, (int64_t)value);
}

static lp_err
run_bound(const binder *values)
{
    if (values->code != SQLITE_OK) {
        finish(values->stmt);
        return err_of(values->code);
    }
    return run(values->stmt);
}

// --- Writing.

lp_err
catalog_put_session(catalog *self, const catalog_session *session)
{
    LP_ASSERT(session->service != NULL && session->instance != NULL);
    LP_ASSERT(session->jvm_name != NULL && session->jvm_version != NULL);

    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, PUT_SESSION, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session->id);
    bind_text(&values, session->service);
    bind_text(&values, session->instance);
    bind_text(&values, session->jvm_name);
    bind_text(&values, session->jvm_version);
    bind_uint(&values, session->pid);
    bind_int(&values, session->start_wall_ns);
    bind_int(&values, session->end_wall_ns);
    bind_int(&values, session->is_ended ? 1 : 0);
    bind_uint(&values, session->next_chunk);
    bind_uint(&values, session->next_sequence);
    bind_uint(&values, session->totals.events_in);
    bind_uint(&values, session->totals.events_out);
    bind_uint(&values, session->totals.contexts_in);
    bind_uint(&values, session->totals.contexts_out);
    bind_uint(&values, session->totals.bytes_in);
    bind_uint(&values, session->totals.bytes_out);
    bind_uint(&values, session->totals.late_events);
    bind_uint(&values, session->contexts_dropped);
    bind_uint(&values, session->context_values_cut);
    bind_uint(&values, session->context_bytes_dropped);
    bind_uint(&values, session->chunk_bytes_dropped);
    bind_uint(&values, session->jfr_restarts);
    return run_bound(&values);
}

static lp_err
put_chunk(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, PUT_CHUNK, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    bind_uint(&values, chunk->ordinal);
    bind_int(&values, chunk->start_wall_ns);
    bind_int(&values, chunk->duration_ns);
    bind_uint(&values, chunk->size_bytes);
    bind_uint(&values, chunk->content_hash);
    return run_bound(&values);
}

// run_for_chunk runs a statement whose values are the session, the ordinal and, where it is not
// NULL, text.
static lp_err
run_for_chunk(
    catalog *self, statement which, const char *session_id, uint32_t ordinal, const char *text)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, which, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    bind_uint(&values, ordinal);
    if (text != NULL) {
        bind_text(&values, text);
    }
    return run_bound(&values);
}

static lp_err
put_types(catalog *self, const char *session_id, const catalog_chunk *chunk)
{
    static const struct {
        statement statement;
        bool has_types;
    } steps[] = {
        {DROP_TYPES, false}, {PUT_TYPES, true}, {DROP_DROPPED, false}, {PUT_DROPPED, true}};
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == LP_OK; i++) {
        err = run_for_chunk(self, steps[i].statement, session_id, chunk->ordinal,
            steps[i].has_types ? chunk->types_json : NULL);
    }
    return err;
}

static lp_err
put_carry(catalog *self, const char *session_id, lp_slice carry)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, PUT_CARRY, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    // A NULL pointer would be bound as NULL rather than as no bytes.
    const void *bytes = carry.len == 0 ? "" : (const void *)carry.ptr;
    bind_code(&values, sqlite3_bind_blob64(stmt, ++values.index, bytes, carry.len, SQLITE_STATIC));
    return run_bound(&values);
}

lp_err
catalog_add_chunk(
    catalog *self, const catalog_session *session, const catalog_chunk *chunk, lp_slice carry)
{
    LP_ASSERT(chunk->types_json != NULL);

    lp_err err = run_plain(self, BEGIN);
    if (err != LP_OK) {
        return err;
    }
    err = catalog_put_session(self, session);
    if (err == LP_OK) {
        err = put_chunk(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = put_types(self, session->id, chunk);
    }
    if (err == LP_OK) {
        err = put_carry(self, session->id, carry);
    }
    if (err == LP_OK) {
        err = run_plain(self, COMMIT);
    }
    if (err != LP_OK) {
        // SQLite may have rolled back by itself, then this one fails and that is fine.
        lp_err ignored = run_plain(self, ROLLBACK);
        (void)ignored;
    }
    return err;
}

// --- Reading.

lp_err
catalog_get_carry(catalog *self, const char *session_id, uint8_t **out_carry, size_t *out_size)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, GET_CARRY, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    int code = values.code == SQLITE_OK ? sqlite3_step(stmt) : values.code;
    err = err_of(code);
    uint8_t *carry = NULL;
    size_t size = 0;
    if (code == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(stmt, 0);
        size = (size_t)sqlite3_column_bytes(stmt, 0);
        carry = size == 0 ? NULL : malloc(size);
        if (carry != NULL && bytes != NULL) {
            memcpy(carry, bytes, size);
        } else if (size > 0) {
            err = LP_ENOMEM;
        }
    }
    finish(stmt);
    if (err != LP_OK) {
        free(carry);
        return err;
    }
    *out_carry = carry;
    *out_size = size;
    return LP_OK;
}

typedef struct reader {
    sqlite3_stmt *stmt;
    int index;
    bool is_failed; // out of memory
} reader;

// read_text lends a column's text until the next step. Memory may run out when SQLite converts it.
static char *
read_text(reader *row)
{
    const unsigned char *text = sqlite3_column_text(row->stmt, row->index++);
    row->is_failed = row->is_failed || text == NULL;
    return (char *)(uintptr_t)text; // sqlite3_column_text is const where we are not
}

static int64_t
read_int(reader *row)
{
    return sqlite3_column_int64(row->stmt, row->index++);
}

static uint64_t
read_uint(reader *row)
{
    return (uint64_t)read_int(row);
}

static catalog_session
read_session(reader *row)
{
    catalog_session session = {0};
    const char *id = read_text(row);
    if (id != NULL) {
        memcpy(session.id, id, strnlen(id, CATALOG_ID_CHARS));
    }
    session.service = read_text(row);
    session.instance = read_text(row);
    session.jvm_name = read_text(row);
    session.jvm_version = read_text(row);
    session.pid = read_uint(row);
    session.start_wall_ns = read_int(row);
    session.end_wall_ns = read_int(row);
    session.is_ended = read_int(row) != 0;
    session.next_chunk = (uint32_t)read_uint(row);
    session.next_sequence = read_uint(row);
    session.totals.events_in = read_uint(row);
    session.totals.events_out = read_uint(row);
    session.totals.contexts_in = read_uint(row);
    session.totals.contexts_out = read_uint(row);
    session.totals.bytes_in = read_uint(row);
    session.totals.bytes_out = read_uint(row);
    session.totals.late_events = read_uint(row);
    session.contexts_dropped = read_uint(row);
    session.context_values_cut = read_uint(row);
    session.context_bytes_dropped = read_uint(row);
    session.chunk_bytes_dropped = read_uint(row);
    session.jfr_restarts = read_uint(row);
    return session;
}

// each_session calls on_session for every row of a bound statement.
static lp_err
each_session(const binder *values, void (*on_session)(void *arg, const catalog_session *session),
    void *arg, size_t *out_count)
{
    sqlite3_stmt *stmt = values->stmt;
    int code = values->code;
    lp_err err = err_of(code);
    size_t count = 0;
    while (err == LP_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        reader row = {.stmt = stmt};
        catalog_session session = read_session(&row);
        if (row.is_failed) {
            err = LP_ENOMEM;
        } else {
            on_session(arg, &session);
            count++;
        }
    }
    finish(stmt);
    if (err == LP_OK) {
        err = err_of(code);
    }
    *out_count = count;
    return err;
}

lp_err
catalog_list(catalog *self, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, LIST, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, query->service);
    bind_text(&values, query->instance);
    bind_int(&values, query->from_wall_ns);
    bind_int(&values, query->to_wall_ns);
    bind_int(&values, query->count_max == 0 ? -1 : (int64_t)query->count_max);
    bind_int(&values, query->now_wall_ns);
    size_t count;
    return each_session(&values, on_session, arg, &count);
}

lp_err
catalog_find(catalog *self, const char *session_id,
    void (*on_session)(void *arg, const catalog_session *session), void *arg)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, FIND, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    size_t count;
    err = each_session(&values, on_session, arg, &count);
    return err == LP_OK && count == 0 ? LP_ENOENT : err;
}

lp_err
catalog_list_chunks(catalog *self, const char *session_id,
    void (*on_chunk)(void *arg, const catalog_chunk *chunk), void *arg)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = find_statement(self, LIST_CHUNKS, &stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = stmt};
    bind_text(&values, session_id);
    int code = values.code;
    err = err_of(code);
    while (err == LP_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        reader row = {.stmt = stmt};
        catalog_chunk chunk = {0};
        chunk.ordinal = (uint32_t)read_uint(&row);
        chunk.start_wall_ns = read_int(&row);
        chunk.duration_ns = read_int(&row);
        chunk.size_bytes = read_uint(&row);
        chunk.content_hash = read_uint(&row);
        on_chunk(arg, &chunk);
    }
    finish(stmt);
    return err == LP_OK ? err_of(code) : err;
}

// start_totals finds a statement over the chunks of a session before chunk_end, ready to step. The
// caller ends it with finish, but not after an error.
static lp_err
start_totals(catalog *self, statement which, const char *session_id, uint32_t chunk_end,
    sqlite3_stmt **out_stmt)
{
    lp_err err = find_statement(self, which, out_stmt);
    if (err != LP_OK) {
        return err;
    }
    binder values = {.stmt = *out_stmt};
    bind_text(&values, session_id);
    bind_uint(&values, chunk_end);
    err = err_of(values.code);
    if (err != LP_OK) {
        finish(*out_stmt);
    }
    return err;
}

lp_err
catalog_list_types(catalog *self, const char *session_id, uint32_t chunk_end,
    void (*on_type)(void *arg, const catalog_type *type), void *arg)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = start_totals(self, LIST_TYPES, session_id, chunk_end, &stmt);
    if (err != LP_OK) {
        return err;
    }
    int code = SQLITE_OK;
    while (err == LP_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        reader row = {.stmt = stmt};
        catalog_type type;
        type.name = read_text(&row);
        type.events_in = read_uint(&row);
        type.events_out = read_uint(&row);
        type.bytes_in = read_uint(&row);
        type.bytes_out = read_uint(&row);
        if (row.is_failed) {
            err = LP_ENOMEM;
        } else {
            on_type(arg, &type);
        }
    }
    finish(stmt);
    return err == LP_OK ? err_of(code) : err;
}

lp_err
catalog_list_dropped(catalog *self, const char *session_id, uint32_t chunk_end,
    void (*on_dropped)(void *arg, const catalog_dropped *dropped), void *arg)
{
    sqlite3_stmt *stmt = NULL;
    lp_err err = start_totals(self, LIST_DROPPED, session_id, chunk_end, &stmt);
    if (err != LP_OK) {
        return err;
    }
    int code = SQLITE_OK;
    while (err == LP_OK && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        reader row = {.stmt = stmt};
        catalog_dropped dropped;
        dropped.type_name = read_text(&row);
        dropped.reason = read_text(&row);
        dropped.events = read_uint(&row);
        if (row.is_failed) {
            err = LP_ENOMEM;
        } else {
            on_dropped(arg, &dropped);
        }
    }
    finish(stmt);
    return err == LP_OK ? err_of(code) : err;
}
