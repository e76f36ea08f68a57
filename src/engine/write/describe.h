// SPDX-License-Identifier: Apache-2.0
// describe: fields and annotations of classes in the metadata of an output chunk. The types that
// they name are used with them, or added.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_classes.c

#ifndef LP_ENGINE_WRITE_DESCRIBE_H
#define LP_ENGINE_WRITE_DESCRIBE_H

#include "common/context/ctx_record.h"
#include "engine/write/classes.h"

#include <stdbool.h>
#include <stdint.h>

// compact_describe_value_type returns the name of the type of a field that has such a value.
const char *compact_describe_value_type(ctx_kind kind);

// These functions append a field to a class (an element) and return its element. The type of the
// field is the one with this id, or with this name (a literal). The last one adds an annotation
// Label unless label is empty. With is_constant the field has a key into the pool of its type.
uint32_t compact_describe_field_of(
    compact_classes *classes, uint32_t class, const char *name, uint64_t type_id, bool is_constant);
uint32_t compact_describe_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, bool is_constant);
uint32_t compact_describe_labelled_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, const char *label);

// A field of an event type that Loupe adds. NULL stands for an annotation that it does not have.
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

// compact_describe_event_fields appends the fields that events with a length and a thread begin
// with: startTime, duration and eventThread.
void compact_describe_event_fields(compact_classes *classes, uint32_t class);

// compact_describe_annotation adds an annotation with the member `value`, or none where value is
// NULL, to a class or a field.
void compact_describe_annotation(
    compact_classes *classes, uint32_t parent, const char *type_name, const char *value);

#endif // LP_ENGINE_WRITE_DESCRIBE_H
