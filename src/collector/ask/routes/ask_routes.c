// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/routes/ask_routes.h"

#include <stdbool.h>
#include <string.h>

static const ask_route *const routes[] = {
    &ask_accounting_route,
    &ask_attributes_route,
    &ask_collapsed_route,
    &ask_compare_route,
    &ask_contexts_route,
    &ask_event_types_route,
    &ask_events_route,
    &ask_flamegraph_route,
    &ask_heatmap_route,
    &ask_ids_route,
    &ask_context_types_route,
    &ask_context_route, // after contexts/..
    &ask_pprof_route,
    &ask_series_route,
    &ask_request_route, // after requests/series
    &ask_requests_route,
    &ask_jvm_route,
    &ask_threads_route,
    &ask_services_route,
    &ask_slice_route,
    &ask_speedscope_route,
    &ask_traces_route,
    &ask_markdown_route,
    &ask_timeline_route,
    &ask_versions_route,
    &ask_why_route,
};

const ask_route *
ask_routes_find(const char *path, const char **out_rest)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
        size_t len = strlen(routes[i]->path);
        bool has_rest = routes[i]->set_rest != NULL;
        if (strncmp(path, routes[i]->path, len) == 0 && (path[len] != '\0') == has_rest) {
            *out_rest = path + len;
            return routes[i];
        }
    }
    return NULL;
}
