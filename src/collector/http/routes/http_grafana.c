// SPDX-License-Identifier: Apache-2.0
// POST /querier.v1.QuerierService/PROCEDURE: calls of Pyroscope's API (grafana_call.h). They ask
// the questions of /api/v1, with the rights of the caller.
//
// Tests:   tests/e2e/pyroscope.py

#include "collector/grafana/grafana_call.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"

#include <string.h>

static void
read_call(http_call *call)
{
    const char *slash = strrchr(call->route.path, '/');
    LP_ASSERT(slash != NULL);
    if (call->body.is_failed) {
        call->grafana.is_failed = true;
    } else {
        grafana_call_read(&call->grafana, slash + 1, lp_buf_slice(&call->body));
    }
}

ask_query *
http_grafana_next(http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_PROFILE);
    if (!grafana_call_is_read(&call->grafana)) {
        read_call(call);
    }
    ask_query *query = grafana_call_next(&call->grafana);
    if (query != NULL) {
        query->caller = access_caller_copy(&call->caller);
    }
    return query;
}

void
http_grafana_add(http_call *call, ask_answer *answer)
{
    LP_ASSERT(answer == NULL || answer->files == NULL);
    if (answer == NULL) {
        call->grafana.is_failed = true;
    } else if (answer->err == LP_OK) {
        grafana_call_add(&call->grafana, lp_buf_slice(&answer->body));
    } else {
        grafana_call_fail(&call->grafana, answer->err, answer->problem.text);
    }
    ask_answer_destroy(answer);
}

enum MHD_Result
http_grafana_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_PROFILE);
    lp_buf body = {0};
    grafana_call_write(&call->grafana, &body);
    if (lp_buf_check(&body) != LP_OK) {
        lp_buf_fini(&body);
        return http_reply_out_of_memory(call->connection);
    }
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(
        body.len, body.ptr, lp_large_free); // as lp_buf_fini does
    if (response == NULL) {
        lp_buf_fini(&body);
    }
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, grafana_call_get_type(&call->grafana)},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
    };
    return http_reply_send(call->connection, call->grafana.status, response, headers,
        sizeof(headers) / sizeof(headers[0]));
}
