// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_table.h"

bool
jfr_table_make(const jfr_layout *layout, jfr_program element, jfr_table *out_table)
{
    const jfr_op *ops = layout->ops.items + element.begin;
    uint32_t width = element.end - element.begin;
    LP_REQUIRE(width != 0 && width <= JFR_TABLE_WIDTH_MAX && ops->varint_run >= width, false);
    out_table->width = width;
    out_table->key_count = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (ops[i].code != JFR_OP_CONSTANT) {
            continue;
        }
        LP_REQUIRE(out_table->key_count != JFR_TABLE_KEYS_MAX, false);
        out_table->keys[out_table->key_count++] = (struct jfr_table_column){i, ops[i].arg};
    }
    return true;
}

// read_column reads one column of count rows (above 0) of width numbers that begin at at.
static inline __attribute__((always_inline)) void
read_column(const uint8_t *at, uint64_t stops, uint32_t column, uint32_t width, uint32_t count,
    uint64_t *out_keys)
{
    jfr_table_place place = jfr_table_hop((jfr_table_place){stops, 0}, column);
    for (uint32_t row = 0;; row++) {
        jfr_varint_read_short(at + place.begin, &out_keys[row]);
        if (row + 1 == count) { // the next one may begin behind the stops
            return;
        }
        place = jfr_table_hop(place, width);
    }
}

// read_row reads one row, wherever it lies and whatever its numbers are.
static bool
read_row(const jfr_table *table, jfr_cursor *cursor, jfr_table_rows *out_rows)
{
    uint32_t read_count = 0;
    for (uint32_t i = 0; i < table->key_count; i++) {
        if (!jfr_varint_skip_words(cursor, table->keys[i].at - read_count) ||
            !jfr_varint_read(cursor, &out_rows->keys[i][0])) {
            return false;
        }
        read_count = table->keys[i].at + 1;
    }
    return jfr_varint_skip_words(cursor, table->width - read_count);
}

bool
jfr_table_read(const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out_rows)
{
    uint64_t stops;
    uint32_t rows = jfr_table_find_rows(table, count, cursor, &stops);
    if (rows == 0) {
        out_rows->count = 1;
        return read_row(table, cursor, out_rows);
    }
    for (uint32_t i = 0; i < table->key_count; i++) {
        uint32_t column = table->keys[i].at;
        if (table->width == 4) { // that of stack traces, as a constant
            read_column(cursor->at, stops, column, 4, rows, out_rows->keys[i]);
        } else {
            read_column(cursor->at, stops, column, table->width, rows, out_rows->keys[i]);
        }
    }
    cursor->at += jfr_block_size(stops, rows * table->width);
    out_rows->count = rows;
    return true;
}
