// SPDX-License-Identifier: Apache-2.0
// context_class: the event type of a context type of the Loupe API: startTime, duration,
// eventThread, contextId and its attributes, those with the annotation jdk.jfr.Contextual.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#ifndef LP_ENGINE_WRITE_CONTEXT_CLASS_H
#define LP_ENGINE_WRITE_CONTEXT_CLASS_H

#include "common/context/ctx_record.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_context_class_name returns the name of the event type. The JDK's reader refuses a file in
// which a type's name is no Java class name: where the context type's is none ("tracer-context"),
// this is the nearest one ("tracer_context").
const char *compact_context_class_name(lp_arena *arena, const ctx_type *context);

// compact_context_class_add adds the event type and returns its id. The context type's name becomes
// its label where it is another, unless the context type has one. A failure is that of the arena.
uint64_t compact_context_class_add(compact_classes *classes, const ctx_type *context);

#endif // LP_ENGINE_WRITE_CONTEXT_CLASS_H
