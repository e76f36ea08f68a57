// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/order.h"

#include "common/base/lp_sort.h"

#include <stdbool.h>

// is_before_at_tie is is_before for equal commit times.
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

LP_SORT_DEFINE(sort_entries, compact_entry, is_before)

void
compact_order_sort(compact_entry *entries, size_t count, compact_entry *spare)
{
    sort_entries(entries, count, spare);
}
