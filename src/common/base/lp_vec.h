// SPDX-License-Identifier: Apache-2.0
// lp_vec: a growing array of any type, as macros over { T *items; size_t count; size_t capacity; }.
//
//   struct { point *items; size_t count, capacity; } points = {0};
//   point *p = LP_VEC_PUSH(&points);      // a zeroed new last item; NULL if memory ran out
//   LP_VEC_FINI(&points);
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_large.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LP_VEC(type)                                                                               \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

// lp_vec_grow makes room for at least `least` items. Returns false, and changes nothing, if memory
// ran out.
static inline bool
lp_vec_grow(void **items, size_t *capacity, size_t least, size_t item_bytes)
{
    size_t larger = *capacity == 0 ? 16 : *capacity * 2;
    larger = larger < least ? least : larger;
    if (larger > SIZE_MAX / 2 / item_bytes) {
        return false;
    }
    void *moved = lp_large_grow(*items, *capacity * item_bytes, larger * item_bytes);
    LP_REQUIRE(moved != NULL, false);
    *items = moved;
    *capacity = larger;
    return true;
}

// LP_VEC_RESERVE makes room for `more` further items. It is false if memory ran out.
#define LP_VEC_RESERVE(vec, more)                                                                  \
    ((more) <= (vec)->capacity - (vec)->count ||                                                   \
        lp_vec_grow((void **)&(vec)->items, &(vec)->capacity, (vec)->count + (more),               \
            sizeof(*(vec)->items)))

// LP_VEC_ROOM is LP_VEC_RESERVE for one more item.
#define LP_VEC_ROOM(vec) LP_VEC_RESERVE(vec, 1)

#define LP_VEC_PUSH(vec)                                                                           \
    (LP_VEC_ROOM(vec) ? (typeof((vec)->items))memset(                                              \
                            &(vec)->items[(vec)->count++], 0, sizeof(*(vec)->items))               \
                      : NULL)

// LP_VEC_ADD appends a value. It is LP_OK, or LP_ENOMEM if memory ran out.
#define LP_VEC_ADD(vec, ...)                                                                       \
    ((lp_err)(LP_VEC_ROOM(vec) ? ((vec)->items[(vec)->count++] = (__VA_ARGS__), LP_OK) : LP_ENOMEM))

// LP_VEC_KEEP drops the items for which a condition is false. The condition is an expression of
// `at`, a pointer to the item, and may change the item.
#define LP_VEC_KEEP(at, vec, ...)                                                                  \
    do {                                                                                           \
        size_t vec_kept = 0;                                                                       \
        for (size_t vec_i = 0; vec_i < (vec)->count; vec_i++) {                                    \
            __typeof__((vec)->items) at = &(vec)->items[vec_i];                                    \
            if (__VA_ARGS__) {                                                                     \
                (vec)->items[vec_kept++] = *at;                                                    \
            }                                                                                      \
        }                                                                                          \
        (vec)->count = vec_kept;                                                                   \
    } while (0)

#define LP_VEC_FINI(vec)                                                                           \
    do {                                                                                           \
        lp_large_free((vec)->items);                                                               \
        (vec)->items = NULL;                                                                       \
        (vec)->count = (vec)->capacity = 0;                                                        \
    } while (0)

// LP_VEC_FINI_EACH ends each item with `fini`, an expression of `at`, a pointer to the item, and
// then frees the array.
#define LP_VEC_FINI_EACH(vec, fini)                                                                \
    do {                                                                                           \
        for (size_t lp_i = 0; lp_i < (vec)->count; lp_i++) {                                       \
            typeof((vec)->items) at = &(vec)->items[lp_i];                                         \
            fini;                                                                                  \
        }                                                                                          \
        LP_VEC_FINI(vec);                                                                          \
    } while (0)
