// SPDX-License-Identifier: Apache-2.0
// id_filter: which ids came in, of late, with contexts that were all eliminated: a Bloom filter. It
// is in memory alone, and forgets the oldest first.
//
// It is made of blocks, each for so many ids. An id that is in none was not eliminated since
// id_filter_since_ns. One that was never seen is taken for one that was in fewer than 1 of 100
// cases: 20 bits and 10 of them set for an id are wrong in 1 of 15,000 cases, in a block.
//
// Threads: any.
// Tests:   tests/unit/collector/index/test_id_filter.c
// Memory:  ID_FILTER_BLOCKS_MAX blocks of ID_FILTER_BLOCK_BYTES, each when it is needed

#ifndef LP_COLLECTOR_INDEX_ID_FILTER_H
#define LP_COLLECTOR_INDEX_ID_FILTER_H

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_FILTER_BLOCK_BYTES = 1 << 20,
    ID_FILTER_BLOCK_IDS = ID_FILTER_BLOCK_BYTES * 8 / 20,
    ID_FILTER_BLOCKS_MAX = 64, // 26.8 million ids
};

typedef struct id_filter id_filter;

// id_filter_create makes an empty one. NULL: out of memory.
id_filter *id_filter_create(void);
void id_filter_destroy(id_filter *filter);

// id_filter_add adds an id that was seen at a time. Where memory runs out it is left out, and
// id_filter_since_ns says so.
void id_filter_add(id_filter *filter, uint64_t hash, int64_t wall_ns);

// id_filter_has returns whether the id is one of those.
bool id_filter_has(id_filter *filter, uint64_t hash);

// id_filter_since_ns returns from when on all that were added are there still; INT64_MAX: none was
// added.
int64_t id_filter_since_ns(id_filter *filter);

#endif // LP_COLLECTOR_INDEX_ID_FILTER_H
