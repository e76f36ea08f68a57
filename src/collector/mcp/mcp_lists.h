// SPDX-License-Identifier: Apache-2.0
// mcp_lists: the answers of tools that are lists, as Markdown.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include "collector/mcp/mcp_page.h"

// Each function writes the answer of a route (docs/reference/http-api.md) to an empty page.
void mcp_lists_services(mcp_page *page, const json_t *answer);
void mcp_lists_requests(mcp_page *page, const json_t *answer);
void mcp_lists_trace(mcp_page *page, const json_t *answer);
void mcp_lists_attributes(mcp_page *page, const json_t *answer);
void mcp_lists_comparison(mcp_page *page, const json_t *answer);
