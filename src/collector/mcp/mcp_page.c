// SPDX-License-Identifier: Apache-2.0
#include "collector/mcp/mcp_page.h"

#include "collector/page/page_address.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

void
mcp_page_fini(mcp_page *page)
{
    lp_buf_fini(&page->text);
    lp_buf_fini(&page->caps);
    lp_buf_fini(&page->foot);
    lp_buf_fini(&page->link);
    json_decref(page->next);
    page->next = NULL;
}

void
mcp_page_check(const mcp_page *page)
{
    LP_ASSERT(page->site != NULL && page->from != NULL);
    LP_ASSERT(page->caps.len <= MCP_PAGE_CAP_BYTES_MAX);
    LP_ASSERT(page->foot.len <= MCP_PAGE_FOOT_BYTES_MAX);
    LP_ASSERT(page->text.len + page->foot.len + MCP_PAGE_CAP_BYTES_MAX <= MCP_PAGE_BYTES_MAX);
    LP_ASSERT(page->next == NULL || json_is_array(page->next));
}

static void print(lp_buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
print(lp_buf *out, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    lp_buf_append_text(out, text);
}

// --- Values

mcp_cell
mcp_page_cell(const char *text)
{
    mcp_cell cell;
    (void)lp_printable(text == NULL ? "" : text, cell.text, sizeof(cell.text));
    for (char *at = cell.text; *at != '\0'; at++) {
        *at = *at == '|' ? '/' : *at == '`' ? '\'' : *at;
    }
    return cell;
}

mcp_span
mcp_page_span(const json_t *ns)
{
    mcp_span span = {.text = "-"};
    if (json_is_integer(ns)) {
        query_duration_text(json_integer_value(ns), span.text);
    }
    return span;
}

double
mcp_page_percent(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : (double)part * 100 / (double)whole;
}

const char *
mcp_page_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

int64_t
mcp_page_whole(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

int64_t
mcp_page_time(const json_t *answer, int64_t offset_ns)
{
    return lp_time_add(strtoll(mcp_page_text(answer, "t0_ns"), NULL, 10), offset_ns);
}

// --- The link

static lp_err
add_parameter(void *arg, const char *name, const char *value)
{
    page_address_parameter(arg, name, value);
    return LP_OK;
}

// add_selection adds the arguments that the page knows as parameters.
static void
add_selection(mcp_page *page)
{
    mcp_page_check(page);
    LP_ASSERT(page->link.len > 0 || page->link.is_failed);
    json_t *kept = mcp_tools_carry(MCP_TOOL_frames, page->arguments);
    page->is_failed |= kept == NULL;
    (void)json_object_del(kept, "service"); // it is in the path
    (void)json_object_del(kept, "request");
    (void)json_object_del(kept, "value");
    if (json_object_get(kept, "from") == NULL) {
        (void)json_object_set_new(kept, "from", json_string(page->from));
    }
    page->is_failed |= mcp_tools_each(kept, add_parameter, &page->link) != LP_OK;
    json_decref(kept);
}

void
mcp_page_link(mcp_page *page, const char *screen, const char *part, const char *second_part)
{
    mcp_page_check(page);
    LP_ASSERT(page->link.len == 0);
    print(&page->link, "%s/%s", page->site, screen);
    if (part != NULL) {
        page_address_part(&page->link, part);
    }
    if (second_part != NULL) {
        page_address_part(&page->link, second_part);
    }
    if (strcmp(screen, "s") == 0) {
        add_selection(page);
    }
    if (page->link.len + sizeof("Page: \n") > MCP_PAGE_FOOT_BYTES_MAX / 2) {
        lp_buf_clear(&page->link); // it would not leave room for the next calls
        return;
    }
    lp_buf_append_text(&page->foot, "\nPage: ");
    lp_buf_append(&page->foot, page->link.ptr, page->link.len);
    lp_buf_append_text(&page->foot, "\n");
}

// --- The next calls

json_t *
mcp_page_carry(const mcp_page *page, mcp_tool_id to)
{
    mcp_page_check(page);
    LP_ASSERT(to < MCP_TOOL_COUNT);
    json_t *carried = mcp_tools_carry(to, page->arguments);
    bool lacks_time = (mcp_tools[to].sets & MCP_TIME) != 0 &&
                      json_object_get(carried, "from") == NULL &&
                      json_object_get(carried, "recording") == NULL;
    if (lacks_time) {
        (void)json_object_set_new(carried, "from", json_string(page->from));
    }
    return carried;
}

json_t *
mcp_page_carry_threads(const mcp_page *page)
{
    static const char *const of_requests[] = {
        "context", "where", "min_ms", "max_ms", "trace", "request"};
    json_t *carried = mcp_page_carry(page, MCP_TOOL_why);
    for (size_t i = 0; i < LP_COUNT(of_requests); i++) {
        (void)json_object_del(carried, of_requests[i]);
    }
    (void)json_object_set_new(carried, "unit", json_string("threads"));
    return carried;
}

static bool
is_printable(const char *text)
{
    lp_slice rest = {(const uint8_t *)text, strlen(text)};
    bool is_safe = true;
    while (rest.len > 0 && is_safe) {
        size_t len = lp_printable_measure(rest, &is_safe);
        rest = (lp_slice){rest.ptr + len, rest.len - len};
    }
    return is_safe;
}

// print_code appends arguments as JSON that is safe inside of backquotes: it escapes backquotes,
// and if a character cannot be shown, all that are not ASCII.
static void
print_code(lp_buf *out, const json_t *arguments)
{
    enum { FLAGS = JSON_COMPACT | JSON_SORT_KEYS };
    char *text = json_dumps(arguments, FLAGS);
    if (text != NULL && !is_printable(text)) {
        free(text);
        text = json_dumps(arguments, FLAGS | JSON_ENSURE_ASCII);
    }
    out->is_failed |= text == NULL;
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t len = strcspn(at, "`");
        lp_buf_append(out, at, len);
        lp_buf_append_text(out, at[len] == '\0' ? "" : "\\u0060");
        at += at[len] == '\0' ? len : len + 1;
    }
    free(text);
}

void
mcp_page_next(mcp_page *page, mcp_tool_id tool, json_t *arguments, const char *why)
{
    mcp_page_check(page);
    LP_ASSERT(tool < MCP_TOOL_COUNT && why[0] != '\0');
    const char *name = mcp_tools[tool].name;
    lp_buf line = {0};
    print(&line, "%s- %s: `%s` `", page->next == NULL ? "\nNext:\n" : "", why, name);
    print_code(&line, arguments);
    lp_buf_append_text(&line, "`\n");
    page->is_failed |= line.is_failed;
    if (line.is_failed || page->foot.len + line.len > MCP_PAGE_FOOT_BYTES_MAX) {
        json_decref(arguments);
    } else {
        lp_buf_append(&page->foot, line.ptr, line.len);
        page->next = page->next == NULL ? json_array() : page->next;
        page->is_failed |=
            json_array_append_new(page->next, json_pack("{s:s, s:o, s:s}", "tool", name,
                                                  "arguments", arguments, "shows", why)) != 0;
    }
    lp_buf_fini(&line);
}

// --- The text

const char *
mcp_page_unit(const mcp_page *page)
{
    mcp_page_check(page);
    const char *unit = mcp_page_text(page->arguments, "unit");
    return unit[0] == '\0' ? "requests" : unit;
}

bool
mcp_page_line(mcp_page *page, const char *format, ...)
{
    mcp_page_check(page);
    char text[LINE_BYTES];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    size_t room = MCP_PAGE_BYTES_MAX - MCP_PAGE_CAP_BYTES_MAX - page->foot.len - page->text.len;
    LP_REQUIRE(len >= 0 && len < (int)sizeof(text) && (size_t)len + 1 <= room, false);
    lp_buf_append_text(&page->text, text);
    lp_buf_append_text(&page->text, "\n");
    return true;
}

void
mcp_page_count(mcp_page *page, size_t shown, uint64_t all, const char *items)
{
    mcp_page_check(page);
    if (shown < all && page->caps.len < MCP_PAGE_CAP_BYTES_MAX / 2) {
        print(&page->caps, "\n%zu of %" PRIu64 " %s.\n", shown, all, items);
    }
}

void
mcp_page_missing(mcp_page *page, const json_t *answer)
{
    mcp_page_check(page);
    json_int_t chunks =
        json_integer_value(json_object_get(json_object_get(answer, "left_out"), "chunks"));
    if (json_is_true(json_object_get(answer, "is_truncated"))) {
        print(&page->caps, "\n**A limit of the collector was reached: something is missing.**\n");
    }
    if (chunks > 0) {
        print(&page->caps, "\n**%" JSON_INTEGER_FORMAT " chunks could not be read.**\n", chunks);
    }
}

json_t *
mcp_page_finish(mcp_page *page)
{
    mcp_page_check(page);
    lp_buf_append(&page->text, page->caps.ptr, page->caps.len);
    lp_buf_append(&page->text, page->foot.ptr, page->foot.len);
    bool is_whole = !page->is_failed && !page->text.is_failed && !page->caps.is_failed &&
                    !page->foot.is_failed && !page->link.is_failed;
    LP_ASSERT(!is_whole || page->text.len <= MCP_PAGE_BYTES_MAX);
    return is_whole ? json_stringn((const char *)page->text.ptr, page->text.len) : NULL;
}

// --- The answer as JSON

enum {
    ITEMS_MAX = 64, // of an array; halved until the copy fits
    TEXT_BYTES_MAX = 256,
    DEPTH_MAX = 8,
    PATH_BYTES = 256,
    CUTS_MAX = 32,
    MEMBERS_MIN = 24, // of an object: as many as any answer has itself
};

typedef struct bounding {
    size_t items_max;
    json_t *cut;
} bounding;

static json_t *copy(bounding *b, const json_t *json, const char *path, size_t depth);

// cut_text returns a text without the characters beyond the limit.
static json_t *
cut_text(const json_t *json)
{
    LP_ASSERT(json_is_string(json));
    const char *text = json_string_value(json);
    size_t len = json_string_length(json);
    if (len > TEXT_BYTES_MAX) {
        len = TEXT_BYTES_MAX;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) { // inside of a character
            len--;
        }
    }
    return json_stringn(text, len);
}

static void
note_cut(bounding *b, const char *path, size_t count)
{
    LP_ASSERT(count > b->items_max);
    if (json_object_size(b->cut) < CUTS_MAX) {
        (void)json_object_set_new(b->cut, path, json_integer((json_int_t)count));
    }
}

static json_t *
copy_array(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json_is_array(json) && depth <= DEPTH_MAX);
    size_t count = json_array_size(json);
    size_t kept = count < b->items_max ? count : b->items_max;
    json_t *array = json_array();
    if (kept < count) {
        note_cut(b, path, count);
    }
    for (size_t i = 0; i < kept; i++) {
        if (json_array_append_new(array, copy(b, json_array_get(json, i), path, depth)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *
copy_object(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json_is_object(json) && depth <= DEPTH_MAX);
    json_t *object = json_object();
    const char *key;
    json_t *value;
    size_t kept_max = b->items_max + MEMBERS_MIN;
    if (json_object_size(json) > kept_max) {
        note_cut(b, path, json_object_size(json));
    }
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        char below[PATH_BYTES];
        if (json_object_size(object) == kept_max) {
            break;
        }
        (void)snprintf(below, sizeof(below), "%s%s%s", path, path[0] == '\0' ? "" : ".", key);
        if (json_object_set_new(object, key, copy(b, value, below, depth)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *
copy(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json != NULL && b->items_max <= ITEMS_MAX);
    LP_REQUIRE(depth < DEPTH_MAX, json_null());
    switch (json_typeof(json)) {
    case JSON_ARRAY:
        return copy_array(b, json, path, depth + 1);
    case JSON_OBJECT:
        return copy_object(b, json, path, depth + 1);
    case JSON_STRING:
        return cut_text(json);
    case JSON_INTEGER:
    case JSON_REAL:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
    return json_deep_copy(json);
}

json_t *
mcp_page_bound(const json_t *json, json_t **out_cut)
{
    LP_ASSERT(json != NULL);
    bounding b = {.items_max = ITEMS_MAX};
    for (;;) {
        b.cut = json_object();
        json_t *made = copy(&b, json, "", 0);
        if (made == NULL || json_dumpb(made, NULL, 0, JSON_COMPACT) <= MCP_PAGE_JSON_BYTES_MAX) {
            *out_cut = b.cut;
            return made;
        }
        json_decref(made);
        if (b.items_max == 0) { // no answer of a route
            *out_cut = b.cut;
            return json_object();
        }
        json_decref(b.cut);
        b.items_max /= 2;
    }
}
