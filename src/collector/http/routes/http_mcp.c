// SPDX-License-Identifier: Apache-2.0
// POST /mcp: messages of the Model Context Protocol (mcp_message.h). The tools ask the questions of
// /api/v1, with the rights of the caller.
//
// Tests:   tests/unit/collector/http/routes/test_http_access.c, tests/e2e/assistants.py

#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_reply.h"
#include "collector/mcp/mcp_message.h"
#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>

// find_place finds the address of the page, and the time that calls are about: the last hour, or in
// `loupe open` all of it.
static mcp_place
find_place(const http_call *call)
{
    http_shared *shared = call->shared;
    mcp_place place = {.from = "1h"};
    int64_t start_wall_ns = 0;
    const char *host = http_connection_get_host(call->connection);
    (void)snprintf(place.site, sizeof(place.site), "%s://%s%s",
        shared->config.tls == NULL ? "http" : "https", host == NULL ? "localhost" : host,
        http_connection_get_base(call->connection)->path);
    if (shared->uploads != NULL) {
        (void)pthread_mutex_lock(&shared->store.mutex);
        lp_err err = catalog_first_start(shared->store.catalog, &start_wall_ns);
        (void)pthread_mutex_unlock(&shared->store.mutex);
        if (err == LP_OK) {
            (void)snprintf(place.from, sizeof(place.from), "%" PRId64, start_wall_ns);
        }
    }
    return place;
}

static void
read_message(http_call *call)
{
    struct MHD_Connection *connection = call->connection;
    const mcp_head head = {
        .version = http_connection_get_header(connection, "MCP-Protocol-Version"),
        .method = http_connection_get_header(connection, "Mcp-Method"),
        .name = http_connection_get_header(connection, "Mcp-Name"),
    };
    call->message.place = find_place(call);
    if (call->body.is_failed) {
        call->message.is_failed = true;
    } else {
        mcp_message_read(&call->message, lp_buf_slice(&call->body), &head);
    }
}

ask_query *
http_mcp_next(http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_MESSAGE);
    if (call->message.place.site[0] == '\0') {
        read_message(call);
    }
    ask_query *query = mcp_message_next(&call->message);
    if (query != NULL) {
        query->caller = access_caller_copy(&call->caller);
    }
    return query;
}

void
http_mcp_add(http_call *call, ask_answer *answer)
{
    LP_ASSERT(answer == NULL || answer->files == NULL);
    if (answer == NULL) {
        call->message.is_failed = true;
    } else if (answer->err == LP_OK) {
        mcp_message_add(&call->message, lp_buf_slice(&answer->body));
    } else {
        mcp_message_fail(&call->message, answer->problem.text);
    }
    ask_answer_destroy(answer);
}

enum MHD_Result
http_mcp_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_MESSAGE);
    lp_buf text = {0};
    mcp_message_write(&call->message, &text);
    if (lp_buf_check(&text) != LP_OK) {
        lp_buf_fini(&text);
        return http_reply_out_of_memory(call->connection);
    }
    return text.len == 0 ? http_reply_empty(call->connection, call->message.status)
                         : http_reply_text(call->connection, call->message.status, &text);
}
