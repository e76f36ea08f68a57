// SPDX-License-Identifier: Apache-2.0
// Where chunks are: a directory goes on where it began, in files or in one object store, and says
// so where somebody wants it otherwise.

#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/chunks/chunk_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

typedef struct fixture {
    temp_dir temp;
    data_dir *dir;
    s3_url url;
    s3_url other;
    lp_problem problem;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->temp = temp_dir_make();
    assert_int_equal(data_dir_open(f->temp.path, &f->dir, NULL), LP_OK);
    assert_int_equal(s3_url_parse("s3://loupe/a", NULL, &f->url, NULL), LP_OK);
    assert_int_equal(s3_url_parse("s3://loupe/b", NULL, &f->other, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    data_dir_close(f->dir);
    temp_dir_remove(&f->temp);
    free(f);
    return 0;
}

// make_file makes a file of a session.
static void
make_file(const fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/chunks", f->temp.path);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s/chunks/%032d", f->temp.path, 1);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s/chunks/%032d/%s", f->temp.path, 1, name);
    files_write(path, "", 0);
}

static void
test_files_leave_no_trace(void **state)
{
    fixture *f = *state;
    char path[400];
    struct stat info;
    make_file(f, "1.jfr.zst");
    assert_int_equal(chunk_place_check(f->dir, NULL, &f->problem), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/store", f->temp.path);
    assert_int_not_equal(stat(path, &info), 0);
}

// A bucket of the same name that somebody else has is another store.
static void
test_an_endpoint_has_its_own_buckets(void **state)
{
    fixture *f = *state;
    static const char *const others[] = {"s3://loupe/a", "s3://loupe/a?endpoint=http://y:9000",
        "s3://loupe/a?endpoint=https://x:9000"};
    s3_url url;
    assert_int_equal(s3_url_parse("s3://loupe/a?endpoint=http://x:9000", NULL, &url, NULL), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &url, &f->problem), LP_OK);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        s3_url other;
        assert_int_equal(s3_url_parse(others[i], NULL, &other, NULL), LP_OK);
        assert_int_equal(chunk_place_check(f->dir, &other, &f->problem), LP_ELIMIT);
    }
    assert_int_equal(
        s3_url_parse("s3://loupe/a/?region=r&endpoint=http://x:9000/", NULL, &url, NULL), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &url, &f->problem), LP_OK);
}

static void
test_a_store_is_the_only_one(void **state)
{
    fixture *f = *state;
    make_file(f, "session.pb"); // a recording without a chunk
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &f->other, &f->problem), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "s3://loupe/a/, not in s3://loupe/b/"));
    assert_int_equal(chunk_place_check(f->dir, NULL, &f->problem), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "s3://loupe/a/"));
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_OK);
}

static void
test_files_do_not_become_objects(void **state)
{
    fixture *f = *state;
    make_file(f, "7.jfr.zst");
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "chunks in files"));
    assert_int_equal(chunk_place_check(f->dir, NULL, &f->problem), LP_OK);
}

static void
test_a_mark_that_is_half_written(void **state)
{
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/store.tmp", f->temp.path);
    files_write(path, "s3://lou", 8);
    assert_int_equal(chunk_place_check(f->dir, NULL, &f->problem), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_OK);
    assert_int_equal(chunk_place_check(f->dir, &f->url, &f->problem), LP_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_leave_no_trace, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_endpoint_has_its_own_buckets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_store_is_the_only_one, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files_do_not_become_objects, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_mark_that_is_half_written, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
