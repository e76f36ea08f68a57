// SPDX-License-Identifier: Apache-2.0
// context_throttle: drops the contexts that the setting context-throttle of their types rejects:
// what matters is a sample (sampler.h) of each type, in the order of their ends, over all threads.
//
// A context that ends later than is known (frame->judged) has to be judged before. It matters, and
// counts in the sample when it ends.
//
// Events of a view that has chosen ones were decided before they got a row (worth_event.h).
//
// Threads: one thread at a time.
// Memory:  36 bytes for each context of such a type that ends in the chunk, and one for each
//          contextual event; nothing where no type has the setting.

#ifndef LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
#define LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H

#include "common/base/lp_arena.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/sample/throttles.h"

// compact_context_throttle_judge removes the contextual events that do not matter from frame->view,
// counting them as dropped, and sets decided->ahead_is_ignored. Of contexts, which are those of
// frame as compact_worth_judge leaves them, it sets standing, and of those that do not matter
// is_ignored and ignored_by. quotas are those of the new carry, and move on. arena is the chunk's.
//
// Errors: as of arena
void compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided);

#endif // LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
