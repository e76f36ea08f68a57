// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/sqlite/catalog_sqlite.h"

#include "collector/store/catalog/sqlite/catalog_schema.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CARRY_PIECE_BYTES = 1 << 20,
    CARRY_BYTES_MAX = 1000000000, // SQLite's limit for a value
};

static const char *const statement_sql[CATALOG_DB_STATEMENT_COUNT] = {
#define LOUPE_STATEMENT(id, sql)               [CATALOG_DB_##id] = (sql),
#define LOUPE_STATEMENTS(id, sqlite, postgres) [CATALOG_DB_##id] = (sqlite),
#include "collector/store/catalog/catalog_statements.def"
#undef LOUPE_STATEMENT
#undef LOUPE_STATEMENTS
};

typedef struct catalog_sqlite {
    catalog base; // first
    sqlite3 *db;
    sqlite3_stmt *statements[CATALOG_DB_STATEMENT_COUNT]; // prepared at their first use
} catalog_sqlite;

// sqlite_check returns the driver's object of a catalog.
static catalog_sqlite *
sqlite_check(const catalog *base)
{
    catalog_sqlite *self = (catalog_sqlite *)(uintptr_t)base; // base is its first member
    LP_ASSERT(self->base.driver != NULL && self->db != NULL);
    return self;
}

sqlite3 *
catalog_sqlite_get_db(const catalog *self)
{
    return sqlite_check(self)->db;
}

lp_err
catalog_sqlite_err(int code)
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

// set_up switches off SQLite's count of memory. It holds one lock during malloc: a thread of low
// priority would make all others wait.
static void
set_up(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); // fails if SQLite was used before
}

// has_hash is an SQL function: whether the first value, an array of 8-byte hashes, has the second.
static void
has_hash(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint64_t wanted = 0;
    uint64_t hash;
    bool has = false;
    const uint8_t *hashes = sqlite3_value_blob(values[0]);
    size_t size = (size_t)sqlite3_value_bytes(values[0]);
    const void *bytes = sqlite3_value_blob(values[1]);
    if (count == 2 && bytes != NULL && sqlite3_value_bytes(values[1]) == sizeof(wanted)) {
        memcpy(&wanted, bytes, sizeof(wanted));
        for (size_t at = 0; at + sizeof(hash) <= size && !has; at += sizeof(hash)) {
            memcpy(&hash, hashes + at, sizeof(hash));
            has = hash == wanted;
        }
    }
    sqlite3_result_int(context, has);
}

int
catalog_sqlite_connect(const char *path, int flags, sqlite3 **out_db)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_up);
    int code = sqlite3_open_v2(path, out_db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    return code == SQLITE_OK ? sqlite3_create_function(*out_db, "has_hash", 2,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, has_hash, NULL, NULL)
                             : code;
}

// --- Calls

static lp_err
start_call(catalog_db_call *call)
{
    catalog_sqlite *self = sqlite_check(call->of);
    LP_ASSERT(call->which < CATALOG_DB_STATEMENT_COUNT);
    sqlite3_stmt **stmt = &self->statements[call->which];
    if (*stmt == NULL) {
        int code = sqlite3_prepare_v3(
            self->db, statement_sql[call->which], -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
        LP_REQUIRE(code == SQLITE_OK, catalog_sqlite_err(code));
    }
    call->rows = *stmt;
    return LP_OK;
}

static int
bind_value(sqlite3_stmt *stmt, int at, const catalog_db_value *value)
{
    const char *bytes = (const char *)value->bytes.ptr;
    switch (value->kind) {
    case CATALOG_DB_INT:
        return sqlite3_bind_int64(stmt, at, value->number);
    case CATALOG_DB_TEXT:
        return sqlite3_bind_text64(stmt, at, bytes, value->bytes.len, SQLITE_STATIC, SQLITE_UTF8);
    case CATALOG_DB_BYTES: // a NULL pointer would be bound as NULL, not as no bytes
        return sqlite3_bind_blob64(
            stmt, at, value->bytes.len == 0 ? "" : bytes, value->bytes.len, SQLITE_STATIC);
    case CATALOG_DB_NULL:
    default:
        return sqlite3_bind_null(stmt, at);
    }
}

static int
bind_values(const catalog_db_call *call)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < call->value_count && code == SQLITE_OK; i++) {
        code = bind_value(call->rows, (int)i + 1, &call->values[i]);
    }
    return code;
}

// find_error returns the errno of a failed step; system_error is errno after the step.
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

// call_check returns the statement of a call that was started.
static sqlite3_stmt *
call_check(const catalog_db_call *call)
{
    LP_ASSERT(call->which < CATALOG_DB_STATEMENT_COUNT && call->rows != NULL);
    LP_ASSERT(call->rows == sqlite_check(call->of)->statements[call->which]);
    return call->rows;
}

static bool
step(catalog_db_call *call)
{
    call_check(call);
    sqlite3 *db = sqlite_check(call->of)->db;
    errno = 0;
    int code = call->has_begun ? SQLITE_OK : bind_values(call);
    if (code == SQLITE_OK) {
        code = sqlite3_step(call->rows);
    }
    call->err = catalog_sqlite_err(code);
    if (call->err == LP_EIO) {
        call->error = find_error(db, errno);
    }
    if (code == SQLITE_DONE) {
        call->changed_count = (uint64_t)sqlite3_changes(db);
    }
    return code == SQLITE_ROW;
}

static void
finish_call(catalog_db_call *call)
{
    call_check(call);
    (void)sqlite3_reset(call->rows); // repeats the error of the last step
    (void)sqlite3_clear_bindings(call->rows);
}

// get returns no text also if memory ran out in SQLite's conversion.
static catalog_db_value
get(catalog_db_call *call, int column, catalog_db_kind kind)
{
    call_check(call);
    if (kind == CATALOG_DB_INT) {
        return catalog_db_int(sqlite3_column_int64(call->rows, column));
    }
    if (kind == CATALOG_DB_TEXT) {
        return catalog_db_text((const char *)sqlite3_column_text(call->rows, column));
    }
    bool is_null = sqlite3_column_type(call->rows, column) != SQLITE_BLOB;
    const void *bytes = sqlite3_column_blob(call->rows, column); // before its length
    return (catalog_db_value){.kind = is_null ? CATALOG_DB_NULL : kind,
        .bytes = {bytes, (size_t)sqlite3_column_bytes(call->rows, column)}};
}

static lp_err
write_carry(sqlite3 *db, lp_slice carry)
{
    LP_ASSERT(sqlite3_get_autocommit(db) == 0);
    sqlite3_blob *blob;
    int code =
        sqlite3_blob_open(db, "main", "carry", "bytes", sqlite3_last_insert_rowid(db), 1, &blob);
    for (size_t done = 0; code == SQLITE_OK && done < carry.len; done += CARRY_PIECE_BYTES) {
        size_t left = carry.len - done;
        size_t size = left < CARRY_PIECE_BYTES ? left : CARRY_PIECE_BYTES;
        code = sqlite3_blob_write(blob, carry.ptr + done, (int)size, (int)done);
    }
    int closed = sqlite3_blob_close(blob);
    return catalog_sqlite_err(code == SQLITE_OK ? closed : code);
}

// put_carry writes the carry-over piece by piece: with millions of contexts it is large, and SQLite
// would hold a second copy in memory.
static lp_err
put_carry(catalog *base, const char *session_id, lp_slice carry)
{
    LP_REQUIRE(carry.len <= CARRY_BYTES_MAX, LP_ELIMIT);
    LP_TRY(CATALOG_DB_RUN(base, PUT_CARRY, session_id, carry.len));
    return write_carry(sqlite_check(base)->db, carry);
}

// --- The whole

static lp_err
open_log(catalog *base, int *out_fd)
{
    const char *path = sqlite3_filename_wal(sqlite3_db_filename(sqlite_check(base)->db, "main"));
    int fd = open(path, O_RDWR | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, LP_EIO);
    *out_fd = fd;
    return LP_OK;
}

static lp_err
sync_log(catalog *base)
{
    int fd = -1;
    LP_TRY(open_log(base, &fd));
    lp_err err = fdatasync(fd) == 0 ? LP_OK : LP_EIO;
    lp_io_close(fd);
    return err;
}

static unsigned
count_changes(catalog *base)
{
    return (unsigned)sqlite3_total_changes(sqlite_check(base)->db);
}

static void
destroy(catalog_sqlite *self)
{
    for (int i = 0; i < CATALOG_DB_STATEMENT_COUNT; i++) {
        (void)sqlite3_finalize(self->statements[i]);
    }
    (void)sqlite3_close(self->db);
    free(self);
}

static void
close_catalog(catalog *base)
{
    destroy(sqlite_check(base));
}

static const catalog_db_driver driver = {
    .start = start_call,
    .step = step,
    .finish = finish_call,
    .get = get,
    .put_carry = put_carry,
    .open_log = open_log,
    .sync = sync_log,
    .count_changes = count_changes,
    .close = close_catalog,
};

// --- Opening

static lp_err
ensure_schema(catalog_sqlite *opened, bool is_reader, const char *path, int *out_code,
    lp_problem *out_problem)
{
    long version;
    bool is_other = false;
    *out_code = catalog_schema_ensure(opened->db, is_reader, &version);
    if (*out_code == SQLITE_OK && version == CATALOG_SCHEMA_VERSION) {
        *out_code = sqlite3_exec(opened->db, catalog_schema_columns_sql, NULL, NULL, NULL);
        if (*out_code == SQLITE_OK) {
            *out_code =
                sqlite3_exec(opened->db, catalog_schema_chunk_columns_sql, NULL, NULL, NULL);
        }
        is_other = *out_code == SQLITE_ERROR;
    }
    if (is_other || (*out_code == SQLITE_OK && version != CATALOG_SCHEMA_VERSION)) {
        char text[CATALOG_SCHEMA_TEXT_BYTES];
        *out_code = SQLITE_OK;
        catalog_schema_refuse(version, "data directory", text);
        return lp_problem_set(out_problem, LP_EVERSION, "%s: %s", path, text);
    }
    // Wrong tables for their version are an SQLITE_ERROR.
    return *out_code == SQLITE_ERROR ? LP_ECORRUPT : catalog_sqlite_err(*out_code);
}

static lp_err
open_database(catalog_sqlite *opened, const char *path, bool is_reader, lp_problem *out_problem)
{
    int flags = is_reader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = catalog_sqlite_connect(path, flags, &opened->db);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(opened->db, CATALOG_SQLITE_BUSY_MS_MAX);
    }
    if (code == SQLITE_OK && !is_reader) {
        code = sqlite3_exec(
            opened->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    }
    lp_err err = catalog_sqlite_err(code);
    if (code == SQLITE_CANTOPEN && is_reader) {
        err = LP_ENOENT;
    }
    LP_THEN(err, ensure_schema(opened, is_reader, path, &code, out_problem));
    if (code != SQLITE_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", path,
            opened->db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(opened->db));
    }
    return err;
}

// settle syncs the database and its log to the disk. It first copies the log of an earlier process,
// which may not have synced it, into the database; SQLite has verified its checksums. Pages that
// another connection reads stay in the log.
static lp_err
settle(catalog_sqlite *opened, const char *path, lp_problem *out_problem)
{
    int code = sqlite3_wal_checkpoint_v2(opened->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    LP_REQUIRE(code == SQLITE_OK || code == SQLITE_BUSY,
        lp_problem_set(
            out_problem, catalog_sqlite_err(code), "%s: %s", path, sqlite3_errmsg(opened->db)));
    lp_err err = sync_log(&opened->base);
    LP_THEN(err, lp_io_sync_name(path));
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: cannot be synced to the disk: %s",
                              path, lp_err_reason(err));
}

lp_err
catalog_sqlite_open(
    const char *path, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem)
{
    const bool is_reader = use == CATALOG_DB_READS;
    catalog_sqlite *opened = calloc(1, sizeof(*opened));
    LP_REQUIRE(opened != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path));
    opened->base.driver = &driver;
    lp_err err = open_database(opened, path, is_reader, out_problem);
    LP_THEN(err, !is_reader ? settle(opened, path, out_problem) : LP_OK);
    if (err != LP_OK) {
        destroy(opened);
        return err;
    }
    *out_catalog = &opened->base;
    return LP_OK;
}
