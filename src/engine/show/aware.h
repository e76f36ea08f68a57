// SPDX-License-Identifier: Apache-2.0
// aware: which event types show contexts in the styles `fields` and `ref`.
//
// By default all do. A type may be chosen or excluded: by the policy's setting withContext, or else
// by an annotation with the simple name ContextAware. Types of the JVM (jdk.*) and other types are
// two groups. If a type of a group is chosen, types of the group without a setting and without an
// annotation show no contexts.
//
// Threads: any thread.

#ifndef LP_ENGINE_SHOW_AWARE_H
#define LP_ENGINE_SHOW_AWARE_H

#include "engine/read/schema.h"

#include <stdbool.h>
#include <stdint.h>

// Whether a type of a group is chosen. {0}: none is.
typedef struct compact_aware {
    bool is_chosen_of_jvm;
    bool is_chosen_of_others;
} compact_aware;

// compact_aware_add adds the types of a chunk.
void compact_aware_add(compact_aware *aware, const compact_schema *schema);

// compact_aware_shows returns whether the events of a type show contexts, if they have a thread.
bool compact_aware_shows(const compact_aware *aware, const compact_schema *schema, uint32_t type);

// compact_aware_annotated returns the setting by the type's annotations; the last one counts.
policy_with_context compact_aware_annotated(const jfr_metadata *metadata, uint32_t type);

#endif // LP_ENGINE_SHOW_AWARE_H
