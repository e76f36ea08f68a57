// SPDX-License-Identifier: Apache-2.0
// contextual_fields: the annotations by which readers know contextual event types without the
// policy: jdk.jfr.Contextual on their fields, and dev.loupe.jfr.Contextual on types of which their
// other annotations say otherwise than the policy.
//
// JDK 25's `jfr print` looks for contexts by the fields with that annotation. So the attributes of
// a type get it if the recording does not have it on them: if the type is contextual as a whole, or
// by policy, or by an annotation of another package.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_contextual_fields.c

#ifndef LP_ENGINE_WRITE_CONTEXTUAL_FIELDS_H
#define LP_ENGINE_WRITE_CONTEXTUAL_FIELDS_H

#include "engine/read/schema.h"
#include "engine/write/classes.h"

#include <stdint.h>

// compact_contextual_fields_mark adds the annotations that a type (an index) lacks. schema is the
// chunk's, and classes began with its metadata. If memory runs out, the arena of classes fails.
void compact_contextual_fields_mark(
    compact_classes *classes, const compact_schema *schema, uint32_t type);

#endif // LP_ENGINE_WRITE_CONTEXTUAL_FIELDS_H
