// SPDX-License-Identifier: Apache-2.0
// http_route: which answer a path asks for.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c,
//          tests/unit/collector/http/wire/test_http_base.c

#ifndef LP_COLLECTOR_HTTP_HTTP_ROUTE_H
#define LP_COLLECTOR_HTTP_HTTP_ROUTE_H

#include "collector/ask/routes/ask_routes.h"
#include "collector/page/page.h"
#include "collector/store/catalog/catalog.h"

typedef enum http_route_kind {
    HTTP_ROUTE_NONE,
    HTTP_ROUTE_LIST,
    HTTP_ROUTE_SHOW,
    HTTP_ROUTE_DOWNLOAD,
    HTTP_ROUTE_POLICIES,
    HTTP_ROUTE_POLICY,
    HTTP_ROUTE_ABOUT,
    HTTP_ROUTE_METRICS,
    HTTP_ROUTE_HEALTH,
    HTTP_ROUTE_READY,
    HTTP_ROUTE_ASK,
    HTTP_ROUTE_PAGE,
    HTTP_ROUTE_LOGIN,
    HTTP_ROUTE_PENDING,
    HTTP_ROUTE_UPLOAD,
} http_route_kind;

typedef struct http_route {
    http_route_kind kind;
    const char *path;                      // all of it
    char session_id[CATALOG_ID_CHARS + 1]; // of SHOW, DOWNLOAD, PENDING; "" when it cannot be one
    bool is_wide;                          // of PENDING
    const char *service;                   // of POLICY, a part of the path; else NULL
    const ask_route *ask;                  // of ASK
    const char *rest;                      // of ASK: behind its path, a part of the path
    const page_file *file;                 // of PAGE
} http_route;

// http_route_of reads a path without its query.
http_route http_route_of(const char *path);

// http_route_has_first_part returns whether a path that has an answer may have this first part.
bool http_route_has_first_part(lp_slice part);

// http_route_is_removal returns whether a recording is to be removed.
bool http_route_is_removal(const http_route *route, const char *method);

#endif // LP_COLLECTOR_HTTP_HTTP_ROUTE_H
