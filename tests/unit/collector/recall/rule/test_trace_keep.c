// SPDX-License-Identifier: Apache-2.0
// Traces that are made whole: a chunk gets what it dropped of a trace, whichever part commits
// first, once and with all ids; ids that are no traces, and services that do not ask for it, keep
// nothing; limits are counted. The test owns the clock. Below a second.

#include "collector/base/metrics.h"
#include "collector/recall/rule/trace_keep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static int
set_up(void **state)
{
    *state = trace_keep_create(TRACE_KEEP_WAIT_S * S);
    return *state == NULL;
}

static int
tear_down(void **state)
{
    trace_keep_destroy(*state);
    return 0;
}

static void
fill(rollup_hashes *out, uint64_t from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(LP_VEC_ADD(out, from + i), LP_OK);
    }
}

// Ids from a number on.
typedef struct run {
    uint64_t from;
    size_t count;
} run;

// commit_crossed commits a chunk that keeps some traces and drops others, and has contexts of some
// that began before it. Each chunk has kept and dropped the spans 1 and 2, too.
static void
commit_crossed(
    trace_keep *to, uint32_t ordinal, run kept, run dropped, run before, bool is_whole, int64_t now)
{
    rollup_ids ids = {0};
    pin_stored stored = {.chunk.ordinal = ordinal, .ids = &ids};
    fill(&ids.kept, 1, 1);
    fill(&ids.dropped, 2, 1);
    fill(&ids.kept, kept.from, kept.count);
    fill(&ids.dropped, dropped.from, dropped.count);
    fill(&ids.traces, kept.from, kept.count);
    fill(&ids.traces, dropped.from, dropped.count);
    fill(&ids.before, before.from, before.count);
    rollup_ids_tidy(&ids);
    trace_keep_add(to, &stored, is_whole, now);
    rollup_ids_fini(&ids);
}

static void
commit(trace_keep *to, uint32_t ordinal, run kept, run dropped, bool is_whole, int64_t now)
{
    commit_crossed(to, ordinal, kept, dropped, (run){0, 0}, is_whole, now);
}

// expect expects a chunk with traces from a number on; count 0: none.
static void
expect(trace_keep *from, uint32_t ordinal, run traces)
{
    trace_work work;
    bool is_there = trace_keep_take(from, &work);
    assert_int_equal(is_there, traces.count > 0);
    if (is_there) {
        assert_int_equal(work.chunk.ordinal, ordinal);
        assert_int_equal(work.traces.count, traces.count);
        for (size_t i = 0; i < traces.count; i++) {
            assert_int_equal(work.traces.items[i], traces.from + i);
        }
        LP_VEC_FINI(&work.traces);
    }
}

static const run none = {100, 0};

// Of the dropped traces 100 to 109 the contexts of 98 to 104 began in the chunk before, which was
// looked at, or not; a part of 98 and 99 is kept here. The first chunk has none before it.
static void
test_the_chunk_in_which_a_context_began_is_found(void **state)
{
    trace_keep *k = *state;
    commit_crossed(k, 0, none, (run){103, 1}, (run){103, 1}, false, 0);
    commit_crossed(k, 7, (run){98, 2}, (run){100, 10}, (run){98, 7}, false, 60 * S);
    commit(k, 8, (run){99, 1}, none, true, 61 * S);
    commit(k, 9, (run){103, 4}, none, true, 62 * S);
    trace_keep_tick(k, 120 * S);
    expect(k, 0, (run){103, 1});
    expect(k, 0, none);
    trace_keep_tick(k, 180 * S);
    expect(k, 7, (run){103, 4});
    expect(k, 6, (run){103, 2});
    expect(k, 0, none);
}

static void
test_a_part_that_comes_later_counts(void **state)
{
    trace_keep *k = *state;
    commit(k, 1, none, (run){100, 10}, false, 0);
    commit(k, 2, (run){103, 1}, none, true, 50 * S);
    commit(k, 3, (run){105, 1}, none, true, 100 * S);
    trace_keep_tick(k, 119 * S);
    expect(k, 1, none);
    commit(k, 4, (run){104, 1}, none, true, 119 * S);
    trace_keep_tick(k, 120 * S);
    expect(k, 1, (run){103, 3});
    commit(k, 5, (run){106, 1}, none, true, 121 * S); // too late
    trace_keep_tick(k, 1000 * S);
    expect(k, 1, none);
}

// Ids go to other collectors, and come from them: those of services that ask for it.
static void
test_parts_at_other_collectors_count(void **state)
{
    trace_keep *k = *state;
    trace_ids *shared = trace_ids_create();
    trace_ids_mark mark = {0};
    static uint64_t told[TRACE_IDS_READ_MAX];
    const uint64_t heard[] = {104, 100, 7777};
    size_t count;
    assert_non_null(shared);
    trace_keep_share(k, shared);
    commit(k, 1, none, (run){100, 10}, false, 0);
    commit(k, 2, (run){300, 2}, none, true, 0);
    commit(k, 3, (run){400, 2}, none, false, 0);
    assert_int_equal(trace_ids_read(shared, &mark, told, &count), 0);
    assert_true(count == 2 && told[0] == 300 && told[1] == 301);
    assert_int_equal(trace_ids_hear(shared, heard, 1), 0);
    trace_keep_tick(k, 119 * S);
    assert_int_equal(trace_ids_hear(shared, heard + 1, 2), 0);
    trace_keep_tick(k, 120 * S);
    trace_work work;
    assert_true(trace_keep_take(k, &work) && work.chunk.ordinal == 1);
    assert_true(
        work.traces.count == 2 && work.traces.items[0] == 100 && work.traces.items[1] == 104);
    LP_VEC_FINI(&work.traces);
    expect(k, 1, none);
    assert_int_equal(trace_ids_read(shared, &mark, told, &count), 0);
    assert_int_equal(count, 0); // what was heard is not told again
    trace_ids_destroy(shared);
}

static void
test_a_part_that_came_before_counts(void **state)
{
    trace_keep *k = *state;
    commit(k, 1, (run){200, 5}, none, true, 0);
    commit(k, 2, none, (run){203, 4}, false, 180 * S);
    commit(k, 3, none, (run){203, 4}, false, 181 * S);
    for (int64_t s = 180; s <= 302; s++) {
        trace_keep_tick(k, s * S);
    }
    expect(k, 2, (run){203, 2});
    expect(k, 3, none); // the traces are forgotten
}

static void
test_only_traces_of_services_that_ask_are_whole(void **state)
{
    trace_keep *k = *state;
    commit(k, 1, (run){300, 2}, none, false, 0);
    commit(k, 2, none, (run){300, 2}, true, 0);
    commit(k, 3, (run){2, 0}, none, true, 0); // it keeps the span 1, and drops 2
    trace_keep_tick(k, 120 * S);
    expect(k, 0, none);
}

static void
test_a_chunk_that_kept_a_part_gets_nothing(void **state)
{
    trace_keep *k = *state;
    commit(k, 1, (run){400, 3}, (run){402, 2}, true, 0); // 402 is kept and dropped
    commit(k, 2, (run){403, 1}, (run){400, 1}, true, 0);
    trace_keep_tick(k, 120 * S);
    expect(k, 1, (run){403, 1});
    expect(k, 2, (run){400, 1});
    expect(k, 0, none);
}

static void
test_limits_of_ids_are_counted(void **state)
{
    trace_keep *k = *state;
    uint64_t before = metrics_get(METRICS_recall_trace_ids_left_out);
    commit(k, 1, (run){1000, TRACE_KEEP_IDS_MAX}, none, true, 0);
    commit(k, 2, (run){1000, 1}, none, true, 0); // it is there
    assert_int_equal(metrics_get(METRICS_recall_trace_ids_left_out), before);
    commit(k, 3, (run){999, 1}, none, true, 0);
    assert_int_equal(metrics_get(METRICS_recall_trace_ids_left_out), before + 1);
    commit(k, 4, none, (run){999, TRACE_KEEP_EDITION_IDS_MAX + 2}, false, 0);
    trace_keep_tick(k, 120 * S);
    expect(k, 4, (run){1000, TRACE_KEEP_EDITION_IDS_MAX});
    assert_int_equal(metrics_get(METRICS_recall_trace_ids_left_out), before + 2);
    trace_keep_tick(k, 301 * S); // now there is room
    commit(k, 5, (run){999, 1}, none, true, 301 * S);
    assert_int_equal(metrics_get(METRICS_recall_trace_ids_left_out), before + 2);
    commit(k, 6, none, (run){999, TRACE_KEEP_CHUNK_IDS_MAX + 3}, false, 301 * S);
    assert_int_equal(metrics_get(METRICS_recall_trace_ids_left_out), before + 5);
    trace_keep_tick(k, 421 * S);
    expect(k, 6, (run){999, 1});
}

static void
test_limits_of_chunks_are_counted(void **state)
{
    trace_keep *k = *state;
    uint64_t before = metrics_get(METRICS_recall_trace_chunks_left_out);
    uint64_t looks = metrics_get(METRICS_recall_trace_looks);
    commit(k, 0, (run){500, 1}, none, true, 0);
    for (uint32_t i = 0; i < TRACE_KEEP_CHUNKS_MAX + 2; i++) {
        commit(k, i, none, (run){500, 1}, false, 0);
    }
    commit(k, 0, none, none, false, 0); // it need not wait
    assert_int_equal(metrics_get(METRICS_recall_trace_chunks_left_out), before + 2);
    trace_keep_tick(k, 120 * S);
    assert_int_equal(metrics_get(METRICS_recall_trace_looks), looks + TRACE_KEEP_CHUNKS_MAX);
    for (uint32_t i = 0; i < TRACE_KEEP_WORK_MAX; i++) {
        expect(k, i, (run){500, 1});
    }
    expect(k, 0, none);
    assert_int_equal(metrics_get(METRICS_recall_trace_chunks_left_out),
        before + 2 + TRACE_KEEP_CHUNKS_MAX - TRACE_KEEP_WORK_MAX);
}

// A tick looks up some ids, and the next one goes on.
static void
test_many_ids_are_looked_up_in_several_ticks(void **state)
{
    trace_keep *k = *state;
    const uint32_t in_a_tick = TRACE_KEEP_LOOKS_MAX / TRACE_KEEP_CHUNK_IDS_MAX;
    commit(k, 0, (run){1000, 1}, none, true, 0);
    for (uint32_t i = 0; i < 2 * in_a_tick; i++) {
        commit(k, i, none, (run){1000, TRACE_KEEP_CHUNK_IDS_MAX}, false, 0);
    }
    for (uint32_t i = 0; i < 2 * in_a_tick; i++) {
        if (i % in_a_tick == 0) {
            expect(k, 0, none);
            trace_keep_tick(k, 120 * S);
        }
        expect(k, i, (run){1000, 1});
    }
    expect(k, 0, none);
}

// A trace of several minutes is known for as long after each of its parts.
static void
test_the_last_part_of_a_long_trace_counts(void **state)
{
    trace_keep *k = *state;
    commit(k, 1, (run){500, 2}, none, true, 0);
    commit(k, 2, (run){500, 1}, none, true, 200 * S);
    trace_keep_tick(k, 310 * S);
    commit(k, 3, none, (run){500, 2}, false, 320 * S);
    trace_keep_tick(k, 440 * S);
    expect(k, 3, (run){500, 1});
    commit(k, 4, none, (run){500, 2}, false, 440 * S);
    trace_keep_tick(k, 560 * S);
    expect(k, 4, none);
}

// Unrelated contexts have the ids that tracers give without a trace.
static void
test_ids_of_no_trace_keep_nothing(void **state)
{
    trace_keep *k = *state;
    static const char *const ids[] = {"00000000000000000000000000000000", "0000000000000000", "0",
        "00000000000000000000000000000001"};
    for (uint32_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        uint64_t hash;
        assert_true(rollup_id_hash((lp_slice){(const uint8_t *)ids[i], strlen(ids[i])}, &hash));
        commit(k, i, (run){hash, 1}, none, true, 0);
        commit(k, i, none, (run){hash, 1}, false, 0);
        if (i == 3) {
            trace_keep_tick(k, 120 * S);
            expect(k, i, (run){hash, 1});
        }
    }
    expect(k, 0, none);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_the_chunk_in_which_a_context_began_is_found),
        TEST(test_a_part_that_comes_later_counts),
        TEST(test_a_part_that_came_before_counts),
        TEST(test_parts_at_other_collectors_count),
        TEST(test_only_traces_of_services_that_ask_are_whole),
        TEST(test_a_chunk_that_kept_a_part_gets_nothing),
        TEST(test_the_last_part_of_a_long_trace_counts),
        TEST(test_ids_of_no_trace_keep_nothing),
        TEST(test_limits_of_ids_are_counted),
        TEST(test_limits_of_chunks_are_counted),
        TEST(test_many_ids_are_looked_up_in_several_ticks),
    };
    return cmocka_run_group_tests_name("trace_keep", tests, NULL, NULL);
}
