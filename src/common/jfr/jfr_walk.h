// SPDX-License-Identifier: Apache-2.0
// jfr_walk: moves over values by their programs (jfr_program.h), and visits the constants that the
// values refer to.
//
// Every kept event is walked, so all of the code is in the header: the compiler then makes a walk
// for each visitor, with the visitor inlined. To find only where a value ends, use jfr_layout_walk.
//
// Threads: any thread.
// Tests:   tests/unit/common/jfr/test_jfr_layout.c

#pragma once

#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_program.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_table.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

// The callbacks of a walk, which the compiler inlines. {0}: constants are plain numbers.
typedef struct jfr_walk_visitor {
    // Called with the type (index) of a pool and at least one key into it. 0 is null for
    // references, but pools of enumerations may define it. Keys come in the order of the value,
    // except that tables (jfr_table.h) deliver some rows column by column.
    void (*visit)(void *arg, uint32_t type, const uint64_t *keys, size_t count);
    // Called for a column of a table: false if its keys need not be visited.
    bool (*wants)(void *arg, uint32_t type);
    void *arg;
} jfr_walk_visitor;

typedef struct jfr_walker {
    const jfr_layout *layout;
    jfr_walk_visitor visitor;
} jfr_walker;

static inline __attribute__((always_inline)) bool
jfr_walk_constant(jfr_walker w, uint32_t type, jfr_cursor *cursor)
{
    uint64_t key;
    LP_REQUIRE(jfr_varint_read(cursor, &key), false);
    if (w.visitor.visit != NULL) {
        w.visitor.visit(w.visitor.arg, type, &key, 1);
    }
    return true;
}

static inline bool
jfr_walk_string(jfr_walker w, jfr_cursor *cursor)
{
    uint64_t key;
    bool is_constant = cursor->at < cursor->end && *cursor->at == JFR_STRING_CONSTANT;
    LP_REQUIRE(jfr_string_skip(cursor, &key), false);
    if (is_constant && w.visitor.visit != NULL && w.layout->string_type != JFR_NONE) {
        w.visitor.visit(w.visitor.arg, w.layout->string_type, &key, 1);
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
        uint32_t run = w.visitor.visit == NULL ? op->varint_run : op->number_run;
        run = run < left ? run : left;
        if (run > 1 ? !jfr_varint_skip_many(cursor, run) : !jfr_walk_op(w, op, cursor, depth)) {
            return false;
        }
        op += run > 1 ? run : 1;
    }
    return true;
}

// jfr_walk_table moves over count rows of table. It removes the key columns that the visitor does
// not want from *table. It may stop early at a row: from `known` on, the rows need no visit.
static inline __attribute__((always_inline)) bool
jfr_walk_table(
    jfr_walker w, jfr_table *table, uint64_t count, const uint8_t *known, jfr_cursor *cursor)
{
    jfr_walk_visitor visitor = w.visitor;
    uint32_t wanted = 0; // columns, which stay in their order
    for (uint32_t i = 0; i < table->key_count; i++) {
        if (visitor.wants(visitor.arg, table->keys[i].type)) {
            table->keys[wanted++] = table->keys[i];
        }
    }
    table->key_count = wanted;
    if (table->key_count == 0 && count <= UINT64_MAX / table->width) {
        return jfr_varint_skip_many(cursor, count * table->width);
    }
    // A byte without continuation bit ends a number, whatever is before it. So if such a byte lies
    // among the known bytes, the numbers behind it are the known numbers.
    while (count > 0 && !(cursor->at > known && cursor->at[-1] < 0x80)) {
        jfr_table_rows rows;
        LP_REQUIRE(jfr_table_read(table, count, cursor, &rows), false);
        for (uint32_t i = 0; i < table->key_count; i++) {
            visitor.visit(visitor.arg, table->keys[i].type, rows.keys[i], rows.count);
        }
        count -= rows.count;
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
    if (w.visitor.visit == NULL) {
        if (op->code == JFR_OP_CONSTANT_ARRAY) {
            return jfr_varint_skip_many(cursor, count);
        }
        if (w.layout->ops.items[element.begin].varint_run >= length &&
            count <= UINT64_MAX / length) {
            return jfr_varint_skip_many(cursor, count * length);
        }
    } else if (op->code == JFR_OP_ARRAY && count > 1) {
        jfr_table table;
        if (jfr_table_make(w.layout, element, &table)) {
            return jfr_walk_table(w, &table, count, cursor->end, cursor);
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

// jfr_walk moves cursor over the ops of program. False if the value does not fit into the bytes or
// is of a type that the metadata does not describe; the constants before that point have been
// visited.
static inline __attribute__((always_inline)) bool
jfr_walk(
    const jfr_layout *layout, jfr_program program, jfr_cursor *cursor, jfr_walk_visitor visitor)
{
    return jfr_walk_ops((jfr_walker){layout, visitor}, program, cursor, 0);
}
