// SPDX-License-Identifier: Apache-2.0

// otlp_chunk: sends the requests that ended in a stored chunk as OTLP profiles (otlp_profiles.h).
//
//   chunks       N-2   N-1    N
//   request A     ├─────┼─────┤ over in N: sent with N, whole
//   request B                 ├──   open: sent with a later chunk
//
// A request is over in the chunk in which nothing has happened for it for
// COMPACT_REQUESTS_LINGER_MS. It is read from this chunk, up to OTLP_CHUNK_BACK_MAX chunks before
// it, and the last one that has the sampling period. The parts in earlier chunks are not sent. So
// each request is sent once, and plain events outside of requests never.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/pyroscope.py
// Memory:  otlp_profiles.h, run.h; larger blocks of memory are files (lp_large.h)

#pragma once

#include "collector/ask/work/ask_sources.h"
#include "collector/base/chunk_feed.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OTLP_CHUNK_BACK_MAX = 8,
    OTLP_CHUNK_PERIOD_BACK_MAX = 1024, // rows of the catalog in which the period is looked for
};

// A chunk, and how much of it is sent.
typedef struct otlp_chunk {
    chunk_feed_item item;
    unsigned tries;
    uint64_t done;   // pieces
    bool is_partial; // something of it is missing at the receiver
} otlp_chunk;

otlp_chunk otlp_chunk_begin(const chunk_feed_item *item);

typedef struct otlp_chunk_to {
    const ask_store *store;
    // Sends a piece, a whole export. An error ends the chunk.
    lp_err (*on_piece)(void *arg, lp_slice bytes);
    bool (*is_past_end)(void *arg); // called now and then; true ends the chunk
    void *arg;
} otlp_chunk_to;

// otlp_chunk_send sends the pieces of a chunk that are not done. Equal chunks have equal pieces, so
// that it can go on after an error of on_piece. A chunk without requests is not read.
// Errors: LP_ENOENT the chunk was deleted; LP_ECLOSED is_past_end returned true; of on_piece; of
// the catalog; LP_ENOMEM
LP_MUST_USE lp_err otlp_chunk_send(otlp_chunk *chunk, const otlp_chunk_to *to);
