// SPDX-License-Identifier: Apache-2.0

// workers: threads with a queue of jobs, for work that must not delay the loop, libuv's workers
// (compaction), or the threads of connections.
//
// Threads: any thread pushes; start and stop on one.
// Tests:   tests/unit/collector/base/test_workers.c

#pragma once

#include "common/base/lp_err.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct workers workers;

typedef enum workers_priority {
    WORKERS_NORMAL,
    WORKERS_BEHIND, // about a third of the processor time of a normal thread
    WORKERS_LOW,    // little more than idle processor time
} workers_priority;

enum { WORKERS_BEHIND_NICE = 5, WORKERS_LOW_NICE = 19 }; // added to the nice value

// workers_lower raises the nice value of the calling thread, once; a failure is ignored. It does
// not use SCHED_IDLE, because on a busy machine such a thread hardly runs, and holds its memory
// meanwhile.
void workers_lower(workers_priority priority);

// A job. It should end early once *is_stopping is true; read it relaxed. Queued jobs are called
// even then.
typedef void workers_job(void *arg, const atomic_bool *is_stopping);

// workers_start starts thread_count threads called name, of at most 15 bytes. Up to waiting_max
// jobs wait beside the running ones. Errors: LP_ENOMEM, also if a thread cannot be started
LP_MUST_USE lp_err workers_start(const char *name, workers_priority priority, size_t thread_count,
    size_t waiting_max, workers **out_workers);

// workers_push queues job, which is called exactly once with arg on one of the threads, possibly
// before this function returns. Errors: LP_ELIMIT: the queue is full; job is not called
LP_MUST_USE lp_err workers_push(workers *workers, workers_job *job, void *arg);

// workers_stop waits until all pushed jobs are done. Push no more jobs meanwhile. NULL is fine.
void workers_stop(workers *workers);
