// SPDX-License-Identifier: Apache-2.0
// parquet: writes a table as a Parquet file (table_formats.h).
//
// Tests: tests/unit/query/export/test_tables.c, tests/e2e/tables.py

#include "common/base/lp_assert.h"
#include "query/export/table_formats.h"
#include "query/export/thrift.h"

#include <endian.h>
#include <zstd.h>

enum { LEVEL = 3 };

// Parquet's numbers.
enum {
    TYPE_INT64 = 2,
    TYPE_BYTE_ARRAY = 6,
    REPETITION_OPTIONAL = 1,
    CONVERTED_UTF8 = 0,
    LOGICAL_STRING = 1,
    ENCODING_PLAIN = 0,
    ENCODING_RLE = 3,
    CODEC_ZSTD = 6,
    PAGE_DATA = 0,
    FORMAT_VERSION = 1,
};

static const char magic[] = {'P', 'A', 'R', '1'};

typedef struct query_parquet_column column;

void
query_parquet_fini(query_parquet *parquet)
{
    for (size_t i = 0; i < QUERY_COLUMNS_MAX; i++) {
        lp_buf_fini(&parquet->columns[i].levels);
        lp_buf_fini(&parquet->columns[i].values);
        lp_buf_fini(&parquet->columns[i].pages);
    }
    LP_VEC_FINI(&parquet->groups);
    LP_VEC_FINI(&parquet->chunks);
    lp_buf_fini(&parquet->page);
    lp_buf_fini(&parquet->head);
    (void)ZSTD_freeCCtx(parquet->zstd);
    *parquet = (query_parquet){0};
}

static void
parquet_check(const query_parquet *parquet)
{
    LP_ASSERT(parquet->table.count <= QUERY_COLUMNS_MAX);
    LP_ASSERT(parquet->chunks.count == parquet->groups.count * parquet->table.count);
    LP_ASSERT(parquet->group_rows <= parquet->group_rows_max);
}

static lp_err
pass_on(query_parquet *parquet, lp_slice bytes)
{
    parquet->offset += bytes.len;
    return parquet->sink.on_bytes(parquet->sink.arg, bytes);
}

static void
append_u32(lp_buf *out, size_t value)
{
    const uint32_t little = htole32((uint32_t)value);
    lp_buf_append(out, &little, sizeof(little));
}

// --- Pages

// append_head appends the header of a page.
static void
append_head(lp_buf *out, size_t plain_bytes, size_t packed_bytes, uint32_t rows)
{
    thrift page = {.out = out};
    thrift_i32(&page, 1, PAGE_DATA);
    thrift_i32(&page, 2, (int32_t)plain_bytes);
    thrift_i32(&page, 3, (int32_t)packed_bytes);
    thrift data = thrift_struct(&page, 5);
    thrift_i32(&data, 1, (int32_t)rows);
    thrift_i32(&data, 2, ENCODING_PLAIN);
    thrift_i32(&data, 3, ENCODING_RLE); // of the levels
    thrift_i32(&data, 4, ENCODING_RLE); // of levels that a flat column does not have
    thrift_end(&data);
    thrift_end(&page);
}

// make_page makes parquet->page the levels and values of a column's page. The levels are one run of
// bits: its head is the number of its bytes, shifted, and a 1.
static lp_err
make_page(query_parquet *parquet, const column *of)
{
    lp_buf *page = &parquet->page;
    lp_buf_clear(&parquet->head);
    thrift_varint(&parquet->head, (uint64_t)of->levels.len << 1 | 1);
    lp_buf_clear(page);
    append_u32(page, parquet->head.len + of->levels.len);
    lp_buf_append(page, parquet->head.ptr, parquet->head.len);
    lp_buf_append(page, of->levels.ptr, of->levels.len);
    lp_buf_append(page, of->values.ptr, of->values.len);
    LP_TRY(lp_buf_check(&parquet->head));
    return lp_buf_check(page);
}

// end_page compresses the page of a column, and begins the next one.
static lp_err
end_page(query_parquet *parquet, column *of)
{
    LP_TRY(lp_buf_check(&of->levels));
    LP_TRY(lp_buf_check(&of->values));
    LP_ASSERT(of->page_rows > 0 && of->levels.len == (of->page_rows + 7) / 8);
    LP_TRY(make_page(parquet, of));
    size_t room = ZSTD_compressBound(parquet->page.len);
    parquet->zstd = parquet->zstd == NULL ? ZSTD_createCCtx() : parquet->zstd;
    lp_buf_clear(&parquet->head);
    uint8_t *packed = parquet->zstd == NULL ? NULL : lp_buf_extend(&parquet->head, room);
    LP_REQUIRE(packed != NULL, LP_ENOMEM);
    size_t size =
        ZSTD_compressCCtx(parquet->zstd, packed, room, parquet->page.ptr, parquet->page.len, LEVEL);
    LP_REQUIRE(!ZSTD_isError(size), LP_ENOMEM);
    size_t before = of->pages.len;
    append_head(&of->pages, parquet->page.len, size, of->page_rows);
    of->plain_bytes += of->pages.len - before + parquet->page.len;
    lp_buf_append(&of->pages, packed, size);
    lp_buf_clear(&of->levels);
    lp_buf_clear(&of->values);
    of->page_rows = 0;
    return lp_buf_check(&of->pages);
}

// --- Row groups

static lp_err
end_column(query_parquet *parquet, column *of)
{
    LP_TRY(of->page_rows > 0 ? end_page(parquet, of) : LP_OK);
    const struct query_parquet_chunk chunk = {
        .offset = parquet->offset, .bytes = of->pages.len, .plain_bytes = of->plain_bytes};
    LP_TRY(LP_VEC_ADD(&parquet->chunks, chunk));
    LP_TRY(pass_on(parquet, lp_buf_slice(&of->pages)));
    lp_buf_clear(&of->pages);
    of->plain_bytes = 0;
    return LP_OK;
}

static lp_err
end_group(query_parquet *parquet)
{
    LP_ASSERT(parquet->group_rows > 0);
    for (size_t i = 0; i < parquet->table.count; i++) {
        LP_TRY(end_column(parquet, &parquet->columns[i]));
    }
    LP_TRY(LP_VEC_ADD(&parquet->groups, parquet->group_rows));
    parquet->rows += parquet->group_rows;
    parquet->group_rows = 0;
    parquet_check(parquet);
    return LP_OK;
}

static lp_err
begin_file(query_parquet *parquet)
{
    LP_ASSERT(parquet->sink.on_bytes != NULL);
    return parquet->offset > 0
               ? LP_OK
               : pass_on(parquet, (lp_slice){(const uint8_t *)magic, sizeof(magic)});
}

// --- Rows

static void
add_level(column *to, bool is_there)
{
    if (to->page_rows % 8 == 0) {
        lp_buf_append(&to->levels, "", 1);
    }
    if (is_there && !to->levels.is_failed) {
        to->levels.ptr[to->levels.len - 1] |= (uint8_t)(1 << to->page_rows % 8);
    }
    to->page_rows++;
}

static void
add_value(column *to, const query_table_row *row, size_t index, bool is_text)
{
    if (is_text) {
        lp_slice text = query_table_row_text(row, index);
        append_u32(&to->values, text.len);
        lp_buf_append(&to->values, text.ptr, text.len);
    } else {
        const uint64_t little = htole64((uint64_t)row->cells[index].number);
        lp_buf_append(&to->values, &little, sizeof(little));
    }
}

lp_err
query_parquet_add(query_parquet *parquet, const query_table_row *row)
{
    size_t bytes = 0; // of the row group
    parquet_check(parquet);
    LP_TRY(lp_buf_check(&row->texts));
    LP_TRY(begin_file(parquet));
    for (size_t i = 0; i < parquet->table.count; i++) {
        column *to = &parquet->columns[i];
        add_level(to, row->cells[i].is_there);
        if (row->cells[i].is_there) {
            add_value(to, row, i, parquet->table.columns[i].is_text);
        }
        bool is_full = to->levels.len + to->values.len >= parquet->page_bytes_max;
        LP_TRY(is_full ? end_page(parquet, to) : LP_OK);
        bytes += to->pages.len;
    }
    parquet->group_rows++;
    bool is_whole =
        parquet->group_rows == parquet->group_rows_max || bytes >= QUERY_PARQUET_GROUP_BYTES;
    return is_whole ? end_group(parquet) : LP_OK;
}

// --- The end of the file

static void
append_columns(thrift *file, const query_table *table)
{
    thrift_list(file, 2, THRIFT_STRUCT, 1 + table->count);
    thrift root = {.out = file->out};
    thrift_text(&root, 4, "loupe");
    thrift_i32(&root, 5, (int32_t)table->count);
    thrift_end(&root);
    for (size_t i = 0; i < table->count; i++) {
        bool is_text = table->columns[i].is_text;
        thrift element = {.out = file->out};
        thrift_i32(&element, 1, is_text ? TYPE_BYTE_ARRAY : TYPE_INT64);
        thrift_i32(&element, 3, REPETITION_OPTIONAL);
        thrift_text(&element, 4, table->columns[i].name);
        if (is_text) {
            thrift_i32(&element, 6, CONVERTED_UTF8);
            thrift logical = thrift_struct(&element, 10);
            thrift string = thrift_struct(&logical, LOGICAL_STRING);
            thrift_end(&string);
            thrift_end(&logical);
        }
        thrift_end(&element);
    }
}

static void
append_chunk(lp_buf *out, const struct query_parquet_chunk *chunk, const query_table_column *of,
    uint64_t rows)
{
    thrift outer = {.out = out};
    thrift_i64(&outer, 2, (int64_t)chunk->offset);
    thrift meta = thrift_struct(&outer, 3);
    thrift_i32(&meta, 1, of->is_text ? TYPE_BYTE_ARRAY : TYPE_INT64);
    thrift_list(&meta, 2, THRIFT_I32, 2);
    thrift_integer(out, ENCODING_PLAIN);
    thrift_integer(out, ENCODING_RLE);
    thrift_list(&meta, 3, THRIFT_TEXT, 1);
    thrift_string(out, of->name);
    thrift_i32(&meta, 4, CODEC_ZSTD);
    thrift_i64(&meta, 5, (int64_t)rows);
    thrift_i64(&meta, 6, (int64_t)chunk->plain_bytes);
    thrift_i64(&meta, 7, (int64_t)chunk->bytes);
    thrift_i64(&meta, 9, (int64_t)chunk->offset);
    thrift_end(&meta);
    thrift_end(&outer);
}

static void
append_group(lp_buf *out, const query_parquet *parquet, size_t index)
{
    LP_ASSERT(index < parquet->groups.count);
    size_t count = parquet->table.count;
    const struct query_parquet_chunk *chunks = &parquet->chunks.items[index * count];
    uint64_t plain_bytes = 0;
    thrift group = {.out = out};
    thrift_list(&group, 1, THRIFT_STRUCT, count);
    for (size_t i = 0; i < count; i++) {
        append_chunk(out, &chunks[i], &parquet->table.columns[i], parquet->groups.items[index]);
        plain_bytes += chunks[i].plain_bytes;
    }
    thrift_i64(&group, 2, (int64_t)plain_bytes);
    thrift_i64(&group, 3, (int64_t)parquet->groups.items[index]);
    thrift_end(&group);
}

lp_err
query_parquet_finish(query_parquet *parquet)
{
    lp_buf *out = &parquet->page;
    parquet_check(parquet);
    LP_TRY(begin_file(parquet));
    LP_TRY(parquet->group_rows > 0 ? end_group(parquet) : LP_OK);
    lp_buf_clear(out);
    thrift file = {.out = out};
    thrift_i32(&file, 1, FORMAT_VERSION);
    append_columns(&file, &parquet->table);
    thrift_i64(&file, 3, (int64_t)parquet->rows);
    thrift_list(&file, 4, THRIFT_STRUCT, parquet->groups.count);
    for (size_t i = 0; i < parquet->groups.count; i++) {
        append_group(out, parquet, i);
    }
    thrift_text(&file, 6, "loupe");
    thrift_end(&file);
    append_u32(out, out->len);
    lp_buf_append(out, magic, sizeof(magic));
    LP_TRY(lp_buf_check(out));
    return pass_on(parquet, lp_buf_slice(out));
}
