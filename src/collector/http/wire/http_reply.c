// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_reply.h"

#include "collector/base/metrics.h"
#include "collector/http/wire/http_connection.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"
#include "common/base/lp_time.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_BYTES = 512 };

static const char out_of_memory_json[] = "{\"error\": \"out of memory: try again later\"}\n";

static const char retry_after_s[] = "1";

// Browsers trust Content-Type alone.
static const http_header no_sniffing = {"X-Content-Type-Options", "nosniff"};

static const http_header last = {MHD_HTTP_HEADER_CONNECTION, "close"};

static enum MHD_Result
queue(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response)
{
    LP_ASSERT(response != NULL && status >= 200 && status < 600);
    metrics_add(METRICS_http_requests, 1);
    if (status >= 500) {
        metrics_add(METRICS_http_errors, 1);
    } else if (status >= 400) {
        metrics_add(METRICS_http_refused, 1);
    }
    http_line *line = http_connection_get_line(connection);
    if (http_line_is_reserved(line)) { // if this fails the client may send one more request
        (void)MHD_add_response_header(response, last.name, last.value);
    }
    http_line_enter(line, HTTP_GATE_SENDS, lp_time_mono_ms());
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response); // the connection has a reference of its own
    return result;
}

enum MHD_Result
http_reply_out_of_memory(struct MHD_Connection *connection)
{
    metrics_add(METRICS_http_out_of_memory, 1);
    struct MHD_Response *response = MHD_create_response_from_buffer(sizeof(out_of_memory_json) - 1,
        (void *)(uintptr_t)out_of_memory_json, MHD_RESPMEM_PERSISTENT);
    LP_REQUIRE(response != NULL, MHD_NO);
    const http_header headers[] = {{MHD_HTTP_HEADER_CONTENT_TYPE, "application/json"},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"}, {MHD_HTTP_HEADER_RETRY_AFTER, retry_after_s},
        no_sniffing};
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        (void)MHD_add_response_header(response, headers[i].name, headers[i].value);
    }
    return queue(connection, MHD_HTTP_SERVICE_UNAVAILABLE, response);
}

enum MHD_Result
http_reply_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
    const http_header *headers, size_t count)
{
    LP_ASSERT(count == 0 || headers != NULL);
    LP_REQUIRE(response != NULL, http_reply_out_of_memory(connection));
    bool is_whole =
        MHD_add_response_header(response, no_sniffing.name, no_sniffing.value) == MHD_YES;
    for (size_t i = 0; i < count && is_whole; i++) {
        is_whole = headers[i].value == NULL ||
                   MHD_add_response_header(response, headers[i].name, headers[i].value) == MHD_YES;
    }
    if (!is_whole) {
        MHD_destroy_response(response);
        return http_reply_out_of_memory(connection);
    }
    return queue(connection, status, response);
}

// reply_made sends a response whose body is JSON.
static enum MHD_Result
reply_made(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
    http_header more)
{
    LP_ASSERT(status >= MHD_HTTP_OK && status < 600);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, "application/json"},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        more,
        {MHD_HTTP_HEADER_RETRY_AFTER,
            status == MHD_HTTP_SERVICE_UNAVAILABLE ? retry_after_s : NULL},
    };
    return http_reply_send(
        connection, status, response, headers, sizeof(headers) / sizeof(headers[0]));
}

enum MHD_Result
http_reply_json_with(
    struct MHD_Connection *connection, unsigned status, json_t *body, http_header more)
{
    LP_ASSERT(more.name != NULL || more.value == NULL);
    char *text = body == NULL ? NULL : json_dumps(body, JSON_INDENT(2));
    json_decref(body);
    LP_REQUIRE(text != NULL, http_reply_out_of_memory(connection));
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        free(text);
    }
    return reply_made(connection, status, response, more);
}

enum MHD_Result
http_reply_text(struct MHD_Connection *connection, unsigned status, lp_buf *text)
{
    LP_ASSERT(lp_buf_check(text) == LP_OK);
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(
        text->len, text->ptr, lp_large_free); // as lp_buf_fini does
    if (response != NULL) {
        *text = (lp_buf){0}; // the response's
    }
    lp_buf_fini(text);
    return reply_made(connection, status, response, (http_header){0});
}

enum MHD_Result
http_reply_json(struct MHD_Connection *connection, unsigned status, json_t *body)
{
    return http_reply_json_with(connection, status, body, (http_header){0});
}

enum MHD_Result
http_reply_error(struct MHD_Connection *connection, unsigned status, const char *format, ...)
{
    LP_ASSERT(status >= 400);
    char text[ERROR_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return http_reply_json(
        connection, status, json_pack("{s:o}", "error", http_reply_text_json(text)));
}

enum MHD_Result
http_reply_failure(struct MHD_Connection *connection, lp_err err, const char *what)
{
    LP_ASSERT(err != LP_OK);
    switch ((int)err) {
    case LP_ENOENT:
        return http_reply_error(connection, MHD_HTTP_NOT_FOUND,
            "no such recording: /api/v1/recordings lists the recordings");
    case LP_EAGAIN:
    case LP_ELIMIT:
    case LP_ECLOSED:
        return http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%s is not available (%s): try again later", what, lp_err_text(err));
    case LP_ENOMEM:
        return http_reply_out_of_memory(connection);
    default:
        return http_reply_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
            "%s failed (%s): see the collector's log", what, lp_err_text(err));
    }
}

enum MHD_Result
http_reply_last(struct MHD_Connection *connection, unsigned status, const char *text)
{
    LP_ASSERT(status >= 400);
    return http_reply_json_with(
        connection, status, json_pack("{s:o}", "error", http_reply_text_json(text)), last);
}

enum MHD_Result
http_reply_empty(struct MHD_Connection *connection, unsigned status)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    const http_header header = {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"};
    return http_reply_send(connection, status, response, &header, 1);
}

enum MHD_Result
http_reply_method(struct MHD_Connection *connection, const char *method, const char *allowed)
{
    LP_ASSERT(allowed[0] != '\0');
    char text[ERROR_BYTES];
    (void)snprintf(text, sizeof(text), "%s is not allowed: use %s", method, allowed);
    return http_reply_json_with(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
        json_pack("{s:o}", "error", http_reply_text_json(text)),
        (http_header){MHD_HTTP_HEADER_ALLOW, allowed});
}

enum MHD_Result
http_reply_challenge(struct MHD_Connection *connection, const char *text)
{
    return http_reply_json_with(connection, MHD_HTTP_UNAUTHORIZED,
        json_pack("{s:s}", "error", text),
        (http_header){MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer realm=\"loupe\""});
}

json_t *
http_reply_text_json(const char *text)
{
    LP_ASSERT(text != NULL);
    json_t *json = json_string(text);
    if (json != NULL) {
        return json;
    }
    char *copy = strdup(text);
    LP_REQUIRE(copy != NULL, NULL);
    for (char *at = copy; *at != '\0'; at++) {
        if ((unsigned char)*at >= 0x80) {
            *at = '?';
        }
    }
    json = json_string(copy);
    free(copy);
    return json;
}

json_t *
http_reply_count_json(uint64_t count)
{
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}
