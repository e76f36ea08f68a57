// SPDX-License-Identifier: Apache-2.0
// graph: the stack traces of a selection's contexts as a file, in one of the formats that tools
// read: the answers of a query as a profile (profile.h), and that written.
//
// Threads: one thread at a time.

#ifndef LP_QUERY_GRAPH_H
#define LP_QUERY_GRAPH_H

#include "common/base/lp_buf.h"
#include "query/graph/flame.h"
#include "query/graph/pprof.h"
#include "query/graph/speedscope.h"

#include <jansson.h>

typedef enum query_format {
    QUERY_FORMAT_JSON,       // flame_formats.h
    QUERY_FORMAT_HTML,       // the same
    QUERY_FORMAT_COLLAPSED,  // the same
    QUERY_FORMAT_SPEEDSCOPE, // speedscope.h
    QUERY_FORMAT_PPROF,      // pprof.h
    QUERY_FORMATS,
} query_format;

// What the caller wants. Texts are borrowed.
typedef struct query_graph_wish {
    query_format format;
    query_measure measure;
    size_t max_nodes;          // of JSON and HTML, 1 to QUERY_STACK_NODES_MAX; others have all
    query_frame_filter *frame; // NULL: all stack traces
    const char *title;         // of HTML and SPEEDSCOPE
    // Returns the name of the recording that has a source; of SPEEDSCOPE and PPROF.
    const char *(*recording)(const void *arg, uint32_t source);
    const void *recording_arg;
} query_graph_wish;

typedef struct query_graph {
    query_graph_wish wish;
    query_profile profile;
    query_speedscope speedscope;
    query_pprof pprof;
} query_graph;

// query_format_find returns the format that a file of this name has, by how it ends: .html,
// .collapsed, .speedscope.json, .pb.gz; QUERY_FORMATS if it is none.
query_format query_format_find(const char *file_name);

// query_graph_begin makes an empty graph. names and what the wish refers to are borrowed until
// query_graph_fini.
query_graph query_graph_begin(const query_graph_wish *wish, query_names *names);
void query_graph_fini(query_graph *graph);

// query_graph_prepare makes question ask for what the graph needs, and for nothing else.
void query_graph_prepare(query_graph *graph, query_question *question);

// query_graph_add adds a context (to a query_graph), as on_context of a prepared question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_graph_add(void *graph, const query_answer *answer);

// query_format_has_base returns whether amounts of a base are written.
bool query_format_has_base(query_format format);

// Once all contexts were added, one of the following is called, once.

// query_graph_json makes the flame graph as an object (flame_formats.h).
// Owns:   *out_json is the caller's.
// Errors: those of query_profile_finish
LP_MUST_USE lp_err query_graph_json(
    query_graph *graph, const query_outcome *outcome, bool has_base, json_t **out_json);

// query_graph_write appends the file. Errors: those of query_profile_finish
LP_MUST_USE lp_err query_graph_write(
    query_graph *graph, const query_outcome *outcome, bool has_base, lp_buf *out);

// query_graph_is_empty returns whether there is no amount in a graph that was written.
bool query_graph_is_empty(const query_graph *graph);

// query_graph_is_truncated returns whether a limit of the graph's was reached.
bool query_graph_is_truncated(const query_graph *graph);

#endif // LP_QUERY_GRAPH_H
