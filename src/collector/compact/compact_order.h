// SPDX-License-Identifier: Apache-2.0

// compact_order: the order in which what happens on a thread is decided.
//
// Threads: any thread; pure functions.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_ORDER_H
#define LP_COLLECTOR_COMPACT_COMPACT_ORDER_H

#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>

// What takes part in the order of one thread. A trigger's begin says whether it is plain.
typedef enum compact_item_kind {
    COMPACT_ITEM_TRIGGER,     // an event of an earlier chunk that was kept
    COMPACT_ITEM_ROW,         // a plain event of the chunk
    COMPACT_ITEM_ROW_AHEAD,   // a plain event stored in the next chunk that belongs before it
    COMPACT_ITEM_EVENT,       // a contextual event of the chunk
    COMPACT_ITEM_EVENT_AHEAD, // a contextual event that is stored in the next chunk
    COMPACT_ITEM_CONTEXT,     // a context of the Loupe API that ends in the window
    COMPACT_ITEM_CONTEXT_CUT, // one that goes on after it
} compact_item_kind;

typedef struct compact_item {
    int64_t commit;
    int64_t begin;
    uint32_t thread; // a small number
    uint32_t index;  // of what it stands for; its meaning belongs to the caller
    compact_item_kind kind;
} compact_item;

// compact_order_sort orders items by thread, and those of a thread by commit time; at equal times
// plain events come first, then contexts, the one that began later (the inner one) first, then what
// the window cuts off, then kind and index. No two items are equal.
//
// It replaces *items, which malloc made, by another array of the same size.
// Errors: LP_ENOMEM; *items is as before then
// Cost:   linear for items that come ordered per thread, as most do; n log n else
LP_MUST_USE lp_err compact_order_sort(compact_item **items, size_t count, size_t thread_count);

#endif // LP_COLLECTOR_COMPACT_COMPACT_ORDER_H
