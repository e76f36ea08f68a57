// SPDX-License-Identifier: Apache-2.0
// http_request: one HTTP request from its head to its answer.
//
// It checks the caller and the method, waits for the needs of its line in the table of routes
// (http_routes.def), calls the handler once, and audits reads and removals.
//
// While a request waits, its connection is suspended and no thread is held. The outcome arrives on
// a thread of the snapshot source, the rewriter, ask_service or http_uploads. A snapshot may even
// arrive after the HTTP server has stopped. So a request counts references: its connection and its
// outcome own it.
//
// If the client closes its connection or half of it, the wait is cancelled. Removals and
// uploads go on.
//
// Threads: the thread that handles the connection, unless noted.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "collector/http/gate/http_gate.h"
#include "collector/http/routes/http_call.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/queue.h>

typedef struct http_request http_request;

// The waiting requests. {.mutex = PTHREAD_MUTEX_INITIALIZER} is empty.
typedef struct http_waiting {
    pthread_mutex_t mutex;
    LIST_HEAD(, http_request) requests;
    bool is_closed;
} http_waiting;

// http_request_create copies call, whose caller, service, upload and came must be empty. Borrows
// *waiting until the request's last wait has ended. line: the connection's place at the gate, or
// NULL. Returns NULL if memory ran out.
http_request *http_request_create(const http_call *call, http_waiting *waiting, http_line *line);

// http_request_begin checks the caller of a request that brings a file or a message, and opens the
// upload. Returns false with the answer if the request is refused.
bool http_request_begin(http_request *request, enum MHD_Result *out_result);

// http_request_add_body adds bytes to the upload or the message; other bodies are ignored.
void http_request_add_body(http_request *request, const char *bytes, size_t count);

// http_request_go_on continues a request that is complete or whose wait has ended: it answers, or
// suspends the connection. libmicrohttpd calls the handler again after a wait.
enum MHD_Result http_request_go_on(http_request *request);

// http_request_end ends the wait, if there is one, and drops the connection's reference. NULL is
// fine.
void http_request_end(http_request *request);

// http_request_close_waiting resumes every suspended connection and refuses further waits. All
// these requests are answered with 503. Any thread.
void http_request_close_waiting(http_waiting *waiting);
