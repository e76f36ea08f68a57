// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/flamegraph, and /api/v1/slice.{collapsed,speedscope.json,pprof}: where the time of
// contexts went, by stack trace (graph.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_frame.h"
#include "common/base/lp_assert.h"
#include "query/graph/graph.h"

#include <stddef.h>

typedef struct parameters {
    ask_frame frame;
    size_t measure; // query_measure
    int64_t max_nodes;
} parameters;

// draw answers with the graph in a format.
static lp_err
draw(ask_work *work, query_format format, ask_answer *out_answer)
{
    const parameters *own = ASK_OWN(work->query, parameters);
    const query_graph_wish wish = {
        .format = format,
        .measure = (query_measure)own->measure,
        .max_nodes = (size_t)own->max_nodes,
        .frame = ask_frame_filter(work),
        .title = "loupe",
        .recording = ask_work_recording,
        .recording_arg = work,
    };
    query_graph graph = query_graph_begin(&wish, &work->names);
    query_question question = {.on_context = query_graph_add, .arg = &graph};
    bool has_base = work->query->asked.has_base;
    json_t *json = NULL;
    query_graph_prepare(&graph, &question);
    lp_err err = ask_work_run(work, &question);
    if (format == QUERY_FORMAT_JSON) {
        LP_THEN(err, query_graph_json(&graph, &work->outcome, has_base, &json));
        LP_THEN(err, ask_work_answer(work, json, out_answer));
    } else {
        LP_THEN(err, query_graph_write(&graph, &work->outcome, has_base, &out_answer->body));
        work->outcome.is_truncated |= query_graph_is_truncated(&graph);
        LP_THEN(err, ask_work_answer_file(work, out_answer));
    }
    query_graph_fini(&graph);
    return err == LP_ELIMIT ? ask_frame_refuse(wish.frame, out_answer) : err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    static const struct {
        const ask_route *route;
        query_format format;
        const char *type;
    } formats[] = {
        {&ask_flamegraph_route, QUERY_FORMAT_JSON, "application/json"},
        {&ask_collapsed_route, QUERY_FORMAT_COLLAPSED, "text/plain; charset=utf-8"},
        {&ask_pprof_route, QUERY_FORMAT_PPROF, "application/octet-stream"},
        {&ask_speedscope_route, QUERY_FORMAT_SPEEDSCOPE, "application/json"},
    };
    size_t i = 0;
    while (formats[i].route != work->query->route) {
        i++;
    }
    bool is_file = formats[i].format != QUERY_FORMAT_JSON;
    out_answer->type = formats[i].type;
    out_answer->file_name = is_file ? work->query->route->path : NULL;
    return draw(work, formats[i].format, out_answer);
}

static lp_err
set_value(void *out_value, const char *name, const char *value, lp_problem *problem)
{
    const char *words[QUERY_MEASURES];
    for (size_t i = 0; i < QUERY_MEASURES; i++) {
        words[i] = query_measure_name((query_measure)i);
    }
    return ask_query_choice(name, value, words, QUERY_MEASURES, out_value, problem);
}

static const ask_parameter graph_parameters[] = {
    {"max_nodes", ASK_NUMBER, offsetof(parameters, max_nodes), .min = 1,
        .max = QUERY_STACK_NODES_MAX, .preset = QUERY_FLAME_NODES},
    {"value", ASK_OTHER, offsetof(parameters, measure), .set = set_value},
    {"frame", ASK_TEXT, offsetof(parameters, frame.pattern)},
    {0},
};

const ask_route ask_flamegraph_route = {
    .path = "flamegraph",
    .has_unit = true,
    .has_threads = true,
    .has_base = true,
    .parameters = graph_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer,
};

// What downloads have in common. They have all nodes.
#define SLICE                                                                                      \
    .has_unit = true, .has_threads = true, .parameters = graph_parameters + 1,                     \
    .own_bytes = sizeof(parameters), .prepare = ask_frame_prepare, .answer = answer

const ask_route ask_collapsed_route = {.path = "slice.collapsed", SLICE};
const ask_route ask_pprof_route = {.path = "slice.pprof", SLICE};
const ask_route ask_speedscope_route = {.path = "slice.speedscope.json", SLICE};
