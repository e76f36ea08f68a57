// SPDX-License-Identifier: Apache-2.0
// lp_find_or_add: numbers the items of a list, with a map from their keys to their indexes.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_pools.c, tests/unit/query/why/test_why.c

#pragma once

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

// LP_FIND_OR_ADD writes the index of the item with a key. If there is no such item, it adds the
// value, the last argument. If the list already has max items, it adds nothing, writes LP_MAP_NONE
// and sets *out_is_full. Returns LP_OK or LP_ENOMEM; after LP_ENOMEM the list and the map may only
// be freed.
#define LP_FIND_OR_ADD(list, map, key, max, out_is_full, out_index, ...)                           \
    ({                                                                                             \
        lp_err find_err = LP_OK;                                                                   \
        const uint64_t find_key = (key);                                                           \
        *(out_index) = lp_map_find(map, find_key);                                                 \
        if (*(out_index) == LP_MAP_NONE && (list)->count >= (max)) {                               \
            *(out_is_full) = true;                                                                 \
        } else if (*(out_index) == LP_MAP_NONE) {                                                  \
            *(out_index) = (uint32_t)(list)->count;                                                \
            find_err = LP_VEC_ADD(list, __VA_ARGS__);                                              \
            LP_THEN(find_err, lp_map_put(map, find_key, *(out_index)));                            \
        }                                                                                          \
        find_err;                                                                                  \
    })
