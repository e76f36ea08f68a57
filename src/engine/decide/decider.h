// SPDX-License-Identifier: Apache-2.0
// decider: the state that the steps of compact_decide share. It has the threads by number, the
// times at which earlier chunks kept plain events on them, and the parts of contexts.
//
// After each step compact_decide checks the arena for errors, so a step need not.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "engine/carry/identities.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/filters.h"
#include "engine/contexts/kept_times.h"
#include "engine/contexts/order.h"
#include "engine/decide/decided.h"
#include "engine/decide/open_blocks.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/sample/throttles.h"

// A row of a later chunk that is decided together with this chunk.
typedef struct compact_early_row {
    uint32_t ahead; // indexes frame->aheads
    uint32_t row;   // indexes plain or spans of its view
} compact_early_row;

typedef LP_VEC(compact_early_row) compact_early_rows; // ascending

typedef LP_VEC(uint32_t) compact_indexes;

// When earlier chunks kept plain events on a thread.
typedef struct compact_earlier {
    compact_times times;
    int64_t last; // of times; COMPACT_NEVER if there is none
} compact_earlier;

// The threads and throttles of a later chunk.
typedef struct compact_decider_ahead {
    uint32_t *threads;   // parallel to its view's threads: number, or LP_MAP_NONE
    uint32_t *throttles; // as compact_decider.view_throttles
} compact_decider_ahead;

// The times of undecided events that need a context. Contexts at other times have no effect.
typedef struct compact_asked {
    int64_t first; // INT64_MAX if there is no such event
    int64_t last;  // INT64_MIN if there is no such event
} compact_asked;

static const compact_asked compact_asked_nothing = {INT64_MAX, INT64_MIN};

// compact_asked_meets returns whether an event of asked may lie between begin and end.
static inline bool
compact_asked_meets(const compact_asked *asked, int64_t begin, int64_t end)
{
    return begin <= asked->last && end >= asked->first;
}

// A time during which the thread always had a context. It includes both ends.
typedef struct compact_stretch {
    int64_t begin;
    int64_t end;
} compact_stretch;

// The times at which each thread had any context, for select=if-context (plain_events.c). It takes
// 64 bytes for each context until it is joined, then 16 for each disjoint stretch.
typedef struct compact_span_cover {
    LP_VEC(compact_entry) added; // compact_entry.index is the thread
    compact_stretch *stretches;  // by thread; disjoint within a thread, the last one first
    size_t *ends;                // by thread: where its stretches end
} compact_span_cover;

typedef struct compact_decider {
    lp_arena arena; // of the arrays here; has all errors
    const compact_frame *frame;
    compact_view *view;
    compact_kept_times *past;       // of the new carry
    compact_throttles *throttles;   // of the new carry
    uint64_t *pending_bytes;        // of the new carry: the JVM allocated them; in no weight yet
    const compact_decided *decided; // only ahead_is_ignored is read
    uint64_t gap_ticks;             // of compact_decider_end_part: 1 tick, or 1 ns if that is more
    lp_map threads;                 // identity to number: threads of view or with contexts
    LP_VEC(uint64_t) identities;    // by thread number
    uint32_t *view_threads;         // parallel to view->threads: number, or LP_MAP_NONE
    compact_decider_ahead *aheads;  // parallel to frame->aheads
    compact_early_rows early_plain; // plain rows of aheads that are decided with this chunk
    compact_early_rows early_spans; // contextual rows of aheads that are decided with this chunk
    bool *early_is_kept;            // parallel to early_plain
    compact_asked *asked;           // by thread number; only if selects_by_context
    compact_asked asked_of_all;     // of all threads together
    compact_span_cover cover;       // contexts at the times of asked
    compact_map_timeline installed; // RecordingContexts; only if has_filters
    bool selects_by_context;        // the policy selects events by context
    bool has_filters;               // the policy or the JVM filters events
    bool throttles_plain;           // the policy throttles a plain type
    bool throttles_contexts;        // the policy throttles a contextual type
    bool offers_untriggered;        // the policy throttles a contextual type that needs no trigger
    bool makes_samples;             // of allocation events
    bool samples;        // frame->sampled is not empty; else an earlier chunk has run the throttles
    size_t early_hint;   // where the last search for an earlier chunk's decision ended
    int64_t span_limit;  // the last commit up to which rows of later chunks are decided
    int64_t plain_limit; // the same for samples and throttled plain rows
    uint32_t *view_throttles; // by type of view: index of throttles, or LP_MAP_NONE; NULL: none
    compact_earlier *earlier; // by thread number: kept plain events of earlier chunks
    compact_moments plain;    // kept plain events of this chunk
    compact_moments early;    // kept events of early_plain
    int64_t early_spans_min;  // the first commit of early_spans; INT64_MAX if there is none
    int64_t early_min;        // the first commit of early; INT64_MAX if there is none
    compact_moments kept;     // contextual events that plain events triggered
    bool *is_shared;          // by thread number: the view has two threads with its identity
    // Parallel to view->threads. If a contextual event begins after this tick, and ends before
    // early_min, the reading of the chunk decided it correctly.
    int64_t *sure_from;
    // By thread number: commit of the last kept contextual event that was not known when the chunk
    // was read; COMPACT_NEVER if there is none.
    int64_t *last_kept;
    // Indexes of the view's spans that are kept, or offered to their throttle, regardless of other
    // contextual events; ascending. Only if throttles_contexts.
    compact_indexes listed;
    compact_indexes early_listed; // the same for early_spans, even without throttles_contexts
    compact_open_blocks open;
    size_t *kept_begins; // by block of view: where its kept_spans begin
    bool *may_cross;     // by thread number: its contexts may cross
    bool has_to_look;    // the contexts of some thread may cross
    bool *is_crossed;    // by thread number: its contexts cross, and are decided in order
    bool has_crossed;    // the contexts of some thread cross
    compact_parts *parts;
} compact_decider;

// compact_decider_check asserts that the members of d are consistent.
static inline void
compact_decider_check(const compact_decider *d)
{
    LP_ASSERT(d->view == d->frame->view && d->parts == &d->decided->parts);
    LP_ASSERT(d->arena.is_failed || d->identities.count == d->threads.count);
}

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

// compact_decider_last_plain returns the time of the last kept plain event of a thread up to ticks;
// COMPACT_NEVER if there is none.
static inline int64_t
compact_decider_last_plain(compact_decider *d, uint32_t thread, int64_t ticks)
{
    int64_t last = compact_moments_last(&d->plain, thread, ticks);
    const compact_earlier *before = &d->earlier[thread];
    if (last < before->last) {
        int64_t earlier =
            ticks >= before->last ? before->last : compact_times_last(before->times, ticks);
        last = earlier > last ? earlier : last;
    }
    if (ticks >= d->early_min) {
        int64_t early = compact_moments_last(&d->early, thread, ticks);
        last = early > last ? early : last;
    }
    return last;
}

// A context of the Loupe API, clipped at the end of the window.
typedef struct compact_clipped {
    int64_t begin; // not clipped
    int64_t end;
    bool is_cut; // the context ends later
} compact_clipped;

// compact_decider_clip clips a context at the end of the window. Returns false if the context lies
// outside the window, or does not matter.
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

// compact_decider_number_threads numbers the threads, and finds the earlier times of each. It skips
// threads that only have contexts outside of asked_of_all. Errors: in d->arena
void compact_decider_number_threads(compact_decider *d);

// compact_decider_keep_part adds the part of a context that lies in the window, if an event was
// kept in it. begin and end are from compact_decider_clip; last_kept is the time of the last kept
// event up to end. Errors: in d->arena
void compact_decider_keep_part(
    compact_decider *d, uint32_t index, int64_t begin, int64_t end, int64_t last_kept);

// compact_decider_end_part ends a part gap_ticks earlier if the next context of its type begins on
// the thread at the end of the part. It does not do so if this would cut off the event at
// last_kept. JDK Mission Control loses contexts that begin at the nanosecond at which another one
// ends.
void compact_decider_end_part(const compact_decider *d, compact_part *part, int64_t last_kept);

// compact_decider_make_kept_times fills d->past, which must be empty, with the times of earlier
// chunks and of this one. Errors: in d->arena
void compact_decider_make_kept_times(compact_decider *d);

// --- The steps of compact_decide

// compact_plain_events_find_early lists the plain and contextual rows of later chunks that are
// decided with this chunk, and finds d->asked_of_all. Errors: in d->arena
void compact_plain_events_find_early(compact_decider *d);

// compact_plain_events_decide sets the fates of the chunk's plain events, and early_is_kept. Of
// the later steps, only throttles drop plain events. Errors: in d->arena
void compact_plain_events_decide(compact_decider *d);

// compact_crossed_decide decides the contexts of threads on which contexts cross, in the order of
// their ends. It sets the fates of contextual events, and adds the parts of contexts. If contextual
// events are throttled, it decides all threads together.
//
// Errors: in d->arena
// Memory: 8 bytes for each contextual event and context, 36 for those of one thread; 60 for each if
//         events are throttled
void compact_crossed_decide(compact_decider *d);
