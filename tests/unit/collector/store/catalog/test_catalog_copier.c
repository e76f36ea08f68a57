// SPDX-License-Identifier: Apache-2.0
// The copier of a catalog's log: commits do not change the database until they are copied; then the
// database has all of them, and the log restarts. Without a copier the log has a limit. Readers and
// concurrent commits lose nothing.

#include "support/temp_dir.h"

#include "collector/store/catalog/sqlite/catalog_copier.h"

#include <pthread.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { CARRY_BYTES = 4 << 20, CARRY_PAGES = CARRY_BYTES / 4096 };

typedef struct fixture {
    temp_dir dir;
    char path[300];
    catalog *catalog;
    catalog_copier *copier;
    uint32_t chunks; // committed
    uint8_t *carry;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    f->carry = calloc(1, CARRY_BYTES);
    (void)snprintf(f->path, sizeof(f->path), "%s/catalog.db", f->dir.path);
    assert_int_equal(catalog_open(f->path, &f->catalog, NULL), LP_OK);
    assert_int_equal(catalog_copier_create(f->catalog, &f->copier), LP_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    catalog_copier_destroy(f->copier);
    catalog_close(f->catalog);
    temp_dir_remove(&f->dir);
    free(f->carry);
    free(f);
    return 0;
}

static off_t
size_of(const fixture *f, const char *suffix)
{
    char path[310];
    struct stat info;
    (void)snprintf(path, sizeof(path), "%s%s", f->path, suffix);
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

// commit commits a chunk of another session with a carry-over of this size.
static void
commit(fixture *f, size_t carry_bytes)
{
    char empty[] = "";
    char types[] = "{}";
    catalog_session session = {
        .service = empty,
        .instance = empty,
        .jvm_name = empty,
        .jvm_version = empty,
    };
    (void)snprintf(session.id, sizeof(session.id), "%032x", (unsigned)f->chunks++);
    const catalog_chunk chunk = {.types_json = types};
    assert_int_equal(
        catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){f->carry, carry_bytes}), LP_OK);
}

static uint32_t
count_chunks(sqlite3 *db)
{
    sqlite3_stmt *count;
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT count(*) FROM chunk", -1, &count, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(count), SQLITE_ROW);
    uint32_t found = (uint32_t)sqlite3_column_int64(count, 0);
    (void)sqlite3_finalize(count);
    return found;
}

// count_copied returns how many chunks the database has without its log.
static uint32_t
count_copied(const fixture *f)
{
    char uri[400];
    sqlite3 *db;
    (void)snprintf(uri, sizeof(uri), "file:%s?immutable=1", f->path);
    assert_int_equal(
        sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), SQLITE_OK);
    uint32_t found = count_chunks(db);
    (void)sqlite3_close(db);
    return found;
}

static void
test_commits_do_not_copy(void **state)
{
    fixture *f = *state;
    off_t before = size_of(f, "");
    assert_false(catalog_copier_is_due(f->copier));
    for (int i = 0; i < 4; i++) {
        commit(f, CARRY_BYTES);
    }
    assert_true(catalog_copier_is_due(f->copier));
    assert_int_equal(size_of(f, ""), before);
    assert_int_equal(count_copied(f), 0);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK);
    assert_int_equal(count_copied(f), 4);
    assert_true(size_of(f, "") > CARRY_BYTES);
    off_t log = size_of(f, "-wal");
    for (int i = 0; i < 3; i++) { // it restarts
        commit(f, i == 0 ? 1 : CARRY_BYTES);
        assert_int_equal(catalog_copier_is_due(f->copier), i > 0);
    }
    assert_int_equal(size_of(f, "-wal"), log);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK);
    assert_int_equal(count_copied(f), 7);
}

static void
test_the_log_has_a_limit(void **state)
{
    fixture *f = *state;
    const off_t frame_bytes = 24 + 4096;
    for (int i = 0; i < 2 * CATALOG_COPIER_PAGES_MAX / CARRY_PAGES; i++) {
        commit(f, CARRY_BYTES);
    }
    assert_true(count_copied(f) > 0);
    assert_true(size_of(f, "-wal") < (CATALOG_COPIER_PAGES_MAX + 2 * CARRY_PAGES) * frame_bytes);
}

static void
test_what_a_reader_sees_is_not_copied_over(void **state)
{
    fixture *f = *state;
    sqlite3 *reader;
    commit(f, 0);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK);
    assert_int_equal(sqlite3_open(f->path, &reader), SQLITE_OK);
    commit(f, CARRY_BYTES);
    assert_int_equal(sqlite3_exec(reader, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(count_chunks(reader), 2);
    commit(f, CARRY_BYTES);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK); // not all of it
    assert_true(count_copied(f) < 3);
    assert_int_equal(count_chunks(reader), 2);
    assert_int_equal(sqlite3_exec(reader, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK);
    assert_int_equal(count_copied(f), 3);
    (void)sqlite3_close(reader);
}

typedef struct copying {
    catalog_copier *copier;
    atomic_bool is_over;
} copying;

static void *
copy_until_over(void *arg)
{
    copying *c = arg;
    while (!atomic_load(&c->is_over)) {
        assert_int_equal(catalog_copier_run(c->copier), LP_OK);
    }
    return NULL;
}

static void
test_nothing_is_lost_that_is_committed_meanwhile(void **state)
{
    enum { COMMITS = 300 };
    fixture *f = *state;
    pthread_t thread;
    copying c = {.copier = f->copier};
    assert_int_equal(pthread_create(&thread, NULL, copy_until_over, &c), 0);
    for (int i = 0; i < COMMITS; i++) {
        commit(f, (size_t)i * 1000);
    }
    atomic_store(&c.is_over, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(catalog_copier_run(f->copier), LP_OK);
    assert_int_equal(count_copied(f), COMMITS);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_commits_do_not_copy),
        TEST(test_the_log_has_a_limit),
        TEST(test_what_a_reader_sees_is_not_copied_over),
        TEST(test_nothing_is_lost_that_is_committed_meanwhile),
    };
    return cmocka_run_group_tests_name("catalog_copier", tests, NULL, NULL);
}
