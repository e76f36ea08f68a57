// SPDX-License-Identifier: Apache-2.0
// jfr_program: how the values of a type lie in the bytes, as a short program of ops.
//
// Walking the program over a value (jfr_walk.h) moves a cursor past it and reports each constant
// that it refers to. Numbers that have a meaning only in their chunk (ticks, ids of types and
// contexts) have ops of their own, for code that moves values to another chunk; other code treats
// them as numbers.
//
// Threads: built by one thread (jfr_layout.h), then read by any.
// Tests:   tests/unit/common/jfr/test_jfr_layout.c

#pragma once

#include "common/base/lp_vec.h"

#include <stdint.h>

enum { JFR_PROGRAM_DEPTH_MAX = 16 }; // of structures within structures

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
    JFR_OP_ARRAY,          // a count and that many values of type arg
    JFR_OP_CONSTANT_ARRAY, // a count and that many keys into the pool of type arg
    JFR_OP_UNKNOWN, // a type that the metadata does not describe: nothing behind it can be found
} jfr_op_code;

typedef struct jfr_op {
    jfr_op_code code;
    uint32_t arg;
    uint16_t number_run; // how many numbers follow one another from here on, itself counted
    uint16_t varint_run; // the same for numbers and constants, which are all varints
} jfr_op;

typedef struct jfr_program {
    uint32_t begin; // index of its first op
    uint32_t end;   // behind its last op
} jfr_program;

typedef struct jfr_layout {
    LP_VEC(jfr_op) ops;
    LP_VEC(jfr_program) types;  // parallel to metadata->types
    LP_VEC(uint32_t) field_ops; // parallel to metadata->fields: where the field's ops begin
    uint32_t string_type;       // index of java.lang.String, or JFR_NONE
    uint32_t thread_type;       // index of java.lang.Thread, or JFR_NONE
} jfr_layout;
