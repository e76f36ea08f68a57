// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/time_columns.h"

#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "query/select/json_parts.h"

static const int64_t SECOND_NS = 1000000000;

static int64_t
round_up(int64_t ns, int64_t unit_ns)
{
    return (ns + unit_ns - 1) / unit_ns * unit_ns;
}

static int64_t
round_down(int64_t ns, int64_t unit_ns)
{
    int64_t rest = ns % unit_ns;
    return lp_time_add(ns, rest < 0 ? -(rest + unit_ns) : -rest);
}

// bound_range sets the range. A selection may leave it open.
static void
bound_range(const query_selection *selection, int64_t now_wall_ns, time_columns *columns)
{
    columns->to_wall_ns = selection->to_wall_ns == INT64_MAX ? now_wall_ns : selection->to_wall_ns;
    columns->is_until_now = columns->to_wall_ns >= now_wall_ns;
    columns->from_wall_ns =
        selection->from_wall_ns == INT64_MIN
            ? lp_time_add(columns->to_wall_ns, -TIME_COLUMNS_DEFAULT_S * SECOND_NS)
            : selection->from_wall_ns;
}

// choose_step chooses the length of a column, at least least_ns, and the begin of the first.
static void
choose_step(const query_selection *selection, int64_t least_ns, time_columns *columns)
{
    int64_t range_ns = columns->to_wall_ns - columns->from_wall_ns;
    int64_t minute_ns = 60 * SECOND_NS;
    bool is_of_one = selection->instance != NULL || selection->recording != NULL;
    bool is_of_all = !is_of_one && selection->service == NULL;
    if (least_ns <= minute_ns && (is_of_one || range_ns <= TIME_COLUMNS_OF_CHUNKS_S * SECOND_NS)) {
        columns->sum_ns = 0;
        columns->step_ns = minute_ns;
        columns->t0_wall_ns = columns->from_wall_ns;
        return;
    }
    bool is_long = least_ns > CATALOG_LONG_SUM_NS ||
                   (is_of_all && range_ns > TIME_COLUMNS_OF_ALL_S * SECOND_NS);
    columns->sum_ns = is_long ? CATALOG_LONG_SUM_NS : CATALOG_SUM_NS;
    columns->step_ns = round_up(least_ns, columns->sum_ns);
    columns->t0_wall_ns = round_down(columns->from_wall_ns, columns->sum_ns);
}

static void
columns_check(const time_columns *columns)
{
    LP_ASSERT(columns->from_wall_ns < columns->to_wall_ns);
    LP_ASSERT(columns->t0_wall_ns <= columns->from_wall_ns);
    LP_ASSERT(columns->step_ns > 0 && columns->count > 0);
}

static void
count_columns(time_columns *columns)
{
    columns->count =
        (size_t)(round_up(columns->to_wall_ns - columns->t0_wall_ns, columns->step_ns) /
                 columns->step_ns);
}

bool
time_columns_may_be_fine(const time_columns *columns)
{
    columns_check(columns);
    int64_t range_ns = columns->to_wall_ns - columns->from_wall_ns;
    return columns->sum_ns == 0 && range_ns <= TIME_COLUMNS_FINE_S * SECOND_NS;
}

void
time_columns_refine(time_columns *columns, int64_t chunk_ns, size_t count_max)
{
    columns_check(columns);
    static const int64_t steps_s[] = {1, 2, 5, 10, 15, 20, 30};
    int64_t range_ns = columns->to_wall_ns - columns->from_wall_ns;
    if (chunk_ns <= 0 || !time_columns_may_be_fine(columns)) {
        return;
    }
    for (size_t i = 0; i < sizeof(steps_s) / sizeof(steps_s[0]); i++) {
        int64_t step_ns = steps_s[i] * SECOND_NS;
        if (step_ns >= chunk_ns && step_ns * (int64_t)count_max >= range_ns) {
            columns->step_ns = step_ns;
            count_columns(columns);
            return;
        }
    }
}

void
time_columns_coarsen(time_columns *columns)
{
    columns_check(columns);
    if (columns->to_wall_ns - columns->from_wall_ns <= TIME_COLUMNS_LONG_S * SECOND_NS) {
        return;
    }
    columns->sum_ns = CATALOG_LONG_SUM_NS;
    columns->step_ns = round_up(columns->step_ns, CATALOG_LONG_SUM_NS);
    columns->t0_wall_ns = round_down(columns->from_wall_ns, CATALOG_LONG_SUM_NS);
    count_columns(columns);
}

lp_err
time_columns_of(const query_selection *selection, int64_t now_wall_ns, size_t count_max,
    time_columns *out_columns, lp_problem *problem)
{
    LP_ASSERT(count_max > 0 && count_max <= TIME_COLUMNS_MAX);
    time_columns columns;
    bound_range(selection, now_wall_ns, &columns);
    if (columns.from_wall_ns >= columns.to_wall_ns) {
        return lp_problem_set(problem, LP_ECORRUPT, "%s: not before %s, or now",
            query_selection_show_name(selection, "from").text,
            query_selection_show_name(selection, "to").text);
    }
    int64_t range_ns;
    if (__builtin_sub_overflow(columns.to_wall_ns, columns.from_wall_ns, &range_ns) ||
        range_ns > (int64_t)TIME_COLUMNS_DAYS_MAX * 86400 * SECOND_NS) {
        return lp_problem_set(problem, LP_ECORRUPT, "%s, %s: over %d days",
            query_selection_show_name(selection, "from").text,
            query_selection_show_name(selection, "to").text, TIME_COLUMNS_DAYS_MAX);
    }
    choose_step(selection, round_up(range_ns, (int64_t)count_max) / (int64_t)count_max, &columns);
    count_columns(&columns);
    columns_check(&columns);
    *out_columns = columns;
    return LP_OK;
}

size_t
time_columns_find(const time_columns *columns, int64_t wall_ns)
{
    LP_DEBUG_ASSERT(columns->step_ns > 0);
    LP_ASSERT(wall_ns >= columns->t0_wall_ns && wall_ns < columns->to_wall_ns);
    return (size_t)((wall_ns - columns->t0_wall_ns) / columns->step_ns);
}

json_t *
time_columns_json(const time_columns *columns)
{
    columns_check(columns);
    char t0[LP_TIME_BYTES];
    lp_time_format(columns->t0_wall_ns, t0);
    return json_pack("{s:s, s:o, s:I}", "t0", t0, "t0_ns", query_json_wall_ns(columns->t0_wall_ns),
        "step_ns", (json_int_t)columns->step_ns);
}
