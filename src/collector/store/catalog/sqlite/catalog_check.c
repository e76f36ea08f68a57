// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/sqlite/catalog_check.h"

#include "collector/store/catalog/sqlite/catalog_schema.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OPCODES_PER_LOOK = 20000 }; // of SQLite's machine: some 100 us

// A row with another number would be taken for another chunk's.
#define IS_CHUNK_NUMBER "typeof(ordinal) = 'integer' AND ordinal BETWEEN 0 AND 0xffffffff"

static int64_t
now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

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

// on_progress returns whether the statement is to be interrupted.
static int
on_progress(void *arg)
{
    check *c = arg;
    c->is_ending = is_ending(c->config);
    c->is_late = c->end_ns != 0 && now_ns() > c->end_ns;
    return c->is_ending || c->is_late;
}

// on_fault takes a row of a check: "ok", or what is wrong.
static int
on_fault(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    check *c = arg;
    const char *text = values[0] == NULL ? "" : values[0];
    if (!c->has_fault && strcmp(text, "ok") != 0) {
        c->has_fault = true;
        const char *line = strrchr(text, '\n'); // a heading comes before it
        (void)lp_problem_set(c->problem, LP_ECORRUPT, "%s", line == NULL ? text : line + 1);
    }
    return 0;
}

// run_check runs one check, and returns SQLite's code.
static int
run_check(sqlite3 *db, check *c, const char *sql)
{
    int code = sqlite3_exec(db, sql, on_fault, c, NULL);
    if (code == SQLITE_INTERRUPT) {
        return SQLITE_OK; // *c knows why
    }
    lp_err err = catalog_sqlite_err(code);
    // A damaged schema is an error without a code of its own.
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
        c->end_ns = c->config->budget_ns == 0 ? 0 : now_ns() + c->config->budget_ns;
        code = run_check(
            db, c, c->config->is_thorough ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)");
    }
    return code;
}

static int
on_version(void *arg, int column_count, char **values, char **names)
{
    (void)column_count;
    (void)names;
    *(long *)arg = values[0] == NULL ? 0 : strtol(values[0], NULL, 10);
    return 0;
}

static int
check_opened(sqlite3 *db, check *c)
{
    long version = 0;
    int code = sqlite3_exec(
        db, "PRAGMA cell_size_check = ON; PRAGMA user_version", on_version, &version, NULL);
    if (catalog_sqlite_err(code) == LP_ECORRUPT) {
        c->has_fault = true;
        (void)lp_problem_set(c->problem, LP_ECORRUPT, "%s", sqlite3_errmsg(db));
        return SQLITE_OK;
    }
    bool is_other = version > CATALOG_SCHEMA_VERSION; // of which nobody here knows the tables
    return code == SQLITE_OK && !is_other ? run_checks(db, c, version > 0) : code;
}

static lp_err
state_of(const check *c, catalog_check_state *out_state)
{
    if (c->is_ending) {
        return LP_ECLOSED;
    }
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
    int code = catalog_sqlite_connect(path, SQLITE_OPEN_READWRITE, &db);
    if (code == SQLITE_OK) {
        // Else the last to close it writes what the log has, which is for the program that uses it.
        code = sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
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
        // SQLite says so too where the disk fails to read, which it may do once and no more.
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
        if (rename(old_name, new_name) != 0 && errno != ENOENT) {
            return LP_EIO;
        }
    }
    (void)snprintf(old_name, sizeof(old_name), "%s-shm", path);
    return unlink(old_name) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
}

// --- Salvage

typedef struct salvage {
    sqlite3 *db;  // of the new catalog, with the damaged one as `old`
    long version; // of both
    uint64_t unreadable;
} salvage;

// copy runs a statement that copies rows, of a session and, where it has a second value, of a
// chunk. Rows that cannot be read are counted, and all of the statement is undone.
static lp_err
copy(salvage *s, const char *sql, const char *session_id, int64_t ordinal, bool *out_is_read)
{
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK) {
        if (sqlite3_bind_parameter_count(stmt) > 0) {
            (void)sqlite3_bind_text(stmt, 1, session_id, -1, SQLITE_STATIC);
        }
        if (sqlite3_bind_parameter_count(stmt) > 1) {
            (void)sqlite3_bind_int64(stmt, 2, ordinal);
        }
        (void)sqlite3_step(stmt);
        code = sqlite3_finalize(stmt); // the step's code
    }
    lp_err err = catalog_sqlite_err(code);
    *out_is_read = err == LP_OK;
    if (err == LP_ECORRUPT || code == SQLITE_ERROR || code == SQLITE_CONSTRAINT) {
        s->unreadable++;
        return LP_OK;
    }
    return err;
}

#define COPY(table, key)                                                                           \
    "INSERT OR IGNORE INTO main." table " SELECT * FROM old." table " WHERE " key

// What a session has.
static const char *const session_copies[] = {
    COPY("session", "id = ?1"),
    COPY("carry", "session_id = ?1"),
    COPY("session_loss", "session_id = ?1"),
    COPY("removal", "session_id = ?1"),
};

// What a chunk has: all of a session's at once, or else those of one chunk.
typedef struct chunk_copy {
    const char *of_session;
    const char *of_chunk;
} chunk_copy;

#define CHUNK_COPY(table)                                                                          \
    {                                                                                              \
        COPY(table, "session_id = ?1 AND " IS_CHUNK_NUMBER),                                       \
            COPY(table, "session_id = ?1 AND ordinal = ?2")                                        \
    }

static const chunk_copy chunk_copies[] = {
    CHUNK_COPY("chunk"), // first: what the others have is of chunks
    CHUNK_COPY("chunk_type"),
    CHUNK_COPY("chunk_dropped"),
    CHUNK_COPY("chunk_rollup"),
    CHUNK_COPY("chunk_ids"),
};

// Segments of the index, and which chunks nothing has the ids of then.
static const char segments_sql[] =
    "INSERT OR IGNORE INTO main.id_segment SELECT * FROM old.id_segment";
static const char uncovered_sql[] =
    "UPDATE main.chunk SET ids_hour = NULL"
    " WHERE ids_hour NOT IN (SELECT hour FROM main.id_segment) AND NOT EXISTS"
    " (SELECT 1 FROM main.chunk_ids i WHERE i.session_id = chunk.session_id AND i.ordinal = "
    "chunk.ordinal)";

// last_chunk returns the number of the last chunk that the old catalog has of a session as far as
// can be read, -1 if none.
static int64_t
last_chunk(salvage *s, const char *session_id)
{
    sqlite3_stmt *stmt;
    int64_t last = -1;
    if (sqlite3_prepare_v2(s->db, "SELECT max(ordinal) FROM old.chunk WHERE session_id = ?", -1,
            &stmt, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_text(stmt, 1, session_id, -1, SQLITE_STATIC);
        if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) == SQLITE_INTEGER) {
            last = sqlite3_column_int64(stmt, 0);
        }
        (void)sqlite3_finalize(stmt);
    }
    return last;
}

static lp_err
copy_chunks(salvage *s, const char *session_id)
{
    enum { CHUNKS_MAX = 1 << 20 }; // a number above it is no number of a chunk any more
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(chunk_copies) / sizeof(chunk_copies[0]) && err == LP_OK; i++) {
        bool is_read;
        err = copy(s, chunk_copies[i].of_session, session_id, 0, &is_read);
        if (err != LP_OK || is_read) {
            continue;
        }
        int64_t last = last_chunk(s, session_id);
        for (int64_t n = 0; n <= last && n < CHUNKS_MAX && err == LP_OK; n++) {
            err = copy(s, chunk_copies[i].of_chunk, session_id, n, &is_read);
        }
    }
    return err;
}

static lp_err
copy_session(salvage *s, const char *session_id)
{
    lp_err err = LP_OK;
    bool is_read;
    for (size_t i = 0; i < sizeof(session_copies) / sizeof(session_copies[0]); i++) {
        if (err == LP_OK) {
            err = copy(s, session_copies[i], session_id, 0, &is_read);
        }
    }
    return err == LP_OK ? copy_chunks(s, session_id) : err;
}

// list_sessions lists the sessions of the old catalog as far as they can be read.
static lp_err
list_sessions(salvage *s, blob_list_sessions *list)
{
    sqlite3_stmt *stmt;
    if (sqlite3_prepare_v2(s->db, "SELECT id FROM old.session", -1, &stmt, NULL) != SQLITE_OK) {
        return LP_OK;
    }
    lp_err err = LP_OK;
    while (err == LP_OK && sqlite3_step(stmt) == SQLITE_ROW) {
        const char *id = (const char *)sqlite3_column_text(stmt, 0);
        if (id == NULL || !catalog_id_is_valid(id)) {
            continue;
        }
        blob_list_session *item = LP_VEC_PUSH(list);
        err = item == NULL ? LP_ENOMEM : LP_OK;
        if (err == LP_OK) {
            memcpy(item->id, id, sizeof(item->id));
        }
    }
    (void)sqlite3_finalize(stmt); // an error of the last step is damage, which is why we are here
    return err;
}

static lp_err
copy_all(salvage *s, const catalog_check_config *config, const blob_list_sessions *list)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        if (is_ending(config)) {
            return LP_ECLOSED;
        }
        err = catalog_sqlite_err(sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
        if (err == LP_OK) {
            err = copy_session(s, list->items[i].id);
            int code = sqlite3_exec(s->db, err == LP_OK ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
            err = err == LP_OK ? catalog_sqlite_err(code) : err;
        }
    }
    return err;
}

// copy_segments copies what there is of the index.
static lp_err
copy_segments(salvage *s)
{
    bool is_read;
    lp_err err = copy(s, segments_sql, "", 0, &is_read);
    int code = sqlite3_exec(s->db, uncovered_sql, NULL, NULL, NULL);
    return err == LP_OK ? catalog_sqlite_err(code) : err;
}

// attach makes the damaged catalog readable as `old`.
static lp_err
attach(salvage *s, const char *path)
{
    char *sql = sqlite3_mprintf("ATTACH %Q AS old", path);
    if (sql == NULL) {
        return LP_ENOMEM;
    }
    int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(s->db, "PRAGMA old.cell_size_check = ON; PRAGMA old.user_version",
            on_version, &s->version, NULL);
    }
    if (code == SQLITE_OK && (s->version < 1 || s->version > CATALOG_SCHEMA_VERSION)) {
        return LP_EVERSION;
    }
    return code == SQLITE_ERROR || code == SQLITE_CANTOPEN ? LP_ECORRUPT : catalog_sqlite_err(code);
}

// salvage_into copies what can be read into a database without tables.
static lp_err
salvage_into(salvage *s, const char *path, const catalog_check_config *config,
    const blob_list_sessions *known)
{
    blob_list_sessions listed = {0};
    lp_err err = attach(s, path);
    if (err == LP_OK) {
        err = catalog_sqlite_err(catalog_schema_make(s->db, s->version));
    }
    if (err == LP_OK) {
        err = list_sessions(s, &listed);
    }
    if (err == LP_OK) {
        err = copy_all(s, config, &listed);
    }
    if (err == LP_OK) {
        err = copy_all(s, config, known);
    }
    if (err == LP_OK) {
        err = copy_segments(s);
    }
    LP_VEC_FINI(&listed);
    return err;
}

lp_err
catalog_salvage(const char *to, const char *path, const catalog_check_config *config,
    const blob_list_sessions *known, uint64_t *out_unreadable)
{
    salvage s = {0};
    int code = catalog_sqlite_connect(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &s.db);
    if (code == SQLITE_OK) { // the damaged one stays as it is, its log with it
        code = sqlite3_db_config(s.db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(
            s.db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    }
    lp_err err = catalog_sqlite_err(code);
    if (err == LP_OK) {
        err = salvage_into(&s, path, config, known);
    }
    *out_unreadable = s.unreadable;
    (void)sqlite3_close(s.db);
    return err;
}
