// SPDX-License-Identifier: Apache-2.0
// The end of a JVM: a process that ends while batches are in flight ends, every time and whatever
// the collector does. Each round is a process of its own, which starts a ship, gives it more than
// it can send, and exits like a JVM: ship_finish, then exit with its handlers, NNG's threads still
// running.
//
// `test_ship_exit jvm URL TIMEOUT_MS` is such a process; `test_ship_exit collector URL` answers it.
// `test_ship_exit wrong URL TIMEOUT_MS` is one whose agent finds out at the end of the JVM, on its
// own thread, that it is wrong about itself. `test_ship_exit blown URL AFTER_MS` is one whose agent
// finds that out on a thread of the application, so much later than it began to ship.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "support/temp_dir.h"

#include "agent/agent_fuse.h"
#include "agent/ship/ship.h"
#include "agent/tail/tail.h"
#include "common/base/lp_assert.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// A process ends up to 50 ms after its beginning; each one takes ThreadSanitizer 200 ms.
#ifdef __SANITIZE_THREAD__
enum { STEP_MS = 10 };
#else
enum { STEP_MS = 1 };
#endif
enum { END_MS_MAX = 50, ROUND_S_MAX = 60 };

static ship *the_ship; // a JVM's is reachable to its end
static bool is_wrong;
static bool is_blown;

lp_err __real_tail_look(tail *self, bool is_forced);
lp_err __wrap_tail_look(tail *self, bool is_forced);

// The linker puts this in the place of tail_look. The last look is forced.
lp_err
__wrap_tail_look(tail *self, bool is_forced)
{
    LP_ASSERT(!is_wrong || !is_forced);
    return __real_tail_look(self, is_forced);
}

static int
run_jvm(const char *url, int timeout_ms)
{
    temp_dir dir = temp_dir_make();
    ctx_rings *rings;
    ctx_registry *registry = ctx_registry_create();
    ctx_recordings *recordings = ctx_recordings_create();
    ctx_filters *filters = ctx_filters_create();
    if (registry == NULL || recordings == NULL || filters == NULL ||
        ctx_rings_create(&rings) != LP_OK) {
        return 1;
    }
    const ship_config config = {
        .collectors = &url,
        .collector_count = 1,
        .service = "s",
        .instance = "i",
        .jvm_name = "j",
        .jvm_version = "1",
        .repository = dir.path,
        .rings = rings,
        .registry = registry,
        .recordings = recordings,
        .filters = filters,
    };
    if (ship_start(&config, &the_ship, NULL) != LP_OK) {
        return 1;
    }
    chunk_writer chunk = chunk_writer_create(dir.path, "a.jfr", 1, 1);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, 8 << 20);
    chunk_writer_finish(&chunk);
    if (is_blown) {
        (void)poll(NULL, 0, timeout_ms);
        (void)LP_NEVER(is_blown);
    }
    ship_finish(the_ship, timeout_ms);
    temp_dir_remove(&dir);
    exit(0);
}

static int
run_collector(const char *url)
{
    fake_collector *c = fake_collector_create_at(url);
    c->is_forgetful = true;
    fake_collector_start(c);
    (void)pthread_join(c->thread, NULL);
    return 1;
}

static pid_t
spawn_self(char *mode, char *url, char *timeout)
{
    char program[] = "/proc/self/exe";
    char *arguments[] = {program, mode, url, timeout, NULL};
    pid_t pid;
    assert_int_equal(posix_spawn(&pid, program, NULL, NULL, arguments, environ), 0);
    return pid;
}

// wait_for_end is the exit status of pid; a process that does not end is a failure.
static int
wait_for_end(pid_t pid)
{
    int status;
    for (int i = 0; i < ROUND_S_MAX * 1000; i++) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        assert_true(ended >= 0);
        if (ended == pid) {
            assert_true(WIFEXITED(status));
            return WEXITSTATUS(status);
        }
        (void)poll(NULL, 0, 1);
    }
    (void)kill(pid, SIGKILL);
    fail_msg("process %d does not end", (int)pid);
    return -1;
}

static void
end_with_batches_in_flight(char *jvm_mode, char *url)
{
    char collector_mode[] = "collector";
    pid_t collector = spawn_self(collector_mode, url, NULL);
    for (int i = 0; i < END_MS_MAX; i += STEP_MS) {
        char timeout[16];
        // Ends at different points of the conversation.
        (void)snprintf(timeout, sizeof(timeout), "%d", i);
        assert_int_equal(wait_for_end(spawn_self(jvm_mode, url, timeout)), 0);
    }
    assert_int_equal(kill(collector, SIGKILL), 0);
    assert_int_equal(waitpid(collector, NULL, 0), collector);
}

static void
test_process_ends_with_batches_in_flight(void **state)
{
    char jvm_mode[] = "jvm";
    end_with_batches_in_flight(jvm_mode, *state);
}

// The agent's thread closes its connection meanwhile.
static void
test_process_ends_when_the_fuse_is_blown(void **state)
{
    char blown_mode[] = "blown";
    end_with_batches_in_flight(blown_mode, *state);
}

static void
test_process_ends_without_a_collector(void **state)
{
    char *url = *state;
    char jvm_mode[] = "jvm";
    char timeout[] = "3600000";
    assert_int_equal(wait_for_end(spawn_self(jvm_mode, url, timeout)), 0);
}

// The end of the JVM waits for a thread that sleeps for good by then.
static void
test_process_ends_with_an_agent_that_is_wrong(void **state)
{
    char *url = *state;
    char wrong_mode[] = "wrong";
    char timeout[] = "3600000";
    assert_int_equal(wait_for_end(spawn_self(wrong_mode, url, timeout)), 0);
}

int
main(int argc, char **argv)
{
    is_wrong = argc == 4 && strcmp(argv[1], "wrong") == 0;
    is_blown = argc == 4 && strcmp(argv[1], "blown") == 0;
    if (is_wrong || is_blown) {
        agent_fuse_init();
    }
    if (argc == 4 && (is_wrong || is_blown || strcmp(argv[1], "jvm") == 0)) {
        return run_jvm(argv[2], (int)strtol(argv[3], NULL, 10));
    }
    if (argc == 3 && strcmp(argv[1], "collector") == 0) {
        return run_collector(argv[2]);
    }
    fake_collector *c = fake_collector_create(); // for its address
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_process_ends_with_batches_in_flight, c->url),
        cmocka_unit_test_prestate(test_process_ends_when_the_fuse_is_blown, c->url),
        cmocka_unit_test_prestate(test_process_ends_without_a_collector, c->url),
        cmocka_unit_test_prestate(test_process_ends_with_an_agent_that_is_wrong, c->url),
    };
    int failed = cmocka_run_group_tests_name("ship_exit", tests, NULL, NULL);
    fake_collector_destroy(c);
    return failed;
}
