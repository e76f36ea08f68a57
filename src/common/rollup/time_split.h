// SPDX-License-Identifier: Apache-2.0
// time_split: the time of a context divided among the events in it, so that each moment counts
// once.
//
//   context   ├─────────────────────────────────────────────┤
//   thread        ├──── read ─────────┤      s        s
//                        ├ lock ┤                ├ p ┤
//   JVM                    ├── pause ──┤  ├─ pause ─┤
//   counts as  left read lock   pause  left pause p left
//
// If several events of the thread go on at a moment, the innermost is the one that began last. Of
// events that began together, it is the one that ends first; of events that also end together, the
// first in the file. The same order applies to pauses of the JVM. A park that begins in a sleep, a
// read or a write is not a separate event: it is how a virtual thread waits there. The first of
// these rules that applies decides what counts:
//
//   1. the innermost TIME_PINNED of the thread: an event in it, such as a park, is only its reason
//   2. the innermost event of the thread, if the thread waits in it, as in the lock or in the park
//      p: the thread would have waited without the pause, too
//   3. the innermost pause: the thread was stopped
//   4. the innermost event of the thread
//
// The rest of the time is left. A sample (s) takes no time. It counts if it lies in the rest.
//
// An event reaches from its begin to before its end, and is cut to the context.
//
// Threads: any thread; pure functions of their arguments.
// Tests:   tests/unit/common/rollup/test_time_split.c

#pragma once

#include "common/rollup/time_category.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An event in a context. The caller fills the members before own_ns.
typedef struct time_span {
    int64_t begin_ns;
    int64_t end_ns; // begin_ns if the event takes no time, as a sample does
    uint32_t event; // the caller's
    time_category category;
    // The result
    int64_t own_ns; // the time in which it counts
    // Of an event of the thread: how long the JVM was stopped while this event was the innermost,
    // or counted as pinned. own_ns includes it for a wait and for TIME_PINNED only.
    int64_t stopped_ns;
    bool is_left; // of a span that takes no time: no event and no pause goes on at its begin
    // time_split's own
    uint32_t below;
    uint32_t pinned_below;
} time_span;

// time_split divides the time from begin_ns to end_ns, and returns the time that is left. Both
// arrays are sorted by begin; of two spans that begin together, the later in the array is the inner
// span. The own_ns of all spans and the returned time sum up to end_ns - begin_ns exactly.
//
// Cost: linear
int64_t time_split(int64_t begin_ns, int64_t end_ns, time_span *on_thread, size_t thread_count,
    time_span *pauses, size_t pause_count);

// A stretch of the time in which one thing counts.
typedef struct time_piece {
    int64_t begin_ns;
    int64_t end_ns;
    time_span *counting; // NULL: the time is left
    time_span *stopped;  // the span whose stopped_ns has this time; NULL: none
} time_piece;

// time_split_each does the same, and calls on_piece with each piece in order of time.
int64_t time_split_each(int64_t begin_ns, int64_t end_ns, time_span *on_thread, size_t thread_count,
    time_span *pauses, size_t pause_count, void (*on_piece)(void *arg, const time_piece *piece),
    void *arg);
