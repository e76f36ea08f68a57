// SPDX-License-Identifier: Apache-2.0
// jfr_clock: the line by which ticks become wall time and nanoseconds.
//
// The numbers are those that the JDK's reader shows, to the nanosecond: it divides as a double and
// cuts off the fraction, and it lets absurd times wrap around.
//
// Threads: any thread.
// Tests:   tests/unit/common/jfr/test_jfr_rewrite.c

#ifndef LP_COMMON_JFR_JFR_CLOCK_H
#define LP_COMMON_JFR_JFR_CLOCK_H

#include <stdint.h>

typedef struct jfr_clock {
    int64_t start_wall_ns; // the wall time of
    int64_t start_ticks;   // this tick
    int64_t ticks_per_s;   // above 0
} jfr_clock;

// jfr_clock_wall_ns is the wall time of a tick.
int64_t jfr_clock_wall_ns(const jfr_clock *clock, int64_t ticks);

// jfr_clock_length_ns is how long so many ticks are.
int64_t jfr_clock_length_ns(const jfr_clock *clock, int64_t ticks);

#endif // LP_COMMON_JFR_JFR_CLOCK_H
