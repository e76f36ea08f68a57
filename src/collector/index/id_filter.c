// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_filter.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    BITS_SET = 10, // for an id
    BLOCK_BITS = ID_FILTER_BLOCK_BYTES * 8,
};

typedef struct block {
    uint64_t *words;
    size_t id_count;
    int64_t from_wall_ns; // of the first that was added
} block;

struct id_filter {
    pthread_mutex_t mutex;              // guards the rest
    block blocks[ID_FILTER_BLOCKS_MAX]; // a ring
    size_t newest;
    size_t count;
};

id_filter *
id_filter_create(void)
{
    id_filter *filter = calloc(1, sizeof(*filter));
    if (filter != NULL) {
        (void)pthread_mutex_init(&filter->mutex, NULL); // cannot fail on Linux
    }
    return filter;
}

void
id_filter_destroy(id_filter *filter)
{
    for (size_t i = 0; filter != NULL && i < ID_FILTER_BLOCKS_MAX; i++) {
        free(filter->blocks[i].words);
    }
    if (filter != NULL) {
        (void)pthread_mutex_destroy(&filter->mutex);
    }
    free(filter);
}

// bit_of returns the bit of an id for a step; two numbers determine all bits (Kirsch and
// Mitzenmacher 2006).
static uint32_t
bit_of(uint64_t hash, unsigned step)
{
    uint32_t first = (uint32_t)hash;
    uint32_t stride = (uint32_t)(hash >> 32) | 1;
    return (first + step * stride) % BLOCK_BITS;
}

static bool
block_has(const block *b, uint64_t hash)
{
    for (unsigned i = 0; i < BITS_SET; i++) {
        uint32_t bit = bit_of(hash, i);
        LP_REQUIRE((b->words[bit / 64] >> bit % 64 & 1) != 0, false);
    }
    return true;
}

// filter_check is for the owner of the mutex.
static void
filter_check(const id_filter *filter)
{
    LP_ASSERT(filter->newest < ID_FILTER_BLOCKS_MAX && filter->count <= ID_FILTER_BLOCKS_MAX);
}

// open_block adds an empty block, in place of the oldest if all exist. Returns false, and empties
// the filter, if memory ran out.
static bool
open_block(id_filter *filter, int64_t wall_ns)
{
    size_t next = (filter->newest + 1) % ID_FILTER_BLOCKS_MAX;
    block *b = &filter->blocks[next];
    free(b->words);
    *b = (block){.words = calloc(1, ID_FILTER_BLOCK_BYTES), .from_wall_ns = wall_ns};
    if (b->words == NULL) {
        filter->count = 0; // else ids would be missing between older and newer blocks
        return false;
    }
    filter->newest = next;
    filter->count += filter->count < ID_FILTER_BLOCKS_MAX;
    return true;
}

void
id_filter_add(id_filter *filter, uint64_t hash, int64_t wall_ns)
{
    (void)pthread_mutex_lock(&filter->mutex);
    filter_check(filter);
    block *b = &filter->blocks[filter->newest];
    bool has_room = filter->count > 0 && b->id_count < ID_FILTER_BLOCK_IDS;
    if (has_room || open_block(filter, wall_ns)) {
        b = &filter->blocks[filter->newest];
        for (unsigned i = 0; i < BITS_SET; i++) {
            uint32_t bit = bit_of(hash, i);
            b->words[bit / 64] |= (uint64_t)1 << bit % 64;
        }
        b->id_count++;
    }
    (void)pthread_mutex_unlock(&filter->mutex);
}

bool
id_filter_has(id_filter *filter, uint64_t hash)
{
    bool has = false;
    (void)pthread_mutex_lock(&filter->mutex);
    filter_check(filter);
    for (size_t i = 0; i < filter->count && !has; i++) {
        size_t at = (filter->newest + ID_FILTER_BLOCKS_MAX - i) % ID_FILTER_BLOCKS_MAX;
        has = block_has(&filter->blocks[at], hash);
    }
    (void)pthread_mutex_unlock(&filter->mutex);
    return has;
}

int64_t
id_filter_since_ns(id_filter *filter)
{
    int64_t since = INT64_MAX;
    (void)pthread_mutex_lock(&filter->mutex);
    filter_check(filter);
    if (filter->count > 0) {
        size_t oldest =
            (filter->newest + ID_FILTER_BLOCKS_MAX + 1 - filter->count) % ID_FILTER_BLOCKS_MAX;
        since = filter->blocks[oldest].from_wall_ns;
    }
    (void)pthread_mutex_unlock(&filter->mutex);
    return since;
}
