// SPDX-License-Identifier: Apache-2.0
// lp_find: searches in arrays that are short or not sorted. For sorted arrays see lp_bisect.h.
//
// is_it, the last argument, is an expression that uses `at`, a pointer to an item:
//
//   const rule *r = LP_FIND(rules, LP_COUNT(rules), strcmp(at->name, name) == 0);
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_sort.c

#pragma once

#include <stddef.h>

// LP_COUNT returns the number of items of an array. Do not pass a pointer.
#define LP_COUNT(array) (sizeof(array) / sizeof((array)[0]))

// LP_FIND returns a pointer to the first item for which is_it is true; NULL if there is none.
#define LP_FIND(items, count, ...)                                                                 \
    ({                                                                                             \
        __typeof__((items)[0]) *lp_found = NULL;                                                   \
        for (size_t lp_i = 0; lp_found == NULL && lp_i < (count); lp_i++) {                        \
            __typeof__((items)[0]) *at = &(items)[lp_i];                                           \
            lp_found = (__VA_ARGS__) ? at : NULL;                                                  \
        }                                                                                          \
        lp_found;                                                                                  \
    })

// LP_ANY returns whether is_it is true for any item.
#define LP_ANY(items, count, is_it) (LP_FIND(items, count, is_it) != NULL)
