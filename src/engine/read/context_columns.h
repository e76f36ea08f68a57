// SPDX-License-Identifier: Apache-2.0
// context_columns: counts contextual events that wait in a queue (context_sums.h): how long they
// took, and then attribute by attribute. So what all events of a type have in common is looked up
// once for a queue, and a short loop does the rest.
//
// Where an event ends within an attribute, this one and those behind it are not counted.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/test_rollup_make.c, tests/prop/test_rollup_prop.c

#ifndef LP_ENGINE_READ_CONTEXT_COLUMNS_H
#define LP_ENGINE_READ_CONTEXT_COLUMNS_H

#include "engine/read/context_sums.h"

// compact_columns_make_room is compact_columns_room where the queue is full, or of a new type.
compact_queue *compact_columns_make_room(compact_sums *sums, uint32_t type, compact_way way);

// compact_columns_room returns a queue with room for an event of a type. NULL if the type is left
// out, or memory ran out.
static inline compact_queue *
compact_columns_room(compact_sums *sums, uint32_t type, compact_way way)
{
    compact_queue *queue = sums->queues[COMPACT_COUNT_WAYS * type + way];
    bool has_room = queue != NULL && queue->next < queue->items + COMPACT_QUEUE_MAX;
    return has_room ? queue : compact_columns_make_room(sums, type, way);
}

// compact_columns_add counts a contextual event, as soon as its queue is full or
// compact_columns_end is called. fields begin behind its head where the head is plain (schema.h),
// else with the event's payload.
static inline __attribute__((always_inline)) void
compact_columns_add(compact_sums *sums, uint32_t type, compact_way way, jfr_cursor fields,
    int64_t begin, int64_t commit, uint32_t thread)
{
    compact_queue *queue = compact_columns_room(sums, type, way);
    if (queue != NULL) {
        compact_waiting *waiting = queue->next++;
        waiting->fields = fields;
        waiting->begin = begin;
        waiting->commit = commit;
        waiting->thread = thread;
    }
}

// compact_columns_keep counts an event among the kept ones that was counted among the dropped ones.
void compact_columns_keep(
    compact_sums *sums, const compact_event *event, int64_t begin, int64_t commit, uint32_t thread);

// compact_columns_end counts all that is left in queues.
void compact_columns_end(compact_sums *sums);

// compact_columns_find returns the type and the values of an event that was counted, as it lies
// in the view; NULL if its type is left out, or memory ran out.
compact_type_sums *compact_columns_find(
    compact_sums *sums, const compact_event *event, compact_sums_values *out_values);

#endif // LP_ENGINE_READ_CONTEXT_COLUMNS_H
