// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_account.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

compact_dropped
compact_account_of_type(const compact_view *view, uint32_t type, const compact_amount *kept)
{
    compact_dropped dropped = view->dropped[type];
    uint64_t known = kept->events + compact_dropped_sum(&dropped);
    LP_ASSERT(known <= view->amounts[type].events);
    dropped.by[COMPACT_BY_SELECT] += view->amounts[type].events - known;
    return dropped;
}

// was_over says whether context index was over already when the chunk began.
static bool
was_over(const compact_carry *carry, size_t index)
{
    return carry != NULL && index < carry->contexts.items.count &&
           carry->contexts.items.items[index].end < carry->border_ticks;
}

void
compact_account_contexts(const compact_contexts *known, const compact_context *judged,
    const compact_carry *carry, const compact_parts *parts, const compact_window *window,
    const ctx_type *types, size_t type_count, compact_dropped *out_by_type)
{
    size_t part = 0; // they come in the order of the contexts
    for (size_t i = 0; i < known->items.count; i++) {
        const compact_context *context = &known->items.items[i];
        while (part < parts->count && parts->items[part].context < i) {
            part++;
        }
        bool is_kept =
            context->is_written || (part < parts->count && parts->items[part].context == i);
        if (!is_kept && context->end < window->hi && !was_over(carry, i)) {
            size_t type = ctx_type_find(types, type_count, context->type_id);
            compact_reason reason = judged[i].is_ignored ? judged[i].ignored_by : COMPACT_BY_SELECT;
            out_by_type[type].by[reason]++;
        }
    }
}
