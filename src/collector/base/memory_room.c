// SPDX-License-Identifier: Apache-2.0

#include "collector/base/memory_room.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <stddef.h>

// limit_of returns the limit of a rank and the later ones together.
static uint64_t
limit_of(const memory_room *self, memory_room_rank rank)
{
    LP_ASSERT(rank < MEMORY_ROOM_RANK_COUNT);
    const uint64_t quarter = self->bytes_max / 4;
    return rank == MEMORY_ROOM_WIDE         ? self->bytes_max / 2
           : rank == MEMORY_ROOM_COMPACTION ? self->bytes_max - quarter
                                            : self->bytes_max;
}

// has_room returns whether a rank can take bytes more within its limit and those of earlier ranks.
static bool
has_room(const memory_room *self, memory_room_rank rank, uint64_t bytes)
{
    uint64_t taken = self->bytes;
    for (memory_room_rank i = 0; i <= rank; i++) {
        const uint64_t limit = limit_of(self, i);
        LP_REQUIRE(taken <= limit && bytes <= limit - taken, false);
        taken -= self->ranks[i].bytes;
    }
    return true;
}

// next_queue returns the queue whose first job is admitted next, or NULL.
static memory_room_queue *
next_queue(memory_room *self)
{
    for (memory_room_rank i = 0; i < MEMORY_ROOM_WIDE; i++) {
        if (self->ranks[i].first != NULL && self->ranks[i].bytes == 0) {
            return &self->ranks[i];
        }
    }
    for (memory_room_rank i = 0; i < MEMORY_ROOM_RANK_COUNT; i++) {
        memory_room_queue *queue = &self->ranks[i];
        if (queue->first != NULL) {
            return has_room(self, i, queue->first->bytes) ? queue : NULL;
        }
    }
    return NULL;
}

static void
take(memory_room *self, memory_room_rank rank, uint64_t bytes)
{
    self->bytes += bytes;
    self->ranks[rank].bytes += bytes;
    LP_ASSERT(self->ranks[rank].bytes <= self->bytes);
}

// admit admits jobs while there is room. Calls from on_room return at once: the outer loop goes on.
static void
admit(memory_room *self)
{
    if (self->is_admitting) {
        return;
    }
    self->is_admitting = true;
    memory_room_queue *queue;
    while ((queue = next_queue(self)) != NULL) {
        memory_room_user *user = queue->first;
        queue->first = user->next;
        take(self, user->rank, user->bytes);
        metrics_sub(METRICS_jobs_waiting_for_memory, 1);
        user->on_room(user->arg); // may end user
    }
    self->is_admitting = false;
}

void
memory_room_ask(memory_room *self, memory_room_user *user)
{
    LP_ASSERT(user->bytes > 0);
    memory_room_queue *queue = &self->ranks[user->rank];
    const uint64_t limit = limit_of(self, user->rank);
    user->bytes = user->bytes < limit ? user->bytes : limit;
    user->next = NULL;
    if (queue->first == NULL) {
        queue->first = user;
    } else {
        queue->last->next = user;
    }
    queue->last = user;
    metrics_add(METRICS_jobs_waiting_for_memory, 1);
    admit(self);
}

bool
memory_room_suffices(memory_room *self, memory_room_user *user, uint64_t bytes)
{
    LP_ASSERT(user->bytes <= self->ranks[user->rank].bytes);
    bool is_alone = self->ranks[user->rank].bytes == user->bytes && user->rank < MEMORY_ROOM_WIDE;
    memory_room_rank as = is_alone ? MEMORY_ROOM_NARROW : user->rank; // may have all of the room
    if (bytes > user->bytes && has_room(self, as, bytes - user->bytes)) {
        take(self, user->rank, bytes - user->bytes);
        user->bytes = bytes;
    }
    bool suffices = bytes <= user->bytes && self->bytes <= self->bytes_max;
    metrics_add(METRICS_jobs_in_files, suffices ? 0 : 1);
    return suffices;
}

void
memory_room_leave(memory_room *self, const memory_room_user *user)
{
    LP_ASSERT(user->bytes <= self->bytes);
    LP_ASSERT(user->bytes <= self->ranks[user->rank].bytes);
    self->bytes -= user->bytes;
    self->ranks[user->rank].bytes -= user->bytes;
    admit(self);
}
