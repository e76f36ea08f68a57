// SPDX-License-Identifier: Apache-2.0

// order: the order in which the contexts of a thread are decided.
//
// Threads: any thread; pure functions.

#ifndef LP_ENGINE_CONTEXTS_ORDER_H
#define LP_ENGINE_CONTEXTS_ORDER_H

#include <stddef.h>
#include <stdint.h>

// What an entry in the order of a thread stands for.
typedef enum compact_entry_kind {
    COMPACT_ENTRY_TRIGGER,     // a contextual event of an earlier chunk that was kept
    COMPACT_ENTRY_EVENT,       // a contextual event of the chunk
    COMPACT_ENTRY_EVENT_AHEAD, // a contextual event that is stored in a later chunk
    COMPACT_ENTRY_CONTEXT,     // a context of the Loupe API that ends in the window
    COMPACT_ENTRY_CONTEXT_CUT, // one that goes on after it
} compact_entry_kind;

typedef struct compact_entry {
    int64_t commit;
    int64_t begin;
    uint32_t index; // the caller's
    compact_entry_kind kind;
} compact_entry;

// compact_order_sort sorts the entries of one thread by commit time. At equal times the entry that
// began later (the inner one) comes first, and contexts that the window cuts off come last; then
// kind and index decide. No two entries are equal. spare has room for half of them.
//
// Cost: linear for entries that come in order, as most do; n log n else
void compact_order_sort(compact_entry *entries, size_t count, compact_entry *spare);

#endif // LP_ENGINE_CONTEXTS_ORDER_H
