// SPDX-License-Identifier: Apache-2.0

// ask_routes: the table of questions. A new question is a file with a route, its parameters and its
// answer, and a line in ask_routes.c.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_ASK_ROUTES_H
#define LP_COLLECTOR_ASK_ASK_ROUTES_H

#include "collector/ask/work/ask_query.h"

extern const ask_route ask_accounting_route;
extern const ask_route ask_attributes_route;
extern const ask_route ask_collapsed_route;
extern const ask_route ask_compare_route;
extern const ask_route ask_context_route;
extern const ask_route ask_context_types_route;
extern const ask_route ask_contexts_route;
extern const ask_route ask_event_types_route;
extern const ask_route ask_events_route;
extern const ask_route ask_flamegraph_route;
extern const ask_route ask_heatmap_route;
extern const ask_route ask_ids_route;
extern const ask_route ask_jvm_route;
extern const ask_route ask_pprof_route;
extern const ask_route ask_request_route;
extern const ask_route ask_requests_route;
extern const ask_route ask_series_route;
extern const ask_route ask_services_route;
extern const ask_route ask_slice_route;
extern const ask_route ask_speedscope_route;
extern const ask_route ask_threads_route;
extern const ask_route ask_traces_route;
extern const ask_route ask_markdown_route;
extern const ask_route ask_timeline_route;
extern const ask_route ask_versions_route;
extern const ask_route ask_why_route;

// ask_routes_find returns the route of a path behind /api/v1/, and the rest of the path; NULL if
// there is none.
const ask_route *ask_routes_find(const char *path, const char **out_rest);

#endif // LP_COLLECTOR_ASK_ASK_ROUTES_H
