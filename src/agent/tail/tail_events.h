// SPDX-License-Identifier: Apache-2.0
// tail_events: counts events of some types in the bytes that the tail returns, and the time in
// which they were recorded.
//
// After its header a chunk is a sequence of events. Each begins with its size in bytes, which
// includes the size itself, and its type id, as varints (jfr_varint.h). A piece may end anywhere in
// an event. Events count when the JVM next rewrites their chunk's header, which says how much time
// has passed. So the rate is right even if the bytes of several minutes are read together. Bytes
// that are read again count once. After a damaged size no events count until the header is
// rewritten.
//
// Threads: tail_events_feed on one thread at a time; tail_events_watch and tail_events_get on any
//          thread, at any time.

#pragma once

#include "agent/tail/tail.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum { TAIL_EVENTS_TYPES_MAX = 16 };

typedef struct tail_events tail_events;

typedef struct tail_events_counts {
    uint64_t events;       // of watched types
    int64_t recorded_ns;   // time in which the events were recorded
    int64_t until_wall_ns; // end of recorded_ns, by the clock of the chunk; 0: nothing counted yet
} tail_events_counts;

// Watches no type. NULL if memory ran out.
tail_events *tail_events_create(void);
void tail_events_destroy(tail_events *events);

// Counts events of these types, at most TAIL_EVENTS_TYPES_MAX, instead of the previous ones. With a
// count of 0, counts none, at no cost. Takes effect when the header is rewritten, or with the next
// chunk.
void tail_events_watch(tail_events *events, const uint64_t *types, size_t count);

// Counts the events of a piece that tail_next returned, with its bytes.
void tail_events_feed(tail_events *events, const tail_piece *piece, lp_slice bytes);

// Returns the counts since tail_events_create.
tail_events_counts tail_events_get(tail_events *events);
