// SPDX-License-Identifier: Apache-2.0

// A file of tokens that changes while in use: the rules in force are always those of a complete
// file, the latest valid one.

#include "support/temp_dir.h"

#include "collector/access/access_file.h"
#include "collector/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define DIGITS "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

typedef struct fixture {
    temp_dir dir;
    char path[300];
    access_file *access;
} fixture;

// write_rules writes this number of rules, in place.
static void
write_rules(const fixture *f, unsigned count, const char *rest)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    for (unsigned i = 0; i < count; i++) {
        assert_true(fprintf(file, "name%u read * sha256:" DIGITS "%u\n", i, i) > 0);
    }
    assert_true(fputs(rest, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/tokens", f->dir.path);
    write_rules(f, 1, "");
    assert_int_equal(access_file_open(f->path, false, &f->access, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    access_file_close(f->access);
    temp_dir_remove(&f->dir);
    free(f);
    assert_int_equal(metrics_get(METRICS_tokens_stale), 0);
    return 0;
}

static size_t
count(const fixture *f)
{
    access_rules *rules = access_file_get_rules(f->access);
    size_t found = access_rules_count(rules);
    access_rules_unref(rules);
    return found;
}

static void
test_a_change_is_taken_once_it_has_settled(void **state)
{
    const fixture *f = *state;
    access_file_look(f->access);
    assert_int_equal(count(f), 1);
    write_rules(f, 2, ""); // which may be the first half of a file
    access_file_look(f->access);
    assert_int_equal(count(f), 1);
    write_rules(f, 3, "");
    access_file_look(f->access);
    assert_int_equal(count(f), 1);
    access_file_look(f->access);
    assert_int_equal(count(f), 3);
}

static void
test_rules_outlive_those_that_follow(void **state)
{
    const fixture *f = *state;
    access_rules *before = access_file_get_rules(f->access);
    write_rules(f, 2, "");
    access_file_look(f->access);
    access_file_look(f->access);
    assert_int_equal(count(f), 2);
    assert_int_equal(access_rules_count(before), 1);
    access_rules_unref(before);
}

static void
test_what_cannot_be_used_changes_nothing(void **state)
{
    const fixture *f = *state;
    write_rules(f, 2, "what is this\n");
    for (int i = 0; i < 3; i++) {
        access_file_look(f->access);
        assert_int_equal(count(f), 1);
    }
    assert_int_equal(metrics_get(METRICS_tokens_stale), 1);
    assert_int_equal(unlink(f->path), 0);
    for (int i = 0; i < 3; i++) {
        access_file_look(f->access);
        assert_int_equal(count(f), 1);
    }
    assert_int_equal(metrics_get(METRICS_tokens_stale), 1);
    assert_int_equal(mkfifo(f->path, 0600), 0); // to open it would take for ever
    access_file_look(f->access);
    access_file_look(f->access);
    assert_int_equal(count(f), 1);
    assert_int_equal(unlink(f->path), 0);
    write_rules(f, 3, "");
    access_file_look(f->access);
    access_file_look(f->access);
    assert_int_equal(count(f), 3);
    assert_int_equal(metrics_get(METRICS_tokens_stale), 0);
}

// A token that is taken away must not stay because the collector had no descriptor for a moment.
static void
test_what_could_not_be_read_is_read_later(void **state)
{
    const fixture *f = *state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    write_rules(f, 2, "");
    const struct rlimit none = {.rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    for (int i = 0; i < 3; i++) {
        access_file_look(f->access);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(count(f), 1);
    assert_int_equal(metrics_get(METRICS_tokens_stale), 1);
    access_file_look(f->access);
    assert_int_equal(count(f), 2);
    assert_int_equal(metrics_get(METRICS_tokens_stale), 0);
}

static void
test_a_start_needs_a_file(void **state)
{
    const fixture *f = *state;
    access_file *none;
    lp_problem problem;
    assert_int_equal(access_file_open(f->dir.path, false, &none, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "not a file"));
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/none", f->dir.path);
    assert_int_equal(access_file_open(path, false, &none, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "none: No such file"));
    write_rules(f, 1, "x");
    assert_int_equal(access_file_open(f->path, false, &none, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "line 2"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_change_is_taken_once_it_has_settled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules_outlive_those_that_follow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_cannot_be_used_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_could_not_be_read_is_read_later, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_start_needs_a_file, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
