// SPDX-License-Identifier: Apache-2.0
// A collector that is killed in the middle of things, again and again: each byte and each record
// arrives once, in order. The collector is a process of its own, `test_ship_killed collector URL
// FILE`.
//
// No other test is in this program: after connections that end so NNG 1.5.2 may be unable to close
// a socket in it.

#include "support/chunk_writer.h"
#include "support/fake_collector.h"
#include "support/temp_dir.h"
#include "unit/agent/ship/received.h"
#include "unit/agent/ship/ship_rig.h"

#include "agent/ship/ship.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// run_collector is the collector as a process of its own, to be killed.
static int
run_collector(const char *url, const char *path)
{
    fake_collector *c = fake_collector_create_at(url);
    FILE *journal = fopen(path, "a+");
    fake_collector_must(journal != NULL, path);
    rewind(journal);
    fake_collector_must(truncate(path, fake_collector_load(c, journal)) == 0, path);
    c->journal = journal;
    fake_collector_start(c);
    (void)pthread_join(c->thread, NULL);
    return 1; // it should have been killed
}

static pid_t
spawn_collector(const ship_rig *f, char *path)
{
    char program[] = "/proc/self/exe";
    char mode[] = "collector";
    char *arguments[] = {program, mode, f->collector->url, path, NULL};
    pid_t pid;
    assert_int_equal(posix_spawn(&pid, program, NULL, NULL, arguments, environ), 0);
    return pid;
}

// wait_for_bytes returns once the file at path has more than size bytes, and returns how many.
static off_t
wait_for_bytes(const char *path, off_t size)
{
    struct stat found = {0};
    for (int i = 0; i < FAKE_COLLECTOR_WAIT_S_MAX * 1000 && found.st_size <= size; i++) {
        (void)poll(NULL, 0, 1);
        (void)stat(path, &found);
    }
    assert_true(found.st_size > size);
    return found.st_size;
}

static void
test_killed_collector_misses_nothing(void **state)
{
    ship_rig *f = *state;
    temp_dir journal_dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/journal", journal_dir.path);
    ship_rig_add_type(f);
    ship_rig_start(f);
    chunk_writer chunk = ship_rig_write_chunk(f, 0, 1000000);
    off_t size = 0;
    pid_t pid = 0;
    for (int64_t i = 0; i < 10; i++) {
        pid = spawn_collector(f, path);
        ship_rig_put_record(f, CTX_RECORD_SET, 7, i);
        chunk_writer_append(&chunk, 3000000);
        chunk_writer_flush(&chunk);
        size = wait_for_bytes(path, size);
        if (i < 9) { // in the middle of things
            assert_int_equal(kill(pid, SIGKILL), 0);
            assert_int_equal(waitpid(pid, NULL, 0), pid);
        }
    }
    chunk_writer_finish(&chunk);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);

    FILE *journal = fopen(path, "r");
    assert_non_null(journal);
    (void)fake_collector_load(f->collector, journal);
    (void)fclose(journal);
    received r = received_assemble(f->collector, NULL, NULL);
    received_check_chunk(&r, 0, &chunk);
    received_check_contexts(&r, 10);
    assert_int_equal(r.last_count, 1);
    received_release(&r);
    temp_dir_remove(&journal_dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, ship_rig_set_up, ship_rig_tear_down)

int
main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "collector") == 0) {
        return run_collector(argv[2], argv[3]);
    }
    const struct CMUnitTest tests[] = {
        TEST(test_killed_collector_misses_nothing),
    };
    return cmocka_run_group_tests_name("ship_killed", tests, NULL, NULL);
}
