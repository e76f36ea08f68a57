// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_clock.h"

jfr_clock
jfr_clock_make(int64_t start_wall_ns, int64_t start_ticks, int64_t ticks_per_s)
{
    return (jfr_clock){
        .start_wall_ns = start_wall_ns,
        .start_ticks = start_ticks,
        .ticks_per_s = ticks_per_s,
        .ticks_per_ns = (double)ticks_per_s / 1e9,
    };
}
