// SPDX-License-Identifier: Apache-2.0

// chunk_queue: compacts due chunks on libuv's workers, and commits them. It compacts the chunks of
// a session one at a time and in order, and sessions in parallel.
//
//   on a worker   journal -> compact_chunk -> blob
//   on the loop   chunk, totals and carry-over into the catalog; delete the journal
//
// If chunks gather in packs, packs.h does the second half. The session's next chunk does not wait
// for that: the queue compacts it with the previous carry-over from memory.
//
// A crash between any two steps is repaired by repeating all of them.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/chunks/test_chunk_queue.c, test_server.c

#pragma once

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
    packs *packs;            // gathers chunks; NULL: each is stored by itself
    memory_room *memory;     // shared with the snapshots
    policy *policy;          // of chunks without their own; NULL: defaults
    int64_t context_hold_ns; // see server_config
    bool keeps_lost;         // keeps sessions that are SESSION_LOST: log_worker gives them up
    // If set, no job starts, and queued jobs are dropped. Orders nothing: a worker that sees the
    // change late finishes its work.
    atomic_bool is_stopping;
} chunk_queue;

// chunk_queue_consider starts the compaction of the session's next chunk if it is due. It drops the
// session from memory if nothing is left to do or the session is leaving.
void chunk_queue_consider(chunk_queue *queue, session *session);
