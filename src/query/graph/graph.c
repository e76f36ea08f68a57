// SPDX-License-Identifier: Apache-2.0
#include "query/graph/graph.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "query/select/json_parts.h"

#include <string.h>

query_format
query_format_find(const char *file_name)
{
    static const char *const ends[QUERY_FORMATS] = {
        [QUERY_FORMAT_HTML] = ".html",
        [QUERY_FORMAT_COLLAPSED] = ".collapsed",
        [QUERY_FORMAT_SPEEDSCOPE] = ".speedscope.json",
        [QUERY_FORMAT_PPROF] = ".pb.gz",
    };
    size_t len = strlen(file_name);
    unsigned i = 0;
    for (; i < QUERY_FORMATS; i++) {
        if (ends[i] != NULL && lp_ends_with(file_name, len, ends[i])) {
            break;
        }
    }
    return (query_format)i;
}

bool
query_format_has_base(query_format format)
{
    LP_ASSERT(format < QUERY_FORMATS);
    return format == QUERY_FORMAT_JSON || format == QUERY_FORMAT_HTML;
}

static void
graph_check(const query_graph *graph)
{
    LP_ASSERT(graph->wish.format < QUERY_FORMATS);
    LP_ASSERT(graph->wish.measure == graph->profile.measure);
}

query_graph
query_graph_begin(const query_graph_wish *wish, query_names *names)
{
    LP_ASSERT(wish->format < QUERY_FORMATS);
    LP_ASSERT(wish->measure < QUERY_MEASURES);
    return (query_graph){.wish = *wish, .profile = query_profile_begin(wish->measure, names)};
}

void
query_graph_fini(query_graph *graph)
{
    query_profile_fini(&graph->profile);
    query_speedscope_fini(&graph->speedscope);
    query_pprof_fini(&graph->pprof);
    *graph = (query_graph){0};
}

void
query_graph_prepare(query_graph *graph, query_question *question)
{
    graph_check(graph);
    LP_ASSERT(graph->profile.cells.count == 0);
    query_profile_prepare(&graph->profile, question);
    if (graph->wish.format == QUERY_FORMAT_PPROF) {
        query_pprof_prepare(&graph->pprof, &graph->profile, question);
    }
    question->wants_thread_names |= graph->wish.format == QUERY_FORMAT_SPEEDSCOPE;
}

lp_err
query_graph_add(void *arg, const query_answer *answer)
{
    query_graph *graph = arg;
    graph_check(graph);
    uint32_t group = 0;
    lp_err err = LP_OK;
    bool counts = answer->context->parent == QUERY_NO_CONTEXT;
    if (counts && graph->wish.format == QUERY_FORMAT_SPEEDSCOPE) {
        err = query_speedscope_group(&graph->speedscope, answer, &group);
    } else if (counts && graph->wish.format == QUERY_FORMAT_PPROF) {
        err = query_pprof_group(&graph->pprof, answer, &group);
    }
    return err == LP_OK ? query_profile_add(&graph->profile, answer, group) : err;
}

bool
query_graph_is_empty(const query_graph *graph)
{
    graph_check(graph);
    const query_totals *totals = graph->profile.totals;
    return totals[0].value == 0 && totals[1].value == 0;
}

bool
query_graph_is_truncated(const query_graph *graph)
{
    graph_check(graph);
    return graph->profile.is_truncated || graph->speedscope.is_truncated ||
           graph->pprof.is_truncated || graph->pprof.labels.is_truncated ||
           graph->pprof.labels.attributes.is_truncated;
}

lp_err
query_graph_json(query_graph *graph, const query_outcome *outcome, bool has_base, json_t **out_json)
{
    graph_check(graph);
    query_flame flame = {0};
    json_t *json = NULL;
    lp_err err = query_profile_finish(&graph->profile, graph->wish.frame);
    LP_THEN(err, query_flame_make(&flame, &graph->profile, graph->wish.max_nodes));
    if (err == LP_OK) {
        json = query_flame_json(&flame, &graph->profile, outcome, has_base);
        err = json == NULL ? LP_ENOMEM : LP_OK;
    }
    query_flame_fini(&flame);
    *out_json = json;
    return err;
}

static lp_err
write_json(query_graph *graph, const query_outcome *outcome, bool has_base, lp_buf *out)
{
    graph_check(graph);
    json_t *json;
    LP_TRY(query_graph_json(graph, outcome, has_base, &json));
    if (graph->wish.format == QUERY_FORMAT_HTML) {
        query_flame_html_write(json, graph->wish.title, out);
    } else {
        query_json_append(out, json);
        lp_buf_append(out, "\n", 1);
    }
    json_decref(json);
    return lp_buf_check(out);
}

static lp_err
write_collapsed(query_graph *graph, lp_buf *out)
{
    graph_check(graph);
    query_flame flame;
    LP_TRY(query_flame_make(&flame, &graph->profile, QUERY_STACK_NODES_MAX));
    graph->profile.is_truncated |= !query_flame_collapsed_write(&flame, &graph->profile, out);
    query_flame_fini(&flame);
    return lp_buf_check(out);
}

lp_err
query_graph_write(query_graph *graph, const query_outcome *outcome, bool has_base, lp_buf *out)
{
    graph_check(graph);
    const query_graph_wish *wish = &graph->wish;
    if (query_format_has_base(wish->format)) {
        return write_json(graph, outcome, has_base, out);
    }
    LP_TRY(query_profile_finish(&graph->profile, wish->frame));
    if (wish->format == QUERY_FORMAT_COLLAPSED) {
        return write_collapsed(graph, out);
    }
    return wish->format == QUERY_FORMAT_PPROF
               ? query_pprof_write(
                     &graph->pprof, &graph->profile, wish->recording, wish->recording_arg, out)
               : query_speedscope_write(&graph->speedscope, &graph->profile, wish->title,
                     wish->recording, wish->recording_arg, out);
}
