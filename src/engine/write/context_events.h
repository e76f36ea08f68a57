// SPDX-License-Identifier: Apache-2.0
// context_events: the contexts of the Loupe API as events of an output chunk: one for each part.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_contexts.c

#ifndef LP_ENGINE_WRITE_CONTEXT_EVENTS_H
#define LP_ENGINE_WRITE_CONTEXT_EVENTS_H

#include "engine/write/writer.h"

#include <stddef.h>
#include <stdint.h>

// A part whose thread and type are known.
typedef struct compact_ready_part {
    const compact_part *part;
    const compact_context *context;
    size_t type; // indexes frame->types
    uint64_t thread_key;
} compact_ready_part;

typedef struct compact_context_events {
    compact_ready_part *parts;
    size_t part_count;
    uint64_t *type_ids; // parallel to frame->types; 0: not used
} compact_context_events;

// compact_context_events_init finds the parts that can be written, and uses the types and constants
// that they need. Where a style shows contexts otherwise there are none, and parts are only
// counted. events lives as long as w->arena.
void compact_context_events_init(compact_context_events *events, compact_writer *w);

// compact_context_events_append writes the events.
void compact_context_events_append(const compact_context_events *events, compact_writer *w);

#endif // LP_ENGINE_WRITE_CONTEXT_EVENTS_H
