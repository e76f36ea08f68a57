// SPDX-License-Identifier: Apache-2.0
// http_reply: answers to HTTP requests, counted in the metrics.
//
// Each answer has X-Content-Type-Options: nosniff. Answers that depend on the caller are not for
// shared caches: Cache-Control is "no-store" or begins with "private". On a reserved connection
// (http_gate.h) each answer closes the connection.
//
// Every function that answers queues one answer. Return its result to libmicrohttpd; MHD_NO closes
// the connection.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#pragma once

#include "common/base/lp_buf.h"

#include <jansson.h>
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// A header of an answer. value NULL: left out.
typedef struct http_header {
    const char *name;
    const char *value;
} http_header;

// http_reply_out_of_memory answers 503 with Retry-After.
enum MHD_Result http_reply_out_of_memory(struct MHD_Connection *connection);

// http_reply_send adds headers to response and queues it. Takes ownership of response; NULL:
// answers that memory ran out.
enum MHD_Result http_reply_send(struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response, const http_header *headers, size_t count);

// http_reply_json answers with body and takes ownership. NULL: answers that memory ran out.
enum MHD_Result http_reply_json(struct MHD_Connection *connection, unsigned status, json_t *body);

// http_reply_json_with is http_reply_json with one more header.
enum MHD_Result http_reply_json_with(
    struct MHD_Connection *connection, unsigned status, json_t *body, http_header more);

// http_reply_text answers with JSON text. Takes ownership of its bytes.
enum MHD_Result http_reply_text(struct MHD_Connection *connection, unsigned status, lp_buf *text);

// http_reply_error answers {"error": text}. 503 comes with Retry-After.
enum MHD_Result http_reply_error(struct MHD_Connection *connection, unsigned status,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

// http_reply_failure answers a request for recordings that failed with err. what: the work that
// failed.
enum MHD_Result http_reply_failure(struct MHD_Connection *connection, lp_err err, const char *what);

// http_reply_last answers {"error": text} and closes the connection.
enum MHD_Result http_reply_last(
    struct MHD_Connection *connection, unsigned status, const char *text);

// http_reply_empty answers without a body.
enum MHD_Result http_reply_empty(struct MHD_Connection *connection, unsigned status);

// http_reply_method answers 405 with the allowed methods, such as "GET, HEAD".
enum MHD_Result http_reply_method(
    struct MHD_Connection *connection, const char *method, const char *allowed);

// http_reply_challenge answers 401 with WWW-Authenticate.
enum MHD_Result http_reply_challenge(struct MHD_Connection *connection, const char *text);

// http_reply_text_json returns a JSON string. If text is not UTF-8, bytes beyond ASCII become '?'.
// NULL: out of memory.
json_t *http_reply_text_json(const char *text);

// http_reply_count_json returns a JSON integer, at most INT64_MAX. NULL: out of memory.
json_t *http_reply_count_json(uint64_t count);
