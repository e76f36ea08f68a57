// SPDX-License-Identifier: Apache-2.0
// describe: adds fields and annotations to classes of the output metadata. Types that they refer to
// become used, or are added.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#pragma once

#include "common/context/ctx_record.h"
#include "engine/write/classes.h"

#include <stdbool.h>
#include <stdint.h>

// The next three functions append a field to a class (an element) and return the field's element.
// The field's type is the one with this id or this name (a literal). is_constant: the field holds a
// key into the pool of its type. The last function adds an annotation Label, unless label is empty.
uint32_t compact_describe_field_of(
    compact_classes *classes, uint32_t class, const char *name, uint64_t type_id, bool is_constant);
uint32_t compact_describe_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, bool is_constant);
uint32_t compact_describe_labelled_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, const char *label);

// A field of an event type that Loupe adds. NULL: the field lacks this annotation.
typedef struct compact_described_field {
    const char *name;
    const char *type;
    const char *label;
    const char *timespan;  // its unit
    const char *timestamp; // its unit
    bool is_contextual;
} compact_described_field;

// compact_describe_fields appends fields to a class.
void compact_describe_fields(
    compact_classes *classes, uint32_t class, const compact_described_field *fields, size_t count);

// compact_describe_event_fields appends startTime, duration and eventThread.
void compact_describe_event_fields(compact_classes *classes, uint32_t class);

// compact_describe_annotation adds an annotation to a class or field, with the member `value`
// unless value is NULL.
void compact_describe_annotation(
    compact_classes *classes, uint32_t parent, const char *type_name, const char *value);

// --- The event type of a context type of the Loupe API (context_class.c). Its fields are
// startTime, duration, eventThread, contextId, and the attributes with the annotation
// jdk.jfr.Contextual

// compact_context_class_name returns the name of the event type: the nearest Java class name, such
// as "tracer_context" for "tracer-context". The JDK's reader rejects a file with names that are no
// Java names.
const char *compact_context_class_name(lp_arena *arena, const ctx_type *context);

// compact_context_class_add adds the event type and returns its id. If the names of the two types
// differ, the context type's name becomes the label, unless the context type has a label. Errors:
// in the arena
uint64_t compact_context_class_add(compact_classes *classes, const ctx_type *context);
