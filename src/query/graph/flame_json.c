// SPDX-License-Identifier: Apache-2.0
#include "query/graph/flame_json.h"

#include <stdlib.h>

enum { SELECTION, BASE };

static const uint32_t ROOT_NAME = UINT32_MAX; // no number of a name

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

// make_names makes the column `name`, and the table that it indexes.
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

// A column of numbers: of the level, or of an amount.
typedef enum column_of { LEVEL, VALUE, SELF } column_of;

static json_t *
make_column(const query_flame *flame, column_of of, unsigned side)
{
    json_t *column = json_array();
    for (size_t i = 0; i < flame->nodes.count; i++) {
        const query_flame_node *node = &flame->nodes.items[i];
        int64_t number = of == LEVEL   ? (int64_t)node->level
                         : of == VALUE ? node->value[side]
                                       : node->self[side];
        (void)json_array_append_new(column, json_integer(number));
    }
    if (json_array_size(column) != flame->nodes.count) {
        json_decref(column);
        return NULL;
    }
    return column;
}

// add sets a member; value may be NULL where memory ran out.
static bool
add(json_t *json, const char *key, json_t *value)
{
    return json_object_set_new(json, key, value) == 0;
}

// make_kinds makes an object of the amounts of each kind that has one.
static json_t *
make_kinds(const query_flame *flame)
{
    json_t *json = json_object();
    bool is_whole = json != NULL;
    for (unsigned kind = 0; kind < QUERY_KINDS; kind++) {
        const char key[] = {letters[kind], '\0'};
        if (flame->of_kind[kind] > 0) {
            is_whole = is_whole && add(json, key, json_integer(flame->of_kind[kind]));
        }
    }
    if (!is_whole) {
        json_decref(json);
        return NULL;
    }
    return json;
}

// add_base adds what there is of the base.
static bool
add_base(json_t *json, const query_flame *flame, const query_totals *totals)
{
    json_t *cut = json_object_get(json, "cut");
    return add(json, "base_requests", json_integer((json_int_t)totals->requests)) &&
           add(json, "base_total", json_integer(totals->value)) &&
           add(json, "base_value", make_column(flame, VALUE, BASE)) &&
           add(json, "base_self", make_column(flame, SELF, BASE)) &&
           add(cut, "base_value", json_integer(flame->cut_value[BASE]));
}

json_t *
query_flame_json(const query_flame *flame, const query_profile *profile,
    const query_outcome *outcome, bool has_base)
{
    name_table table = {0};
    json_t *column = make_names(&table, flame, profile);
    const query_totals *totals = &profile->totals[SELECTION];
    int64_t each = totals->requests == 0 ? 0 : totals->value / (int64_t)totals->requests;
    json_t *json = NULL;
    if (table.is_failed) {
        json_decref(column);
        json_decref(table.names);
    } else {
        json = json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:s%, s:o, s:o, s:o, s:o, s:{s:I, s:I}, s:b}",
            "of", query_measure_name(profile->measure), "unit",
            query_measure_unit(profile->measure), "requests", (json_int_t)totals->requests, "total",
            (json_int_t)totals->value, "per_request", (json_int_t)each, "of_kind",
            make_kinds(flame), "names", table.names, "kinds", (const char *)table.kinds.ptr,
            table.kinds.len, "level", make_column(flame, LEVEL, SELECTION), "name", column, "value",
            make_column(flame, VALUE, SELECTION), "self", make_column(flame, SELF, SELECTION),
            "cut", "nodes", (json_int_t)flame->cut_count, "value",
            (json_int_t)flame->cut_value[SELECTION], "is_truncated",
            outcome->is_truncated || profile->is_truncated);
    }
    if (json != NULL && has_base && !add_base(json, flame, &profile->totals[BASE])) {
        json_decref(json);
        json = NULL;
    }
    lp_buf_fini(&table.kinds);
    lp_map_fini(&table.index_of);
    return json;
}
