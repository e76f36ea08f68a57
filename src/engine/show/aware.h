// SPDX-License-Identifier: Apache-2.0
// aware: which event types show contexts in the styles `fields` and `ref`.
//
// By default all event types with a thread show contexts. A type is chosen or excluded by the
// policy's setting withContext, or else by an annotation with the simple name ContextAware. The
// types of the JVM (jdk.*) are one group, all other types another. If a type of a group is chosen,
// the types of this group with neither setting nor annotation show no contexts.
//
// The policy's choice holds for all chunks of a file, an annotation only for its chunk: another
// chunk may have been stored with another policy (write.c).
//
// Threads: any thread; one thread at a time while a compact_aware changes.
// Tests:   tests/unit/engine/show/test_aware.c
// Memory:  COMPACT_AWARE_BYTES_MAX

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_names.h"
#include "engine/read/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // The limit in bytes for the names of event types in a file, with their table entries. Above
    // it, all event types have places for contexts; in types that show none, these stay empty.
    COMPACT_AWARE_BYTES_MAX = 1 << 20,
};

// Whether a type of a group is chosen.
typedef struct compact_aware_choice {
    bool is_of_jvm;
    bool is_of_others;
} compact_aware_choice;

// The event types that show contexts in any chunk of a file. {0}: no chunks yet.
typedef struct compact_aware {
    compact_aware_choice by_policy;
    lp_names chosen;   // chosen in any chunk
    lp_names unchosen; // show contexts in a chunk where no type of their group is chosen
    size_t bytes;      // of chosen and unchosen
    bool is_full;
} compact_aware;

// compact_aware_add adds the event types of a chunk. It copies their names into arena, which fails
// if memory runs out.
void compact_aware_add(compact_aware *aware, lp_arena *arena, const compact_schema *schema);
void compact_aware_fini(compact_aware *aware);

// compact_aware_has_place returns whether events of a type with a thread have a place for contexts:
// they have one if they show contexts in any chunk.
bool compact_aware_has_place(
    const compact_aware *aware, const compact_schema *schema, uint32_t type);

// compact_aware_choose returns which groups have a chosen type in a chunk of the file.
compact_aware_choice compact_aware_choose(const compact_aware *aware, const compact_schema *schema);

// compact_aware_shows returns whether events of a type with a thread show contexts in a chunk with
// this choice.
bool compact_aware_shows(compact_aware_choice choice, const compact_schema *schema, uint32_t type);

// compact_aware_annotated returns the value of the type's last annotation ContextAware.
policy_with_context compact_aware_annotated(const jfr_metadata *metadata, uint32_t type);

// A reader sees that types of a group are chosen only if the chunk has a chosen type of the group.
// compact_aware_find_sign returns a chosen type of the group (is_jvm: jdk.*) if none of the types
// in is_there (parallel to the types) is chosen; else JFR_NONE.
uint32_t compact_aware_find_sign(const compact_schema *schema, const bool *is_there, bool is_jvm);
