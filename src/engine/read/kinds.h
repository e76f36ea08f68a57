// SPDX-License-Identifier: Apache-2.0
// kinds: the attributes that contexts have, by the name of their type.
//
// A kind is all contexts of one type name: contextual JFR events, in this chunk and in the next,
// and contexts of the Loupe API. Its attributes are the fields with the annotation Contextual;
// where the type as a whole is contextual, all fields but startTime, duration, eventThread and
// stackTrace. A type of the Loupe API has the attributes that were registered. Structures and
// arrays are no attributes.
//
// kind_values.h has the values of attributes.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#ifndef LP_ENGINE_READ_KINDS_H
#define LP_ENGINE_READ_KINDS_H

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_KINDS_MAX = 64,           // in one file; contexts of further types are ignored
    COMPACT_KIND_ATTRIBUTES_MAX = 16, // of one kind; further ones are ignored
};

typedef struct compact_attribute {
    const char *name;
    const char *label; // may be empty
    const char *description;
    const char *reference; // the name of the type whose pool it points into; NULL: it has a value
    uint8_t number;        // the ctx_kind of a value that is a number or a boolean; 0: a text
} compact_attribute;

// compact_attribute_number returns the number of an attribute that is recorded as a primitive,
// which may be CTX_STRING. A byte becomes an int: grafana/jfr-parser cannot skip constants of type
// byte.
uint8_t compact_attribute_number(ctx_kind primitive);

typedef struct compact_kind {
    const char *name; // of the type
    const char *label;
    size_t attribute_count;
    compact_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
} compact_kind;

// One with nothing but an arena, and has_numbers, is empty.
typedef struct compact_kinds {
    lp_arena *arena;  // of the items and their texts; fails where memory runs out
    bool has_numbers; // values may be numbers and booleans; else all are texts
    LP_VEC(compact_kind) items;
} compact_kinds;

// These add the kind of a type, unless there is a kind of that name: the first description of a
// type counts. Nothing is added to COMPACT_KINDS_MAX kinds.
void compact_kinds_add_context(compact_kinds *kinds, const ctx_type *type);
void compact_kinds_add_event(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type);
void compact_kinds_add_copy(compact_kinds *kinds, const compact_kind *kind);

// compact_kinds_widen makes attributes of the type's kind texts that are numbers or booleans, if
// the type has another type of number there, or a text.
void compact_kinds_widen(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type);

// compact_kinds_is_attribute returns whether a field of an event type (an index into the fields of
// metadata) is an attribute where events of the type are contexts.
bool compact_kinds_is_attribute(const jfr_metadata *metadata, uint32_t type, uint32_t field);

// compact_kinds_sort sorts the kinds by name.
void compact_kinds_sort(compact_kinds *kinds);

// compact_kinds_find returns the index of the kind of the type with this name, or
// COMPACT_KINDS_MAX.
uint32_t compact_kinds_find(const compact_kinds *kinds, const char *type_name);

// How the events of a type are read as contexts of a kind.
typedef struct compact_reading {
    const jfr_pools *pools; // of the chunk that has the events
    struct compact_reading_value {
        bool is_there;
        uint32_t pool;                     // the type of its constants; JFR_NONE: it is no constant
        bool is_reference;                 // the value is the constant's key, not its text
        ctx_kind primitive;                // where it is no constant
        jfr_program before;                // reads the part of the event that lies before it
    } values[COMPACT_KIND_ATTRIBUTES_MAX]; // parallel to the kind's attributes
} compact_reading;

// compact_reading_make returns how the events of a type of metadata are read. pools are those of
// the same chunk, and borrowed as long as the reading is used.
compact_reading compact_reading_make(
    const compact_kind *kind, const jfr_metadata *metadata, uint32_t type, const jfr_pools *pools);

#endif // LP_ENGINE_READ_KINDS_H
