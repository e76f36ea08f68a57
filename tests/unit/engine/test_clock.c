// SPDX-License-Identifier: Apache-2.0
// Ticks become wall time by one line, rounded down, and absurd ticks stop at the ends of the
// numbers.

#include "engine/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_the_clock_runs_through_its_start(void **state)
{
    (void)state;
    const compact_clock clock = {
        .start_wall_ns = 5000, .start_ticks = 10, .ticks_per_s = 500000000};
    assert_int_equal(compact_clock_wall_ns(&clock, 10), 5000);
    assert_int_equal(compact_clock_wall_ns(&clock, 11), 5002);
    assert_int_equal(compact_clock_wall_ns(&clock, 0), 4980);
}

static void
test_times_between_nanoseconds_are_rounded_down(void **state)
{
    (void)state;
    const compact_clock clock = {.start_wall_ns = 0, .start_ticks = 0, .ticks_per_s = 3};
    assert_int_equal(compact_clock_wall_ns(&clock, 1), 333333333);
    assert_int_equal(compact_clock_wall_ns(&clock, 3), 1000000000);
    assert_int_equal(compact_clock_wall_ns(&clock, -1), -333333334);
    assert_int_equal(compact_clock_wall_ns(&clock, -3), -1000000000);
}

static void
test_absurd_ticks_stop_at_the_ends(void **state)
{
    (void)state;
    const compact_clock clock = {.start_wall_ns = 1, .start_ticks = 0, .ticks_per_s = 1};
    assert_true(compact_clock_wall_ns(&clock, INT64_MAX) == INT64_MAX);
    assert_true(compact_clock_wall_ns(&clock, INT64_MIN) == INT64_MIN);
    const compact_clock late = {.start_wall_ns = 0, .start_ticks = INT64_MAX, .ticks_per_s = 1};
    assert_true(compact_clock_wall_ns(&late, INT64_MIN) == INT64_MIN);
}

static void
test_the_first_tick_of_a_wall_time_is_found(void **state)
{
    (void)state;
    const compact_clock clock = {.start_wall_ns = 1000, .start_ticks = 7, .ticks_per_s = 3};
    assert_int_equal(compact_clock_ticks(&clock, 1000), 7);
    assert_int_equal(compact_clock_ticks(&clock, 1001), 8); // 7 ticks are at 1000 ns
    assert_int_equal(compact_clock_ticks(&clock, 1000 + 333333333), 8);
    assert_int_equal(compact_clock_ticks(&clock, 1000 + 333333334), 9);
    assert_int_equal(compact_clock_ticks(&clock, 999), 7);
    assert_int_equal(compact_clock_ticks(&clock, 1000 - 333333334), 6);
    assert_int_equal(compact_clock_ticks(&clock, 1000 - 333333333), 7);
    const compact_clock fast = {.start_wall_ns = 0, .start_ticks = 0, .ticks_per_s = INT64_MAX};
    assert_true(compact_clock_ticks(&fast, INT64_MAX) == INT64_MAX);
    assert_true(compact_clock_ticks(&fast, INT64_MIN) == INT64_MIN);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_clock_runs_through_its_start),
        cmocka_unit_test(test_times_between_nanoseconds_are_rounded_down),
        cmocka_unit_test(test_absurd_ticks_stop_at_the_ends),
        cmocka_unit_test(test_the_first_tick_of_a_wall_time_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
