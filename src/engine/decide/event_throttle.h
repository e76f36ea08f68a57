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
    bool is_ahead;   // its chunk is the next one
    bool is_sample;
} compact_offer;

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
// Memory: 24 bytes for each plain event that is throttled or a sample
void compact_event_throttle_plain(compact_decider *d);

#endif // LP_ENGINE_DECIDE_EVENT_THROTTLE_H
