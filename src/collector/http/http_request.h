// SPDX-License-Identifier: Apache-2.0
// http_request: one HTTP request, and its wait for a snapshot.
//
// While it waits its connection is suspended: no thread is held. The answer comes on a thread of
// the server's and may come after the HTTP server has stopped, so the request has two owners, the
// connection and the outstanding snapshot, and is counted.
//
// Threads: the one that handles the connection, but for what is said.

#ifndef LP_COLLECTOR_HTTP_HTTP_REQUEST_H
#define LP_COLLECTOR_HTTP_HTTP_REQUEST_H

#include "collector/server/snapshot.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct http_request http_request;

// The requests that wait. {.mutex = PTHREAD_MUTEX_INITIALIZER} is an empty one.
typedef struct http_waiting {
    pthread_mutex_t mutex;
    http_request *first;
    bool is_closed;
} http_waiting;

// http_request_create has one owner. NULL: out of memory.
http_request *http_request_create(struct MHD_Connection *connection);
void http_request_unref(http_request *request);

// http_request_wait suspends the connection and asks the server for a snapshot; libmicrohttpd calls
// the handler again when it is there. Errors: LP_ECLOSED after http_request_close_waiting
LP_MUST_USE lp_err http_request_wait(
    http_request *request, http_waiting *waiting, server *server, const char *session_id);

// http_request_is_answered tells whether a wait is over.
bool http_request_is_answered(const http_request *request);

// http_request_take_snapshot gives what was waited for; NULL when waiting was closed before it
// came. The caller ends it with snapshot_destroy: as long as the answer is being sent would be too
// long.
snapshot *http_request_take_snapshot(http_request *request);

// http_request_end_wait takes the request out of those that wait; nothing if it does not.
void http_request_end_wait(http_request *request, http_waiting *waiting);

// http_request_close_waiting resumes every connection that waits, without its snapshot, and lets no
// more of them wait. Any thread.
void http_request_close_waiting(http_waiting *waiting);

#endif // LP_COLLECTOR_HTTP_HTTP_REQUEST_H
