// SPDX-License-Identifier: Apache-2.0

// order: the order in which the contexts of a thread are decided. The window is that of the chunk
// (frame.h).
//
// Threads: any thread.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum compact_entry_kind {
    COMPACT_ENTRY_TRIGGER,     // a kept contextual event of an earlier chunk
    COMPACT_ENTRY_EVENT,       // a contextual event of the chunk
    COMPACT_ENTRY_EVENT_AHEAD, // a contextual event of a later chunk
    COMPACT_ENTRY_CONTEXT,     // a context of the Loupe API that ends in the window
    COMPACT_ENTRY_CONTEXT_CUT, // a context of the Loupe API that ends after the window
} compact_entry_kind;

typedef struct compact_entry {
    int64_t commit;
    int64_t begin;
    uint32_t index; // the caller's
    compact_entry_kind kind;
} compact_entry;

// compact_order_sort sorts the entries of one thread by commit time. At equal times, the inner
// entry, which began later, comes before the outer one, and contexts that the window cuts off come
// last. Entries that are still equal are sorted by kind and index, which no two share. spare has
// room for half of the entries.
//
// Cost: linear if the entries are already in order, as most are; else n log n
void compact_order_sort(compact_entry *entries, size_t count, compact_entry *spare);
