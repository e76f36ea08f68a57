// SPDX-License-Identifier: Apache-2.0
// tail_events: counts events of some types in the bytes that the tail returns, and the time in
// which they were recorded.
//
// Behind its header a chunk is a run of events. Each begins with its size in bytes, itself
// included, and its type id, as varints (jfr_varint.h). A piece may end anywhere in an event.
// Events count with the next header behind them, which says how much time has passed: so the rate
// is right also if minutes are read at once. Bytes that are read again count once. After a damaged
// size nothing counts up to the next header.
//
// Threads: feed on one at a time; watch and get on any, at any time.

#pragma once

#include "agent/tail/tail.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum { TAIL_EVENTS_TYPES_MAX = 16 };

typedef struct tail_events tail_events;

typedef struct tail_events_counts {
    uint64_t events;       // of watched types
    int64_t recorded_ns;   // in which they were recorded
    int64_t until_wall_ns; // end of that time, by the clock of the chunk; 0: nothing counted yet
} tail_events_counts;

// Watches no type. NULL if memory ran out.
tail_events *tail_events_create(void);
void tail_events_destroy(tail_events *events);

// Counts these types, at most TAIL_EVENTS_TYPES_MAX, instead of the previous ones; 0: none, which
// costs nothing. Takes effect with the next header or chunk.
void tail_events_watch(tail_events *events, const uint64_t *types, size_t count);

// Takes a piece that tail_next returned, with its bytes.
void tail_events_feed(tail_events *events, const tail_piece *piece, lp_slice bytes);

// Returns the counts since tail_events_create.
tail_events_counts tail_events_get(tail_events *events);
