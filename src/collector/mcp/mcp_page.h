// SPDX-License-Identifier: Apache-2.0
// mcp_page: the answer of a tool as Markdown of at most MCP_PAGE_BYTES_MAX, with a link to the page
// and the calls to make next; and the answer as JSON in a bounded size.
//
//   # Why: 73 requests, 39.4 s
//
//   | share | each | all | events | |
//   ...
//   5 of 12 rows.
//
//   Page: http://127.0.0.1:7412/s/checkout?from=10m
//
//   Next:
//   - the slowest of them: `slow_requests` `{"service":"checkout"}`
//
// Add the link and the next calls first: lines get the room that is left. A line that does not fit
// is left out whole.
//
// Threads: one thread at a time.
// Errors:  if memory runs out, mcp_page_finish fails.
// Tests:   tests/unit/collector/mcp/test_mcp.c

#pragma once

#include "collector/mcp/mcp_tools.h"
#include "common/base/lp_buf.h"
#include "query/why/duration_text.h"

#include <jansson.h>
#include <stdbool.h>

enum {
    MCP_PAGE_BYTES_MAX = 4096,
    MCP_PAGE_FOOT_BYTES_MAX = 1800, // of the link and the next calls
    MCP_PAGE_CAP_BYTES_MAX = 640,   // of the lines about missing rows
    MCP_CELL_BYTES = 168,           // of a name or value
    MCP_PAGE_JSON_BYTES_MAX = 16 * 1024,
};

// {.site = .., .arguments = ..} is an empty page.
typedef struct mcp_page {
    const char *site;        // scheme, host and base path of the collector's page
    const char *from;        // the begin of the time that a call without one is about
    const json_t *arguments; // of the call
    // Private
    lp_buf text;
    lp_buf caps;
    lp_buf foot;
    lp_buf link;
    json_t *next;
    bool is_failed;
} mcp_page;

void mcp_page_fini(mcp_page *page);

// mcp_page_check asserts the invariants.
void mcp_page_check(const mcp_page *page);

// mcp_page_link sets the link: a screen of the page, with parts after it (NULL: none), and with the
// selection of the call if it has one.
void mcp_page_link(mcp_page *page, const char *screen, const char *part, const char *second_part);

// mcp_page_next adds a next call, if it fits, with its reason. Takes ownership of arguments.
void mcp_page_next(mcp_page *page, mcp_tool_id tool, json_t *arguments, const char *why);

// mcp_page_carry returns the arguments of the call that another tool has, with the begin of its
// time.
json_t *mcp_page_carry(const mcp_page *page, mcp_tool_id to);

// mcp_page_carry_threads returns the arguments of `why` for the threads of the same JVMs in the
// same time, without those that apply only to requests.
json_t *mcp_page_carry_threads(const mcp_page *page);

// mcp_page_unit returns the unit that a call is about, such as "requests".
const char *mcp_page_unit(const mcp_page *page);

// mcp_page_line appends a formatted line. Returns false if it does not fit.
bool mcp_page_line(mcp_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

// mcp_page_count tells how many items of a list the page shows, if not all.
void mcp_page_count(mcp_page *page, size_t shown, uint64_t all, const char *items);

// mcp_page_missing tells what an answer lacks: is_truncated and left_out.
void mcp_page_missing(mcp_page *page, const json_t *answer);

// mcp_page_finish returns the text. NULL: out of memory.
json_t *mcp_page_finish(mcp_page *page);

// --- Values in lines

// A text from outside, cut and without characters that end a cell or a piece of code.
typedef struct mcp_cell {
    char text[MCP_CELL_BYTES];
} mcp_cell;

mcp_cell mcp_page_cell(const char *text);

typedef struct mcp_span {
    char text[QUERY_DURATION_BYTES];
} mcp_span;

// mcp_page_span returns a duration; "-" if ns is no number.
mcp_span mcp_page_span(const json_t *ns);

// mcp_page_percent returns a part of a whole in percent, 0 if the whole is 0.
double mcp_page_percent(int64_t part, int64_t whole);

// mcp_page_text returns a member that is a text, else "". mcp_page_whole returns a member that is a
// whole number, else 0.
const char *mcp_page_text(const json_t *object, const char *key);
int64_t mcp_page_whole(const json_t *object, const char *key);

// mcp_page_time returns t0_ns of an answer, in nanoseconds since 1970, plus an offset.
int64_t mcp_page_time(const json_t *answer, int64_t offset_ns);

// --- The answer as JSON

// mcp_page_bound returns a copy of at most MCP_PAGE_JSON_BYTES_MAX as text: long arrays, objects
// and texts are cut, and deep values left out. *out_cut maps the path of each cut array or object
// to its whole length, such as {"rows": 212}. NULL: out of memory.
json_t *mcp_page_bound(const json_t *json, json_t **out_cut);
