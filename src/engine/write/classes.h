// SPDX-License-Identifier: Apache-2.0
// classes: which types the metadata of an output chunk has: those that are used, those that readers
// look for, and those that Loupe adds.
//
// Readers look for types by name before they read anything: grafana/jfr-parser refuses a chunk that
// does not describe some of the primitive types, of the JDK's threads, classes, methods and stack
// traces, and of the enumerations in these, whether an event has one or not. Where the input
// describes one of them the output does, too.
//
// Added are a type for each context type of the Loupe API whose contexts are written
// (context_class.h), dev.loupe.Accounting and dev.loupe.Loss (own_events.h), and what the context
// styles `fields` and `ref` need (shown_fields.h). Their fields and annotations are made by
// describe.h.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#ifndef LP_ENGINE_WRITE_CLASSES_H
#define LP_ENGINE_WRITE_CLASSES_H

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
    lp_arena *arena;          // whose failure is that of all functions here
    jfr_metadata metadata;    // of the input; extended, never shrunk
    bool *is_used;            // parallel to metadata.types
    LP_VEC(uint32_t) pending; // used types whose own needs have not been looked at
    LP_VEC(struct compact_classes_added {
        const char *name; // a literal; NULL for event types, which nothing refers to by name
        uint64_t id;
        uint32_t element;
    })
    added; // classes that are not in metadata.types
    LP_VEC(struct compact_classes_found {
        const char *name; // a literal
        uint64_t id;
    })
    found;             // classes of the input that have been looked for by name
    uint64_t spare_id; // the next id for an added class whose own is taken
    const compact_merge *merge;
} compact_classes;

// compact_classes_init starts with a copy of metadata, of which nothing is used. arena and merge,
// which may be NULL, are borrowed until compact_classes_fini: types of merge have ids that added
// ones do not get. Errors: LP_ENOMEM; of the other functions here, only compact_classes_fini may be
// called then
LP_MUST_USE lp_err compact_classes_init(compact_classes *classes, lp_arena *arena,
    const jfr_metadata *metadata, const compact_merge *merge);
void compact_classes_fini(compact_classes *classes);

// compact_classes_use marks type (an index) as used; with it, all types that its description names.
void compact_classes_use(compact_classes *classes, uint32_t type);

// compact_classes_use_named uses the class with this name, a literal, and returns its id. Where the
// input has none, it is added without fields, with the super type super, which may be NULL; name is
// one of the known types then. An added class is the last of classes->added.
uint64_t compact_classes_use_named(compact_classes *classes, const char *name, const char *super);

// compact_classes_has_id returns whether a type of the input, or of merge, has this id.
bool compact_classes_has_id(const compact_classes *classes, uint64_t id);

// compact_classes_add makes a new class and returns its element. It gets the wanted id unless
// another type has that.
uint32_t compact_classes_add(compact_classes *classes, const char *name, const char *super,
    uint64_t wanted_id, uint64_t *out_id);

// compact_classes_add_simple adds a class likewise that readers take for its only field.
uint32_t compact_classes_add_simple(
    compact_classes *classes, const char *name, uint64_t wanted_id, uint64_t *out_id);

// compact_classes_append_element is jfr_metadata_append_element.
uint32_t compact_classes_append_element(compact_classes *classes, uint32_t parent, const char *name,
    const char *const *attributes, size_t count);

// compact_classes_complete uses the types that readers look for, and all types that the used ones
// name.
void compact_classes_complete(compact_classes *classes);

// compact_classes_append writes the event with all types that are used, once
// compact_classes_complete was called. Its id is made of its content and of salt, so different
// metadata have different ids. A failure is that of out, or of the arena of classes.
void compact_classes_append(
    compact_classes *classes, int64_t start_ticks, uint64_t salt, lp_buf *out);

#endif // LP_ENGINE_WRITE_CLASSES_H
