// SPDX-License-Identifier: Apache-2.0
#include "collector/mcp/mcp_answers.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    FRAMES_MAX = 3, // of a row
    REPEATS_MAX = 3,
    ATTRIBUTES_BYTES_MAX = 600, // of a request: its causes come after them
    OWNER_ROWS_MAX = 3,         // of the time of the owner of a monitor
    OWNERS_MAX = 3,             // of a request
    EVENTS_MAX = 5,             // of a request
    STACK_FRAMES_MAX = 8,       // of the heaviest stack trace
    FRAME_ROWS_MAX = 12,
    TASKS_MAX = 3,             // that waited for a thread
    HAND_OVER_PERCENT_MIN = 5, // of the request's time
};

// --- Where the time went

// find_top returns the row with most time that has an explanation; NULL: there is none.
static const json_t *
find_top(const json_t *why)
{
    const json_t *slices = json_object_get(why, "slices");
    const json_t *top = NULL;
    for (size_t i = 0; i < json_array_size(slices); i++) {
        const json_t *slice = json_array_get(slices, i);
        const char *category = mcp_page_text(slice, "category");
        int64_t total_ns = mcp_page_whole(slice, "total_ns");
        if (strcmp(category, "unaccounted") != 0 && strcmp(category, "other_frames") != 0 &&
            total_ns > 0 && (top == NULL || total_ns > mcp_page_whole(top, "total_ns"))) {
            top = slice;
        }
    }
    return top;
}

static const char *
find_top_frame(const json_t *slice)
{
    return mcp_page_text(json_array_get(json_object_get(slice, "top"), 0), "frame");
}

static const json_t *
find_slice(const json_t *why, const char *category)
{
    const json_t *slices = json_object_get(why, "slices");
    for (size_t i = 0; i < json_array_size(slices); i++) {
        if (strcmp(mcp_page_text(json_array_get(slices, i), "category"), category) == 0) {
            return json_array_get(slices, i);
        }
    }
    return NULL;
}

static bool
add_frame(mcp_page *page, const json_t *why, const json_t *frame, const char *base)
{
    const char *via = mcp_page_text(frame, "via");
    return mcp_page_line(page, "| %.1f %% | | %s | %" PRId64 " | `%s`%s%s%s |%s",
        mcp_page_percent(mcp_page_whole(frame, "total_ns"), mcp_page_whole(why, "total_ns")),
        mcp_page_span(json_object_get(frame, "total_ns")).text, mcp_page_whole(frame, "events"),
        mcp_page_cell(mcp_page_text(frame, "frame")).text, via[0] == '\0' ? "" : " via `",
        mcp_page_cell(via).text, via[0] == '\0' ? "" : "`", base[0] == '\0' ? "" : " |");
}

// add_slice adds a row of why, with its frames. base: the cell of the base, or "" without a base.
static bool
add_slice(mcp_page *page, const json_t *why, const json_t *slice, const char *base)
{
    LP_ASSERT(page->text.len > 0 || page->text.is_failed);
    const json_t *frames = json_object_get(slice, "top");
    bool is_count = json_is_true(json_object_get(slice, "is_count"));
    const char *category = mcp_page_text(slice, "category");
    category = strcmp(category, "unaccounted") == 0 ? "not accounted" : category;
    mcp_cell name = mcp_page_cell(category);
    bool fits = is_count
                    ? mcp_page_line(page, "| | | | %" PRId64 " | **%s** |%s",
                          mcp_page_whole(slice, "events"), name.text, base[0] == '\0' ? "" : " |")
                    : mcp_page_line(page, "| %.1f %% | %s | %s | %" PRId64 " | **%s** |%s",
                          mcp_page_percent(
                              mcp_page_whole(slice, "total_ns"), mcp_page_whole(why, "total_ns")),
                          mcp_page_span(json_object_get(slice, "per_request_ns")).text,
                          mcp_page_span(json_object_get(slice, "total_ns")).text,
                          mcp_page_whole(slice, "events"), name.text, base);
    for (size_t i = 0; fits && i < json_array_size(frames) && i < FRAMES_MAX; i++) {
        fits = add_frame(page, why, json_array_get(frames, i), base);
    }
    return fits;
}

// add_slices adds the table of an answer of why, with at most max rows and their frames.
static void
add_slices(mcp_page *page, const json_t *why, size_t max)
{
    const json_t *slices = json_object_get(why, "slices");
    const json_t *base = json_object_get(why, "base");
    size_t count = json_array_size(slices);
    size_t shown = 0;
    (void)mcp_page_line(page,
        "| share | each | all | events | |%s\n| ---: | ---: | ---: | ---: | --- |%s",
        base == NULL ? "" : " base each |", base == NULL ? "" : " ---: |");
    while (shown < count && shown < max) {
        const json_t *slice = json_array_get(slices, shown);
        const json_t *other = find_slice(base, mcp_page_text(slice, "category"));
        char cell[QUERY_DURATION_BYTES + 4];
        (void)snprintf(cell, sizeof(cell), " %s |",
            mcp_page_span(json_object_get(other, "per_request_ns")).text);
        if (!add_slice(page, why, slice, base == NULL ? "" : cell)) {
            break;
        }
        shown++;
    }
    mcp_page_count(page, shown, count, "rows of time, those with most");
}

static bool
add_repeat(mcp_page *page, const json_t *repeat, const char *heading)
{
    return mcp_page_line(page,
        "%s- %" PRId64 " x `%s` (%s) in one, %s each: in %" PRId64 ", %s in all", heading,
        mcp_page_whole(repeat, "per_request"), mcp_page_cell(mcp_page_text(repeat, "frame")).text,
        mcp_page_cell(mcp_page_text(repeat, "category")).text,
        mcp_page_span(json_object_get(repeat, "each_ns")).text, mcp_page_whole(repeat, "requests"),
        mcp_page_span(json_object_get(repeat, "total_ns")).text);
}

static void
add_repeats(mcp_page *page, const json_t *why)
{
    const json_t *repeated = json_object_get(why, "repeated");
    size_t count = json_array_size(repeated);
    size_t shown = 0;
    while (shown < count && shown < REPEATS_MAX &&
           add_repeat(page, json_array_get(repeated, shown), shown == 0 ? "\nRepeated:\n" : "")) {
        shown++;
    }
    mcp_page_count(page, shown, count, "repeated frames");
}

// escape returns a regular expression that matches text.
static json_t *
escape(const char *text)
{
    lp_buf out = {0};
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr(".$(){}[]*+?|^\\", *at) != NULL) {
            lp_buf_append(&out, "\\", 1);
        }
        lp_buf_append(&out, at, 1);
    }
    json_t *json = out.is_failed ? NULL : json_stringn((const char *)out.ptr, out.len);
    lp_buf_fini(&out);
    return json;
}

// value_of returns the value of frames that shows most of a row of why.
static const char *
value_of(const char *category)
{
    static const char *const same[] = {"lock", "park", "io", "cpu"};
    return LP_ANY(same, LP_COUNT(same), strcmp(*at, category) == 0) ? category
           : strcmp(category, "gc") == 0                            ? "alloc"
                                                                    : "time";
}

static void
add_next_of_why(mcp_page *page, const json_t *top)
{
    const char *category = mcp_page_text(top, "category");
    const char *frame = find_top_frame(top);
    if (strcmp(category, "queued") == 0) {
        json_t *arguments = mcp_page_carry_threads(page);
        (void)json_object_set_new(arguments, "pool", json_string(frame));
        mcp_page_next(page, MCP_TOOL_why, arguments, "the work of the threads of that pool");
    } else if (top != NULL) {
        json_t *arguments = mcp_page_carry(page, MCP_TOOL_frames);
        (void)json_object_set_new(arguments, "value", json_string(value_of(category)));
        if (frame[0] != '\0') {
            (void)json_object_set_new(arguments, "through", escape(frame));
        }
        mcp_page_next(page, MCP_TOOL_frames, arguments,
            strcmp(category, "gc") == 0 ? "what allocated the memory"
                                        : "the stacks of the top row");
    }
    if (strcmp(mcp_page_text(page->arguments, "unit"), "threads") != 0) {
        mcp_page_next(page, MCP_TOOL_slow_requests, mcp_page_carry(page, MCP_TOOL_slow_requests),
            "the slowest of these requests");
    }
}

static void
write_why(mcp_page *page, const json_t *answer, const json_t *owner)
{
    (void)owner;
    const char *service = mcp_page_text(page->arguments, "service");
    mcp_page_link(page, "s", service[0] == '\0' ? NULL : service, NULL);
    add_next_of_why(page, find_top(answer));
    (void)mcp_page_line(page, "# Why: %" PRId64 " kept %s, %s\n",
        mcp_page_whole(answer, "requests"), mcp_page_unit(page),
        mcp_page_span(json_object_get(answer, "total_ns")).text);
    add_slices(page, answer, SIZE_MAX);
    add_repeats(page, answer);
}

// --- One request

json_t *
mcp_answers_ask_owner(const mcp_tool *tool, const json_t *answer)
{
    const json_t *owner = json_array_get(json_object_get(answer, "owners"), 0);
    const char *thread = mcp_page_text(owner, "thread");
    LP_REQUIRE(tool == &mcp_tools[MCP_TOOL_request] && thread[0] != '\0', NULL);
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "recording", mcp_page_text(answer, "recording"),
        "unit", "threads", "thread", thread, "from",
        json_sprintf("%" PRId64, mcp_page_time(answer, mcp_page_whole(owner, "start"))), "to",
        json_sprintf("%" PRId64, mcp_page_time(answer, mcp_page_whole(owner, "end"))));
}

static bool
is_trace_name(const char *name)
{
    static const char plain[] = "traceid";
    size_t count = 0;
    for (; *name != '\0'; name++) {
        if (*name != '_' && *name != '.') {
            LP_REQUIRE(
                plain[count] != '\0' && tolower((unsigned char)*name) == plain[count], false);
            count++;
        }
    }
    return plain[count] == '\0';
}

static bool
is_route_name(const char *name)
{
    static const char *const names[] = {"http_route", "route", "endpoint"};
    return LP_ANY(names, LP_COUNT(names), strcmp(*at, name) == 0);
}

static void
add_next_of_request(mcp_page *page, const json_t *answer)
{
    const char *recording = mcp_page_text(answer, "recording");
    const char *name;
    json_t *value;
    json_t *owner = mcp_answers_ask_owner(&mcp_tools[MCP_TOOL_request], answer);
    if (owner != NULL) {
        mcp_page_next(page, MCP_TOOL_why, owner, "the work of the monitor's owner meanwhile");
    }
    json_object_foreach(json_object_get(answer, "attributes"), name, value)
    {
        if (json_is_string(value) && is_trace_name(name)) {
            mcp_page_next(
                page, MCP_TOOL_trace, json_pack("{s:O}", "id", value), "its trace in all JVMs");
        } else if (json_is_string(value) && is_route_name(name)) {
            mcp_page_next(page, MCP_TOOL_why,
                json_pack("{s:s, s:[o]}", "recording", recording, "where",
                    json_sprintf("%s=%s", name, json_string_value(value))),
                "where the time of requests of this route went");
        }
    }
    mcp_page_next(page, MCP_TOOL_frames,
        json_pack("{s:s, s:s}", "recording", recording, "request", mcp_page_text(answer, "id")),
        "its time by stack frame");
}

static void
add_attributes(mcp_page *page, const json_t *answer)
{
    json_t *attributes = json_object_get(answer, "attributes");
    size_t begin = page->text.len;
    size_t shown = 0;
    const char *name;
    json_t *value;
    json_object_foreach(attributes, name, value)
    {
        char text[2 * MCP_CELL_BYTES];
        char *number = json_is_number(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
        (void)snprintf(text, sizeof(text), "%s=%s", name,
            number != NULL          ? number
            : json_is_string(value) ? json_string_value(value)
                                    : "null");
        free(number);
        if (page->text.len - begin > ATTRIBUTES_BYTES_MAX ||
            !mcp_page_line(page, "- `%s`", mcp_page_cell(text).text)) {
            break;
        }
        shown++;
    }
    mcp_page_count(page, shown, json_object_size(attributes), "attributes");
}

static void
add_owners(mcp_page *page, const json_t *owners, const char *indent)
{
    size_t count = json_array_size(owners);
    size_t shown = 0;
    while (shown < count && shown < OWNERS_MAX) {
        const json_t *owner = json_array_get(owners, shown);
        if (!mcp_page_line(page, "%s- `%s` had `%s` for %s", indent,
                mcp_page_cell(mcp_page_text(owner, "thread")).text,
                mcp_page_cell(mcp_page_text(owner, "monitor")).text,
                mcp_page_span(json_object_get(owner, "had")).text)) {
            break;
        }
        if (indent[0] == '\0') {
            add_owners(page, json_object_get(owner, "owners"), "  - it waited itself: ");
        }
        shown++;
    }
    mcp_page_count(page, shown, count, indent[0] == '\0' ? "owners" : "owners of an owner");
}

static bool
add_hand_over(mcp_page *page, const json_t *task, const char *heading)
{
    return mcp_page_line(page, "%s- %s for a thread of `%s`, handed over by `%s`", heading,
        mcp_page_span(json_object_get(task, "duration")).text,
        mcp_page_cell(mcp_page_text(task, "pool")).text,
        mcp_page_cell(mcp_page_text(task, "from")).text);
}

static void
add_hand_overs(mcp_page *page, const json_t *answer)
{
    const json_t *tasks = json_object_get(answer, "hand_overs");
    size_t count = json_array_size(tasks);
    size_t shown = 0;
    for (size_t i = 0; i < count && shown < TASKS_MAX; i++) {
        const json_t *task = json_array_get(tasks, i);
        const char *heading = shown == 0 ? "\nTasks that waited for a thread:\n" : "";
        double percent =
            mcp_page_percent(mcp_page_whole(task, "duration"), mcp_page_whole(answer, "duration"));
        if (percent < HAND_OVER_PERCENT_MIN) {
            continue;
        }
        if (!add_hand_over(page, task, heading)) {
            break;
        }
        shown++;
    }
    mcp_page_count(page, shown, count, "tasks that waited for a thread");
}

typedef LP_VEC(const json_t *) row_list;

static int
compare_durations(const void *a, const void *b, void *arg)
{
    (void)arg;
    const json_t *one = *(const json_t *const *)a;
    const json_t *other = *(const json_t *const *)b;
    return LP_ORDER(
        json_integer_value(json_array_get(other, 2)), json_integer_value(json_array_get(one, 2)));
}

// add_event adds a row of type, start, duration, thread and stack.
static bool
add_event(mcp_page *page, const json_t *row, const char *heading)
{
    const char *frame = json_string_value(json_array_get(json_array_get(row, 4), 0));
    return mcp_page_line(page, "%s- %s `%s` on `%s`%s%s%s", heading,
        mcp_page_span(json_array_get(row, 2)).text,
        mcp_page_cell(json_string_value(json_array_get(row, 0))).text,
        mcp_page_cell(json_string_value(json_array_get(row, 3))).text, frame == NULL ? "" : " in `",
        mcp_page_cell(frame).text, frame == NULL ? "" : "`");
}

// add_events adds the longest events.
static void
add_events(mcp_page *page, const json_t *answer)
{
    const json_t *rows = json_object_get(json_object_get(answer, "events"), "rows");
    row_list sorted = {0};
    size_t shown = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        page->is_failed |= LP_VEC_ADD(&sorted, json_array_get(rows, i)) != LP_OK;
    }
    LP_VEC_SORT(&sorted, compare_durations, NULL);
    while (shown < sorted.count && shown < EVENTS_MAX &&
           add_event(page, sorted.items[shown], shown == 0 ? "\nLongest events:\n" : "")) {
        shown++;
    }
    mcp_page_count(page, shown, sorted.count, "events");
    LP_VEC_FINI(&sorted);
}

static void
write_request(mcp_page *page, const json_t *answer, const json_t *owner)
{
    char start[LP_TIME_BYTES];
    lp_time_format(mcp_page_time(answer, 0), start);
    mcp_page_link(page, "q", mcp_page_text(answer, "recording"), mcp_page_text(answer, "id"));
    add_next_of_request(page, answer);
    (void)mcp_page_line(page, "# `%s`: %s, began %s\n",
        mcp_page_cell(mcp_page_text(answer, "type")).text,
        mcp_page_span(json_object_get(answer, "duration")).text, start);
    (void)mcp_page_line(page,
        "busy %s, queued %s, elsewhere %s; %" PRId64 " parts on %zu threads; kept as `%s`\n",
        mcp_page_span(json_object_get(answer, "busy")).text,
        mcp_page_span(json_object_get(answer, "queued")).text,
        mcp_page_span(json_object_get(answer, "elsewhere")).text,
        mcp_page_whole(answer, "part_count"), json_array_size(json_object_get(answer, "threads")),
        mcp_page_cell(mcp_page_text(answer, "kept_by")).text);
    add_attributes(page, answer);
    (void)mcp_page_line(page, "%s", "");
    add_slices(page, json_object_get(answer, "why"), FRAMES_MAX);
    add_hand_overs(page, answer);
    if (json_array_size(json_object_get(answer, "owners")) > 0) {
        (void)mcp_page_line(page, "\nWho had the monitors:\n");
        add_owners(page, json_object_get(answer, "owners"), "");
    }
    if (owner != NULL) {
        (void)mcp_page_line(page, "\nThe first of them meanwhile:\n");
        add_slices(page, owner, OWNER_ROWS_MAX);
    }
    add_events(page, answer);
}

// --- Frames

typedef struct frame {
    const char *name;
    int64_t own;
    int64_t total; // a frame counts once in each stack trace
    size_t open;   // how often the present path has it
} frame;

// The frames of an answer of the route flamegraph, by their numbers.
typedef struct frames {
    LP_VEC(frame) items;
    LP_VEC(size_t) path; // numbers, from the root to the present node
} frames;

static bool
begin_frames(frames *f, const json_t *answer)
{
    LP_ASSERT(f->items.count == 0 && f->path.count == 0);
    const json_t *names = json_object_get(answer, "names");
    for (size_t i = 0; i < json_array_size(names); i++) {
        frame *one = LP_VEC_PUSH(&f->items);
        LP_REQUIRE(one != NULL, false);
        one->name = json_string_value(json_array_get(names, i));
    }
    return true;
}

// add_node adds a node, whose parents the path has. Returns false if memory ran out.
static bool
add_node(frames *f, size_t level, size_t name, int64_t value, int64_t self)
{
    LP_REQUIRE(name < f->items.count && level <= f->path.count, true); // no answer of the route
    while (f->path.count > level) {
        f->items.items[f->path.items[--f->path.count]].open--;
    }
    frame *at = &f->items.items[name];
    LP_ASSERT(f->path.count == level);
    at->own += self;
    at->total += at->open == 0 ? value : 0;
    at->open++;
    return LP_VEC_ADD(&f->path, name) == LP_OK;
}

static int
compare_frames(const void *a, const void *b, void *arg)
{
    (void)arg;
    const frame *one = a;
    const frame *other = b;
    return LP_ORDER(other->own, one->own) ?: LP_ORDER(other->total, one->total);
}

static int64_t
item_of(const json_t *answer, const char *key, size_t index)
{
    return json_integer_value(json_array_get(json_object_get(answer, key), index));
}

// add_heaviest adds the stack trace that has most: from the root always the largest child, which
// comes first.
static void
add_heaviest(mcp_page *page, const json_t *answer)
{
    const json_t *names = json_object_get(answer, "names");
    size_t count = json_array_size(json_object_get(answer, "level"));
    size_t depth = 1;
    while (depth < count && (size_t)item_of(answer, "level", depth) == depth) {
        depth++;
    }
    size_t first = depth > STACK_FRAMES_MAX ? depth - STACK_FRAMES_MAX : 1;
    size_t shown = 0;
    while (shown < depth - first) {
        size_t name = (size_t)item_of(answer, "name", depth - 1 - shown);
        if (!mcp_page_line(page, "%s- `%s`",
                shown == 0 ? "\nThe heaviest stack trace, callee first:\n" : "",
                mcp_page_cell(json_string_value(json_array_get(names, name))).text)) {
            break;
        }
        shown++;
    }
    mcp_page_count(page, shown, depth - 1, "frames of that stack trace");
}

static bool
add_frame_row(mcp_page *page, const json_t *answer, const frame *f)
{
    int64_t all = mcp_page_whole(answer, "total");
    char own[QUERY_DURATION_BYTES];
    if (strcmp(mcp_page_text(answer, "unit"), "ns") == 0) {
        query_duration_text(f->own, own);
    } else {
        (void)snprintf(own, sizeof(own), "%" PRId64, f->own);
    }
    return mcp_page_line(page, "| %.1f %% | %s | %.1f %% | `%s` |", mcp_page_percent(f->own, all),
        own, mcp_page_percent(f->total, all), mcp_page_cell(f->name).text);
}

static void
add_next_of_frames(mcp_page *page, const frames *f)
{
    const frame *top = LP_FIND(f->items.items, f->items.count, at->name[0] != '[' && at->own > 0);
    if (top != NULL && json_object_get(page->arguments, "through") == NULL) {
        json_t *arguments = mcp_page_carry(page, MCP_TOOL_frames);
        (void)json_object_set_new(arguments, "through", escape(top->name));
        mcp_page_next(page, MCP_TOOL_frames, arguments, "the stacks through the first frame");
    }
    mcp_page_next(page, MCP_TOOL_why, mcp_page_carry(page, MCP_TOOL_why),
        "where the time of all of these went");
}

static void
write_frames(mcp_page *page, const json_t *answer, const json_t *owner)
{
    (void)owner;
    const char *service = mcp_page_text(page->arguments, "service");
    size_t count = json_array_size(json_object_get(answer, "level"));
    frames f = {0};
    bool is_whole = begin_frames(&f, answer);
    for (size_t i = 0; i < count && is_whole; i++) {
        is_whole =
            add_node(&f, (size_t)item_of(answer, "level", i), (size_t)item_of(answer, "name", i),
                item_of(answer, "value", i), item_of(answer, "self", i));
    }
    page->is_failed |= !is_whole;
    if (f.items.count > 0) { // the root is no frame
        f.items.items[0] = f.items.items[--f.items.count];
    }
    LP_VEC_SORT(&f.items, compare_frames, NULL);
    mcp_page_link(page, "s", service[0] == '\0' ? NULL : service, NULL);
    add_next_of_frames(page, &f);
    (void)mcp_page_line(page, "# Frames: %s in %s, %" PRId64 " kept %s\n",
        mcp_page_cell(mcp_page_text(answer, "of")).text,
        mcp_page_cell(mcp_page_text(answer, "unit")).text, mcp_page_whole(answer, "requests"),
        mcp_page_unit(page));
    (void)mcp_page_line(page, "| own | | total | frame |\n| ---: | ---: | ---: | --- |");
    size_t shown = 0;
    while (shown < f.items.count && shown < FRAME_ROWS_MAX &&
           add_frame_row(page, answer, &f.items.items[shown])) {
        shown++;
    }
    mcp_page_count(page, shown, f.items.count, "frames, those with most of their own");
    add_heaviest(page, answer);
    LP_VEC_FINI(&f.items);
    LP_VEC_FINI(&f.path);
}

// --- All tools

void
mcp_answers_write(const mcp_tool *tool, mcp_page *page, const json_t *answer, const json_t *owner)
{
    static void (*const lists[MCP_TOOL_COUNT])(mcp_page * page, const json_t *answer) = {
        [MCP_TOOL_services] = mcp_lists_services,
        [MCP_TOOL_slow_requests] = mcp_lists_requests,
        [MCP_TOOL_trace] = mcp_lists_trace,
        [MCP_TOOL_attributes] = mcp_lists_attributes,
        [MCP_TOOL_compare] = mcp_lists_comparison,
    };
    static void (*const details[MCP_TOOL_COUNT])(
        mcp_page * page, const json_t *answer, const json_t *owner) = {
        [MCP_TOOL_why] = write_why,
        [MCP_TOOL_request] = write_request,
        [MCP_TOOL_frames] = write_frames,
    };
    size_t id = (size_t)(tool - mcp_tools);
    LP_ASSERT(id < MCP_TOOL_COUNT && (lists[id] == NULL) != (details[id] == NULL));
    LP_ASSERT(owner == NULL || id == MCP_TOOL_request);
    LP_ASSERT(page->text.len == 0 && answer != NULL);
    if (lists[id] != NULL) {
        lists[id](page, answer);
    } else {
        details[id](page, answer, owner);
    }
    mcp_page_missing(page, answer);
}
