// SPDX-License-Identifier: Apache-2.0
// context_throttle: which of the contexts that matter so far go on to, by the setting
// context-throttle of their types: a sample (sampler.h) in the order of their ends, over all
// threads.
//
// A context that is open where a chunk ends has to be judged before its end is in order. It
// matters, and counts in the sample when it ends.
//
// Threads: one thread at a time.
// Memory:  36 bytes for each context of such a type that ends in the chunk, and one for each
//          contextual event; nothing where no type has the setting.

#ifndef LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
#define LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H

#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/clock.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decide.h"
#include "engine/read/view.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct compact_context_throttle_input {
    compact_view *view;
    const compact_view *ahead;  // the next chunk, or NULL
    const policy *rules;        // or NULL
    const ctx_type *types;      // of contexts
    size_t type_count;          // up to CTX_TYPES_MAX
    const compact_carry *carry; // or NULL
    const compact_clock *clock;
    compact_window window;
    compact_contexts *contexts; // of the API, as compact_worth_judge leaves them
    compact_throttles *quotas;  // those of carry, which move on
} compact_context_throttle_input;

// compact_context_throttle_judge takes the contextual events that do not matter out of in->view,
// counting them as dropped, and says in *out_ahead_is_ignored which of in->ahead do not (parallel
// to its spans; NULL: none). Of contexts of the API it sets standing, and of those that do not
// matter is_ignored and ignored_by.
//
// Owns:   the caller frees *out_ahead_is_ignored, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_context_throttle_judge(
    const compact_context_throttle_input *in, bool **out_ahead_is_ignored);

#endif // LP_ENGINE_DECIDE_CONTEXT_THROTTLE_H
