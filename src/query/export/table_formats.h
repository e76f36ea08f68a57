// SPDX-License-Identifier: Apache-2.0
// table_formats: a table as a file: lines of JSON (ndjson.c) or Parquet (parquet.c).
//
// Lines of JSON, in a zstd frame: each line is an object with all columns, in their order:
//
//   {"recording":"3f6c..","request":"00000000000004d3","type":"shop.Order",..}
//
// Parquet (github.com/apache/parquet-format), without nesting:
//
//   "PAR1"
//   row group            of up to QUERY_PARQUET_GROUP_ROWS rows
//     column chunk       for each column
//       page             header (Thrift), then in one zstd frame:
//                          length of the levels (4 bytes), the levels: a bit for each row, 0: null
//                          the values that are not null, PLAIN: 8 bytes; or length (4) and text
//   FileMetaData         (Thrift): columns, row groups, where their pages are
//   its length (4 bytes), "PAR1"
//
// All columns are OPTIONAL INT64 or BYTE_ARRAY of UTF-8. All numbers are little-endian.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/export/test_tables.c, tests/e2e/tables.py
// Memory:  JSON: QUERY_NDJSON_BYTES twice, a line, and some 4 MB of zstd. Parquet: a row group,
//          compressed, at most QUERY_PARQUET_GROUP_BYTES and a page of each column; a page of each
//          column, of QUERY_PARQUET_PAGE_BYTES and a value; 32 bytes for each column of each row
//          group; and some 1 MB of zstd.

#pragma once

#include "common/base/lp_vec.h"
#include "query/export/table.h"

// --- Lines of JSON

enum { QUERY_NDJSON_BYTES = 256 << 10 }; // compressed at once

// To begin, set the first group of members; all others are 0.
typedef struct query_ndjson {
    query_table table;
    query_table_sink sink;

    // Private:
    struct ZSTD_CCtx_s *zstd;
    lp_buf lines;
    lp_buf packed;
} query_ndjson;

void query_ndjson_fini(query_ndjson *ndjson);

// query_ndjson_add writes a row. Errors: LP_ENOMEM; errors of the sink
LP_MUST_USE lp_err query_ndjson_add(query_ndjson *ndjson, const query_table_row *row);

// query_ndjson_finish writes the end of the file. Errors: as query_ndjson_add
LP_MUST_USE lp_err query_ndjson_finish(query_ndjson *ndjson);

// --- Parquet

enum {
    QUERY_PARQUET_GROUP_ROWS = 1000000,
    QUERY_PARQUET_GROUP_BYTES = 256 << 20,
    QUERY_PARQUET_PAGE_BYTES = 1 << 20,
};

// To begin, set the first group of members; all others are 0.
typedef struct query_parquet {
    query_table table;
    query_table_sink sink;
    size_t group_rows_max; // QUERY_PARQUET_GROUP_ROWS; tests set less
    size_t page_bytes_max; // QUERY_PARQUET_PAGE_BYTES; tests set less

    // Private:
    uint64_t offset;     // in the file
    uint64_t rows;       // in all row groups that were written
    uint64_t group_rows; // of the row group at hand
    struct query_parquet_column {
        lp_buf levels; // of the page at hand
        lp_buf values;
        uint32_t page_rows;
        lp_buf pages; // of the row group at hand
        uint64_t plain_bytes;
    } columns[QUERY_COLUMNS_MAX];
    LP_VEC(uint64_t) groups; // rows of each row group
    LP_VEC(struct query_parquet_chunk {
        uint64_t offset;
        uint64_t bytes;
        uint64_t plain_bytes;
    })
    chunks; // of all row groups, one for each column
    lp_buf page;
    lp_buf head;
    struct ZSTD_CCtx_s *zstd;
} query_parquet;

void query_parquet_fini(query_parquet *parquet);

// query_parquet_add writes a row. Errors: LP_ENOMEM; errors of the sink
LP_MUST_USE lp_err query_parquet_add(query_parquet *parquet, const query_table_row *row);

// query_parquet_finish writes the end of the file. Errors: as query_parquet_add
LP_MUST_USE lp_err query_parquet_finish(query_parquet *parquet);
