// SPDX-License-Identifier: Apache-2.0
// Columns of time: how long they are and where they begin, by hand; for ranges of every kind each
// point is in one column, each sum of rollups lies in one, and there are as few as were asked for.

#include "collector/ask/sums/time_columns.h"
#include "collector/store/catalog/catalog_rollups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t SECOND = 1000000000;
static const int64_t HOUR = 3600 * (int64_t)1000000000;
static const int64_t T0 = 1700000000 / 3600 * 3600 * (int64_t)1000000000;
static const int64_t NOW = 1800000000 * (int64_t)1000000000;

static time_columns
columns_of(int64_t from, int64_t to, size_t count_max)
{
    query_selection selection = query_selection_begin(false);
    selection.service = "shop";
    selection.from_wall_ns = from;
    selection.to_wall_ns = to;
    time_columns columns;
    assert_int_equal(time_columns_of(&selection, NOW, count_max, &columns, NULL), LP_OK);
    return columns;
}

static void
test_columns_are_as_long_as_they_have_to_be(void **state)
{
    (void)state;
    const struct {
        int64_t from;
        int64_t to;
        size_t count_max;
        int64_t t0;
        int64_t step;
        size_t count;
    } cases[] = {
        {T0, T0 + 24 * HOUR, 240, T0, 360 * SECOND, 240},
        {T0, T0 + 24 * HOUR, 60, T0, 1440 * SECOND, 60},
        {T0 + SECOND, T0 + 24 * HOUR, 240, T0, 360 * SECOND, 240},
        {T0 + SECOND, T0 + 24 * HOUR + SECOND, 240, T0, 360 * SECOND, 241},
        {T0 + 5 * SECOND, T0 + 5 * SECOND + HOUR, 60, T0 + 5 * SECOND, 60 * SECOND, 60},
        {T0, T0 + HOUR, 240, T0, 60 * SECOND, 60},
        {T0, T0 + HOUR + 1, 240, T0, 120 * SECOND, 31},
        {T0, T0 + 1, 240, T0, 60 * SECOND, 1},
        {T0 + 7, T0 + HOUR, 1, T0, 3600 * SECOND, 1},
        {T0, T0 + 30 * 24 * HOUR, 240, T0, 3 * HOUR, 240},
        {T0, T0 + 60 * 24 * HOUR, 1000, T0, 2 * HOUR, 720},
        {T0 + 61 * SECOND, T0 + 2 * HOUR, 60, T0, 120 * SECOND, 60},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        time_columns columns = columns_of(cases[i].from, cases[i].to, cases[i].count_max);
        assert_true(columns.t0_wall_ns == cases[i].t0);
        assert_true(columns.step_ns == cases[i].step);
        assert_int_equal(columns.count, cases[i].count);
    }
}

// Those of one JVM are read chunk by chunk.
static void
test_a_recording_has_columns_of_a_minute(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.service = "shop";
    selection.from_wall_ns = T0 + 7;
    selection.to_wall_ns = T0 + 7 + 4 * HOUR;
    time_columns columns;
    for (int i = 0; i < 3; i++) {
        selection.recording = i == 1 ? "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" : NULL;
        selection.instance = i == 2 ? "host:1" : NULL;
        assert_int_equal(time_columns_of(&selection, NOW, 240, &columns, NULL), LP_OK);
        assert_true(columns.step_ns == (i == 0 ? 120 : 60) * SECOND);
        assert_true(columns.t0_wall_ns == (i == 0 ? T0 : T0 + 7));
        assert_int_equal(columns.count, i == 0 ? 121 : 240);
    }
}

// Of all services there are many sums.
static void
test_all_services_have_hours_beyond_some(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = T0 + 7;
    selection.to_wall_ns = T0 + 7 + 6 * HOUR;
    time_columns columns;
    assert_int_equal(time_columns_of(&selection, NOW, 240, &columns, NULL), LP_OK);
    assert_true(columns.step_ns == 120 * SECOND && columns.sum_ns == 120 * SECOND);
    selection.to_wall_ns++;
    assert_int_equal(time_columns_of(&selection, NOW, 240, &columns, NULL), LP_OK);
    assert_true(columns.step_ns == HOUR && columns.sum_ns == HOUR && columns.t0_wall_ns == T0);
    assert_int_equal(columns.count, 7);
    selection.instance = "host:1";
    assert_int_equal(time_columns_of(&selection, NOW, 240, &columns, NULL), LP_OK);
    assert_true(columns.step_ns == 120 * SECOND);
}

// As short as the longest chunk and the number of columns allow.
static void
test_columns_of_short_chunks_are_shorter(void **state)
{
    (void)state;
    static const struct {
        int64_t range_s;
        size_t count_max;
        int64_t chunk_ms;
        int64_t step_s;
    } cases[] = {
        {300, 240, 60000, 60},
        {300, 240, 30001, 60},
        {300, 240, 30000, 30},
        {300, 240, 9999, 10},
        {300, 240, 2000, 2},
        {300, 240, 1, 2}, // 300 columns of 1 s are more than 240
        {300, 300, 1, 1},
        {300, 4, 1, 75}, // as without
        {900, 240, 2000, 5},
        {901, 240, 2000, 60},
        {300, 240, 0, 60},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t to = T0 + 7 + cases[i].range_s * SECOND;
        time_columns columns = columns_of(T0 + 7, to, cases[i].count_max);
        time_columns before = columns;
        assert_int_equal(time_columns_may_be_fine(&columns),
            cases[i].range_s <= TIME_COLUMNS_FINE_S && cases[i].step_s != 75);
        time_columns_refine(&columns, cases[i].chunk_ms * 1000000, cases[i].count_max);
        if (cases[i].step_s == 60 || cases[i].step_s == 75) {
            assert_memory_equal(&columns, &before, sizeof(columns));
            continue;
        }
        assert_true(columns.step_ns == cases[i].step_s * SECOND);
        assert_true(columns.t0_wall_ns == T0 + 7 && columns.sum_ns == 0);
        assert_int_equal(columns.count, (cases[i].range_s + cases[i].step_s - 1) / cases[i].step_s);
        assert_int_equal(time_columns_find(&columns, to - 1), columns.count - 1);
    }
}

static void
check_sums(const time_columns *columns)
{
    if (columns->sum_ns > 0) {
        assert_true(columns->t0_wall_ns % columns->sum_ns == 0);
        assert_true(columns->step_ns % columns->sum_ns == 0);
    }
}

static void
test_every_sum_lies_in_one_column(void **state)
{
    (void)state;
    for (int64_t range_s = 1; range_s < 100 * 86400; range_s = range_s * 5 / 3 + 1) {
        for (size_t count_max = 1; count_max <= TIME_COLUMNS_MAX; count_max = count_max * 3 + 1) {
            int64_t from = T0 + range_s * 12345 % 7200 * SECOND;
            time_columns columns = columns_of(from, from + range_s * SECOND, count_max);
            assert_true(columns.count >= 1 && columns.count <= count_max + 1);
            assert_true(columns.t0_wall_ns <= from);
            assert_int_equal(time_columns_find(&columns, from), 0);
            assert_int_equal(
                time_columns_find(&columns, columns.to_wall_ns - 1), columns.count - 1);
            check_sums(&columns);
            time_columns_coarsen(&columns);
            bool is_long = range_s > TIME_COLUMNS_LONG_S;
            assert_true(!is_long || columns.sum_ns == CATALOG_LONG_SUM_NS);
            assert_true(columns.count >= 1 && columns.count <= count_max + 1);
            assert_int_equal(time_columns_find(&columns, from), 0);
            assert_int_equal(
                time_columns_find(&columns, columns.to_wall_ns - 1), columns.count - 1);
            check_sums(&columns);
        }
    }
}

static void
test_ranges_may_be_open(void **state)
{
    (void)state;
    time_columns columns = columns_of(INT64_MIN, INT64_MAX, 60);
    assert_true(columns.to_wall_ns == NOW && columns.from_wall_ns == NOW - HOUR);
    assert_true(columns.is_until_now && columns_of(NOW - HOUR, NOW, 60).is_until_now);
    assert_false(columns_of(NOW - HOUR, NOW - 1, 60).is_until_now);
    columns = columns_of(INT64_MIN, T0, 60);
    assert_true(columns.to_wall_ns == T0 && columns.from_wall_ns == T0 - HOUR);
    columns = columns_of(NOW - 5, INT64_MAX, 60);
    assert_true(columns.to_wall_ns == NOW && columns.from_wall_ns == NOW - 5);
}

static void
test_ranges_may_lie_at_the_ends_of_time(void **state)
{
    (void)state;
    time_columns columns = columns_of(INT64_MIN + 1, INT64_MIN + 3 * HOUR, 2);
    assert_true(columns.t0_wall_ns == INT64_MIN);
    assert_int_equal(time_columns_find(&columns, INT64_MIN + 1), 0);
    columns = columns_of(INT64_MIN, INT64_MIN + SECOND, 60);
    assert_true(columns.from_wall_ns == INT64_MIN && columns.count == 1);
    columns = columns_of(INT64_MAX - 3 * HOUR, INT64_MAX - 1, 2);
    assert_int_equal(time_columns_find(&columns, INT64_MAX - 2), columns.count - 1);
}

static void
test_ranges_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        int64_t from;
        int64_t to;
        const char *problem;
    } cases[] = {
        {NOW, INT64_MAX, "from: not before to, or now"},
        {1, NOW, "from, to: over 3660 days"},
        {INT64_MIN + 1, INT64_MAX - 1, "from, to: over 3660 days"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_selection selection = query_selection_begin(false);
        selection.from_wall_ns = cases[i].from;
        selection.to_wall_ns = cases[i].to;
        time_columns columns;
        lp_problem problem;
        assert_int_equal(time_columns_of(&selection, NOW, 60, &columns, &problem), LP_ECORRUPT);
        assert_string_equal(problem.text, cases[i].problem);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_as_long_as_they_have_to_be),
        cmocka_unit_test(test_a_recording_has_columns_of_a_minute),
        cmocka_unit_test(test_all_services_have_hours_beyond_some),
        cmocka_unit_test(test_columns_of_short_chunks_are_shorter),
        cmocka_unit_test(test_every_sum_lies_in_one_column),
        cmocka_unit_test(test_ranges_may_be_open),
        cmocka_unit_test(test_ranges_may_lie_at_the_ends_of_time),
        cmocka_unit_test(test_ranges_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
