// SPDX-License-Identifier: Apache-2.0

// What a damaged data directory costs: a journal with a flipped byte, one that was cut off or
// deleted, all of them. Each costs what was in it, is in the losses of the recording with how much,
// and is counted once, however often the collector is started. The agent has kept nothing of what
// was acknowledged.

#include "support/files.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/root_batch.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    CHUNKS = 3,
    BATCHES = 4, // of each chunk
    EVENTS = 5,  // of each batch
    NUMBERS = CHUNKS * BATCHES * EVENTS,
};

static const int64_t START_NS = 1700000000000000000;

typedef struct losses {
    uint64_t by[CATALOG_LOSS_COUNT];
} losses;

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    uint64_t sequence;                     // of the next batch
    uint64_t records[CHUNKS][BATCHES + 1]; // where each begins in its journal, and the end
    uint64_t jfr_bytes[CHUNKS][BATCHES];   // of each batch
    unsigned counts[NUMBERS];
} fixture;

static void
journal_path(const fixture *f, unsigned chunk, char path[300])
{
    (void)snprintf(path, 300, "%s/journal/%s/%u.log", f->rig.dir.path, f->id, chunk);
}

static uint64_t
journal_size(const fixture *f, unsigned chunk)
{
    char path[300];
    struct stat info;
    journal_path(f, chunk, path);
    return stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

static void
hello(fixture *f, uint64_t next_sequence, uint64_t expected)
{
    wire_answer answer = wire_client_hello(&f->client, next_sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, expected);
}

static void
send_chunk(fixture *f, unsigned chunk)
{
    tick_chunk ticks;
    tick_chunk_init(&ticks, START_NS + chunk);
    for (unsigned batch = 0; batch < BATCHES; batch++) {
        wire_piece piece = wire_piece_take(&ticks, (chunk * BATCHES + batch) * EVENTS, EVENTS);
        piece.sequence = f->sequence++;
        piece.chunk = chunk;
        piece.begins_event = batch > 0;
        f->records[chunk][batch] = journal_size(f, chunk);
        f->jfr_bytes[chunk][batch] = ticks.sent - piece.from;
        assert_int_equal(wire_client_send(&f->client, &piece).status, OK);
    }
    f->records[chunk][BATCHES] = journal_size(f, chunk);
    tick_chunk_fini(&ticks);
}

// set_up has all chunks wait in their journals, and the collector stopped.
static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    f->rig.lack_ms_max = 1; // what is lost does not come again
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    hello(f, 0, 0);
    for (unsigned chunk = 0; chunk < CHUNKS; chunk++) {
        send_chunk(f, chunk);
    }
    collector_rig_stop(&f->rig);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

// restart starts the collector and stops it, some times: each time the losses are the same.
static void
restart(fixture *f, const losses *expected)
{
    for (int i = 0; i < 3; i++) {
        collector_rig_start(&f->rig);
        collector_rig_check_losses(&f->rig, f->id, expected->by);
        collector_rig_stop(&f->rig);
    }
}

// finish ends the session, which says that all of its batches were acknowledged.
static void
finish(fixture *f, uint32_t chunk_count)
{
    collector_rig_start(&f->rig);
    hello(f, f->sequence, f->sequence);
    const wire_piece last = {.sequence = f->sequence++, .chunk = CHUNKS, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, chunk_count, true);
}

// assert_counted expects the events of all batches that are not lost, each once, and no others.
static void
assert_counted(fixture *f, uint32_t chunk_count, bool is_lost[CHUNKS][BATCHES])
{
    assert_int_equal(collector_rig_count(&f->rig, f->id, chunk_count, f->counts, NUMBERS), 0);
    for (unsigned i = 0; i < NUMBERS; i++) {
        unsigned batch = i / EVENTS;
        assert_int_equal(f->counts[i], is_lost[batch / BATCHES][batch % BATCHES] ? 0 : 1);
    }
}

// assert_told expects that the file says all that is in the losses, and nothing else.
static void
assert_told(const fixture *f, const losses *expected)
{
    tick_losses told = {0};
    losses sums = {{0}};
    collector_rig_list_losses(&f->rig, f->id, &told);
    for (size_t i = 0; i < told.count; i++) {
        catalog_loss loss = 0;
        while (strcmp(catalog_loss_name(loss), told.items[i].kind) != 0) {
            loss++;
            assert_true(loss < CATALOG_LOSS_COUNT);
        }
        sums.by[loss] += told.items[i].amount;
    }
    assert_memory_equal(&sums, expected, sizeof(sums));
}

// flip changes a byte of a journal.
static void
flip(const fixture *f, unsigned chunk, uint64_t at)
{
    char path[300];
    journal_path(f, chunk, path);
    files_flip(path, (off_t)at, 0x10);
}

static void
test_nothing_is_lost_where_nothing_is_damaged(void **state)
{
    fixture *f = *state;
    const losses none = {{0}};
    restart(f, &none);
    finish(f, CHUNKS);
    collector_rig_check_losses(&f->rig, f->id, none.by);
    assert_told(f, &none);
}

static void
test_a_flipped_byte_costs_its_record(void **state)
{
    fixture *f = *state;
    flip(f, 1, f->records[1][2] + JOURNAL_FRAME_BYTES + 30);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_BATCHES_LOST] = 1;
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] = f->records[1][3] - f->records[1][2];
    restart(f, &expected);
    flip(f, 0, f->records[0][1]);     // its magic
    flip(f, 1, f->records[1][1] + 5); // its length
    expected.by[CATALOG_LOSS_BATCHES_LOST] += 2;
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] += f->records[0][2] - f->records[0][1];
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] += f->records[1][2] - f->records[1][1];
    restart(f, &expected);

    finish(f, CHUNKS);
    expected.by[CATALOG_LOSS_GAP_BYTES] =
        f->jfr_bytes[0][1] + f->jfr_bytes[1][1] + f->jfr_bytes[1][2];
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[0][1] = true, [1][1] = true, [1][2] = true};
    assert_counted(f, CHUNKS, is_lost);
    assert_told(f, &expected);
}

// Without syncing nobody looks at a journal before it is compacted.
static void
test_a_journal_that_is_deleted_while_the_collector_runs_is_counted(void **state)
{
    fixture *f = *state;
    char path[300];
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_CHUNKS_UNREADABLE] = 1;
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] = journal_size(f, 1);
    f->rig.sync = SYNC_NEVER;
    collector_rig_start(&f->rig);
    hello(f, f->sequence, f->sequence);
    journal_path(f, 1, path);
    assert_int_equal(unlink(path), 0);
    const wire_piece last = {.sequence = f->sequence++, .chunk = CHUNKS, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[1] = {true, true, true, true}};
    assert_counted(f, CHUNKS, is_lost);
    assert_told(f, &expected);
}

// The metadata of a chunk is in its first batch. That of the next chunk serves as well.
static void
test_lost_metadata_is_that_of_the_next_chunk(void **state)
{
    fixture *f = *state;
    flip(f, 1, f->records[1][0]);
    finish(f, CHUNKS);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_BATCHES_LOST] = 1;
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] = f->records[1][1] - f->records[1][0];
    expected.by[CATALOG_LOSS_GAP_BYTES] = f->jfr_bytes[1][0] - TICK_HEADER_BYTES;
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    assert_told(f, &expected);
    bool is_lost[CHUNKS][BATCHES] = {[1][0] = true};
    assert_counted(f, CHUNKS, is_lost);
}

static void
test_a_last_chunk_without_metadata_is_unreadable(void **state)
{
    fixture *f = *state;
    flip(f, CHUNKS - 1, f->records[CHUNKS - 1][0]);
    finish(f, CHUNKS - 1);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_BATCHES_LOST] = 1;
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] =
        f->records[CHUNKS - 1][1] - f->records[CHUNKS - 1][0];
    expected.by[CATALOG_LOSS_CHUNKS_UNREADABLE] = 1;
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[CHUNKS - 1] = {true, true, true, true}};
    assert_counted(f, CHUNKS - 1, is_lost);
}

// The next session has a request that is open at its end, which cannot be read: the request counts
// with the chunk before.
static void
test_a_request_that_is_open_before_an_unreadable_end_counts(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5b);
    wire_client_id(&f->client, f->id);
    f->sequence = 0;
    hello(f, 0, 0);
    root_batch_send(&f->client, f->sequence++, 0, 1000, false);
    for (unsigned chunk = 0; chunk < CHUNKS; chunk++) {
        send_chunk(f, chunk);
    }
    collector_rig_stop(&f->rig);
    flip(f, CHUNKS - 1, f->records[CHUNKS - 1][0]);
    finish(f, CHUNKS - 1);
    const catalog_session row = collector_rig_look(&f->rig, f->id);
    assert_int_equal(row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_int_equal(row.totals.requests_in, 1);
}

// What is damaged while the collector runs is found when the chunk is compacted.
static void
test_damage_since_the_start_is_counted_with_the_chunk(void **state)
{
    fixture *f = *state;
    collector_rig_start(&f->rig);
    hello(f, f->sequence, f->sequence);
    flip(f, 2, f->records[2][3] + JOURNAL_FRAME_BYTES); // the last
    flip(f, 0, f->records[0][2] + JOURNAL_FRAME_BYTES);
    const wire_piece last = {.sequence = f->sequence++, .chunk = CHUNKS, .is_last = true};
    assert_int_equal(wire_client_send(&f->client, &last).status, OK);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] =
        f->records[0][3] - f->records[0][2] + f->records[2][4] - f->records[2][3];
    expected.by[CATALOG_LOSS_GAP_BYTES] = f->jfr_bytes[0][2]; // nobody saw how long the last was
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[0][2] = true, [2][3] = true};
    assert_counted(f, CHUNKS, is_lost);
}

static void
test_a_damaged_end_is_cut_off_and_counted(void **state)
{
    fixture *f = *state;
    flip(f, 2, f->records[2][3] + JOURNAL_FRAME_BYTES);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] = f->records[2][4] - f->records[2][3];
    expected.by[CATALOG_LOSS_BATCHES_LOST] = 1;
    restart(f, &expected);
    assert_int_equal(journal_size(f, 2), f->records[2][3]);
    finish(f, CHUNKS); // whose Hello says nothing new
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[2][3] = true};
    assert_counted(f, CHUNKS, is_lost);
}

// A record that was cut short is one that was never acknowledged, as far as the journal goes.
static void
test_a_cut_journal_lacks_batches(void **state)
{
    fixture *f = *state;
    char path[300];
    journal_path(f, 2, path);
    assert_int_equal(truncate(path, (off_t)f->records[2][2] + 20), 0);
    losses expected = {{0}};
    expected.by[CATALOG_LOSS_BATCHES_LOST] = 2;
    restart(f, &expected);
    finish(f, CHUNKS);
    collector_rig_check_losses(&f->rig, f->id, expected.by);
    bool is_lost[CHUNKS][BATCHES] = {[2][2] = true, [2][3] = true};
    assert_counted(f, CHUNKS, is_lost);
}

static void
test_a_deleted_journal_lacks_its_batches(void **state)
{
    fixture *f = *state;
    char path[300];
    losses expected = {{0}};
    for (unsigned chunk = 0; chunk < CHUNKS; chunk++) { // the first, one between, the last
        journal_path(f, chunk == 0 ? 1 : chunk == 1 ? 0 : 2, path);
        assert_int_equal(unlink(path), 0);
        expected.by[CATALOG_LOSS_BATCHES_LOST] += BATCHES;
        restart(f, &expected);
    }
    finish(f, 0);
    collector_rig_check_losses(&f->rig, f->id, expected.by);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_lost_where_nothing_is_damaged),
        TEST(test_a_flipped_byte_costs_its_record),
        TEST(test_a_journal_that_is_deleted_while_the_collector_runs_is_counted),
        TEST(test_lost_metadata_is_that_of_the_next_chunk),
        TEST(test_a_last_chunk_without_metadata_is_unreadable),
        TEST(test_a_request_that_is_open_before_an_unreadable_end_counts),
        TEST(test_damage_since_the_start_is_counted_with_the_chunk),
        TEST(test_a_damaged_end_is_cut_off_and_counted),
        TEST(test_a_cut_journal_lacks_batches),
        TEST(test_a_deleted_journal_lacks_its_batches),
    };
    return cmocka_run_group_tests_name("losses", tests, NULL, NULL);
}
