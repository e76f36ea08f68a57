// SPDX-License-Identifier: Apache-2.0
// http_call: a request as its handler gets it, with the outcome of its wait; and the handlers in
// the table of routes. Each handler is called once and queues one answer (http_reply.h).
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "collector/access/access_caller.h"
#include "collector/ask/ask_service.h"
#include "collector/grafana/grafana_call.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_callers.h"
#include "collector/http/routes/http_config.h"
#include "collector/http/routes/http_route.h"
#include "collector/mcp/mcp_message.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <microhttpd.h>
#include <stdatomic.h>

typedef struct http_download http_download; // http_download.h
typedef struct http_rewriter http_rewriter; // http_rewriter.h
typedef struct http_upload http_upload;     // http_upload.h
typedef struct http_uploads http_uploads;   // http_upload.h

// The catalog that the requests share. Lock the mutex for a query, not while its result is
// formatted or sent.
typedef struct http_catalog {
    pthread_mutex_t mutex;
    catalog *catalog;
    presence *presence; // sessions connected to this collector; NULL: unknown
    bool is_shared;     // other collectors write the catalog, too
} http_catalog;

// Shared by all requests. {0} with initialized mutexes is empty.
typedef struct http_shared {
    http_config config;
    http_catalog store;
    ask_service *asks;
    http_rewriter *rewriter;
    http_uploads *uploads; // NULL: no uploads
    http_callers callers;
    http_audit audit;
    access_attempts attempts;       // failed logins
    _Atomic int64_t refusal_log_ms; // earliest time of the next log line about a refused request
    int64_t start_wall_ns;
    _Atomic(char *) agents_url;     // NULL: not yet
    _Atomic(const char *) node_key; // NULL: not yet, or the catalog is not shared
    atomic_bool is_ready;           // orders nothing
} http_shared;

// The outcome of a wait: one of these. HTTP_NEED_CONTENT waits for a snapshot, then for a download.
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
    access_caller caller;
    char *service;        // of the recording, for the audit; NULL: unknown
    http_upload *upload;  // the file in the body; NULL: none
    lp_buf body;          // of HTTP_NEED_MESSAGE, HTTP_NEED_PROFILE and HTTP_NEED_BODY
    mcp_message message;  // in the body of HTTP_NEED_MESSAGE
    grafana_call grafana; // in the body of HTTP_NEED_PROFILE
    http_came came; // set as the route needs it. A handler that takes a member sets it to NULL
} http_call;

// http_call_check asserts that a call is ready for a handler whose line in the table has this need.
static inline void
http_call_check(const http_call *call, http_need need)
{
    LP_ASSERT(call->shared != NULL && call->connection != NULL && call->route.has_method);
    LP_ASSERT(call->route.line != NULL && call->route.line->need == need);
}

#define ROUTE(path, methods, right, need, params, handler) enum MHD_Result handler(http_call *call);
#include "collector/http/routes/http_routes.def"
#undef ROUTE

// --- The questions of the body of HTTP_NEED_MESSAGE and HTTP_NEED_PROFILE.

// http_mcp_next and http_grafana_next read call->body the first time, and return the next question,
// which the caller owns. NULL: the request can be answered.
ask_query *http_mcp_next(http_call *call);
ask_query *http_grafana_next(http_call *call);

// http_mcp_add and http_grafana_add add the answer to the question. They take ownership of answer.
// NULL: out of memory.
// Threads: the thread that answered, while the connection is suspended.
void http_mcp_add(http_call *call, ask_answer *answer);
void http_grafana_add(http_call *call, ask_answer *answer);

// --- The inputs of waits. On a failure the functions answer with the reason; *out is unchanged.

// http_questions_read reads the question of a request. The caller owns it.
enum MHD_Result http_questions_read(const http_call *call, ask_query **out_query);

// http_download_open makes a download of the stored chunks in the catalog and the chunks in
// call->came.snapshot, of which the download gets its own reference. The caller owns the download.
enum MHD_Result http_download_open(const http_call *call, http_download **out_download);

// http_upload_begin begins the upload of the file in a request's body.
enum MHD_Result http_upload_begin(const http_call *call, http_upload **out_upload);
