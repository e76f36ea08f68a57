// SPDX-License-Identifier: Apache-2.0
// lp_map: a hash table from any 64-bit keys to 32-bit values, with open addressing and linear
// probing. {0} is an empty map.
//
// Threads: one thread at a time; any number of threads may call lp_map_find while no thread changes
//          the map.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_hash.h"

#include <stddef.h>
#include <stdint.h>

enum { LP_MAP_NONE = UINT32_MAX }; // not a value

typedef struct lp_map_slot {
    uint64_t key;
    uint32_t value; // LP_MAP_NONE: the slot is free
} lp_map_slot;

typedef struct lp_map {
    lp_map_slot *slots;
    uint64_t seed;   // lp_hash_seed: nobody can choose keys that share a slot
    size_t capacity; // a power of two, or 0
    size_t count;
} lp_map;

void lp_map_fini(lp_map *map);

static inline size_t
lp_map_hash(const lp_map *map, uint64_t key)
{
    return (size_t)lp_hash_number(map->seed, key);
}

// lp_map_clear removes all keys, and keeps their room.
void lp_map_clear(lp_map *map);

// lp_map_find returns the value of key; LP_MAP_NONE if key is not in the map.
static inline uint32_t
lp_map_find(const lp_map *map, uint64_t key)
{
    if (map->capacity == 0) {
        return LP_MAP_NONE;
    }
    size_t mask = map->capacity - 1;
    size_t i = lp_map_hash(map, key) & mask;
    while (map->slots[i].value != LP_MAP_NONE) {
        if (map->slots[i].key == key) {
            return map->slots[i].value;
        }
        i = (i + 1) & mask;
    }
    return LP_MAP_NONE;
}

// lp_map_reserve makes room for count keys in all. Errors: LP_ENOMEM
LP_MUST_USE lp_err lp_map_reserve(lp_map *map, size_t count);

// lp_map_put gives key the value (not LP_MAP_NONE), replacing an earlier one.
// Errors: LP_ENOMEM, unless key is in the map
LP_MUST_USE lp_err lp_map_put(lp_map *map, uint64_t key, uint32_t value);

// lp_map_remove removes key, if it is there.
void lp_map_remove(lp_map *map, uint64_t key);
