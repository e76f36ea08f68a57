// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_table.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

bool
jfr_table_make(const jfr_layout *layout, jfr_program element, jfr_table *out_table)
{
    const jfr_op *ops = layout->ops.items + element.begin;
    uint32_t width = element.end - element.begin;
    LP_REQUIRE(width != 0 && width <= JFR_TABLE_WIDTH_MAX && ops->varint_run >= width, false);
    *out_table = (jfr_table){.width = width, .has_pext = jfr_varint_has_pext()};
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

// --- By pext

#ifdef __x86_64__

// For each width: bit i is set if number i of a block begins a row and number 0 does.
static const uint64_t row_begins[JFR_TABLE_WIDTH_MAX + 1] = {
    0,
    0xffffffffffffffff,
    0x5555555555555555,
    0x9249249249249249,
    0x1111111111111111,
    0x1084210842108421,
    0x1041041041041041,
    0x8102040810204081,
    0x0101010101010101,
    0x8040201008040201,
    0x1004010040100401,
    0x0080100200400801,
    0x1001001001001001,
    0x0010008004002001,
    0x0100040010004001,
    0x1000200040008001,
    0x0001000100010001,
};

// read_column_by_pext is read_column for a column whose numbers begin at the bits of begins.
static inline __attribute__((always_inline, target("bmi,bmi2,popcnt"))) void
read_column_by_pext(const uint8_t *at, uint64_t begins, uint32_t count, uint64_t *out_keys)
{
    for (uint32_t row = 0; row < count; row++) {
        uint64_t word = jfr_varint_word(at + __builtin_ctzll(begins));
        uint64_t stops = jfr_varint_stops(word); // not 0: no byte is raw
        out_keys[row] = _pext_u64(word, (stops ^ (stops - 1)) & ~JFR_VARINT_MORE);
        begins &= begins - 1;
    }
}

// read_by_pext is jfr_table_read where the next rows end within 64 bytes. Else it does nothing, and
// returns false.
static __attribute__((target("bmi,bmi2,popcnt"))) bool
read_by_pext(const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out_rows)
{
    uint64_t stops = jfr_block_stops(cursor->at);
    uint64_t row_ends = _pdep_u64(row_begins[table->width] << (table->width - 1), stops);
    if (row_ends == 0 || jfr_block_has_raw(stops)) {
        return false;
    }
    uint64_t rows = (uint64_t)__builtin_popcountll(row_ends);
    unsigned last = 63 - (unsigned)__builtin_clzll(row_ends);
    if (rows > count) {
        rows = count;
        last = (unsigned)__builtin_ctzll(_pdep_u64((uint64_t)1 << (count - 1), row_ends));
    }
    uint64_t begins = stops << 1 | 1;
    for (uint32_t i = 0; i < table->key_count; i++) {
        uint64_t of_column = _pdep_u64(row_begins[table->width] << table->keys[i].at, begins);
        read_column_by_pext(cursor->at, of_column, (uint32_t)rows, out_rows->keys[i]);
    }
    cursor->at += last + 1;
    out_rows->count = (uint32_t)rows;
    return true;
}

#endif

// --- Rows

bool
jfr_table_read(const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out_rows)
{
#ifdef __x86_64__
    if (table->has_pext && jfr_cursor_left(cursor) >= JFR_BLOCK_BYTES + JFR_TABLE_AHEAD_BYTES &&
        read_by_pext(table, count, cursor, out_rows)) {
        return true;
    }
#endif
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
