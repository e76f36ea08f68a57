// SPDX-License-Identifier: Apache-2.0
// context_class: the event type of a context type of the Loupe API: startTime, duration,
// eventThread, contextId, and the attributes with the annotation jdk.jfr.Contextual.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#pragma once

#include "common/context/ctx_record.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_context_class_name returns the name of the event type: the nearest Java class name, such
// as "tracer_context" for "tracer-context". The JDK's reader rejects a file with other names.
const char *compact_context_class_name(lp_arena *arena, const ctx_type *context);

// compact_context_class_add adds the event type and returns its id. If the name changes, the
// context type's name becomes the label, unless it has one. Errors: in the arena
uint64_t compact_context_class_add(compact_classes *classes, const ctx_type *context);
