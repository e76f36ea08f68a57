// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/trace_ids.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

struct trace_ids {
    pthread_mutex_t mutex; // guards the rest, but run
    uint64_t run;
    uint64_t next;                   // the number of the next own id
    uint64_t own[TRACE_IDS_OWN_MAX]; // a ring: number n is at n % TRACE_IDS_OWN_MAX
    rollup_hashes heard;
};

trace_ids *
trace_ids_create(void)
{
    trace_ids *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    if (getrandom(&self->run, sizeof(self->run), 0) != sizeof(self->run)) {
        free(self);
        return NULL;
    }
    self->run = self->run >> 1 | 1; // never that of a mark of none
    (void)pthread_mutex_init(&self->mutex, NULL);
    return self;
}

void
trace_ids_destroy(trace_ids *self)
{
    if (self != NULL) {
        LP_VEC_FINI(&self->heard);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

void
trace_ids_put(trace_ids *self, uint64_t hash)
{
    (void)pthread_mutex_lock(&self->mutex);
    self->own[self->next++ % TRACE_IDS_OWN_MAX] = hash;
    (void)pthread_mutex_unlock(&self->mutex);
}

uint64_t
trace_ids_read(
    trace_ids *self, trace_ids_mark *mark, uint64_t out[TRACE_IDS_READ_MAX], size_t *out_count)
{
    uint64_t missed = 0;
    size_t count = 0;
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t oldest = self->next > TRACE_IDS_OWN_MAX ? self->next - TRACE_IDS_OWN_MAX : 0;
    if (mark->run != self->run || mark->next > self->next) {
        *mark = (trace_ids_mark){self->run, oldest};
    } else if (mark->next < oldest) {
        missed = oldest - mark->next;
        mark->next = oldest;
    }
    while (mark->next < self->next && count < TRACE_IDS_READ_MAX) {
        out[count++] = self->own[mark->next++ % TRACE_IDS_OWN_MAX];
    }
    LP_ASSERT(mark->run != 0 && mark->next <= self->next && count <= TRACE_IDS_READ_MAX);
    (void)pthread_mutex_unlock(&self->mutex);
    *out_count = count;
    return missed;
}

size_t
trace_ids_hear(trace_ids *self, const uint64_t *hashes, size_t count)
{
    size_t added = 0;
    (void)pthread_mutex_lock(&self->mutex);
    while (added < count && self->heard.count < TRACE_IDS_HEARD_MAX &&
           LP_VEC_ADD(&self->heard, hashes[added]) == LP_OK) {
        added++;
    }
    LP_ASSERT(added <= count && self->heard.count <= TRACE_IDS_HEARD_MAX);
    (void)pthread_mutex_unlock(&self->mutex);
    return count - added;
}

void
trace_ids_take(trace_ids *self, rollup_hashes *out)
{
    LP_ASSERT(out->count == 0 && out->items == NULL);
    (void)pthread_mutex_lock(&self->mutex);
    *out = self->heard;
    self->heard = (rollup_hashes){0};
    (void)pthread_mutex_unlock(&self->mutex);
}
