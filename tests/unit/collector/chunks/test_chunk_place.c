// SPDX-License-Identifier: Apache-2.0
// A data directory keeps its chunks where it began, in files or in one object store, and refuses
// any other place.

#include "support/dir_fixture.h"
#include "support/files.h"

#include "collector/chunks/chunk_place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// url_of parses the text of a store.
static s3_url
url_of(const char *text)
{
    s3_url url;
    assert_int_equal(s3_url_parse(text, NULL, &url, NULL), LP_OK);
    return url;
}

// assert_place checks the result for a directory with chunks at a URL, or in files.
static void
assert_place(fixture *f, const char *url, lp_err err)
{
    s3_url parsed = url_of(url == NULL ? "s3://none" : url);
    assert_int_equal(chunk_place_check(f->dir, url == NULL ? NULL : &parsed, &f->problem), err);
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
    assert_place(f, NULL, LP_OK);
    (void)snprintf(path, sizeof(path), "%s/store", f->temp.path);
    assert_int_not_equal(stat(path, &info), 0);
}

// A bucket of the same name at another endpoint is another store.
static void
test_an_endpoint_has_its_own_buckets(void **state)
{
    fixture *f = *state;
    assert_place(f, "s3://loupe/a?endpoint=http://x:9000", LP_OK);
    assert_place(f, "s3://loupe/a", LP_ELIMIT);
    assert_place(f, "s3://loupe/a?endpoint=http://y:9000", LP_ELIMIT);
    assert_place(f, "s3://loupe/a?endpoint=https://x:9000", LP_ELIMIT);
    assert_place(f, "s3://loupe/a/?region=r&endpoint=http://x:9000/", LP_OK);
}

static void
test_a_store_is_the_only_one(void **state)
{
    fixture *f = *state;
    make_file(f, "session.pb"); // a recording without a chunk
    assert_place(f, "s3://loupe/a", LP_OK);
    assert_place(f, "s3://loupe/a", LP_OK);
    assert_place(f, "s3://loupe/b", LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "s3://loupe/a/, not in s3://loupe/b/"));
    assert_place(f, NULL, LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "s3://loupe/a/"));
    assert_place(f, "s3://loupe/a", LP_OK);
}

static void
test_files_do_not_become_objects(void **state)
{
    fixture *f = *state;
    make_file(f, "7.jfr.zst");
    assert_place(f, "s3://loupe/a", LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "chunks in files"));
    assert_place(f, NULL, LP_OK);
}

static void
test_a_mark_that_is_half_written(void **state)
{
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/store.tmp", f->temp.path);
    files_write(path, "s3://lou", 8);
    assert_place(f, NULL, LP_OK);
    assert_place(f, "s3://loupe/a", LP_OK);
    assert_place(f, "s3://loupe/a", LP_OK);
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
