// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_order.h"

#include <stdbool.h>
#include <string.h>

// Design notes
//
// JFR writes the buffers of a thread one after the other, so its events come in long ordered runs,
// few of which overlap. A merge sort that looks whether two halves are in order already before it
// merges them does little more than look at such input.

enum { SMALL_COUNT = 16 }; // up to here insertion is faster than halving

// is_before_at_tie orders two entries of one commit time.
static bool
is_before_at_tie(const compact_entry *x, const compact_entry *y)
{
    bool is_cut = x->kind == COMPACT_ENTRY_CONTEXT_CUT;
    if (is_cut != (y->kind == COMPACT_ENTRY_CONTEXT_CUT)) {
        return !is_cut;
    }
    if (x->begin != y->begin && !is_cut) { // the inner context first
        return x->begin > y->begin;
    }
    return x->kind != y->kind ? x->kind < y->kind : x->index < y->index;
}

static inline bool
is_before(const compact_entry *x, const compact_entry *y)
{
    return x->commit != y->commit ? x->commit < y->commit : is_before_at_tie(x, y);
}

static void
sort_small(compact_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (!is_before(&entries[i], &entries[i - 1])) {
            continue;
        }
        compact_entry moved = entries[i];
        size_t at = i;
        while (at > 0 && is_before(&moved, &entries[at - 1])) {
            entries[at] = entries[at - 1];
            at--;
        }
        entries[at] = moved;
    }
}

// merge joins the ordered halves of entries; spare has room for the first of them.
static void
merge(compact_entry *entries, size_t middle, size_t count, compact_entry *spare)
{
    memcpy(spare, entries, middle * sizeof(*entries));
    size_t left = 0;
    size_t right = middle;
    size_t to = 0;
    while (left < middle && right < count) {
        bool takes_right = is_before(&entries[right], &spare[left]);
        entries[to++] = takes_right ? entries[right++] : spare[left++];
    }
    memcpy(entries + to, spare + left, (middle - left) * sizeof(*entries));
}

void
compact_order_sort(compact_entry *entries, size_t count, compact_entry *spare)
{
    if (count <= SMALL_COUNT) {
        sort_small(entries, count);
        return;
    }
    size_t middle = count / 2;
    compact_order_sort(entries, middle, spare);
    compact_order_sort(entries + middle, count - middle, spare);
    if (is_before(&entries[middle], &entries[middle - 1])) {
        merge(entries, middle, count, spare);
    }
}
