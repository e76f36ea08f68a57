// SPDX-License-Identifier: Apache-2.0
// table_rows: writes the same random rows as a Parquet file and as lines of JSON, with small pages
// and row groups, for a test that compares them:
//
//   table_rows ROWS SEED GROUP_ROWS PAGE_BYTES OUT.parquet OUT.ndjson.zst

#include "support/chance.h"

#include "query/export/table_formats.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 300, ARGUMENTS = 7 };

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    return fwrite(bytes.ptr, 1, bytes.len, arg) == bytes.len ? LP_OK : LP_EIO;
}

// set_value sets a value: null, a number of any size, or a text of any bytes.
static void
set_value(query_table_row *row, size_t column, bool is_text, uint64_t *seed)
{
    uint8_t text[TEXT_BYTES];
    if (chance_below(seed, 4) == 0) {
        return;
    }
    if (!is_text) {
        uint64_t bits = chance_below(seed, UINT64_MAX) >> chance_below(seed, 64);
        query_table_row_set(
            row, column, chance_below(seed, 2) == 0 ? (int64_t)bits : -(int64_t)bits);
        return;
    }
    size_t len = chance_below(seed, chance_below(seed, 8) == 0 ? TEXT_BYTES : 12);
    for (size_t i = 0; i < len; i++) {
        bool is_any = chance_below(seed, 16) == 0;
        text[i] = (uint8_t)(is_any ? chance_below(seed, 256) : 'a' + chance_below(seed, 26));
    }
    query_table_row_set_text(row, column, (lp_slice){text, len});
}

static lp_err
write_rows(query_parquet *parquet, query_ndjson *ndjson, uint64_t rows, uint64_t seed)
{
    query_table_row row = {0};
    lp_err err = LP_OK;
    for (uint64_t i = 0; i < rows && err == LP_OK; i++) {
        query_table_row_clear(&row);
        for (size_t k = 0; k < parquet->table.count; k++) {
            set_value(&row, k, parquet->table.columns[k].is_text, &seed);
        }
        err = query_parquet_add(parquet, &row);
        LP_THEN(err, query_ndjson_add(ndjson, &row));
    }
    query_table_row_fini(&row);
    LP_THEN(err, query_parquet_finish(parquet));
    return err == LP_OK ? query_ndjson_finish(ndjson) : err;
}

int
main(int argc, char **argv)
{
    if (argc != ARGUMENTS) {
        return EXIT_FAILURE;
    }
    FILE *one = fopen(argv[5], "wb");
    FILE *other = fopen(argv[6], "wb");
    if (one == NULL || other == NULL) {
        return EXIT_FAILURE;
    }
    const query_table table = query_table_get(QUERY_TABLE_EVENTS);
    query_parquet parquet = {
        .table = table,
        .sink = {on_bytes, one},
        .group_rows_max = strtoull(argv[3], NULL, 10),
        .page_bytes_max = strtoull(argv[4], NULL, 10),
    };
    query_ndjson ndjson = {.table = table, .sink = {on_bytes, other}};
    lp_err err =
        write_rows(&parquet, &ndjson, strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    query_parquet_fini(&parquet);
    query_ndjson_fini(&ndjson);
    bool is_written = (fclose(one) == 0) & (fclose(other) == 0);
    return err == LP_OK && is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
