// SPDX-License-Identifier: Apache-2.0
// Where the time of a chunk begins and ends: the window, what late events may still change, and the
// line by which the output shows ticks as wall time. All values are worked out by hand.

#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/job/chunk_times.h"
#include "engine/read/view.h"
#include "engine/write/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SECOND = 1000000000 };

// A chunk from tick 1000 to 1500, which are nanoseconds; its last event is at 1400.
typedef struct fixture {
    compact_view view;
    compact_view next;
    compact_ahead ahead;
    compact_carry carry;
    compact_options options;
    compact_contexts contexts;
    compact_source source;
    compact_frame frame;
} fixture;

static void
begin(fixture *f)
{
    *f = (fixture){
        .view = {.info = {.start_ticks = 1000,
                     .start_wall_ns = 7000,
                     .duration_ns = 500,
                     .ticks_per_s = SECOND},
            .begin_min = 1000,
            .commit_max = 1400},
        .next = {.info = {.start_ticks = 1600, .start_wall_ns = 7600, .ticks_per_s = SECOND}},
        .frame = {.is_first = true},
    };
    compact_contexts_init(&f->contexts, &f->carry.arena);
    f->frame.source = &f->source;
    f->frame.view = &f->view;
    f->frame.options = &f->options;
    f->frame.contexts = &f->contexts;
}

// follow makes the chunk one that follows another, which ended at border.
static void
follow(fixture *f, int64_t border)
{
    f->carry.border_ticks = border;
    f->frame.carry = &f->carry;
    f->frame.is_first = false;
}

// look_ahead lets the chunk have one behind it.
static void
look_ahead(fixture *f)
{
    f->ahead.view = &f->next;
    f->frame.aheads = &f->ahead;
    f->frame.ahead_count = 1;
}

static void
test_the_first_window_begins_before_everything(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    compact_frame_find_times(&f.frame);
    assert_true(f.frame.window.lo == INT64_MIN);
    assert_int_equal(f.frame.window.hi, 1501); // behind the end that the header names
    assert_int_equal(f.frame.limit_ticks, 1501);
    assert_int_equal(f.frame.recent_min, 1501 - SECOND);
    assert_int_equal(f.frame.shown.start_ticks, 1000);
    assert_int_equal(f.frame.shown.start_wall_ns, 7000);
}

static void
test_the_window_ends_where_the_next_chunk_begins(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    look_ahead(&f);
    f.view.commit_max = 1650; // stored here, committed there
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.window.hi, 1600);
    assert_int_equal(f.frame.limit_ticks, 1650);
    assert_false(f.frame.is_met); // this chunk ends at 7500 ns
}

static void
test_a_next_chunk_that_starts_at_the_end_meets_this_one(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    look_ahead(&f);
    f.next.info.start_wall_ns = 7500;
    compact_frame_find_times(&f.frame);
    assert_true(f.frame.is_met);
    assert_int_equal(f.frame.next_start_ns, 7500);
}

static void
test_what_is_known_is_counted_from_the_end(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    look_ahead(&f);
    compact_frame_find_times(&f.frame);
    assert_true(f.frame.known_ticks == INT64_MAX);
    f.options.known_ns = 250;
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.known_ticks, 1850);
    f.options.known_ns = INT64_MAX;
    compact_frame_find_times(&f.frame);
    assert_true(f.frame.known_ticks == INT64_MAX);
}

// A chunk that ends at half past a second, by the wall clock.
static void
test_contexts_are_judged_as_far_as_is_known(void **state)
{
    (void)state;
    const compact_clock clock = {0, 0, SECOND};
    int64_t border = 10 * (int64_t)SECOND + SECOND / 2;
    int64_t end_ns = 0;
    compact_window judged = compact_frame_judged(&clock, true, 0, border, 0, &end_ns);
    assert_true(judged.lo == INT64_MIN);
    assert_true(judged.hi == 12 * (int64_t)SECOND); // two seconds in any case
    assert_true(end_ns == judged.hi);
    judged = compact_frame_judged(&clock, false, border, border, 9 * (int64_t)SECOND, &end_ns);
    assert_true(judged.lo == 12 * (int64_t)SECOND);
    assert_true(judged.hi == 19 * (int64_t)SECOND);
    // The next one goes on from there, and has nothing to decide.
    judged = compact_frame_judged(&clock, false, border, border, 9 * (int64_t)SECOND, &end_ns);
    assert_true(judged.lo == 19 * (int64_t)SECOND && judged.hi == judged.lo);
    // So far behind the start it cannot be: the time was wrong.
    end_ns = 21 * (int64_t)SECOND;
    judged = compact_frame_judged(&clock, false, border, border, 9 * (int64_t)SECOND, &end_ns);
    assert_true(judged.lo == 10 * (int64_t)SECOND && judged.hi == 19 * (int64_t)SECOND);
}

static void
test_contexts_make_the_last_window_longer(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    const compact_context ended = {.id = 1, .begin = 1200, .end = 2000};
    const compact_context open = {.id = 2, .begin = 3000, .end = COMPACT_OPEN_END};
    compact_contexts_add(&f.contexts, &ended, NULL);
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.window.hi, 2001);
    compact_contexts_add(&f.contexts, &open, NULL);
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.window.hi, 3001); // its end is not known
    compact_contexts_fini(&f.contexts);
}

static void
test_windows_follow_one_another(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    follow(&f, 990);
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.window.lo, 990);
    follow(&f, 1700);
    look_ahead(&f); // which begins before this one
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.window.lo, 1700);
    assert_int_equal(f.frame.window.hi, 1700);
}

// Throttles go on by the line of the session's first chunk; the output shows the chunk's own.
static void
test_each_chunk_shows_its_own_clock(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    follow(&f, 1000);
    f.carry.clock = (compact_clock){1, 2, SECOND};
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.clock.start_wall_ns, 1);
    assert_int_equal(f.frame.clock.start_ticks, 2);
    assert_int_equal(f.frame.shown.start_wall_ns, 7000);
    assert_int_equal(f.frame.shown.start_ticks, 1000);
    uint64_t salt = f.frame.metadata_salt;
    f.view.info.start_ticks++; // JDK 17's reader has one line as long as this is the same
    compact_frame_find_times(&f.frame);
    assert_true(f.frame.metadata_salt != salt);
    f.carry.clock.ticks_per_s = 3; // another JVM's
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.clock.start_wall_ns, 7000);
}

// The wall clock was set back: JVMs let chunks start at the same time until it is as late again.
static void
test_no_two_outputs_start_at_the_same_time(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    follow(&f, 90);
    look_ahead(&f);
    f.view.info = (jfr_chunk_info){.start_ticks = 99, .start_wall_ns = 5, .ticks_per_s = 3};
    f.next.info = (jfr_chunk_info){.start_ticks = 101, .start_wall_ns = 5, .ticks_per_s = 3};
    f.carry.start_wall_ns = 4;
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.shown.start_ticks, 99);
    assert_int_equal(f.frame.shown.start_wall_ns, 5);
    assert_true(f.frame.is_met); // the next one moves
    assert_true(f.frame.next_start_ns == SECOND + 5);
    f.carry.start_wall_ns = 5; // three ticks are the next whole nanosecond, a second later
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.shown.start_ticks, 102);
    assert_true(f.frame.shown.start_wall_ns == SECOND + 5);
    assert_true(f.frame.next_start_ns == 2 * (int64_t)SECOND + 5);
}

// A merge uses one clock as long as it is within a millisecond of the chunk's own.
static void
test_the_line_of_a_merge_drifts_by_no_more_than_its_bound(void **state)
{
    (void)state;
    fixture f;
    compact_merge *merge = compact_merge_create(2);
    assert_non_null(merge);
    begin(&f);
    follow(&f, 1000);
    look_ahead(&f);
    f.source.merge = merge;
    f.next.info.start_wall_ns = 7500;
    f.carry.clock = (compact_clock){6000 + COMPACT_MERGE_DRIFT_NS, 0, SECOND};
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.shown.start_wall_ns, 6000 + COMPACT_MERGE_DRIFT_NS);
    assert_int_equal(f.frame.shown.start_ticks, 0);
    // The next one is a hundred nanoseconds further away: that is in its own terms.
    assert_true(f.frame.is_met);
    assert_int_equal(f.frame.next_start_ns, 7500);
    f.carry.clock.start_wall_ns++;
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.shown.start_wall_ns, 7000);
    assert_int_equal(f.frame.shown.start_ticks, 1000);
    f.carry.clock.start_wall_ns = 5900; // both are near: the next one starts at tick 1600
    compact_frame_find_times(&f.frame);
    assert_int_equal(f.frame.next_start_ns, 7500);
    compact_merge_destroy(merge);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_window_begins_before_everything),
        cmocka_unit_test(test_the_window_ends_where_the_next_chunk_begins),
        cmocka_unit_test(test_a_next_chunk_that_starts_at_the_end_meets_this_one),
        cmocka_unit_test(test_what_is_known_is_counted_from_the_end),
        cmocka_unit_test(test_contexts_are_judged_as_far_as_is_known),
        cmocka_unit_test(test_contexts_make_the_last_window_longer),
        cmocka_unit_test(test_windows_follow_one_another),
        cmocka_unit_test(test_each_chunk_shows_its_own_clock),
        cmocka_unit_test(test_no_two_outputs_start_at_the_same_time),
        cmocka_unit_test(test_the_line_of_a_merge_drifts_by_no_more_than_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
