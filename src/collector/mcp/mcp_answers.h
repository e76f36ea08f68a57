// SPDX-License-Identifier: Apache-2.0
// mcp_answers: the answer of each tool as Markdown.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include "collector/mcp/mcp_page.h"

// mcp_answers_write writes the answer of the tool's route (docs/reference/http-api.md) to an empty
// page. owner: the answer to the question of mcp_answers_ask_owner; NULL: none.
void mcp_answers_write(
    const mcp_tool *tool, mcp_page *page, const json_t *answer, const json_t *owner);

// mcp_answers_ask_owner returns the arguments of `why` for the thread that had a monitor for
// longest while a request waited for it. NULL: the answer is of another tool, or there was no such
// thread.
json_t *mcp_answers_ask_owner(const mcp_tool *tool, const json_t *answer);

// --- The answers that are lists (mcp_lists.c)

// Each function writes the answer of a route (docs/reference/http-api.md) to an empty page.
void mcp_lists_services(mcp_page *page, const json_t *answer);
void mcp_lists_requests(mcp_page *page, const json_t *answer);
void mcp_lists_trace(mcp_page *page, const json_t *answer);
void mcp_lists_attributes(mcp_page *page, const json_t *answer);
void mcp_lists_comparison(mcp_page *page, const json_t *answer);
