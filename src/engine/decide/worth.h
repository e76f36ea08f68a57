// SPDX-License-Identifier: Apache-2.0
// worth: which contexts of the Loupe API matter, by the settings contextual, context-threshold and
// context-match of their types. A context that does not matter is dropped, and is no context for
// events that need one. Contextual events are judged when they are read (worth_event.h), contexts
// when the end of the chunk is known.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_DECIDE_WORTH_H
#define LP_ENGINE_DECIDE_WORTH_H

#include "common/base/lp_arena.h"
#include "engine/contexts/contexts.h"
#include "engine/frame.h"

// compact_worth_judge sets is_ignored and ignored_by of the contexts that do not matter, and
// is_unmeasured of contexts that are open at the begin or end of the window. contexts are the
// frame's.
//
// Errors: as of arena
// Cost:   O(types) if no type has these settings, else O(contexts)
void compact_worth_judge(const compact_frame *frame, compact_contexts *contexts, lp_arena *arena);

#endif // LP_ENGINE_DECIDE_WORTH_H
