// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_clock.h"

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
