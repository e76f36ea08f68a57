// SPDX-License-Identifier: Apache-2.0
// event_throttle: runs the throttles of plain events, and weighs samples of allocations.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/sample/test_throttles.c, tests/prop/test_throttle_prop.c

#pragma once

#include "engine/decide/decider.h"

#include <stdbool.h>
#include <stdint.h>

// An event that passed all settings but its throttle, or a sample made of such an event.
typedef struct compact_offer {
    int64_t commit;
    uint32_t offset;        // in its chunk
    uint32_t index;         // of its row; only the caller uses it
    uint32_t type;          // it has a throttle, unless this is a sample
    uint32_t chunk : 31;    // 0: the chunk that is decided; n: the nth after it
    uint32_t is_sample : 1; // an allocation sample
} compact_offer;

// compact_offer_view returns the view of a chunk; chunk is as in compact_offer, here and below.
static inline const compact_view *
compact_offer_view(const compact_decider *d, uint32_t chunk)
{
    return chunk == 0 ? d->view : d->frame->aheads[chunk - 1].view;
}

// compact_offer_throttle returns the index of a type's throttle; LP_MAP_NONE if it has none.
static inline uint32_t
compact_offer_throttle(const compact_decider *d, uint32_t chunk, uint32_t type)
{
    return (chunk == 0 ? d->view_throttles : d->aheads[chunk - 1].throttles)[type];
}

typedef enum compact_turn {
    COMPACT_TURN_NOW,     // this chunk decides the event, together with its whole slot
    COMPACT_TURN_KEPT,    // it is kept
    COMPACT_TURN_DROPPED, // it is dropped, or another chunk decides it
} compact_turn;

// compact_event_throttle_find finds the throttles of all types. Errors: in d->arena
void compact_event_throttle_find(compact_decider *d);

// compact_event_throttle_is_now returns whether an event's turn is COMPACT_TURN_NOW.
static inline bool
compact_event_throttle_is_now(const compact_decider *d, const compact_offer *offer)
{
    const compact_frame *frame = d->frame;
    return compact_window_has(&frame->sampled, offer->commit) &&
           (offer->chunk == 0 || compact_frame_is_in_time(frame, &frame->sampled,
                                     compact_offer_view(d, offer->chunk)->info.start_ticks));
}

// compact_event_throttle_turn looks up an earlier chunk's decision on an event, and decides an
// event that came too late for its slot. Errors: in d->arena
compact_turn compact_event_throttle_turn(compact_decider *d, const compact_offer *offer);

// compact_event_throttle_settle notes a decision on an event: in the carry-over if a later chunk
// stores the event, else in the statistics. Errors: in d->arena
void compact_event_throttle_settle(compact_decider *d, const compact_offer *offer, bool is_kept);

// compact_event_throttle_plain runs the throttles of the plain events that are kept so far, and
// computes the weights of samples.
//
// Errors: in d->arena
// Memory: 48 bytes for each plain event that is throttled or a sample
void compact_event_throttle_plain(compact_decider *d);
