// SPDX-License-Identifier: Apache-2.0
// mcp_bound: copies JSON into a bounded size: long arrays, objects and texts are cut, and deep
// values left out.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include <jansson.h>

enum {
    MCP_BOUND_BYTES_MAX = 16 * 1024,
    MCP_BOUND_ITEMS_MAX = 64, // of an array; halved until the copy fits
    MCP_BOUND_TEXT_BYTES_MAX = 256,
    MCP_BOUND_DEPTH_MAX = 8,
};

// mcp_bound_copy returns a copy of at most MCP_BOUND_BYTES_MAX as text. *out_cut maps the path of
// each cut array or object to its whole length, such as {"rows": 212}. NULL: out of memory.
json_t *mcp_bound_copy(const json_t *json, json_t **out_cut);
