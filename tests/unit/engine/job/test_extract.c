// SPDX-License-Identifier: Apache-2.0
// Extracts have the chosen events with their values, everything that these refer to, and nothing
// else. Each chunk keeps its own clock.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "engine/job/chunk_times.h"
#include "engine/job/extract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TICKS_PER_S = 2400000000, EVENTS = 4 };

static const int64_t WALL_NS = 1700000000000000000; // of the session's first chunk

// A chunk, and the output for it.
typedef struct world {
    jfr_build build;
    lp_slice chunk;
    const jfr_chunk_info *next; // NULL: unknown
    uint32_t offsets[EVENTS];
    jfr_read source;
    compact_result result;
    jfr_read out;
} world;

// make_chunk makes a chunk: a plain event in a context, and the same on another thread.
static void
make_chunk(world *w, int64_t start_ticks, int64_t ticks_per_s)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    jfr_build *b = &w->build;
    jfr_build_begin(
        b, &(jfr_build_clock){.start_ticks = start_ticks,
               .ticks_per_s = ticks_per_s,
               .start_wall_ns =
                   WALL_NS + (int64_t)((__int128)start_ticks * 1000000000 / ticks_per_s) + 7,
               .duration_ns = 1000});
    jfr_build_metadata(b, 1, types, count);
    for (uint64_t thread = 1; thread <= 2; thread++) {
        int64_t start = start_ticks + (int64_t)thread * 100;
        jfr_sample_thread(b, thread, 10 + (int64_t)thread);
        jfr_sample_stack(b, thread * 100);
        w->offsets[2 * thread - 2] = (uint32_t)jfr_sample_event(
            b, &(jfr_sample){JFR_SAMPLE_PLAIN, start + 1, start + 2, thread, thread * 100, "text"});
        w->offsets[2 * thread - 1] = (uint32_t)jfr_sample_event(
            b, &(jfr_sample){JFR_SAMPLE_TRACE, start, start + 9, thread, 0, "id"});
    }
    jfr_build_checkpoint(b);
    w->chunk = jfr_build_finish(b);
    jfr_read_open(&w->source, w->chunk);
}

static void
extract(world *w, compact_extracts *session, const compact_source *source, const uint32_t *offsets,
    size_t count)
{
    compact_view view;
    lp_problem problem;
    assert_int_equal(compact_view_open_constants(&view, w->chunk, NULL, NULL), LP_OK);
    const compact_excerpt excerpt = {&view, source, offsets, count, w->next};
    assert_int_equal(compact_extract(session, &excerpt, &w->result, &problem), LP_OK);
    compact_view_close(&view);
    compact_run_read(&w->result, &w->out);
}

static void
world_fini(world *w)
{
    jfr_read_close(&w->out);
    jfr_read_close(&w->source);
    compact_result_fini(&w->result);
    jfr_build_fini(&w->build);
}

// expect_event expects the event that the source has at an offset.
static void
expect_event(const world *w, size_t index, uint32_t offset)
{
    lp_buf expected = {0};
    lp_buf found = {0};
    for (size_t i = 0; i < w->source.events.count; i++) {
        if (w->source.events.items[i].offset == offset) {
            jfr_read_text(&w->source, &w->source.events.items[i], &expected);
        }
    }
    jfr_read_text(&w->out, &w->out.events.items[index], &found);
    assert_string_equal((const char *)expected.ptr, (const char *)found.ptr);
    lp_buf_fini(&expected);
    lp_buf_fini(&found);
}

static void
test_chosen_events_and_what_they_need(void **state)
{
    (void)state;
    world w = {0};
    make_chunk(&w, 1000, TICKS_PER_S);
    compact_extracts session = {0};
    const compact_source source = {.jfr = w.chunk};
    extract(&w, &session, &source, w.offsets, 2);
    assert_int_equal(w.out.events.count, 2);
    expect_event(&w, 0, w.offsets[1]); // contexts come first
    expect_event(&w, 1, w.offsets[0]);
    assert_int_equal(jfr_read_pool_size(&w.out, "java.lang.Thread"), 1);
    assert_int_equal(jfr_read_pool_size(&w.out, "jdk.types.StackTrace"), 1);
    assert_non_null(jfr_read_find_type(&w.out, "test.Mark")); // as in any first chunk
    assert_int_equal(w.out.start_ticks, 1000);
    assert_int_equal(w.out.start_wall_ns, w.source.start_wall_ns);
    assert_int_equal(w.result.stats.events_in, 4);
    assert_int_equal(w.result.stats.events_out, 2);
    assert_int_equal(w.result.stats.contexts_in, 2);
    assert_int_equal(w.result.stats.contexts_out, 1);
    assert_int_equal(w.result.stats.events_dropped.by[COMPACT_BY_SELECT], 2);
    world_fini(&w);
}

static void
test_nothing_chosen_is_an_empty_chunk(void **state)
{
    (void)state;
    world w = {0};
    make_chunk(&w, 1000, TICKS_PER_S);
    compact_extracts session = {0};
    const compact_source source = {.jfr = w.chunk};
    extract(&w, &session, &source, NULL, 0);
    assert_int_equal(w.out.events.count, 0);
    assert_int_equal(w.out.constants.count, 0);
    assert_int_equal(w.result.stats.events_dropped.by[COMPACT_BY_SELECT], EVENTS);
    world_fini(&w);
}

// Two chunks start at the same nanosecond: the second is moved on its own line. Twelve ticks are
// five nanoseconds.
static void
test_each_chunk_keeps_its_clock(void **state)
{
    (void)state;
    const int64_t starts[] = {1000001, 1000002, 2000000};
    compact_extracts session = {0};
    int64_t before = INT64_MIN;
    for (size_t i = 0; i < 3; i++) {
        world w = {0};
        make_chunk(&w, starts[i], TICKS_PER_S);
        const compact_source source = {.jfr = w.chunk};
        bool is_moved = w.source.start_wall_ns == before;
        extract(&w, &session, &source, w.offsets, EVENTS);
        assert_int_equal(is_moved, i == 1);
        assert_int_equal(w.out.start_wall_ns, w.source.start_wall_ns + (is_moved ? 5 : 0));
        assert_int_equal(w.out.start_ticks, starts[i] + (is_moved ? 12 : 0));
        assert_int_equal(jfr_read_find_type(&w.out, "test.Mark") != NULL, i == 0);
        before = w.out.start_wall_ns;
        world_fini(&w);
    }
}

// The end of a chunk stays where it met the next one, wherever its start was moved: by that chunks
// of one JVM are known.
static void
test_chunks_that_met_still_meet(void **state)
{
    (void)state;
    for (int64_t met = 0; met < 2; met++) {
        world w = {0};
        make_chunk(&w, 1000, 1000000000);
        const jfr_chunk_info next = {
            .start_ticks = 2150,
            .start_wall_ns = w.source.start_wall_ns + 1000 + 1 - met,
            .ticks_per_s = 1000000000,
        };
        w.next = &next;
        compact_extracts session = {
            .has_some = true,
            .start_wall_ns = w.source.start_wall_ns + 3,
        };
        const compact_source source = {.jfr = w.chunk};
        extract(&w, &session, &source, w.offsets, EVENTS);
        assert_int_equal(w.out.start_ticks, 1004);
        assert_int_equal(w.out.duration_ns, met == 1 ? 996 : 1000);
        world_fini(&w);
    }
}

// In a merge, keys and ticks are the file's; wall times stay.
static void
test_extracts_of_several_jvms_are_merged(void **state)
{
    (void)state;
    world worlds[2] = {0};
    compact_merge *merge = compact_merge_create(2);
    make_chunk(&worlds[0], 1000, TICKS_PER_S);
    make_chunk(&worlds[1], 5000, 1000000000);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(compact_run_add_to_merge(merge, i, worlds[i].chunk, NULL), LP_OK);
    }
    assert_int_equal(compact_merge_number(merge), LP_OK);
    for (uint32_t i = 0; i < 2; i++) {
        world *w = &worlds[i];
        // Its first line is 500 ns behind. That of the second JVM is off by more than the bound.
        const int64_t drift_ns = i == 0 ? 500 : COMPACT_MERGE_DRIFT_NS + 1;
        compact_extracts session = {.clock = {w->source.start_wall_ns - drift_ns,
                                        w->source.start_ticks, w->source.ticks_per_s}};
        const compact_source source = {.jfr = w->chunk, .merge = merge, .merge_source = i};
        extract(w, &session, &source, w->offsets, 2);
        assert_int_equal(w->out.ticks_per_s, 1000000000);
        assert_int_equal(w->out.events.count, 2);
        assert_non_null(jfr_read_find_constant(&w->out, "java.lang.Thread", 2 + i + 1));
        const jfr_read_event *context = &w->out.events.items[0];
        int64_t begin_ns = jfr_read_number(&w->out, context, "startTime") - w->out.start_ticks;
        assert_int_equal(w->out.start_wall_ns + begin_ns,
            w->source.start_wall_ns + (i == 0 ? 100 * 5 / 12 - drift_ns : 100));
    }
    world_fini(&worlds[0]);
    world_fini(&worlds[1]);
    compact_merge_destroy(merge);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_events_and_what_they_need),
        cmocka_unit_test(test_nothing_chosen_is_an_empty_chunk),
        cmocka_unit_test(test_each_chunk_keeps_its_clock),
        cmocka_unit_test(test_chunks_that_met_still_meet),
        cmocka_unit_test(test_extracts_of_several_jvms_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
