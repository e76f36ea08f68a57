// SPDX-License-Identifier: Apache-2.0
// context_throttle: drops the contexts that the setting context-throttle of their types rejects. A
// sample (sampler.h) of each type matters, taken in the order of their ends, over all threads.
//
// A context that ends behind frame->judged matters at once, and counts in the sample when it ends.
//
// The events of a view that compact_view_open_chosen opened were judged when they were read.
//
// Threads: one thread at a time.
// Memory:  36 bytes for each context of such a type that ends in the chunk, and 1 for each
//          contextual event; none if no type has the setting.

#ifndef LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
#define LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H

#include "common/base/lp_arena.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/sample/throttles.h"

// compact_context_throttle_judge removes the contextual events that do not matter from frame->view,
// counts them as dropped, and sets decided->ahead_is_ignored. It sets standing of contexts, and
// is_ignored and ignored_by where one does not matter. contexts are the frame's, after
// compact_worth_judge. It updates quotas, the new carry's. arena is the chunk's.
//
// Errors: as of arena
void compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided);

#endif // LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
