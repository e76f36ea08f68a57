// SPDX-License-Identifier: Apache-2.0
// The answers of tools that are lists, as Markdown.
//
// Tests:   tests/unit/collector/mcp/test_mcp.c

#include "collector/mcp/mcp_answers.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t NS_PER_S = 1000000000;
static const int64_t NS_PER_DAY = 86400 * 1000000000LL;

// begin_check asserts that a page is empty.
static void
begin_check(const mcp_page *page, const json_t *answer)
{
    mcp_page_check(page);
    LP_ASSERT(page->text.len == 0 && page->caps.len == 0 && answer != NULL);
}

// row_check asserts that a page has the head of the row's table.
static void
row_check(const mcp_page *page)
{
    LP_ASSERT(page->text.len > 0 || page->text.is_failed);
}

// with adds a text to arguments and returns them.
static json_t *
with(json_t *arguments, const char *name, const char *value)
{
    (void)json_object_set_new(arguments, name, json_string(value));
    return arguments;
}

// with_where adds a condition to those that arguments have.
static json_t *
with_where(json_t *arguments, const char *key, const char *value)
{
    json_t *where = json_copy(json_object_get(arguments, "where"));
    where = where == NULL ? json_array() : where;
    (void)json_array_append_new(where, json_sprintf("%s=%s", key, value));
    (void)json_object_set_new(arguments, "where", where);
    return arguments;
}

static json_t *
with_time(json_t *arguments, const char *name, int64_t wall_ns)
{
    (void)json_object_set_new(arguments, name, json_sprintf("%" PRId64, wall_ns));
    return arguments;
}

// add_threads proposes a call that needs no requests. Takes ownership of arguments.
static void
add_threads(mcp_page *page, json_t *arguments)
{
    mcp_page_next(
        page, MCP_TOOL_why, arguments, "without requests: where the time of threads went");
}

// is_within_last_day returns whether the call is about a part of the last 24 hours.
static bool
is_within_last_day(const mcp_page *page)
{
    const char *from = mcp_page_text(page->arguments, "from");
    const char *to = mcp_page_text(page->arguments, "to");
    query_selection time = query_selection_begin(false);
    lp_problem problem;
    LP_REQUIRE(mcp_page_text(page->arguments, "recording")[0] == '\0', false);
    lp_err err = query_selection_set(&time, "from", from[0] == '\0' ? page->from : from, &problem);
    LP_THEN(err, to[0] == '\0' ? LP_OK : query_selection_set(&time, "to", to, &problem));
    int64_t day_wall_ns = time.now_wall_ns - NS_PER_DAY;
    return err == LP_OK && time.from_wall_ns > day_wall_ns && time.to_wall_ns > day_wall_ns;
}

// add_day proposes the same call about the last day, if that is longer.
static void
add_day(mcp_page *page, mcp_tool_id tool, const char *why)
{
    if (is_within_last_day(page)) {
        mcp_page_next(page, tool, with(mcp_page_carry(page, tool), "from", "24h"), why);
    }
}

// --- Services

// find_slowest returns the service whose requests have the highest p99; NULL: none has requests.
static const char *
find_slowest(const json_t *services)
{
    int64_t most_ns = -1;
    const char *name = NULL;
    for (size_t i = 0; i < json_array_size(services); i++) {
        const json_t *service = json_array_get(services, i);
        const json_t *p99 = json_object_get(json_object_get(service, "requests"), "p99_ns");
        if (json_is_integer(p99) && json_integer_value(p99) > most_ns) {
            most_ns = json_integer_value(p99);
            name = mcp_page_text(service, "service");
        }
    }
    return name;
}

static bool
add_service(mcp_page *page, const json_t *service)
{
    row_check(page);
    const json_t *requests = json_object_get(service, "requests");
    const json_t *versions = json_object_get(service, "versions");
    const json_t *top = json_object_get(requests, "top");
    const char *version = mcp_page_text(json_array_get(versions, 0), "version");
    char most[MCP_CELL_BYTES + 16] = "-";
    if (json_is_object(top)) {
        (void)snprintf(most, sizeof(most), "%s (%.0f %%)",
            mcp_page_cell(mcp_page_text(top, "category")).text,
            json_real_value(json_object_get(top, "share")) * 100);
    }
    return mcp_page_line(page,
        "| `%s` | %" PRId64 " | `%s`%s | %" PRId64 " | %" PRId64 " | %s | %s | %s |",
        mcp_page_cell(mcp_page_text(service, "service")).text, mcp_page_whole(service, "jvms"),
        mcp_page_cell(version[0] == '\0' ? "-" : version).text,
        json_array_size(versions) > 1 ? ", .." : "", mcp_page_whole(requests, "requests_in"),
        mcp_page_whole(requests, "requests_out"),
        mcp_page_span(json_object_get(requests, "p50_ns")).text,
        mcp_page_span(json_object_get(requests, "p99_ns")).text, most);
}

void
mcp_lists_services(mcp_page *page, const json_t *answer)
{
    begin_check(page, answer);
    const json_t *services = json_object_get(answer, "services");
    size_t count = json_array_size(services);
    size_t shown = 0;
    const char *slowest = find_slowest(services);
    mcp_page_link(page, "", NULL, NULL);
    if (slowest != NULL) {
        mcp_page_next(page, MCP_TOOL_slow_requests,
            with(mcp_page_carry(page, MCP_TOOL_slow_requests), "service", slowest),
            "the slowest requests of the service with the highest p99");
        mcp_page_next(page, MCP_TOOL_why,
            with(mcp_page_carry(page, MCP_TOOL_why), "service", slowest),
            "where the time of its kept requests went");
    } else if (count > 0) {
        const char *first = mcp_page_text(json_array_get(services, 0), "service");
        mcp_page_next(page, MCP_TOOL_slow_requests,
            with(mcp_page_carry(page, MCP_TOOL_slow_requests), "service", first),
            "requests that recordings have but statistics lack, as in files of `loupe compact`");
        add_threads(page, with(mcp_page_carry_threads(page), "service", first));
    } else {
        add_day(page, MCP_TOOL_services, "services of the last day");
    }
    (void)mcp_page_line(page, "# %zu service%s\n", count, count == 1 ? "" : "s");
    (void)mcp_page_line(page,
        "| service | JVMs | version | requests | kept | p50 | p99 | most time |\n"
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |");
    while (shown < count && add_service(page, json_array_get(services, shown))) {
        shown++;
    }
    mcp_page_count(page, shown, count, "services");
}

// --- Rows with columns

// find_cell returns the cell of a row in a column; NULL if the answer has no such column.
static const json_t *
find_cell(const json_t *answer, const json_t *row, const char *column)
{
    const json_t *columns = json_object_get(answer, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        if (strcmp(json_string_value(json_array_get(columns, i)), column) == 0) {
            return json_array_get(row, i);
        }
    }
    return NULL;
}

static const char *
find_text(const json_t *answer, const json_t *row, const char *column)
{
    const char *text = json_string_value(find_cell(answer, row, column));
    return text == NULL ? "" : text;
}

// describe returns the type and the attributes of a row.
static mcp_cell
describe(const json_t *answer, const json_t *row)
{
    static const char prefix[] = "attr.";
    const json_t *columns = json_object_get(answer, "columns");
    char text[4 * MCP_CELL_BYTES];
    size_t len = (size_t)snprintf(text, sizeof(text), "%s", find_text(answer, row, "type"));
    for (size_t i = 0; i < json_array_size(columns) && len < sizeof(text); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        const json_t *value = json_array_get(row, i);
        if (strncmp(name, prefix, sizeof(prefix) - 1) != 0 || json_is_null(value)) {
            continue;
        }
        char number[32] = "";
        if (json_is_number(value)) {
            (void)snprintf(number, sizeof(number), "%.17g", json_number_value(value));
        }
        len += (size_t)snprintf(text + len, sizeof(text) - len, " %s=%s", name + sizeof(prefix) - 1,
            json_is_string(value) ? json_string_value(value) : number);
    }
    return mcp_page_cell(text);
}

// --- Requests

static bool
add_request(mcp_page *page, const json_t *answer, const json_t *row)
{
    row_check(page);
    char start[LP_TIME_BYTES];
    int64_t offset_ns = json_integer_value(find_cell(answer, row, "start"));
    lp_time_format(mcp_page_time(answer, offset_ns), start);
    return mcp_page_line(page, "| %.23sZ | %s | %s | %s | %s | `%s` | `%s` `%s` |", start,
        mcp_page_span(find_cell(answer, row, "duration")).text,
        mcp_page_span(find_cell(answer, row, "busy")).text,
        mcp_page_span(find_cell(answer, row, "queued")).text,
        mcp_page_span(find_cell(answer, row, "elsewhere")).text, describe(answer, row).text,
        mcp_page_cell(find_text(answer, row, "recording")).text,
        mcp_page_cell(find_text(answer, row, "id")).text);
}

static void
add_next_of_requests(mcp_page *page, const json_t *answer, const json_t *first)
{
    LP_ASSERT(first != NULL);
    json_t *rest = mcp_page_carry(page, MCP_TOOL_attributes);
    const json_t *p99 = json_object_get(answer, "p99_ns");
    mcp_page_next(page, MCP_TOOL_why, mcp_page_carry(page, MCP_TOOL_why),
        "where the time of all of these went");
    mcp_page_next(page, MCP_TOOL_request,
        json_pack("{s:s, s:s}", "recording", find_text(answer, first, "recording"), "id",
            find_text(answer, first, "id")),
        "the slowest of them");
    if (json_is_integer(p99)) {
        (void)json_object_set_new(rest, "min_ms", json_integer(json_integer_value(p99) / 1000000));
    }
    (void)with(rest, "base", "rest");
    mcp_page_next(page, MCP_TOOL_attributes, rest, "attributes of the slowest percent");
}

void
mcp_lists_requests(mcp_page *page, const json_t *answer)
{
    begin_check(page, answer);
    const json_t *rows = json_object_get(answer, "rows");
    const char *service = mcp_page_text(page->arguments, "service");
    size_t count = json_array_size(rows);
    size_t shown = 0;
    mcp_page_link(page, "s", service[0] == '\0' ? NULL : service, NULL);
    if (count > 0) {
        add_next_of_requests(page, answer, json_array_get(rows, 0));
    } else {
        add_day(page, MCP_TOOL_slow_requests, "the last day");
        mcp_page_next(page, MCP_TOOL_services, mcp_page_carry(page, MCP_TOOL_services),
            "services and their requests");
        add_threads(page, mcp_page_carry_threads(page));
    }
    (void)mcp_page_line(page, "# %" PRId64 " kept requests match: p50 %s, p99 %s\n",
        mcp_page_whole(answer, "matched"), mcp_page_span(json_object_get(answer, "p50_ns")).text,
        mcp_page_span(json_object_get(answer, "p99_ns")).text);
    (void)mcp_page_line(page,
        "| start | duration | busy | queued | elsewhere | request | recording, id |\n"
        "| --- | ---: | ---: | ---: | ---: | --- | --- |");
    while (shown < count && add_request(page, answer, json_array_get(rows, shown))) {
        shown++;
    }
    mcp_page_count(
        page, shown, (uint64_t)mcp_page_whole(answer, "matched"), "requests, the slowest");
}

// --- A trace

static bool
add_context(mcp_page *page, const json_t *answer, const json_t *row)
{
    row_check(page);
    const json_t *recording =
        json_object_get(json_object_get(answer, "recordings"), find_text(answer, row, "recording"));
    return mcp_page_line(page, "| %s | %s | %s | `%s` `%s` | `%s` | `%s` |",
        mcp_page_span(find_cell(answer, row, "start")).text,
        mcp_page_span(find_cell(answer, row, "duration")).text,
        mcp_page_span(find_cell(answer, row, "blocked")).text,
        mcp_page_cell(mcp_page_text(recording, "service")).text,
        mcp_page_cell(mcp_page_text(recording, "instance")).text,
        mcp_page_cell(find_text(answer, row, "thread")).text, describe(answer, row).text);
}

static void
add_next_of_trace(mcp_page *page, const json_t *answer, const char *id)
{
    const json_t *rows = json_object_get(answer, "rows");
    size_t count = json_array_size(rows);
    int64_t last_ns = json_integer_value(
        find_cell(answer, json_array_get(rows, count == 0 ? 0 : count - 1), "start"));
    static const mcp_tool_id tools[] = {MCP_TOOL_why, MCP_TOOL_slow_requests};
    static const char *const whys[] = {"where its time went", "its requests"};
    for (size_t i = 0; i < LP_COUNT(tools) && count > 0; i++) {
        json_t *arguments = with(json_object(), "trace", id);
        with_time(arguments, "from", mcp_page_time(answer, -NS_PER_S));
        with_time(arguments, "to", mcp_page_time(answer, last_ns + NS_PER_S));
        mcp_page_next(page, tools[i], arguments, whys[i]);
    }
}

void
mcp_lists_trace(mcp_page *page, const json_t *answer)
{
    begin_check(page, answer);
    const json_t *rows = json_object_get(answer, "rows");
    const char *state = mcp_page_text(answer, "state");
    const char *id = mcp_page_text(page->arguments, "id");
    bool is_seen = strcmp(state, "eliminated") == 0;
    bool is_whole = json_is_true(json_object_get(json_object_get(answer, "searched"), "is_whole"));
    size_t shown = 0;
    mcp_page_link(page, "t", id, NULL);
    add_next_of_trace(page, answer, id);
    if (strcmp(state, "kept") != 0) {
        (void)mcp_page_line(page, "# Trace `%s`: %s\n", mcp_page_cell(id).text,
            is_seen ? "seen, nothing happened" : "unknown");
        (void)mcp_page_line(page,
            is_seen ? "Contexts of this trace came in. All were dropped, because nothing happened "
                      "in them that the policy keeps. With raw data (`--recall`), `loupe pin "
                      "--trace ID` stores all their events; ask again then."
                    : "No kept context that you may read has this trace id. The trace is older "
                      "than the stored data, of JVMs without the agent, or of services that your "
                      "token may not read: with such a token, dropped traces are unknown, too.");
    } else {
        (void)mcp_page_line(page, "# Trace `%s`: %" PRId64 " contexts in %zu JVMs\n",
            mcp_page_cell(id).text, mcp_page_whole(answer, "matched"),
            json_object_size(json_object_get(answer, "recordings")));
        (void)mcp_page_line(page, "| start | duration | blocked | JVM | thread | context |\n"
                                  "| ---: | ---: | ---: | --- | --- | --- |");
    }
    while (
        shown < json_array_size(rows) && add_context(page, answer, json_array_get(rows, shown))) {
        shown++;
    }
    mcp_page_count(
        page, shown, (uint64_t)mcp_page_whole(answer, "matched"), "contexts, the earliest");
    if (!is_whole) {
        (void)mcp_page_line(page, "\n**Not all chunks were searched.**");
    }
}

// --- Attributes

typedef struct facet {
    const char *key;
    const json_t *value;
    double rank; // lift, or without a base the count
} facet;

typedef LP_VEC(facet) facet_list;

static int
compare_facets(const void *a, const void *b, void *arg)
{
    (void)arg;
    return LP_ORDER(((const facet *)b)->rank, ((const facet *)a)->rank);
}

// find_facets finds the values of all keys, those to show first in front.
static void
find_facets(mcp_page *page, const json_t *answer, facet_list *found)
{
    LP_ASSERT(found->count == 0);
    const json_t *keys = json_object_get(answer, "keys");
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const json_t *key = json_array_get(keys, i);
        const json_t *values = json_object_get(key, "values");
        for (size_t k = 0; k < json_array_size(values); k++) {
            const json_t *value = json_array_get(values, k);
            const json_t *lift = json_object_get(value, "lift");
            double rank = json_is_number(lift) ? json_number_value(lift)
                                               : (double)mcp_page_whole(value, "count");
            facet one = {mcp_page_text(key, "key"), value, rank};
            page->is_failed |= LP_VEC_ADD(found, one) != LP_OK;
        }
    }
    LP_VEC_SORT(found, compare_facets, NULL);
}

static bool
add_facet(mcp_page *page, const json_t *answer, const facet *f)
{
    row_check(page);
    const json_t *lift = json_object_get(f->value, "lift");
    char compared[64] = "- | -";
    if (json_is_number(lift)) {
        (void)snprintf(compared, sizeof(compared), "%.1f %% | %.2f",
            mcp_page_percent(
                mcp_page_whole(f->value, "base_count"), mcp_page_whole(answer, "base_contexts")),
            json_number_value(lift));
    }
    return mcp_page_line(page, "| `%s` | `%s` | %.1f %% | %" PRId64 " | %s | %s |",
        mcp_page_cell(f->key).text, mcp_page_cell(mcp_page_text(f->value, "value")).text,
        mcp_page_percent(mcp_page_whole(f->value, "count"), mcp_page_whole(answer, "contexts")),
        mcp_page_whole(f->value, "count"), mcp_page_span(json_object_get(f->value, "p99_ns")).text,
        compared);
}

void
mcp_lists_attributes(mcp_page *page, const json_t *answer)
{
    begin_check(page, answer);
    facet_list found = {0};
    const char *service = mcp_page_text(page->arguments, "service");
    size_t shown = 0;
    find_facets(page, answer, &found);
    mcp_page_link(page, "s", service[0] == '\0' ? NULL : service, NULL);
    if (found.count > 0) {
        const facet *first = &found.items[0];
        const char *value = mcp_page_text(first->value, "value");
        mcp_page_next(page, MCP_TOOL_why,
            with_where(mcp_page_carry(page, MCP_TOOL_why), first->key, value),
            "the time of those with the first value");
        mcp_page_next(page, MCP_TOOL_slow_requests,
            with_where(mcp_page_carry(page, MCP_TOOL_slow_requests), first->key, value),
            "the slowest of these");
    }
    (void)mcp_page_line(page, "# Attributes of %" PRId64 " kept %s, %" PRId64 " in the base\n",
        mcp_page_whole(answer, "contexts"), mcp_page_unit(page),
        mcp_page_whole(answer, "base_contexts"));
    (void)mcp_page_line(page, "| key | value | share | count | p99 | base | lift |\n"
                              "| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    while (shown < found.count && add_facet(page, answer, &found.items[shown])) {
        shown++;
    }
    mcp_page_count(page, shown, found.count,
        "values, up to 5 of each key; a key with over 1,000 values has none");
    LP_VEC_FINI(&found);
}

// --- A comparison

// A row: a type, or a value of one of its attributes.
typedef struct compared {
    const char *type;
    const char *key; // NULL: the type itself
    const json_t *row;
    bool has_verdict;
} compared;

typedef LP_VEC(compared) compared_list;

static bool
has_verdict(const json_t *row)
{
    const json_t *verdicts = json_object_get(row, "verdicts");
    return json_is_string(json_object_get(verdicts, "mean")) ||
           json_is_string(json_object_get(verdicts, "p50")) ||
           json_is_string(json_object_get(verdicts, "p99"));
}

static void
add_compared(
    mcp_page *page, compared_list *rows, const char *type, const char *key, const json_t *row)
{
    LP_ASSERT(type != NULL && row != NULL);
    const compared one = {type, key, row, has_verdict(row)};
    page->is_failed |= LP_VEC_ADD(rows, one) != LP_OK;
}

static void
find_compared(mcp_page *page, const json_t *type, compared_list *rows)
{
    const char *name = mcp_page_text(type, "type");
    const json_t *attributes = json_object_get(type, "attributes");
    add_compared(page, rows, name, NULL, type);
    for (size_t i = 0; i < json_array_size(attributes); i++) {
        const json_t *attribute = json_array_get(attributes, i);
        const json_t *values = json_object_get(attribute, "values");
        for (size_t k = 0; k < json_array_size(values); k++) {
            add_compared(
                page, rows, name, mcp_page_text(attribute, "key"), json_array_get(values, k));
        }
    }
}

static int
compare_rows(const void *a, const void *b, void *arg)
{
    (void)arg;
    const compared *one = a;
    const compared *other = b;
    return LP_ORDER(other->has_verdict, one->has_verdict)
               ?: LP_ORDER(one->key != NULL, other->key != NULL)
               ?: LP_ORDER(mcp_page_whole(json_object_get(other->row, "here"), "count"),
                      mcp_page_whole(json_object_get(one->row, "here"), "count"));
}

static bool
add_row(mcp_page *page, const compared *c)
{
    row_check(page);
    static const char *const keys[] = {"mean", "p50", "p99"};
    const json_t *here = json_object_get(c->row, "here");
    const json_t *base = json_object_get(c->row, "base");
    const json_t *verdicts = json_object_get(c->row, "verdicts");
    char name[3 * MCP_CELL_BYTES];
    char said[64] = "-";
    size_t len = 0;
    (void)snprintf(name, sizeof(name), "%s%s%s%s%s", c->type, c->key == NULL ? "" : " ",
        c->key == NULL ? "" : c->key, c->key == NULL ? "" : "=",
        c->key == NULL ? "" : mcp_page_text(c->row, "value"));
    for (size_t i = 0; i < LP_COUNT(keys); i++) {
        const char *verdict = mcp_page_text(verdicts, keys[i]);
        if (verdict[0] != '\0') {
            len += (size_t)snprintf(said + len, sizeof(said) - len, "%s%s in %s",
                len == 0 ? "" : ", ", mcp_page_cell(verdict).text, keys[i]);
            len = len < sizeof(said) ? len : sizeof(said) - 1;
        }
    }
    return mcp_page_line(page, "| `%s` | %" PRId64 " | %" PRId64 " | %s | %s | %s | %s | %s |",
        mcp_page_cell(name).text, mcp_page_whole(here, "count"), mcp_page_whole(base, "count"),
        mcp_page_span(json_object_get(here, "mean_ns")).text,
        mcp_page_span(json_object_get(base, "mean_ns")).text,
        mcp_page_span(json_object_get(here, "p99_ns")).text,
        mcp_page_span(json_object_get(base, "p99_ns")).text, said);
}

static json_t *
with_row(mcp_page *page, mcp_tool_id tool, const compared *c)
{
    LP_ASSERT(c->type != NULL && c->row != NULL);
    json_t *arguments = with(mcp_page_carry(page, tool), "context", c->type);
    if (c->key != NULL) {
        with_where(arguments, c->key, mcp_page_text(c->row, "value"));
    }
    return arguments;
}

void
mcp_lists_comparison(mcp_page *page, const json_t *answer)
{
    begin_check(page, answer);
    const json_t *types = json_object_get(answer, "types");
    const char *service = mcp_page_text(page->arguments, "service");
    compared_list rows = {0};
    size_t shown = 0;
    for (size_t i = 0; i < json_array_size(types); i++) {
        find_compared(page, json_array_get(types, i), &rows);
    }
    LP_VEC_SORT(&rows, compare_rows, NULL);
    mcp_page_link(page, "s", service[0] == '\0' ? NULL : service, NULL);
    if (rows.count > 0) {
        json_t *arguments = with_row(page, MCP_TOOL_why, &rows.items[0]);
        (void)json_object_set(arguments, "base", json_object_get(page->arguments, "base"));
        mcp_page_next(page, MCP_TOOL_why, arguments, "where the time went in the first row");
        mcp_page_next(page, MCP_TOOL_slow_requests,
            with_row(page, MCP_TOOL_slow_requests, &rows.items[0]), "its slowest requests");
    }
    (void)mcp_page_line(page,
        "# Compared: all %s\n\nslower or faster: by 10 %% or more, beyond chance.\n",
        mcp_page_cell(mcp_page_text(answer, "unit")).text);
    (void)mcp_page_line(page, "| | count | base | mean | base | p99 | base | verdict |\n"
                              "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    while (shown < rows.count && add_row(page, &rows.items[shown])) {
        shown++;
    }
    mcp_page_count(page, shown, rows.count, "rows");
    LP_VEC_FINI(&rows);
}
