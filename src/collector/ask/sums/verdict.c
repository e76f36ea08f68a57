// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/verdict.h"

#include "common/base/lp_assert.h"

#include <math.h>

static const double DEVIATIONS = 3.2905; // 99.9 % of a normal distribution lie within

static const verdict_estimate unknown = {0, 0, INFINITY};

// bucket_of_rank returns the bucket of the duration with a rank from 1 on.
static int
bucket_of_rank(const histogram *lengths, double rank)
{
    double before = (double)lengths->zero_count;
    int bucket = HISTOGRAM_ZERO;
    for (uint32_t i = 0; i < lengths->bucket_count && before < rank; i++) {
        before += (double)lengths->counts[i];
        bucket = (int)(lengths->first + i);
    }
    return bucket;
}

verdict_estimate
verdict_quantile(const histogram *lengths, double q)
{
    LP_ASSERT(q > 0 && q < 1);
    double count = (double)lengths->count;
    double width = DEVIATIONS * sqrt(count * q * (1 - q));
    double first = floor(count * q - width);
    double last = ceil(count * q + width) + 1;
    if (lengths->count == 0) {
        return unknown;
    }
    int low = first < 1 ? HISTOGRAM_ZERO : bucket_of_rank(lengths, first);
    return (verdict_estimate){
        .ns = (double)histogram_quantile_ns(lengths, q),
        .low_ns = low == HISTOGRAM_ZERO ? 0 : (double)histogram_bound_ns(low - 1),
        .high_ns =
            last > count ? INFINITY : (double)histogram_bound_ns(bucket_of_rank(lengths, last)),
    };
}

verdict_estimate
verdict_mean(const histogram *lengths)
{
    double count = (double)lengths->count;
    if (lengths->count == 0 || lengths->sum_ns == UINT64_MAX) {
        return unknown;
    }
    double mean = (double)lengths->sum_ns / count;
    double squares = (double)lengths->zero_count;
    for (uint32_t i = 0; i < lengths->bucket_count; i++) {
        double longest = (double)histogram_bound_ns((int)(lengths->first + i));
        squares += (double)lengths->counts[i] * longest * longest;
    }
    double width = DEVIATIONS * sqrt(fmax(0, squares / count - mean * mean) / count);
    bool has_interval = lengths->count >= VERDICT_MEAN_COUNT_MIN;
    return (verdict_estimate){
        .ns = mean,
        .low_ns = has_interval ? fmax(0, mean - width) : 0,
        .high_ns = has_interval ? mean + width : INFINITY,
    };
}

static bool
is_longer(verdict_estimate one, verdict_estimate other)
{
    return one.low_ns > other.high_ns && one.ns * 100 >= other.ns * (100 + VERDICT_LEAST_PERCENT);
}

verdict
verdict_of(verdict_estimate here, verdict_estimate base)
{
    LP_ASSERT(here.low_ns <= here.high_ns && base.low_ns <= base.high_ns);
    return is_longer(here, base)   ? VERDICT_SLOWER
           : is_longer(base, here) ? VERDICT_FASTER
                                   : VERDICT_NONE;
}

const char *
verdict_name(verdict of)
{
    LP_ASSERT(of <= VERDICT_FASTER);
    static const char *const names[] = {[VERDICT_SLOWER] = "slower", [VERDICT_FASTER] = "faster"};
    return names[of];
}
