// SPDX-License-Identifier: Apache-2.0

// chunk_feed: a queue of the chunks that this collector committed, for a reader that sends them
// elsewhere. Once CHUNK_FEED_MAX wait, each further chunk replaces the oldest.
//
// Threads: any thread.
// Tests:   tests/unit/collector/base/test_chunk_feed.c
// Memory:  768 KB

#pragma once

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stdint.h>

enum { CHUNK_FEED_MAX = 16384 }; // chunks: at a chunk a minute, an hour of 273 JVMs

typedef struct chunk_feed chunk_feed;

typedef struct chunk_feed_item {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    int64_t longest_ns; // of a kept request with an event in it (rollup.h); -1: there is none
} chunk_feed_item;

// chunk_feed_create returns NULL if memory ran out.
chunk_feed *chunk_feed_create(void);
void chunk_feed_destroy(chunk_feed *feed);

// chunk_feed_push appends a chunk. Returns false if the oldest one was dropped for it.
bool chunk_feed_push(chunk_feed *feed, const chunk_feed_item *item);

// chunk_feed_pop takes the oldest chunk. False if there is none.
bool chunk_feed_pop(chunk_feed *feed, chunk_feed_item *out_item);
