// SPDX-License-Identifier: Apache-2.0
// event_throttle: events that passed everything else and are throttled, and samples.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/sample/test_throttles.c, tests/prop/test_throttle_prop.c

#ifndef LP_ENGINE_DECIDE_EVENT_THROTTLE_H
#define LP_ENGINE_DECIDE_EVENT_THROTTLE_H

#include "engine/decide/decider.h"

#include <stdbool.h>
#include <stdint.h>

// An event, or a sample made of one, that passed everything but its throttle.
typedef struct compact_offer {
    int64_t commit;
    uint32_t offset; // in its chunk
    uint32_t index;  // of its row; its meaning belongs to the caller
    uint32_t type;   // which has a throttle, but for samples
    uint32_t chunk;  // 0: the one that is decided; n: the nth behind it
    bool is_sample;
} compact_offer;

// compact_offer_view returns the view of a chunk, as in compact_offer.
static inline const compact_view *
compact_offer_view(const compact_decider *d, uint32_t chunk)
{
    return chunk == 0 ? d->view : d->frame->aheads[chunk - 1].view;
}

// compact_offer_throttles returns the throttles of a chunk's types.
static inline const uint32_t *
compact_offer_throttles(const compact_decider *d, uint32_t chunk)
{
    return chunk == 0 ? d->view_throttles : d->aheads[chunk - 1].throttles;
}

// compact_event_throttle_find finds the throttles of all types. Errors: as of d->arena
void compact_event_throttle_find(compact_decider *d);

// compact_event_throttle_keep decides on an event that is offered to its throttle, and counts it if
// it is dropped. The events of a throttle are offered in the order of decisions. A sample that is
// kept gets its weight. Errors: as of d->arena
bool compact_event_throttle_keep(compact_decider *d, const compact_offer *offer);

// compact_event_throttle_plain drops the plain events that are kept so far and that their throttle
// drops, and weighs samples.
//
// Errors: as of d->arena
// Memory: 32 bytes for each plain event that is throttled or a sample
void compact_event_throttle_plain(compact_decider *d);

#endif // LP_ENGINE_DECIDE_EVENT_THROTTLE_H
