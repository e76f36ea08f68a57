// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/histogram.h"

#include "common/base/lp_assert.h"

#include <math.h>

enum { STEP = 16 }; // buckets are allocated in multiples of it

static void
add_capped(uint64_t *sum, uint64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum)) {
        *sum = UINT64_MAX;
    }
}

uint64_t
histogram_bound_ns(int bucket)
{
    LP_ASSERT(bucket >= HISTOGRAM_ZERO && bucket < HISTOGRAM_BUCKETS);
    return HISTOGRAM_ROOTS[(bucket + 1) % 4] >> (63 - (bucket + 1) / 4);
}

uint64_t
histogram_get(const histogram *lengths, int bucket)
{
    if (bucket == HISTOGRAM_ZERO) {
        return lengths->zero_count;
    }
    uint32_t at = (uint32_t)bucket - lengths->first; // wraps below the first
    return at < lengths->bucket_count ? lengths->counts[at] : 0;
}

// grow makes the buckets from first to last part of the histogram. False where memory ran out.
static bool
grow(histogram *lengths, lp_arena *arena, uint32_t first, uint32_t last)
{
    uint32_t begin = first / STEP * STEP;
    uint32_t end = (last / STEP + 1) * STEP;
    if (lengths->bucket_count > 0) {
        uint32_t old_end = lengths->first + lengths->bucket_count;
        begin = lengths->first < begin ? lengths->first : begin;
        end = old_end > end ? old_end : end;
    }
    uint64_t *counts = LP_ARENA_ARRAY(arena, uint64_t, end - begin);
    LP_REQUIRE(counts != NULL, false);
    for (uint32_t i = 0; i < lengths->bucket_count; i++) {
        counts[lengths->first - begin + i] = lengths->counts[i];
    }
    lengths->counts = counts;
    lengths->first = begin;
    lengths->bucket_count = end - begin;
    return true;
}

void
histogram_add_counts(histogram *lengths, lp_arena *arena, int bucket, uint64_t count)
{
    LP_ASSERT(bucket >= HISTOGRAM_ZERO && bucket < HISTOGRAM_BUCKETS);
    if (bucket == HISTOGRAM_ZERO) {
        add_capped(&lengths->zero_count, count);
        add_capped(&lengths->count, count);
        return;
    }
    uint32_t index = (uint32_t)bucket;
    bool has_it = index - lengths->first < lengths->bucket_count; // wraps below the first
    if (has_it || grow(lengths, arena, index, index)) {
        add_capped(&lengths->counts[index - lengths->first], count);
        add_capped(&lengths->count, count);
    }
}

void
histogram_add(histogram *lengths, lp_arena *arena, int64_t duration_ns)
{
    histogram_add_counts(lengths, arena, histogram_bucket(duration_ns), 1);
    add_capped(&lengths->sum_ns, duration_ns > 0 ? (uint64_t)duration_ns : 0);
}

void
histogram_merge(histogram *lengths, lp_arena *arena, const histogram *from)
{
    add_capped(&lengths->sum_ns, from->sum_ns);
    add_capped(&lengths->zero_count, from->zero_count);
    add_capped(&lengths->count, from->zero_count);
    if (from->bucket_count == 0) {
        return;
    }
    uint32_t last = from->first + from->bucket_count - 1;
    bool has_all = from->first - lengths->first < lengths->bucket_count &&
                   last - lengths->first < lengths->bucket_count;
    if (has_all || grow(lengths, arena, from->first, last)) {
        uint64_t *counts = &lengths->counts[from->first - lengths->first];
        for (uint32_t i = 0; i < from->bucket_count; i++) {
            add_capped(&counts[i], from->counts[i]);
            add_capped(&lengths->count, from->counts[i]);
        }
    }
}

int64_t
histogram_quantile_ns(const histogram *lengths, double q)
{
    double rank = ceil(q * (double)lengths->count);
    rank = rank < 1 ? 1 : rank;
    double before = (double)lengths->zero_count;
    if (lengths->count == 0 || rank <= before) {
        return lengths->count == 0 ? 0 : 1;
    }
    uint32_t last = 0;
    double share = 1;
    for (uint32_t i = 0; i < lengths->bucket_count && rank > before; i++) {
        double here = (double)lengths->counts[i];
        if (here > 0) {
            last = lengths->first + i;
            share = rank < before + here ? (rank - before) / here : 1;
            before += here;
        }
    }
    double ns = exp2(((double)last + share) / 4);
    return ns < (double)INT64_MAX ? (int64_t)ns : INT64_MAX;
}
