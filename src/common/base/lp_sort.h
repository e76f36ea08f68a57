// SPDX-License-Identifier: Apache-2.0
// lp_sort: sorts items that are nearly in order.
//
//   LP_SORT_DEFINE(sort_points, point, point_is_before)
//
// defines static void sort_points(point *items, size_t count, point *spare). spare has room for
// half of the items. point_is_before(const point *, const point *) returns whether the first
// argument comes before the second. Equal items keep their order.
// LP_SORT_BY(sort_points, point, x->at < y->at) takes an expression of two pointers x and y
// instead of point_is_before.
//
// Cost: linear for items that come in order, or each near its place, or in few long runs that
//       hardly overlap; otherwise n log n. JFR's events come in such runs, as it writes the buffers
//       of a thread one after the other, and the events of a thread by their ends.
//
// Threads: any thread; pure functions.

#pragma once

#include "common/base/lp_bisect.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LP_SORT_SMALL_COUNT = 16 }; // up to here insertion is faster than halving

// LP_SORT(sort_points, items, count) allocates the spare memory and sorts. LP_ENOMEM if memory ran
// out.
#define LP_SORT(sort, items, count)                                                                \
    ({                                                                                             \
        const size_t sort_count = (count);                                                         \
        __typeof__(&(items)[0]) sort_spare = malloc((sort_count / 2 + 1) * sizeof(*sort_spare));   \
        lp_err sort_err = sort_spare == NULL ? LP_ENOMEM : LP_OK;                                  \
        if (sort_err == LP_OK) {                                                                   \
            sort(items, sort_count, sort_spare);                                                   \
        }                                                                                          \
        free(sort_spare);                                                                          \
        sort_err;                                                                                  \
    })

#define LP_SORT_DEFINE(name, type, is_before)                                                      \
    static void name##_small(type *items, size_t count)                                            \
    {                                                                                              \
        for (size_t i = 1; i < count; i++) {                                                       \
            if (!is_before(&items[i], &items[i - 1])) {                                            \
                continue;                                                                          \
            }                                                                                      \
            type moved = items[i];                                                                 \
            size_t at = i;                                                                         \
            while (at > 0 && is_before(&moved, &items[at - 1])) {                                  \
                items[at] = items[at - 1];                                                         \
                at--;                                                                              \
            }                                                                                      \
            items[at] = moved;                                                                     \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* joins the ordered halves of items; spare has room for the first of them */                  \
    static void name##_merge(type *items, size_t middle, size_t count, type *spare)                \
    {                                                                                              \
        memcpy(spare, items, middle * sizeof(*items));                                             \
        size_t left = 0;                                                                           \
        size_t right = middle;                                                                     \
        size_t to = 0;                                                                             \
        while (left < middle && right < count) {                                                   \
            bool takes_right = is_before(&items[right], &spare[left]);                             \
            items[to++] = takes_right ? items[right++] : spare[left++];                            \
        }                                                                                          \
        memcpy(items + to, spare + left, (middle - left) * sizeof(*items));                        \
    }                                                                                              \
                                                                                                   \
    /* returns how many items of the first half stay where they are; if few move, in few steps */  \
    static inline size_t name##_stay(const type *items, size_t middle)                             \
    {                                                                                              \
        size_t high = middle;                                                                      \
        size_t step = 1;                                                                           \
        while (step <= high && is_before(&items[middle], &items[high - step])) {                   \
            high -= step;                                                                          \
            step *= 2;                                                                             \
        }                                                                                          \
        size_t low = step <= high ? high - step + 1 : 0;                                           \
        return LP_BISECT(items, low, high, !is_before(&items[middle], at));                        \
    }                                                                                              \
                                                                                                   \
    static void name(type *items, size_t count, type *spare)                                       \
    {                                                                                              \
        if (count <= LP_SORT_SMALL_COUNT) {                                                        \
            name##_small(items, count);                                                            \
            return;                                                                                \
        }                                                                                          \
        size_t middle = count / 2;                                                                 \
        name(items, middle, spare);                                                                \
        name(items + middle, count - middle, spare);                                               \
        if (is_before(&items[middle], &items[middle - 1])) {                                       \
            size_t stay = name##_stay(items, middle);                                              \
            name##_merge(items + stay, middle - stay, count - stay, spare);                        \
        }                                                                                          \
    }

#define LP_SORT_BY(name, type, ...)                                                                \
    static inline bool name##_is_before(const type *x, const type *y)                              \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
                                                                                                   \
    LP_SORT_DEFINE(name, type, name##_is_before)
