// SPDX-License-Identifier: Apache-2.0
// jfr_pool: the constants of a chunk, by type and key, as they lie in its checkpoint events.
//
//   event  size  type 1  startTime  duration  delta  flags (1 byte)  count of pools
//   pool   type id  count  (key value)*
//
// Values are left where they are; an entry knows offset and size. Where a key is defined twice, the
// first one counts, as in the JDK's reader.
//
// Threads: one thread at a time.

#ifndef LP_COMMON_JFR_JFR_POOL_H
#define LP_COMMON_JFR_JFR_POOL_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_layout.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jfr_constant {
    uint64_t key;
    uint32_t offset; // of the value in the chunk
    uint32_t size_bytes;
    bool is_marked; // somebody needs it
} jfr_constant;

// Keys that lie close together, as HotSpot's mostly do, index a table; others are in a map.
typedef struct jfr_pool {
    LP_VEC(jfr_constant) constants; // in order of appearance
    uint32_t *dense;                // key - dense_min to an index of constants, or LP_MAP_NONE
    uint64_t dense_min;
    uint64_t dense_count;
    lp_map sparse; // key to an index of constants; empty where dense is used
    size_t marked_count;
    bool is_enumeration; // jfr_enumeration.h
} jfr_pool;

typedef struct jfr_pools {
    const jfr_layout *layout;
    lp_slice chunk;
    jfr_pool *pools;     // parallel to metadata->types
    uint32_t pool_count; // of them
    // Marked constants whose own references are not marked yet.
    LP_VEC(struct jfr_pools_mark {
        uint32_t type;
        uint32_t index;
    })
    pending;
    uint64_t missed_count; // of marks of constants that the chunk does not define, null apart
    bool is_failed;        // memory ran out while marking
} jfr_pools;

// chunk and layout are borrowed until jfr_pools_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_init(
    jfr_pools *pools, lp_slice chunk, const jfr_metadata *metadata, const jfr_layout *layout);
void jfr_pools_fini(jfr_pools *pools);

// jfr_pools_add reads one checkpoint event; payload is what follows its type id, and lies in chunk.
// Errors: LP_ECORRUPT with an offset into chunk; LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_add(
    jfr_pools *pools, const jfr_metadata *metadata, lp_slice payload, lp_problem *out_problem);

// jfr_pools_index makes the constants findable, once all checkpoints are added. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_pools_index(jfr_pools *pools);

// jfr_pools_find_index returns the place of a constant in its pool's constants, LP_MAP_NONE if the
// chunk does not define it.
static inline uint32_t
jfr_pools_find_index(const jfr_pools *pools, uint32_t type, uint64_t key)
{
    const jfr_pool *pool = &pools->pools[type];
    uint64_t at = key - pool->dense_min;
    return at < pool->dense_count ? pool->dense[at] : lp_map_find(&pool->sparse, key);
}

// jfr_pools_find returns a constant, NULL if the chunk does not define it.
static inline jfr_constant *
jfr_pools_find(const jfr_pools *pools, uint32_t type, uint64_t key)
{
    uint32_t index = jfr_pools_find_index(pools, type, key);
    return index == LP_MAP_NONE ? NULL : &pools->pools[type].constants.items[index];
}

// jfr_pools_mark marks a constant (a jfr_walk_visit: pools is the arg). One that is not defined is
// counted: it means null (jfr_rewrite.h).
void jfr_pools_mark(void *pools, uint32_t type, uint64_t key);

// jfr_pools_mark_index is jfr_pools_mark for the constant at index of its pool.
void jfr_pools_mark_index(jfr_pools *pools, uint32_t type, uint32_t index);

// jfr_pools_mark_value moves cursor, which lies in the chunk, over a value and marks the constants
// that it refers to. False, with nothing marked and cursor as it was, if it does not fit.
bool jfr_pools_mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor);

// jfr_pools_mark_reachable marks everything that marked constants refer to, transitively. Of an
// enumeration of which one constant is marked it marks all.
// Errors: LP_ENOMEM, also for an earlier jfr_pools_mark
LP_MUST_USE lp_err jfr_pools_mark_reachable(jfr_pools *pools);

#endif // LP_COMMON_JFR_JFR_POOL_H
