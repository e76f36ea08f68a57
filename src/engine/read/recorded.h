// SPDX-License-Identifier: Apache-2.0
// recorded: RecordingContext events of the input (written by Loupe), which filters test.
//
// Such an event has a text field for each key of its session. The key is the label of the field, or
// its name if it has no label. Null means that the context lacks the key or bound it to null.
//
// Sessions of a collector have no such events, so saved carry-overs do not hold them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  for each event a copy of its entries, and 64 bytes.

#pragma once

#include "common/base/lp_arena.h"
#include "common/context/ctx_recording.h"
#include "engine/read/rows.h"

#include <stdint.h>

typedef struct compact_recorded_item {
    uint64_t thread; // identity
    int64_t begin;   // ticks, inclusive
    int64_t end;
    ctx_recording map;
} compact_recorded_item;

// If only arena is set, it is empty.
typedef struct compact_recorded {
    lp_arena *arena; // of items and maps; fails if memory runs out
    LP_VEC(compact_recorded_item) items;
} compact_recorded;

// compact_recorded_read adds the events of view->installed. identities are parallel to
// view->threads.
void compact_recorded_read(
    const compact_view *view, const uint64_t *identities, compact_recorded *recorded);

// compact_recorded_copy copies the items that end at or after end_min (ticks) to out.
void compact_recorded_copy(
    const compact_recorded *recorded, int64_t end_min, compact_recorded *out);
