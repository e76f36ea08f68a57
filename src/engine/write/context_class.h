// SPDX-License-Identifier: Apache-2.0
// context_class: the event type of a context type of the Loupe API: startTime, duration,
// eventThread, contextId and its attributes, those with the annotation jdk.jfr.Contextual.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_CONTEXT_CLASS_H
#define LP_ENGINE_WRITE_CONTEXT_CLASS_H

#include "common/context/ctx_record.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_context_class_add adds the event type. The JDK's reader refuses a file in which a type's
// name is no Java class name: where the context type's is none ("tracer-context"), the event type
// gets the nearest one ("tracer_context"), and the name becomes its label unless it has one.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_context_class_add(
    compact_classes *classes, const ctx_type *context, uint64_t *out_id);

#endif // LP_ENGINE_WRITE_CONTEXT_CLASS_H
