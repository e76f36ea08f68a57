// SPDX-License-Identifier: Apache-2.0
#include "query/export/table.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

#include <string.h>

enum { NUMBER = false, TEXT = true };

static const query_table_column columns[] = {
#define QUERY_COLUMN(table, column, kind) {#column, kind},
#include "query/export/columns.def"
};

query_table
query_table_get(query_table_kind kind)
{
    static const size_t begins[QUERY_TABLES + 1] = {
        [QUERY_TABLE_REQUESTS] = QUERY_COLUMN_OF_ALL_requests_recording,
        [QUERY_TABLE_EVENTS] = QUERY_COLUMN_OF_ALL_events_recording,
        [QUERY_TABLE_FRAMES] = QUERY_COLUMN_OF_ALL_frames_recording,
        [QUERY_TABLES] = QUERY_COLUMNS_OF_ALL,
    };
    LP_ASSERT(kind < QUERY_TABLES);
    size_t count = begins[kind + 1] - begins[kind];
    LP_ASSERT(count <= QUERY_COLUMNS_MAX);
    return (query_table){columns + begins[kind], count};
}

void
query_table_row_fini(query_table_row *row)
{
    lp_buf_fini(&row->texts);
    *row = (query_table_row){0};
}

void
query_table_row_clear(query_table_row *row)
{
    lp_buf_clear(&row->texts);
    memset(row->cells, 0, sizeof(row->cells));
}

void
query_table_row_set(query_table_row *row, size_t column, int64_t number)
{
    LP_ASSERT(column < QUERY_COLUMNS_MAX);
    row->cells[column].is_there = true;
    row->cells[column].number = number;
}

void
query_table_row_end_text(query_table_row *row, size_t column, size_t begin)
{
    LP_ASSERT(column < QUERY_COLUMNS_MAX && begin <= row->texts.len);
    row->cells[column].is_there = true;
    row->cells[column].begin = begin;
    row->cells[column].len = row->texts.len - begin;
}

void
query_table_row_set_text(query_table_row *row, size_t column, lp_slice text)
{
    size_t begin = row->texts.len;
    jfr_utf8_append_valid(&row->texts, text);
    query_table_row_end_text(row, column, begin);
}

void
query_table_row_set_name(query_table_row *row, size_t column, const char *name)
{
    if (name != NULL && name[0] != '\0') {
        query_table_row_set_text(row, column, (lp_slice){(const uint8_t *)name, strlen(name)});
    }
}
