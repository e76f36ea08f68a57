// SPDX-License-Identifier: Apache-2.0
// chunk_ahead: opens the chunks of a reader before it needs them, several at once. A store behind a
// network (blobs_is_remote) takes some 10 to 100 ms for each chunk, so that a reader that opens one
// after the other mostly waits.
//
// It opens up to CHUNK_AHEAD_MAX chunks, the one that the reader waits for included, on threads
// that end with it. An open chunk is a file without a name with the packed chunk.
//
// Threads: one, which reads. blobs_set_on_lost's callback is called on any.
// Tests:   tests/unit/collector/base/test_chunk_ahead.c

#pragma once

#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHUNK_AHEAD_MAX = 8 }; // chunks, threads, and requests to the store at once

// The chunks of a reader, by index from 0.
typedef struct chunk_ahead_list {
    blobs *blobs;
    size_t count;
    // Writes the name of a chunk. False: the reader skips this chunk. Called once for each chunk,
    // in order. The name's session_id is borrowed until chunk_ahead_end.
    bool (*get_name)(const void *arg, size_t index, blob_name *out_name);
    const void *arg;
} chunk_ahead_list;

typedef struct chunk_ahead chunk_ahead;

// chunk_ahead_begin begins to open the first chunks. Returns NULL if memory or threads ran out: the
// caller then opens each chunk by itself.
chunk_ahead *chunk_ahead_begin(const chunk_ahead_list *list);

// chunk_ahead_open is blobs_open_chunk for a chunk of the list. Call it for each chunk that the
// reader does not skip, in order. It begins to open the chunks behind it.
LP_MUST_USE lp_err chunk_ahead_open(chunk_ahead *ahead, size_t index, blob **out_blob);

// chunk_ahead_end waits until no chunk is being opened, and closes those that the reader has not
// taken. NULL is fine.
void chunk_ahead_end(chunk_ahead *ahead);
