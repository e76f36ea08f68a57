// SPDX-License-Identifier: Apache-2.0
// decided: the result of deciding a frame.
//
// Threads: plain values.
// Tests:   tests/unit/engine/decide/test_decide.c

#pragma once

#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "engine/read/rows.h"
#include "engine/reason.h"
#include "engine/requests/requests.h"

#include <stdbool.h>
#include <stdint.h>

// A kept part of a context. begin and end are inclusive.
typedef struct compact_part {
    uint32_t context; // indexes frame->contexts->items
    int64_t begin;
    int64_t end;
} compact_part;

typedef LP_VEC(compact_part) compact_parts;

// compact_parts_find returns the part of a context; NULL if it has none. Ask for contexts in
// ascending order, with the same *next, which starts at 0.
static inline const compact_part *
compact_parts_find(const compact_parts *parts, size_t *next, size_t context)
{
    while (*next < parts->count && parts->items[*next].context < context) {
        ++*next;
    }
    bool has_part = *next < parts->count && parts->items[*next].context == context;
    return has_part ? &parts->items[*next] : NULL;
}

typedef struct compact_rollup_tally compact_rollup_tally; // job/rollup/rollup_tally.h

// The result, apart from the fates of rows and the new carry. {0} is empty. parts is owned; all
// other members are borrowed from the chunk's arena or the new carry.
typedef struct compact_decided {
    // By frame->aheads, parallel to the spans of each: the span does not matter. NULL: all matter.
    const bool *const *ahead_is_ignored;
    compact_parts parts;                  // in the order of frame->contexts
    const ctx_type *types;                // parallel to frame->types, as the output describes them
    const compact_dropped *contexts_gone; // by frame->types: contexts now known to be dropped
    uint64_t late_contexts;               // compact_late_contexts_count
    const compact_requests *requests;     // NULL: requests are off
    const compact_hand_over *hand_overs;  // requests->waits index them
    compact_rollup_tally *tally;          // of some requests, for their statistics; NULL: none
    const bool *are_tallied;   // by requests: tally has them; NULL: only others are in tally
    const bool *also_requests; // by requests: written, kept or not (also.h); NULL: only kept ones
    bool has_asked;            // as in compact_stats
    // The members of view->kept_spans in which an event was kept; NULL: all. The other kept spans
    // are kept only for their requests, and trigger nothing.
    const compact_span *triggers;
    size_t trigger_count;
} compact_decided;

// compact_decided_writes returns whether the output has the events that describe a request.
static inline bool
compact_decided_writes(const compact_decided *decided, size_t request)
{
    return decided->requests->items.items[request].is_kept ||
           (decided->also_requests != NULL && decided->also_requests[request]);
}

// compact_decided_matters_ahead returns whether a contextual event of a later chunk matters.
static inline bool
compact_decided_matters_ahead(const compact_decided *decided, size_t ahead, size_t span)
{
    return decided->ahead_is_ignored == NULL || !decided->ahead_is_ignored[ahead][span];
}
