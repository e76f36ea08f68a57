// SPDX-License-Identifier: Apache-2.0
// http_call: a request as its handler gets it, with what it has waited for; and the handlers of the
// table of routes, each of which is called once and queues one answer (http_reply.h).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_CALL_H
#define LP_COLLECTOR_HTTP_HTTP_CALL_H

#include "collector/access/access_caller.h"
#include "collector/ask/ask_service.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_callers.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/routes/http_config.h"
#include "collector/http/routes/http_route.h"

#include <microhttpd.h>
#include <stdatomic.h>

typedef struct http_download http_download; // http_download.h
typedef struct http_rewriter http_rewriter; // http_rewriter.h
typedef struct http_upload http_upload;     // http_upload.h
typedef struct http_uploads http_uploads;   // the place for a file

// What all requests share. {0} with mutexes is an empty one.
typedef struct http_shared {
    http_config config;
    http_catalog store;
    ask_service *asks;
    http_rewriter *rewriter;
    http_uploads *uploads; // NULL: no files are taken
    http_callers callers;
    http_audit audit;
    access_attempts attempts;       // to log in
    _Atomic int64_t refusal_log_ms; // no line about a request that was refused is due before
    int64_t start_wall_ns;
    _Atomic(char *) agents_url;     // NULL: not yet
    _Atomic(const char *) node_key; // NULL: not yet, or nobody shares the catalog
    atomic_bool is_ready;           // orders nothing
} http_shared;

// What a request waits for: one of them, and then another (HTTP_NEED_CONTENT).
typedef struct http_came {
    snapshot *snapshot;
    http_download *download;
    ask_answer *answer;
} http_came;

typedef struct http_call {
    http_shared *shared;
    struct MHD_Connection *connection;
    const char *method;
    http_route route;
    access_caller caller; // who asks
    char *service;        // of the recording, for an audit; NULL: not known
    http_upload *upload;  // the file that it brings; NULL: none
    http_came came;       // as its line in the table needs it. A handler that takes one leaves NULL
} http_call;

#define ROUTE(path, methods, right, need, params, handler) enum MHD_Result handler(http_call *call);
#include "collector/http/routes/http_routes.def"
#undef ROUTE

// --- What is waited for is made of the request by these. Where they cannot, they answer with the
// reason, and *out is not written.

// http_questions_read reads the question that a request asks; whoever calls owns it.
enum MHD_Result http_questions_read(const http_call *call, ask_query **out_query);

// http_download_open makes the download that a request asks for of the catalog, the stored chunks
// and call->came.snapshot, of the part that is not compacted yet, which it shares. Whoever calls
// owns it.
enum MHD_Result http_download_open(const http_call *call, http_download **out_download);

// http_upload_begin takes the place for the file that a request brings, and begins it.
enum MHD_Result http_upload_begin(const http_call *call, http_upload **out_upload);

#endif // LP_COLLECTOR_HTTP_HTTP_CALL_H
