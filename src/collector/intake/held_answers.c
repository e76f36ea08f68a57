// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/held_answers.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <string.h>

bool
held_answers_has_room(const held_answers *self, size_t count)
{
    return self->items.count - self->first + count <= HELD_ANSWERS_MAX;
}

// close_up moves those that wait to the front when more than half of the room is behind them.
static void
close_up(held_answers *self)
{
    size_t count = self->items.count - self->first;
    if (self->first > count) {
        memmove(self->items.items, self->items.items + self->first,
            count * sizeof(self->items.items[0]));
        self->items.count = count;
        self->first = 0;
    }
}

lp_err
held_answers_push(held_answers *self, const held_answer *answer)
{
    LP_ASSERT(self->items.count == self->first ||
              self->items.items[self->items.count - 1].round <= answer->round);

    close_up(self);
    if (!LP_VEC_ROOM(&self->items)) {
        return LP_ENOMEM;
    }
    self->items.items[self->items.count++] = *answer;
    metrics_add(METRICS_answers_waiting, 1);
    return LP_OK;
}

const held_answer *
held_answers_first(const held_answers *self)
{
    return self->first == self->items.count ? NULL : &self->items.items[self->first];
}

held_answer
held_answers_pop(held_answers *self)
{
    LP_ASSERT(self->first < self->items.count);
    metrics_sub(METRICS_answers_waiting, 1);
    return self->items.items[self->first++];
}

void
held_answers_fini(held_answers *self)
{
    while (held_answers_first(self) != NULL) {
        held_answer dropped = held_answers_pop(self);
        agent_socket_drop(dropped.request);
        lp_buf_fini(&dropped.reply);
    }
    LP_VEC_FINI(&self->items);
}
