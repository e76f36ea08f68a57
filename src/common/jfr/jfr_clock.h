// SPDX-License-Identifier: Apache-2.0
// jfr_clock: converts ticks to wall time and nanoseconds.
//
// The results equal those of the JDK's reader to the nanosecond. That reader divides as a double
// and truncates; absurd times wrap around.
//
// Threads: any thread.
// Tests:   tests/unit/common/jfr/rewrite/test_jfr_rewrite.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct jfr_clock {
    int64_t start_wall_ns; // the wall time of start_ticks
    int64_t start_ticks;
    int64_t ticks_per_s; // above 0
    double ticks_per_ns; // ticks_per_s / 1e9
} jfr_clock;

// jfr_clock_make returns a fully initialized clock. Use nothing else to make one.
jfr_clock jfr_clock_make(int64_t start_wall_ns, int64_t start_ticks, int64_t ticks_per_s);

// jfr_clock_truncate converts as Java's (long)value: out-of-range values saturate.
static inline int64_t
jfr_clock_truncate(double value)
{
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    return value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

// jfr_clock_length_ns converts a length in ticks to nanoseconds.
static inline int64_t
jfr_clock_length_ns(const jfr_clock *clock, int64_t ticks)
{
    const int64_t exact_max = (int64_t)1 << 53; // a double has all numbers up to here
    bool is_exact = ticks >= -exact_max && ticks <= exact_max;
    if (clock->ticks_per_s == 1000000000 && is_exact) { // nothing to divide, nothing to cut off
        return ticks;
    }
    return jfr_clock_truncate((double)ticks / clock->ticks_per_ns);
}

static inline int64_t
jfr_clock_wall_ns(const jfr_clock *clock, int64_t ticks)
{
    // Unsigned, because that wraps around.
    int64_t since_start = (int64_t)((uint64_t)ticks - (uint64_t)clock->start_ticks);
    uint64_t ns = (uint64_t)jfr_clock_length_ns(clock, since_start);
    return (int64_t)((uint64_t)clock->start_wall_ns + ns);
}

// jfr_clock_between_ns returns the wall time between two ticks; -1 if absurd times wrap around in
// between.
static inline int64_t
jfr_clock_between_ns(const jfr_clock *clock, int64_t begin_ticks, int64_t end_ticks)
{
    int64_t ns;
    bool wraps = __builtin_sub_overflow(
        jfr_clock_wall_ns(clock, end_ticks), jfr_clock_wall_ns(clock, begin_ticks), &ns);
    return wraps || ns < 0 ? -1 : ns;
}
