// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_table.h"

bool
jfr_table_make(const jfr_layout *layout, jfr_program element, jfr_table *out_table)
{
    const jfr_op *ops = layout->ops.items + element.begin;
    uint32_t width = element.end - element.begin;
    if (width == 0 || width > JFR_TABLE_WIDTH_MAX || ops->varint_run < width) {
        return false;
    }
    out_table->width = width;
    out_table->key_count = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (ops[i].code != JFR_OP_CONSTANT) {
            continue;
        }
        if (out_table->key_count == JFR_TABLE_KEYS_MAX) {
            return false;
        }
        out_table->keys[out_table->key_count++] = (struct jfr_table_column){i, ops[i].arg};
    }
    return true;
}

// hop moves *begin, where a number begins, over count numbers, which is above 0, and takes their
// stops away. Returns what is left of them.
static inline __attribute__((always_inline)) uint64_t
hop(uint64_t stops, uint32_t count, unsigned *begin)
{
    for (; count > 1; count--) {
        stops &= stops - 1;
    }
    *begin = (unsigned)__builtin_ctzll(stops) + 1;
    return stops & (stops - 1);
}

// read_column reads one column of count rows (above 0) that begin at at, where a block with these
// stops does.
static inline __attribute__((always_inline)) void
read_column(const uint8_t *at, uint64_t stops, uint32_t column, uint32_t width, uint32_t count,
    uint64_t *out_keys)
{
    unsigned begin = 0;
    if (column > 0) {
        stops = hop(stops, column, &begin);
    }
    for (uint32_t row = 0;; row++) {
        (void)jfr_varint_read_word(at + begin, &out_keys[row]);
        if (row + 1 == count) {
            return;
        }
        stops = hop(stops, width, &begin);
    }
}

// read_block reads as many of count rows as end within 64 bytes.
static inline uint32_t
read_block(const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out)
{
    uint64_t stops = jfr_block_stops(cursor->at);
    if (jfr_block_has_raw(stops)) {
        return 0;
    }
    uint32_t rows = jfr_block_count(stops) / table->width;
    rows = rows < count ? rows : (uint32_t)count;
    for (uint32_t i = 0; i < table->key_count && rows > 0; i++) {
        if (table->width == 4) { // that of stack traces, as a constant
            read_column(cursor->at, stops, table->keys[i].at, 4, rows, out->keys[i]);
        } else {
            read_column(cursor->at, stops, table->keys[i].at, table->width, rows, out->keys[i]);
        }
    }
    cursor->at += jfr_block_size(stops, rows * table->width);
    return rows;
}

// read_row reads one row, wherever it lies and whatever its numbers are.
static bool
read_row(const jfr_table *table, jfr_cursor *cursor, jfr_table_rows *out)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < table->key_count; i++) {
        if (!jfr_varint_skip_words(cursor, table->keys[i].at - column) ||
            !jfr_varint_read(cursor, &out->keys[i][0])) {
            return false;
        }
        column = table->keys[i].at + 1;
    }
    return jfr_varint_skip_words(cursor, table->width - column);
}

bool
jfr_table_read(const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out_rows)
{
    out_rows->count = 0;
    if (jfr_cursor_left(cursor) >= JFR_BLOCK_BYTES + JFR_VARINT_BYTES_MAX) {
        out_rows->count = read_block(table, count, cursor, out_rows);
    }
    if (out_rows->count > 0) {
        return true;
    }
    out_rows->count = 1;
    return read_row(table, cursor, out_rows);
}
