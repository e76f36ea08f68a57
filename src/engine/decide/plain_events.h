// SPDX-License-Identifier: Apache-2.0
// plain_events: which of the events that are no contexts are kept, in the chunk and among those
// that the next chunk stores and that belong into this one.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/unit/engine/contexts/test_filter.c

#ifndef LP_ENGINE_DECIDE_PLAIN_EVENTS_H
#define LP_ENGINE_DECIDE_PLAIN_EVENTS_H

#include "engine/decide/decider.h"

// compact_plain_events_find_early lists the rows of the chunks behind, contextual ones as well,
// that are decided with this one, and finds d->asked_of_all. Errors: as of d->arena
void compact_plain_events_find_early(compact_decider *d);

// compact_plain_events_decide sets the fates of plain events and early_is_kept. Only throttles may
// drop some of those that are kept then. Errors: as of d->arena
void compact_plain_events_decide(compact_decider *d);

#endif // LP_ENGINE_DECIDE_PLAIN_EVENTS_H
