// SPDX-License-Identifier: Apache-2.0
// flame_formats: a flame graph as JSON, as a web page and as text (flame.h).
//
// Tests: tests/unit/query/graph/test_flame.c

#include "common/base/lp_assert.h"
#include "common/base/lp_printable.h"
#include "query/graph/flame.h"
#include "query/select/json_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SELECTION, BASE };

static const uint32_t ROOT_NAME = UINT32_MAX; // not the number of a name

static const char letters[QUERY_KINDS] = {
    [TIME_LOCK] = 'l',
    [TIME_PARK] = 'p',
    [TIME_WAIT] = 'w',
    [TIME_SLEEP] = 's',
    [TIME_IO] = 'i',
    [TIME_PINNED] = 'v',
    [TIME_GC] = 'g',
    [TIME_SAFEPOINT] = 'j',
    [TIME_CLASS_LOADING] = 'd',
    [TIME_COMPILATION] = 'm',
    [TIME_OTHER] = 'o',
    [TIME_CPU] = 'c',
    [TIME_QUEUED] = 'q',
    [TIME_ELSEWHERE] = 'e',
    [QUERY_KIND_ALLOC] = 'a',
    [QUERY_KIND_UNACCOUNTED] = '-',
    [QUERY_KIND_FRAME] = '.',
};

// The names of the nodes, each once.
typedef struct name_table {
    json_t *names;
    lp_buf kinds;
    lp_map index_of; // by number
    bool is_failed;
} name_table;

static uint32_t
add_name(name_table *table, uint32_t name, const char *text, char kind)
{
    uint32_t index = lp_map_find(&table->index_of, name);
    if (index == LP_MAP_NONE) {
        index = (uint32_t)json_array_size(table->names);
        table->is_failed |= json_array_append_new(table->names, json_string(text)) != 0 ||
                            lp_map_put(&table->index_of, name, index) != LP_OK;
        lp_buf_append(&table->kinds, &kind, 1);
    }
    return index;
}

// make_names makes the column `name` and its table.
static json_t *
make_names(name_table *table, const query_flame *flame, const query_profile *profile)
{
    json_t *column = json_array();
    table->names = json_array();
    for (size_t i = 0; i < flame->nodes.count; i++) {
        uint32_t stack = flame->nodes.items[i].stack;
        uint32_t name =
            stack == QUERY_STACK_ROOT ? ROOT_NAME : profile->stacks.nodes.items[stack].name;
        const char *text =
            stack == QUERY_STACK_ROOT ? "all" : query_names_text(profile->names, name);
        uint32_t index = add_name(table, name, text, letters[query_profile_kind(profile, name)]);
        table->is_failed |= json_array_append_new(column, json_integer(index)) != 0;
    }
    table->is_failed |= table->kinds.is_failed;
    return column;
}

typedef enum column_of { LEVEL, VALUE, SELF } column_of;

static json_t *
make_column(const query_flame *flame, column_of of, unsigned side)
{
    return QUERY_JSON_LIST(node, flame->nodes.items, flame->nodes.count,
        json_integer(of == LEVEL   ? (int64_t)node->level
                     : of == VALUE ? node->value[side]
                                   : node->self[side]));
}

static json_t *
make_kinds(const query_flame *flame)
{
    json_t *json = json_object();
    for (unsigned kind = 0; kind < QUERY_KINDS; kind++) {
        const char key[] = {letters[kind], '\0'};
        if (flame->of_kind[kind] > 0) {
            json = query_json_set(json, key, json_integer(flame->of_kind[kind]));
        }
    }
    return json;
}

static json_t *
cut_json(const query_flame *flame, bool has_base)
{
    json_t *cut = json_pack("{s:I, s:I}", "nodes", (json_int_t)flame->cut_count, "value",
        (json_int_t)flame->cut_value[SELECTION]);
    return has_base ? query_json_set(cut, "base_value", json_integer(flame->cut_value[BASE])) : cut;
}

// add_base adds the members of the base.
static json_t *
add_base(json_t *json, const query_flame *flame, const query_totals *totals)
{
    json = query_json_set(json, "base_requests", json_integer((json_int_t)totals->requests));
    json = query_json_set(json, "base_total", json_integer(totals->value));
    json = query_json_set(json, "base_value", make_column(flame, VALUE, BASE));
    return query_json_set(json, "base_self", make_column(flame, SELF, BASE));
}

json_t *
query_flame_json(const query_flame *flame, const query_profile *profile,
    const query_outcome *outcome, bool has_base)
{
    LP_ASSERT(profile->measure < QUERY_MEASURES);
    name_table table = {0};
    json_t *column = make_names(&table, flame, profile);
    const query_totals *totals = &profile->totals[SELECTION];
    int64_t each = totals->requests == 0 ? 0 : totals->value / (int64_t)totals->requests;
    json_t *json = NULL;
    if (table.is_failed) {
        json_decref(column);
        json_decref(table.names);
    } else {
        json = json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:s%, s:o, s:o, s:o, s:o, s:o, s:b}",
            "of", query_measure_name(profile->measure), "unit",
            query_measure_unit(profile->measure), "requests", (json_int_t)totals->requests, "total",
            (json_int_t)totals->value, "per_request", (json_int_t)each, "of_kind",
            make_kinds(flame), "names", table.names, "kinds", (const char *)table.kinds.ptr,
            table.kinds.len, "level", make_column(flame, LEVEL, SELECTION), "name", column, "value",
            make_column(flame, VALUE, SELECTION), "self", make_column(flame, SELF, SELECTION),
            "cut", cut_json(flame, has_base), "is_truncated",
            outcome->is_truncated || profile->is_truncated);
    }
    lp_buf_fini(&table.kinds);
    lp_map_fini(&table.index_of);
    return has_base ? add_base(json, flame, &profile->totals[BASE]) : json;
}

// flame_page.html
extern const unsigned char query_flame_page[];
extern const size_t query_flame_page_bytes;

static const char place[] = "@DATA@";

// append_text appends JSON with < escaped, so that it cannot end the script around it.
static int
append_text(const char *text, size_t len, void *arg)
{
    lp_buf *out = arg;
    size_t begin = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '<') {
            lp_buf_append(out, text + begin, i - begin);
            lp_buf_append(out, "\\u003c", 6);
            begin = i + 1;
        }
    }
    lp_buf_append(out, text + begin, len - begin);
    return out->is_failed ? -1 : 0;
}

void
query_flame_html_write(json_t *graph, const char *title, lp_buf *out)
{
    LP_ASSERT(json_is_object(graph));
    LP_ASSERT(title != NULL);
    const unsigned char *found =
        memmem(query_flame_page, query_flame_page_bytes, place, strlen(place));
    LP_ASSERT(found != NULL);
    size_t before = (size_t)(found - query_flame_page);
    size_t after = before + strlen(place);
    if (json_object_set_new(graph, "title", json_string(title)) != 0) {
        out->is_failed = true;
        return;
    }
    lp_buf_append(out, query_flame_page, before);
    if (json_dump_callback(graph, append_text, out, JSON_COMPACT) != 0) {
        out->is_failed = true;
    }
    lp_buf_append(out, query_flame_page + after, query_flame_page_bytes - after);
}

enum { NUMBER_BYTES = 32 };

// The line of a node: its frames from the root on.
typedef struct line {
    lp_buf text;
    LP_VEC(size_t) ends; // of the frames, by level
} line;

// append_name appends the name of a frame, with _ for characters that end a frame or a line, or
// that are not printable.
static void
append_name(lp_buf *out, const char *name)
{
    lp_slice rest = {(const uint8_t *)name, strlen(name)};
    while (rest.len > 0) {
        bool is_safe;
        size_t bytes = lp_printable_measure(rest, &is_safe);
        if (is_safe && rest.ptr[0] != ';') {
            lp_buf_append(out, rest.ptr, bytes);
        } else {
            lp_buf_append(out, "_", 1);
        }
        rest = (lp_slice){rest.ptr + bytes, rest.len - bytes};
    }
}

// set_frame makes a frame the last of the line. False if out of memory.
static bool
set_frame(line *l, uint32_t level, const char *name)
{
    l->ends.count = level;
    l->text.len = level == 0 ? 0 : l->ends.items[level - 1];
    if (level > 1) {
        lp_buf_append(&l->text, ";", 1);
    }
    append_name(&l->text, name);
    return LP_VEC_ADD(&l->ends, l->text.len) == LP_OK && !l->text.is_failed;
}

bool
query_flame_collapsed_write(const query_flame *flame, const query_profile *profile, lp_buf *out)
{
    LP_ASSERT(profile->measure < QUERY_MEASURES);
    line l = {0};
    size_t i = 0;
    for (; i < flame->nodes.count && out->len < QUERY_PROFILE_BYTES_MAX; i++) {
        const query_flame_node *node = &flame->nodes.items[i];
        const char *name = node->level == 0 ? ""
                                            : query_names_text(profile->names,
                                                  profile->stacks.nodes.items[node->stack].name);
        if (!set_frame(&l, node->level, name)) {
            out->is_failed = true;
            break;
        }
        if (node->self[0] > 0) {
            char number[NUMBER_BYTES];
            int len = snprintf(number, sizeof(number), " %" PRId64 "\n", node->self[0]);
            lp_buf_append(out, l.text.ptr, l.text.len);
            lp_buf_append(out, number, (size_t)len);
        }
    }
    lp_buf_fini(&l.text);
    LP_VEC_FINI(&l.ends);
    return i == flame->nodes.count;
}
