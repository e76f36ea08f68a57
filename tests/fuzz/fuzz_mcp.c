// SPDX-License-Identifier: Apache-2.0
// A message of the Model Context Protocol out of any bytes, and any JSON as the answer to its
// questions: it is answered once, after two questions at most, and no text of a tool is too long.
//
//   input: 1 byte: whether it has the headers of a call of `why` in revision 2026-07-28; the body;
//   a 0; the answer

#include "fuzz.h"

#include "collector/mcp/mcp_message.h"
#include "collector/mcp/mcp_page.h"
#include "common/base/lp_assert.h"

#include <string.h>

enum { QUESTIONS_MAX = 2 };

static void
check_reply(const mcp_message *message)
{
    lp_buf out = {0};
    mcp_message_write(message, &out);
    json_t *json = out.len == 0 ? NULL : json_loadb((const char *)out.ptr, out.len, 0, NULL);
    LP_ASSERT(out.is_failed || (json == NULL) == (message->status == 202));
    const json_t *content = json_object_get(json_object_get(json, "result"), "content");
    LP_ASSERT(json_string_length(json_object_get(json_array_get(content, 0), "text")) <=
              MCP_PAGE_BYTES_MAX);
    json_decref(json);
    lp_buf_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    LP_REQUIRE(count > 0, 0);
    const uint8_t *end = memchr(bytes + 1, 0, count - 1);
    size_t body_bytes = end == NULL ? count - 1 : (size_t)(end - bytes) - 1;
    lp_slice answer = {bytes + count, 0};
    if (end != NULL) {
        answer = (lp_slice){end + 1, count - body_bytes - 2};
    }
    bool has_head = (bytes[0] & 1) != 0;
    const mcp_head head = {.version = has_head ? "2026-07-28" : NULL,
        .method = has_head ? "tools/call" : NULL,
        .name = has_head ? "why" : NULL};
    mcp_message message = {.place = {.site = "http://localhost", .from = "1h"}};
    mcp_message_read(&message, (lp_slice){bytes + 1, body_bytes}, &head);
    size_t asked = 0;
    for (ask_query *query; (query = mcp_message_next(&message)) != NULL; asked++) {
        LP_ASSERT(asked < QUESTIONS_MAX);
        ask_query_destroy(query);
        if (answer.len == 0) {
            mcp_message_fail(&message, "nothing");
        } else {
            mcp_message_add(&message, answer);
        }
    }
    check_reply(&message);
    mcp_message_fini(&message);
    return 0;
}
