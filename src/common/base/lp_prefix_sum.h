// SPDX-License-Identifier: Apache-2.0
// lp_prefix_sum: groups items by a small number, such as that of their thread, in one table:
//
//   count the items of each group in places[group]
//   items = malloc(lp_prefix_sum(places, group_count) * sizeof(*items))
//   items[places[group]++] = item, for each item; then places[group] is the end of the group
//
// LP_GROUP does all of this except the allocation.
//
// Threads: a pure function.
// Tests:   tests/unit/common/base/test_lp_sort.c

#pragma once

#include <stddef.h>

// lp_prefix_sum replaces the count of each group by its begin. Returns the sum of the counts.
static inline size_t
lp_prefix_sum(size_t *places, size_t group_count)
{
    size_t begin = 0;
    for (size_t i = 0; i < group_count; i++) {
        size_t count = places[i];
        places[i] = begin;
        begin += count;
    }
    return begin;
}

// LP_GROUP copies count items to `to`, group by group; items of a group keep their order. group is
// an expression of `at`, a pointer to an item. places must be 0 before; afterwards they are the
// ends of the groups.
#define LP_GROUP(items, count, group, places, group_count, to)                                     \
    do {                                                                                           \
        for (size_t lp_i = 0; lp_i < (count); lp_i++) {                                            \
            const __typeof__(*(items)) *at = &(items)[lp_i];                                       \
            (places)[group]++;                                                                     \
        }                                                                                          \
        (void)lp_prefix_sum(places, group_count);                                                  \
        for (size_t lp_i = 0; lp_i < (count); lp_i++) {                                            \
            const __typeof__(*(items)) *at = &(items)[lp_i];                                       \
            (to)[(places)[group]++] = *at;                                                         \
        }                                                                                          \
    } while (0)
