// SPDX-License-Identifier: Apache-2.0
// recorded: RecordingContext events of the input (Loupe's own output), read back so that
// filters can test them.
//
// Such an event has a text for each key of its session; the key is the label of the field, or its
// name where it has no label. Null means that the context does not have the key, or that the key
// was bound to null: the event does not show which.
//
// A collector's sessions have no such events, so carry-overs are saved without them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  for each event a copy of its entries, and 64 bytes.

#ifndef LP_ENGINE_READ_RECORDED_H
#define LP_ENGINE_READ_RECORDED_H

#include "common/base/lp_arena.h"
#include "common/context/ctx_recording.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_recorded_item {
    uint64_t thread; // identity
    int64_t begin;   // ticks; both ends belong to it
    int64_t end;
    ctx_recording map;
} compact_recorded_item;

// With an arena, and nothing else, it is empty.
typedef struct compact_recorded {
    lp_arena *arena; // of the items and their maps; fails where memory runs out
    LP_VEC(compact_recorded_item) items;
} compact_recorded;

// compact_recorded_is_type returns whether the events of a type are RecordingContexts.
bool compact_recorded_is_type(const jfr_metadata *metadata, uint32_t type);

// compact_recorded_read adds the RecordingContexts of view->installed. identities are parallel to
// view->threads.
void compact_recorded_read(
    const compact_view *view, const uint64_t *identities, compact_recorded *recorded);

// compact_recorded_copy adds to out the items that end at or after end_min.
void compact_recorded_copy(
    const compact_recorded *recorded, int64_t end_min, compact_recorded *out);

#endif // LP_ENGINE_READ_RECORDED_H
