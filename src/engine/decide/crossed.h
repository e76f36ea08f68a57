// SPDX-License-Identifier: Apache-2.0
// crossed: decides the contexts of threads on which contexts cross, in the order of their ends. If
// contextual events are throttled, it decides all threads together.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/prop/test_compact_prop.c

#ifndef LP_ENGINE_DECIDE_CROSSED_H
#define LP_ENGINE_DECIDE_CROSSED_H

#include "engine/decide/decider.h"

// compact_crossed_decide sets the fates of the contextual events of these threads, and adds the
// parts of their contexts.
//
// Errors: as of d->arena
// Memory: 24 bytes for each contextual event and context; 24 more if events are throttled
void compact_crossed_decide(compact_decider *d);

#endif // LP_ENGINE_DECIDE_CROSSED_H
