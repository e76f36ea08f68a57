// SPDX-License-Identifier: Apache-2.0
// lp_arena: memory for things that are freed together, such as the parts of one chunk. {0} is an
// empty arena.
//
// An allocation advances a pointer within a block of at least LP_ARENA_BLOCK_BYTES; one of over
// LP_ARENA_LARGE_BYTES gets memory of its own. lp_arena_reset and lp_arena_fini free everything at
// once. While a vector in an arena is small, growing may leave its old array behind until the
// reset.
//
//   lp_arena arena = {0};
//   LP_VEC(point) points = {0};
//   for (...) {
//       LP_ARENA_PUSH(&arena, &points, (point){x, y}); // does nothing once memory ran out
//   }
//   names = LP_ARENA_ARRAY(&arena, char *, points.count);  // zeroed; NULL once memory ran out
//   lp_err err = lp_arena_err(&arena);                     // once, at the end of the step
//   lp_arena_fini(&arena);
//
// Owns:    the arena owns everything allocated in it. A pointer is valid until the arena is reset
//          or ended. A pointer to an item of a vector also becomes invalid when the vector grows.
// Errors:  the first allocation that fails makes all later ones fail, until the arena is reset.
//          Vectors then stay as they are, and new arrays are NULL. A loop over a vector stays safe;
//          use an array only after lp_arena_err returned LP_OK. A header says `Errors: in arena` if
//          a function reports its errors in this way.
// Threads: one thread at a time; any number of threads may read what was allocated.
// Limits:  none of its own. Callers check sizes that come from input.
// Under AddressSanitizer each allocation has memory of its own. ASan then sees overruns and stale
//          pointers, and a test that fails the n-th allocation reaches each allocation.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LP_ARENA_BLOCK_BYTES = 16384, // with its header
    LP_ARENA_LARGE_BYTES = 4096,
};

typedef struct lp_arena_block lp_arena_block;

typedef struct lp_arena {
    uint8_t *at;  // the next free byte of current
    uint8_t *end; // of current
    lp_arena_block *current;
    lp_arena_block *blocks; // full ones, current, unused ones
    size_t block_count;     // blocks made while large blocks are in files (lp_large.h)
    lp_arena_block *large;
    bool is_failed;
} lp_arena;

void lp_arena_fini(lp_arena *arena);

// lp_arena_reset frees all allocations and forgets a failure. The arena keeps its blocks for later
// allocations, but not the memory of large ones.
void lp_arena_reset(lp_arena *arena);

// lp_arena_err returns LP_ENOMEM if an allocation failed since the last reset.
LP_MUST_USE static inline lp_err
lp_arena_err(const lp_arena *arena)
{
    return arena->is_failed ? LP_ENOMEM : LP_OK;
}

// lp_arena_fail records that an allocation outside the arena failed, so that a step has one error.
static inline void
lp_arena_fail(lp_arena *arena)
{
    arena->is_failed = true;
}

// lp_arena_note calls lp_arena_fail unless err is LP_OK. err is LP_OK or LP_ENOMEM.
static inline void
lp_arena_note(lp_arena *arena, lp_err err)
{
    if (err != LP_OK) {
        lp_arena_fail(arena);
    }
}

// lp_arena_put is lp_map_put. The map is on malloc; the arena fails if memory runs out.
static inline void
lp_arena_put(lp_arena *arena, lp_map *map, uint64_t key, uint32_t value)
{
    lp_arena_note(arena, lp_map_put(map, key, value));
}

// lp_arena_alloc returns uninitialised memory. It returns NULL only if memory ran out, not for 0
// bytes. alignment is a power of two of at most alignof(max_align_t).
void *lp_arena_alloc(lp_arena *arena, size_t bytes, size_t alignment);

// lp_arena_array returns count zeroed items; NULL if memory ran out.
void *lp_arena_array(lp_arena *arena, size_t count, size_t item_bytes, size_t alignment);

#define LP_ARENA_ARRAY(arena, type, count)                                                         \
    ((type *)lp_arena_array(arena, count, sizeof(type), alignof(type)))

// LP_ARENA_NEW returns one zeroed item; NULL if memory ran out.
#define LP_ARENA_NEW(arena, type) LP_ARENA_ARRAY(arena, type, 1)

// lp_arena_text returns a copy of text; NULL counts as "". Once memory ran out it returns a "" that
// must not be changed.
char *lp_arena_text(lp_arena *arena, const char *text);

// lp_arena_copy returns a copy of bytes; an empty slice once memory ran out.
lp_slice lp_arena_copy(lp_arena *arena, lp_slice bytes);

// lp_arena_string returns a copy of bytes with a 0 behind it; "" once memory ran out.
const char *lp_arena_string(lp_arena *arena, lp_slice bytes);

// lp_arena_print returns a text as printf would print it; "" once memory ran out.
const char *lp_arena_print(lp_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// lp_arena_grow makes room for at least `least` items, and for more than *capacity. Returns false
// once memory ran out; *items and *capacity are then unchanged.
bool lp_arena_grow(lp_arena *arena, void **items, size_t *capacity, size_t least, size_t item_bytes,
    size_t alignment);

// LP_ARENA_RESERVE makes room in a vector (LP_VEC) for `more` further items. It is false once
// memory ran out. Always pass the same arena for a vector, and do not call LP_VEC_FINI on the
// vector.
#define LP_ARENA_RESERVE(arena, vec, more)                                                         \
    ((more) <= (vec)->capacity - (vec)->count ||                                                   \
        lp_arena_grow(arena, (void **)&(vec)->items, &(vec)->capacity, (vec)->count + (more),      \
            sizeof(*(vec)->items), alignof(typeof(*(vec)->items))))

// LP_ARENA_PUSH appends an item, unless memory ran out.
#define LP_ARENA_PUSH(arena, vec, ...)                                                             \
    do {                                                                                           \
        if (LP_ARENA_RESERVE(arena, vec, 1)) {                                                     \
            (vec)->items[(vec)->count++] = __VA_ARGS__;                                            \
        }                                                                                          \
    } while (0)

// LP_ARENA_PUSH_BESIDE appends to a vector on malloc (lp_vec.h); the arena fails if memory runs
// out.
#define LP_ARENA_PUSH_BESIDE(arena, vec, ...)                                                      \
    do {                                                                                           \
        if (LP_VEC_ROOM(vec)) {                                                                    \
            (vec)->items[(vec)->count++] = __VA_ARGS__;                                            \
        } else {                                                                                   \
            lp_arena_fail(arena);                                                                  \
        }                                                                                          \
    } while (0)

// LP_ARENA_EXTEND appends `more` zeroed items, unless memory ran out.
#define LP_ARENA_EXTEND(arena, vec, more)                                                          \
    do {                                                                                           \
        size_t lp_more = (more);                                                                   \
        if (lp_more > 0 && LP_ARENA_RESERVE(arena, vec, lp_more)) {                                \
            memset(&(vec)->items[(vec)->count], 0, lp_more * sizeof(*(vec)->items));               \
            (vec)->count += lp_more;                                                               \
        }                                                                                          \
    } while (0)
