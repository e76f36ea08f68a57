// SPDX-License-Identifier: Apache-2.0

// side_work: like uv_queue_work, on threads of its own: its jobs and those of libuv's workers do
// not wait for each other, and have a priority of their own.
//
// Threads: the loop that it was created for.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/base/workers.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <uv.h>

typedef struct side_work side_work;

// A job, embedded in its owner. The last members are side_work's own.
typedef struct side_work_job {
    void (*on_thread)(void *arg);
    void (*on_done)(void *arg); // on the loop, after that; may free the job
    void *arg;
    side_work *owner;
    struct side_work_job *next;
} side_work_job;

// side_work_create starts threads as workers_start does. It does not keep the loop alive before
// side_work_stop. Errors: LP_ENOMEM, also for threads; LP_EIO
LP_MUST_USE lp_err side_work_create(uv_loop_t *loop, const char *name, workers_priority priority,
    size_t thread_count, side_work **out_work);

// side_work_destroy frees it. Run the loop until it is idle between side_work_stop and this. NULL
// is fine.
void side_work_destroy(side_work *work);

// side_work_push runs a job. At most thread_count jobs are unfinished at once.
void side_work_push(side_work *work, side_work_job *job);

// side_work_stop closes the handle after the last on_done. Nothing is pushed any more. NULL is
// fine.
void side_work_stop(side_work *work);
