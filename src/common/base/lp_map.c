// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_map.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

_Static_assert(LP_MAP_NONE == 0xffffffff, "an empty table is all ones");

// slot_of finds the slot that holds key, or the free one where it belongs.
static lp_map_slot *
slot_of(const lp_map *map, uint64_t key)
{
    size_t mask = map->capacity - 1;
    size_t i = lp_map_hash(map, key) & mask;
    while (map->slots[i].value != LP_MAP_NONE && map->slots[i].key != key) {
        i = (i + 1) & mask;
    }
    return &map->slots[i];
}

static lp_err
grow(lp_map *map, size_t capacity)
{
    lp_map larger = {.capacity = capacity};
    larger.slots = lp_large_alloc(larger.capacity * sizeof(*larger.slots));
    LP_REQUIRE(larger.slots != NULL, LP_ENOMEM);
    memset(larger.slots, 0xff, larger.capacity * sizeof(*larger.slots));
    larger.seed = lp_hash_seed();
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value != LP_MAP_NONE) {
            *slot_of(&larger, map->slots[i].key) = map->slots[i];
        }
    }
    larger.count = map->count;
    lp_large_free(map->slots);
    *map = larger;
    return LP_OK;
}

void
lp_map_fini(lp_map *map)
{
    lp_large_free(map->slots);
    *map = (lp_map){0};
}

void
lp_map_clear(lp_map *map)
{
    if (map->count > 0) {
        memset(map->slots, 0xff, map->capacity * sizeof(*map->slots));
        map->count = 0;
    }
}

lp_err
lp_map_reserve(lp_map *map, size_t count)
{
    size_t capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity;
    while (capacity / 2 < count) {
        LP_REQUIRE(capacity <= SIZE_MAX / 2 / sizeof(*map->slots), LP_ENOMEM);
        capacity *= 2;
    }
    return capacity == map->capacity ? LP_OK : grow(map, capacity);
}

lp_err
lp_map_put(lp_map *map, uint64_t key, uint32_t value)
{
    LP_ASSERT(value != LP_MAP_NONE);
    if (map->count >= map->capacity / 2 && lp_map_find(map, key) == LP_MAP_NONE) {
        LP_TRY(grow(map, map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2));
    }
    lp_map_slot *slot = slot_of(map, key);
    map->count += slot->value == LP_MAP_NONE;
    *slot = (lp_map_slot){.key = key, .value = value};
    return LP_OK;
}

void
lp_map_remove(lp_map *map, uint64_t key)
{
    if (lp_map_find(map, key) == LP_MAP_NONE) {
        return;
    }
    // Those behind it move up, each no further than to where it belongs: a free slot in between
    // would hide them.
    size_t mask = map->capacity - 1;
    size_t hole = (size_t)(slot_of(map, key) - map->slots);
    for (size_t i = (hole + 1) & mask; map->slots[i].value != LP_MAP_NONE; i = (i + 1) & mask) {
        size_t home = lp_map_hash(map, map->slots[i].key) & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].value = LP_MAP_NONE;
    map->count--;
}
