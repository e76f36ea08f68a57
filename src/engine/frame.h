// SPDX-License-Identifier: Apache-2.0

// frame: the input of all steps of deciding and writing a chunk, and the engine's terms.
//
// compact_frame_open (frame_open.h) fills a frame once; then it is constant. A step takes `const
// compact_frame *`, and its own results.
//
//   session      the chunks of one JVM, one after the other
//   source       the bytes of a chunk, and the context records that were sent with it
//   view         the rows of the chunk (view.h), one for each event that may be kept. Deciding sets
//                their fates; writing marks the constants that they need
//   aheads       the known later chunks, in order. JFR stores events late, so some of their events
//                belong to this chunk: these are early
//   far          relevant contextual events that are stored after the aheads and began before the
//                end of the aheads. Known only if the caller has the whole session
//   carry        state that the previous chunk left for this one (carry.h). The steps make the new
//                carry for the next chunk
//   identity     a thread in all chunks of the session (identities.h); in a view it has a number
//   contexts     contexts of the Loupe API: carried ones, and the ones that begin in the records of
//                this chunk and of the aheads
//   recorded     the RecordingContexts that are events
//   ticks        the JVM's time; all times in a frame except wall times are in ticks
//   clock        the clock of the session's first chunk, by which throttles count seconds
//   shown        the clock by which readers convert the ticks of the output to wall time: the
//                chunk's own, which starts at the begin of the output. In a merge it is `clock`,
//                unless the two differ by more than COMPACT_MERGE_DRIFT_NS
//   window       the ticks that this chunk decides: from the end of the previous window to the
//                start of the next chunk. Contexts of the API are clipped to it
//   sampled      the ticks that throttles decide with this chunk: whole seconds of wall time, up to
//                the end of the second of the last event that may be decided. Later chunks store
//                many of these events
//   judged       the ticks that context-throttle decides with this chunk: all whole seconds whose
//                contexts are known. It ends later than `sampled`: many contexts that are open at
//                the end of `sampled` end in `judged`
//
// Threads: one thread fills it; then any thread may read it. carry and aheads are borrowed until
//          the chunk's requests are found (job.h), far until the chunk is decided.
// Tests:   tests/prop/test_compact_prop.c

#pragma once

#include "engine/clock.h"
#include "engine/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Incomplete types: each step includes the headers that it needs.
typedef struct compact_contexts compact_contexts;
typedef struct compact_filters compact_filters;
typedef struct compact_interval compact_interval;
typedef struct compact_recorded compact_recorded;
typedef struct compact_recordings compact_recordings;
typedef struct compact_view compact_view;

// The ticks from lo up to, and not including, hi.
typedef struct compact_window {
    int64_t lo; // INT64_MIN for the first chunk of a session
    int64_t hi;
} compact_window;

static inline bool
compact_window_has(const compact_window *window, int64_t ticks)
{
    return ticks >= window->lo && ticks < window->hi;
}

// A chunk after the one that is being decided.
typedef struct compact_ahead {
    const compact_source *source;
    const compact_view *view;   // NULL: unreadable; compact_frame_open drops such aheads
    const uint64_t *identities; // parallel to view->threads; compact_frame_open makes it
} compact_ahead;

typedef struct compact_frame {
    // Given, and borrowed:
    const compact_source *source;
    const compact_carry *carry;     // NULL for the first chunk of a session
    const compact_options *options; // never NULL
    compact_view *view;
    const compact_ahead *aheads; // in order
    size_t ahead_count;
    bool is_followed;            // the session has a chunk after the readable aheads
    const compact_interval *far; // in no order
    size_t far_count;
    bool is_in_pieces; // the output may borrow bytes of the source

    // Made by compact_frame_open:
    const uint64_t *identities; // parallel to view->threads
    const ctx_type *types;      // of contexts
    size_t type_count;          // up to CTX_TYPES_MAX
    const compact_contexts *contexts;
    const compact_recordings *recordings; // the maps of RecordingContexts
    const compact_recorded *recorded;
    const compact_filters *filters; // of the JVM
    compact_clock clock;
    compact_clock shown;
    uint64_t metadata_salt; // differs in each chunk
    compact_window window;
    int64_t limit_ticks; // events of later chunks are decided up to here
    compact_window sampled;
    compact_window judged;
    int64_t lateness_ticks; // COMPACT_LATENESS_MS
    int64_t sampled_end_ns; // wall time of sampled.hi
    int64_t judged_end_ns;  // wall time of judged.hi
    int64_t known_ticks;    // contexts that end later count as open; INT64_MAX if known_ns is 0
    int64_t recent_min;     // events of later chunks are committed from here on
    int64_t next_start_ns;  // wall time at which the next output starts, if is_met
    bool is_first;          // the session begins with this chunk
    bool is_last;           // the session ends with this chunk
    bool is_met;            // the next chunk starts where this one ends
} compact_frame;

// compact_frame_is_in_time returns whether a later chunk that starts at start_ticks may store
// events that are committed in a window.
static inline bool
compact_frame_is_in_time(
    const compact_frame *frame, const compact_window *window, int64_t start_ticks)
{
    int64_t latest;
    return __builtin_add_overflow(window->hi, frame->lateness_ticks, &latest) ||
           start_ticks <= latest;
}

// compact_frame_is_open returns whether compact_frame_open has filled frame.
static inline bool
compact_frame_is_open(const compact_frame *frame)
{
    return frame->source != NULL && frame->options != NULL && frame->view != NULL &&
           frame->contexts != NULL && frame->clock.ticks_per_s > 0 &&
           frame->window.lo <= frame->window.hi && frame->type_count <= CTX_TYPES_MAX;
}
