// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/side_work.h"

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct side_work {
    workers *threads;
    size_t thread_count;
    size_t count; // jobs that are not done
    bool is_stopping;
    uv_async_t done; // jobs are
    // Read by those who send to done, written by the loop to close it. So they do without mutex,
    // which the loop would wait for once they have woken it: they may have a lower priority.
    pthread_rwlock_t closing;
    pthread_mutex_t mutex; // of what follows
    side_work_job *first_done;
    side_work_job **last_done; // where the next one goes
};

static void
run(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // the loop waits for all of them first
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
        self->count--;
        job->on_done(job->arg);
        job = next;
    }
    close_if_done(self);
}

lp_err
side_work_create(uv_loop_t *loop, const char *name, workers_priority priority, size_t thread_count,
    side_work **out_work)
{
    side_work *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return LP_ENOMEM;
    }
    (void)pthread_rwlock_init(&self->closing, NULL); // Linux's cannot fail
    (void)pthread_mutex_init(&self->mutex, NULL);    // nor this
    self->last_done = &self->first_done;
    self->thread_count = thread_count;
    // A thread that has told of its job is not at once ready for the next one.
    lp_err err = workers_start(name, priority, thread_count, thread_count, &self->threads);
    if (err == LP_OK && uv_async_init(loop, &self->done, on_done) != 0) {
        err = LP_EIO;
    }
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
    LP_ASSERT(!self->is_stopping && self->count < self->thread_count);
    self->count++;
    job->owner = self;
    job->next = NULL;
    lp_err err = workers_push(self->threads, run, job);
    LP_ASSERT(err == LP_OK); // there is room for twice as many
}

void
side_work_stop(side_work *self)
{
    if (self != NULL) {
        self->is_stopping = true;
        uv_ref((uv_handle_t *)&self->done); // until close_if_done
        close_if_done(self);
    }
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
