// SPDX-License-Identifier: Apache-2.0
// table: the tables that SQL asks (columns.def), and a row of one.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/export/test_tables.c

#pragma once

#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum query_table_kind {
    QUERY_TABLE_REQUESTS,
    QUERY_TABLE_EVENTS,
    QUERY_TABLE_FRAMES,
    QUERY_TABLES,
} query_table_kind;

// The indexes of columns, such as QUERY_COLUMN_events_type: in the order of columns.def from the
// first one of their table on.
#define QUERY_COLUMN(table, column, kind) QUERY_COLUMN_OF_ALL_##table##_##column,
enum {
#include "query/export/columns.def"
    QUERY_COLUMNS_OF_ALL,
};
#define QUERY_COLUMN(table, column, kind)                                                          \
    QUERY_COLUMN_##table##_##column =                                                              \
        QUERY_COLUMN_OF_ALL_##table##_##column - QUERY_COLUMN_OF_ALL_##table##_recording,
enum {
#include "query/export/columns.def"
};

enum { QUERY_COLUMNS_MAX = 16 }; // of a table

typedef struct query_table_column {
    const char *name;
    bool is_text; // else a number of 64 bits
} query_table_column;

typedef struct query_table {
    const query_table_column *columns; // the first is `recording`
    size_t count;
} query_table;

query_table query_table_get(query_table_kind kind);

// A row. {0} has only nulls.
typedef struct query_table_row {
    lp_buf texts; // fails if memory runs out
    struct query_table_cell {
        bool is_there;  // else it is null
        int64_t number; // of a number
        size_t begin;   // of a text, in texts
        size_t len;
    } cells[QUERY_COLUMNS_MAX];
} query_table_row;

void query_table_row_fini(query_table_row *row);

// query_table_row_clear makes all values null.
void query_table_row_clear(query_table_row *row);

void query_table_row_set(query_table_row *row, size_t column, int64_t number);

// query_table_row_set_text copies text, with U+FFFD for bytes that are not UTF-8.
void query_table_row_set_text(query_table_row *row, size_t column, lp_slice text);

// query_table_row_set_name does the same; NULL and "" are null.
void query_table_row_set_name(query_table_row *row, size_t column, const char *name);

// query_table_row_end_text makes the value the bytes of texts from begin on, which the caller
// appended.
void query_table_row_end_text(query_table_row *row, size_t column, size_t begin);

// query_table_row_text lends the text of a value that is not null, until the row changes.
static inline lp_slice
query_table_row_text(const query_table_row *row, size_t column)
{
    return (lp_slice){row->texts.ptr + row->cells[column].begin, row->cells[column].len};
}

// Gets a file, piece by piece.
typedef struct query_table_sink {
    lp_err (*on_bytes)(void *arg, lp_slice bytes);
    void *arg;
} query_table_sink;
