// SPDX-License-Identifier: Apache-2.0
// jfr_table: arrays of structures that consist of numbers and keys only, such as the frames of a
// stack trace. Each structure is a row with a fixed count of numbers, and some columns are keys.
//
// Frames may be most of a recording. So jfr_table_read does not read field by field, as jfr_walk.h
// does for other arrays: it finds the ends of numbers for several rows at once, and decodes only
// keys.
//
// Threads: any thread.

#pragma once

#include "common/jfr/jfr_block.h"
#include "common/jfr/jfr_program.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    JFR_TABLE_WIDTH_MAX = 16,             // numbers in a row, so that a block has a few rows
    JFR_TABLE_KEYS_MAX = 4,               // key columns in a row
    JFR_TABLE_ROWS_MAX = JFR_BLOCK_BYTES, // rows that are read at once
};

typedef struct jfr_table {
    uint32_t width; // numbers in a row
    uint32_t key_count;
    bool has_pext; // jfr_varint_has_pext
    struct jfr_table_column {
        uint32_t at;            // number of the column, from 0
        uint32_t type;          // of the constants
    } keys[JFR_TABLE_KEYS_MAX]; // ascending by at
} jfr_table;

// The keys of some rows, column by column.
typedef struct jfr_table_rows {
    uint32_t count;
    uint64_t keys[JFR_TABLE_KEYS_MAX][JFR_TABLE_ROWS_MAX];
} jfr_table_rows;

// jfr_table_make returns whether the elements of an array are the rows of a table, and describes
// it. The caller may remove key columns from *out_table: their keys then count as plain numbers.
bool jfr_table_make(const jfr_layout *layout, jfr_program element, jfr_table *out_table);

// jfr_table_read moves cursor over at least one of count rows and reads their keys. count is above
// 0. False if the bytes end within the first row.
bool jfr_table_read(
    const jfr_table *table, uint64_t count, jfr_cursor *cursor, jfr_table_rows *out_rows);

// --- For custom walks

enum { JFR_TABLE_AHEAD_BYTES = 16 }; // bytes that must be readable behind a block

// jfr_table_find_rows returns how many of the next count rows end within 64 bytes, and sets
// *out_stops to their stops (jfr_block.h). 0: read the next row, if any, number by number.
static inline uint32_t
jfr_table_find_rows(
    const jfr_table *table, uint64_t count, const jfr_cursor *cursor, uint64_t *out_stops)
{
    if (jfr_cursor_left(cursor) < JFR_BLOCK_BYTES + JFR_TABLE_AHEAD_BYTES) {
        return 0;
    }
    uint64_t stops = jfr_block_stops(cursor->at);
    *out_stops = stops;
    uint32_t rows = jfr_block_has_raw(stops) ? 0 : jfr_block_count(stops) / table->width;
    return rows < count ? rows : (uint32_t)count;
}

// A place in a block, where a number begins.
typedef struct jfr_table_place {
    uint64_t stops; // from there on
    unsigned begin;
} jfr_table_place;

// jfr_table_hop moves over count numbers, all of which end in the block.
static inline __attribute__((always_inline)) jfr_table_place
jfr_table_hop(jfr_table_place place, uint32_t count)
{
    if (count == 0) {
        return place;
    }
    for (; count > 1; count--) {
        place.stops &= place.stops - 1;
    }
    unsigned begin = (unsigned)__builtin_ctzll(place.stops) + 1;
    return (jfr_table_place){place.stops & (place.stops - 1), begin};
}
