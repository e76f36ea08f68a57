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
#include "common/base/lp_vec.h"
#include "engine/carry/carry.h"
#include "engine/frame.h"

#include <stdint.h>

// A part of a context that is kept, ends inclusive.
typedef struct compact_part {
    uint32_t context; // indexes contexts->items
    int64_t begin;
    int64_t end;
} compact_part;

typedef LP_VEC(compact_part) compact_parts;

// What the steps of deciding make of a frame, beside the fates of its rows and the new carry. A
// zeroed one is empty.
typedef struct compact_decided {
    bool *ahead_is_ignored; // parallel to frame->ahead->spans: does not matter; NULL: none
    compact_parts parts;    // in the order of frame->contexts
    const ctx_type *types;  // parallel to frame->types, as the output describes them; borrowed
    compact_dropped *contexts_gone; // parallel to frame->types: those of which it is known now that
                                    // they are dropped
} compact_decided;

void compact_decided_fini(compact_decided *decided);

// compact_decide sets the fate of every row of frame->view that has none yet (what stays
// COMPACT_UNDECIDED is dropped), and fills decided->parts, which is empty before. What the samples
// stand for that are kept is in frame->view->weights. In new_carry throttles and weights move on,
// and past, which is empty before, gets what frame->carry has with frame->view.
//
// Errors: LP_ENOMEM
// Memory: 8 bytes for each plain event that is kept on a thread, and for each contextual one on
//         threads whose contexts may cross; 24 for each context where they do; 64 for each context
//         if events are selected by context; what new_carry->past has
LP_MUST_USE lp_err compact_decide(
    const compact_frame *frame, compact_carry *new_carry, compact_decided *decided);

#endif // LP_ENGINE_DECIDE_DECIDE_H
