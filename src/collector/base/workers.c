// SPDX-License-Identifier: Apache-2.0

#include "collector/base/workers.h"

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct queued {
    workers_job *job;
    void *arg;
} queued;

struct workers {
    workers_priority priority;
    pthread_t *threads;
    size_t thread_count;
    // Written under mutex, so that no thread misses it before it waits. Jobs read it without:
    // relaxed, late is good enough.
    atomic_bool is_stopping;
    pthread_mutex_t mutex; // guards the rest
    pthread_cond_t is_due;
    size_t running;
    size_t begun_max; // jobs that run or wait
    queued *queue;    // a ring of begun_max
    size_t first;
    size_t count;
};

// pop waits for the next job. False: stopping, and the queue is empty.
static bool
pop(workers *self, queued *out)
{
    (void)pthread_mutex_lock(&self->mutex);
    while (self->count == 0 && !atomic_load_explicit(&self->is_stopping, memory_order_relaxed)) {
        (void)pthread_cond_wait(&self->is_due, &self->mutex);
    }
    bool is_popped = self->count > 0;
    if (is_popped) {
        *out = self->queue[self->first];
        self->first = (self->first + 1) % self->begun_max;
        self->count--;
        self->running++;
    }
    LP_ASSERT(self->running + self->count <= self->begun_max);
    (void)pthread_mutex_unlock(&self->mutex);
    return is_popped;
}

void
workers_lower(workers_priority priority)
{
    const int more[] = {[WORKERS_BEHIND] = WORKERS_BEHIND_NICE, [WORKERS_LOW] = WORKERS_LOW_NICE};
    if (priority != WORKERS_NORMAL) { // of this thread alone, on Linux
        (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + more[priority]);
    }
}

static void *
run(void *arg)
{
    workers *self = arg;
    queued next;
    workers_lower(self->priority);
    while (pop(self, &next)) {
        next.job(next.arg, &self->is_stopping);
        (void)pthread_mutex_lock(&self->mutex);
        LP_ASSERT(self->running > 0);
        self->running--;
        (void)pthread_mutex_unlock(&self->mutex);
    }
    return NULL;
}

lp_err
workers_start(const char *name, workers_priority priority, size_t thread_count, size_t waiting_max,
    workers **out_workers)
{
    LP_ASSERT(thread_count > 0);
    workers *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->priority = priority;
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    (void)pthread_cond_init(&self->is_due, NULL);
    self->begun_max = thread_count + waiting_max;
    self->queue = calloc(self->begun_max, sizeof(*self->queue));
    self->threads = calloc(thread_count, sizeof(*self->threads));
    bool is_started = self->queue != NULL && self->threads != NULL;
    while (is_started && self->thread_count < thread_count) {
        pthread_t *thread = &self->threads[self->thread_count];
        is_started = pthread_create(thread, NULL, run, self) == 0;
        if (is_started) {
            (void)pthread_setname_np(*thread, name); // a failure only loses the name
            self->thread_count++;
        }
    }
    if (!is_started) {
        workers_stop(self);
        return LP_ENOMEM;
    }
    *out_workers = self;
    return LP_OK;
}

lp_err
workers_push(workers *self, workers_job *job, void *arg)
{
    LP_ASSERT(job != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    bool has_room = self->running + self->count < self->begun_max;
    if (has_room) {
        self->queue[(self->first + self->count) % self->begun_max] = (queued){job, arg};
        self->count++;
        (void)pthread_cond_signal(&self->is_due);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return has_room ? LP_OK : LP_ELIMIT;
}

void
workers_stop(workers *self)
{
    if (self == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    atomic_store_explicit(&self->is_stopping, true, memory_order_relaxed);
    (void)pthread_cond_broadcast(&self->is_due);
    (void)pthread_mutex_unlock(&self->mutex);
    for (size_t i = 0; i < self->thread_count; i++) {
        (void)pthread_join(self->threads[i], NULL);
    }
    LP_ASSERT(self->count == 0 && self->running == 0);
    (void)pthread_cond_destroy(&self->is_due);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->threads);
    free(self->queue);
    free(self);
}
