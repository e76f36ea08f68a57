// SPDX-License-Identifier: Apache-2.0
// context_columns: counts queued contextual events (context_sums.h) column by column: first the
// durations of all events in a queue, then one attribute after the other. The attributes of a type
// are looked up once for a whole queue.
//
// If an event ends inside an attribute, this attribute and the later ones are not counted.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/rollup/test_rollup_make.c, tests/prop/test_rollup_prop.c

#pragma once

#include "engine/read/context_sums.h"

// compact_columns_make_room does the work of compact_columns_room for a full queue or a new type.
compact_queue *compact_columns_make_room(compact_sums *sums, uint32_t type, compact_way way);

// compact_columns_room returns a queue with room for an event of a type. NULL if the type is left
// out or memory ran out.
static inline compact_queue *
compact_columns_room(compact_sums *sums, uint32_t type, compact_way way)
{
    compact_queue *queue = sums->queues[COMPACT_COUNT_WAYS * type + way];
    bool has_room = queue != NULL && queue->next < queue->items + COMPACT_QUEUE_MAX;
    return has_room ? queue : compact_columns_make_room(sums, type, way);
}

// compact_columns_add queues a contextual event. It is counted when its queue is full, or by
// compact_columns_end, which also makes its row: the view's number of spans if the event becomes
// the next one, + 1; 0 for none. fields starts after the plain head (schema.h) if the type has one,
// else at the payload.
static inline __attribute__((always_inline)) void
compact_columns_add(compact_sums *sums, uint32_t type, compact_way way, jfr_cursor fields,
    int64_t begin, int64_t commit, uint32_t thread, size_t row)
{
    compact_queue *queue = compact_columns_room(sums, type, way);
    if (queue != NULL) {
        compact_waiting *waiting = queue->next++;
        waiting->fields = fields;
        waiting->begin = begin;
        waiting->commit = commit;
        waiting->thread = thread;
        waiting->row = (uint32_t)row;
    }
}

// compact_columns_keep counts an event as kept. The event was counted as dropped before.
void compact_columns_keep(
    compact_sums *sums, const compact_event *event, int64_t begin, int64_t commit, uint32_t thread);

// compact_columns_end counts the queued events.
void compact_columns_end(compact_sums *sums);

// compact_columns_find returns the type and the values of a counted event. NULL if its type is left
// out or memory ran out.
compact_type_sums *compact_columns_find(
    compact_sums *sums, const compact_event *event, compact_sums_values *out_values);
