// SPDX-License-Identifier: Apache-2.0
// context_walk: the attributes of a context of the Loupe API with their values, from its record or
// from its map.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/rollup/test_rollup_make.c

#pragma once

#include "common/context/ctx_recording.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/value.h"
#include "engine/frame.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct compact_context_walk {
    const char *name; // of the current attribute
    ctx_kind kind;
    compact_value value;
    bool is_damaged; // it has no value, and neither have later attributes
    // Private.
    const ctx_type *type;
    const ctx_recording *map; // of a RecordingContext; NULL: unknown, without attributes
    compact_values values;    // of others
    size_t next;
} compact_context_walk;

// compact_context_walk_begin begins before the first attribute. Borrows all of its arguments.
compact_context_walk compact_context_walk_begin(const compact_frame *frame,
    const compact_contexts *contexts, const compact_context *context, const ctx_type *type);

// compact_context_walk_next moves to the next attribute. Returns false if there is none.
bool compact_context_walk_next(compact_context_walk *walk);
