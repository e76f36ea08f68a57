// SPDX-License-Identifier: Apache-2.0
// hot: the frames of a profile with their amounts (flame.h).
//
// Tests: tests/unit/query/graph/test_flame.c, tests/e2e/flamegraph.py

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/graph/flame.h"
#include "query/run/sums.h"
#include "query/select/json_list.h"

#include <stdlib.h>
#include <string.h>

typedef struct gatherer {
    const query_profile *profile;
    query_hot *hot;
    query_hot_order order;
    uint32_t *row_of; // by name: 1 + the index of its row; 0: none
    size_t *counted;  // by name: 1 + the last cell that its total includes
} gatherer;

void
query_hot_fini(query_hot *hot)
{
    LP_VEC_FINI(&hot->frames);
    *hot = (query_hot){0};
}

// add_row finds or adds the row of a name; NULL if out of memory.
static query_hot_frame *
add_row(gatherer *g, uint32_t name)
{
    LP_DEBUG_ASSERT(g->row_of[name] <= g->hot->frames.count);
    if (g->row_of[name] == 0) {
        query_hot_frame *row = LP_VEC_PUSH(&g->hot->frames);
        LP_REQUIRE(row != NULL, NULL);
        row->name = name;
        g->row_of[name] = (uint32_t)g->hot->frames.count;
    }
    return &g->hot->frames.items[g->row_of[name] - 1];
}

static const query_stack_node *
node_of(const gatherer *g, uint32_t stack)
{
    return &g->profile->stacks.nodes.items[stack];
}

// top_of returns the node whose own amount includes a cell.
static uint32_t
top_of(const gatherer *g, uint32_t stack)
{
    const query_stack_node *node = node_of(g, stack);
    bool is_leaf = query_profile_kind(g->profile, node->name) != QUERY_KIND_FRAME;
    return is_leaf && node->parent != QUERY_STACK_ROOT ? node->parent : stack;
}

// add_cell adds the amount of a cell to its frame and to the callers.
static lp_err
add_cell(gatherer *g, size_t index)
{
    const query_cell *cell = &g->profile->cells.items[index];
    uint32_t top = top_of(g, cell->stack);
    for (uint32_t at = top; at != QUERY_STACK_ROOT; at = node_of(g, at)->parent) {
        uint32_t name = node_of(g, at)->name;
        query_hot_frame *row = add_row(g, name);
        LP_REQUIRE(row != NULL, LP_ENOMEM);
        if (at == top) {
            query_sum_add(&row->own.value, cell->sides[0].value);
            row->own.events += cell->sides[0].events;
        }
        if (g->counted[name] != index + 1) {
            g->counted[name] = index + 1;
            query_sum_add(&row->total_value, cell->sides[0].value);
        }
    }
    return LP_OK;
}

// --- Order

static int
compare(const void *a, const void *b, void *arg)
{
    const gatherer *g = arg;
    const query_hot_frame *one = a;
    const query_hot_frame *other = b;
    const query_names *names = g->profile->names;
    int own = LP_ORDER(other->own.value, one->own.value);
    int total = LP_ORDER(other->total_value, one->total_value);
    return (g->order == QUERY_HOT_BY_OWN ? own : total)
               ?: own
               ?: total
               ?: strcmp(query_names_text(names, one->name), query_names_text(names, other->name));
}

lp_err
query_hot_make(query_hot *hot, const query_profile *profile, query_hot_order order)
{
    LP_ASSERT(profile->measure < QUERY_MEASURES);
    size_t name_count = profile->names->names.items.count + 1;
    gatherer g = {
        .profile = profile,
        .hot = hot,
        .order = order,
        .row_of = calloc(name_count, sizeof(*g.row_of)),
        .counted = calloc(name_count, sizeof(*g.counted)),
    };
    *hot = (query_hot){0};
    lp_err err = g.row_of == NULL || g.counted == NULL ? LP_ENOMEM : LP_OK;
    for (size_t i = 0; i < profile->cells.count && err == LP_OK; i++) {
        err = profile->cells.items[i].sides[0].value == 0 ? LP_OK : add_cell(&g, i);
    }
    LP_VEC_SORT(&hot->frames, compare, &g);
    free(g.row_of);
    free(g.counted);
    return err;
}

static json_t *
frame_json(const query_hot_frame *frame, const query_names *names)
{
    return json_pack("{s:s, s:I, s:I, s:I}", "frame", query_names_text(names, frame->name), "own",
        (json_int_t)frame->own.value, "events", (json_int_t)frame->own.events, "total",
        (json_int_t)frame->total_value);
}

json_t *
query_hot_json(
    const query_hot *hot, const query_profile *profile, size_t limit, const query_outcome *outcome)
{
    LP_ASSERT(profile->measure < QUERY_MEASURES);
    size_t count = hot->frames.count < limit ? hot->frames.count : limit;
    json_t *frames =
        QUERY_JSON_LIST(frame, hot->frames.items, count, frame_json(frame, profile->names));
    return json_pack("{s:s, s:s, s:I, s:I, s:o, s:I, s:b}", "of",
        query_measure_name(profile->measure), "unit", query_measure_unit(profile->measure),
        "requests", (json_int_t)profile->totals[0].requests, "total",
        (json_int_t)profile->totals[0].value, "frames", frames, "frame_count",
        (json_int_t)hot->frames.count, "is_truncated",
        outcome->is_truncated || profile->is_truncated);
}
