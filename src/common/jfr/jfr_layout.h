// SPDX-License-Identifier: Apache-2.0
// jfr_layout: how values of each type lie in the bytes, compiled from the metadata.
//
// Every type becomes a short program of ops. Walking the program over a value moves a cursor past
// it and reports each constant that it refers to. Numbers that mean something only in the chunk
// that they are in (ticks, ids of types and contexts) have ops of their own, for those who move
// values to another chunk; to everybody else they are numbers.
//
// Threads: built by one thread, then read by any.

#ifndef LP_COMMON_JFR_JFR_LAYOUT_H
#define LP_COMMON_JFR_JFR_LAYOUT_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    JFR_LAYOUT_DEPTH_MAX = 16, // of structures within structures
    // Fields of all types, those of structures counted wherever they are used. HotSpot has 2,000. A
    // structure takes its place in every type that has it, so without a limit a few types of many
    // fields each would make a layout without end.
    JFR_LAYOUT_FIELDS_MAX = 1 << 22,
};

typedef enum jfr_op_code {
    JFR_OP_VARINT,         // a number of arg bits
    JFR_OP_TIMESTAMP,      // a number of arg bits: a point in ticks
    JFR_OP_TIMESPAN,       // a number of arg bits: a length in ticks
    JFR_OP_DURATION,       // a number of arg bits: how long an event took; right behind its start
    JFR_OP_TYPE_ID,        // a number of arg bits: the id of an event type
    JFR_OP_CONTEXT_ID,     // a number of arg bits: the id of a context of the Loupe API; 0: none
    JFR_OP_BYTES,          // arg bytes
    JFR_OP_STRING,         // a string, which may be a constant
    JFR_OP_CONSTANT,       // a key into the pool of type arg
    JFR_OP_ARRAY,          // a count and so many values of type arg
    JFR_OP_CONSTANT_ARRAY, // a count and so many keys into the pool of type arg
    JFR_OP_UNKNOWN, // a type that the metadata does not describe: nothing behind it can be found
} jfr_op_code;

typedef struct jfr_op {
    jfr_op_code code;
    uint32_t arg;
    uint16_t number_run; // how many numbers follow one another from here on, itself counted
    uint16_t varint_run; // the same for numbers and constants, which are all varints
} jfr_op;

typedef struct jfr_program {
    uint32_t begin; // index ops, half open
    uint32_t end;
} jfr_program;

typedef struct jfr_layout {
    LP_VEC(jfr_op) ops;
    LP_VEC(jfr_program) types;  // parallel to metadata->types
    LP_VEC(uint32_t) field_ops; // parallel to metadata->fields: where the field's ops begin
    uint32_t string_type;       // index of java.lang.String, or JFR_NONE
} jfr_layout;

// Errors: LP_ECORRUPT if structures contain themselves or are unreasonably large; LP_ENOMEM
LP_MUST_USE lp_err jfr_layout_init(
    jfr_layout *layout, const jfr_metadata *metadata, lp_problem *out_problem);
void jfr_layout_fini(jfr_layout *layout);

// jfr_layout_is_built_in says whether a type is a number, a truth value or a text: by its name, but
// for one that has fields, which is made of these.
bool jfr_layout_is_built_in(const jfr_metadata *metadata, const jfr_type *type);

// jfr_layout_is_number says whether a field (an index) is a single number and nothing else.
bool jfr_layout_is_number(const jfr_layout *layout, const jfr_metadata *metadata, uint32_t field);

// jfr_layout_walk moves cursor over the ops of program. False if the value does not fit into the
// bytes or is of a type that the metadata does not describe.
bool jfr_layout_walk(const jfr_layout *layout, jfr_program program, jfr_cursor *cursor);

#endif // LP_COMMON_JFR_JFR_LAYOUT_H
