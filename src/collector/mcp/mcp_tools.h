// SPDX-License-Identifier: Apache-2.0
// mcp_tools: the tools for assistants (mcp_tools.def): their description, and the question that a
// call asks.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include "collector/ask/routes/ask_routes.h"

#include <jansson.h>

// Sets of arguments.
enum {
    MCP_TIME = 1 << 0,
    MCP_JVM = 1 << 1,
    MCP_PICK = 1 << 2,
    MCP_CONTEXT = 1 << 3,
    MCP_UNIT = 1 << 4,
    MCP_REQUEST = 1 << 5,
    MCP_RECORDING = 1 << 6,
    MCP_THROUGH = 1 << 7,
    MCP_VALUE = 1 << 8,
    MCP_APP = 1 << 9,
    MCP_BASE = 1 << 10,
    MCP_ID = 1 << 11,
    MCP_POLICY = 1 << 12,
    MCP_OTHER = 1 << 13,     // a base that is not "rest"
    MCP_KEPT_UNIT = 1 << 14, // a unit other than threads
};

typedef enum mcp_tool_id {
#define MCP_TOOL(name, route, rest, sets, required, title, description) MCP_TOOL_##name,
#include "collector/mcp/mcp_tools.def"
    MCP_TOOL_COUNT,
} mcp_tool_id;

typedef struct mcp_tool {
    const char *name;
    const ask_route *route; // NULL: it asks no question
    const char *rest;       // arguments of the route's rest
    unsigned sets;          // of arguments
    const char *required;   // arguments
    const char *title;
    const char *description;
} mcp_tool;

extern const mcp_tool mcp_tools[MCP_TOOL_COUNT];

// mcp_tools_find returns NULL if no tool has the name.
const mcp_tool *mcp_tools_find(const char *name);

// mcp_tools_json returns all tools as in the answer to tools/list, always in the same order. NULL:
// out of memory.
json_t *mcp_tools_json(void);

// mcp_tools_check checks the names and types of arguments. Errors: LP_ECORRUPT
LP_MUST_USE lp_err mcp_tools_check(
    const mcp_tool *tool, const json_t *arguments, lp_problem *out_problem);

// mcp_tools_ask makes the question of a call whose arguments are checked. from: the begin of the
// time if the arguments name neither a begin nor a recording. The caller ends
// *out_query with ask_query_destroy. Errors: as ask_query_create and _set
LP_MUST_USE lp_err mcp_tools_ask(const mcp_tool *tool, const json_t *arguments, const char *from,
    ask_query **out_query, lp_problem *out_problem);

// mcp_tools_name_arguments copies why a question was refused, with the names of arguments instead
// of those of the parameters that they set, such as base.min_ms. out_text is cut at text_bytes.
void mcp_tools_name_arguments(const char *why, char *out_text, size_t text_bytes);

// mcp_tools_carry returns those of the arguments that another tool has as well, apart from base.
// NULL: out of memory.
json_t *mcp_tools_carry(mcp_tool_id to, const json_t *arguments);

// mcp_tools_each calls on_parameter for each parameter of the question that an argument sets.
// Stops at an error and returns it.
typedef lp_err mcp_on_parameter(void *arg, const char *name, const char *value);
LP_MUST_USE lp_err mcp_tools_each(
    const json_t *arguments, mcp_on_parameter *on_parameter, void *arg);
