// SPDX-License-Identifier: Apache-2.0
// A collector that is started again, was killed, has a full disk or cannot start: every batch that
// was acknowledged is in the result once.

#include "unit/collector/server/server_rig.h"

#include "collector/session/session.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_a_restart_between_any_two_batches_loses_nothing(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    for (int i = 0; i < 8; i++) {
        wire_piece piece = server_rig_next_piece(f, 6);
        server_rig_send(f, &piece);
        collector_rig_stop(&f->rig);
        collector_rig_start(&f->rig);
        assert_int_equal(wire_client_send(&f->client, &piece).status, UNKNOWN_SESSION);
        server_rig_hello(f, f->sequence);
        server_rig_send(f, &piece); // a duplicate
        if (i % 3 == 1) {
            server_rig_rotate(f);
        }
    }
    server_rig_end_and_check(f);
}

static void
test_a_restart_after_the_last_batch_compacts_the_rest(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    server_rig_send(f, &last);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(f);

    // The agent has not seen the answer: it asks again, and is told that all is there.
    server_rig_hello(f, f->sequence);
    server_rig_send(f, &last);
}

// put_before writes count bytes before those that the first journal of the session has.
static void
put_before(const server_rig *f, const uint8_t *bytes, size_t count)
{
    char path[300];
    uint8_t rest[64 * 1024];
    (void)snprintf(path, sizeof(path), "%s/journal/%s/0.log", f->rig.dir.path, f->id);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    size_t size = fread(rest, 1, sizeof(rest), file);
    assert_true(size > 0 && size < sizeof(rest));
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fwrite(rest, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void
test_a_journal_whose_first_record_is_empty_is_recovered(void **state)
{
    static const uint8_t empty[] = {'L', 'P', 'J', '1', 0, 0, 0, 0, 0x1c, 0xdf, 0x44, 0x21};
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    collector_rig_stop(&f->rig);
    put_before(f, empty, sizeof(empty));
    collector_rig_start(&f->rig);
    server_rig_hello(f, f->sequence);
    server_rig_end_and_check(f);
}

// As after a step back to an older collector, which cannot read what the newer one wrote.
static void
test_a_carry_over_that_cannot_be_read_costs_no_events(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = server_rig_next_piece(f, 5);
        piece.duration_ns = SESSION_LOOK_AHEAD_NS;
        server_rig_send(f, &piece);
        if (i == 0) {
            server_rig_rotate(f);
        }
    }
    collector_rig_await(&f->rig, f->id, 1, false);
    collector_rig_stop(&f->rig);
    char path[300];
    sqlite3 *db;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE carry SET bytes = 'of tomorrow'", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);

    collector_rig_start(&f->rig);
    server_rig_hello(f, f->sequence);
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(collector_rig_count_pending(taken, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
    snapshot_unref(taken);
    assert_int_equal(f->counts[f->number - 1], 1);
    memset(f->counts, 0, sizeof(f->counts));
    server_rig_end_and_check(f);
    server_rig_check_lost(f, CATALOG_LOSS_CARRIES_LOST, 1);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(told.count, 1);
    assert_non_null(strstr(told.items[0].message, "its version is 111, and this version of Loupe"));
}

// What keeps a start from its end is found when the sessions of the run before are there already.
static void
test_a_start_that_fails_costs_nothing(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    collector_rig_stop(&f->rig);
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/running.tmp", f->rig.dir.path);
    assert_int_equal(mkdir(path, 0700), 0); // where the mark of a run is written
    const server_config config = {
        .data_dir = f->rig.dir.path,
        .sync = SYNC_SECOND,
        .memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST),
    };
    server *failed = NULL;
    lp_problem problem;
    assert_int_equal(server_create(&config, &failed, &problem), LP_EIO);
    assert_null(failed);
    assert_int_equal(rmdir(path), 0);
    collector_rig_start(&f->rig);
    server_rig_hello(f, f->sequence);
    server_rig_end_and_check(f);
}

static void
test_a_second_collector_on_the_same_directory_is_refused(void **state)
{
    const server_rig *f = *state;
    const server_config config = {
        .agents_url = "tcp://127.0.0.1:0",
        .data_dir = f->rig.dir.path,
    };
    server *second;
    lp_problem problem;
    assert_int_equal(server_create(&config, &second, &problem), LP_ELIMIT);
    assert_non_null(strstr(problem.text, "another collector is running"));
}

// A limit on the size of files stands for a full disk.
static void
test_a_full_disk_puts_batches_off(void **state)
{
    server_rig *f = *state;
    collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 10);
    server_rig_send(f, &piece);

    struct rlimit before;
    struct rlimit full = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, NULL, &before), 0);
    full.rlim_max = before.rlim_max;
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, &full, NULL), 0);
    piece = server_rig_next_piece(f, 10);
    for (int i = 0; i < 3; i++) {
        wire_answer answer = wire_client_send(&f->client, &piece);
        assert_int_equal(answer.status, BUSY);
        assert_int_equal(answer.next_sequence, 1);
    }
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, &before, NULL), 0);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
}

// The real program is killed while a batch is on its way, again and again, and started again.
static void
test_killed_in_mid_stream_it_loses_nothing(void **state)
{
    server_rig *f = *state;
    collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    for (int kills = 0; kills < 8; kills++) {
        for (int i = 0; i < 5 + kills; i++) {
            wire_piece piece = server_rig_next_piece(f, 8);
            server_rig_send(f, &piece);
        }
        if (kills % 4 == 3) {
            server_rig_rotate(f);
        }
        wire_piece piece = server_rig_next_piece(f, 8);
        piece.duration_ns = SESSION_LOOK_AHEAD_NS; // the chunk before is compacted while we kill
        lp_buf message = {0};
        wire_client_pack(&f->client, &piece, &message);
        wire_pending pending = wire_client_start(&f->client, message.ptr, message.len);
        int status = collector_rig_signal(&f->rig, SIGKILL);
        assert_true(WIFSIGNALED(status));
        collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
        wire_answer answer = wire_client_finish(&pending); // resent, if it did not get through
        if (answer.status != OK) {
            assert_int_equal(answer.status, UNKNOWN_SESSION);
            wire_answer hello = wire_client_hello(&f->client, piece.sequence);
            assert_int_equal(hello.status, OK);
            assert_true(
                hello.next_sequence == piece.sequence || hello.next_sequence == piece.sequence + 1);
            server_rig_send(f, &piece);
        } else {
            server_rig_hello(f, f->sequence);
        }
        lp_buf_fini(&message);
    }
    server_rig_end_and_check(f);
    int status = collector_rig_signal(&f->rig, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define WITH_SERVER(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up, server_rig_tear_down)
#define WITHOUT(test)                                                                              \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up_stopped, server_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(test_a_restart_between_any_two_batches_loses_nothing),
        WITH_SERVER(test_a_restart_after_the_last_batch_compacts_the_rest),
        WITH_SERVER(test_a_journal_whose_first_record_is_empty_is_recovered),
        WITH_SERVER(test_a_carry_over_that_cannot_be_read_costs_no_events),
        WITH_SERVER(test_a_start_that_fails_costs_nothing),
        WITH_SERVER(test_a_second_collector_on_the_same_directory_is_refused),
        WITHOUT(test_a_full_disk_puts_batches_off),
        WITHOUT(test_killed_in_mid_stream_it_loses_nothing),
    };
    return cmocka_run_group_tests_name("server_restart", tests, NULL, NULL);
}
