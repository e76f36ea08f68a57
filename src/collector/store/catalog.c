// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog.h"

#include "collector/store/catalog_db.h"
#include "collector/store/catalog_schema.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
catalog_id_is_valid(const char *text)
{
    size_t len = strspn(text, "0123456789abcdef");
    return len == CATALOG_ID_CHARS && text[len] == '\0';
}

static lp_err
ensure_schema(
    catalog *opened, bool is_reader, const char *path, int *out_code, lp_problem *out_problem)
{
    long version;
    *out_code = catalog_schema_ensure(opened->db, is_reader, &version);
    if (*out_code == SQLITE_OK && version != CATALOG_SCHEMA_VERSION) {
        return lp_problem_set(out_problem, LP_EVERSION,
            "%s: catalog of version %ld, this program reads version %d", path, version,
            CATALOG_SCHEMA_VERSION);
    }
    // Tables that are not those of their version are an error without a code of its own.
    return *out_code == SQLITE_ERROR ? LP_ECORRUPT : catalog_db_err(*out_code);
}

static lp_err
open_with(const char *path, bool is_reader, catalog **out_catalog, lp_problem *out_problem)
{
    catalog *opened = calloc(1, sizeof(*opened));
    if (opened == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    }
    int flags = is_reader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int code = catalog_db_open(path, flags, &opened->db);
    if (code == SQLITE_OK) {
        code = sqlite3_busy_timeout(opened->db, CATALOG_BUSY_MS_MAX);
    }
    if (code == SQLITE_OK && !is_reader) {
        code = sqlite3_exec(
            opened->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    }
    lp_err err = catalog_db_err(code);
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

// settle brings all that the database has to the disk. What another process left in the log, which
// SQLite has checked by its checksums, goes into the database, as that process may have failed to
// sync it. Where somebody else reads, a part of it stays in the log.
static lp_err
settle(catalog *opened, const char *path, lp_problem *out_problem)
{
    int code = sqlite3_wal_checkpoint_v2(opened->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && code != SQLITE_BUSY) {
        return lp_problem_set(
            out_problem, catalog_db_err(code), "%s: %s", path, sqlite3_errmsg(opened->db));
    }
    lp_err err = catalog_sync(opened);
    if (err == LP_OK) {
        err = lp_io_sync_name(path);
    }
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: cannot be brought to the disk: %s",
                              path, lp_err_reason(err));
}

lp_err
catalog_open(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    catalog *opened;
    lp_err err = open_with(path, false, &opened, out_problem);
    if (err == LP_OK) {
        err = settle(opened, path, out_problem);
        if (err != LP_OK) {
            catalog_close(opened);
            return err;
        }
        *out_catalog = opened;
    }
    return err;
}

lp_err
catalog_open_reader(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    return open_with(path, true, out_catalog, out_problem);
}

lp_err
catalog_open_log(catalog *self, int *out_fd)
{
    const char *path = sqlite3_filename_wal(sqlite3_db_filename(self->db, "main"));
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return LP_EIO;
    }
    *out_fd = fd;
    return LP_OK;
}

lp_err
catalog_sync(catalog *self)
{
    int fd = -1;
    lp_err err = catalog_open_log(self, &fd);
    if (err != LP_OK) {
        return err;
    }
    err = fdatasync(fd) == 0 ? LP_OK : LP_EIO;
    int saved_errno = errno;
    (void)close(fd);
    errno = saved_errno;
    return err;
}

unsigned
catalog_count_changes(catalog *self)
{
    return (unsigned)sqlite3_total_changes(self->db);
}

void
catalog_close(catalog *self)
{
    if (self == NULL) {
        return;
    }
    for (int i = 0; i < CATALOG_DB_STATEMENT_COUNT; i++) {
        (void)sqlite3_finalize(self->statements[i]);
    }
    (void)sqlite3_close(self->db);
    free(self);
}
