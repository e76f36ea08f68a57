// SPDX-License-Identifier: Apache-2.0
// SelectSeries and SelectHeatmap. A series of a profile is a flame graph of one node for each
// column of time. Numbers of requests come from the heat map.
//
// Tests: tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py
#include "pyroscope.pb-c.h"

#include "collector/ask/sums/time_columns.h"
#include "collector/grafana/grafana_flame.h"
#include "collector/grafana/grafana_groups.h"
#include "collector/grafana/grafana_procedures.h"
#include "collector/grafana/grafana_question.h"
#include "common/base/lp_assert.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- Columns of the heat map of ask (heatmap.h)

enum { PROFILE_BYTES = 128, PER_OCTAVE = 4 };

static const int64_t NS_PER_MS = 1000000;

// column_ms returns the begin of a column in milliseconds since 1970.
static int64_t
column_ms(const json_t *map, size_t column)
{
    const char *t0_ns = json_string_value(json_object_get(map, "t0_ns"));
    int64_t step_ns = json_integer_value(json_object_get(map, "step_ns"));
    int64_t begin_ns = t0_ns == NULL ? 0 : strtoll(t0_ns, NULL, 10);
    return (begin_ns + (int64_t)column * step_ns) / NS_PER_MS;
}

// least_of returns the least duration of a bucket, which it excludes, in nanoseconds.
static double
least_of(json_int_t bucket)
{
    return bucket < 0 ? 0 : exp2((double)bucket / PER_OCTAVE);
}

static const json_t *
get(const json_t *array, size_t index)
{
    return json_array_get(array, index);
}

// make_exemplars makes the Exemplars of a column: kept contexts or requests, with RECORDING/ID as
// the id of their profile, the begin of the column as their time, and the least duration of their
// bucket as their value. NULL: out of memory.
static json_t *
make_exemplars(const json_t *map, size_t column)
{
    LP_ASSERT(map != NULL);
    char profile[PROFILE_BYTES];
    json_t *list = json_array();
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(map, "exemplars"), i, one)
    {
        const char *recording = json_string_value(get(one, 2));
        const char *id = json_string_value(get(one, 3));
        if (recording == NULL || id == NULL ||
            json_integer_value(get(one, 0)) != (json_int_t)column) {
            continue;
        }
        (void)snprintf(profile, sizeof(profile), "%s/%s", recording, id);
        (void)json_array_append_new(
            list, json_pack("{s:o, s:s, s:o}", "timestamp",
                      grafana_flame_whole(column_ms(map, column)), "profileId", profile, "value",
                      grafana_flame_whole(llround(least_of(json_integer_value(get(one, 1)))))));
    }
    return list;
}

// --- SelectSeries

// The steps of a series, in columns: a question is about a column, whose steps share its value.
typedef struct steps {
    int64_t start_ms;
    int64_t end_ms;
    int64_t step_ms;
    int64_t count;
    int64_t per_column;
} steps;

static lp_err
make_steps(int64_t start_ms, int64_t end_ms, double step_s, steps *out, lp_problem *problem)
{
    bool is_range = start_ms >= 0 && end_ms > start_ms && end_ms <= GRAFANA_END_MS_MAX;
    int64_t range_ms = is_range ? end_ms - start_ms : 0;
    int64_t step_ms = step_s >= 0.001 && step_s <= 1e9 ? llround(step_s * 1000) : 0;
    LP_REQUIRE(range_ms > 0 && step_ms > 0,
        lp_problem_set(problem, LP_ECORRUPT,
            "start, end and step: not a range in milliseconds and a step in seconds"));
    int64_t count = (range_ms - 1) / step_ms + 1;
    LP_REQUIRE(count <= GRAFANA_POINTS_MAX,
        lp_problem_set(
            problem, LP_ECORRUPT, "step: the range has more than %d of them", GRAFANA_POINTS_MAX));
    *out = (steps){.start_ms = start_ms,
        .end_ms = end_ms,
        .step_ms = step_ms,
        .count = count,
        .per_column = count};
    return LP_OK;
}

// divide divides the steps into columns, fewer if there are many series.
static void
divide(steps *of, size_t series)
{
    static_assert(GRAFANA_QUESTIONS_MAX >= (int)GRAFANA_GROUPS_MAX, "a column for each");
    LP_ASSERT(series <= GRAFANA_GROUPS_MAX);
    int64_t columns = GRAFANA_QUESTIONS_MAX / (int64_t)(series == 0 ? 1 : series);
    columns = columns < GRAFANA_COLUMNS_MAX ? columns : GRAFANA_COLUMNS_MAX;
    of->per_column = (of->count - 1) / columns + 1;
}

static size_t
count_columns(const steps *of)
{
    return (size_t)((of->count - 1) / of->per_column + 1);
}

static void
get_column(const steps *of, size_t index, int64_t *out_start_ms, int64_t *out_end_ms)
{
    LP_ASSERT(of->count > 0 && of->per_column > 0);
    int64_t first = (int64_t)index * of->per_column;
    LP_ASSERT(first < of->count);
    int64_t end_ms = of->start_ms + (first + of->per_column) * of->step_ms;
    *out_start_ms = of->start_ms + first * of->step_ms;
    *out_end_ms = end_ms < of->end_ms ? end_ms : of->end_ms;
    LP_ASSERT(*out_start_ms < *out_end_ms);
}

static lp_err
check_exemplars(Querier__V1__ExemplarType type, lp_problem *problem)
{
    bool is_known = protobuf_c_enum_descriptor_get_value(
                        &querier__v1__exemplar_type__descriptor, (int)type) != NULL;
    return is_known ? LP_OK
                    : lp_problem_set(
                          problem, LP_EVERSION, "exemplar_type %d is not supported", (int)type);
}

static lp_err
check_series(const Querier__V1__SelectSeriesRequest *in, lp_problem *problem)
{
    LP_REQUIRE(in->stack_trace_selector == NULL || (in->stack_trace_selector->n_call_site == 0 &&
                                                       in->stack_trace_selector->go_pgo == NULL),
        lp_problem_set(problem, LP_EVERSION, "call sites of a series are not supported"));
    LP_TRY(check_exemplars(in->exemplar_type, problem));
    return in->aggregation == 0
               ? LP_OK
               : lp_problem_set(problem, LP_EVERSION, "aggregation: only the sum is supported");
}

static bool
has_exemplars(Querier__V1__ExemplarType type)
{
    return type == QUERIER__V1__EXEMPLAR_TYPE__EXEMPLAR_TYPE_INDIVIDUAL ||
           type == QUERIER__V1__EXEMPLAR_TYPE__EXEMPLAR_TYPE_SPAN;
}

// set_map sets what a heat map needs.
static void
set_map(grafana_question *q, const grafana_wish *wish, const char *unit, bool with_exemplars,
    int64_t columns)
{
    LP_ASSERT(columns > 0 && columns <= TIME_COLUMNS_MAX);
    grafana_question_set_numbers(q, wish);
    grafana_question_set(q, "unit", unit);
    grafana_question_set(q, "exemplars", with_exemplars ? "1" : "0");
    grafana_question_set_whole(q, "columns", columns);
}

// What a call is about. Each series has as many questions.
typedef struct series_call {
    const grafana_type *type;
    grafana_groups groups;
    steps all;
} series_call;

static lp_err
read_series(grafana_work *work, series_call *out)
{
    grafana_work_check(work, &querier__v1__select_series_request__descriptor);
    const Querier__V1__SelectSeriesRequest *in = (const void *)work->in;
    *out = (series_call){.groups = {.selector = in->label_selector,
                             .labels = in->group_by,
                             .label_count = in->n_group_by,
                             .start_ms = in->start,
                             .end_ms = in->end}};
    LP_TRY(check_series(in, &work->problem));
    LP_TRY(make_steps(in->start, in->end, in->step, &out->all, &work->problem));
    LP_TRY(grafana_question_find_type(in->profile_typeid, &out->type, &work->problem));
    return grafana_groups_begin(&out->groups, &work->problem);
}

static bool
is_graph(const series_call *call)
{
    return call->type->value != NULL;
}

// count_points returns the most points of a series.
static int64_t
count_points(const series_call *call)
{
    int64_t count = call->all.count;
    return is_graph(call) || count < TIME_COLUMNS_MAX ? count : TIME_COLUMNS_MAX;
}

// check_points refuses a call whose answer would be too large.
static lp_err
check_points(const series_call *call, grafana_work *work)
{
    int64_t points = count_points(call);
    size_t series = grafana_groups_count(work);
    return (int64_t)series <= GRAFANA_ALL_POINTS_MAX / points
               ? LP_OK
               : lp_problem_set(&work->problem, LP_ECORRUPT,
                     "step and group_by: %zu series of %" PRId64
                     " points are more than %d points: select a longer step or fewer values",
                     series, points, GRAFANA_ALL_POINTS_MAX);
}

// find_place writes the series and the column of a question.
static void
find_place(
    series_call *call, const grafana_work *work, size_t number, size_t *out_series, size_t *out_col)
{
    divide(&call->all, grafana_groups_count(work));
    size_t columns = is_graph(call) ? count_columns(&call->all) : 1;
    *out_series = number / columns;
    *out_col = number % columns;
}

static double
amount_of_points(const json_t *series)
{
    double sum = 0;
    size_t i;
    json_t *point;
    json_array_foreach(json_object_get(series, "points"), i, point)
    {
        sum += json_number_value(json_object_get(point, "value"));
    }
    return sum;
}

lp_err
grafana_ask_select_series(grafana_work *work, ask_query **out_query)
{
    const Querier__V1__SelectSeriesRequest *in = (const void *)work->in;
    grafana_wish wish = {.type_id = in->profile_typeid,
        .selector = in->label_selector,
        .start_ms = in->start,
        .end_ms = in->end};
    series_call call;
    size_t at;
    size_t column;
    LP_TRY(read_series(work, &call));
    LP_TRY(grafana_groups_ask(&call.groups, work, out_query));
    LP_REQUIRE(*out_query == NULL, LP_OK);
    LP_TRY(check_points(&call, work));
    find_place(&call, work, grafana_groups_asked(&call.groups, work), &at, &column);
    if (at == grafana_groups_count(work)) {
        LP_TRY(grafana_groups_finish(&call.groups, work, in->limit, amount_of_points));
        return LP_EEND;
    }
    grafana_groups_select(&call.groups, work, at, &wish);
    grafana_question q = grafana_question_begin(
        is_graph(&call) ? &ask_flamegraph_route : &ask_heatmap_route, &work->problem);
    if (is_graph(&call)) {
        get_column(&call.all, column, &wish.start_ms, &wish.end_ms);
        grafana_question_set_graph(&q, &wish, NULL);
        grafana_question_set_whole(&q, "max_nodes", 1);
    } else {
        set_map(&q, &wish, "requests", has_exemplars(in->exemplar_type), count_points(&call));
    }
    return grafana_question_finish(&q, out_query);
}

// add_point adds a point. Takes ownership of exemplars; NULL: none.
static void
add_point(json_t *points, double value, int64_t timestamp_ms, json_t *exemplars)
{
    (void)json_array_append_new(
        points, json_pack("{s:f, s:o, s:o*}", "value", value, "timestamp",
                    grafana_flame_whole(timestamp_ms), "exemplars", exemplars));
}

// add_column adds the points of the steps of a column.
static void
add_column(json_t *points, const steps *of, size_t index, double value)
{
    int64_t start_ms = 0;
    int64_t end_ms = 0;
    get_column(of, index, &start_ms, &end_ms);
    int64_t count = (end_ms - start_ms - 1) / of->step_ms + 1;
    for (int64_t i = 0; i < count; i++) {
        add_point(points, value / (double)count, start_ms + i * of->step_ms, NULL);
    }
}

// add_requests adds a point for each column of a heat map.
static void
add_requests(json_t *points, const json_t *map)
{
    size_t i;
    size_t k;
    json_t *column;
    json_t *bucket;
    json_array_foreach(json_object_get(map, "columns"), i, column)
    {
        json_int_t all = 0;
        json_array_foreach(column, k, bucket)
        {
            all += json_integer_value(json_array_get(bucket, 1));
        }
        add_point(points, (double)all, column_ms(map, i), make_exemplars(map, i));
    }
}

lp_err
grafana_add_select_series(grafana_work *work, const json_t *answer)
{
    series_call call;
    bool is_values;
    size_t at;
    size_t column;
    LP_TRY(read_series(work, &call));
    LP_TRY(grafana_groups_add(&call.groups, work, answer, &is_values));
    LP_REQUIRE(!is_values, LP_OK);
    find_place(&call, work, grafana_groups_asked(&call.groups, work) - 1, &at, &column);
    json_t *series = grafana_groups_get(work, at);
    if (column == 0) {
        (void)json_object_set_new(series, "points", json_array());
    }
    json_t *points = json_object_get(series, "points");
    if (is_graph(&call)) {
        add_column(points, &call.all, column, json_number_value(json_object_get(answer, "total")));
    } else {
        add_requests(points, answer);
    }
    return points != NULL ? LP_OK : LP_ENOMEM;
}

// --- SelectHeatmap

// A range of buckets, none if last is below first.
typedef struct range {
    json_int_t first;
    json_int_t last;
} range;

static range
find_range(const json_t *columns)
{
    range found = {.first = INT32_MAX, .last = INT32_MIN};
    size_t i;
    size_t k;
    json_t *column;
    json_t *cell;
    json_array_foreach((json_t *)(uintptr_t)columns, i, column)
    {
        json_array_foreach(column, k, cell)
        {
            json_int_t bucket = json_integer_value(get(cell, 0));
            found.first = bucket < found.first ? bucket : found.first;
            found.last = bucket > found.last ? bucket : found.last;
        }
    }
    return found;
}

// add_buckets adds the buckets of a column to a slot. Cells are in the order of buckets.
static void
add_buckets(json_t *slot, const json_t *column, range of)
{
    json_t *least = json_array();
    json_t *counts = json_array();
    size_t next = 0;
    for (json_int_t bucket = of.first; bucket <= of.last; bucket++) {
        const json_t *cell = get(column, next);
        bool has = cell != NULL && json_integer_value(get(cell, 0)) == bucket;
        json_int_t count = has ? json_integer_value(get(cell, 1)) : 0;
        next += has;
        (void)json_array_append_new(least, json_real(least_of(bucket)));
        (void)json_array_append_new(counts, json_integer(count < INT32_MAX ? count : INT32_MAX));
    }
    (void)json_object_set_new(slot, "yMin", least);
    (void)json_object_set_new(slot, "counts", counts);
}

// make_slots makes the HeatmapSlots of all columns. Each has the same buckets, from the shortest to
// the longest of the map. NULL: out of memory.
static json_t *
make_slots(const json_t *map)
{
    LP_ASSERT(map != NULL);
    const json_t *columns = json_object_get(map, "columns");
    const range of = find_range(columns);
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        json_t *slot = json_pack("{s:o, s:o}", "timestamp", grafana_flame_whole(column_ms(map, i)),
            "exemplars", make_exemplars(map, i));
        add_buckets(slot, get(columns, i), of);
        (void)json_array_append_new(list, slot);
    }
    return list;
}

static double
amount_of_slots(const json_t *series)
{
    double sum = 0;
    size_t i;
    size_t k;
    json_t *slot;
    json_t *count;
    json_array_foreach(json_object_get(series, "slots"), i, slot)
    {
        json_array_foreach(json_object_get(slot, "counts"), k, count)
        {
            sum += json_number_value(count);
        }
    }
    return sum;
}

// find_unit returns the unit of a type in heat maps. Errors: LP_EVERSION other types
static lp_err
find_unit(const char *type_id, const char **out, lp_problem *problem)
{
    const grafana_type *type = NULL;
    LP_TRY(grafana_question_find_type(type_id, &type, problem));
    *out = type->value == NULL ? "requests" : "contexts";
    return !type->is_of_threads
               ? LP_OK
               : lp_problem_set(problem, LP_EVERSION,
                     "%s has no heat map: ask for loupe:time or loupe:requests", type->id);
}

static lp_err
check_heatmap(const Querier__V1__SelectHeatmapRequest *in, lp_problem *problem)
{
    bool is_known = protobuf_c_enum_descriptor_get_value(
                        &querier__v1__heatmap_query_type__descriptor, (int)in->query_type) != NULL;
    LP_REQUIRE(is_known, lp_problem_set(problem, LP_EVERSION, "query_type %d is not supported",
                             (int)in->query_type));
    return check_exemplars(in->exemplar_type, problem);
}

static lp_err
read_groups(grafana_work *work, grafana_groups *out)
{
    grafana_work_check(work, &querier__v1__select_heatmap_request__descriptor);
    const Querier__V1__SelectHeatmapRequest *in = (const void *)work->in;
    *out = (grafana_groups){.selector = in->label_selector,
        .labels = in->group_by,
        .label_count = in->n_group_by,
        .start_ms = in->start,
        .end_ms = in->end};
    return grafana_groups_begin(out, &work->problem);
}

lp_err
grafana_ask_select_heatmap(grafana_work *work, ask_query **out_query)
{
    const Querier__V1__SelectHeatmapRequest *in = (const void *)work->in;
    grafana_wish wish = {.type_id = in->profile_typeid,
        .selector = in->label_selector,
        .start_ms = in->start,
        .end_ms = in->end};
    const char *unit = NULL;
    grafana_groups groups;
    steps all;
    LP_TRY(check_heatmap(in, &work->problem));
    LP_TRY(find_unit(in->profile_typeid, &unit, &work->problem));
    LP_TRY(make_steps(in->start, in->end, in->step, &all, &work->problem));
    LP_TRY(read_groups(work, &groups));
    LP_TRY(grafana_groups_ask(&groups, work, out_query));
    LP_REQUIRE(*out_query == NULL, LP_OK);
    size_t at = grafana_groups_asked(&groups, work);
    if (at == grafana_groups_count(work)) {
        LP_TRY(grafana_groups_finish(&groups, work, in->limit, amount_of_slots));
        return LP_EEND;
    }
    grafana_groups_select(&groups, work, at, &wish);
    grafana_question q = grafana_question_begin(&ask_heatmap_route, &work->problem);
    set_map(&q, &wish, unit, has_exemplars(in->exemplar_type),
        all.count < GRAFANA_SLOTS_MAX ? all.count : GRAFANA_SLOTS_MAX);
    return grafana_question_finish(&q, out_query);
}

// check_cells refuses a call whose answer would be too large.
static lp_err
check_cells(grafana_work *work)
{
    size_t cells = 0;
    size_t series = grafana_groups_count(work);
    for (size_t i = 0; i < series; i++) {
        const json_t *slots = json_object_get(grafana_groups_get(work, i), "slots");
        const json_t *counts = json_object_get(json_array_get(slots, 0), "counts");
        cells += json_array_size(slots) * json_array_size(counts); // all slots have as many
    }
    return cells <= GRAFANA_CELLS_MAX
               ? LP_OK
               : lp_problem_set(&work->problem, LP_ECORRUPT,
                     "group_by: the heat maps of %zu values have more than %d cells: select fewer "
                     "values",
                     series, GRAFANA_CELLS_MAX);
}

lp_err
grafana_add_select_heatmap(grafana_work *work, const json_t *answer)
{
    grafana_groups groups;
    bool is_values;
    LP_TRY(read_groups(work, &groups));
    LP_TRY(grafana_groups_add(&groups, work, answer, &is_values));
    LP_REQUIRE(!is_values, LP_OK);
    json_t *series = grafana_groups_get(work, grafana_groups_asked(&groups, work) - 1);
    int failed = json_object_set_new(series, "slots", make_slots(answer));
    return failed == 0 ? check_cells(work) : LP_ENOMEM;
}
