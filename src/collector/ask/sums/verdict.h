// SPDX-License-Identifier: Apache-2.0
// verdict: whether durations are longer or shorter than others, as far as their histograms tell.
//
// A verdict needs two things. The estimates differ by VERDICT_LEAST_PERCENT or more. And their
// confidence intervals of 99.9 % lie apart: where many routes are compared, few get a verdict by
// chance. An interval of a quantile is that of its ranks, widened to the bounds of their buckets,
// so that quantiles in neighbouring buckets are never apart. That of the mean takes each duration
// as the longest of its bucket for the variance; the mean itself is exact.
//
// Both take durations as independent of each other. Where a pause makes many requests slow at once
// they are not, and intervals are too narrow.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_verdict.c

#ifndef LP_COLLECTOR_ASK_VERDICT_H
#define LP_COLLECTOR_ASK_VERDICT_H

#include "common/rollup/histogram.h"

#include <stdbool.h>

enum {
    VERDICT_LEAST_PERCENT = 10,
    VERDICT_MEAN_COUNT_MIN = 100, // of fewer durations the mean has no interval
};

typedef enum verdict {
    VERDICT_NONE, // nobody knows, or it is about the same
    VERDICT_SLOWER,
    VERDICT_FASTER,
} verdict;

// An estimate and its interval, in ns; high is infinite where there are too few durations.
typedef struct verdict_estimate {
    double ns;
    double low_ns;
    double high_ns;
} verdict_estimate;

// verdict_quantile estimates a quantile (0 to 1).
verdict_estimate verdict_quantile(const histogram *lengths, double q);

// verdict_mean estimates the mean.
verdict_estimate verdict_mean(const histogram *lengths);

verdict verdict_of(verdict_estimate here, verdict_estimate base);

// verdict_name returns "slower" or "faster"; NULL of VERDICT_NONE.
const char *verdict_name(verdict of);

#endif // LP_COLLECTOR_ASK_VERDICT_H
