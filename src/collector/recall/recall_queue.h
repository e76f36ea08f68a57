// SPDX-License-Identifier: Apache-2.0

// recall_queue: stores the chunks that pins name (pins.h) with all their events, one after the
// other, on libuv's workers.
//
//   on a worker   raw data -> the same bytes again, as a proof -> all events -> a file of its own
//   on the loop   the chunk's row names the new file (catalog_put_edition)
//
// The first file stays beside the new one, for those who are reading it, until the chunk is
// removed. If the process dies between the two steps, the next start deletes the new file. A chunk
// that has all its events already is not compacted again. Stores of objects have no such files.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/base/memory_room.h"
#include "collector/keep/retention.h"
#include "collector/recall/pins.h"
#include "collector/recall/raw_tail.h"
#include "collector/session/sessions.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <uv.h>

typedef struct recall_queue recall_queue;

// All are borrowed until recall_queue_destroy.
typedef struct recall_queue_config {
    uv_loop_t *loop;
    sessions *sessions; // with the catalog and the directory
    blobs *blobs;
    retention *retention;
    memory_room *memory;
    raw_tail *raw;
    pins *pins;
    policy *policy; // of chunks without one of their own; NULL: defaults
} recall_queue_config;

// recall_queue_create returns NULL if memory ran out.
recall_queue *recall_queue_create(const recall_queue_config *config);

// recall_queue_destroy is called after the loop has ended. NULL is fine.
void recall_queue_destroy(recall_queue *queue);

// recall_queue_tick begins with the next chunk, if none is in work, and forgets old pins.
void recall_queue_tick(recall_queue *queue, int64_t now_wall_ns);

// recall_queue_stop begins with no further chunk. NULL is fine.
void recall_queue_stop(recall_queue *queue);
