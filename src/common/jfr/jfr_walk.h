// SPDX-License-Identifier: Apache-2.0
// jfr_walk: moving over values by their programs (jfr_program.h), and visiting the constants that
// they refer to.
//
// Every event that is kept is walked, so it is all in the header: the compiler makes a walk of its
// own for each visit, in which that takes no call. Who only wants to know where a value ends takes
// jfr_layout_walk.
//
// Threads: any thread.
// Tests:   tests/unit/common/jfr/test_jfr_layout.c

#ifndef LP_COMMON_JFR_JFR_WALK_H
#define LP_COMMON_JFR_JFR_WALK_H

#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_program.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

// Called for each constant: the type (index) of its pool, and its key. 0 is null for references,
// but pools of enumerations may define it.
typedef void (*jfr_walk_visit)(void *arg, uint32_t type, uint64_t key);

// What one walk is about; the compiler makes constants of it.
typedef struct jfr_walker {
    const jfr_layout *layout;
    jfr_walk_visit visit; // NULL: constants are numbers like others
    void *arg;
} jfr_walker;

static inline __attribute__((always_inline)) bool
jfr_walk_constant(jfr_walker w, uint32_t type, jfr_cursor *cursor)
{
    uint64_t key;
    if (!jfr_varint_read(cursor, &key)) {
        return false;
    }
    if (w.visit != NULL) {
        w.visit(w.arg, type, key);
    }
    return true;
}

static inline bool
jfr_walk_string(jfr_walker w, jfr_cursor *cursor)
{
    uint64_t key;
    bool is_constant = cursor->at < cursor->end && *cursor->at == JFR_STRING_CONSTANT;
    if (!jfr_string_skip(cursor, &key)) {
        return false;
    }
    if (is_constant && w.visit != NULL && w.layout->string_type != JFR_NONE) {
        w.visit(w.arg, w.layout->string_type, key);
    }
    return true;
}

static bool jfr_walk_array(jfr_walker w, const jfr_op *op, jfr_cursor *cursor, unsigned depth);

static inline __attribute__((always_inline)) bool
jfr_walk_op(jfr_walker w, const jfr_op *op, jfr_cursor *cursor, unsigned depth)
{
    switch (op->code) {
    case JFR_OP_VARINT:
    case JFR_OP_TIMESTAMP:
    case JFR_OP_TIMESPAN:
    case JFR_OP_DURATION:
    case JFR_OP_TYPE_ID:
    case JFR_OP_CONTEXT_ID:
        return jfr_varint_skip(cursor);
    case JFR_OP_BYTES:
        return jfr_cursor_skip(cursor, op->arg);
    case JFR_OP_STRING:
        return jfr_walk_string(w, cursor);
    case JFR_OP_CONSTANT:
        return jfr_walk_constant(w, op->arg, cursor);
    case JFR_OP_ARRAY:
    case JFR_OP_CONSTANT_ARRAY:
        return jfr_walk_array(w, op, cursor, depth);
    case JFR_OP_UNKNOWN:
        break;
    }
    return false;
}

static inline __attribute__((always_inline)) bool
jfr_walk_ops(jfr_walker w, jfr_program program, jfr_cursor *cursor, unsigned depth)
{
    const jfr_op *op = w.layout->ops.items + program.begin;
    const jfr_op *end = w.layout->ops.items + program.end;
    while (op < end) {
        uint32_t left = (uint32_t)(end - op);
        uint32_t run = w.visit == NULL ? op->varint_run : op->number_run;
        run = run < left ? run : left;
        if (run > 1 ? !jfr_varint_skip_many(cursor, run) : !jfr_walk_op(w, op, cursor, depth)) {
            return false;
        }
        op += run > 1 ? run : 1;
    }
    return true;
}

static bool
jfr_walk_array(jfr_walker w, const jfr_op *op, jfr_cursor *cursor, unsigned depth)
{
    uint64_t count;
    if (!jfr_varint_read(cursor, &count) || depth > JFR_PROGRAM_DEPTH_MAX) {
        return false;
    }
    jfr_program element = w.layout->types.items[op->arg];
    if (op->code == JFR_OP_ARRAY && element.begin == element.end) { // values without bytes
        return true;
    }
    uint32_t length = element.end - element.begin;
    if (w.visit == NULL) {
        if (op->code == JFR_OP_CONSTANT_ARRAY) {
            return jfr_varint_skip_many(cursor, count);
        }
        if (w.layout->ops.items[element.begin].varint_run >= length &&
            count <= UINT64_MAX / length) {
            return jfr_varint_skip_many(cursor, count * length);
        }
    }
    for (; count > 0; count--) { // each takes a byte at least, so the end stops a false count
        bool is_whole = op->code == JFR_OP_CONSTANT_ARRAY
                            ? jfr_walk_constant(w, op->arg, cursor)
                            : jfr_walk_ops(w, element, cursor, depth + 1);
        if (!is_whole) {
            return false;
        }
    }
    return true;
}

// jfr_walk moves cursor over the ops of program. visit may be NULL. False if the value does not fit
// into the bytes or is of a type that the metadata does not describe; visited is then what came
// before.
static inline __attribute__((always_inline)) bool
jfr_walk(const jfr_layout *layout, jfr_program program, jfr_cursor *cursor, jfr_walk_visit visit,
    void *arg)
{
    return jfr_walk_ops((jfr_walker){layout, visit, arg}, program, cursor, 0);
}

#endif // LP_COMMON_JFR_JFR_WALK_H
