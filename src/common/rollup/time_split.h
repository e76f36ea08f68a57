// SPDX-License-Identifier: Apache-2.0
// time_split: the time of a context divided among the events in it, so that each moment counts
// once.
//
//   context   ├─────────────────────────────────────────────┤
//   thread        ├──── read ─────────┤      s        s
//                        ├ lock ┤                ├ p ┤
//   JVM                    ├── pause ──┤  ├─ pause ─┤
//   counts as  left read lock   read  P left P    p    left
//
// Of several events of the thread that go on at a moment the innermost counts: the one that began
// last; of two that began at once the one that ends first, then the one that comes first in the
// file. Where none goes on, a pause of the JVM counts, by the same rule. The rest is left. A sample
// (s) is no time of its own; it lies in what is left, or it does not.
//
// An event reaches from its begin to before its end, and is cut to the context.
//
// Threads: any thread; pure functions of their arguments.

#ifndef LP_COMMON_ROLLUP_TIME_SPLIT_H
#define LP_COMMON_ROLLUP_TIME_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An event in a context. The caller fills what stands before own_ns.
typedef struct time_span {
    int64_t begin_ns;
    int64_t end_ns; // begin_ns of a sample, and of all that take no time
    uint32_t event; // the caller's
    // What comes of it
    int64_t own_ns; // the time in which it counts
    bool is_left;   // no event and no pause goes on at its begin; of those that take no time
    uint32_t below; // time_split's own
} time_span;

// time_split divides the time from begin_ns to end_ns, and returns what is left of it. Both
// arrays are in the order of begins; of two that begin at once the later in the array is the inner
// one. The own_ns of all, and what is left, make up end_ns - begin_ns to the nanosecond.
//
// Cost: linear
int64_t time_split(int64_t begin_ns, int64_t end_ns, time_span *on_thread, size_t thread_count,
    time_span *pauses, size_t pause_count);

#endif // LP_COMMON_ROLLUP_TIME_SPLIT_H
