// SPDX-License-Identifier: Apache-2.0
// lp_bisect: where in an order something belongs.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_sort.c

#ifndef LP_COMMON_BASE_LP_BISECT_H
#define LP_COMMON_BASE_LP_BISECT_H

#include <stddef.h>

// LP_BISECT is the first index from begin on whose item is not before something; end if all are:
// is_before, an expression of a pointer `at` to an item, is true for the first ones and false for
// those behind.
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

#endif // LP_COMMON_BASE_LP_BISECT_H
