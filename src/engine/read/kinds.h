// SPDX-License-Identifier: Apache-2.0
// kinds: context types by name, with their attributes.
//
// A kind is all contexts of one type name: JFR events of this chunk and the next, and contexts of
// the Loupe API. If an event type as a whole is contextual, its attributes are all fields but
// startTime, duration, eventThread and stackTrace; else the fields with the annotation Contextual.
// A type of the Loupe API has its registered attributes. Structures and arrays are never
// attributes. kind_values.h has the values.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_KINDS_MAX = 64,           // per file; contexts of further types are ignored
    COMPACT_KIND_ATTRIBUTES_MAX = 16, // per kind; further ones are ignored
};

typedef struct compact_attribute {
    const char *name;
    const char *label; // may be empty
    const char *description;
    const char *reference; // name of the type it refers to; NULL: it has a value
    uint8_t number;        // ctx_kind of a number or boolean; 0: a text
} compact_attribute;

// compact_attribute_number returns the member `number` of an attribute that was recorded as this
// primitive or as CTX_STRING. Bytes become ints: grafana/jfr-parser cannot skip byte constants.
uint8_t compact_attribute_number(ctx_kind primitive);

// compact_kinds_type_name returns the name of the type of a field that holds values of kind.
const char *compact_kinds_type_name(ctx_kind kind);

typedef struct compact_kind {
    const char *name; // of the type
    const char *label;
    size_t attribute_count;
    compact_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
} compact_kind;

// Empty if only arena and has_numbers are set.
typedef struct compact_kinds {
    lp_arena *arena;  // of items and texts; fails if memory runs out
    bool has_numbers; // else all values are texts
    LP_VEC(compact_kind) items;
} compact_kinds;

// The next three functions add the kind of a type unless its name is already known: the first
// description counts. They add nothing beyond COMPACT_KINDS_MAX.
void compact_kinds_add_context(compact_kinds *kinds, const ctx_type *type);
void compact_kinds_add_event(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type);
void compact_kinds_add_copy(compact_kinds *kinds, const compact_kind *kind);

// compact_kinds_widen turns a number attribute into a text if this type has the attribute as a text
// or as another number.
void compact_kinds_widen(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type);

// compact_kinds_is_attribute returns whether a field (an index into metadata.fields) is an
// attribute if events of the type are contexts.
bool compact_kinds_is_attribute(const jfr_metadata *metadata, uint32_t type, uint32_t field);

void compact_kinds_sort(compact_kinds *kinds);

// compact_kinds_check asserts that there are not too many kinds.
void compact_kinds_check(const compact_kinds *kinds);

// compact_kinds_find returns the index of a kind by its type's name, or COMPACT_KINDS_MAX.
uint32_t compact_kinds_find(const compact_kinds *kinds, const char *type_name);

// How to read the events of a type as contexts of a kind.
typedef struct compact_reading {
    const jfr_pools *pools; // of the events' chunk; borrowed
    struct compact_reading_value {
        bool is_there;
        uint32_t pool;                     // type of its constants; JFR_NONE: no constant
        bool is_reference;                 // the value is the key, not the text
        ctx_kind primitive;                // of a value that is no constant
        jfr_program before;                // skips the fields before the value
    } values[COMPACT_KIND_ATTRIBUTES_MAX]; // parallel to the kind's attributes
} compact_reading;

// compact_reading_make prepares reading. pools belong to the same chunk as metadata, and are
// borrowed as long as the reading is used.
compact_reading compact_reading_make(
    const compact_kind *kind, const jfr_metadata *metadata, uint32_t type, const jfr_pools *pools);
