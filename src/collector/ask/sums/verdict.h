// SPDX-License-Identifier: Apache-2.0
// verdict: decides whether durations are longer or shorter than others, by their histograms.
//
// A verdict needs two things: the estimates differ by VERDICT_LEAST_PERCENT or more, and their
// confidence intervals of 99.9 % do not overlap. So if many routes are compared, few get a verdict
// by chance. The interval of a quantile is the interval of its ranks, widened to the bounds of
// their buckets. The mean is exact; its variance takes each duration as the longest of its bucket.
//
// The intervals assume independent durations. They are too narrow if a pause makes many requests
// slow at once.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_verdict.c

#pragma once

#include "common/rollup/histogram.h"

enum {
    VERDICT_LEAST_PERCENT = 10,
    VERDICT_MEAN_COUNT_MIN = 100, // the mean of fewer durations has no interval
};

typedef enum verdict {
    VERDICT_NONE, // unknown, or about the same
    VERDICT_SLOWER,
    VERDICT_FASTER,
} verdict;

// An estimate and its interval, in ns. If there are too few durations, high_ns is infinite.
typedef struct verdict_estimate {
    double ns;
    double low_ns;
    double high_ns;
} verdict_estimate;

// verdict_quantile estimates a quantile (0 to 1).
verdict_estimate verdict_quantile(const histogram *lengths, double q);

verdict_estimate verdict_mean(const histogram *lengths);

verdict verdict_of(verdict_estimate here, verdict_estimate base);

// verdict_name returns "slower" or "faster"; NULL for VERDICT_NONE.
const char *verdict_name(verdict of);
