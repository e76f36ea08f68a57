// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_flame.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_vec.h"
#include "query/select/json_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SIDES = 2, NUMBER_BYTES = 24 };

json_t *
grafana_flame_whole(int64_t number)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof(text), "%" PRId64, number);
    return json_string(text);
}

// --- The nodes of an answer

// The columns of a side.
typedef struct columns {
    const json_t *value;
    const json_t *self;
} columns;

typedef struct node {
    size_t level;
    size_t name;
    int64_t value[SIDES];
    int64_t self[SIDES];
} node;

// A level in progress: where the next child of the node above begins, and where the last one ended.
typedef struct level {
    json_t *values;
    int64_t next[SIDES];
    int64_t end[SIDES];
} level;

typedef struct drawing {
    const json_t *names;
    const json_t *level_column;
    const json_t *name_column;
    columns sides[SIDES];
    size_t side_count;
    size_t count; // of nodes
    const grafana_site *site;
    size_t on_path; // nodes on the call site that enclose the present one, without the root
    LP_VEC(level) levels;
    int64_t max_self;
    bool is_failed;
} drawing;

static void
drawing_check(const drawing *d)
{
    LP_ASSERT(d->side_count >= 1 && d->side_count <= SIDES);
    LP_ASSERT(d->on_path <= d->site->count);
}

static int64_t
get(const json_t *column, size_t index)
{
    return json_integer_value(json_array_get(column, index));
}

static node
get_node(const drawing *d, size_t index)
{
    LP_ASSERT(index < d->count);
    node found = {
        .level = (size_t)get(d->level_column, index), .name = (size_t)get(d->name_column, index)};
    for (size_t side = 0; side < d->side_count; side++) {
        found.value[side] = get(d->sides[side].value, index);
        found.self[side] = get(d->sides[side].self, index);
    }
    return found;
}

// --- Call sites

// is_inside returns whether a node is on the call site or below it. Call it for all nodes in order.
static bool
is_inside(drawing *d, const node *at)
{
    drawing_check(d);
    size_t above = at->level == 0 ? 0 : at->level - 1; // nodes above without the root
    d->on_path = d->on_path < above ? d->on_path : above;
    if (at->level == 0 || at->level > d->site->count) {
        return at->level == 0 || d->on_path == d->site->count;
    }
    const char *name = json_string_value(json_array_get(d->names, at->name));
    bool is_on = d->on_path == above && name != NULL && strcmp(name, d->site->names[above]) == 0;
    d->on_path += is_on;
    return is_on;
}

// find_site returns the last node of the call site, {0} if there is none. Without a call site it
// is the root.
static node
find_site(drawing *d)
{
    drawing_check(d);
    for (size_t i = 0; i < d->count; i++) {
        node at = get_node(d, i);
        if (is_inside(d, &at) && at.level == d->site->count) {
            return at;
        }
    }
    return (node){0};
}

// --- Levels

static void
push(drawing *d, json_t *values, int64_t number)
{
    d->is_failed |= json_array_append_new(values, grafana_flame_whole(number)) != 0;
}

// reach makes room for a level and the one below it. Nodes come depth first.
static bool
reach(drawing *d, size_t depth)
{
    LP_REQUIRE(depth <= d->levels.count, false);
    while (d->levels.count < depth + 2) {
        level *added = LP_VEC_PUSH(&d->levels);
        LP_REQUIRE(added != NULL, false);
        added->values = json_array();
    }
    return true;
}

static void
add_node(drawing *d, const node *at)
{
    drawing_check(d);
    if (!reach(d, at->level)) {
        d->is_failed = true;
        return;
    }
    level *own = &d->levels.items[at->level];
    LP_ASSERT(at->level + 1 < d->levels.count);
    level *below = &d->levels.items[at->level + 1];
    for (size_t side = 0; side < d->side_count; side++) {
        int64_t begin = own->next[side];
        push(d, own->values, begin - own->end[side]);
        push(d, own->values, at->value[side]);
        push(d, own->values, at->self[side]);
        own->next[side] = own->end[side] = begin + at->value[side];
        below->next[side] = begin + at->self[side];
        d->max_self = d->max_self > at->self[side] ? d->max_self : at->self[side];
    }
    push(d, own->values, (int64_t)at->name);
}

// add_nodes adds all nodes of the call site. Those above its end have its amounts.
static void
add_nodes(drawing *d, const node *end)
{
    drawing_check(d);
    LP_ASSERT(d->levels.count == 0);
    d->on_path = 0;
    for (size_t i = 0; i < d->count && !d->is_failed; i++) {
        node at = get_node(d, i);
        if (!is_inside(d, &at)) {
            continue;
        }
        for (size_t side = 0; side < d->side_count && at.level < d->site->count; side++) {
            at.value[side] = end->value[side];
            at.self[side] = 0;
        }
        add_node(d, &at);
    }
}

// levels_json takes the levels. The last one is empty.
static json_t *
levels_json(drawing *d)
{
    drawing_check(d);
    json_t *list = json_array();
    for (size_t i = 0; i < d->levels.count; i++) {
        json_t *values = d->levels.items[i].values;
        if (json_array_size(values) == 0) {
            json_decref(values);
        } else {
            (void)json_array_append_new(list, json_pack("{s:o}", "values", values));
        }
    }
    LP_VEC_FINI(&d->levels);
    return list;
}

// names_json returns the names, with Pyroscope's name of the root.
static json_t *
names_json(const drawing *d)
{
    json_t *names = json_copy((json_t *)(uintptr_t)d->names);
    if (json_array_size(names) > 0) {
        (void)json_array_set_new(names, 0, json_string("total"));
    }
    return names;
}

json_t *
grafana_flame_json(const json_t *flame, const grafana_site *site, bool has_base)
{
    drawing d = {
        .names = json_object_get(flame, "names"),
        .level_column = json_object_get(flame, "level"),
        .name_column = json_object_get(flame, "name"),
        .sides = {{json_object_get(flame, "value"), json_object_get(flame, "self")},
            {json_object_get(flame, "base_value"), json_object_get(flame, "base_self")}},
        .side_count = has_base ? 2 : 1,
        .site = site,
    };
    d.count = json_array_size(d.level_column);
    const node end = find_site(&d);
    add_nodes(&d, &end);
    json_t *json = json_pack("{s:o, s:o, s:o, s:o}", "names", names_json(&d), "levels",
        levels_json(&d), "total", grafana_flame_whole(end.value[0] + end.value[1]), "maxSelf",
        grafana_flame_whole(d.max_self));
    if (has_base) {
        json = query_json_set(json, "leftTicks", grafana_flame_whole(end.value[0]));
        json = query_json_set(json, "rightTicks", grafana_flame_whole(end.value[1]));
    }
    if (d.is_failed) {
        json_decref(json);
        json = NULL;
    }
    return json;
}

// --- Numbers of requests

json_t *
grafana_flame_of_requests(const json_t *types)
{
    json_t *names = json_pack("[s]", "all");
    json_t *levels = json_pack("[i]", 0);
    json_t *indexes = json_pack("[i]", 0);
    json_t *values = json_pack("[i]", 0);
    json_t *selfs = json_pack("[i]", 0);
    json_int_t total = 0;
    size_t i;
    json_t *type;
    json_array_foreach(json_object_get(types, "requests"), i, type)
    {
        json_int_t count = json_integer_value(json_object_get(type, "requests_in"));
        total += count;
        (void)json_array_append(names, json_object_get(type, "type"));
        (void)json_array_append_new(levels, json_integer(1));
        (void)json_array_append_new(indexes, json_integer((json_int_t)i + 1));
        (void)json_array_append_new(values, json_integer(count));
        (void)json_array_append_new(selfs, json_integer(count));
    }
    (void)json_array_set_new(values, 0, json_integer(total));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "names", names, "level", levels, "name", indexes,
        "value", values, "self", selfs);
}
