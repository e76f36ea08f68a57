// SPDX-License-Identifier: Apache-2.0
// decide: which events and contexts of one chunk are kept. A pure function of rows.
//
// It decides a window of ticks, [lo, hi): from the end of the previous window to the begin of the
// next chunk. Events are decided with the chunk that stores them. Contexts of the Loupe API are
// clipped to the window: a part is kept if an event was kept within it.
//
// Threads: any thread.

#ifndef LP_ENGINE_DECIDE_DECIDE_H
#define LP_ENGINE_DECIDE_DECIDE_H

#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"

// compact_decide sets the fate of every row of frame->view that has none yet; rows that stay
// COMPACT_UNDECIDED are dropped. It fills decided->parts and new_carry->past, which are empty
// before, and view->weights: the bytes for which each kept sample stands. It updates throttles and
// weights of new_carry.
//
// Errors: LP_ENOMEM
// Memory: 8 bytes for each kept plain event, and for each contextual one on threads whose contexts
//         may cross; 24 for each context that crosses, and for each that a throttle may keep;
//         64 for each context if events are selected by context; that of new_carry->past
LP_MUST_USE lp_err compact_decide(
    const compact_frame *frame, compact_carry *new_carry, compact_decided *decided);

#endif // LP_ENGINE_DECIDE_DECIDE_H
