// SPDX-License-Identifier: Apache-2.0
// context_events: writes contexts of the Loupe API as events, one for each part.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/contexts/test_contexts.c

#pragma once

#include "engine/write/writer.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_ready_part {
    const compact_part *part;
    const compact_context *context;
    size_t type; // index of frame->types
    uint64_t thread_key;
} compact_ready_part;

typedef struct compact_context_events {
    compact_ready_part *parts;
    size_t part_count;
    uint64_t *type_ids; // by frame->types; 0: not used
} compact_context_events;

// compact_context_events_init finds the writable parts, and uses their types and constants. With a
// style there are none, and parts are only counted. events lives as long as w->arena.
void compact_context_events_init(compact_context_events *events, compact_writer *w);

void compact_context_events_append(const compact_context_events *events, compact_writer *w);
