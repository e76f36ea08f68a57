// SPDX-License-Identifier: Apache-2.0
// classes: the types in the metadata of an output chunk, and its metadata event. The output has the
// types that are used, those that readers look for, and those that Loupe adds.
//
// Readers look up types by name first. grafana/jfr-parser rejects a chunk that lacks certain types,
// even if no event has them: some primitive types, threads, classes, methods, stack traces, and
// their enumerations. The output describes each of these types that the input describes.
//
// Loupe adds a type for each written context type of its API (context_class.c), its own events
// (own_events.c, request_events.c), and the types for the context styles `fields` and `ref`
// (shown_fields.c). describe.h makes their fields and annotations.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/write/merge.h"

#include <stdbool.h>
#include <stdint.h>

#define COMPACT_CLASSES_EVENT      "jdk.jfr.Event" // super types
#define COMPACT_CLASSES_ANNOTATION "java.lang.annotation.Annotation"

typedef struct compact_classes {
    lp_arena *arena;          // fails if any function here runs out of memory
    jfr_metadata metadata;    // of the input, with the elements that Loupe adds
    bool *is_used;            // parallel to metadata.types
    LP_VEC(uint32_t) pending; // used types whose referenced types are not marked yet
    LP_VEC(struct compact_classes_added {
        const char *name; // a literal; NULL for event types, which are not found by name
        uint64_t id;
        uint32_t element;
    })
    added; // classes outside of metadata.types
    LP_VEC(struct compact_classes_found {
        const char *name; // a literal
        uint64_t id;
    })
    found;             // classes of the input that were looked up by name
    uint64_t spare_id; // next id for an added class whose wanted id is taken
    const compact_merge *merge;
} compact_classes;

// compact_classes_init copies metadata; no type is used yet. It borrows arena and merge (or NULL)
// until compact_classes_fini. Added types avoid the ids of merge. Errors: LP_ENOMEM; after an error
// call only compact_classes_fini
LP_MUST_USE lp_err compact_classes_init(compact_classes *classes, lp_arena *arena,
    const jfr_metadata *metadata, const compact_merge *merge);
void compact_classes_fini(compact_classes *classes);

// compact_classes_check asserts that classes were initialized.
void compact_classes_check(const compact_classes *classes);

// compact_classes_use marks a type (an index) as used, and all types that its description refers
// to.
void compact_classes_use(compact_classes *classes, uint32_t type);

// compact_classes_use_named marks the class with this name, a literal, as used, and returns its id.
// If the input lacks the class, the function adds it without fields, as the last of classes->added,
// with the super type super (or NULL). The name must be in known_types (classes.c).
uint64_t compact_classes_use_named(compact_classes *classes, const char *name, const char *super);

// compact_classes_has_id returns whether the input or merge has a type with this id.
bool compact_classes_has_id(const compact_classes *classes, uint64_t id);

// compact_classes_add adds a class and returns its element. The class gets wanted_id, or another id
// if wanted_id is taken.
uint32_t compact_classes_add(compact_classes *classes, const char *name, const char *super,
    uint64_t wanted_id, uint64_t *out_id);

// compact_classes_add_simple adds a class with one field, which readers show in place of the class.
uint32_t compact_classes_add_simple(
    compact_classes *classes, const char *name, uint64_t wanted_id, uint64_t *out_id);

// compact_classes_append_element does the same as jfr_metadata_append_element. Errors: in
// classes->arena
uint32_t compact_classes_append_element(compact_classes *classes, uint32_t parent, const char *name,
    const char *const *attributes, size_t count);

// compact_classes_complete marks as used the types that readers look for, and all types that used
// types refer to.
void compact_classes_complete(compact_classes *classes);

// compact_classes_append writes the metadata event with the used types, after
// compact_classes_complete. The id of the metadata is a hash of its content and salt, so different
// metadata have different ids. Errors: in out or the arena
void compact_classes_append(
    compact_classes *classes, int64_t start_ticks, uint64_t salt, lp_buf *out);
