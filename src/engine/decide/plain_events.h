// SPDX-License-Identifier: Apache-2.0
// plain_events: decides the events that are no contexts: the chunk's own, and events that later
// chunks store though they were committed in this one.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/unit/engine/contexts/test_filter.c

#ifndef LP_ENGINE_DECIDE_PLAIN_EVENTS_H
#define LP_ENGINE_DECIDE_PLAIN_EVENTS_H

#include "engine/decide/decider.h"

// compact_plain_events_find_early lists the rows of later chunks that are decided with this one,
// contextual ones too, and finds d->asked_of_all. Errors: as of d->arena
void compact_plain_events_find_early(compact_decider *d);

// compact_plain_events_decide sets the fates of plain events and early_is_kept. Only throttles drop
// events later. Errors: as of d->arena
void compact_plain_events_decide(compact_decider *d);

#endif // LP_ENGINE_DECIDE_PLAIN_EVENTS_H
