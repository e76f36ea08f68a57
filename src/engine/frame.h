// SPDX-License-Identifier: Apache-2.0

// frame: what all steps of deciding and writing a chunk read, and the words for it.
//
// compact_frame_open (frame_open.h) fills a frame once; then nobody changes it. A step takes
// `const compact_frame *` and, beside it, what it makes.
//
//   session      the chunks of one JVM, one after the other
//   source       the bytes of a chunk, and the context records that came with it
//   view         the rows of the chunk (view.h): one for each event that may be kept. Deciding sets
//                their fates, writing marks the constants that they need
//   aheads       the chunks behind it, in order, as far and as much of them as is known. JFR stores
//                events late, so some of their events belong into this chunk: they are early there
//   far          the contextual events that are stored behind these and began before them, of those
//                that matter. Only who has all of a session at hand knows them
//   carry        what the chunk before has left for this one (carry.h). What this one leaves for
//                the next is the new carry, which the steps make
//   identity     a thread in all chunks of the session (identities.h); in a view it has a number
//   contexts     those of the Loupe API: carried here, begun in the chunk, and begun by the records
//                that came with the next chunk
//   recorded     the RecordingContexts that are events
//   ticks        the JVM's time; everything in a frame but wall times is in ticks
//   clock        the line of the session's first chunk, on which throttles count seconds
//   shown        the line by which readers of the output show its ticks as wall time: the chunk's
//                own. It goes through the start of the output. In a merge it is the clock, as long
//                as that is within COMPACT_MERGE_DRIFT_NS of the chunk's own line
//   window       the ticks that this chunk decides: from the end of the window before to where the
//                next chunk begins. Contexts of the API are clipped to it
//   sampled      the ticks in which throttles choose with this chunk: whole seconds of wall time,
//                up to the end of the one in which the last event that is decided may lie. Much of
//                that is stored in chunks behind
//   judged       the same for context-throttle, which goes on as far as is known: many contexts
//                that are open at the end of sampled end there
//
// Threads: any thread, once it is open. carry and aheads are borrowed until the chunk is
//          decided.
// Tests:   tests/prop/test_compact_prop.c

#ifndef LP_ENGINE_FRAME_H
#define LP_ENGINE_FRAME_H

#include "engine/clock.h"
#include "engine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A step includes the headers of what it looks at.
typedef struct compact_contexts compact_contexts;
typedef struct compact_filters compact_filters;
typedef struct compact_interval compact_interval;
typedef struct compact_recorded compact_recorded;
typedef struct compact_recordings compact_recordings;
typedef struct compact_view compact_view;

// [lo, hi)
typedef struct compact_window {
    int64_t lo; // INT64_MIN for the first chunk of a session
    int64_t hi;
} compact_window;

static inline bool
compact_window_has(const compact_window *window, int64_t ticks)
{
    return ticks >= window->lo && ticks < window->hi;
}

// A chunk behind the one that is decided.
typedef struct compact_ahead {
    const compact_source *source;
    const compact_view *view;   // NULL, where it is given, for one that cannot be read at all
    const uint64_t *identities; // parallel to view->threads; compact_frame_open makes it
} compact_ahead;

typedef struct compact_frame {
    // Given, and borrowed:
    const compact_source *source;
    const compact_carry *carry;     // NULL for the first chunk of a session
    const compact_options *options; // never NULL
    compact_view *view;
    const compact_ahead *aheads; // in order; compact_frame_open leaves those that have a view
    size_t ahead_count;
    bool is_followed;            // the session has a chunk behind those that can be read
    const compact_interval *far; // in no order
    size_t far_count;
    bool is_in_pieces; // the output may have pieces of the source as they lie there

    // Made by compact_frame_open:
    const uint64_t *identities; // parallel to view->threads
    const ctx_type *types;      // of contexts
    size_t type_count;          // up to CTX_TYPES_MAX
    const compact_contexts *contexts;
    const compact_recordings *recordings; // the maps of those contexts that are RecordingContexts
    const compact_recorded *recorded;
    const compact_filters *filters; // that the JVM has set
    compact_clock clock;
    compact_clock shown;
    uint64_t metadata_salt; // another in each chunk
    compact_window window;
    int64_t limit_ticks; // events that later chunks store are decided up to here
    compact_window sampled;
    compact_window judged;
    int64_t lateness_ticks; // COMPACT_LATENESS_MS
    int64_t sampled_end_ns; // wall time of sampled.hi
    int64_t judged_end_ns;  // and of judged.hi
    int64_t known_ticks;    // contexts that end later count as open; INT64_MAX: see known_ns
    int64_t recent_min;     // all events that are stored later are committed from here on
    int64_t next_start_ns;  // wall time at which the next output starts, if is_met
    bool is_first;          // of its session
    bool is_last;           // the session ends with this chunk
    bool is_met;            // the next chunk starts where this one ends
} compact_frame;

// compact_frame_is_in_time returns whether events of a chunk behind, which starts at start_ticks,
// belong to what is decided up to the end of a window: no later ones do, whether they are known or
// not.
static inline bool
compact_frame_is_in_time(
    const compact_frame *frame, const compact_window *window, int64_t start_ticks)
{
    int64_t latest;
    return __builtin_add_overflow(window->hi, frame->lateness_ticks, &latest) ||
           start_ticks <= latest;
}

// compact_frame_is_open returns whether steps can look at frame.
static inline bool
compact_frame_is_open(const compact_frame *frame)
{
    return frame->source != NULL && frame->options != NULL && frame->view != NULL &&
           frame->contexts != NULL && frame->clock.ticks_per_s > 0 &&
           frame->window.lo <= frame->window.hi && frame->type_count <= CTX_TYPES_MAX;
}

#endif // LP_ENGINE_FRAME_H
