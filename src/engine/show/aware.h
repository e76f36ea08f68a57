// SPDX-License-Identifier: Apache-2.0
// aware: which event types show contexts in the styles `fields` and `ref`.
//
// By default all do. A type may be chosen or excluded: by the policy's setting withContext, or else
// by an annotation with the simple name ContextAware. Types of the JVM (jdk.*) and other types are
// two groups. If a type of a group is chosen, types of the group without a setting and without an
// annotation show no contexts.
//
// The policy is the same for all chunks of a file, and so is its choice. An annotation chooses for
// its chunk: another chunk may have been stored with another policy (write.c).
//
// Threads: any thread; one at a time for a compact_aware that is changed.
// Tests:   tests/unit/engine/show/test_aware.c
// Memory:  COMPACT_AWARE_BYTES_MAX

#ifndef LP_ENGINE_SHOW_AWARE_H
#define LP_ENGINE_SHOW_AWARE_H

#include "common/base/lp_arena.h"
#include "common/base/lp_names.h"
#include "engine/read/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Of the names of event types in a file, with their places. If there are more, all event types
    // have places for contexts; those that show none have them empty.
    COMPACT_AWARE_BYTES_MAX = 1 << 20,
};

// Whether a type of a group is chosen.
typedef struct compact_aware_choice {
    bool is_of_jvm;
    bool is_of_others;
} compact_aware_choice;

// The event types that show contexts in any chunk of a file. {0}: of a file without chunks.
typedef struct compact_aware {
    compact_aware_choice by_policy;
    lp_names chosen;   // in any chunk
    lp_names unchosen; // show contexts in a chunk where no type of their group is chosen
    size_t bytes;      // of both
    bool is_full;
} compact_aware;

// compact_aware_add adds the types of a chunk. Their names are copied into arena, which fails if
// memory runs out.
void compact_aware_add(compact_aware *aware, lp_arena *arena, const compact_schema *schema);
void compact_aware_fini(compact_aware *aware);

// compact_aware_has_place returns whether events of a type have a place for contexts, if they have
// a thread: whether such events show contexts in any chunk.
bool compact_aware_has_place(
    const compact_aware *aware, const compact_schema *schema, uint32_t type);

// compact_aware_choose returns the choice in a chunk of the file.
compact_aware_choice compact_aware_choose(const compact_aware *aware, const compact_schema *schema);

// compact_aware_shows returns whether the events of a type show contexts in the chunk with that
// choice, if they have a thread.
bool compact_aware_shows(compact_aware_choice choice, const compact_schema *schema, uint32_t type);

// compact_aware_annotated returns the setting by the type's annotations; the last one counts.
policy_with_context compact_aware_annotated(const jfr_metadata *metadata, uint32_t type);

// compact_aware_find_sign returns a chosen type of the group (jdk.* or the others) if none of
// is_there (parallel to the types) is one; else JFR_NONE. Without this type a reader of these types
// would not know that types of the group are chosen.
uint32_t compact_aware_find_sign(const compact_schema *schema, const bool *is_there, bool is_jvm);

#endif // LP_ENGINE_SHOW_AWARE_H
