// SPDX-License-Identifier: Apache-2.0
// lp_order: comparisons for qsort. Their result is below, equal to or above 0. Chain them with ?:
// as in `return LP_ORDER(a->ns, b->ns) ?: strcmp(a->name, b->name);`.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_sort.c, tests/unit/query/list/test_facets.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdlib.h>
#include <string.h>

// LP_ORDER(a, b) is the ascending order of two numbers of one type; LP_ORDER(b, a) the descending.
#define LP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

// LP_COMPARE defines a comparison of two items of a type for qsort. The last argument is its
// result, an expression of the pointers `one` and `other` to the items.
#define LP_COMPARE(name, type, ...)                                                                \
    static int name(const void *lp_one, const void *lp_other)                                      \
    {                                                                                              \
        const type *one = lp_one;                                                                  \
        const type *other = lp_other;                                                              \
        return (__VA_ARGS__);                                                                      \
    }

// LP_QSORT sorts an array, which may be NULL if it is empty.
#define LP_QSORT(items, count, compare)                                                            \
    do {                                                                                           \
        if ((count) > 1) {                                                                         \
            qsort((items), (count), sizeof((items)[0]), (compare));                                \
        }                                                                                          \
    } while (0)

// LP_VEC_SORT sorts the items of an lp_vec by a comparison for qsort_r.
#define LP_VEC_SORT(vec, compare, arg)                                                             \
    do {                                                                                           \
        if ((vec)->count > 0) {                                                                    \
            qsort_r((vec)->items, (vec)->count, sizeof(*(vec)->items), compare, arg);              \
        }                                                                                          \
    } while (0)

static inline int
lp_order_slices(lp_slice a, lp_slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len == 0 ? 0 : memcmp(a.ptr, b.ptr, len);
    return order != 0 ? order : LP_ORDER(a.len, b.len);
}
