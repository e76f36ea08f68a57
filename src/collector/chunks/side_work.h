// SPDX-License-Identifier: Apache-2.0

// side_work: like uv_queue_work, on threads of its own: they do not wait for what libuv's workers
// do, nor the other way round.
//
// Threads: the loop that owns it, but for on_thread.
// Tests:   tests/unit/collector/chunks/test_snapshots.c

#ifndef LP_COLLECTOR_SERVER_SIDE_WORK_H
#define LP_COLLECTOR_SERVER_SIDE_WORK_H

#include "collector/base/workers.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <uv.h>

typedef struct side_work side_work;

// A job; embedded in it. The last members are side_work's own.
typedef struct side_work_job {
    void (*on_thread)(void *arg);
    void (*on_done)(void *arg); // on the loop, after that; may end the job
    void *arg;
    side_work *owner;
    struct side_work_job *next;
} side_work_job;

// side_work_create starts threads as workers_start does, and does not keep the loop alive before
// side_work_stop. Errors: LP_ENOMEM, for threads as well; LP_EIO
LP_MUST_USE lp_err side_work_create(uv_loop_t *loop, const char *name, workers_priority priority,
    size_t thread_count, side_work **out_work);

// side_work_push has a job done. There are no more than thread_count at once that are not done.
void side_work_push(side_work *work, side_work_job *job);

// side_work_stop gives its handle back to the loop after the last on_done. Nothing is pushed any
// more. NULL is fine.
void side_work_stop(side_work *work);

// side_work_destroy frees it, once the loop has nothing left to do after side_work_stop. NULL is
// fine.
void side_work_destroy(side_work *work);

#endif // LP_COLLECTOR_SERVER_SIDE_WORK_H
