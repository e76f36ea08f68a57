// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/request_keys.h"

#include "common/base/lp_hash.h"

#include <stdlib.h>

void
compact_request_keys_fini(compact_request_keys *keys)
{
    lp_map_fini(&keys->by_key);
    *keys = (compact_request_keys){.arena = keys->arena};
}

uint32_t
compact_request_keys_add(
    compact_request_keys *keys, uint64_t key, compact_request_source source, bool is_rooted)
{
    uint32_t index = lp_map_find(&keys->by_key, key);
    if (index != LP_MAP_NONE) {
        keys->items.items[index].is_rooted |= is_rooted;
        return index;
    }
    if (keys->items.count >= COMPACT_KEY_NONE || !LP_ARENA_RESERVE(keys->arena, &keys->items, 1)) {
        lp_arena_fail(keys->arena);
        return COMPACT_KEY_NONE;
    }
    index = (uint32_t)keys->items.count;
    keys->items.items[keys->items.count++] = (compact_request_key){
        .key = key,
        .source = source,
        .is_rooted = is_rooted,
        .inner = COMPACT_KEY_NONE,
        .joined = COMPACT_KEY_NONE,
    };
    lp_arena_put(keys->arena, &keys->by_key, key, index);
    return index;
}

uint32_t
compact_request_keys_nested(compact_request_keys *keys, uint64_t thread, int64_t begin)
{
    uint64_t key = lp_hash_number(LP_HASH_FIXED_NUMBER, thread);
    key = lp_hash_number(LP_HASH_FIXED_NUMBER, key ^ (uint64_t)begin);
    return compact_request_keys_add(keys, key, COMPACT_REQUEST_NESTED, false);
}

void
compact_request_keys_join(compact_request_keys *keys, int64_t ticks, uint32_t from, uint32_t to)
{
    if (from != to) {
        LP_ARENA_PUSH(keys->arena, &keys->joins, (compact_key_join){ticks, from, to});
    }
}

static int
compare_joins(const void *a, const void *b)
{
    const compact_key_join *x = a;
    const compact_key_join *y = b;
    if (x->ticks != y->ticks) {
        return x->ticks < y->ticks ? -1 : 1;
    }
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

// follow returns the key to which a key is joined at last, and makes the way there one step long.
static uint32_t
follow(const compact_request_keys *keys, uint32_t key)
{
    compact_request_key *items = keys->items.items;
    uint32_t last = key;
    while (items[last].joined != COMPACT_KEY_NONE) {
        last = items[last].joined;
    }
    while (key != last) {
        uint32_t next = items[key].joined;
        items[key].joined = last;
        key = next;
    }
    return last;
}

void
compact_request_keys_resolve(compact_request_keys *keys)
{
    if (keys->joins.count > 0) {
        qsort(keys->joins.items, keys->joins.count, sizeof(*keys->joins.items), compare_joins);
    }
    for (size_t i = 0; i < keys->joins.count; i++) {
        const compact_key_join *join = &keys->joins.items[i];
        uint32_t to = follow(keys, join->to);
        if (keys->items.items[join->from].joined == COMPACT_KEY_NONE && to != join->from) {
            keys->items.items[join->from].joined = to;
        }
    }
    for (size_t i = 0; i < keys->items.count; i++) {
        (void)follow(keys, (uint32_t)i);
    }
}

uint32_t
compact_request_keys_final(const compact_request_keys *keys, uint32_t key)
{
    if (key != COMPACT_KEY_NONE && keys->items.items[key].is_dissolved) {
        key = keys->items.items[key].inner;
    }
    if (key == COMPACT_KEY_NONE) {
        return key;
    }
    uint32_t joined = keys->items.items[key].joined;
    return joined != COMPACT_KEY_NONE ? joined : key;
}
