// SPDX-License-Identifier: Apache-2.0
// recorded: RecordingContext events of the input (Loupe's own output), read back so that
// filters can test them.
//
// Such an event has a text for each key of its session, whose name is the field's label or else the
// field's own. What is null there is a key that the context does not have: that it was bound to
// null cannot be told from that.
//
// A collector's sessions have none, so carry-overs are saved without them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  a copy of each one's entries, and 64 bytes

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

// One with nothing but an arena is empty.
typedef struct compact_recorded {
    lp_arena *arena; // of all of it; fails where memory runs out
    LP_VEC(compact_recorded_item) items;
} compact_recorded;

// compact_recorded_is_type returns whether the events of a type are RecordingContexts.
bool compact_recorded_is_type(const jfr_metadata *metadata, uint32_t type);

// compact_recorded_read adds those of view->installed. identities are parallel to view->threads.
void compact_recorded_read(
    const compact_view *view, const uint64_t *identities, compact_recorded *recorded);

// compact_recorded_copy adds to out those that end at or after end_min.
void compact_recorded_copy(
    const compact_recorded *recorded, int64_t end_min, compact_recorded *out);

#endif // LP_ENGINE_READ_RECORDED_H
