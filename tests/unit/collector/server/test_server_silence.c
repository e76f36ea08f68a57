// SPDX-License-Identifier: Apache-2.0
// Sessions that fall silent, or whose connection is gone: they end, count as what they are, and go
// on without a loss when their agent comes back. Where collectors share the catalog they see which
// have ended, and wait before they take those of one that is gone.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog_owners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

// With the shortest idle limit the session may end between hello and batch: then it is once more,
// as an agent does it.
static void
hello_and_send(server_rig *f, const wire_piece *piece)
{
    wire_answer answer;
    do {
        assert_int_equal(wire_client_hello(&f->client, piece->sequence).status, OK);
        answer = wire_client_send(&f->client, piece);
    } while (answer.status == UNKNOWN_SESSION);
    assert_int_equal(answer.status, OK);
}

// count_ends returns how often the session's chunks, and what waits, say that its end is unknown.
static uint64_t
count_ends(const server_rig *f)
{
    tick_losses told = {0};
    lp_buf bytes = {0};
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    for (size_t i = 0; i < taken->chunks.count; i++) {
        assert_int_equal(snapshot_read_chunk(taken, i, &bytes), LP_OK);
    }
    tick_chunk_list_losses(bytes.ptr, bytes.len, &told);
    lp_buf_fini(&bytes);
    snapshot_unref(taken);
    collector_rig_list_losses(&f->rig, f->id, &told);
    uint64_t ends = 0;
    for (size_t i = 0; i < told.count; i++) {
        ends += strcmp(told.items[i].kind, "end_unknown") == 0 ? told.items[i].amount : 0;
    }
    return ends;
}

// check_end expects that catalog and recording say that the end is unknown, or that neither does.
static void
check_end(const server_rig *f, bool is_unknown)
{
    catalog_session row = collector_rig_look(&f->rig, f->id);
    assert_int_equal(row.losses[CATALOG_LOSS_END_UNKNOWN], is_unknown ? 1 : 0);
    assert_int_equal(count_ends(f), is_unknown ? 1 : 0);
}

static void
test_a_silent_session_ends(void **state)
{
    server_rig *f = *state;
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_piece piece = server_rig_next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(f);
    check_end(f, true);
}

// A Hello came late, or is for an answer that was lost: other collectors see that the session has
// ended. One of a session that only fell silent goes on with it.
static void
test_a_session_that_was_closed_stays_ended(void **state)
{
    server_rig *f = *state;
    f->rig.node = "one";
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
    for (uint64_t i = 0; i <= f->sequence; i++) { // as it said before, and as it would now
        wire_answer answer = wire_client_hello(&f->client, i);
        assert_int_equal(answer.status, OK);
        assert_int_equal(answer.next_sequence, f->sequence);
        assert_int_equal(answer.lacking_chunk, 0);
        assert_true(collector_rig_look(&f->rig, f->id).is_ended);
    }
}

static void
test_a_session_that_fell_silent_goes_on_for_all_that_share_it(void **state)
{
    server_rig *f = *state;
    f->rig.node = "one";
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_piece piece = server_rig_next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, true);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = SERVER_IDLE_MS_MAX;
    collector_rig_start(&f->rig);
    server_rig_hello(f, f->sequence);
    assert_false(collector_rig_look(&f->rig, f->id).is_ended);
}

static const char other_node[] = "ffffffffffffffffffffffffffffffff";
static const char left_session[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

// leave_session puts a session into the catalog whose collector has been away for so long.
static void
leave_session(const server_rig *f, int64_t over_ms)
{
    static char nothing[1];
    const catalog_node other = {.name = "other", .url = "", .key = "", .version = "", .log = ""};
    catalog_session row = {
        .service = nothing, .instance = nothing, .jvm_name = nothing, .jvm_version = nothing};
    char path[300];
    catalog *opened;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_shared(path, other_node, &opened, NULL), LP_OK);
    assert_int_equal(catalog_nodes_join(opened, &other, -over_ms), LP_OK);
    memcpy(row.id, left_session, sizeof(row.id));
    assert_int_equal(catalog_owners_take(opened, left_session, &row.term), LP_OK);
    assert_int_equal(catalog_put_session(opened, &row), LP_OK);
    catalog_close(opened);
}

// All collectors were away, with the catalog, for longer than one that is gone is waited for: the
// one that is there first takes nothing from those that are about to come.
static void
test_a_start_takes_no_session_that_another_one_left(void **state)
{
    server_rig *f = *state;
    f->rig.node = "one";
    f->rig.idle_ms_max = 1;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    leave_session(f, 2 * SERVER_LINGER_MS_MAX);
    uint64_t taken = metrics_get(METRICS_sessions_taken);
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_piece piece = server_rig_next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_TIMED_OUT); // by a tick
    assert_int_equal(metrics_get(METRICS_sessions_taken), taken);
}

// One that has said of a session that it is silent has nothing to write of it any more, which would
// be refused: that another one has taken it it finds out all the same.
static void
test_a_silent_session_that_another_one_took_is_forgotten(void **state)
{
    server_rig *f = *state;
    char path[300];
    catalog *opened;
    uint64_t term;
    f->rig.node = "one";
    f->rig.idle_ms_max = 1;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_piece piece = server_rig_next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_TIMED_OUT);
    uint64_t lost = metrics_get(METRICS_sessions_lost);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_shared(path, other_node, &opened, NULL), LP_OK);
    assert_int_equal(catalog_owners_take(opened, f->id, &term), LP_OK);
    catalog_close(opened);
    time_t end = time(NULL) + WIRE_CLIENT_TIMEOUT_MS / 1000;
    while (metrics_get(METRICS_sessions_lost) == lost) {
        assert_true(time(NULL) < end);
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

// Its JVM was suspended, or its network away, for longer than the idle limit: the rest of its chunk
// is not late, whether it comes over the same connection or another.
static void
test_a_session_that_timed_out_goes_on_without_a_loss(void **state)
{
    server_rig *f = *state;
    f->rig.idle_ms_max = 1;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = server_rig_next_piece(f, 6);
        server_rig_send(f, &piece);
        collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_TIMED_OUT);
        check_end(f, true);
    }
    collector_rig_stop(&f->rig); // the next collector knows as much
    assert_int_equal(collector_rig_look(&f->rig, f->id).ended_how, CATALOG_ENDED_TIMED_OUT);
    collector_rig_start(&f->rig);
    server_rig_hello(f, f->sequence);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
    assert_int_equal(collector_rig_look(&f->rig, f->id).ended_how, CATALOG_ENDED_CLOSED);
    check_end(f, false);
}

static void
test_a_session_whose_connection_is_gone_counts_as_killed(void **state)
{
    server_rig *f = *state;
    f->rig.killed_ms_max = 0;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    f->rig.presence = presence_create();
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = server_rig_next_piece(f, 6);
        server_rig_send(f, &piece);
        assert_true(presence_has(f->rig.presence, f->id));
        assert_int_equal(collector_rig_look(&f->rig, f->id).ended_how, CATALOG_ENDED_UNKNOWN);
        wire_client_close(&f->client);
        collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_KILLED);
        assert_false(presence_has(f->rig.presence, f->id));
        check_end(f, true);
        server_rig_connect(f); // it was not: it goes on
        server_rig_hello(f, f->sequence);
        check_end(f, false);
    }
    server_rig_end_and_check(f);
    assert_int_equal(collector_rig_look(&f->rig, f->id).ended_how, CATALOG_ENDED_CLOSED);
    check_end(f, false);
    collector_rig_stop(&f->rig);
    presence_destroy(f->rig.presence);
}

// The JVM was killed while the collector was away. Another one's agent comes to the collector that
// is started next.
static void
test_a_session_whose_agent_does_not_come_to_the_next_collector_counts_as_killed(void **state)
{
    server_rig *f = *state;
    wire_client other = {0};
    char other_id[33];
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_client_open(&other, f->rig.agents_url, 0x77);
    wire_client_id(&other, other_id);
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    assert_int_equal(wire_client_hello(&other, 0).status, OK);
    collector_rig_stop(&f->rig);
    wire_client_close(&f->client);

    f->rig.killed_ms_max = 1000; // within which the other agent is there, or comes back
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&other, 0).status, OK);
    collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_KILLED);
    check_end(f, true);
    catalog_session there = collector_rig_look(&f->rig, other_id);
    assert_int_equal(there.ended_how, CATALOG_ENDED_UNKNOWN);
    wire_client_close(&other);
    server_rig_connect(f); // it was not: it goes on
    server_rig_hello(f, f->sequence);
    server_rig_end_and_check(f);
    check_end(f, false);
}

// An agent that was cut off for longer than the idle limit comes back with the rest of its chunk.
static void
test_a_session_that_ended_in_silence_goes_on(void **state)
{
    server_rig *f = *state;
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    wire_piece piece = server_rig_next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, true);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = SERVER_IDLE_MS_MAX;
    collector_rig_start(&f->rig);

    server_rig_hello(f, f->sequence);
    uint64_t late_before = metrics_get(METRICS_batches_late);
    uint64_t number = f->number;
    piece = server_rig_next_piece(f, 6); // of chunk 0, which is compacted: its events are put aside
    wire_answer answer = {.status = BUSY}; // until the disk has that it is counted
    time_t end = time(NULL) + WIRE_CLIENT_TIMEOUT_MS / 1000;
    while (answer.status == BUSY && time(NULL) < end) {
        answer = wire_client_send(&f->client, &piece);
    }
    assert_int_equal(answer.status, OK);
    assert_int_equal(metrics_get(METRICS_batches_late) - late_before, 1);
    f->number = number;
    server_rig_rotate(f);
    piece = server_rig_next_piece(f, 6);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
    server_rig_check_lost(f, CATALOG_LOSS_BATCHES_LATE, 1);
    assert_int_equal(collector_rig_look(&f->rig, f->id).losses[CATALOG_LOSS_END_UNKNOWN], 0);
    tick_losses told = {0}; // of the end in the chunk that was the last, and in the next one
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(told.count, 2);
    assert_string_equal(told.items[0].kind, "end_unknown");
    assert_string_equal(told.items[1].kind, "batches_late");
    assert_int_equal(told.items[1].amount, 1);
}

#define WITHOUT(test)                                                                              \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up_stopped, server_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITHOUT(test_a_silent_session_ends),
        WITHOUT(test_a_session_that_was_closed_stays_ended),
        WITHOUT(test_a_session_that_fell_silent_goes_on_for_all_that_share_it),
        WITHOUT(test_a_start_takes_no_session_that_another_one_left),
        WITHOUT(test_a_silent_session_that_another_one_took_is_forgotten),
        WITHOUT(test_a_session_that_timed_out_goes_on_without_a_loss),
        WITHOUT(test_a_session_whose_connection_is_gone_counts_as_killed),
        WITHOUT(test_a_session_whose_agent_does_not_come_to_the_next_collector_counts_as_killed),
        WITHOUT(test_a_session_that_ended_in_silence_goes_on),
    };
    return cmocka_run_group_tests_name("server_silence", tests, NULL, NULL);
}
