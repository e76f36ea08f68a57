// SPDX-License-Identifier: Apache-2.0

// A chunk is put together out of a real journal: as far as a header covers it, up to the first gap
// and up to the limit.

#include "support/temp_dir.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/server/assembly.h"

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
    size_t sent = 0;
    f->dir = temp_dir_make();
    (void)snprintf(path, sizeof(path), "%s/0.log", f->dir.path);
    assert_int_equal(journal_open(path, &f->journal), LP_OK);
    tick_chunk_init(&ticks, 1700000000000000000);
    for (unsigned i = 0; i < NUMBERS; i++) {
        tick_chunk_add(&ticks, i);
        if (i % EVENTS == EVENTS - 1) {
            lp_buf message = {0};
            const wire_piece piece = {.sequence = i / EVENTS, .ticks = &ticks, .from = sent};
            wire_client_pack(&client, &piece, &message);
            assert_int_equal(journal_append(f->journal, lp_buf_slice(&message)), LP_OK);
            lp_buf_fini(&message);
            sent = f->ends[i / EVENTS] = ticks.bytes.len;
        }
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

// assemble reads the journal under a limit and counts the events; out_gap gets what is missing.
static lp_err
assemble(const fixture *f, size_t bytes_max, unsigned counts[NUMBERS], lp_problem *out_gap)
{
    const assembly_part part = {
        .journal = f->journal, .end_bytes = journal_get_size(f->journal), .has_jfr = true};
    assembly whole = {.bytes_max = bytes_max};
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_pieces_make_the_chunk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_over_the_limit_is_a_gap, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}
