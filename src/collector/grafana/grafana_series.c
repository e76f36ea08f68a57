// SPDX-License-Identifier: Apache-2.0
// SelectSeries and SelectMergeStacktraces. A series of a profile is a flame graph of one node for
// each column of time; numbers of requests come from the heat map, and from contexts/types.
//
// Tests: tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py
#include "pyroscope.pb-c.h"

#include "collector/grafana/grafana_flame.h"
#include "collector/grafana/grafana_procedures.h"
#include "collector/grafana/grafana_question.h"
#include "common/base/lp_assert.h"
#include "query/graph/flame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t NS_PER_MS = 1000000;

// check_format refuses formats other than a flame graph. A client asks again with that one.
static lp_err
check_format(Querier__V1__ProfileFormat format, lp_problem *problem)
{
    bool is_known = format == QUERIER__V1__PROFILE_FORMAT__PROFILE_FORMAT_UNSPECIFIED ||
                    format == QUERIER__V1__PROFILE_FORMAT__PROFILE_FORMAT_FLAMEGRAPH;
    return is_known
               ? LP_OK
               : lp_problem_set(problem, LP_EVERSION,
                     "format %d is not supported: ask for PROFILE_FORMAT_FLAMEGRAPH", (int)format);
}

static lp_err
check_nodes(int64_t max_nodes, lp_problem *problem)
{
    static_assert(GRAFANA_NODES_MAX <= (int)QUERY_STACK_NODES_MAX, "questions have no more");
    return max_nodes <= GRAFANA_NODES_MAX ? LP_OK
                                          : lp_problem_set(problem, LP_ECORRUPT,
                                                "max_nodes: not at most %d", GRAFANA_NODES_MAX);
}

// find_one returns the only item of a selector; NULL: it is empty.
static lp_err
find_one(size_t count, char *const *items, const char **out, lp_problem *problem)
{
    *out = count == 0 ? NULL : items[0];
    return count <= 1 ? LP_OK
                      : lp_problem_set(problem, LP_EVERSION,
                            "a selector of several spans, traces or profiles is not supported");
}

// --- SelectMergeStacktraces

// read_wish reads the wish of a call, and checks what is not in it.
static lp_err
read_wish(
    const Querier__V1__SelectMergeStacktracesRequest *in, grafana_wish *wish, lp_problem *problem)
{
    *wish = (grafana_wish){.type_id = in->profile_typeid,
        .selector = in->label_selector,
        .start_ms = in->start,
        .end_ms = in->end};
    LP_TRY(check_format(in->format, problem));
    LP_TRY(check_nodes(in->max_nodes, problem));
    LP_TRY(find_one(in->n_span_selector, in->span_selector, &wish->span, problem));
    LP_TRY(find_one(in->n_trace_id_selector, in->trace_id_selector, &wish->trace, problem));
    return find_one(in->n_profile_id_selector, in->profile_id_selector, &wish->profile, problem);
}

lp_err
grafana_ask_select_merge_stacktraces(grafana_work *work, ask_query **out_query)
{
    const Querier__V1__SelectMergeStacktracesRequest *in = (const void *)work->in;
    const grafana_type *type = NULL;
    grafana_wish wish;
    LP_REQUIRE(work->asked == 0, LP_EEND);
    LP_TRY(read_wish(in, &wish, &work->problem));
    LP_TRY(grafana_question_find_type(wish.type_id, &type, &work->problem));
    bool is_graph = type->value != NULL;
    grafana_question q = grafana_question_begin(
        is_graph ? &ask_flamegraph_route : &ask_context_types_route, &work->problem);
    grafana_question_set_wish(&q, "", &wish);
    if (is_graph) {
        grafana_question_set_whole(
            &q, "max_nodes", in->max_nodes <= 0 ? QUERY_FLAME_NODES : in->max_nodes);
    }
    return grafana_question_finish(&q, out_query);
}

// read_site makes the names of a call site. Free its names.
static lp_err
read_site(const Querier__V1__StackTraceSelector *selector, grafana_site *out)
{
    size_t count = selector == NULL ? 0 : selector->n_call_site;
    const char **names = calloc(count + 1, sizeof(*names));
    LP_REQUIRE(names != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        names[i] = selector->call_site[i]->name;
    }
    *out = (grafana_site){.names = names, .count = count};
    return LP_OK;
}

lp_err
grafana_add_select_merge_stacktraces(grafana_work *work, const json_t *answer)
{
    const Querier__V1__SelectMergeStacktracesRequest *in = (const void *)work->in;
    grafana_site site;
    LP_TRY(read_site(in->stack_trace_selector, &site));
    bool is_graph = json_object_get(answer, "level") != NULL;
    json_t *made = is_graph ? NULL : grafana_flame_of_requests(answer);
    json_t *flame = grafana_flame_json(is_graph ? answer : made, &site, false);
    json_decref(made);
    free((void *)(uintptr_t)site.names);
    return json_object_set_new(work->out, "flamegraph", flame) == 0 ? LP_OK : LP_ENOMEM;
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
make_steps(const Querier__V1__SelectSeriesRequest *in, steps *out, lp_problem *problem)
{
    int64_t range_ms = in->start < 0 || in->end <= in->start ? 0 : in->end - in->start;
    int64_t step_ms = in->step >= 0.001 && in->step <= 1e9 ? llround(in->step * 1000) : 0;
    LP_REQUIRE(range_ms > 0 && step_ms > 0,
        lp_problem_set(problem, LP_ECORRUPT,
            "start, end and step: not a range in milliseconds and a step in seconds"));
    int64_t count = (range_ms - 1) / step_ms + 1;
    LP_REQUIRE(count <= GRAFANA_POINTS_MAX,
        lp_problem_set(
            problem, LP_ECORRUPT, "step: the range has more than %d of them", GRAFANA_POINTS_MAX));
    *out = (steps){.start_ms = in->start,
        .end_ms = in->end,
        .step_ms = step_ms,
        .count = count,
        .per_column = (count - 1) / GRAFANA_COLUMNS_MAX + 1};
    return LP_OK;
}

// get_column writes the range of a column of steps. False: there is none.
static bool
get_column(const steps *of, size_t index, int64_t *out_start_ms, int64_t *out_end_ms)
{
    int64_t first = (int64_t)index * of->per_column;
    LP_REQUIRE(first < of->count, false);
    int64_t end_ms = of->start_ms + (first + of->per_column) * of->step_ms;
    *out_start_ms = of->start_ms + first * of->step_ms;
    *out_end_ms = end_ms < of->end_ms ? end_ms : of->end_ms;
    return true;
}

static lp_err
check_series(const Querier__V1__SelectSeriesRequest *in, lp_problem *problem)
{
    LP_REQUIRE(in->n_group_by == 0,
        lp_problem_set(problem, LP_EVERSION, "group_by is not supported: select a value"));
    LP_REQUIRE(in->stack_trace_selector == NULL || in->stack_trace_selector->n_call_site == 0,
        lp_problem_set(problem, LP_EVERSION, "call sites of a series are not supported"));
    return in->aggregation == 0
               ? LP_OK
               : lp_problem_set(problem, LP_EVERSION, "aggregation: only the sum is supported");
}

lp_err
grafana_ask_select_series(grafana_work *work, ask_query **out_query)
{
    const Querier__V1__SelectSeriesRequest *in = (const void *)work->in;
    const grafana_type *type = NULL;
    steps all;
    grafana_wish wish = {.type_id = in->profile_typeid, .selector = in->label_selector};
    LP_TRY(check_series(in, &work->problem));
    LP_TRY(make_steps(in, &all, &work->problem));
    LP_TRY(grafana_question_find_type(wish.type_id, &type, &work->problem));
    bool is_graph = type->value != NULL;
    wish.start_ms = all.start_ms;
    wish.end_ms = all.end_ms;
    LP_REQUIRE(
        is_graph ? get_column(&all, work->asked, &wish.start_ms, &wish.end_ms) : work->asked == 0,
        LP_EEND);
    grafana_question q = grafana_question_begin(
        is_graph ? &ask_flamegraph_route : &ask_heatmap_route, &work->problem);
    grafana_question_set_wish(&q, "", &wish);
    if (is_graph) {
        grafana_question_set_whole(&q, "max_nodes", 1);
    } else {
        grafana_question_set(&q, "unit", "requests");
        grafana_question_set(&q, "exemplars", "0");
        grafana_question_set_whole(&q, "columns", all.count < 1000 ? all.count : 1000);
    }
    return grafana_question_finish(&q, out_query);
}

static void
add_point(json_t *points, double value, int64_t timestamp_ms)
{
    (void)json_array_append_new(points,
        json_pack("{s:f, s:o}", "value", value, "timestamp", grafana_flame_whole(timestamp_ms)));
}

// add_column adds the points of the steps of a column.
static void
add_column(json_t *points, const steps *of, size_t index, double value)
{
    int64_t start_ms = 0;
    int64_t end_ms = 0;
    bool is_there = get_column(of, index, &start_ms, &end_ms);
    LP_ASSERT(is_there);
    int64_t count = (end_ms - start_ms - 1) / of->step_ms + 1;
    for (int64_t i = 0; i < count; i++) {
        add_point(points, value / (double)count, start_ms + i * of->step_ms);
    }
}

// add_requests adds a point for each column of a heat map.
static void
add_requests(json_t *points, const json_t *map)
{
    int64_t t0_ms = strtoll(json_string_value(json_object_get(map, "t0_ns")), NULL, 10) / NS_PER_MS;
    int64_t step_ms = json_integer_value(json_object_get(map, "step_ns")) / NS_PER_MS;
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
        add_point(points, (double)all, t0_ms + (int64_t)i * step_ms);
    }
}

lp_err
grafana_add_select_series(grafana_work *work, const json_t *answer)
{
    const Querier__V1__SelectSeriesRequest *in = (const void *)work->in;
    steps all;
    LP_TRY(make_steps(in, &all, &work->problem));
    json_t *series = json_object_get(work->out, "series");
    if (series == NULL) {
        series = json_pack("[{s:[], s:[]}]", "labels", "points");
        LP_REQUIRE(json_object_set_new(work->out, "series", series) == 0, LP_ENOMEM);
    }
    json_t *points = json_object_get(json_array_get(series, 0), "points");
    const json_t *total = json_object_get(answer, "total");
    if (total != NULL) {
        add_column(points, &all, work->asked - 1, json_number_value(total));
    } else {
        add_requests(points, answer);
    }
    return LP_OK;
}
