// SPDX-License-Identifier: Apache-2.0
// threads: which threads the chunks of a session mean by keys that they do not describe: the thread
// that the last chunk before has under this key, or else the next one.
//
// Threads: one thread at a time.
// Memory:  some 60 bytes for each key, of which QUERY_THREADS_MAX are remembered.

#ifndef LP_QUERY_THREADS_H
#define LP_QUERY_THREADS_H

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_THREADS_MAX = 1 << 20 };

// {0} has none.
typedef struct query_threads {
    lp_map first_of_key; // indexes items
    LP_VEC(struct query_threads_item {
        uint64_t identity;
        uint32_t chunk; // from which on the key means this
        uint32_t next;  // of the same key, in a later chunk; LP_MAP_NONE: none
    })
    items;
    bool is_truncated; // there were more
} query_threads;

void query_threads_fini(query_threads *threads);

// query_threads_add adds what a chunk describes. Chunks come in their order. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_threads_add(
    query_threads *threads, uint32_t chunk, const compact_view *view);

// query_threads_find returns the thread that a chunk means by a key; identity is what the chunk
// itself knows (threads.h of the engine), and returned where that is enough, or nobody knows more.
uint64_t query_threads_find(
    const query_threads *threads, uint32_t chunk, uint64_t key, uint64_t identity);

#endif // LP_QUERY_THREADS_H
