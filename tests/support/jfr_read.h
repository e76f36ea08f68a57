// SPDX-License-Identifier: Apache-2.0
// jfr_read: reads JFR chunks for tests, and shares no code with src/common/jfr. Slow and strict:
// what a reader of the JDK would stumble over aborts the test with a message.
//
// jfr_read_text gives an event as text with every constant resolved, whatever its key is, so two
// chunks can be compared by what a person would see.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { JFR_READ_ANNOTATIONS_MAX = 4 };

typedef struct jfr_read_field {
    char name[128];
    uint64_t type;
    bool is_constant;
    bool is_array;
    uint64_t annotations[JFR_READ_ANNOTATIONS_MAX]; // type ids
    size_t annotation_count;
} jfr_read_field;

typedef struct jfr_read_type {
    char name[128];
    uint64_t id;
    bool is_event;
    bool is_simple; // its value is that of its only field
    LP_VEC(jfr_read_field) fields;
} jfr_read_type;

typedef struct jfr_read_event {
    uint32_t type; // indexes types; of unknown types there are no events here
    size_t offset; // in the chunk
    size_t payload;
    size_t size_bytes;
} jfr_read_event;

typedef struct jfr_read_constant {
    uint64_t type;
    uint64_t key;
    size_t offset;
    size_t size_bytes;
} jfr_read_constant;

typedef struct jfr_read {
    lp_slice chunk;
    uint64_t size_bytes; // these are the header's fields
    uint64_t checkpoint_offset;
    uint64_t metadata_offset;
    int64_t start_wall_ns;
    int64_t duration_ns;
    int64_t start_ticks;
    int64_t ticks_per_s;
    uint8_t state;
    uint64_t metadata_id;
    LP_VEC(jfr_read_type) types; // of all metadata events; the later of two with one id counts
    LP_VEC(jfr_read_event) events;
    LP_VEC(jfr_read_constant) constants;
    LP_VEC(char *) strings;
} jfr_read;

// jfr_read_open borrows chunk until jfr_read_close.
void jfr_read_open(jfr_read *read, lp_slice chunk);
void jfr_read_close(jfr_read *read);

// jfr_read_text appends the event's type name and all its fields, and a NUL that out->len does not
// count.
void jfr_read_text(const jfr_read *read, const jfr_read_event *event, lp_buf *out);

// jfr_read_number gives a field of the event that is a number and comes before any field that is
// not a varint.
int64_t jfr_read_number(const jfr_read *read, const jfr_read_event *event, const char *field);

// jfr_read_value appends one field of the event as text, and a NUL that out->len does not count.
// False if its type has no such field.
bool jfr_read_value(
    const jfr_read *read, const jfr_read_event *event, const char *field, lp_buf *out);

// jfr_read_key gives the key in a field that is a reference, whatever it leads to. False if its
// type has no such field.
bool jfr_read_key(
    const jfr_read *read, const jfr_read_event *event, const char *field, uint64_t *out_key);

// These do that for a constant.
bool jfr_read_constant_value(
    const jfr_read *read, const jfr_read_constant *constant, const char *field, lp_buf *out);
bool jfr_read_constant_key(
    const jfr_read *read, const jfr_read_constant *constant, const char *field, uint64_t *out_key);

const char *jfr_read_name(const jfr_read *read, const jfr_read_event *event);

// These lend what is asked for, or NULL.
const jfr_read_type *jfr_read_find_type(const jfr_read *read, const char *name);
const jfr_read_constant *jfr_read_find_constant(
    const jfr_read *read, const char *type_name, uint64_t key);

bool jfr_read_has_annotation(
    const jfr_read *read, const jfr_read_field *field, const char *annotation_name);

size_t jfr_read_count(const jfr_read *read, const char *type_name); // events
size_t jfr_read_pool_size(const jfr_read *read, const char *type_name);
