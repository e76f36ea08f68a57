// SPDX-License-Identifier: Apache-2.0
// lp_bisect: binary search.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_sort.c

#pragma once

#include <stddef.h>

// LP_BISECT returns the index of the first item, from begin on, for which is_before is false; end
// if is_before is true for all items. is_before is an expression of a pointer `at` to an item. It
// must be true for all items before that index and false for all others.
//
//   size_t next = LP_BISECT(stays->items, 0, stays->count, at->begin <= ticks);
#define LP_BISECT(items, begin, end, is_before)                                                    \
    ({                                                                                             \
        size_t lp_low = (begin);                                                                   \
        size_t lp_high = (end);                                                                    \
        while (lp_low < lp_high) {                                                                 \
            size_t lp_middle = lp_low + (lp_high - lp_low) / 2;                                    \
            __typeof__(&(items)[0]) at = &(items)[lp_middle];                                      \
            if (is_before) {                                                                       \
                lp_low = lp_middle + 1;                                                            \
            } else {                                                                               \
                lp_high = lp_middle;                                                               \
            }                                                                                      \
        }                                                                                          \
        lp_low;                                                                                    \
    })
