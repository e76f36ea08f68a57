// SPDX-License-Identifier: Apache-2.0
// jfr_metadata: the event types of a chunk, as its metadata events describe them.
//
//   event     size  type 0  startTime  duration  metadata id
//             count  string*                     (jfr_string.h, never a constant)
//             element                            the root
//   element   name  count (key value)*  count element*
//             Names, keys and values are indexes of strings.
//
//   root      > metadata, region
//   metadata  > class
//   class     > setting, field, annotation
//   setting   > annotation
//   field     > annotation
//
// A chunk may have several metadata events. They all go into one tree of elements; for a repeated
// type id, the later description counts.
//
// The tree can be extended (new classes, fields, annotations) before it is written again. That is
// how Loupe's own types get into an output.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    JFR_NONE = UINT32_MAX,      // no element, no type
    JFR_TYPE_ID_METADATA = 0,   // built in, never described
    JFR_TYPE_ID_CHECKPOINT = 1, // built in, never described
    JFR_ELEMENT_DEPTH_MAX = 32, // of nested elements; HotSpot needs 6
    JFR_SMALL_TYPE_IDS = 16384, // lower ids, as most of HotSpot's are, need no search
};

// The event type of requests. Its fields are contextual, so that readers show them with the events
// of the request; but a request is no context.
#define JFR_REQUEST_TYPE "dev.loupe.Request"
// The event type of tasks of requests that waited for a thread.
#define JFR_HAND_OVER_TYPE "dev.loupe.HandOver"

typedef struct jfr_attribute {
    uint32_t key; // both index strings
    uint32_t value;
} jfr_attribute;

typedef struct jfr_element {
    uint32_t name; // indexes strings
    uint32_t attribute_begin;
    uint32_t attribute_count;
    uint32_t first_child; // these index elements, or are JFR_NONE
    uint32_t last_child;
    uint32_t next_sibling;
} jfr_element;

// The meaning of an annotation type for Loupe.
typedef enum jfr_annotation {
    JFR_ANNOTATION_OTHER,
    JFR_ANNOTATION_CONTEXTUAL,    // its simple name is Contextual; without a value it says `true`
    JFR_ANNOTATION_CONTEXT_AWARE, // its simple name is ContextAware
    JFR_ANNOTATION_TIMESTAMP,     // jdk.jfr.Timestamp
    JFR_ANNOTATION_TIMESPAN,      // jdk.jfr.Timespan
} jfr_annotation;

// The meaning of a field in ticks, by its annotation.
typedef enum jfr_ticks {
    JFR_TICKS_NONE,
    JFR_TICKS_POINT,  // jdk.jfr.Timestamp("TICKS")
    JFR_TICKS_LENGTH, // jdk.jfr.Timespan("TICKS")
} jfr_ticks;

typedef struct jfr_field {
    uint32_t name; // indexes strings
    uint32_t type; // indexes types; JFR_NONE if the metadata does not describe its type
    uint32_t element;
    jfr_ticks ticks;
    bool is_constant;
    bool is_array;
    bool is_contextual; // an annotation whose simple name is Contextual is on it
} jfr_field;

typedef struct jfr_type {
    uint64_t id;
    uint32_t name; // indexes strings
    uint32_t element;
    uint32_t field_begin; // indexes fields
    uint32_t field_count;
    jfr_annotation annotation;
    bool is_event; // its super type is jdk.jfr.Event, and its id is not built in
    // An annotation whose simple name is Contextual is on it or on a field, and it is not
    // JFR_REQUEST_TYPE.
    bool is_contextual;
    // An annotation Contextual on it says `false`. Then no Contextual on its fields counts.
    bool is_denied;
} jfr_type;

typedef struct jfr_metadata {
    lp_buf source; // the added payloads without their times and ids, which do not describe types
    size_t source_count;
    lp_buf text;              // the strings, each with a NUL behind it
    LP_VEC(uint32_t) strings; // offsets into text
    LP_VEC(jfr_attribute) attributes;
    LP_VEC(jfr_element) elements;
    LP_VEC(jfr_type) types;
    LP_VEC(jfr_field) fields;
    lp_map type_by_id;
    uint32_t type_by_small_id[JFR_SMALL_TYPE_IDS]; // the same for small ids; JFR_NONE: no type
    uint32_t root; // of the last metadata event added; JFR_NONE before the first
    uint64_t id;   // of the last metadata event added
} jfr_metadata;

// jfr_metadata_init makes metadata empty; jfr_metadata_fini frees it.
void jfr_metadata_init(jfr_metadata *metadata);
void jfr_metadata_fini(jfr_metadata *metadata);

// jfr_metadata_copy makes *out_copy a copy that can be extended. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_copy(const jfr_metadata *metadata, jfr_metadata *out_copy);

// jfr_metadata_add reads one metadata event. payload is what follows its type id.
// Errors: LP_ECORRUPT with an offset into payload, LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_add(
    jfr_metadata *metadata, lp_slice payload, lp_problem *out_problem);

// jfr_metadata_is_made_of returns whether these payloads describe the same types as the added
// payloads: a JVM repeats the descriptions of its types in every chunk, until new types appear.
// jfr_metadata_is_same returns whether the same payloads were added to both. Do not pass results of
// jfr_metadata_copy to these functions.
bool jfr_metadata_is_made_of(const jfr_metadata *metadata, const lp_slice *payloads, size_t count);
bool jfr_metadata_is_same(const jfr_metadata *metadata, const jfr_metadata *other);

// jfr_metadata_is_same_payload returns whether two metadata events describe the same, to the byte.
bool jfr_metadata_is_same_payload(lp_slice payload, lp_slice other);

// jfr_metadata_resolve builds types and fields from the elements. Call it once all events are
// added, and again after elements have changed.
// Errors: LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_resolve(jfr_metadata *metadata, lp_problem *out_problem);

// jfr_metadata_renumber changes the id of each type to the result of id_of, wherever the elements
// refer to it. No two types may get the same id. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_renumber(
    jfr_metadata *metadata, uint64_t (*id_of)(const void *arg, uint64_t id), const void *arg);

// jfr_metadata_text returns the string at index, borrowed until something is added.
static inline const char *
jfr_metadata_text(const jfr_metadata *metadata, uint32_t index)
{
    return (const char *)metadata->text.ptr + metadata->strings.items[index];
}

// jfr_metadata_type_name returns the name of a type (an index), borrowed until something is added.
static inline const char *
jfr_metadata_type_name(const jfr_metadata *metadata, size_t type)
{
    return jfr_metadata_text(metadata, metadata->types.items[type].name);
}

// jfr_metadata_is_text returns whether a string (an index) equals text. Most strings differ in the
// first character, and need no call.
static inline bool
jfr_metadata_is_text(const jfr_metadata *metadata, uint32_t string, const char *text)
{
    const char *own = jfr_metadata_text(metadata, string);
    return *own == *text && strcmp(own, text) == 0;
}

static inline bool
jfr_metadata_is_named(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    return jfr_metadata_is_text(metadata, metadata->elements.items[element].name, name);
}

// jfr_metadata_find_type returns the index of the type with this id or name, or JFR_NONE.
static inline uint32_t
jfr_metadata_find_type(const jfr_metadata *metadata, uint64_t id)
{
    return id < JFR_SMALL_TYPE_IDS ? metadata->type_by_small_id[id]
                                   : lp_map_find(&metadata->type_by_id, id);
}
uint32_t jfr_metadata_find_type_named(const jfr_metadata *metadata, const char *name);

// jfr_metadata_find_field returns the index in fields of the type's field with this name, or
// JFR_NONE.
uint32_t jfr_metadata_find_field(
    const jfr_metadata *metadata, const jfr_type *type, const char *name);

// jfr_metadata_find_attribute returns the value of an attribute of element, or NULL.
const char *jfr_metadata_find_attribute(
    const jfr_metadata *metadata, uint32_t element, const char *key);

// jfr_metadata_is_annotation returns whether element is an annotation of the type with that name.
bool jfr_metadata_is_annotation(const jfr_metadata *metadata, uint32_t element, const char *name);

// jfr_metadata_annotation_of returns the meaning of an element that is an annotation;
// JFR_ANNOTATION_OTHER for all others.
jfr_annotation jfr_metadata_annotation_of(const jfr_metadata *metadata, uint32_t element);

// jfr_metadata_find_annotation returns the member `value` of element's annotation with that name,
// or NULL.
const char *jfr_metadata_find_annotation(
    const jfr_metadata *metadata, uint32_t element, const char *name);

// jfr_metadata_find_id reads an attribute of element that holds the id of a type. False if element
// has no such attribute, or its value is not a number.
bool jfr_metadata_find_id(
    const jfr_metadata *metadata, uint32_t element, const char *key, uint64_t *out_id);

// jfr_metadata_parse_number reads a number of 64 bits in decimal; false for any other text.
bool jfr_metadata_parse_number(const char *text, int64_t *out_number);

// jfr_metadata_set_attribute replaces the value of an attribute that element has. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_set_attribute(
    jfr_metadata *metadata, uint32_t element, const char *key, const char *value);

// jfr_metadata_remove_attribute removes all attributes with this key.
void jfr_metadata_remove_attribute(jfr_metadata *metadata, uint32_t element, const char *key);

// jfr_metadata_remove_children removes those children of parent for which is_removed returns true.
// is_removed is called once for each child.
void jfr_metadata_remove_children(jfr_metadata *metadata, uint32_t parent,
    bool (*is_removed)(void *arg, uint32_t element), void *arg);

// jfr_metadata_append_element adds a child to parent (JFR_NONE: to none) with count attributes,
// given as key, value, key, value. Returns its index, JFR_NONE if memory ran out.
uint32_t jfr_metadata_append_element(jfr_metadata *metadata, uint32_t parent, const char *name,
    const char *const *attributes, size_t count);

// jfr_metadata_append_copy adds a copy of element, with everything under it, to parent (JFR_NONE:
// to none). Returns its index, JFR_NONE if memory ran out.
uint32_t jfr_metadata_append_copy(jfr_metadata *metadata, uint32_t parent, uint32_t element);

// jfr_metadata_append_type adds the type of a class element that was appended, after
// jfr_metadata_resolve. No other type may have its id. Errors: LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err jfr_metadata_append_type(jfr_metadata *metadata, uint32_t element);

// The id of a type as attributes have it: a signed number in decimal.
enum { JFR_METADATA_ID_BYTES = 21 }; // with a NUL
typedef struct jfr_metadata_id {
    char text[JFR_METADATA_ID_BYTES];
} jfr_metadata_id;

jfr_metadata_id jfr_metadata_id_text(uint64_t id);
