// SPDX-License-Identifier: Apache-2.0
// histogram: counts durations by length, as OpenTelemetry's exponential histogram of scale 2.
//
//   bucket i   2^(i/4) ns < duration <= 2^((i+1)/4) ns, at most 19 % wide
//   zero       durations of 1 ns and less (in OpenTelemetry's words the zero threshold is 1 ns)
//
// Histograms can be merged in any order without loss.
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/rollup/test_histogram.c
// Memory:  8 bytes for each bucket between the first and the last that are used, in steps of 16; at
//          most HISTOGRAM_BUCKETS

#pragma once

#include "common/base/lp_arena.h"

#include <stdint.h>

enum {
    HISTOGRAM_SCALE = 2,
    HISTOGRAM_BUCKETS = 252, // the last one has INT64_MAX
    HISTOGRAM_ZERO = -1,     // in place of a bucket
};

// {0} is empty. Counts and the sum stop at UINT64_MAX.
typedef struct histogram {
    uint64_t count; // of all durations
    uint64_t sum_ns;
    uint64_t zero_count;
    uint64_t *counts; // by bucket, from first on; lent by the arena
    uint32_t first;
    uint32_t bucket_count;
} histogram;

// 2^(63 + k/4), cut to whole numbers. The roots are irrational: a whole number is above a root
// exactly if it is above the cut root.
static const uint64_t HISTOGRAM_ROOTS[4] = {
    0x8000000000000000u, 0x9837f0518db8a96fu, 0xb504f333f9de6484u, 0xd744fccad69d6af4u};

// For each eighth between two powers of two: the root in it (or a value that nothing exceeds), and
// the number of roots before it, minus one.
static const struct {
    uint64_t root;
    int before;
} HISTOGRAM_EIGHTHS[8] = {{0x8000000000000000u, -1}, {0x9837f0518db8a96fu, 0}, {UINT64_MAX, 1},
    {0xb504f333f9de6484u, 1}, {UINT64_MAX, 2}, {0xd744fccad69d6af4u, 2}, {UINT64_MAX, 3},
    {UINT64_MAX, 3}};

// histogram_bucket returns the bucket of a duration, or HISTOGRAM_ZERO.
static inline int
histogram_bucket(int64_t duration_ns)
{
    if (duration_ns <= 1) {
        return HISTOGRAM_ZERO;
    }
    int zeros = __builtin_clzll((uint64_t)duration_ns);
    uint64_t high = (uint64_t)duration_ns << zeros;
    uint64_t eighth = high >> 60 & 7; // of the way to the next power of two; has one root at most
    return 4 * (63 - zeros) + HISTOGRAM_EIGHTHS[eighth].before +
           (high > HISTOGRAM_EIGHTHS[eighth].root);
}

// histogram_bound_ns returns the longest whole duration of a bucket; 1 for HISTOGRAM_ZERO.
uint64_t histogram_bound_ns(int bucket);

// histogram_get returns the count of a bucket or of HISTOGRAM_ZERO.
uint64_t histogram_get(const histogram *lengths, int bucket);

// histogram_add adds one duration; a negative one counts as 0. Always pass the same arena; if it
// runs out of memory, nothing is added.
void histogram_add(histogram *lengths, lp_arena *arena, int64_t duration_ns);

// histogram_add_counts adds durations of one bucket (or HISTOGRAM_ZERO), without their sum.
void histogram_add_counts(histogram *lengths, lp_arena *arena, int bucket, uint64_t count);

// histogram_merge adds the durations of from. It ignores from->count.
void histogram_merge(histogram *lengths, lp_arena *arena, const histogram *from);

// histogram_quantile_ns returns the duration that a share q (0 to 1) of all durations does not
// exceed, interpolated within its bucket on a logarithmic scale; 0 if there are none.
int64_t histogram_quantile_ns(const histogram *lengths, double q);
