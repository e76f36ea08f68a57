// SPDX-License-Identifier: Apache-2.0
// sums: saturating sums of recorded times and bytes.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/graph/test_profile.c

#pragma once

#include <stdint.h>

// query_sum_add adds a non-negative amount. The sum stops at INT64_MAX.
static inline void
query_sum_add(int64_t *sum, int64_t amount)
{
    if (__builtin_add_overflow(*sum, amount, sum)) {
        *sum = INT64_MAX;
    }
}
