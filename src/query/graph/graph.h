// SPDX-License-Identifier: Apache-2.0
// graph: the stack traces of a selection's contexts, summed as a profile (profile.h) and written in
// one of the formats that tools read.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_graph.c

#pragma once

#include "common/base/lp_buf.h"
#include "query/graph/flame.h"
#include "query/graph/profile_formats.h"

#include <jansson.h>

typedef enum query_format {
    QUERY_FORMAT_JSON,       // flame.h
    QUERY_FORMAT_HTML,       // flame.h
    QUERY_FORMAT_COLLAPSED,  // flame.h
    QUERY_FORMAT_SPEEDSCOPE, // profile_formats.h
    QUERY_FORMAT_PPROF,      // profile_formats.h
    QUERY_FORMATS,
} query_format;

// The caller's choices. Texts are borrowed.
typedef struct query_graph_wish {
    query_format format;
    query_measure measure;
    size_t max_nodes;          // of JSON and HTML, 1 to QUERY_STACK_NODES_MAX
    query_frame_filter *frame; // NULL: all stack traces
    const char *title;         // of HTML and SPEEDSCOPE
    // Returns the name of the recording of a source; for SPEEDSCOPE and PPROF.
    const char *(*recording)(const void *arg, uint32_t source);
    const void *recording_arg;
} query_graph_wish;

typedef struct query_graph {
    query_graph_wish wish;
    query_profile profile;
    query_speedscope speedscope;
    query_pprof pprof;
} query_graph;

// query_format_find returns the format for a file name, by its extension: .html, .collapsed,
// .speedscope.json or .pb.gz; QUERY_FORMATS for others.
query_format query_format_find(const char *file_name);

// query_format_has_base returns whether a format has the amounts of a base.
bool query_format_has_base(query_format format);

// query_graph_begin makes an empty graph. Borrows names, and what wish refers to, until
// query_graph_fini.
query_graph query_graph_begin(const query_graph_wish *wish, query_names *names);
void query_graph_fini(query_graph *graph);

// query_graph_prepare makes question ask for the parts that the format needs.
void query_graph_prepare(query_graph *graph, query_question *question);

// query_graph_add adds a context to graph, a query_graph. Pass it as on_context of a prepared
// question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_graph_add(void *graph, const query_answer *answer);

// After all contexts were added, call one of the next two functions, once.

// query_graph_json makes the flame graph as an object (flame.h).
// Owns:   *out_json is the caller's.
// Errors: as query_profile_finish
LP_MUST_USE lp_err query_graph_json(
    query_graph *graph, const query_outcome *outcome, bool has_base, json_t **out_json);

// query_graph_write appends the file. Errors: as query_profile_finish
LP_MUST_USE lp_err query_graph_write(
    query_graph *graph, const query_outcome *outcome, bool has_base, lp_buf *out);

// query_graph_is_empty returns whether a graph that was written has no amount.
bool query_graph_is_empty(const query_graph *graph);

// query_graph_is_truncated returns whether a limit of the graph was reached.
bool query_graph_is_truncated(const query_graph *graph);
