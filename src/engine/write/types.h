// SPDX-License-Identifier: Apache-2.0
// types: the metadata of an output chunk: the types that are used, those that readers look
// for, and those that Loupe adds.
//
// Readers look for types by name before they read anything: grafana/jfr-parser refuses a chunk that
// does not describe some of the primitive types, of the JDK's threads, classes, methods and stack
// traces, and of the enumerations in these, whether an event has one or not. Where the input
// describes one of them the output does, too.
//
// Added are a type for each context type of the Loupe API whose contexts are written, what the
// context styles `fields` and `ref` need (style.h), and, where that is wanted, a field
// eventThread on types that have only sampledThread, because the JDK's tools look for contexts by
// that field's name.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_TYPES_H
#define LP_ENGINE_WRITE_TYPES_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/write/merge.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_types {
    jfr_metadata metadata;    // of the input; extended, never shrunk
    bool *is_used;            // parallel to metadata.types
    LP_VEC(uint32_t) pending; // used types whose own needs have not been looked at
    LP_VEC(struct compact_types_added {
        const char *name; // a literal; NULL for event types, which nothing refers to by name
        uint64_t id;
        uint32_t element;
    })
    added; // classes that are not in metadata.types
    LP_VEC(struct compact_types_found {
        const char *name; // a literal
        uint64_t id;
    })
    found;             // classes of the input that have been looked for by name
    uint64_t spare_id; // the next id for an added class whose own is taken
    const compact_merge *merge;
} compact_types;

// compact_types_init starts with a copy of metadata, of which nothing is used. merge, which may be
// NULL, is borrowed until compact_types_fini: types of its have ids that added ones do not get.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_types_init(
    compact_types *types, const jfr_metadata *metadata, const compact_merge *merge);
void compact_types_fini(compact_types *types);

// compact_types_use says that type (an index), and with it everything its description names, is
// needed.
LP_MUST_USE lp_err compact_types_use(compact_types *types, uint32_t type);

// compact_types_add_event_thread gives the event type a last field eventThread.
LP_MUST_USE lp_err compact_types_add_event_thread(compact_types *types, uint32_t type);

// compact_types_add_context makes an event type out of a context type: startTime, duration,
// eventThread, contextId and its attributes, those with the annotation jdk.jfr.Contextual.
// The JDK's reader refuses a file in which a type's name is no Java class name: where the context
// type's is none ("tracer-context"), the event type gets the nearest one ("tracer_context"), and
// the name becomes its label unless it has one.
LP_MUST_USE lp_err compact_types_add_context(
    compact_types *types, const ctx_type *context, uint64_t *out_id);

// compact_types_add_accounting makes the event type dev.loupe.Accounting, or takes the one that the
// input has: startTime, duration, offered, kept, a number for each compact_reason, in their order,
// and eventTypes (a text).
LP_MUST_USE lp_err compact_types_add_accounting(compact_types *types, uint64_t *out_id);

// A field that Loupe adds.
typedef struct compact_types_field {
    const char *name;
    const char *label;
    const char *description; // may be empty
    uint64_t pool;           // the id of the type into whose pool it points; 0: it is a text
} compact_types_field;

// compact_types_add_field gives the event type a last field.
LP_MUST_USE lp_err compact_types_add_field(
    compact_types *types, uint32_t type, const compact_types_field *field);

// compact_types_add_state adds the type of what applies to an event: type (its name), startTime,
// the fields, parent (of the same type), truncated.
LP_MUST_USE lp_err compact_types_add_state(
    compact_types *types, const compact_types_field *fields, size_t count, uint64_t *out_id);

// compact_types_append writes a whole metadata event. Its id is made of its content and of salt, so
// different metadata have different ids.
LP_MUST_USE lp_err compact_types_append(
    compact_types *types, int64_t start_ticks, uint64_t salt, lp_buf *out);

#endif // LP_ENGINE_WRITE_TYPES_H
