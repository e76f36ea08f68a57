// SPDX-License-Identifier: Apache-2.0

// recall_queue: stores the chunks that pins name (pins.h) with all their events, or with what the
// pins want, and those that miss parts of kept traces (trace_keep.h).
//
//   on a thread   raw data -> a further edition in a file (recall_job.h)
//   on the loop   the raw journal has what the edition is made for (raw_task_note)
//                 -> the chunk's row names the edition (catalog_put_edition)
//
// Several chunks are in work at a time, but each only once. Chunks of pins have threads with the
// priority of compactions; those of whole traces have one thread with the lowest priority.
//
// Earlier editions stay, for those who are reading them, until the chunk is removed. If the process
// dies before the row names a file, the next start deletes the file. A chunk that has what is
// wanted is not stored again. After BLOB_EDITION_PART_LAST, and for more than RECALL_WANTS_MAX ids,
// a chunk is kept whole; but never for whole traces, which are left out then. Editions that nobody
// asked for, for whole traces and pins by rules, have a budget (recall_budget.h).
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/base/memory_room.h"
#include "collector/index/id_index.h"
#include "collector/keep/retention.h"
#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_tail.h"
#include "collector/recall/rule/recall_budget.h"
#include "collector/recall/rule/trace_keep.h"
#include "collector/session/sessions.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <uv.h>

enum { RECALL_PINS_AT_ONCE = 4 }; // chunks of pins: some wait for the disk

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
    trace_keep *traces;
    recall_budget *budget;
    policy_dir *policies; // of services, with their budgets; NULL: none
    id_index *ids;
    policy *policy; // of chunks without one of their own; NULL: defaults
    uint64_t run;   // of recall.h
} recall_queue_config;

// recall_queue_create returns NULL if memory ran out.
recall_queue *recall_queue_create(const recall_queue_config *config);

// recall_queue_open starts the threads. If it fails, recall_queue_stop stops those that run.
// Errors: LP_ENOMEM, also for threads; LP_EIO
LP_MUST_USE lp_err recall_queue_open(recall_queue *queue);

// recall_queue_destroy is called after the loop has ended. NULL is fine.
void recall_queue_destroy(recall_queue *queue);

// recall_queue_tick begins with the next chunks, and forgets old pins.
void recall_queue_tick(recall_queue *queue, int64_t now_wall_ns);

// recall_queue_stop begins with no further chunk. NULL is fine.
void recall_queue_stop(recall_queue *queue);
