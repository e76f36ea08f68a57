// SPDX-License-Identifier: Apache-2.0
// Whoever is wrong about itself aborts, unless it has said what is to be done: then LP_NEVER takes
// its branch, and LP_ASSERT does not come back.

#include "common/base/lp_assert.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT_S = 60 };

static int told_count;
static char told[64];
static int told_pipe[2];

static void
on_broken(const char *file, int line, const char *what, const char *text)
{
    assert_non_null(strstr(file, "test_lp_assert.c"));
    assert_true(line > 0);
    told_count++;
    (void)strncpy(told, what, sizeof(told) - 1);
    (void)strncat(told, text, sizeof(told) - strlen(told) - 1);
}

static void
on_broken_in_child(const char *file, int line, const char *what, const char *text)
{
    on_broken(file, line, what, text);
    (void)!write(told_pipe[1], told, sizeof(told)); // does not sleep: a pipe has that room
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

static void
test_a_guest_goes_on(void **state)
{
    (void)state;
    int two = 2;
    lp_assert_init(on_broken);
    assert_false(LP_NEVER(two == 3));
    assert_int_equal(told_count, 0);
    assert_true(LP_NEVER(two == 2));
    assert_int_equal(told_count, 1);
    assert_string_equal(told, "truetwo == 2");
}

static _Noreturn void
assert_as_a_guest(void)
{
    int two = 2;
    lp_assert_init(on_broken_in_child);
    LP_ASSERT(two == 2);
    LP_ASSERT(two == 3);
    _exit(1); // it came back
}

// state_of returns the state of a process as /proc has it: R, S, Z; 0 if there is none.
static char
state_of(pid_t process)
{
    char path[64];
    char text[512];
    (void)snprintf(path, sizeof(path), "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return '\0';
    }
    const char *name_end = fgets(text, sizeof(text), file) == NULL ? NULL : strrchr(text, ')');
    (void)fclose(file);
    return name_end == NULL ? '\0' : name_end[2];
}

// Once it has told, nothing but the sleep for good is left for it to sleep in.
static void
test_an_assertion_of_a_guest_sleeps_for_good(void **state)
{
    (void)state;
    int status = 0;
    char heard[sizeof(told)] = "";
    assert_int_equal(pipe(told_pipe), 0);
    pid_t child = fork();
    if (child == 0) {
        assert_as_a_guest();
    }
    (void)close(told_pipe[1]);
    assert_int_equal(read(told_pipe[0], heard, sizeof(heard)), sizeof(heard));
    (void)close(told_pipe[0]);
    assert_string_equal(heard, "not truetwo == 3");
    time_t deadline = time(NULL) + LIMIT_S;
    while (state_of(child) != 'S' && time(NULL) < deadline) {
        assert_int_equal(waitpid(child, &status, WNOHANG), 0);
        (void)sched_yield();
    }
    assert_int_equal(state_of(child), 'S');
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_that_says_nothing_aborts),
        cmocka_unit_test(test_a_guest_goes_on),
        cmocka_unit_test(test_an_assertion_of_a_guest_sleeps_for_good),
    };
    return cmocka_run_group_tests_name("lp_assert", tests, NULL, NULL);
}
