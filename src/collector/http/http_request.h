// SPDX-License-Identifier: Apache-2.0
// http_request: one HTTP request, and its waits: for a snapshot, then for the rewriting of a
// download that needs it; or for the answer to a question; or until a file is shown.
//
// While it waits its connection is suspended: no thread is held. What it waits for comes on a
// thread of the snapshots' source, of the rewriter's, of ask_service's or of http_uploads', the
// snapshot possibly after the HTTP server has stopped. So the request has two owners, the
// connection and what is outstanding, and is counted.
//
// Threads: the one that handles the connection, where nothing else is said.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_REQUEST_H
#define LP_COLLECTOR_HTTP_HTTP_REQUEST_H

#include "collector/http/gate/http_gate.h"
#include "collector/http/routes/http_call.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct http_request http_request;

// The requests that wait. {.mutex = PTHREAD_MUTEX_INITIALIZER} is an empty one.
typedef struct http_waiting {
    pthread_mutex_t mutex;
    http_request *first;
    bool is_closed;
} http_waiting;

// http_request_create has one owner, and a copy of call, whose caller, service, upload and came it
// owns, empty as they are. NULL: out of memory. It borrows waiting until its last wait has ended.
// line is the connection's, or NULL.
http_request *http_request_create(const http_call *call, http_waiting *waiting, http_line *line);
void http_request_unref(http_request *request);

// http_request_get_call lends the call; not while the request waits.
http_call *http_request_get_call(http_request *request);

// http_request_wait_for_snapshot suspends the connection and asks for a snapshot of the recording
// of the call's route; libmicrohttpd calls the handler again when the wait is over. Should the
// client close its connection meanwhile, or its half of it, a snapshot of what is recorded is taken
// back, and the wait ends; a removal is not. Errors: LP_ECLOSED after http_request_close_waiting
LP_MUST_USE lp_err http_request_wait_for_snapshot(http_request *request, snapshot_kind kind);

// http_request_wait_for_rewriting is the same for a download that is reserved with the rewriter,
// whose rewriting is given up when the client leaves. It takes download, also after an error.
LP_MUST_USE lp_err http_request_wait_for_rewriting(http_request *request, http_download *download);

// http_request_wait_for_answer is the same for the answer to a question, which it takes, also after
// an error. Should the client close its connection meanwhile, the question is cancelled; a client
// that closes only its own half counts as gone, too.
LP_MUST_USE lp_err http_request_wait_for_answer(http_request *request, ask_query *query);

// http_request_wait_for_upload is the same until the call's upload is shown (http_upload_push),
// whether or not the client leaves.
LP_MUST_USE lp_err http_request_wait_for_upload(http_request *request);

// http_request_has_waited returns whether a wait has begun.
bool http_request_has_waited(const http_request *request);

// How a wait ended.
typedef enum http_wait_end {
    HTTP_WAIT_CAME,   // call->came has what was waited for; nothing: memory ran out
    HTTP_WAIT_LEFT,   // the client left: nobody reads an answer
    HTTP_WAIT_CLOSED, // http_request_close_waiting
} http_wait_end;

// http_request_drop ends what came, and was not taken from call->came.
void http_request_drop(http_request *request);

// http_request_end_wait removes the request from those that wait, if it is one.
http_wait_end http_request_end_wait(http_request *request);

// http_request_close_waiting resumes every connection that waits, without an answer, and lets no
// more of them wait. on_closed is called for each one before. Any thread.
void http_request_close_waiting(http_waiting *waiting, void (*on_closed)(const http_call *call));

#endif // LP_COLLECTOR_HTTP_HTTP_REQUEST_H
