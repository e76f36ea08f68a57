// SPDX-License-Identifier: Apache-2.0
// id_filter: a Bloom filter of recent ids whose contexts were all eliminated. It is in memory only,
// and forgets the oldest ids first.
//
// It consists of blocks for a number of ids each. An id that is in no block was not eliminated
// since id_filter_since_ns. The filter wrongly finds fewer than 1 of 100 unknown ids: a block,
// which has 20 bits for each id and sets 10 of them, finds 1 of 15,000.
//
// Threads: any.
// Tests:   tests/unit/collector/index/test_id_filter.c
// Memory:  ID_FILTER_BLOCKS_MAX blocks of ID_FILTER_BLOCK_BYTES, each allocated on demand

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    ID_FILTER_BLOCK_BYTES = 1 << 20,
    ID_FILTER_BLOCK_IDS = ID_FILTER_BLOCK_BYTES * 8 / 20,
    ID_FILTER_BLOCKS_MAX = 64, // 26.8 million ids
};

typedef struct id_filter id_filter;

// id_filter_create returns an empty filter; NULL if memory ran out.
id_filter *id_filter_create(void);
void id_filter_destroy(id_filter *filter);

// id_filter_add adds an id that was seen at wall_ns. If memory runs out, the filter becomes empty,
// and id_filter_since_ns starts anew.
void id_filter_add(id_filter *filter, uint64_t hash, int64_t wall_ns);

// id_filter_has returns whether the filter may have an id.
bool id_filter_has(id_filter *filter, uint64_t hash);

// id_filter_since_ns returns the time since which the filter has all added ids; INT64_MAX: none was
// added.
int64_t id_filter_since_ns(id_filter *filter);
