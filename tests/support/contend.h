// SPDX-License-Identifier: Apache-2.0
// contend: runs several functions at the same time, each on a thread of its own. No other lock
// orders the threads, so ThreadSanitizer reports a missing lock if each function locks once.

#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTEND_ROUNDS = 20, CONTEND_MAX = 8 };

typedef void contend_use(void *arg, unsigned round);

// Shared by the threads. A relaxed number orders nothing.
typedef struct contention {
    pthread_barrier_t start;
    atomic_uint running; // that have rounds left
    void *arg;
} contention;

typedef struct contender {
    contention *in;
    contend_use *use;
    pthread_t thread;
} contender;

static inline void *
contend_run(void *arg)
{
    const contender *self = arg;
    (void)pthread_barrier_wait(&self->in->start);
    unsigned round = 0;
    while (atomic_load_explicit(&self->in->running, memory_order_relaxed) > 0) {
        self->use(self->in->arg, round++);
        if (round == CONTEND_ROUNDS) {
            atomic_fetch_sub_explicit(&self->in->running, 1, memory_order_relaxed);
        }
    }
    self->use(self->in->arg, round); // after all rounds of the others, however they were scheduled
    return NULL;
}

// contend_all runs each function, again and again, until all of them ran CONTEND_ROUNDS times, and
// once more after that.
// cmocka's assertions cannot fail in them: a failed check has to abort.
static inline void
contend_all(contend_use *const *uses, unsigned count, void *arg)
{
    contention in = {.running = count, .arg = arg};
    contender contenders[CONTEND_MAX];
    (void)pthread_barrier_init(&in.start, NULL, count);
    for (unsigned i = 0; i < count; i++) {
        contenders[i] = (contender){.in = &in, .use = uses[i]};
        if (pthread_create(&contenders[i].thread, NULL, contend_run, &contenders[i]) != 0) {
            perror("pthread_create");
            abort();
        }
    }
    for (unsigned i = 0; i < count; i++) {
        (void)pthread_join(contenders[i].thread, NULL);
    }
    (void)pthread_barrier_destroy(&in.start);
}

// contend(arg, use...) does so with the functions that are named, CONTEND_MAX at most.
#define contend(arg, ...)                                                                          \
    contend_all((contend_use *const[]){__VA_ARGS__},                                               \
        sizeof((contend_use *const[]){__VA_ARGS__}) / sizeof(contend_use *), (arg))
