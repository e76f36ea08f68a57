// SPDX-License-Identifier: Apache-2.0
#include "collector/chunks/side_work.h"

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct side_work {
    workers *threads;
    size_t thread_count;
    size_t count; // unfinished jobs
    bool is_stopping;
    uv_async_t done; // sent after each job
    // Senders to done lock it for reading; the loop locks it for writing to close done. So they do
    // not hold the mutex while they wake the loop, which may have a higher priority and would wait
    // for it.
    pthread_rwlock_t closing;
    pthread_mutex_t mutex; // guards the rest
    side_work_job *first_done;
    side_work_job **last_done; // where the next one goes
};

static void
side_work_check(const side_work *self)
{
    LP_ASSERT(self->count <= self->thread_count);
}

static void
run_side_job(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // the loop waits for all jobs first
    side_work_job *job = arg;
    side_work *self = job->owner;
    job->on_thread(job->arg);
    (void)pthread_rwlock_rdlock(&self->closing);
    (void)pthread_mutex_lock(&self->mutex);
    *self->last_done = job;
    self->last_done = &job->next;
    (void)pthread_mutex_unlock(&self->mutex);
    (void)uv_async_send(&self->done); // fails only on a handle of another kind
    (void)pthread_rwlock_unlock(&self->closing);
}

static void
close_if_done(side_work *self)
{
    side_work_check(self);
    if (self->is_stopping && self->count == 0) {
        (void)pthread_rwlock_wrlock(&self->closing);
        uv_close((uv_handle_t *)&self->done, NULL);
        (void)pthread_rwlock_unlock(&self->closing);
    }
}

static void
on_done(uv_async_t *done)
{
    side_work *self = done->data;
    (void)pthread_mutex_lock(&self->mutex);
    side_work_job *job = self->first_done;
    self->first_done = NULL;
    self->last_done = &self->first_done;
    (void)pthread_mutex_unlock(&self->mutex);
    while (job != NULL) {
        side_work_job *next = job->next;
        LP_ASSERT(self->count > 0);
        self->count--;
        job->on_done(job->arg);
        job = next;
    }
    close_if_done(self);
}

void
side_work_destroy(side_work *self)
{
    if (self != NULL) {
        workers_stop(self->threads);
        (void)pthread_mutex_destroy(&self->mutex);
        (void)pthread_rwlock_destroy(&self->closing);
        free(self);
    }
}

lp_err
side_work_create(uv_loop_t *loop, const char *name, workers_priority priority, size_t thread_count,
    side_work **out_work)
{
    side_work *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    (void)pthread_rwlock_init(&self->closing, NULL); // Linux's cannot fail
    (void)pthread_mutex_init(&self->mutex, NULL);    // nor this
    self->last_done = &self->first_done;
    self->thread_count = thread_count;
    // A thread is not ready for the next job at once after the last one.
    lp_err err = workers_start(name, priority, thread_count, thread_count, &self->threads);
    LP_THEN(err, uv_async_init(loop, &self->done, on_done) != 0 ? LP_EIO : LP_OK);
    if (err != LP_OK) {
        side_work_destroy(self);
        return err;
    }
    self->done.data = self;
    uv_unref((uv_handle_t *)&self->done);
    *out_work = self;
    return LP_OK;
}

void
side_work_push(side_work *self, side_work_job *job)
{
    side_work_check(self);
    LP_ASSERT(!self->is_stopping && self->count < self->thread_count);
    self->count++;
    job->owner = self;
    job->next = NULL;
    lp_err err = workers_push(self->threads, run_side_job, job);
    LP_ASSERT(err == LP_OK); // the queue has room for twice as many
}

void
side_work_stop(side_work *self)
{
    if (self != NULL) {
        self->is_stopping = true;
        uv_ref((uv_handle_t *)&self->done); // keeps the loop alive until close_if_done
        close_if_done(self);
    }
}
