// SPDX-License-Identifier: Apache-2.0

// kinds: what contexts say of themselves, as values that other events can take in.
//
// A kind is all contexts of one type name: contextual JFR events, in this chunk and in the next,
// and contexts of the Loupe API. Its attributes are the fields with the annotation Contextual;
// where the type as a whole is contextual, all fields but startTime, duration, eventThread and
// stackTrace. Of the Loupe API's types they are what was registered. Structures and arrays are no
// attributes.
//
// A value is a text, as Java's String.valueOf gives it and cut after CTX_VALUE_BYTES_MAX bytes, or
// a reference into the pool of its type (a class, a method, a thread). Null is one zero byte for
// both. References to constants that are nothing but a text, as a JVM's enumerations are, are
// texts: their key 0 may be one of the enumeration. Strings that are constants may stay
// references, and are not cut then.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_READ_KINDS_H
#define LP_ENGINE_READ_KINDS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"
#include "common/jfr/jfr_pool.h"
#include "engine/contexts/contexts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_KINDS_MAX = 64,           // in one file; contexts of further types are passed over
    COMPACT_KIND_ATTRIBUTES_MAX = 16, // of one kind; further ones are passed over
};

typedef struct compact_attribute {
    char *name;
    char *label; // may be empty
    char *description;
    char *reference; // the name of the type whose pool it points into; NULL: it is a text
} compact_attribute;

typedef struct compact_kind {
    char *name; // of the type
    char *label;
    size_t attribute_count;
    compact_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
} compact_kind;

typedef struct compact_kinds {
    LP_VEC(compact_kind) items;
} compact_kinds;

void compact_kinds_fini(compact_kinds *kinds);

// These add the kind of a type, unless there is one of that name: the first description of a type
// counts. What would be over COMPACT_KINDS_MAX is passed over. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_kinds_add_context(compact_kinds *kinds, const ctx_type *type);
LP_MUST_USE lp_err compact_kinds_add_event(
    compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type);
LP_MUST_USE lp_err compact_kinds_add_copy(compact_kinds *kinds, const compact_kind *kind);

// compact_kinds_sort puts them in the order of their names.
void compact_kinds_sort(compact_kinds *kinds);

// compact_kinds_find gives the index of the kind of the type with this name, or COMPACT_KINDS_MAX.
uint32_t compact_kinds_find(const compact_kinds *kinds, const char *type_name);

// How the events of a type are read as contexts of a kind.
typedef struct compact_reading {
    const jfr_pools *pools; // of the chunk that has the events
    struct compact_reading_value {
        bool is_there;
        uint32_t pool;                     // the type of its constants; JFR_NONE: it is none
        bool is_reference;                 // to a constant: its key is the value, not its text
        ctx_kind primitive;                // where it is no constant
        jfr_program before;                // what of the event lies before it
    } values[COMPACT_KIND_ATTRIBUTES_MAX]; // parallel to the kind's attributes
} compact_reading;

// compact_reading_make borrows pools, which is of the chunk of metadata.
compact_reading compact_reading_make(
    const compact_kind *kind, const jfr_metadata *metadata, uint32_t type, const jfr_pools *pools);

// compact_kind_append_event appends the values of an event whose fields begin at payload, and of
// those that it does not have nulls. Texts that are constants stay references if keeps_constants.
void compact_kind_append_event(const compact_kind *kind, const compact_reading *reading,
    jfr_cursor payload, bool keeps_constants, lp_buf *out);

// compact_kind_append_record appends the values of a context of the API. False if they do not fit
// type; they are nulls then.
bool compact_kind_append_record(
    const compact_kind *kind, const ctx_type *type, compact_values values, lp_buf *out);

// compact_kind_next_value moves cursor over the value of one attribute and lends its bytes.
// *out_key is the key of a reference, or of a text that is a constant (JFR_STRING_CONSTANT).
lp_slice compact_kind_next_value(
    const compact_attribute *attribute, jfr_cursor *cursor, uint64_t *out_key);

// compact_kind_append_nulls appends the values of a context that has none.
void compact_kind_append_nulls(const compact_kind *kind, lp_buf *out);

#endif // LP_ENGINE_READ_KINDS_H
