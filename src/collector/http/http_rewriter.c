// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_rewriter.h"

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { THREAD_COUNT = 2 };

typedef struct rewriting {
    http_download *download;
    void (*on_rewritten)(void *arg, http_download *download);
    void *arg;
} rewriting;

struct http_rewriter {
    pthread_t threads[THREAD_COUNT];
    size_t thread_count;
    http_rewritten rewritten;
    // Written under mutex, so that no thread misses it before it waits. A rewriting looks without
    // it: orders nothing, and late is good enough.
    atomic_bool is_stopping;
    pthread_mutex_t mutex; // of what follows
    pthread_cond_t is_due;
    rewriting queue[HTTP_REWRITTEN_MAX]; // a ring
    size_t first;
    size_t count;
};

// pop waits for the next rewriting. False: there is none, and no more will come.
static bool
pop(http_rewriter *self, rewriting *out)
{
    (void)pthread_mutex_lock(&self->mutex);
    while (self->count == 0 && !atomic_load_explicit(&self->is_stopping, memory_order_relaxed)) {
        (void)pthread_cond_wait(&self->is_due, &self->mutex);
    }
    bool is_popped = self->count > 0;
    if (is_popped) {
        *out = self->queue[self->first];
        self->first = (self->first + 1) % HTTP_REWRITTEN_MAX;
        self->count--;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return is_popped;
}

static void *
run(void *arg)
{
    http_rewriter *self = arg;
    rewriting next;
    while (pop(self, &next)) {
        http_download_rewrite(next.download, &self->is_stopping);
        next.on_rewritten(next.arg, next.download);
    }
    return NULL;
}

lp_err
http_rewriter_start(http_rewriter **out_rewriter)
{
    http_rewriter *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return LP_ENOMEM;
    }
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    (void)pthread_cond_init(&self->is_due, NULL);
    while (self->thread_count < THREAD_COUNT) {
        if (pthread_create(&self->threads[self->thread_count], NULL, run, self) != 0) {
            http_rewriter_stop(self);
            return LP_ENOMEM;
        }
        self->thread_count++;
    }
    *out_rewriter = self;
    return LP_OK;
}

lp_err
http_rewriter_reserve(http_rewriter *self, http_download *download)
{
    return http_download_reserve(download, &self->rewritten);
}

void
http_rewriter_push(http_rewriter *self, http_download *download,
    void (*on_rewritten)(void *arg, http_download *download), void *arg)
{
    (void)pthread_mutex_lock(&self->mutex);
    LP_ASSERT(self->count < HTTP_REWRITTEN_MAX); // each of them is reserved
    self->queue[(self->first + self->count) % HTTP_REWRITTEN_MAX] =
        (rewriting){.download = download, .on_rewritten = on_rewritten, .arg = arg};
    self->count++;
    (void)pthread_cond_signal(&self->is_due);
    (void)pthread_mutex_unlock(&self->mutex);
}

void
http_rewriter_stop(http_rewriter *self)
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
    (void)pthread_cond_destroy(&self->is_due);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}
