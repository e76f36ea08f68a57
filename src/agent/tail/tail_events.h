// SPDX-License-Identifier: Apache-2.0
// tail_events: counts events of some types in the bytes that the tail gives out, and how much time
// they were recorded in.
//
// Behind the header a chunk is a run of events, each with its size in bytes, itself included, and
// the id of its type as varints (jfr_varint.h). A piece may end anywhere in them. Events count with
// the next header behind them, which says how much time there was: the rate is right also where
// minutes are read at once. What is read again counts once. Where sizes are damaged nothing counts
// up to the next header.
//
// Threads: feed on one at a time; watch and get on any, at any time.

#ifndef LP_AGENT_TAIL_TAIL_EVENTS_H
#define LP_AGENT_TAIL_TAIL_EVENTS_H

#include "agent/tail/tail.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum { TAIL_EVENTS_TYPES_MAX = 16 };

typedef struct tail_events tail_events;

typedef struct tail_events_counts {
    uint64_t events;       // of watched types
    int64_t recorded_ns;   // that they were recorded in
    int64_t until_wall_ns; // up to when, by the clock of the chunk; 0: nothing was counted yet
} tail_events_counts;

// tail_events_create watches no type. NULL if memory ran out.
tail_events *tail_events_create(void);
void tail_events_destroy(tail_events *events);

// tail_events_watch has these types counted, TAIL_EVENTS_TYPES_MAX at most, in place of those
// before; 0: none, which costs nothing. The next header, or the next chunk, puts it into effect.
void tail_events_watch(tail_events *events, const uint64_t *types, size_t count);

// tail_events_feed takes a piece as tail_next gave it out, with its bytes.
void tail_events_feed(tail_events *events, const tail_piece *piece, lp_slice bytes);

// tail_events_get returns what was counted since tail_events_create.
tail_events_counts tail_events_get(tail_events *events);

#endif // LP_AGENT_TAIL_TAIL_EVENTS_H
