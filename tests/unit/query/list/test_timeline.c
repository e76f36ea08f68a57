// SPDX-License-Identifier: Apache-2.0
// Boxes of contexts, events and pauses: which lane and level they are on, and which are merged.
// Answers are made by hand.

#include "query/list/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_MAX = 10 };

// add adds a context of a thread with rows that are pairs of begin and end; ticks are nanoseconds.
static void
add(query_timeline *timeline, query_contexts *contexts, uint64_t thread, int64_t begin, int64_t end,
    bool is_inner, const int64_t (*rows)[2], size_t count, bool is_pauses)
{
    static uint32_t offset;
    query_row made[ROWS_MAX];
    for (size_t i = 0; i < count; i++) {
        made[i] = (query_row){.begin = rows[i][0],
            .commit = rows[i][1],
            .type = 7,
            .offset = 1000 + (uint32_t)rows[i][0],
            .category = is_pauses ? TIME_GC : TIME_LOCK};
    }
    const query_context context = {.thread = thread,
        .type = 3,
        .offset = ++offset,
        .parent = is_inner ? 0 : (uint32_t)QUERY_NO_CONTEXT};
    const query_answer answer = {
        .contexts = contexts,
        .context = &context,
        .clock = jfr_clock_make(0, 0, 1000000000),
        .begin_wall_ns = begin,
        .duration_ns = end - begin,
        .rows = made,
        .row_count = is_pauses ? 0 : count,
        .pause_rows = made,
        .pause_count = is_pauses ? count : 0,
    };
    assert_int_equal(query_timeline_add(timeline, &answer), LP_OK);
}

static void
expect_box(const query_timeline *timeline, size_t at, uint32_t lane, unsigned level, int64_t begin,
    int64_t end, unsigned kind, uint32_t count)
{
    const query_box *box = &timeline->boxes.items[at];
    assert_true(at < timeline->boxes.count);
    assert_int_equal(box->lane, lane);
    assert_int_equal(box->level, level);
    assert_int_equal(box->begin_wall_ns, begin);
    assert_int_equal(box->end_wall_ns, end);
    assert_int_equal(box->kind, kind);
    assert_int_equal(box->count, count);
}

static void
test_boxes_are_below_those_that_they_begin_in(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    query_contexts contexts = {0};
    uint64_t pixel_ns;
    const int64_t in_outer[][2] = {{110, 150}, {120, 130}, {150, 160}};
    const int64_t pause[][2] = {{0, 400}};
    add(&timeline, &contexts, 5, 105, 160, true, in_outer, 3, false); // lies in the next one
    add(&timeline, &contexts, 5, 100, 200, false, in_outer, 3, false);
    add(&timeline, &contexts, 9, 300, 310, false, NULL, 0, false);
    add(&timeline, &contexts, 5, 300, 310, false, pause, 1, true);
    add(&timeline, &contexts, 9, 320, 330, false, pause, 1, true); // the same one
    assert_int_equal(query_timeline_finish(&timeline, 400, &pixel_ns), LP_OK);
    assert_int_equal(pixel_ns, 1);
    assert_int_equal(timeline.boxes.count, 9);
    expect_box(&timeline, 0, 0, 0, 0, 400, TIME_GC, 1); // the longest in all
    expect_box(&timeline, 1, 1, 0, 100, 200, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, 2, 1, 1, 105, 160, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, 3, 1, 2, 110, 150, TIME_LOCK, 1);
    expect_box(&timeline, 4, 1, 3, 120, 130, TIME_LOCK, 1);
    expect_box(&timeline, 5, 1, 2, 150, 160, TIME_LOCK, 1); // begins when the one before ends
    expect_box(&timeline, 6, 1, 0, 300, 310, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, 7, 2, 0, 300, 310, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, 8, 2, 0, 320, 330, TIME_CATEGORY_COUNT, 1);
    assert_false(timeline.is_truncated);
    query_timeline_fini(&timeline);
}

static void
test_boxes_under_a_pixel_are_merged(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    query_contexts contexts = {0};
    uint64_t pixel_ns;
    const int64_t rows[][2] = {{10, 11}, {12, 15}, {18, 22}, {25, 40}, {41, 42}};
    add(&timeline, &contexts, 5, 0, 100, false, rows, 5, false);
    assert_int_equal(query_timeline_finish(&timeline, 10, &pixel_ns), LP_OK);
    assert_int_equal(pixel_ns, 10);
    assert_int_equal(timeline.boxes.count, 4);
    expect_box(&timeline, 0, 0, 0, 0, 100, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, 1, 0, 1, 10, 22, TIME_LOCK, 3); // all begin in the second pixel
    expect_box(&timeline, 2, 0, 1, 25, 40, TIME_LOCK, 1);
    expect_box(&timeline, 3, 0, 1, 41, 42, TIME_LOCK, 1);
    query_timeline_fini(&timeline);
}

static void
test_there_are_no_more_boxes_than_may_be(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    query_contexts contexts = {0};
    uint64_t pixel_ns;
    for (int64_t i = 0; i < 4 * QUERY_TIMELINE_BOXES; i++) {
        add(&timeline, &contexts, 5, 10 * i, 10 * i + 5, false, NULL, 0, false);
    }
    // 199,995 ns in 16,384 pixels of 13 ns, all with boxes; then of 26, and of 52: the last box
    // begins in that with index 199,990 / 52 = 3845.
    assert_int_equal(query_timeline_finish(&timeline, 16384, &pixel_ns), LP_OK);
    assert_int_equal(pixel_ns, 52);
    assert_int_equal(timeline.boxes.count, 3846);
    uint64_t all = 0;
    for (size_t i = 0; i < timeline.boxes.count; i++) {
        all += timeline.boxes.items[i].count;
    }
    assert_int_equal(all, 4 * QUERY_TIMELINE_BOXES);
    assert_false(timeline.is_truncated);
    query_timeline_fini(&timeline);
}

static void
test_lanes_with_least_time_are_left_out(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    query_contexts contexts = {0};
    uint64_t pixel_ns;
    for (uint64_t thread = 1; thread <= QUERY_TIMELINE_LANES + 1; thread++) {
        add(&timeline, &contexts, thread, 0, (int64_t)thread, false, NULL, 0, false);
    }
    assert_int_equal(query_timeline_finish(&timeline, 1000, &pixel_ns), LP_OK);
    assert_int_equal(timeline.boxes.count, QUERY_TIMELINE_LANES);
    expect_box(&timeline, 0, 0, 0, 0, QUERY_TIMELINE_LANES + 1, TIME_CATEGORY_COUNT, 1);
    expect_box(&timeline, QUERY_TIMELINE_LANES - 1, QUERY_TIMELINE_LANES - 1, 0, 0, 2,
        TIME_CATEGORY_COUNT, 1);
    assert_true(timeline.is_truncated);
    query_timeline_fini(&timeline);
}

static void
test_threads_without_a_box_have_no_lane(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    query_contexts contexts = {0};
    const int64_t pause[][2] = {{0, 400}};
    for (uint64_t i = 0; i < QUERY_TIMELINE_BOXES_MAX + 3; i++) {
        add(&timeline, &contexts, i + 1, 0, 10, false, NULL, 0, false);
    }
    add(&timeline, &contexts, 1, 20, 30, false, pause, 1, true);
    assert_int_equal(timeline.boxes.count, QUERY_TIMELINE_BOXES_MAX);
    assert_int_equal(timeline.lanes.count, QUERY_TIMELINE_BOXES_MAX);
    assert_true(timeline.is_truncated);
    query_timeline_fini(&timeline);
}

static void
test_nothing_is_nothing(void **state)
{
    (void)state;
    query_timeline timeline = {0};
    uint64_t pixel_ns;
    assert_int_equal(query_timeline_finish(&timeline, 1, &pixel_ns), LP_OK);
    assert_int_equal(timeline.boxes.count, 0);
    assert_int_equal(pixel_ns, 1);
    query_timeline_fini(&timeline);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes_are_below_those_that_they_begin_in),
        cmocka_unit_test(test_boxes_under_a_pixel_are_merged),
        cmocka_unit_test(test_there_are_no_more_boxes_than_may_be),
        cmocka_unit_test(test_lanes_with_least_time_are_left_out),
        cmocka_unit_test(test_threads_without_a_box_have_no_lane),
        cmocka_unit_test(test_nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
