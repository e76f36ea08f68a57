// SPDX-License-Identifier: Apache-2.0
// http_reply: answers to HTTP requests, counted.
//
// Each says that it is what its Content-Type says (X-Content-Type-Options). Those that depend on
// who asks are for no cache that others share: Cache-Control is "no-store", or begins with
// "private".
//
// On a connection that is kept for /healthz and /readyz (http_gate.h) each answer is the last.
//
// Every function that answers queues one answer. Its result goes back to libmicrohttpd, where
// MHD_NO closes the connection.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_HTTP_HTTP_REPLY_H
#define LP_COLLECTOR_HTTP_HTTP_REPLY_H

#include "common/base/lp_buf.h"

#include <jansson.h>
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// A header of an answer. value may be NULL: the header is left out then.
typedef struct http_header {
    const char *name;
    const char *value;
} http_header;

// http_reply_out_of_memory answers 503 with Retry-After.
enum MHD_Result http_reply_out_of_memory(struct MHD_Connection *connection);

// http_reply_send adds the headers (count of them) to response, queues it and takes it; NULL:
// memory ran out, which is the answer.
enum MHD_Result http_reply_send(struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response, const http_header *headers, size_t count);

// http_reply_json takes body; NULL: memory ran out while it was made, which is the answer.
enum MHD_Result http_reply_json(struct MHD_Connection *connection, unsigned status, json_t *body);

// http_reply_json_with is the same with a header more, which is left out where its value is NULL.
enum MHD_Result http_reply_json_with(
    struct MHD_Connection *connection, unsigned status, json_t *body, http_header more);

// http_reply_text is the same for JSON that is written already. It takes the bytes of text.
enum MHD_Result http_reply_text(struct MHD_Connection *connection, unsigned status, lp_buf *text);

// http_reply_error answers {"error": text}. 503 comes with Retry-After.
enum MHD_Result http_reply_error(struct MHD_Connection *connection, unsigned status,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

// http_reply_last is the same, and closes the connection.
enum MHD_Result http_reply_last(
    struct MHD_Connection *connection, unsigned status, const char *text);

// http_reply_empty answers without a body.
enum MHD_Result http_reply_empty(struct MHD_Connection *connection, unsigned status);

// http_reply_method answers 405 with the methods that are allowed, such as "GET, HEAD".
enum MHD_Result http_reply_method(
    struct MHD_Connection *connection, const char *method, const char *allowed);

// http_reply_challenge answers 401 with the way in which a token is shown.
enum MHD_Result http_reply_challenge(struct MHD_Connection *connection, const char *text);

// http_reply_text_json makes a JSON string; bytes that are not UTF-8 become '?'. NULL: out of
// memory.
json_t *http_reply_text_json(const char *text);

// http_reply_count_json makes a JSON integer; those are signed, what is larger counts as the
// largest.
json_t *http_reply_count_json(uint64_t count);

#endif // LP_COLLECTOR_HTTP_HTTP_REPLY_H
