// SPDX-License-Identifier: Apache-2.0

#include "collector/base/memory_room.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <stddef.h>

static bool
fits(const memory_room *self, const memory_room_user *user)
{
    return self->bytes == 0 ||
           (self->bytes <= self->bytes_max && user->bytes <= self->bytes_max - self->bytes);
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
    memory_room_user *user;
    while ((user = self->first) != NULL && fits(self, user)) {
        self->first = user->next;
        self->bytes += user->bytes;
        metrics_sub(METRICS_jobs_waiting_for_memory, 1);
        user->on_room(user->arg); // may end user
    }
    self->is_admitting = false;
}

void
memory_room_ask(memory_room *self, memory_room_user *user)
{
    LP_ASSERT(user->bytes > 0);
    user->next = NULL;
    if (self->first == NULL) {
        self->first = user;
    } else {
        self->last->next = user;
    }
    self->last = user;
    metrics_add(METRICS_jobs_waiting_for_memory, 1);
    admit(self);
}

bool
memory_room_suffices(memory_room *self, memory_room_user *user, uint64_t bytes)
{
    if (bytes > user->bytes && self->bytes <= self->bytes_max &&
        bytes - user->bytes <= self->bytes_max - self->bytes) {
        self->bytes += bytes - user->bytes;
        user->bytes = bytes;
    }
    bool suffices = bytes <= user->bytes && bytes <= self->bytes_max;
    metrics_add(METRICS_jobs_in_files, suffices ? 0 : 1);
    return suffices;
}

void
memory_room_leave(memory_room *self, const memory_room_user *user)
{
    LP_ASSERT(user->bytes <= self->bytes);
    self->bytes -= user->bytes;
    admit(self);
}
