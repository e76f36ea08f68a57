// SPDX-License-Identifier: Apache-2.0
// Each case is a process of its own, as end_watch ends it. It says by a pipe that it is ready.

#include "cli/serve/end_watch.h"
#include "common/base/lp_end.h"
#include "common/base/lp_time.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { STATUS = 3, MS_MAX = 50, LINE_BYTES = 2000, LIMIT_S = 60 };

// What a child does after it has begun the watch; says tells the parent that it is ready.
typedef void child_body(int says);

typedef struct child {
    pid_t pid;
    int says;
    int stderr_fd;
} child;

static bool is_raised; // in the child before it begins the watch

static void
describe(char *out_text, size_t text_bytes)
{
    (void)snprintf(out_text, text_bytes, "a thread that never returns");
}

static void
say(int says)
{
    if (write(says, "", 1) != 1) {
        _exit(100);
    }
}

static child
start(child_body *body, int ms_max, bool has_hangup)
{
    int says[2];
    int errors[2];
    assert_int_equal(pipe(says), 0);
    assert_int_equal(pipe(errors), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)alarm(LIMIT_S);
        (void)dup2(errors[1], STDERR_FILENO);
        if (is_raised) {
            (void)raise(SIGTERM);
        }
        const end_watch_config config = {
            .ms_max = ms_max, .has_hangup = has_hangup, .status = STATUS, .describe = describe};
        if (end_watch_begin(&config) != LP_OK) {
            _exit(101);
        }
        body(says[1]);
        _exit(0);
    }
    assert_int_equal(close(says[1]), 0);
    assert_int_equal(close(errors[1]), 0);
    return (child){pid, says[0], errors[0]};
}

static void
hear(const child *c)
{
    char byte;
    assert_int_equal(read(c->says, &byte, 1), 1);
}

// finish returns how the child ended, and all of its standard error.
static int
finish(const child *c, char out_text[LINE_BYTES])
{
    size_t len = 0;
    ssize_t got;
    while ((got = read(c->stderr_fd, out_text + len, LINE_BYTES - 1 - len)) > 0) {
        len += (size_t)got;
    }
    out_text[len] = '\0';
    int status;
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
    assert_int_equal(close(c->says), 0);
    assert_int_equal(close(c->stderr_fd), 0);
    return status;
}

static void
wait_for_ever(void)
{
    for (;;) {
        (void)pause();
    }
}

// --- A process that exits

// exit_when_told expects that waits have a deadline from then on, before that of the process.
static void
exit_when_told(int says)
{
    bool has_deadline = lp_end_get() != LP_END_NEVER;
    say(says);
    int signal_number = end_watch_next();
    bool is_limited = lp_end_get() < lp_time_mono_ms() + LIMIT_S * 1000;
    bool is_told = signal_number == SIGTERM && end_watch_is_told(NULL);
    _exit(is_told && !has_deadline && is_limited ? 0 : 102);
}

static void
test_a_process_that_exits_is_left_alone(void **state)
{
    (void)state;
    char text[LINE_BYTES];
    child c = start(exit_when_told, LIMIT_S * 1000, false);
    hear(&c);
    assert_int_equal(kill(c.pid, SIGTERM), 0);
    assert_int_equal(finish(&c, text), 0);
    assert_string_equal(text, "");
}

static void
answer_hangups(int says)
{
    say(says);
    for (int i = 0; i < 2; i++) {
        if (end_watch_next() != SIGHUP || end_watch_is_told(NULL)) {
            _exit(103);
        }
        say(says);
    }
    _exit(end_watch_next() == SIGINT ? 0 : 104);
}

static void
test_a_hangup_ends_nothing(void **state)
{
    (void)state;
    char text[LINE_BYTES];
    child c = start(answer_hangups, LIMIT_S * 1000, true);
    hear(&c);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kill(c.pid, SIGHUP), 0);
        hear(&c);
    }
    assert_int_equal(kill(c.pid, SIGINT), 0);
    assert_int_equal(finish(&c, text), 0);
}

static void
raise_first(int says)
{
    (void)says;
    _exit(end_watch_is_told(NULL) && end_watch_next() == SIGTERM ? 0 : 105);
}

static void
test_a_signal_that_came_first_counts(void **state)
{
    (void)state;
    sigset_t blocked;
    sigset_t before;
    char text[LINE_BYTES];
    assert_int_equal(sigemptyset(&blocked), 0);
    assert_int_equal(sigaddset(&blocked, SIGTERM), 0);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    is_raised = true;
    child c = start(raise_first, LIMIT_S * 1000, false);
    is_raised = false;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(finish(&c, text), 0);
}

// --- A process that does not

// hold_everything waits for ever with the locks that a careless thread could have.
static void
hold_everything(int says)
{
    flockfile(stderr);
    flockfile(stdout);
    say(says);
    wait_for_ever();
}

static void
test_one_that_does_not_exit_is_ended_with_a_line(void **state)
{
    (void)state;
    char text[LINE_BYTES];
    child c = start(hold_everything, MS_MAX, false);
    hear(&c);
    assert_int_equal(kill(c.pid, SIGTERM), 0);
    int status = finish(&c, text);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS);
    assert_non_null(strstr(text, "did not end within"));
    assert_non_null(strstr(text, "a thread that never returns"));
}

// fill_errors has standard error take nothing more.
static void
fill_errors(int says)
{
    char bytes[1 << 12] = {0};
    int flags = fcntl(STDERR_FILENO, F_GETFL);
    (void)fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
    while (write(STDERR_FILENO, bytes, sizeof(bytes)) > 0) {
    }
    (void)fcntl(STDERR_FILENO, F_SETFL, flags);
    say(says);
    wait_for_ever();
}

// Nor does a parent that has blocked the timer's signal.
static void
test_standard_error_that_takes_nothing_does_not_hold_it(void **state)
{
    (void)state;
    sigset_t blocked;
    sigset_t before;
    assert_int_equal(sigemptyset(&blocked), 0);
    assert_int_equal(sigaddset(&blocked, SIGALRM), 0);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    child c = start(fill_errors, MS_MAX, false);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    hear(&c);
    assert_int_equal(kill(c.pid, SIGTERM), 0);
    int status; // before anybody reads what was written
    assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS);
    assert_int_equal(close(c.says), 0);
    assert_int_equal(close(c.stderr_fd), 0);
}

static void
wait_when_told(int says)
{
    say(says);
    (void)end_watch_next();
    say(says);
    wait_for_ever();
}

static void
test_a_second_signal_ends_it_at_once(void **state)
{
    (void)state;
    char text[LINE_BYTES];
    child c = start(wait_when_told, LIMIT_S * 1000, false);
    hear(&c);
    assert_int_equal(kill(c.pid, SIGTERM), 0);
    hear(&c);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    int status = finish(&c, text);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_process_that_exits_is_left_alone),
        cmocka_unit_test(test_a_hangup_ends_nothing),
        cmocka_unit_test(test_a_signal_that_came_first_counts),
        cmocka_unit_test(test_one_that_does_not_exit_is_ended_with_a_line),
        cmocka_unit_test(test_standard_error_that_takes_nothing_does_not_hold_it),
        cmocka_unit_test(test_a_second_signal_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
