// SPDX-License-Identifier: Apache-2.0
// worth: which contexts of the Loupe API matter, by the settings contextual, context-threshold and
// context-match of their types. One that does not is not kept, and is no context to events that
// need one. They are asked once it is known where the chunk ends; contextual events were asked
// before (worth_event.h).
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_DECIDE_WORTH_H
#define LP_ENGINE_DECIDE_WORTH_H

#include "common/base/lp_arena.h"
#include "engine/contexts/contexts.h"
#include "engine/frame.h"

// compact_worth_judge sets is_ignored and ignored_by of the contexts that do not matter, and
// is_unmeasured of those that are open where the window begins or ends. contexts are those of
// frame.
//
// Errors: as of arena
// Cost:   nothing that depends on contexts where no type of them has these settings
void compact_worth_judge(const compact_frame *frame, compact_contexts *contexts, lp_arena *arena);

#endif // LP_ENGINE_DECIDE_WORTH_H
