// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/order.h"

#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"

#include <stdbool.h>

// At equal commit times.
static bool
is_before_at_tie(const compact_entry *x, const compact_entry *y)
{
    bool is_cut = x->kind == COMPACT_ENTRY_CONTEXT_CUT;
    int order = LP_ORDER(is_cut, y->kind == COMPACT_ENTRY_CONTEXT_CUT)
                    ?: (is_cut ? 0 : LP_ORDER(y->begin, x->begin)) // the inner context first
                    ?: LP_ORDER(x->kind, y->kind) ?: LP_ORDER(x->index, y->index);
    return order < 0;
}

LP_SORT_BY(sort_entries, compact_entry,
    x->commit != y->commit ? x->commit < y->commit : is_before_at_tie(x, y))

void
compact_order_sort(compact_entry *entries, size_t count, compact_entry *spare)
{
    sort_entries(entries, count, spare);
}
