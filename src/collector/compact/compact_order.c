// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Design notes
//
// JFR writes the buffers of a thread one after the other, so its events come in long ordered runs,
// few of which overlap. A merge sort that looks whether two halves are in order already before it
// merges them does little more than look at such input. Grouping by thread is a counting sort
// before that.

enum { SMALL_COUNT = 16 }; // up to here insertion is faster than halving

static int
rank_of(compact_item_kind kind)
{
    bool is_plain = kind == COMPACT_ITEM_ROW || kind == COMPACT_ITEM_ROW_AHEAD;
    return is_plain ? 0 : kind == COMPACT_ITEM_CONTEXT_CUT ? 2 : 1;
}

// is_before_at_tie orders two items of one thread and one commit time.
static bool
is_before_at_tie(const compact_item *x, const compact_item *y)
{
    int rank = rank_of(x->kind);
    if (rank != rank_of(y->kind)) {
        return rank < rank_of(y->kind);
    }
    if (x->begin != y->begin && rank == 1) { // the inner context first
        return x->begin > y->begin;
    }
    return x->kind != y->kind ? x->kind < y->kind : x->index < y->index;
}

static inline bool
is_before(const compact_item *x, const compact_item *y)
{
    return x->commit != y->commit ? x->commit < y->commit : is_before_at_tie(x, y);
}

static void
sort_small(compact_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        compact_item moved = items[i];
        size_t at = i;
        while (at > 0 && is_before(&moved, &items[at - 1])) {
            items[at] = items[at - 1];
            at--;
        }
        items[at] = moved;
    }
}

// merge joins the ordered halves of items; spare has room for the first of them.
static void
merge(compact_item *items, size_t middle, size_t count, compact_item *spare)
{
    memcpy(spare, items, middle * sizeof(*items));
    size_t left = 0;
    size_t right = middle;
    size_t to = 0;
    while (left < middle && right < count) {
        bool takes_right = is_before(&items[right], &spare[left]);
        items[to++] = takes_right ? items[right++] : spare[left++];
    }
    memcpy(items + to, spare + left, (middle - left) * sizeof(*items));
}

static void
sort_thread(compact_item *items, size_t count, compact_item *spare)
{
    if (count <= SMALL_COUNT) {
        sort_small(items, count);
        return;
    }
    size_t middle = count / 2;
    sort_thread(items, middle, spare);
    sort_thread(items + middle, count - middle, spare);
    if (is_before(&items[middle], &items[middle - 1])) {
        merge(items, middle, count, spare);
    }
}

// group puts items into out by thread, keeping their order within each. On return ends[t] is where
// thread t ends in out; it holds zeros before.
static void
group(const compact_item *items, size_t count, size_t thread_count, compact_item *out, size_t *ends)
{
    for (size_t i = 0; i < count; i++) {
        ends[items[i].thread]++;
    }
    size_t begin = 0;
    for (size_t t = 0; t < thread_count; t++) {
        size_t thread_items = ends[t];
        ends[t] = begin; // where its next item goes
        begin += thread_items;
    }
    for (size_t i = 0; i < count; i++) {
        out[ends[items[i].thread]++] = items[i];
    }
}

lp_err
compact_order_sort(compact_item **items, size_t count, size_t thread_count)
{
    if (count == 0) {
        return LP_OK;
    }
    compact_item *grouped = malloc(count * sizeof(*grouped));
    size_t *ends = calloc(thread_count, sizeof(*ends));
    if (grouped == NULL || ends == NULL) {
        free(grouped);
        free(ends);
        return LP_ENOMEM;
    }
    group(*items, count, thread_count, grouped, ends);
    size_t begin = 0;
    for (size_t t = 0; t < thread_count; t++) {
        sort_thread(grouped + begin, ends[t] - begin, *items);
        begin = ends[t];
    }
    free(ends);
    free(*items);
    *items = grouped;
    return LP_OK;
}
