// SPDX-License-Identifier: Apache-2.0
// rollup_make: makes the rollup of a chunk (docs/internals/storage.md#statistics).
//
//   compact_rollup_contexts_count   counts the contexts of the Loupe API, once the chunk is decided
//   compact_rollup_make             makes the rollup, once the chunk is written
//     compact_rollup_divide         divides the time of kept contexts and requests by category
//
// If memory runs out, the arena of the sums fails.
//
// Threads: one thread at a time for each job.
// Memory:  40 bytes for each kept event that takes time in a divided context; 128 for each divided
//          context

#pragma once

#include "common/rollup/rollup.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/context_sums.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"

enum {
    // The most items of each kind whose time is divided by category in a chunk: kept contextual
    // events, parts of contexts, requests in the tally, stays of other requests. If there are more,
    // only every second, third ... is divided.
    COMPACT_ROLLUP_DIVIDED_MAX = 1024,
    // The most events in all divided contexts of a chunk; an event in several contexts counts in
    // each. If there are more, only every second, third ... context is divided.
    COMPACT_ROLLUP_ROWS_MAX = 1 << 22,
};

// compact_rollup_stride returns n: the time of every n-th of count items is divided.
static inline size_t
compact_rollup_stride(size_t count)
{
    return count <= COMPACT_ROLLUP_DIVIDED_MAX
               ? 1
               : (count + COMPACT_ROLLUP_DIVIDED_MAX - 1) / COMPACT_ROLLUP_DIVIDED_MAX;
}

// compact_rollup_spans_stride returns n: the time of every n-th kept contextual event is divided,
// and that of every n-th kept request in the tally, of which each has such an event.
static inline size_t
compact_rollup_spans_stride(const compact_view *view)
{
    return compact_rollup_stride(view->kept_spans.count);
}

// compact_rollup_contexts_count counts contexts in frame->view->sums, and lists there the parts to
// divide. It counts a context once, in the chunk in whose window the context ends: then its
// duration is known, and whether it is kept. The ids of a context are noted in each chunk that has
// a part of the context. At the end of the session, the ids of open contexts are noted, too.
//
// known are the contexts of the new carry, which are the first ones of frame. Call the function
// before contexts are removed from the new carry. parts are the kept parts (decided.h).
void compact_rollup_contexts_count(
    const compact_frame *frame, const compact_contexts *known, const compact_parts *parts);

// compact_rollup_divide adds the times of kept contexts to frame->view->sums, and the times of kept
// requests to out. Of the requests in the tally, decided lists those to be divided. The time of a
// context is divided (time_split.h) by the kept events of the chunk that were committed in the
// context on its thread, and by the pauses of the JVM. The time of a request is divided by its
// stays. If only some stays are divided, the result is scaled up to all stays.
//
// An event counts in the chunk that stores it. The result leaves out the time of a context before
// the chunk, and the time of an event before the part of an API context.
void compact_rollup_divide(const compact_frame *frame, const compact_decided *decided, rollup *out);

// compact_rollup_make fills out, which must be empty: the counts of frame->view->sums, the kept
// events and contexts, and the requests of decided. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_rollup_make(
    const compact_frame *frame, const compact_decided *decided, rollup *out);

// --- Requests (rollup_requests.c)
//
// A request counts once, as a whole, in the chunk in whose window its end becomes known: its
// duration, the values of its attributes, and whether it is kept. For a kept request, the chunk
// also counts its times TIME_QUEUED and TIME_ELSEWHERE (time_category.h). The work of its threads
// counts in each chunk that has stays of the request. A request without known parts has the type
// COMPACT_REQUEST_UNKNOWN_TYPE.

#define COMPACT_REQUEST_UNKNOWN_TYPE "dev.loupe.Request"

// compact_rollup_requests_count adds to out the requests that count in the window of frame, which
// has sums. The caller has set their types, attributes and fates. If memory runs out, out's arena
// fails.
void compact_rollup_requests_count(
    const compact_frame *frame, const compact_decided *decided, rollup *out);

// compact_rollup_longer returns longest, or the ticks from begin to end if they are more. They are
// 0 if end comes before begin or they overflow.
static inline int64_t
compact_rollup_longer(int64_t longest, int64_t begin, int64_t end)
{
    int64_t ticks;
    if (__builtin_sub_overflow(end, begin, &ticks) || ticks < 0) {
        ticks = 0;
    }
    return ticks > longest ? ticks : longest;
}

// compact_rollup_note_length notes the ticks of the longest kept contexts or requests for
// longest_ns; below 0: there are none.
static inline void
compact_rollup_note_length(
    const compact_frame *frame, rollup_unit unit, int64_t longest, rollup *out)
{
    if (longest >= 0) {
        rollup_note_length(out, unit, compact_sums_duration_ns(frame->view->sums, 0, longest));
    }
}

// compact_rollup_add_slice finds or adds a type's slice with this index in the chunk. NULL if
// memory ran out, or the time of the slice overflows.
static inline rollup_slice *
compact_rollup_add_slice(const compact_frame *frame, rollup *out, rollup_type *type, size_t index)
{
    const jfr_clock clock = compact_clock_of_jfr(&frame->shown);
    int64_t since_ns = (int64_t)index * frame->view->sums->slice_ns;
    int64_t begin_wall_ns = jfr_clock_wall_ns(&clock, frame->view->info.start_ticks);
    bool is_past = __builtin_add_overflow(begin_wall_ns, since_ns, &begin_wall_ns);
    return is_past ? NULL : rollup_add_slice(out, type, begin_wall_ns);
}

// compact_rollup_requests_add adds numbers to the type of a request and to the values of its
// attributes. Returns the type; NULL if the type is left out or memory ran out.
rollup_type *compact_rollup_requests_add(
    rollup *out, const compact_request *request, const rollup_numbers *numbers);
