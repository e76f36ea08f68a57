// SPDX-License-Identifier: Apache-2.0
// http_route: finds the line of a request in the table of routes (http_routes.def).
//
//   {id}         a recording; an invalid id is "" in the route
//   {service}    a service; its name may contain a /
//   {question}   a question (ask_routes.h)
//   {call}       a procedure of Pyroscope (grafana_procedures.h), or any other name
//   {page}       a file or a screen of the page (page.h)
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c,
//          tests/unit/collector/http/routes/test_http_base.c

#pragma once

#include "collector/ask/routes/ask_routes.h"
#include "collector/http/wire/http_base.h"
#include "collector/page/page.h"
#include "collector/store/catalog/catalog.h"

#include <stdbool.h>

// Who may use a route. On a collector without tokens everybody has the rights of a token.
typedef enum http_right {
    HTTP_RIGHT_ANYONE,
    HTTP_RIGHT_PROBE,    // anyone, also on reserved connections (http_gate.h)
    HTTP_RIGHT_KNOWN,    // any token
    HTTP_RIGHT_READ_ANY, // a token to read at least one service
    HTTP_RIGHT_READ_ALL, // a token to read all services
    HTTP_RIGHT_READ,     // a token to read the service, or the recording's service
    HTTP_RIGHT_REMOVE, // a token to remove the recording; without tokens, a client on this machine
    HTTP_RIGHT_PIN,    // a token to pin at least one service; without tokens as HTTP_RIGHT_REMOVE
    HTTP_RIGHT_NODE,   // the key of the collectors that share the catalog
} http_right;

// What the handler of a route needs: the request waits for this before the handler is called.
// HTTP_NEED_TOTALS and all later values need a snapshot (snapshot.h).
typedef enum http_need {
    HTTP_NEED_NOTHING,
    HTTP_NEED_FILE,    // the uploaded file, read
    HTTP_NEED_ANSWER,  // the answer to the question
    HTTP_NEED_MESSAGE, // the message in the body, and the answers to its questions
    HTTP_NEED_PROFILE, // the same, for Grafana
    HTTP_NEED_BODY,    // the body
    HTTP_NEED_TOTALS,  // the recording's totals
    HTTP_NEED_CONTENT, // the recording's content, rewritten if requested
    HTTP_NEED_REMOVAL, // the removal of the recording
    HTTP_NEED_OWN,     // the snapshot of a session of this collector (SNAPSHOT_OWN)
    HTTP_NEED_OWN_WIDE // the same, for a question about many recordings
} http_need;

typedef enum http_params {
    HTTP_PARAMS_NONE, // a request with a parameter is refused before its wait
    HTTP_PARAMS_SOME, // the handler checks them
} http_params;

typedef struct http_route_line {
    const char *path;
    const char *methods; // in the format of Allow; "*": any
    http_right right;
    http_need need;
    http_params params;
} http_route_line;

enum {
    HTTP_ROUTE_COUNT = 0
#define ROUTE(path, methods, right, need, params, handler) +1
#include "collector/http/routes/http_routes.def"
#undef ROUTE
};

extern const http_route_line http_route_lines[HTTP_ROUTE_COUNT];

typedef struct http_route {
    const http_route_line *line;
    bool has_method;  // the line allows the method; else it is the first line with this path
    const char *path; // the whole path
    bool has_id;
    char session_id[CATALOG_ID_CHARS + 1]; // {id}; "": invalid
    const char *service;                   // {service}, in path; NULL: none
    const ask_route *ask;                  // {question}; NULL: none
    const char *rest;                      // in path, after the question
    const page_file *file;                 // {page}; NULL: none
} http_route;

enum { HTTP_ROUTE_METHODS_BYTES = 64 };

// http_route_find returns the route of a path without its query. There is always one.
http_route http_route_find(const char *path, const char *method);

// http_route_list_methods writes the methods of the route's path in the format of Allow.
void http_route_list_methods(const http_route *route, char out_methods[HTTP_ROUTE_METHODS_BYTES]);

// http_route_read_base is http_base_read, but also refuses a base that begins like a route, such as
// "/api": the server could not tell whether a proxy has stripped it.
// Errors: as http_base_read
LP_MUST_USE lp_err http_route_read_base(const char *text, http_base *out, lp_problem *out_problem);
