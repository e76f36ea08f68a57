// SPDX-License-Identifier: Apache-2.0
// ndjson: a table as lines of JSON in a zstd frame. Each line is an object with all columns, in
// their order:
//
//   {"recording":"3f6c..","request":"00000000000004d3","type":"shop.Order",..}
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/export/test_tables.c, tests/e2e/tables.py
// Memory:  QUERY_NDJSON_BYTES twice, a line, and some 4 MB of zstd.

#pragma once

#include "query/export/table.h"

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
