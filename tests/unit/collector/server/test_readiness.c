// SPDX-License-Identifier: Apache-2.0

// What keeps batches from being accepted is said, with the operating system's reason, and is over
// when it is over.

#include "support/temp_dir.h"

#include "collector/server/readiness.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { AWAIT_LIMIT_S = 60 };

typedef struct fixture {
    temp_dir dir;
    char path[300];
    readiness *readiness;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/journal/.tried", f->dir.path);
    f->readiness = readiness_create(f->path);
    assert_non_null(f->readiness);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    readiness_destroy(f->readiness);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// await waits until reason is the one; NULL: none.
static void
await(const fixture *f, const char *reason)
{
    for (time_t end = time(NULL) + AWAIT_LIMIT_S; time(NULL) < end;) {
        lp_problem problem = {.text = ""};
        lp_err err = readiness_check(f->readiness, &problem);
        assert_int_equal(err, problem.text[0] == '\0' ? LP_OK : LP_EIO);
        if (strcmp(problem.text, reason == NULL ? "" : reason) == 0) {
            return;
        }
    }
    fail_msg("it does not become: %s", reason == NULL ? "ready" : reason);
}

static void
make_dir(const fixture *f)
{
    char dir[300];
    (void)snprintf(dir, sizeof(dir), "%s/journal", f->dir.path);
    assert_int_equal(mkdir(dir, 0700), 0);
}

static void
test_a_directory_that_is_missing(void **state)
{
    const fixture *f = *state;
    await(f, "cannot write journals: No such file or directory");
    make_dir(f);
    await(f, NULL);
    assert_int_not_equal(access(f->path, F_OK), 0); // nothing is left
}

// A limit on the size of files stands for a full disk.
static void
test_no_room(void **state)
{
    const fixture *f = *state;
    make_dir(f);
    await(f, NULL);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit full = {.rlim_cur = 100, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    await(f, "cannot write journals: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_not_equal(access(f->path, F_OK), 0);
    await(f, NULL);
}

static void
test_a_fault_of_the_loop(void **state)
{
    const fixture *f = *state;
    make_dir(f);
    readiness_set_fault(f->readiness, "cannot write the catalog: Input/output error");
    await(f, "cannot write the catalog: Input/output error");
    readiness_set_fault(f->readiness, NULL);
    await(f, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_directory_that_is_missing),
        TEST(test_no_room),
        TEST(test_a_fault_of_the_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
