// SPDX-License-Identifier: Apache-2.0
// Whoever is wrong about itself aborts, unless it has said what is to be done: then LP_NEVER takes
// its branch, and LP_ASSERT does not come back.

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static sem_t is_told;
static int told_count;
static char told[64];
static bool came_back;

static void
on_broken(const char *file, int line, const char *what, const char *text)
{
    assert_non_null(strstr(file, "test_lp_assert.c"));
    assert_true(line > 0);
    told_count++;
    (void)strncpy(told, what, sizeof(told) - 1);
    (void)strncat(told, text, sizeof(told) - strlen(told) - 1);
    (void)sem_post(&is_told);
}

static int
end_of_child(bool is_assert)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)close(STDERR_FILENO);
        int two = 2;
        if (is_assert) {
            LP_ASSERT(two == 3);
        } else if (LP_NEVER(two == 2)) {
            _exit(1);
        }
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
test_a_program_that_says_nothing_aborts(void **state)
{
    (void)state;
    assert_int_equal(end_of_child(true), SIGABRT);
    assert_int_equal(end_of_child(false), SIGABRT);
}

static void *
assert_wrongly(void *arg)
{
    int two = 2;
    (void)arg;
    LP_ASSERT(two == 2);
    LP_ASSERT(two == 3);
    came_back = true;
    return NULL;
}

static void
test_a_guest_goes_on(void **state)
{
    (void)state;
    int two = 2;
    pthread_t thread;
    assert_int_equal(sem_init(&is_told, 0, 0), 0);
    lp_assert_init(on_broken);
    assert_false(LP_NEVER(two == 3));
    assert_int_equal(told_count, 0);
    assert_true(LP_NEVER(two == 2));
    assert_int_equal(told_count, 1);
    assert_string_equal(told, "truetwo == 2");
    assert_int_equal(sem_wait(&is_told), 0);

    assert_int_equal(pthread_create(&thread, NULL, assert_wrongly, NULL), 0);
    assert_int_equal(sem_wait(&is_told), 0);
    assert_string_equal(told, "not truetwo == 3");
    assert_false(came_back); // and it never does: the end of the test is not held up by it
    assert_int_equal(pthread_detach(thread), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_that_says_nothing_aborts),
        cmocka_unit_test(test_a_guest_goes_on),
    };
    return cmocka_run_group_tests_name("lp_assert", tests, NULL, NULL);
}
