// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/sqlite/catalog_check.h"

#include "collector/store/catalog/sqlite/catalog_schema.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPCODES_PER_LOOK = 20000 }; // of SQLite's machine: about 100 us

// A row with another ordinal would be read as another chunk's.
#define IS_CHUNK_NUMBER "typeof(ordinal) = 'integer' AND ordinal BETWEEN 0 AND 0xffffffff"

static bool
is_ending(const catalog_check_config *config)
{
    return config->is_ending != NULL && config->is_ending(config->arg);
}

// --- Checking

typedef struct check {
    const catalog_check_config *config;
    int64_t end_ns; // 0: none
    bool is_ending;
    bool is_late;
    bool has_fault;
    lp_problem *problem;
} check;

// on_progress returns whether SQLite interrupts the statement.
static int
on_progress(void *arg)
{
    check *c = arg;
    c->is_ending = is_ending(c->config);
    c->is_late = c->end_ns != 0 && lp_time_mono_ns() > c->end_ns;
    return c->is_ending || c->is_late;
}

static int
on_fault(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    check *c = arg;
    const char *text = values[0] == NULL ? "" : values[0];
    if (!c->has_fault && strcmp(text, "ok") != 0) {
        c->has_fault = true;
        const char *line = strrchr(text, '\n'); // after a heading
        (void)lp_problem_set(c->problem, LP_ECORRUPT, "%s", line == NULL ? text : line + 1);
    }
    return 0;
}

static int
run_check(sqlite3 *db, check *c, const char *sql)
{
    int code = sqlite3_exec(db, sql, on_fault, c, NULL);
    if (code == SQLITE_INTERRUPT) {
        return SQLITE_OK; // *c knows why
    }
    lp_err err = catalog_sqlite_err(code);
    // A damaged schema is an SQLITE_ERROR.
    if (err == LP_ECORRUPT || code == SQLITE_ERROR) {
        c->has_fault = true;
        (void)lp_problem_set(c->problem, LP_ECORRUPT, "%s", sqlite3_errmsg(db));
        return SQLITE_OK;
    }
    return code;
}

static const char strange_chunk_sql[] =
    "SELECT printf('a chunk %s of %s', quote(ordinal), quote(session_id)) FROM chunk"
    " WHERE NOT (" IS_CHUNK_NUMBER ") LIMIT 1";

static int
run_checks(sqlite3 *db, check *c, bool has_tables)
{
    static const char *const first[] = {"PRAGMA quick_check(session)", "PRAGMA quick_check(chunk)",
        "PRAGMA quick_check(carry)", "PRAGMA quick_check(session_loss)",
        "PRAGMA quick_check(service_day)", strange_chunk_sql};
    int code = SQLITE_OK;
    for (size_t i = 0; has_tables && i < sizeof(first) / sizeof(first[0]); i++) {
        if (code == SQLITE_OK && !c->has_fault && !c->is_ending) {
            code = run_check(db, c, first[i]);
        }
    }
    if (code == SQLITE_OK && !c->has_fault && !c->is_ending) {
        c->end_ns = c->config->budget_ns == 0 ? 0 : lp_time_mono_ns() + c->config->budget_ns;
        code = run_check(
            db, c, c->config->is_thorough ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)");
    }
    return code;
}

static int
read_version(sqlite3 *db, long *out_version)
{
    int code = sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    return code == SQLITE_OK ? catalog_schema_read_version(db, out_version) : code;
}

static int
check_opened(sqlite3 *db, check *c)
{
    long version = 0;
    int code = read_version(db, &version);
    if (catalog_sqlite_err(code) == LP_ECORRUPT) {
        c->has_fault = true;
        (void)lp_problem_set(c->problem, LP_ECORRUPT, "%s", sqlite3_errmsg(db));
        return SQLITE_OK;
    }
    bool is_other = version > CATALOG_SCHEMA_VERSION; // its tables are unknown
    return code == SQLITE_OK && !is_other ? run_checks(db, c, version > 0) : code;
}

// open_unchanged opens a catalog without changing it or its log, which closing would otherwise copy
// into the database.
static int
open_unchanged(const char *path, sqlite3 **out_db)
{
    int code = catalog_sqlite_connect(path, SQLITE_OPEN_READWRITE, out_db);
    return code == SQLITE_OK ? sqlite3_db_config(*out_db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL)
                             : code;
}

static lp_err
state_of(const check *c, catalog_check_state *out_state)
{
    LP_REQUIRE(!c->is_ending, LP_ECLOSED);
    *out_state = c->has_fault ? CATALOG_CHECK_DAMAGED
                 : c->is_late ? CATALOG_CHECK_UNFINISHED
                              : CATALOG_CHECK_SOUND;
    return LP_OK;
}

static lp_err
check_once(const char *path, const catalog_check_config *config, catalog_check_state *out_state,
    lp_problem *out_problem)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        *out_state = CATALOG_CHECK_MISSING;
        return errno == ENOENT
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_EIO, "%s: %s", path, strerror(errno));
    }
    if (info.st_size == 0) {
        *out_state = CATALOG_CHECK_DAMAGED;
        (void)lp_problem_set(out_problem, LP_ECORRUPT, "it has no bytes");
        return LP_OK;
    }
    check c = {.config = config, .problem = out_problem};
    sqlite3 *db = NULL;
    int code = open_unchanged(path, &db);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(db, CATALOG_SQLITE_BUSY_MS_MAX);
        sqlite3_progress_handler(db, OPCODES_PER_LOOK, on_progress, &c);
        code = check_opened(db, &c);
    }
    if (code != SQLITE_OK) {
        (void)lp_problem_set(out_problem, catalog_sqlite_err(code), "%s: %s", path,
            db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
    return code == SQLITE_OK ? state_of(&c, out_state) : catalog_sqlite_err(code);
}

lp_err
catalog_check(const char *path, const catalog_check_config *config, catalog_check_state *out_state,
    lp_problem *out_problem)
{
    lp_err err = check_once(path, config, out_state, out_problem);
    if (err == LP_OK && *out_state == CATALOG_CHECK_DAMAGED) {
        // SQLite reports a failed read as damage, too, and a disk may fail once.
        err = check_once(path, config, out_state, out_problem);
    }
    return err;
}

lp_err
catalog_move(const char *path, const char *to)
{
    static const char *const suffixes[] = {"", "-wal"};
    char old_name[PATH_MAX];
    char new_name[PATH_MAX];
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        (void)snprintf(old_name, sizeof(old_name), "%s%s", path, suffixes[i]);
        (void)snprintf(new_name, sizeof(new_name), "%s%s", to, suffixes[i]);
        LP_REQUIRE(rename(old_name, new_name) == 0 || errno == ENOENT, LP_EIO);
    }
    (void)snprintf(old_name, sizeof(old_name), "%s-shm", path);
    return unlink(old_name) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
}

// --- Salvage

typedef struct salvage {
    sqlite3 *db;  // of the new catalog
    sqlite3 *old; // a separate connection: a failed read rolls back its transaction
    long version; // of both
    uint64_t unreadable;
} salvage;

// Conditions of rows to copy, by a session (?1) and perhaps a chunk (?2).
#define OF_SESSION        "session_id = ?1"
#define OF_SESSION_CHUNKS OF_SESSION " AND " IS_CHUNK_NUMBER
#define OF_CHUNK          OF_SESSION " AND ordinal = ?2"

static void
salvage_check(const salvage *s)
{
    LP_ASSERT(s->db != NULL && s->old != NULL && s->db != s->old);
    LP_ASSERT(s->version >= 1 && s->version <= CATALOG_SCHEMA_VERSION); // open_old
}

static void
bind_key(sqlite3_stmt *stmt, const char *session_id, int64_t ordinal)
{
    if (sqlite3_bind_parameter_count(stmt) > 0) {
        (void)sqlite3_bind_text(stmt, 1, session_id, -1, SQLITE_STATIC);
    }
    if (sqlite3_bind_parameter_count(stmt) > 1) {
        (void)sqlite3_bind_int64(stmt, 2, ordinal);
    }
}

// prepare_copy prepares the statements that read and write the rows. Returns SQLite's code; the
// caller finalizes both.
static int
prepare_copy(const salvage *s, const char *table, const char *condition, sqlite3_stmt **out_from,
    sqlite3_stmt **out_to)
{
    salvage_check(s);
    char sql[200];
    (void)snprintf(sql, sizeof(sql), "SELECT * FROM %s WHERE %s", table, condition);
    int code = sqlite3_prepare_v2(s->old, sql, -1, out_from, NULL);
    if (code != SQLITE_OK) {
        return code;
    }
    int len = snprintf(sql, sizeof(sql), "INSERT OR IGNORE INTO %s VALUES (?", table);
    for (int i = sqlite3_column_count(*out_from); i > 1 && len < (int)sizeof(sql); i--) {
        len += snprintf(sql + len, sizeof(sql) - (size_t)len, ",?");
    }
    if (len + 1 >= (int)sizeof(sql)) {
        return SQLITE_ERROR; // no table has this many columns
    }
    (void)snprintf(sql + len, sizeof(sql) - (size_t)len, ")");
    return sqlite3_prepare_v2(s->db, sql, -1, out_to, NULL);
}

static int
copy_row(sqlite3_stmt *from, sqlite3_stmt *to)
{
    int code = SQLITE_OK;
    for (int i = 0; i < sqlite3_column_count(from) && code == SQLITE_OK; i++) {
        code = sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
    }
    if (code == SQLITE_OK) {
        (void)sqlite3_step(to);
        code = sqlite3_reset(to); // the step's code
    }
    return code;
}

// copy copies rows of a table up to the first unreadable one, which it counts.
static lp_err
copy(salvage *s, const char *table, const char *condition, const char *session_id, int64_t ordinal,
    bool *out_is_read)
{
    sqlite3_stmt *from = NULL;
    sqlite3_stmt *to = NULL;
    int code = prepare_copy(s, table, condition, &from, &to);
    if (code == SQLITE_OK) {
        bind_key(from, session_id, ordinal);
    }
    while (code == SQLITE_OK && (code = sqlite3_step(from)) == SQLITE_ROW) {
        code = copy_row(from, to);
    }
    (void)sqlite3_finalize(from);
    (void)sqlite3_finalize(to);
    lp_err err = catalog_sqlite_err(code);
    *out_is_read = err == LP_OK;
    if (err == LP_ECORRUPT || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT) {
        s->unreadable++;
        return LP_OK;
    }
    return err;
}

// These mark chunks as uncovered (catalog_ids.h).
#define UNCOVER                                                                                    \
    "UPDATE chunk SET ids_hour = NULL WHERE NOT EXISTS (SELECT 1 FROM chunk_ids i"                 \
    " WHERE i.session_id = chunk.session_id AND i.ordinal = chunk.ordinal)"

static const char uncover_all_sql[] = UNCOVER;
static const char uncover_session_sql[] = UNCOVER " AND session_id = ?1";
static const char uncover_hours_sql[] =
    UNCOVER " AND ids_hour NOT IN (SELECT hour FROM id_segment)";

static lp_err
uncover(salvage *s, const char *sql, const char *session_id)
{
    salvage_check(s);
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK) {
        bind_key(stmt, session_id, 0);
        (void)sqlite3_step(stmt);
        code = sqlite3_finalize(stmt); // the step's code
    }
    return catalog_sqlite_err(code);
}

// last_chunk returns the ordinal of the session's last readable chunk in the old catalog, -1 if
// none.
static int64_t
last_chunk(salvage *s, const char *session_id)
{
    salvage_check(s);
    sqlite3_stmt *stmt;
    int64_t last = -1;
    if (sqlite3_prepare_v2(s->old, "SELECT max(ordinal) FROM chunk WHERE session_id = ?", -1, &stmt,
            NULL) == SQLITE_OK) {
        (void)sqlite3_bind_text(stmt, 1, session_id, -1, SQLITE_STATIC);
        if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) == SQLITE_INTEGER) {
            last = sqlite3_column_int64(stmt, 0);
        }
        (void)sqlite3_finalize(stmt);
    }
    return last;
}

// copy_rows copies a table's rows of a session's chunks. *out_is_read: all were readable.
static lp_err
copy_rows(salvage *s, const char *table, const char *session_id, bool *out_is_read)
{
    salvage_check(s);
    enum { CHUNKS_MAX = 1 << 20 }; // a higher ordinal is damage
    lp_err err = copy(s, table, OF_SESSION_CHUNKS, session_id, 0, out_is_read);
    if (err == LP_OK && !*out_is_read) {
        int64_t last = last_chunk(s, session_id);
        for (int64_t n = 0; n <= last && n < CHUNKS_MAX && err == LP_OK; n++) {
            bool ignored;
            err = copy(s, table, OF_CHUNK, session_id, n, &ignored);
        }
    }
    return err;
}

static lp_err
copy_chunks(salvage *s, const char *session_id)
{
    // Rows of chunks first: the others belong to them.
    static const char *const tables[] = {"chunk", "chunk_type", "chunk_dropped", "chunk_rollup"};
    lp_err err = LP_OK;
    bool is_read;
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        LP_THEN(err, copy_rows(s, tables[i], session_id, &is_read));
    }
    LP_THEN(err, copy_rows(s, "chunk_ids", session_id, &is_read));
    if (err == LP_OK && !is_read) { // a segment of the same hour need not have these ids
        err = uncover(s, uncover_session_sql, session_id);
    }
    return err;
}

static lp_err
copy_session(salvage *s, const char *session_id)
{
    salvage_check(s);
    static const char *const tables[] = {"carry", "session_loss", "removal"};
    bool is_read;
    lp_err err = copy(s, "session", "id = ?1", session_id, 0, &is_read);
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        LP_THEN(err, copy(s, tables[i], OF_SESSION, session_id, 0, &is_read));
    }
    return err == LP_OK ? copy_chunks(s, session_id) : err;
}

static lp_err
list_sessions(salvage *s, blob_list_sessions *list)
{
    salvage_check(s);
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(s->old, "SELECT id FROM session", -1, &stmt, NULL) != SQLITE_OK) {
        return LP_OK;
    }
    lp_err err = LP_OK;
    while (err == LP_OK && sqlite3_step(stmt) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(stmt, 0);
        if (id == NULL || !catalog_id_is_valid(id)) {
            continue;
        }
        blob_list_session session;
        memcpy(session.id, id, sizeof(session.id));
        err = LP_VEC_ADD(list, session);
    }
    (void)sqlite3_finalize(stmt); // an error of the last step is more damage
    return err;
}

static lp_err
copy_alone(salvage *s, const char *session_id)
{
    lp_err err = catalog_sqlite_err(sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    if (err == LP_OK) {
        err = copy_session(s, session_id);
        int code = sqlite3_exec(s->db, err == LP_OK ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
        LP_THEN(err, catalog_sqlite_err(code));
    }
    return err;
}

static lp_err
copy_all(salvage *s, const catalog_check_config *config, const blob_list_sessions *list)
{
    salvage_check(s);
    lp_err err = LP_OK;
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        err = is_ending(config) ? LP_ECLOSED : copy_alone(s, list->items[i].id);
    }
    return err;
}

static lp_err
copy_segments(salvage *s)
{
    salvage_check(s);
    bool is_read;
    lp_err err = copy(s, "id_segment", "true", "", 0, &is_read);
    return err == LP_OK ? uncover(s, is_read ? uncover_hours_sql : uncover_all_sql, "") : err;
}

static lp_err
open_old(salvage *s, const char *path)
{
    int code = open_unchanged(path, &s->old);
    if (code == SQLITE_OK) {
        code = read_version(s->old, &s->version);
    }
    if (code == SQLITE_OK && (s->version < 1 || s->version > CATALOG_SCHEMA_VERSION)) {
        return LP_EVERSION;
    }
    return code == SQLITE_ERROR || code == SQLITE_CANTOPEN ? LP_ECORRUPT : catalog_sqlite_err(code);
}

static lp_err
salvage_into(salvage *s, const char *path, const catalog_check_config *config,
    const blob_list_sessions *known)
{
    blob_list_sessions listed = {0};
    lp_err err = open_old(s, path);
    LP_THEN(err, catalog_sqlite_err(catalog_schema_make(s->db, s->version)));
    LP_THEN(err, list_sessions(s, &listed));
    LP_THEN(err, copy_all(s, config, &listed));
    LP_THEN(err, copy_all(s, config, known));
    LP_THEN(err, copy_segments(s));
    LP_VEC_FINI(&listed);
    return err;
}

lp_err
catalog_salvage(const char *to, const char *path, const catalog_check_config *config,
    const blob_list_sessions *known, uint64_t *out_unreadable)
{
    salvage s = {0};
    int code = catalog_sqlite_connect(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &s.db);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(
            s.db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    }
    lp_err err = catalog_sqlite_err(code);
    LP_THEN(err, salvage_into(&s, path, config, known));
    *out_unreadable = s.unreadable;
    (void)sqlite3_close(s.old);
    (void)sqlite3_close(s.db);
    return err;
}
