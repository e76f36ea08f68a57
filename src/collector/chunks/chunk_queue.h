// SPDX-License-Identifier: Apache-2.0

// chunk_queue: compacts the chunks that are due, on libuv's workers, and commits them. One chunk of
// a session at a time and in order; sessions side by side.
//
//   on a worker   journal -> compact_chunk -> blob
//   on the loop   chunk, totals and carry-over into the catalog; journal away
//
// Where chunks gather in packs, the second half comes with the pack (packs.h), and the next chunk
// of the session does not wait for it: it is compacted with the carry-over of the one before from
// memory.
//
// A crash between any two of these steps is repaired by doing the whole again.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/chunks/test_chunk_queue.c, test_server.c

#ifndef LP_COLLECTOR_SERVER_CHUNK_QUEUE_H
#define LP_COLLECTOR_SERVER_CHUNK_QUEUE_H

#include "collector/base/memory_room.h"
#include "collector/chunks/chunk_commit.h"
#include "collector/chunks/packs.h"
#include "collector/store/chunks/blobs.h"

#include <stdatomic.h>
#include <uv.h>

enum { CHUNK_QUEUE_RETRY_MS = 10000 }; // after a job that ran out of memory or disk

typedef struct chunk_queue {
    uv_loop_t *loop;
    chunk_commit_to to;
    blobs *blobs;
    packs *packs;            // where chunks gather; NULL: each is stored by itself
    memory_room *memory;     // shared with the snapshots
    policy *policy;          // of chunks that have none of their own; NULL: defaults
    int64_t context_hold_ns; // see server_config
    bool keeps_lost;         // sessions that another collector has; who reads the log ends them
    // No job is started, and those that no worker has begun are given up. Orders nothing: a worker
    // that sees it late does its work.
    atomic_bool is_stopping;
} chunk_queue;

// chunk_queue_consider starts the compaction of the session's next chunk if it is due, and drops
// the session from memory if there is nothing left to do for it, or it is leaving.
void chunk_queue_consider(chunk_queue *queue, session *session);

#endif // LP_COLLECTOR_SERVER_CHUNK_QUEUE_H
