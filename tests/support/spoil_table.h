// SPDX-License-Identifier: Apache-2.0
// spoil_table: a table of an SQLite database whose first page is none.

#pragma once

#include <fcntl.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// spoil_table_find returns where in its file the first page of a table is, in bytes, once all that
// is in the write-ahead log is in the file.
static inline off_t
spoil_table_find(const char *path, const char *table)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                         "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size)"
                         " FROM sqlite_schema WHERE name = ?",
                         -1, &stmt, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    off_t at = sqlite3_column_int64(stmt, 0);
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return at;
}

static inline void
spoil_table(const char *path, const char *table)
{
    uint8_t garbage[512];
    memset(garbage, 0xa5, sizeof(garbage));
    off_t at = spoil_table_find(path, table);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, garbage, sizeof(garbage), at), sizeof(garbage));
    assert_int_equal(close(fd), 0);
}
