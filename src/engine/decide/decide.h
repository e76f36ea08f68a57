// SPDX-License-Identifier: Apache-2.0
// decide: which events and contexts of one chunk are kept. A pure function of rows.
//
// It works on a window of ticks, [lo, hi): from where the chunk before was cut to where the next
// chunk begins. Events are decided with the chunk in which they are stored. Contexts of the Loupe
// API are clipped to the window: a part is kept if an event was kept within it.
//
// Threads: any thread.

#ifndef LP_ENGINE_DECIDE_DECIDE_H
#define LP_ENGINE_DECIDE_DECIDE_H

#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"

// compact_decide sets the fate of every row of frame->view that has none yet (what stays
// COMPACT_UNDECIDED is dropped), and fills decided->parts, which is empty before. What the samples
// stand for that are kept is in frame->view->weights. In new_carry throttles and weights move on,
// and past, which is empty before, gets what frame->carry has with frame->view.
//
// Errors: LP_ENOMEM
// Memory: 8 bytes for each plain event that is kept on a thread, and for each contextual one on
//         threads whose contexts may cross; 24 for each context where they do, and for each
//         that may be kept where contextual events are throttled; 64 for each context
//         if events are selected by context; what new_carry->past has
LP_MUST_USE lp_err compact_decide(
    const compact_frame *frame, compact_carry *new_carry, compact_decided *decided);

#endif // LP_ENGINE_DECIDE_DECIDE_H
