// SPDX-License-Identifier: Apache-2.0

// workers: threads with a queue of jobs, for work that is to hold up neither the loop, nor libuv's
// workers, which compact, nor the threads of connections.
//
// Threads: any thread pushes; start and stop on one.
// Tests:   tests/unit/collector/base/test_workers.c

#ifndef LP_COLLECTOR_BASE_WORKERS_H
#define LP_COLLECTOR_BASE_WORKERS_H

#include "common/base/lp_err.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct workers workers;

typedef enum workers_priority {
    WORKERS_NORMAL,
    WORKERS_BEHIND, // those of normal priority have three times as much of a processor
    WORKERS_LOW,    // they get what time of the processors nobody else wants, and hardly more
} workers_priority;

enum { WORKERS_BEHIND_NICE = 5, WORKERS_LOW_NICE = 19 }; // more than others'

// workers_lower gives the calling thread a priority, once, by a higher nice value; it had that of
// its process. Where the system does not let it, it goes on as it is. Not SCHED_IDLE: beside a busy
// machine such a thread hardly runs, and keeps the memory meanwhile that it has.
void workers_lower(workers_priority priority);

// A job. Once *is_stopping, which orders nothing, it should end early; it is called in any case.
typedef void workers_job(void *arg, const atomic_bool *is_stopping);

// workers_start starts thread_count threads, called by name, which has 15 bytes at most. Beside
// the jobs that run waiting_max may wait.
// Errors: LP_ENOMEM, for threads as well
LP_MUST_USE lp_err workers_start(const char *name, workers_priority priority, size_t thread_count,
    size_t waiting_max, workers **out_workers);

// workers_push has job called with arg, exactly once, on one of the threads, possibly before this
// function returns. Errors: LP_ELIMIT as many wait as may; then it is not called
LP_MUST_USE lp_err workers_push(workers *workers, workers_job *job, void *arg);

// workers_stop returns when all jobs that were pushed are done. None may be pushed any more. NULL
// is fine.
void workers_stop(workers *workers);

#endif // LP_COLLECTOR_BASE_WORKERS_H
