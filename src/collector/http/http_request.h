// SPDX-License-Identifier: Apache-2.0
// http_request: one HTTP request, and its waits: for a snapshot, then for the rewriting of a
// download that needs it; or for the answer to a question; or until a file is shown.
//
// While it waits its connection is suspended: no thread is held. The answer comes on a thread of
// the snapshots' source, of the rewriter's, of ask_service's or of http_uploads', the snapshot
// possibly after the HTTP server has stopped. So the request has two owners, the connection and the
// outstanding answer, and is counted.
//
// Threads: the one that handles the connection, where nothing else is said.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_REQUEST_H
#define LP_COLLECTOR_HTTP_HTTP_REQUEST_H

#include "collector/access/access_caller.h"
#include "collector/ask/ask_service.h"
#include "collector/base/snapshot.h"
#include "collector/http/routes/http_download.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_gate.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct http_request http_request;

// The requests that wait. {.mutex = PTHREAD_MUTEX_INITIALIZER} is an empty one.
typedef struct http_waiting {
    pthread_mutex_t mutex;
    http_request *first;
    bool is_closed;
} http_waiting;

// http_request_create has one owner. NULL: out of memory. line is the connection's, or NULL.
http_request *http_request_create(struct MHD_Connection *connection, http_line *line);
void http_request_unref(http_request *request);

// http_request_wait_for_snapshot suspends the connection and asks for a snapshot;
// libmicrohttpd calls the handler again when it is there. Should the client close its connection
// meanwhile, or its half of it, a snapshot of what is recorded is taken back, and the wait ends; a
// removal is not. Errors: LP_ECLOSED after http_request_close_waiting
LP_MUST_USE lp_err http_request_wait_for_snapshot(http_request *request, http_waiting *waiting,
    snapshot_source from, const char *session_id, snapshot_kind kind);

// http_request_wait_for_rewriting is the same for a download that is reserved with rewriter, whose
// rewriting is given up when the client leaves. It takes download, also after an error.
LP_MUST_USE lp_err http_request_wait_for_rewriting(
    http_request *request, http_waiting *waiting, http_rewriter *rewriter, http_download *download);

// http_request_wait_for_answer is the same for the answer to a question, which it takes, also after
// an error. Should the client close its connection meanwhile, the question is cancelled; a client
// that closes only its own half counts as gone, too.
LP_MUST_USE lp_err http_request_wait_for_answer(
    http_request *request, http_waiting *waiting, ask_service *service, ask_query *query);

// http_request_wait_for_upload is the same until the request's upload is shown (http_upload_push),
// whether or not the client leaves.
LP_MUST_USE lp_err http_request_wait_for_upload(http_request *request, http_waiting *waiting);

// http_request_set_caller notes who asks, and takes *caller.
void http_request_set_caller(http_request *request, access_caller *caller);
const access_caller *http_request_get_caller(const http_request *request);

// http_request_set_service notes of which service the recording is that is asked for, and takes
// service; NULL: nobody knows, as at first.
void http_request_set_service(http_request *request, char *service);
const char *http_request_get_service(const http_request *request);

// http_request_set_upload has the request bring a file, which it ends; http_request_get_upload
// returns that, or NULL.
void http_request_set_upload(http_request *request, http_upload *upload);
http_upload *http_request_get_upload(const http_request *request);

// http_request_has_waited returns whether a wait has begun; when the handler is called, it is over.
bool http_request_has_waited(const http_request *request);

// http_request_was_left returns whether the client left while the request waited for a snapshot or
// a rewriting: nobody reads an answer.
bool http_request_was_left(const http_request *request);

// http_request_was_closed returns whether a wait ended because waiting was closed. Where it was
// not, and nothing can be taken, memory ran out.
bool http_request_was_closed(const http_request *request);

// http_request_take_snapshot returns the snapshot that was waited for; NULL when waiting was closed
// before it came, or memory ran out. The caller ends its share with snapshot_unref: as long as the
// answer is being sent would be too long.
snapshot *http_request_take_snapshot(http_request *request);

// http_request_take_download returns the download that was rewritten; NULL when waiting was closed
// before, memory ran out, or none was waited for. The caller owns it.
http_download *http_request_take_download(http_request *request);

// http_request_take_answer returns the answer that was waited for; NULL when waiting was closed
// before it came, or memory ran out. The caller owns it.
ask_answer *http_request_take_answer(http_request *request);

// http_request_end_wait removes the request from those that wait, if it is one.
void http_request_end_wait(http_request *request, http_waiting *waiting);

// http_request_close_waiting resumes every connection that waits, without an answer, and lets no
// more of them wait. Any thread.
void http_request_close_waiting(http_waiting *waiting);

#endif // LP_COLLECTOR_HTTP_HTTP_REQUEST_H
