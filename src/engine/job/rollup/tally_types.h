// SPDX-License-Identifier: Apache-2.0
// tally_types: the types of requests of a tally (rollup_tally.h) with their attributes and values,
// and how the events of a type of parts have these attributes.
//
// The values of an attribute are numbered from 0 in the order in which they are met. An attribute
// with more than ROLLUP_VALUES_MAX values keeps none, so it is not read any more.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/job/request/test_request_omitted.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/rollup/rollup.h"
#include "engine/read/context_sums.h"
#include "engine/read/kinds.h"
#include "engine/read/value_key.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_TALLY_KEYS = 256,          // slots; some more than values
    COMPACT_TALLY_KEYS_USED_MAX = 192, // then all are forgotten, and read again
    COMPACT_TALLY_PART_TYPES_MAX = 128,
    COMPACT_TALLY_ATTRIBUTES_MAX = COMPACT_REQUEST_ATTRIBUTES_MAX,
    COMPACT_TALLY_NO_VALUE = ROLLUP_VALUES_MAX, // the key means null
};
static_assert(COMPACT_TALLY_ATTRIBUTES_MAX == 32, "they are bits of a number");

// A contextual event that is a part of a request.
typedef struct compact_tally_part {
    int64_t begin; // ticks
    int64_t end;
    uint32_t span : 31; // index of the view's spans
    uint32_t is_kept : 1;
    uint32_t type; // number of the type of parts; compact_tally_types_find sets it
} compact_tally_part;

// Requests by duration: dropped, kept.
typedef struct compact_tally_counts {
    histogram of[2];
} compact_tally_counts;

typedef struct compact_tally_slot {
    uint64_t key;
    uint32_t form;  // of the key, as in a step
    uint32_t value; // its number + 1; 0: the slot is free
} compact_tally_slot;

// An attribute of a type of requests.
typedef struct compact_tally_attribute {
    const char *name;
    bool has_too_many;
    uint32_t value_count;
    uint32_t key_count;
    // By hash of the key; the next free slot if several have one hash.
    compact_tally_slot keys[COMPACT_TALLY_KEYS];
    lp_slice texts[ROLLUP_VALUES_MAX];
    compact_tally_counts counts[ROLLUP_VALUES_MAX];
} compact_tally_attribute;

// An attribute of a type of requests that the rows of a type of parts have.
typedef struct compact_tally_column {
    uint32_t attribute; // index
    uint32_t bit;       // of the attribute
    uint32_t column;    // of the row
    const compact_attribute_sums *sums;
    // By value of the row: counts of the attribute's value; NULL: not met yet.
    compact_tally_counts *counts[ROLLUP_VALUES_MAX];
} compact_tally_column;

// How the events of a type of parts have an attribute of a type of requests.
typedef struct compact_tally_step {
    uint32_t attribute;  // index
    bool is_text;        // if not, the value is a number or a key
    uint32_t form;       // equal keys mean equal texts only if they also have one form
    uint32_t skip_count; // numbers between the step before and this one; 0: not only numbers
    jfr_program skip;    // what else is there; maybe empty
    compact_value_key_plan key;
    struct compact_reading_value how;
} compact_tally_step;

// How the events of a type of parts have the attributes of a type of requests: from their rows, or
// by steps from the events. Of two fields of one name the first one counts.
typedef struct compact_tally_steps {
    uint32_t row_mask; // bits of the attributes of columns
    uint32_t mask;     // of those of items
    size_t column_count;
    compact_tally_column columns[COMPACT_SUMS_COLUMNS];
    size_t count;
    compact_tally_step items[COMPACT_KIND_ATTRIBUTES_MAX];
} compact_tally_steps;

typedef struct compact_tally_type {
    const char *name;
    compact_tally_counts lengths;
    compact_tally_counts slices[ROLLUP_SLICES_MAX];
    rollup_exemplar *exemplars; // by bucket - HISTOGRAM_ZERO; duration_ns -1: none. NULL: all none
    uint32_t live;              // bits of attributes without too many values
    size_t attribute_count;
    compact_tally_attribute *attributes[COMPACT_TALLY_ATTRIBUTES_MAX];
    // By number of a type of parts; NULL: not met yet.
    compact_tally_steps *parts[COMPACT_TALLY_PART_TYPES_MAX];
    uint64_t refused[COMPACT_TALLY_PART_TYPES_MAX / 64]; // bits of types with too many attributes
} compact_tally_type;

typedef struct compact_tally_part_type {
    uint32_t index; // of the metadata
    compact_kind kind;
    compact_reading reading;
} compact_tally_part_type;

typedef struct compact_tally_types {
    const compact_view *view;
    compact_sums *sums;
    lp_arena *arena;
    uint8_t *numbers;               // by type of the metadata: of a type of parts, + 1
    uint8_t of_rows[UINT8_MAX + 1]; // the same by type of rows (context_sums.h)
    size_t part_type_count;
    compact_tally_part_type *part_types[COMPACT_TALLY_PART_TYPES_MAX];
    size_t count;
    // By number of the type of the first part.
    compact_tally_type *items[COMPACT_TALLY_PART_TYPES_MAX];
} compact_tally_types;
static_assert(COMPACT_TALLY_PART_TYPES_MAX < UINT8_MAX, "numbers");

// compact_tally_types_check asserts the limits.
void compact_tally_types_check(const compact_tally_types *types);

// compact_tally_types_find returns the type of a request, sets the types of its parts, and has
// steps for each. NULL if there is no room for it, or memory ran out. Errors: in types->arena
compact_tally_type *compact_tally_types_find(
    compact_tally_types *types, compact_tally_part *parts, size_t count);

// compact_tally_types_find_attribute returns the index of an attribute; attribute_count if the type
// lacks it.
size_t compact_tally_types_find_attribute(const compact_tally_type *type, const char *name);

// compact_tally_types_has_attribute returns whether an attribute of events is one of their requests
// (request_attributes.c).
bool compact_tally_types_has_attribute(const compact_tally_part_type *part, size_t index);

// compact_tally_types_stop makes the steps of all types of parts anew, after an attribute of their
// requests had too many values.
void compact_tally_types_stop(const compact_tally_types *types, compact_tally_type *type);

// compact_tally_types_learn_text returns the value with a text; COMPACT_TALLY_NO_VALUE if the
// attribute now has_too_many.
uint32_t compact_tally_types_learn_text(
    compact_tally_types *types, compact_tally_attribute *attribute, lp_slice text);

// compact_tally_types_learn returns the value of a new key at cursor; COMPACT_TALLY_NO_VALUE if it
// is null, or the attribute now has_too_many.
uint32_t compact_tally_types_learn(compact_tally_types *types, const compact_tally_step *step,
    compact_tally_attribute *attribute, jfr_cursor cursor);
