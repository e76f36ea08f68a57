// SPDX-License-Identifier: Apache-2.0
// lp_find: the first item of an array that meets a condition.
//
//   const point *p = LP_FIND(at, points, count, at->x == 3); // NULL: none
//
// Threads: any thread; pure.
// Tests:   tests/unit/query/list/test_answers_json.c

#pragma once

#include <stddef.h>

// LP_FIND returns a pointer to the first item for which the condition, an expression of at, a
// pointer to the item, is true; NULL if there is none.
#define LP_FIND(at, items, count, ...)                                                             \
    ({                                                                                             \
        __typeof__((items)[0]) *find_found = NULL;                                                 \
        const size_t find_count = (count);                                                         \
        for (size_t find_i = 0; find_i < find_count && find_found == NULL; find_i++) {             \
            __typeof__(&(items)[0]) at = &(items)[find_i];                                         \
            find_found = (__VA_ARGS__) ? at : NULL;                                                \
        }                                                                                          \
        find_found;                                                                                \
    })

// LP_FIND_IN is LP_FIND for an array of a known size.
#define LP_FIND_IN(at, array, ...)                                                                 \
    LP_FIND(at, array, sizeof(array) / sizeof((array)[0]), __VA_ARGS__)
