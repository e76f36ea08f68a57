// SPDX-License-Identifier: Apache-2.0

#include "collector/base/chunk_feed.h"

#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdlib.h>

struct chunk_feed {
    pthread_mutex_t mutex; // guards the rest
    uint64_t popped;       // chunks so far, dropped ones included
    uint64_t pushed;
    chunk_feed_item items[CHUNK_FEED_MAX]; // by number, modulo
};

chunk_feed *
chunk_feed_create(void)
{
    chunk_feed *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

void
chunk_feed_destroy(chunk_feed *self)
{
    if (self != NULL) {
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

// The caller holds the mutex.
static void
feed_check(const chunk_feed *self)
{
    LP_ASSERT(self->popped <= self->pushed);
    LP_ASSERT(self->pushed - self->popped <= CHUNK_FEED_MAX);
}

bool
chunk_feed_push(chunk_feed *self, const chunk_feed_item *item)
{
    (void)pthread_mutex_lock(&self->mutex);
    feed_check(self);
    bool has_room = self->pushed - self->popped < CHUNK_FEED_MAX;
    self->popped += has_room ? 0 : 1;
    self->items[self->pushed++ % CHUNK_FEED_MAX] = *item;
    (void)pthread_mutex_unlock(&self->mutex);
    return has_room;
}

bool
chunk_feed_pop(chunk_feed *self, chunk_feed_item *out_item)
{
    (void)pthread_mutex_lock(&self->mutex);
    feed_check(self);
    bool has_one = self->popped < self->pushed;
    if (has_one) {
        *out_item = self->items[self->popped++ % CHUNK_FEED_MAX];
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return has_one;
}
