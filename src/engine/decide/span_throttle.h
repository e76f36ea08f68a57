// SPDX-License-Identifier: Apache-2.0
// span_throttle: which contextual events their throttles keep.
//
// Whether an event is offered to its throttle may depend on whether others are kept. So events are
// decided one by one. r is the room that is left in the slot, and c the number of events that are
// certain to follow in it: they need no trigger, or a plain event triggers them. An event is kept
// with the chance r / (c + 1). If all events are certain, this is a sample in which each has the
// same chance (Knuth's algorithm S). Other events take part when they are triggered.
//
// Call init, then add for each undecided contextual event in the order of decisions, then keep for
// each in the same order.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/sample/test_throttles.c, tests/prop/test_throttle_prop.c
// Memory:  8 bytes for each event, 56 for each slot of each type.

#pragma once

#include "engine/decide/decider.h"
#include "engine/sample/chance.h"

#include <stdbool.h>
#include <stdint.h>

// A slot of a throttle.
typedef struct compact_span_slot {
    int64_t number;
    int64_t end_ticks;
    uint32_t throttle;
    uint32_t certain; // certain events that are not decided yet
    uint64_t room;    // once it is open: how many more it keeps
    compact_chance chance;
    bool is_open;
} compact_span_slot;

typedef struct compact_span_turn {
    uint32_t type : 29;
    uint32_t is_throttled : 1;
    uint32_t is_untriggered : 1; // it needs no trigger
    uint32_t is_certain : 1;
    uint32_t slot; // indexes slots; LP_MAP_NONE: this chunk does not decide its slot
} compact_span_turn;

typedef struct compact_span_throttle {
    compact_decider *d;
    LP_VEC(compact_span_slot) slots;
    compact_span_turn *turns;
    size_t count;      // of turns
    size_t next;       // indexes turns
    uint32_t *current; // by throttle: one more than the index of its last slot; 0: none
} compact_span_throttle;

// compact_span_throttle_init makes a throttle for up to event_count events, in d->arena. Errors: as
// of d->arena
void compact_span_throttle_init(
    compact_span_throttle *throttle, compact_decider *d, size_t event_count);

// compact_span_throttle_add adds an event. chunk is as in compact_offer; is_triggered is whether a
// plain event triggers it. Errors: as of d->arena
void compact_span_throttle_add(
    compact_span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered);

// compact_span_throttle_offer offers an event to its throttle, and returns whether that keeps it.
// Errors: as of d->arena
bool compact_span_throttle_offer(compact_span_throttle *throttle, const compact_span_turn *turn,
    const compact_span *span, uint32_t chunk);

// compact_span_throttle_keep returns whether the next event is kept. Errors: as of d->arena
static inline bool
compact_span_throttle_keep(
    compact_span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered)
{
    const compact_span_turn *turn = &throttle->turns[throttle->next++];
    return turn->is_throttled && (is_triggered || turn->is_untriggered)
               ? compact_span_throttle_offer(throttle, turn, span, chunk)
               : is_triggered;
}
