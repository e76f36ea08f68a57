// SPDX-License-Identifier: Apache-2.0
// http_route: the line of the table of routes (http_routes.def) that a request is for.
//
//   {id}         a recording; an id that none can have is "" in the route
//   {service}    a service, which may have a / in its name
//   {question}   a question (ask_routes.h)
//   {page}       a file or a screen of the page (page.h)
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c,
//          tests/unit/collector/http/routes/test_http_base.c

#ifndef LP_COLLECTOR_HTTP_HTTP_ROUTE_H
#define LP_COLLECTOR_HTTP_HTTP_ROUTE_H

#include "collector/ask/routes/ask_routes.h"
#include "collector/http/wire/http_base.h"
#include "collector/page/page.h"
#include "collector/store/catalog/catalog.h"

#include <stdbool.h>

// Who may. Where the collector asks nobody for a token, everybody may do what a token gives.
typedef enum http_right {
    HTTP_RIGHT_ANYONE,
    HTTP_RIGHT_PROBE,    // anyone, also on the connections that are reserved (http_gate.h)
    HTTP_RIGHT_KNOWN,    // a token, whatever it is for
    HTTP_RIGHT_READ_ANY, // a token to read any service
    HTTP_RIGHT_READ_ALL, // to read all services
    HTTP_RIGHT_READ,     // to read the service, or that of the recording
    HTTP_RIGHT_REMOVE,   // to remove the recording; without tokens, a client on this machine
    HTTP_RIGHT_NODE,     // a collector that shares the catalog, by its key
} http_right;

// What a request waits for before its handler is called. Those from TOTALS on are made of a
// snapshot of the recording (snapshot.h).
typedef enum http_need {
    HTTP_NEED_NOTHING,
    HTTP_NEED_FILE,    // the file that it brings is shown
    HTTP_NEED_ANSWER,  // to the question
    HTTP_NEED_TOTALS,  // the totals
    HTTP_NEED_CONTENT, // the content, rewritten where that is asked for
    HTTP_NEED_REMOVAL, // the recording is removed
    HTTP_NEED_OWN,     // what this collector has in memory
    HTTP_NEED_OWN_WIDE // the same, for a question about many recordings
} http_need;

// Which parameters it takes.
typedef enum http_params {
    HTTP_PARAMS_NONE, // a request with one is refused before it waits for anything
    HTTP_PARAMS_SOME, // its handler says which
} http_params;

typedef struct http_route_line {
    const char *path;
    const char *methods; // as Allow has them; "*": any
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
    bool has_method;                       // else the line is the first one of its path
    const char *path;                      // all of it
    bool has_id;                           // {id}
    char session_id[CATALOG_ID_CHARS + 1]; // the same; "" when it cannot be one
    const char *service;                   // a part of the path; NULL: none
    const ask_route *ask;                  // NULL: no question
    const char *rest;                      // of a question: behind its path, a part of the path
    const page_file *file;                 // NULL: none
} http_route;

enum { HTTP_ROUTE_METHODS_BYTES = 64 };

// http_route_find finds the line of a path without its query. There is always one.
http_route http_route_find(const char *path, const char *method);

// http_route_list_methods writes the methods of the route's path, as Allow has them.
void http_route_list_methods(const http_route *route, char out_methods[HTTP_ROUTE_METHODS_BYTES]);

// http_route_read_base is http_base_read for a path that does not begin as one that has an answer,
// such as "api": nobody could tell whether a proxy has taken it away.
// Errors: as http_base_read, LP_ECORRUPT for that as well
LP_MUST_USE lp_err http_route_read_base(const char *text, http_base *out, lp_problem *out_problem);

#endif // LP_COLLECTOR_HTTP_HTTP_ROUTE_H
