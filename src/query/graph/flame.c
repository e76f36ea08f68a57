// SPDX-License-Identifier: Apache-2.0
#include "query/graph/flame.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/run/sums.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

// The whole tree, indexed as the nodes of stacks.h.
typedef struct tree {
    const query_profile *profile;
    lp_arena arena; // of the arrays
    size_t count;
    query_flame_node *nodes;
    uint32_t *order; // nodes with an amount, without the root: by parent, children sorted
    size_t order_count;
    uint32_t *place;       // index in order
    uint32_t *first_child; // NONE: none
    uint32_t *ranked;      // nodes with an amount, depth first
    uint32_t *largest;     // indexes of ranked, the largest share first
    double *share;         // by index of ranked
} tree;

void
query_flame_fini(query_flame *flame)
{
    LP_VEC_FINI(&flame->nodes);
    *flame = (query_flame){0};
}

static lp_err
begin_tree(tree *t, const query_profile *profile)
{
    size_t count = profile->stacks.nodes.count == 0 ? 1 : profile->stacks.nodes.count;
    *t = (tree){.profile = profile, .count = count};
    t->nodes = LP_ARENA_ARRAY(&t->arena, query_flame_node, count);
    t->order = LP_ARENA_ARRAY(&t->arena, uint32_t, count);
    t->place = LP_ARENA_ARRAY(&t->arena, uint32_t, count);
    t->first_child = LP_ARENA_ARRAY(&t->arena, uint32_t, count);
    t->ranked = LP_ARENA_ARRAY(&t->arena, uint32_t, count);
    t->largest = LP_ARENA_ARRAY(&t->arena, uint32_t, count);
    t->share = LP_ARENA_ARRAY(&t->arena, double, count);
    return lp_arena_err(&t->arena);
}

static const query_stack_node *
stack_of(const tree *t, uint32_t node)
{
    return &t->profile->stacks.nodes.items[node];
}

// add_up adds each node to its parent, which comes before it.
static void
add_up(tree *t, query_flame *flame)
{
    for (size_t i = 0; i < t->profile->cells.count; i++) {
        const query_cell *cell = &t->profile->cells.items[i];
        unsigned kind = query_profile_kind(t->profile, stack_of(t, cell->stack)->name);
        query_sum_add(&flame->of_kind[kind], cell->sides[0].value);
        for (unsigned side = 0; side < QUERY_SIDES; side++) {
            query_sum_add(&t->nodes[cell->stack].self[side], cell->sides[side].value);
            query_sum_add(&t->nodes[cell->stack].value[side], cell->sides[side].value);
        }
    }
    for (uint32_t i = (uint32_t)t->count; i-- > 1;) {
        for (unsigned side = 0; side < QUERY_SIDES; side++) {
            query_sum_add(&t->nodes[stack_of(t, i)->parent].value[side], t->nodes[i].value[side]);
        }
        t->nodes[i].stack = i;
    }
}

static int
compare_siblings(const void *a, const void *b, void *arg)
{
    const tree *t = arg;
    const query_flame_node *one = &t->nodes[*(const uint32_t *)a];
    const query_flame_node *other = &t->nodes[*(const uint32_t *)b];
    const query_stack_node *one_stack = stack_of(t, one->stack);
    const query_stack_node *other_stack = stack_of(t, other->stack);
    return LP_ORDER(one_stack->parent, other_stack->parent)
               ?: LP_ORDER(other->value[0], one->value[0])
               ?: LP_ORDER(other->value[1], one->value[1])
               ?: strcmp(query_names_text(t->profile->names, one_stack->name),
                      query_names_text(t->profile->names, other_stack->name))
               ?: LP_ORDER(one_stack->line, other_stack->line);
}

// put_in_order sorts the children of each node.
static void
put_in_order(tree *t)
{
    for (uint32_t i = 1; i < t->count; i++) {
        if (t->nodes[i].value[0] > 0 || t->nodes[i].value[1] > 0) {
            t->order[t->order_count++] = i;
        }
    }
    qsort_r(t->order, t->order_count, sizeof(*t->order), compare_siblings, t);
    memset(t->first_child, 0xff, t->count * sizeof(*t->first_child)); // NONE
    for (uint32_t i = (uint32_t)t->order_count; i-- > 0;) {
        t->place[t->order[i]] = i;
        t->first_child[stack_of(t, t->order[i])->parent] = t->order[i];
    }
}

// find_next returns the next node, depth first; NONE at the end.
static uint32_t
find_next(const tree *t, uint32_t node)
{
    if (t->first_child[node] != NONE) {
        return t->first_child[node];
    }
    for (; node != QUERY_STACK_ROOT; node = stack_of(t, node)->parent) {
        size_t next = t->place[node] + (size_t)1;
        if (next < t->order_count &&
            stack_of(t, t->order[next])->parent == stack_of(t, node)->parent) {
            return t->order[next];
        }
    }
    return NONE;
}

// rank fills ranked, levels and shares.
static void
rank(tree *t)
{
    size_t count = 0;
    for (uint32_t i = QUERY_STACK_ROOT; i != NONE; i = find_next(t, i)) {
        query_flame_node *node = &t->nodes[i];
        if (i != QUERY_STACK_ROOT) {
            node->level = t->nodes[stack_of(t, i)->parent].level + 1;
        }
        for (unsigned side = 0; side < QUERY_SIDES; side++) {
            double all = (double)t->nodes[QUERY_STACK_ROOT].value[side];
            double share = all == 0 ? 0 : (double)node->value[side] / all;
            t->share[count] = share > t->share[count] ? share : t->share[count];
        }
        t->ranked[count++] = i;
    }
}

// compare_shares puts parents before their children: a parent has a larger share, or the same share
// and a lower rank.
static int
compare_shares(const void *a, const void *b, void *arg)
{
    const double *share = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return LP_ORDER(share[other], share[one]) ?: LP_ORDER(one, other);
}

// cut sets the nodes beyond max to NONE.
static void
cut(tree *t, query_flame *flame, size_t max)
{
    size_t count = t->order_count + 1;
    for (uint32_t i = 0; i < count; i++) {
        t->largest[i] = i;
    }
    qsort_r(t->largest, count, sizeof(*t->largest), compare_shares, t->share);
    for (size_t i = max; i < count; i++) {
        uint32_t *node = &t->ranked[t->largest[i]];
        for (unsigned side = 0; side < QUERY_SIDES; side++) {
            query_sum_add(&flame->cut_value[side], t->nodes[*node].self[side]);
        }
        *node = NONE;
        flame->cut_count++;
    }
}

lp_err
query_flame_make(query_flame *flame, const query_profile *profile, size_t max)
{
    LP_ASSERT(max > 0);
    tree t;
    lp_err err = begin_tree(&t, profile);
    *flame = (query_flame){0};
    if (err == LP_OK) {
        add_up(&t, flame);
        put_in_order(&t);
        rank(&t);
        size_t count = t.order_count + 1;
        if (count > max) {
            cut(&t, flame, max);
        }
        err = LP_VEC_RESERVE(&flame->nodes, count - flame->cut_count) ? LP_OK : LP_ENOMEM;
        for (size_t i = 0; i < count && err == LP_OK; i++) {
            if (t.ranked[i] != NONE) {
                flame->nodes.items[flame->nodes.count++] = t.nodes[t.ranked[i]];
            }
        }
    }
    lp_arena_fini(&t.arena);
    return err;
}
