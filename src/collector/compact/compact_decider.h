// SPDX-License-Identifier: Apache-2.0
// compact_decider: what compact_decide works with, for the steps that have files of their own.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_DECIDER_H
#define LP_COLLECTOR_COMPACT_COMPACT_DECIDER_H

#include "collector/compact/compact_cover.h"
#include "collector/compact/compact_decide.h"
#include "collector/compact/compact_moments.h"
#include "collector/compact/compact_threads.h"

typedef LP_VEC(uint32_t) compact_rows; // indexes plain or spans of a view, ascending

typedef struct compact_decider {
    const compact_decide_input *in;
    int64_t limit;          // what is stored ahead matters up to here
    lp_map threads;         // identity to a number, for threads on which there is a context
    uint32_t *view_threads; // parallel to view->threads: number, or LP_MAP_NONE
    uint32_t *ahead_threads;
    compact_rows early_plain; // which rows of ahead are committed up to limit
    compact_rows early_spans;
    compact_cover cover;
    compact_moments plain; // by thread number: when plain events were kept
    compact_moments kept;  // the same for contextual events that plain ones triggered
    bool *is_crossed;      // by thread number: its contexts have to be decided in order
    bool has_crossed;      // some thread is
    compact_parts *parts;
} compact_decider;

static inline uint32_t
compact_decider_number(const uint32_t *numbers, uint32_t thread)
{
    return thread == COMPACT_NO_THREAD ? LP_MAP_NONE : numbers[thread];
}

static inline uint32_t
compact_decider_number_context(const compact_decider *d, const compact_context *context)
{
    return lp_map_find(&d->threads, compact_identity_java(context->thread_id));
}

// A context of the Loupe API as far as it lies in the window. False if none of it does.
typedef struct compact_clipped {
    int64_t begin; // as it was
    int64_t end;
    bool is_cut; // it goes on behind the window
} compact_clipped;

static inline bool
compact_decider_clip(
    const compact_decider *d, const compact_context *context, compact_clipped *out_clipped)
{
    int64_t hi = d->in->window.hi;
    bool is_cut = context->end >= hi;
    *out_clipped = (compact_clipped){context->begin, is_cut ? hi - 1 : context->end, is_cut};
    return context->begin < hi && context->end >= context->begin;
}

// compact_decider_keep_part notes the part of context index that lies in the window if the last
// event up to its end was kept in it. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_decider_keep_part(
    compact_decider *d, uint32_t index, int64_t begin, int64_t end, int64_t last_kept);

// compact_decider_decide_crossed decides the contexts of the threads that are crossed, one after
// the other in the order of their ends. Errors: LP_ENOMEM
// Memory: 24 bytes for each of them
LP_MUST_USE lp_err compact_decider_decide_crossed(compact_decider *d);

#endif // LP_COLLECTOR_COMPACT_COMPACT_DECIDER_H
