// SPDX-License-Identifier: Apache-2.0
// ndjson: writes a table as lines of JSON (table_formats.h).
//
// Tests: tests/unit/query/export/test_tables.c, tests/e2e/tables.py

#include "common/base/lp_assert.h"
#include "query/export/table_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

enum {
    LEVEL = 3,
    NUMBER_BYTES = 24, // of 64 bits, with a sign and the zero
    ESCAPE_BYTES = 7,
};

void
query_ndjson_fini(query_ndjson *ndjson)
{
    (void)ZSTD_freeCCtx(ndjson->zstd);
    lp_buf_fini(&ndjson->lines);
    lp_buf_fini(&ndjson->packed);
    *ndjson = (query_ndjson){0};
}

static void
append_text(lp_buf *out, lp_slice text)
{
    char escaped[ESCAPE_BYTES];
    size_t begin = 0;
    lp_buf_append(out, "\"", 1);
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        lp_buf_append(out, text.ptr + begin, i - begin);
        (void)snprintf(escaped, sizeof(escaped), c < 0x20 ? "\\u%04x" : "\\%c", c);
        lp_buf_append_text(out, escaped);
        begin = i + 1;
    }
    lp_buf_append(out, text.ptr + begin, text.len - begin);
    lp_buf_append(out, "\"", 1);
}

static void
append_value(lp_buf *out, const query_table_row *row, size_t column, bool is_text)
{
    LP_ASSERT(column < QUERY_COLUMNS_MAX);
    char number[NUMBER_BYTES];
    if (!row->cells[column].is_there) {
        lp_buf_append_text(out, "null");
    } else if (is_text) {
        append_text(out, query_table_row_text(row, column));
    } else {
        (void)snprintf(number, sizeof(number), "%" PRId64, row->cells[column].number);
        lp_buf_append_text(out, number);
    }
}

// pack compresses the lines and passes them on; with ZSTD_e_end also the end of the frame.
static lp_err
pack(query_ndjson *ndjson, ZSTD_EndDirective end)
{
    LP_ASSERT(ndjson->sink.on_bytes != NULL);
    LP_TRY(lp_buf_check(&ndjson->lines));
    if (ndjson->zstd == NULL) {
        ndjson->zstd = ZSTD_createCCtx();
        LP_REQUIRE(ndjson->zstd != NULL, LP_ENOMEM);
        (void)ZSTD_CCtx_setParameter(ndjson->zstd, ZSTD_c_compressionLevel, LEVEL);
        (void)ZSTD_CCtx_setParameter(ndjson->zstd, ZSTD_c_checksumFlag, 1);
    }
    ZSTD_inBuffer in = {ndjson->lines.ptr, ndjson->lines.len, 0};
    for (size_t left = 1; end == ZSTD_e_end ? left != 0 : in.pos < in.size;) {
        lp_buf_clear(&ndjson->packed);
        uint8_t *room = lp_buf_extend(&ndjson->packed, QUERY_NDJSON_BYTES);
        LP_REQUIRE(room != NULL, LP_ENOMEM);
        ZSTD_outBuffer out = {room, QUERY_NDJSON_BYTES, 0};
        left = ZSTD_compressStream2(ndjson->zstd, &out, &in, end);
        LP_REQUIRE(!ZSTD_isError(left), LP_ENOMEM);
        if (out.pos > 0) {
            LP_TRY(ndjson->sink.on_bytes(ndjson->sink.arg, (lp_slice){room, out.pos}));
        }
    }
    lp_buf_clear(&ndjson->lines);
    return LP_OK;
}

lp_err
query_ndjson_add(query_ndjson *ndjson, const query_table_row *row)
{
    LP_ASSERT(ndjson->table.count <= QUERY_COLUMNS_MAX);
    LP_TRY(lp_buf_check(&row->texts));
    for (size_t i = 0; i < ndjson->table.count; i++) {
        const query_table_column *column = &ndjson->table.columns[i];
        lp_buf_append_text(&ndjson->lines, i == 0 ? "{\"" : ",\"");
        lp_buf_append_text(&ndjson->lines, column->name);
        lp_buf_append_text(&ndjson->lines, "\":");
        append_value(&ndjson->lines, row, i, column->is_text);
    }
    lp_buf_append_text(&ndjson->lines, "}\n");
    return ndjson->lines.len < QUERY_NDJSON_BYTES ? LP_OK : pack(ndjson, ZSTD_e_continue);
}

lp_err
query_ndjson_finish(query_ndjson *ndjson)
{
    return pack(ndjson, ZSTD_e_end);
}
