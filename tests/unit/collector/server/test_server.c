// SPDX-License-Identifier: Apache-2.0
// The collector over a real connection: every batch that was acknowledged is in the result once,
// whatever comes twice, out of order, damaged or not at all.
//
// The result is looked at in the compacted chunks, by the numbers of their events.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/session/session.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_session_is_compacted_when_it_ends(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    for (int i = 0; i < 10; i++) {
        wire_piece piece = server_rig_next_piece(f, 5);
        server_rig_send(f, &piece);
        if (i % 3 == 2) {
            server_rig_rotate(f);
        }
    }
    server_rig_end_and_check(f);
}

static void
test_a_chunk_is_compacted_once_its_successor_is_long_enough(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 3);
    server_rig_send(f, &piece);
    server_rig_rotate(f);
    piece = server_rig_next_piece(f, 3);
    piece.duration_ns = SESSION_LOOK_AHEAD_NS - 1;
    server_rig_send(f, &piece);
    snapshot *before = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(before->next_chunk, 0);
    snapshot_unref(before);

    piece = server_rig_next_piece(f, 3);
    piece.duration_ns = SESSION_LOOK_AHEAD_NS;
    server_rig_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, false);
    server_rig_end_and_check(f);
}

static void
test_a_batch_that_comes_again_counts_once(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    for (int i = 0; i < 5; i++) {
        wire_piece piece = server_rig_next_piece(f, 4);
        for (int again = 0; again < 3; again++) {
            wire_answer answer = wire_client_send(&f->client, &piece);
            assert_int_equal(answer.status, OK);
            assert_int_equal(answer.next_sequence, i + 1);
        }
    }
    server_rig_end_and_check(f);
}

// start_big sends a batch with a payload that nobody looks into before it is compacted.
static wire_pending
start_big(wire_client *client, uint64_t sequence, const lp_buf *payload)
{
    lp_buf packed = {0};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(client->session), client->session};
    batch.sequence = sequence;
    batch.jfr_zstd = (ProtobufCBinaryData){payload->len, payload->ptr};
    batch.jfr_size = 1;
    wire_client_pack_batch(&batch, &packed);
    wire_pending pending = wire_client_start(client, packed.ptr, packed.len);
    lp_buf_fini(&packed);
    return pending;
}

static void
test_batches_out_of_order_are_put_in_order(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    lp_buf messages[WIRE_WINDOW_MAX] = {{0}};
    wire_pending pending[WIRE_WINDOW_MAX];
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        wire_piece piece = server_rig_next_piece(f, 7);
        wire_client_pack(&f->client, &piece, &messages[i]);
    }
    for (size_t i = WIRE_WINDOW_MAX; i-- > 0;) { // the last first
        pending[i] = wire_client_start(&f->client, messages[i].ptr, messages[i].len);
    }
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        assert_int_equal(wire_client_finish(&pending[i]).status, OK);
        lp_buf_fini(&messages[i]);
    }
    server_rig_end_and_check(f);
}

// Agents that keep the collector waiting for a batch cannot have it keep all that come after.
static void
test_batches_that_came_early_have_a_limit(void **state)
{
    enum {
        BYTES = 1 << 20,
        EARLY_BYTES_MAX = MEMORY_PLAN_BYTES_LEAST / 16, // as the server of the tests has it
        SESSIONS = EARLY_BYTES_MAX / BYTES / (WIRE_WINDOW_MAX - 1) + 1
    };
    server_rig *f = *state;
    wire_pending pending[SESSIONS][WIRE_WINDOW_MAX];
    lp_buf payload = {0};
    assert_non_null(lp_buf_extend(&payload, BYTES));
    memset(payload.ptr, 0, payload.len);
    for (size_t i = 0; i < SESSIONS; i++) {
        f->client.session[0] = (uint8_t)i;
        server_rig_hello(f, 0);
        for (uint64_t sequence = WIRE_WINDOW_MAX - 1; sequence > 0; sequence--) {
            pending[i][sequence] = start_big(&f->client, sequence, &payload);
        }
    }
    int busy_count = 0;
    wire_answer last = wire_client_finish(&pending[SESSIONS - 1][1]);
    assert_int_equal(last.status, BUSY);
    for (size_t i = 0; i < SESSIONS; i++) {
        f->client.session[0] = (uint8_t)i;
        pending[i][0] = start_big(&f->client, 0, &payload);
        for (size_t j = 0; j < WIRE_WINDOW_MAX; j++) {
            if (i < SESSIONS - 1 || j != 1) {
                busy_count += wire_client_finish(&pending[i][j]).status == BUSY;
            }
        }
    }
    // All but those that fill the limit, and more on a slow machine, where NNG sends them again.
    assert_true(busy_count + 1 >= SESSIONS * (WIRE_WINDOW_MAX - 1) - EARLY_BYTES_MAX / BYTES);
    lp_buf_fini(&payload);
}

static void
test_a_batch_far_ahead_asks_for_a_hello(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece ahead = {.sequence = WIRE_WINDOW_MAX};
    wire_answer answer = wire_client_send(&f->client, &ahead);
    assert_int_equal(answer.status, UNKNOWN_SESSION);
    assert_int_equal(answer.next_sequence, 0);

    // The agent says that what comes before was acknowledged, so it will never come: on from there.
    f->sequence = WIRE_WINDOW_MAX;
    uint64_t before = metrics_get(METRICS_losses_BATCHES_LOST);
    server_rig_hello(f, WIRE_WINDOW_MAX);
    server_rig_check_lost(f, CATALOG_LOSS_BATCHES_LOST, WIRE_WINDOW_MAX);
    server_rig_hello(f, WIRE_WINDOW_MAX); // again: it is counted already
    server_rig_end_and_check(f);
    server_rig_check_lost(f, CATALOG_LOSS_BATCHES_LOST, WIRE_WINDOW_MAX);
    assert_int_equal(metrics_get(METRICS_losses_BATCHES_LOST) - before, WIRE_WINDOW_MAX);
}

static void
test_an_unknown_session_is_told_so(void **state)
{
    server_rig *f = *state;
    wire_piece piece = server_rig_next_piece(f, 1);
    assert_int_equal(wire_client_send(&f->client, &piece).status, UNKNOWN_SESSION);
    f->sequence = 0;
    server_rig_hello(f, 0);
    f->sequence = 1;
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
}

// As where the data directory is another one: what came before is not there.
static void
test_batches_that_another_collector_had_are_lost_here(void **state)
{
    server_rig *f = *state;
    f->sequence = 5;
    server_rig_hello(f, 5);
    server_rig_end_and_check(f);
    server_rig_check_lost(f, CATALOG_LOSS_BATCHES_LOST, 5);
}

static void
test_a_session_without_events_ends(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    wire_piece last = {.is_last = true};
    server_rig_send(f, &last);
    collector_rig_await(&f->rig, f->id, 0, true);
}

static void
test_a_snapshot_follows_what_is_compacted(void **state)
{
    server_rig *f = *state;
    server_rig_hello(f, 0);
    for (int i = 0; i < 12; i++) {
        wire_piece piece = server_rig_next_piece(f, 5);
        server_rig_send(f, &piece);
        if (i % 3 == 2) {
            server_rig_rotate(f);
        }
        memset(f->counts, 0, sizeof(f->counts));
        snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
        assert_int_equal(taken->err, LP_OK);
        assert_int_equal(collector_rig_count(
                             &f->rig, f->id, taken->next_chunk, f->counts, SERVER_RIG_NUMBERS_MAX),
            0);
        assert_int_equal(collector_rig_count_pending(taken, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
        server_rig_check_each_once(f);
        snapshot_unref(taken);
    }
    memset(f->counts, 0, sizeof(f->counts));
    server_rig_end_and_check(f);
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(taken->next_chunk, f->chunk);
    assert_int_equal(taken->chunks.count, 0);
    assert_int_equal(taken->totals.events_out, f->number);
    snapshot_unref(taken);

    taken = collector_rig_snapshot(&f->rig, "00000000000000000000000000000000", SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_ENOENT);
    snapshot_unref(taken);
}

static size_t
count_files(const char *parent, const char *name)
{
    char path[300];
    size_t count = 0;
    (void)snprintf(path, sizeof(path), "%s/%s", parent, name);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(dir);
    return count;
}

static void
test_a_damaged_chunk_does_not_stop_its_session(void **state)
{
    server_rig *f = *state;
    uint64_t damaged_before = metrics_get(METRICS_chunks_damaged);
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 5);
    server_rig_send(f, &piece);
    server_rig_rotate(f);

    // A chunk whose first event says that it has no size.
    tick_chunk broken;
    tick_chunk_init(&broken, SERVER_RIG_START_NS + SERVER_RIG_SECOND_NS);
    memset(broken.bytes.ptr + TICK_HEADER_BYTES, 0, 8);
    wire_piece bad = {.sequence = f->sequence++, .chunk = f->chunk, .ticks = &broken};
    server_rig_send(f, &bad);
    tick_chunk_fini(&broken);
    server_rig_rotate(f);

    piece = server_rig_next_piece(f, 5);
    server_rig_send(f, &piece);
    server_rig_end_and_check(f);
    assert_int_equal(metrics_get(METRICS_chunks_damaged) - damaged_before, 1);
    server_rig_check_lost(f, CATALOG_LOSS_CHUNKS_UNREADABLE, 1);
    collector_rig_stop(&f->rig); // the catalog knows of a chunk before its journal goes
    assert_int_equal(count_files(f->rig.dir.path, "damaged"), 1);
    assert_int_equal(count_files(f->rig.dir.path, "journal"), 0);
    collector_rig_start(&f->rig);
}

// Where nobody knows where an event begins in the batch behind a gap, it goes up to the next
// header.
static void
test_what_is_before_and_behind_a_gap_is_used(void **state)
{
    server_rig *f = *state;
    for (int has_begin = 0; has_begin < 2; has_begin++) {
        f->client.session[0] = (uint8_t)has_begin;
        wire_client_id(&f->client, f->id);
        f->sequence = 0;
        server_rig_hello(f, 0);
        uint64_t first = f->number;
        size_t begin[5]; // of the batches: the second does not come
        for (size_t i = 0; i < 5; i++) {
            wire_piece piece = server_rig_next_piece(f, 5);
            begin[i] = piece.from;
            piece.begins_event = has_begin != 0;
            f->sequence -= i == 1 ? 1 : 0;
            if (i != 1) {
                server_rig_send(f, &piece);
            }
        }
        const wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
        server_rig_send(f, &last);
        collector_rig_await(&f->rig, f->id, 1, true);
        memset(f->counts, 0, sizeof(f->counts));
        assert_int_equal(
            collector_rig_count(&f->rig, f->id, 1, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
        uint64_t lost_end = has_begin ? 10 : 15;
        for (uint64_t i = 0; i < 25; i++) {
            assert_int_equal(f->counts[first + i], i < 5 || i >= lost_end);
        }
        server_rig_check_lost(f, CATALOG_LOSS_GAP_BYTES, begin[has_begin ? 2 : 3] - begin[1]);
        tick_chunk_fini(&f->ticks);
        tick_chunk_init(&f->ticks, SERVER_RIG_START_NS);
    }
}

// set_up_impatient starts a collector that does not wait for batches that lack.
static int
set_up_impatient(void **state)
{
    (void)server_rig_set_up_stopped(state);
    server_rig *f = *state;
    f->rig.lack_ms_max = 1;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    return 0;
}

#define IMPATIENT(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, set_up_impatient, server_rig_tear_down)

#define WITH_SERVER(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up, server_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(test_a_session_is_compacted_when_it_ends),
        WITH_SERVER(test_a_chunk_is_compacted_once_its_successor_is_long_enough),
        WITH_SERVER(test_a_batch_that_comes_again_counts_once),
        WITH_SERVER(test_batches_out_of_order_are_put_in_order),
        WITH_SERVER(test_batches_that_came_early_have_a_limit),
        IMPATIENT(test_a_batch_far_ahead_asks_for_a_hello),
        WITH_SERVER(test_an_unknown_session_is_told_so),
        IMPATIENT(test_batches_that_another_collector_had_are_lost_here),
        WITH_SERVER(test_a_session_without_events_ends),
        WITH_SERVER(test_a_snapshot_follows_what_is_compacted),
        WITH_SERVER(test_a_damaged_chunk_does_not_stop_its_session),
        WITH_SERVER(test_what_is_before_and_behind_a_gap_is_used),
    };
    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
