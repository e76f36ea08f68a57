// SPDX-License-Identifier: Apache-2.0
#include "collector/base/chunk_ahead.h"

#include "collector/base/workers.h"
#include "common/base/lp_assert.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef enum slot_state {
    SLOT_FREE,
    SLOT_OPENING, // a worker uses the slot
    SLOT_DONE,
} slot_state;

typedef struct slot {
    chunk_ahead *owner;
    slot_state state; // guarded by the owner's mutex
    blob_name name;
    blob *chunk; // NULL: none
    lp_err err;
    int error;
} slot;

struct chunk_ahead {
    chunk_ahead_list list;
    workers *workers;
    size_t next; // chunk to begin
    pthread_mutex_t mutex;
    pthread_cond_t done;         // a slot is
    slot slots[CHUNK_AHEAD_MAX]; // of chunk i: i % CHUNK_AHEAD_MAX
};

static void
open_now(slot *s)
{
    s->err = blobs_open_chunk(s->owner->list.blobs, &s->name, &s->chunk);
    s->error = errno;
}

static void
open_slot(void *arg, const atomic_bool *is_stopping)
{
    slot *s = arg;
    chunk_ahead *self = s->owner;
    if (!atomic_load_explicit(is_stopping, memory_order_relaxed)) {
        open_now(s);
    }
    (void)pthread_mutex_lock(&self->mutex);
    LP_ASSERT(s->state == SLOT_OPENING);
    s->state = SLOT_DONE;
    (void)pthread_cond_signal(&self->done);
    (void)pthread_mutex_unlock(&self->mutex);
}

// begin_slot has a worker open a chunk, unless the reader skips it.
static void
begin_slot(chunk_ahead *self, size_t index)
{
    slot *s = &self->slots[index % CHUNK_AHEAD_MAX];
    LP_ASSERT(s->state == SLOT_FREE && s->chunk == NULL);
    blob_name name;
    if (self->list.get_name(self->list.arg, index, &name)) {
        *s = (slot){.owner = self, .state = SLOT_OPENING, .name = name};
        lp_err err = workers_push(self->workers, open_slot, s);
        LP_ASSERT(err == LP_OK); // it has room for all slots
    }
}

// begin_next begins the chunks below end that have not begun.
static void
begin_next(chunk_ahead *self, size_t end)
{
    end = end < self->list.count ? end : self->list.count;
    while (self->next < end) {
        begin_slot(self, self->next++);
    }
}

static void
await(chunk_ahead *self, const slot *s)
{
    (void)pthread_mutex_lock(&self->mutex);
    LP_ASSERT(s->state != SLOT_FREE); // the reader skips it
    while (s->state == SLOT_OPENING) {
        (void)pthread_cond_wait(&self->done, &self->mutex);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

chunk_ahead *
chunk_ahead_begin(const chunk_ahead_list *list)
{
    LP_ASSERT(list->blobs != NULL && list->get_name != NULL);
    size_t count = list->count < CHUNK_AHEAD_MAX ? list->count : CHUNK_AHEAD_MAX;
    chunk_ahead *self = count == 0 ? NULL : calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    self->list = *list;
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    (void)pthread_cond_init(&self->done, NULL);
    if (workers_start("loupe-ahead", WORKERS_NORMAL, count, count, &self->workers) != LP_OK) {
        chunk_ahead_end(self);
        return NULL;
    }
    begin_next(self, CHUNK_AHEAD_MAX);
    return self;
}

lp_err
chunk_ahead_open(chunk_ahead *self, size_t index, blob **out_blob)
{
    LP_ASSERT(index < self->list.count && index + CHUNK_AHEAD_MAX >= self->next);
    begin_next(self, index + 1); // it has not begun if the reader skipped many
    slot *s = &self->slots[index % CHUNK_AHEAD_MAX];
    await(self, s);
    blob *chunk = s->chunk;
    lp_err err = s->err;
    int error = s->error;
    *s = (slot){.state = SLOT_FREE};
    begin_next(self, index + 1 + CHUNK_AHEAD_MAX);
    if (err == LP_OK) {
        *out_blob = chunk;
    }
    errno = error;
    return err;
}

void
chunk_ahead_end(chunk_ahead *self)
{
    if (self == NULL) {
        return;
    }
    workers_stop(self->workers);
    for (size_t i = 0; i < CHUNK_AHEAD_MAX; i++) {
        LP_ASSERT(self->slots[i].state != SLOT_OPENING);
        blob_close(self->slots[i].chunk);
    }
    (void)pthread_cond_destroy(&self->done);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}
