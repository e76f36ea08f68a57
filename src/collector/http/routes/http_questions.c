// SPDX-License-Identifier: Apache-2.0
// http_questions: questions about contexts: reads the parameters and sends the answer.
//
// Tests:   tests/unit/collector/ask/test_ask_work.c

#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

// A question while its parameters are read.
typedef struct reading {
    ask_query *query;
    lp_err err;
    lp_problem problem;
} reading;

static enum MHD_Result
on_parameter(void *arg, enum MHD_ValueKind kind, const char *key, const char *value)
{
    (void)kind;
    reading *r = arg;
    r->err = ask_query_set(r->query, key, value == NULL ? "" : value, &r->problem);
    return r->err == LP_OK ? MHD_YES : MHD_NO;
}

static unsigned
status_of(lp_err err)
{
    switch ((int)err) {
    case LP_ECORRUPT:
    case LP_ELIMIT:
        return MHD_HTTP_BAD_REQUEST;
    case LP_ENOENT:
        return MHD_HTTP_NOT_FOUND;
    case LP_EAGAIN:
    case LP_ECLOSED:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

// reply_failure answers a question that failed.
static enum MHD_Result
reply_failure(struct MHD_Connection *connection, lp_err err, const lp_problem *problem)
{
    LP_ASSERT(err != LP_OK);
    return err == LP_ENOMEM ? http_reply_out_of_memory(connection)
                            : http_reply_error(connection, status_of(err), "%s", problem->text);
}

enum MHD_Result
http_questions_read(const http_call *call, ask_query **out_query)
{
    LP_ASSERT(call->route.ask != NULL && call->came.answer == NULL);
    struct MHD_Connection *connection = call->connection;
    reading r = {.err = LP_OK};
    lp_err err = ask_query_create(call->route.ask, call->route.rest, false, &r.query, &r.problem);
    LP_REQUIRE(err == LP_OK, reply_failure(connection, err, &r.problem));
    (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, on_parameter, &r);
    LP_THEN(r.err, ask_query_finish(r.query, &r.problem));
    if (r.err != LP_OK) {
        ask_query_destroy(r.query);
        r.err = r.err == LP_ENOENT ? LP_ECORRUPT : r.err; // an unknown parameter: 400, not 404
        return reply_failure(connection, r.err, &r.problem);
    }
    r.query->caller = access_caller_copy(&call->caller);
    *out_query = r.query;
    return MHD_YES;
}

enum { DISPOSITION_BYTES = 128, BLOCK_BYTES = 64 * 1024 };

// --- Answers in files

static ssize_t
on_read(void *arg, uint64_t position, char *bytes, size_t size_max)
{
    const ask_answer *answer = arg;
    ssize_t done;
    do {
        done = pread(answer->fd, bytes, size_max, (off_t)position);
    } while (done < 0 && errno == EINTR);
    return done > 0 ? done : MHD_CONTENT_READER_END_WITH_ERROR; // never beyond the end
}

static void
on_free(void *arg)
{
    ask_answer_destroy(arg);
}

// make_response returns a response with an answer. Takes ownership of the answer. NULL: out of
// memory.
static struct MHD_Response *
make_response(ask_answer *answer)
{
    LP_ASSERT(answer->err == LP_OK);
    if (answer->files != NULL) {
        struct MHD_Response *response = MHD_create_response_from_callback(
            answer->file_bytes, BLOCK_BYTES, on_read, answer, on_free);
        if (response == NULL) {
            ask_answer_destroy(answer);
        }
        return response;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(
        answer->body.len, answer->body.ptr, lp_large_free); // as lp_buf_fini does
    if (response != NULL) {
        answer->body = (lp_buf){0}; // the response's
    }
    ask_answer_destroy(answer);
    return response;
}

enum MHD_Result
http_questions_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_ANSWER);
    LP_ASSERT(call->came.answer != NULL);
    struct MHD_Connection *connection = call->connection;
    ask_answer *answer = call->came.answer;
    LP_REQUIRE(answer->err == LP_OK, reply_failure(connection, answer->err, &answer->problem));
    call->came.answer = NULL; // the response's
    char disposition[DISPOSITION_BYTES];
    char left_out[24];
    (void)snprintf(disposition, sizeof(disposition), "attachment; filename=\"%s\"",
        answer->file_name == NULL ? "" : answer->file_name);
    (void)snprintf(left_out, sizeof(left_out), "%" PRIu64, answer->left_out);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, answer->type},
        {MHD_HTTP_HEADER_CONTENT_ENCODING, answer->is_gzip ? "gzip" : NULL},
        {MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {MHD_HTTP_HEADER_CONTENT_DISPOSITION, answer->file_name == NULL ? NULL : disposition},
        {"Loupe-Is-Truncated", answer->is_truncated ? "true" : NULL},
        {"Loupe-Chunks-Left-Out", answer->left_out > 0 ? left_out : NULL},
    };
    return http_reply_send(connection, MHD_HTTP_OK, make_response(answer), headers,
        sizeof(headers) / sizeof(headers[0]));
}
