// SPDX-License-Identifier: Apache-2.0
// decider: what the steps of compact_decide share: threads by number, when plain events were kept
// on them in earlier chunks, and the parts of contexts.
//
// A step asks for the arena's error where it cannot go on; compact_decide does so after each step.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c

#ifndef LP_ENGINE_DECIDE_DECIDER_H
#define LP_ENGINE_DECIDE_DECIDER_H

#include "common/base/lp_arena.h"
#include "common/base/lp_map.h"
#include "engine/carry/identities.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/filters.h"
#include "engine/contexts/kept_times.h"
#include "engine/contexts/span_cover.h"
#include "engine/decide/decided.h"
#include "engine/decide/open_blocks.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/sample/throttles.h"

// A row of a chunk behind.
typedef struct compact_early_row {
    uint32_t ahead; // indexes frame->aheads
    uint32_t row;   // indexes plain or spans of its view
} compact_early_row;

typedef LP_VEC(compact_early_row) compact_early_rows; // ascending

typedef LP_VEC(uint32_t) compact_indexes;

// When plain events were kept on a thread in earlier chunks.
typedef struct compact_earlier {
    compact_times times;
    int64_t last; // of them; COMPACT_NEVER if there is none
} compact_earlier;

// What is found of a chunk behind.
typedef struct compact_decider_ahead {
    uint32_t *threads;   // parallel to its view's threads: number, or LP_MAP_NONE
    uint32_t *throttles; // as view_throttles
} compact_decider_ahead;

// The first and the last time of which is asked whether a context is there.
typedef struct compact_asked {
    int64_t first; // INT64_MAX and
    int64_t last;  // INT64_MIN, if nothing is asked
} compact_asked;

static const compact_asked compact_asked_nothing = {INT64_MAX, INT64_MIN};

// compact_asked_meets returns whether anything is asked of the time from begin to end.
static inline bool
compact_asked_meets(const compact_asked *asked, int64_t begin, int64_t end)
{
    return begin <= asked->last && end >= asked->first;
}

typedef struct compact_decider {
    lp_arena arena; // has all of the following that is made here, and all errors
    const compact_frame *frame;
    compact_view *view;
    compact_kept_times *past; // of the new carry, as what follows
    compact_throttles *throttles;
    uint64_t *pending_bytes;        // of allocations
    const compact_decided *decided; // the member ahead_is_ignored alone
    uint64_t gap_ticks; // a tick, or as many as make a nanosecond: see compact_decider_end_part
    lp_map threads;     // identity to number: of view's threads, and of those with contexts
    LP_VEC(uint64_t) identities;    // by thread number
    uint32_t *view_threads;         // parallel to view->threads: number, or LP_MAP_NONE
    compact_decider_ahead *aheads;  // parallel to frame->aheads
    compact_early_rows early_plain; // which rows of aheads are decided with this chunk
    compact_early_rows early_spans;
    bool *early_is_kept;  // parallel to early_plain
    compact_asked *asked; // by thread number, if selects_by_context: what cover is asked of it
    compact_asked asked_of_all;     // of all threads
    compact_span_cover cover;       // of these times
    compact_map_timeline installed; // if has_filters
    bool selects_by_context;        // the policy selects events by context
    bool has_filters;               // the policy or the JVM filters events
    bool throttles_plain;           // the policy throttles some type
    bool throttles_contexts;        // that is contextual
    bool offers_untriggered;        // some of these without a trigger
    bool makes_samples;             // of events of allocations
    bool samples; // frame->sampled is not empty; else throttles have chosen with an earlier chunk
    size_t early_hint;        // where an earlier chunk's decision was last looked for
    int64_t span_limit;       // contextual events that are stored later are decided up to
                              // here; so are plain ones,
    int64_t plain_limit;      // and samples and those that have a throttle up to here
    uint32_t *view_throttles; // by type of view: indexes throttles, or LP_MAP_NONE; NULL if
                              // there are none
    compact_earlier *earlier; // by thread number: when plain events were kept in earlier chunks,
    compact_moments plain;    // in this one,
    compact_moments early;    // and those that are early_plain
    int64_t early_spans_min;  // the first commit of early_spans; INT64_MAX if there is none
    int64_t early_min;        // the first of these; INT64_MAX if there is none
    compact_moments kept;     // when contextual events were kept that plain ones triggered
    bool *is_shared;          // by thread number: the view has two names of the thread
    int64_t *sure_from; // parallel to view->threads: a contextual event that begins later, and ends
                        // before early_min, has no plain events of which its fate does not tell
    int64_t *last_kept; // by thread number: when the last contextual event was kept of which
                        // reading the chunk did not know; COMPACT_NEVER if there is none
    // Which of the view's spans are kept, or offered to their throttle, whatever other contextual
    // events are, if throttles_contexts; ascending.
    compact_indexes listed;
    compact_indexes early_listed; // the same of early_spans; always
    compact_open_blocks open;
    size_t *kept_begins; // by block of view: where its kept_spans begin
    bool *may_cross;     // by thread number: its contexts have to be looked at for crossing
    bool has_to_look;    // some thread may cross
    bool *is_crossed;    // by thread number: its contexts have to be decided in order
    bool has_crossed;    // some thread is
    compact_parts *parts;
} compact_decider;

static inline uint32_t
compact_decider_number(const uint32_t *numbers, uint32_t thread)
{
    return thread == COMPACT_NO_THREAD ? LP_MAP_NONE : numbers[thread];
}

// compact_decider_early_plain returns the row of early_plain[index].
static inline const compact_plain *
compact_decider_early_plain(const compact_decider *d, size_t index)
{
    const compact_early_row *at = &d->early_plain.items[index];
    return &d->frame->aheads[at->ahead].view->plain.items[at->row];
}

static inline uint32_t
compact_decider_number_early_plain(const compact_decider *d, size_t index)
{
    const uint32_t *numbers = d->aheads[d->early_plain.items[index].ahead].threads;
    return compact_decider_number(numbers, compact_decider_early_plain(d, index)->thread);
}

// compact_decider_early_span returns the row of early_spans[index].
static inline const compact_span *
compact_decider_early_span(const compact_decider *d, size_t index)
{
    const compact_early_row *at = &d->early_spans.items[index];
    return &d->frame->aheads[at->ahead].view->spans.items[at->row];
}

static inline uint32_t
compact_decider_number_early_span(const compact_decider *d, size_t index)
{
    const uint32_t *numbers = d->aheads[d->early_spans.items[index].ahead].threads;
    return compact_decider_number(numbers, compact_decider_early_span(d, index)->thread);
}

static inline uint32_t
compact_decider_number_context(const compact_decider *d, const compact_context *context)
{
    return lp_map_find(&d->threads, compact_identity_java(context->thread_id));
}

// compact_decider_last_plain returns when the last plain event up to ticks was kept on a thread,
// COMPACT_NEVER if there is none.
static inline int64_t
compact_decider_last_plain(compact_decider *d, uint32_t thread, int64_t ticks)
{
    int64_t last = compact_moments_last(&d->plain, thread, ticks);
    if (last < d->earlier[thread].last) {
        int64_t earlier = compact_times_last(d->earlier[thread].times, ticks);
        last = earlier > last ? earlier : last;
    }
    if (ticks >= d->early_min) {
        int64_t early = compact_moments_last(&d->early, thread, ticks);
        last = early > last ? early : last;
    }
    return last;
}

// A context of the Loupe API up to where the window ends.
typedef struct compact_clipped {
    int64_t begin; // as it was
    int64_t end;
    bool is_cut; // it goes on behind the window
} compact_clipped;

// compact_decider_clip cuts a context off where the window ends. False if none of it lies in the
// window, or it does not matter.
static inline bool
compact_decider_clip(
    const compact_decider *d, const compact_context *context, compact_clipped *out_clipped)
{
    int64_t hi = d->frame->window.hi;
    bool is_cut = context->end >= hi;
    *out_clipped = (compact_clipped){context->begin, is_cut ? hi - 1 : context->end, is_cut};
    return !context->is_ignored && context->begin < hi && out_clipped->end >= context->begin &&
           out_clipped->end >= d->frame->window.lo;
}

// compact_decider_number_threads numbers the threads, but for those that only have contexts of
// which nothing is asked, and finds the earlier times of each. Errors: as of d->arena
void compact_decider_number_threads(compact_decider *d);

// compact_decider_keep_part notes the part of context index that lies in the window, if the last
// event that was kept up to its end, at last_kept, lies in that part. begin and end are as
// compact_decider_clip gave them. Errors: as of d->arena
void compact_decider_keep_part(
    compact_decider *d, uint32_t index, int64_t begin, int64_t end, int64_t last_kept);

// compact_decider_end_part ends a part sooner by gap_ticks if it ends where the next context of its
// type begins on the thread, and nothing was kept in between: JDK Mission Control loses contexts of
// which one begins at the nanosecond at which another ends. last_kept is when the last event was
// that was kept up to the part's end.
void compact_decider_end_part(const compact_decider *d, compact_part *part, int64_t last_kept);

// compact_decider_make_kept_times adds the times of this chunk to those of earlier ones, in
// d->past, which is empty before. Errors: as of d->arena
void compact_decider_make_kept_times(compact_decider *d);

#endif // LP_ENGINE_DECIDE_DECIDER_H
