// SPDX-License-Identifier: Apache-2.0
// decided: what the steps of deciding make of a frame, beside the fates of its rows and the new
// carry.
//
// Threads: any thread; values without a state of their own.
// Tests:   tests/unit/engine/decide/test_decide.c

#ifndef LP_ENGINE_DECIDE_DECIDED_H
#define LP_ENGINE_DECIDE_DECIDED_H

#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "engine/read/rows.h"
#include "engine/reason.h"
#include "engine/requests/requests.h"

#include <stdbool.h>
#include <stdint.h>

// A part of a context that is kept, ends inclusive.
typedef struct compact_part {
    uint32_t context; // indexes frame->contexts->items
    int64_t begin;
    int64_t end;
} compact_part;

typedef LP_VEC(compact_part) compact_parts;

// A zeroed one is empty. All but parts is borrowed from the chunk's arena or the new carry.
typedef struct compact_decided {
    // By frame->aheads, parallel to the spans of each: does not matter; NULL: all of them do.
    const bool *const *ahead_is_ignored;
    compact_parts parts;                  // in the order of frame->contexts
    const ctx_type *types;                // parallel to frame->types, as the output describes them
    const compact_dropped *contexts_gone; // parallel to frame->types: the contexts of which it is
                                          // known now that they are dropped
    uint64_t late_contexts;               // late_contexts.h
    const compact_requests *requests;     // NULL: nobody asked for them
    const compact_hand_over *hand_overs;  // to which requests->waits refer
    // Of view->kept_spans those in which something happened; NULL: all of them. The others are kept
    // for their requests, and trigger nothing.
    const compact_span *triggers;
    size_t trigger_count;
} compact_decided;

// compact_decided_matters_ahead returns whether a contextual event of a chunk behind matters.
static inline bool
compact_decided_matters_ahead(const compact_decided *decided, size_t ahead, size_t span)
{
    return decided->ahead_is_ignored == NULL || !decided->ahead_is_ignored[ahead][span];
}

#endif // LP_ENGINE_DECIDE_DECIDED_H
