// SPDX-License-Identifier: Apache-2.0
// mcp_message: a message of the Model Context Protocol, revisions 2026-07-28 (each request has its
// version in _meta) and 2025-11-25 (initialize), with its answer. JSON in, JSON out.
//
//   mcp_message message = {.place = ..};
//   mcp_message_read(&message, body, &head);
//   while ((query = mcp_message_next(&message)) != NULL) {
//       // ask query
//       mcp_message_add(&message, answer);  // or mcp_message_fail
//   }
//   mcp_message_write(&message, &out);  // send it with message.status
//   mcp_message_fini(&message);
//
//   -32700  the body is not JSON                              400
//   -32600  not one request or notification (no batches)      400
//   -32601  unknown method                                    404; 200 in 2025-11-25
//   -32602  a tool that is not known, or wrong parameters     400; 200 in 2025-11-25
//   -32020  headers that differ from the body                 400
//   -32022  an unknown version; data.supported lists ours     400
//
// Wrong arguments of a tool, and questions that fail, are results with isError, so that the
// assistant reads them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include "collector/ask/work/ask_query.h"
#include "collector/mcp/mcp_tools.h"

#include <jansson.h>
#include <stdbool.h>

// Headers of the request; NULL: not sent.
typedef struct mcp_head {
    const char *version; // MCP-Protocol-Version
    const char *method;  // Mcp-Method
    const char *name;    // Mcp-Name
} mcp_head;

typedef struct mcp_place {
    char site[512]; // scheme, host and base path of the page, as the client knows them
    char from[24];  // the begin of the time that a call without one is about
} mcp_place;

// {.place = ..} is a message that is not read yet.
typedef struct mcp_message {
    mcp_place place;
    unsigned status; // of HTTP
    bool is_failed;  // memory ran out
    // Private
    json_t *reply; // NULL: none
    json_t *json;
    const json_t *id;
    bool is_modern; // 2026-07-28
    const mcp_tool *tool;
    json_t *arguments;
    json_t *answer;
    json_t *owner_arguments; // of the second question; NULL: none
} mcp_message;

void mcp_message_fini(mcp_message *message);

void mcp_message_read(mcp_message *message, lp_slice body, const mcp_head *head);

// mcp_message_next returns the next question, which the caller owns. NULL: the answer is complete.
ask_query *mcp_message_next(mcp_message *message);

// mcp_message_add adds the answer to the question.
void mcp_message_add(mcp_message *message, lp_slice answer);

// mcp_message_fail tells that the question failed, and why.
void mcp_message_fail(mcp_message *message, const char *why);

// mcp_message_write appends the complete answer; nothing if the message was a notification. If
// memory ran out, out fails.
void mcp_message_write(const mcp_message *message, lp_buf *out);
