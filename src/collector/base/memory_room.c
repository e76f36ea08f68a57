// SPDX-License-Identifier: Apache-2.0

#include "collector/base/memory_room.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <stddef.h>

// has_room returns whether a user could have so many bytes more. Wide ones leave half to others.
static bool
has_room(const memory_room *self, bool is_wide, uint64_t bytes)
{
    const uint64_t half = self->bytes_max / 2;
    return self->bytes <= self->bytes_max && bytes <= self->bytes_max - self->bytes &&
           (!is_wide || bytes <= half - self->wide_bytes);
}

// next_queue returns the queue of which the first one may come in, or NULL.
static memory_room_queue *
next_queue(memory_room *self)
{
    const memory_room_user *user = self->others.first;
    if (user != NULL) {
        bool is_alone = self->bytes == self->wide_bytes;
        return is_alone || has_room(self, false, user->bytes) ? &self->others : NULL;
    }
    user = self->wide.first;
    return user != NULL && has_room(self, true, user->bytes) ? &self->wide : NULL;
}

// admit lets those in that are next and for whom there is room. Those that ask or leave meanwhile
// leave it to the loop that goes on.
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
        self->bytes += user->bytes;
        self->wide_bytes += user->is_wide ? user->bytes : 0;
        metrics_sub(METRICS_jobs_waiting_for_memory, 1);
        user->on_room(user->arg); // may end user
    }
    self->is_admitting = false;
}

void
memory_room_ask(memory_room *self, memory_room_user *user)
{
    LP_ASSERT(user->bytes > 0);
    memory_room_queue *queue = user->is_wide ? &self->wide : &self->others;
    if (user->is_wide && user->bytes > self->bytes_max / 2) {
        user->bytes = self->bytes_max / 2;
    }
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
    if (bytes > user->bytes && has_room(self, user->is_wide, bytes - user->bytes)) {
        self->bytes += bytes - user->bytes;
        self->wide_bytes += user->is_wide ? bytes - user->bytes : 0;
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
    self->bytes -= user->bytes;
    self->wide_bytes -= user->is_wide ? user->bytes : 0;
    admit(self);
}
