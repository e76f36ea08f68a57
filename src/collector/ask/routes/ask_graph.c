// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/flamegraph, and /api/v1/slice.{collapsed,speedscope.json,pprof}: where the time of
// contexts went, by stack trace (graph.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_frame.h"
#include "common/base/lp_assert.h"
#include "query/graph/flame_formats.h"
#include "query/graph/graph.h"

typedef struct parameters {
    ask_frame frame;
    query_measure measure;
    int64_t max_nodes; // 0: none was given
} parameters;

static lp_err
set_value(void *own, const char *name, const char *value, lp_problem *problem)
{
    const char *words[QUERY_MEASURES];
    size_t index;
    for (size_t i = 0; i < QUERY_MEASURES; i++) {
        words[i] = query_measure_name((query_measure)i);
    }
    lp_err err = ask_query_choice(name, value, words, QUERY_MEASURES, &index, problem);
    if (err == LP_OK) {
        ((parameters *)own)->measure = (query_measure)index;
    }
    return err;
}

static lp_err
set_max_nodes(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(
        name, value, 1, QUERY_STACK_NODES_MAX, &((parameters *)own)->max_nodes, problem);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_graph_add(arg, answer);
}

// write_json answers with the graph as JSON.
static lp_err
write_json(ask_work *work, query_graph *graph, ask_answer *out_answer)
{
    query_flame flame = {0};
    lp_err err = query_profile_finish(&graph->profile, graph->wish.frame);
    LP_THEN(err, query_flame_make(&flame, &graph->profile, graph->wish.max_nodes));
    LP_THEN(err,
        ask_work_answer(work,
            query_flame_json(&flame, &graph->profile, &work->outcome, work->query->asked.has_base),
            out_answer));
    query_flame_fini(&flame);
    return err;
}

static lp_err
write_text(ask_work *work, query_graph *graph, ask_answer *out_answer)
{
    lp_err err =
        query_graph_write(graph, &work->outcome, work->query->asked.has_base, &out_answer->body);
    if (query_graph_is_truncated(graph)) {
        work->outcome.is_truncated = true;
    }
    return err == LP_OK ? ask_work_answer_file(work, out_answer) : err;
}

// draw answers with a graph in a format.
static lp_err
draw(ask_work *work, query_format format, ask_answer *out_answer)
{
    const parameters *own = work->query->own;
    const query_graph_wish wish = {
        .format = format,
        .measure = own->measure,
        .max_nodes = own->max_nodes == 0 ? (size_t)QUERY_FLAME_NODES : (size_t)own->max_nodes,
        .frame = ask_frame_filter(work),
        .title = "loupe",
        .recording = ask_work_recording,
        .recording_arg = work,
    };
    query_graph graph = query_graph_begin(&wish, &work->names);
    query_question question = {.on_context = on_context, .arg = &graph};
    query_graph_prepare(&graph, &question);
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err, format == QUERY_FORMAT_JSON ? write_json(work, &graph, out_answer)
                                             : write_text(work, &graph, out_answer));
    query_graph_fini(&graph);
    return err == LP_ELIMIT ? ask_frame_refuse(wish.frame, out_answer) : err;
}

static lp_err
answer_json(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    return draw(work, QUERY_FORMAT_JSON, out_answer);
}

// answer_file answers a question that is a slice, as its route says.
static lp_err
answer_file(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    static const struct {
        const ask_route *route;
        query_format format;
        const char *type;
    } files[] = {
        {&ask_collapsed_route, QUERY_FORMAT_COLLAPSED, "text/plain; charset=utf-8"},
        {&ask_pprof_route, QUERY_FORMAT_PPROF, "application/octet-stream"},
        {&ask_speedscope_route, QUERY_FORMAT_SPEEDSCOPE, "application/json"},
    };
    size_t i = 0;
    while (files[i].route != work->query->route) {
        i++;
    }
    out_answer->type = files[i].type;
    out_answer->file_name = work->query->route->path;
    return draw(work, files[i].format, out_answer);
}

static const ask_parameter graph_parameters[] = {
    {"value", set_value},
    {"frame", ask_frame_set},
    {"max_nodes", set_max_nodes},
    {NULL, NULL},
};

static const ask_parameter slice_parameters[] = {
    {"value", set_value},
    {"frame", ask_frame_set},
    {NULL, NULL},
};

const ask_route ask_flamegraph_route = {
    .path = "flamegraph",
    .has_unit = true,
    .has_threads = true,
    .has_base = true,
    .parameters = graph_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer_json,
};

const ask_route ask_collapsed_route = {
    .path = "slice.collapsed",
    .has_unit = true,
    .has_threads = true,
    .parameters = slice_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer_file,
};

const ask_route ask_pprof_route = {
    .path = "slice.pprof",
    .has_unit = true,
    .has_threads = true,
    .parameters = slice_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer_file,
};

const ask_route ask_speedscope_route = {
    .path = "slice.speedscope.json",
    .has_unit = true,
    .has_threads = true,
    .parameters = slice_parameters,
    .own_bytes = sizeof(parameters),
    .prepare = ask_frame_prepare,
    .answer = answer_file,
};
