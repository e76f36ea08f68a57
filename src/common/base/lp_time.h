// SPDX-License-Identifier: Apache-2.0
// lp_time: clocks, and points in time as the HTTP API and the command line write and read them.
//
// Threads: any thread.

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    LP_TIME_BYTES = sizeof("2026-01-02T03:04:05.123456789Z"),
    LP_TIME_COMPACT_BYTES = sizeof("20260102T030405Z"),
};

// Earlier times are rejected: they are milliseconds mistaken for nanoseconds.
static const int64_t LP_TIME_WALL_NS_MIN = 1000000000000000; // 1970-01-12T13:46:40Z

// lp_time_now returns the wall clock, in ns since the Unix epoch.
int64_t lp_time_now(void);

// The next two functions return the monotonic clock: measure waits and set deadlines with it.
int64_t lp_time_mono_ns(void);
int64_t lp_time_mono_ms(void);

// lp_time_add returns wall_ns + ns, saturated.
static inline int64_t
lp_time_add(int64_t wall_ns, int64_t ns)
{
    int64_t sum_ns;
    if (__builtin_add_overflow(wall_ns, ns, &sum_ns)) {
        return ns < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum_ns;
}

// lp_time_format writes RFC 3339 in UTC with nine decimals.
void lp_time_format(int64_t wall_ns, char out_text[LP_TIME_BYTES]);

// lp_time_format_compact writes whole seconds without colons, for file names.
void lp_time_format_compact(int64_t wall_ns, char out_text[LP_TIME_COMPACT_BYTES]);

// lp_time_parse reads RFC 3339 (any offset, up to nine decimals) or a whole number of nanoseconds
// since the Unix epoch. It reads a blank before the offset as '+', because an unescaped '+' in a
// URL query decodes to a blank. False for anything else, and outside of [LP_TIME_WALL_NS_MIN,
// INT64_MAX].
bool lp_time_parse(const char *text, int64_t *out_wall_ns);
