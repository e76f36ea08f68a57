// SPDX-License-Identifier: Apache-2.0
// http_mcp: POST /mcp, messages of the Model Context Protocol (mcp_message.h). The tools ask the
// questions of /api/v1, with the rights of the caller.
//
// Threads: the thread that handles the connection; http_mcp_add: the thread that answered, while
//          the connection is suspended.
// Tests:   tests/unit/collector/http/routes/test_http_access.c, tests/e2e/assistants.py

#pragma once

#include "collector/http/routes/http_call.h"

// http_mcp_next reads call->body the first time, and returns the next question of the message,
// which the caller owns. NULL: the message can be answered.
ask_query *http_mcp_next(http_call *call);

// http_mcp_add adds the answer to the question. Takes ownership of answer. NULL: out of memory.
void http_mcp_add(http_call *call, ask_answer *answer);
