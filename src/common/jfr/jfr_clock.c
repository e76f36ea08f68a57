// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_clock.h"

#include <stdbool.h>

static const int64_t DOUBLE_EXACT_MAX = (int64_t)1 << 53; // a double has all numbers up to here

// truncate is Java's conversion of a double to a long: what does not fit becomes the nearest long.
static int64_t
truncate(double value)
{
    if (value >= 0x1p63) {
        return INT64_MAX;
    }
    return value < -0x1p63 ? INT64_MIN : (int64_t)value;
}

int64_t
jfr_clock_length_ns(const jfr_clock *clock, int64_t ticks)
{
    bool is_exact = ticks >= -DOUBLE_EXACT_MAX && ticks <= DOUBLE_EXACT_MAX;
    if (clock->ticks_per_s == 1000000000 && is_exact) { // nothing to divide, nothing to cut off
        return ticks;
    }
    double ticks_per_ns = (double)clock->ticks_per_s / 1e9;
    return truncate((double)ticks / ticks_per_ns);
}

int64_t
jfr_clock_wall_ns(const jfr_clock *clock, int64_t ticks)
{
    // Unsigned, because that wraps around.
    int64_t since_start = (int64_t)((uint64_t)ticks - (uint64_t)clock->start_ticks);
    uint64_t ns = (uint64_t)jfr_clock_length_ns(clock, since_start);
    return (int64_t)((uint64_t)clock->start_wall_ns + ns);
}
