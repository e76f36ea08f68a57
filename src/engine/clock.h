// SPDX-License-Identifier: Apache-2.0
// clock: converts ticks to wall time.
//
// Each chunk of a recording has a clock of its own, and the clocks of a session drift apart: the
// JVM measures the frequency of its ticks once, and reads the wall clock at the start of each
// chunk.
//
// Threads: any thread.

#pragma once

#include "common/jfr/jfr_clock.h"

#include <stdint.h>

enum {
    // The decision about an event is exact if the event is stored at most this long after its
    // commit time. JFR stores an event up to 0.3 s late (docs/internals/elimination.md).
    COMPACT_LATENESS_MS = 1000,
};

typedef struct compact_clock {
    int64_t start_wall_ns;
    int64_t start_ticks;
    int64_t ticks_per_s; // above 0
} compact_clock;

// compact_clock_wall_ns rounds down, and saturates.
static inline int64_t
compact_clock_wall_ns(const compact_clock *clock, int64_t ticks)
{
    __int128 product = ((__int128)ticks - clock->start_ticks) * 1000000000;
    __int128 passed = product / clock->ticks_per_s - (product % clock->ticks_per_s < 0);
    __int128 ns = clock->start_wall_ns + passed;
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

// compact_clock_ticks returns the first tick that is not before a wall time, and saturates.
static inline int64_t
compact_clock_ticks(const compact_clock *clock, int64_t wall_ns)
{
    __int128 product = ((__int128)wall_ns - clock->start_wall_ns) * clock->ticks_per_s;
    __int128 passed = product / 1000000000 + (product % 1000000000 > 0);
    __int128 ticks = clock->start_ticks + passed;
    return ticks > INT64_MAX ? INT64_MAX : ticks < INT64_MIN ? INT64_MIN : (int64_t)ticks;
}

// compact_clock_gap_ticks returns one tick, or the ticks of a nanosecond if these are more.
static inline int64_t
compact_clock_gap_ticks(const compact_clock *clock)
{
    return (clock->ticks_per_s - 1) / 1000000000 + 1;
}

// compact_clock_of_jfr returns the clock that readers of a chunk use.
static inline jfr_clock
compact_clock_of_jfr(const compact_clock *clock)
{
    return jfr_clock_make(clock->start_wall_ns, clock->start_ticks, clock->ticks_per_s);
}
