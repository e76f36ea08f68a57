// SPDX-License-Identifier: Apache-2.0

// A chunk is assembled from a real journal, up to a header's size and the limit; contexts end at
// missing batches. tests/prop/test_holes_prop.c checks which events remain.

#include "support/ctx_packing.h"
#include "support/temp_dir.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/chunks/assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES = 3, EVENTS = 5, NUMBERS = PIECES * EVENTS };

typedef struct fixture {
    temp_dir dir;
    journal *journal;
    size_t ends[PIECES]; // of the chunk after each of its pieces
} fixture;

// set_up journals a chunk in pieces of EVENTS each.
static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    wire_client client = {0};
    tick_chunk ticks;
    f->dir = temp_dir_make();
    (void)snprintf(path, sizeof(path), "%s/0.log", f->dir.path);
    assert_int_equal(journal_open(path, &f->journal), LP_OK);
    tick_chunk_init(&ticks, 1700000000000000000);
    for (unsigned i = 0; i < NUMBERS / EVENTS; i++) {
        lp_buf message = {0};
        wire_piece piece = wire_piece_take(&ticks, i * EVENTS, EVENTS);
        piece.sequence = i;
        wire_client_pack(&client, &piece, &message);
        assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
        lp_buf_fini(&message);
        f->ends[i] = ticks.sent;
    }
    tick_chunk_fini(&ticks);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    journal_unref(f->journal);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// assemble reads the journal under a limit and counts the events; out_gap gets the first gap.
static lp_err
assemble(const fixture *f, size_t bytes_max, unsigned counts[NUMBERS], lp_problem *out_gap)
{
    const assembly_part part = {
        .journal = f->journal, .end_bytes = journal_get_size(f->journal), .has_jfr = true};
    assembly whole = {.jfr_bytes_max = bytes_max, .record_bytes_max = bytes_max};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    assert_true(whole.jfr.len <= bytes_max);
    memset(counts, 0, NUMBERS * sizeof(counts[0]));
    *out_gap = whole.gap;
    lp_err err = assembly_finish(&whole, NULL);
    if (err == LP_OK) {
        lp_slice jfr = assembly_view(&whole).jfr;
        assert_int_equal(tick_chunk_count(jfr.ptr, jfr.len, counts, NUMBERS), 0);
    }
    assembly_fini(&whole);
    return err;
}

static void
assert_counted(const unsigned counts[NUMBERS], unsigned end)
{
    for (unsigned i = 0; i < NUMBERS; i++) {
        assert_int_equal(counts[i], i < end ? 1 : 0);
    }
}

static void
test_all_pieces_make_the_chunk(void **state)
{
    const fixture *f = *state;
    unsigned counts[NUMBERS];
    lp_problem gap;
    assert_int_equal(assemble(f, f->ends[PIECES - 1], counts, &gap), LP_OK);
    assert_string_equal(gap.text, "");
    assert_counted(counts, NUMBERS);
}

// journal_again journals the chunk from its start again, after an unrelated piece.
static void
journal_again(const fixture *f)
{
    wire_client client = {0};
    tick_chunk ticks;
    tick_chunk_init(&ticks, 1700000000000000000);
    for (unsigned i = 0; i < NUMBERS; i++) {
        tick_chunk_add(&ticks, i);
    }
    const wire_piece pieces[] = {
        {.ticks = &ticks, .from = ticks.bytes.len - 1}, {.ticks = &ticks, .begins_again = true}};
    for (unsigned i = 0; i < 2; i++) {
        lp_buf message = {0};
        wire_client_pack(&client, &pieces[i], &message);
        assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
        lp_buf_fini(&message);
    }
    tick_chunk_fini(&ticks);
}

static void
test_a_chunk_that_begins_again_is_there_once(void **state)
{
    const fixture *f = *state;
    unsigned counts[NUMBERS];
    lp_problem gap;
    journal_again(f);
    assert_int_equal(assemble(f, f->ends[PIECES - 1], counts, &gap), LP_OK);
    assert_counted(counts, NUMBERS);
}

// keep_records cuts the journal off behind its first count records.
static void
keep_records(const fixture *f, unsigned count)
{
    journal_cursor cursor;
    lp_slice message;
    journal_cursor_init(&cursor, f->journal, journal_get_size(f->journal));
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
    }
    assert_int_equal(journal_cut(f->journal, cursor.offset), LP_OK);
    journal_cursor_fini(&cursor);
}

// The agent resent the chunk, and the batch that said so is lost: some bytes exist twice.
static void
test_a_chunk_that_comes_again_unannounced_goes_on(void **state)
{
    const fixture *f = *state;
    wire_client client = {0};
    tick_chunk ticks;
    unsigned counts[NUMBERS];
    lp_problem gap;
    keep_records(f, 1);
    tick_chunk_init(&ticks, 1700000000000000000);
    for (unsigned i = 0; i < NUMBERS; i++) {
        tick_chunk_add(&ticks, i);
    }
    lp_buf message = {0};
    wire_client_pack(&client, &(wire_piece){.sequence = 1, .ticks = &ticks}, &message);
    assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
    lp_buf_fini(&message);
    tick_chunk_fini(&ticks);
    assert_int_equal(assemble(f, f->ends[PIECES - 1], counts, &gap), LP_OK);
    assert_counted(counts, NUMBERS);
}

static void
test_what_is_over_the_limit_is_a_gap(void **state)
{
    const fixture *f = *state;
    unsigned counts[NUMBERS];
    lp_problem gap;
    char expected[100];
    assert_int_equal(assemble(f, f->ends[PIECES - 1] - 1, counts, &gap), LP_OK);
    (void)snprintf(expected, sizeof(expected), "the chunk is over the limit at offset %zu",
        f->ends[PIECES - 2]);
    assert_string_equal(gap.text, expected);
    assert_counted(counts, NUMBERS - EVENTS);

    assert_int_equal(assemble(f, f->ends[0] - 1, counts, &gap), LP_ECORRUPT);
}

// journal_set_with journals a batch, like this one, with one context record, which begins a
// context.
static void
journal_set_with(const fixture *f, Loupe__Wire__Batch batch, int64_t thread_id, int64_t ticks)
{
    ctx_record_header set = {.size_bytes = sizeof(set),
        .type_id = 1,
        .kind = CTX_RECORD_SET,
        .thread_id = thread_id,
        .time_ticks = ticks};
    const lp_slice record = {(const uint8_t *)&set, sizeof(set)};
    ctx_packer packer = {.run_bytes = SIZE_MAX};
    assert_int_equal(ctx_packing_pack(record, &packer), LP_OK);
    batch.contexts_packed = (ProtobufCBinaryData){packer.packed.len, packer.packed.ptr};
    batch.contexts_size = sizeof(set);
    lp_buf message = {0};
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
    lp_buf_fini(&message);
    ctx_packer_fini(&packer);
}

static void
journal_set(const fixture *f, uint64_t sequence, int64_t thread_id, int64_t ticks)
{
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = sequence;
    journal_set_with(f, batch, thread_id, ticks);
}

static void
assert_record(const assembly *whole, size_t index, uint8_t kind, int64_t thread_id, int64_t ticks)
{
    ctx_record_header record;
    assert_true(whole->records.len >= (index + 1) * sizeof(record));
    memcpy(&record, whole->records.ptr + index * sizeof(record), sizeof(record));
    assert_int_equal(record.kind, kind);
    assert_int_equal(record.thread_id, thread_id);
    assert_int_equal(record.time_ticks, ticks);
}

// The journal of chunk 1 has records of chunk 0, which was compacted before they arrived. Chunk 1
// restarts twice, and its records with it; those of chunk 0 stay.
static void
test_records_of_earlier_chunks_do_not_begin_again(void **state)
{
    const fixture *f = *state;
    const struct {
        uint32_t chunk;
        bool begins_again;
    } batches[] = {{1, 0}, {0, 0}, {1, 0}, {0, 0}, {1, 1}, {0, 0}, {1, 0}, {1, 1}};
    assert_int_equal(journal_cut(f->journal, 0), LP_OK);
    for (unsigned i = 0; i < sizeof(batches) / sizeof(batches[0]); i++) {
        Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
        batch.sequence = i;
        batch.chunk = batches[i].chunk;
        batch.begins_again = batches[i].begins_again;
        journal_set_with(f, batch, 7, 100 + i);
    }
    const assembly_part part = {
        .journal = f->journal, .end_bytes = journal_get_size(f->journal), .ordinal = 1};
    assembly whole = {.jfr_bytes_max = 1000, .record_bytes_max = 1000};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    assert_int_equal(whole.records.len, 4 * sizeof(ctx_record_header));
    const int64_t left[] = {101, 103, 105, 107};
    for (unsigned i = 0; i < 4; i++) {
        assert_record(&whole, i, CTX_RECORD_SET, 7, left[i]);
    }
    assembly_fini(&whole);
}

// assert_lost checks that two batches are lost, and no others.
static void
assert_lost(const assembly *whole, uint64_t one, uint64_t other)
{
    assert_int_equal(lp_ranges_count(&whole->lost), 2);
    assert_true(lp_ranges_overlaps(&whole->lost, one, one + 1));
    assert_true(lp_ranges_overlaps(&whole->lost, other, other + 1));
}

// A missing batch may have had an end of a context: so all contexts end there.
static void
test_contexts_end_where_batches_are_missing(void **state)
{
    const fixture *f = *state;
    journal_set(f, PIECES, 7, 2000);
    journal_set(f, PIECES + 1, 8, 1500);
    journal_set(f, PIECES + 3, 9, 2500);
    assembly_part part = {.journal = f->journal,
        .end_bytes = journal_get_size(f->journal),
        .has_jfr = true,
        .gap_before = {PIECES - 2, PIECES}};
    lp_ranges_add(&part.due, PIECES - 1, PIECES + 3); // the one before is elsewhere
    assembly whole = {
        .jfr_bytes_max = f->ends[PIECES - 1], .record_bytes_max = f->ends[PIECES - 1]};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    assert_int_equal(assembly_finish(&whole, NULL), LP_OK);
    assert_int_equal(whole.records.len, 5 * sizeof(ctx_record_header));
    assert_record(&whole, 0, CTX_RECORD_THREAD_END, CTX_THREAD_ALL, 1); // the chunk's start
    assert_record(&whole, 1, CTX_RECORD_SET, 7, 2000);
    assert_record(&whole, 2, CTX_RECORD_SET, 8, 1500);
    assert_record(&whole, 3, CTX_RECORD_THREAD_END, CTX_THREAD_ALL, 2000); // the latest so far
    assert_record(&whole, 4, CTX_RECORD_SET, 9, 2500);
    assert_lost(&whole, PIECES - 1, PIECES + 2);
    lp_ranges_fini(&part.due);
    assembly_fini(&whole);
}

// The journal of chunk 1 has batches of chunk 0 that arrived after its compaction, with their
// records put aside: contexts end there, the first time at the chunk's start.
static void
test_contexts_end_where_records_are_put_aside(void **state)
{
    const fixture *f = *state;
    const struct {
        uint32_t chunk;
        uint32_t late_size; // 0: it has a record
    } batches[] = {{0, 24}, {0, 24}, {1, 0}, {0, 48}};
    assert_int_equal(journal_cut(f->journal, 0), LP_OK);
    for (unsigned i = 0; i < sizeof(batches) / sizeof(batches[0]); i++) {
        Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
        batch.sequence = i;
        batch.chunk = batches[i].chunk;
        batch.contexts_size = batches[i].late_size;
        if (batches[i].late_size == 0) {
            journal_set_with(f, batch, 7, 2000);
            continue;
        }
        lp_buf message = {0};
        wire_client_pack_batch(&batch, &message);
        assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
        lp_buf_fini(&message);
    }
    const assembly_part part = {
        .journal = f->journal, .end_bytes = journal_get_size(f->journal), .ordinal = 1};
    assembly whole = {.jfr_bytes_max = 1000, .record_bytes_max = 1000};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    assert_int_equal(whole.records.len, 3 * sizeof(ctx_record_header));
    assert_int_equal(whole.unset_break, 1);
    assert_record(&whole, 1, CTX_RECORD_SET, 7, 2000);
    assert_record(&whole, 2, CTX_RECORD_THREAD_END, CTX_THREAD_ALL, 2000);
    assert_false(whole.has_gap);
    assembly_fini(&whole);
}

// A break may exceed the limit of records; then no more fit.
static void
test_no_records_come_behind_a_break_over_the_limit(void **state)
{
    const fixture *f = *state;
    assert_int_equal(journal_cut(f->journal, 0), LP_OK);
    journal_set(f, 0, 7, 100);
    journal_set(f, 2, 8, 200);
    journal_set(f, 3, 9, 300);
    const assembly_part part = {.journal = f->journal, .end_bytes = journal_get_size(f->journal)};
    assembly whole = {.jfr_bytes_max = 1000, .record_bytes_max = sizeof(ctx_record_header)};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    assert_int_equal(whole.records.len, 2 * sizeof(ctx_record_header));
    assert_record(&whole, 0, CTX_RECORD_SET, 7, 100);
    assert_record(&whole, 1, CTX_RECORD_THREAD_END, CTX_THREAD_ALL, 100);
    assert_int_equal(whole.lost_record_bytes, 2 * sizeof(ctx_record_header));
    assembly_fini(&whole);
}

// journal_all_again journals the whole chunk in one batch that restarts it.
static void
journal_all_again(const fixture *f, uint64_t sequence)
{
    wire_client client = {0};
    tick_chunk ticks;
    lp_buf message = {0};
    tick_chunk_init(&ticks, 1700000000000000000);
    for (unsigned i = 0; i < NUMBERS; i++) {
        tick_chunk_add(&ticks, i);
    }
    const wire_piece piece = {.sequence = sequence, .ticks = &ticks, .begins_again = true};
    wire_client_pack(&client, &piece, &message);
    assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
    lp_buf_fini(&message);
    tick_chunk_fini(&ticks);
}

// damage_last flips the last byte of the last record.
static void
damage_last(const fixture *f)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/0.log", f->dir.path);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)journal_get_size(f->journal) - 1, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
    assert_int_equal(fputc(byte ^ 1, file), byte ^ 1);
    assert_int_equal(fclose(file), 0);
}

// A batch missing before the chunk's restart is no loss. One missing from the previous chunk may
// be, and contexts end there.
static void
test_what_came_again_is_not_missing(void **state)
{
    const fixture *f = *state;
    journal_set(f, PIECES + 2, 7, 2000);
    journal_set(f, PIECES + 3, 8, 2100);
    damage_last(f);
    journal_all_again(f, PIECES + 4);
    journal_set(f, PIECES + 5, 9, 2500);
    for (int is_own = 0; is_own < 2; is_own++) {
        assembly_part part = {.journal = f->journal,
            .end_bytes = journal_get_size(f->journal),
            .has_jfr = true,
            .gap_before = {PIECES, PIECES + 2},
            .owns_gap = is_own == 1};
        lp_ranges_add(&part.due, 0, UINT64_MAX);
        assembly whole = {
            .jfr_bytes_max = f->ends[PIECES - 1], .record_bytes_max = f->ends[PIECES - 1]};
        assert_int_equal(assembly_add(&whole, &part), LP_OK);
        assert_int_equal(assembly_finish(&whole, NULL), LP_OK);
        assert_int_equal(lp_ranges_count(&whole.lost), is_own == 1 ? 0 : 2);
        lp_ranges_fini(&part.due);
        assert_int_equal(whole.damaged_bytes, 0);
        assert_int_equal(whole.lost_bytes, 0);
        size_t breaks = is_own == 1 ? 0 : 1;
        assert_int_equal(whole.records.len, (breaks + 1) * sizeof(ctx_record_header));
        if (breaks > 0) {
            assert_record(&whole, 0, CTX_RECORD_THREAD_END, CTX_THREAD_ALL, 1);
        }
        assert_record(&whole, breaks, CTX_RECORD_SET, 9, 2500);
        assembly_fini(&whole);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_pieces_make_the_chunk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_begins_again_is_there_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_comes_again_unannounced_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_over_the_limit_is_a_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_records_of_earlier_chunks_do_not_begin_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_contexts_end_where_batches_are_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_contexts_end_where_records_are_put_aside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_no_records_come_behind_a_break_over_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_came_again_is_not_missing, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}
