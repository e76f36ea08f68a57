// SPDX-License-Identifier: Apache-2.0
// aware_annotation: the annotation dev.loupe.jfr.ContextAware on event types for which the policy
// says whether they show contexts. By it a stored chunk says so without the policy (restyle.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_aware.c

#ifndef LP_ENGINE_WRITE_AWARE_ANNOTATION_H
#define LP_ENGINE_WRITE_AWARE_ANNOTATION_H

#include "engine/read/schema.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_aware_annotation_add adds the annotation to a type (an index) unless its annotations say
// the same as the policy. schema is the chunk's, and classes began with its metadata. If memory
// runs out, the arena of classes fails.
void compact_aware_annotation_add(
    compact_classes *classes, const compact_schema *schema, uint32_t type);

#endif // LP_ENGINE_WRITE_AWARE_ANNOTATION_H
