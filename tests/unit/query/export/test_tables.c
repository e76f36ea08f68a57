// SPDX-License-Identifier: Apache-2.0
// Rows as lines of JSON, and as pieces of Parquet files. What other readers make of the files is
// tested in tests/e2e/tables.py.
//
// Cost: each of some 30 allocations fails once.

#include "support/failing_alloc.h"

#include "query/export/export.h"
#include "query/export/table_formats.h"
#include "query/export/thrift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { TEXT_BYTES = 1 << 16 };

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    lp_buf *file = arg;
    lp_buf_append(file, bytes.ptr, bytes.len);
    return lp_buf_check(file);
}

static lp_err
refuse(void *arg, lp_slice bytes)
{
    (void)arg;
    (void)bytes;
    return LP_EIO;
}

static void
test_a_table_has_its_columns(void **state)
{
    (void)state;
    static const struct {
        query_table_kind kind;
        size_t count;
        const char *last;
    } cases[] = {
        {QUERY_TABLE_REQUESTS, 15, "attributes"},
        {QUERY_TABLE_EVENTS, 13, "fields"},
        {QUERY_TABLE_FRAMES, 9, "line"},
    };
    for (size_t i = 0; i < QUERY_TABLES; i++) {
        const query_table table = query_table_get(cases[i].kind);
        assert_int_equal(table.count, cases[i].count);
        assert_string_equal(table.columns[0].name, "recording");
        assert_string_equal(table.columns[1].name, "request");
        assert_string_equal(table.columns[table.count - 1].name, cases[i].last);
    }
    const query_table events = query_table_get(QUERY_TABLE_EVENTS);
    assert_string_equal(events.columns[QUERY_COLUMN_events_own_ns].name, "own_ns");
    assert_false(events.columns[QUERY_COLUMN_events_own_ns].is_text);
    assert_true(events.columns[QUERY_COLUMN_events_frame].is_text);
}

static void
set_frame(query_table_row *row, const char *frame, int64_t line)
{
    query_table_row_clear(row);
    query_table_row_set_name(row, QUERY_COLUMN_frames_recording, "a\"b\\c\n\x01\xff.jfr");
    query_table_row_set_name(row, QUERY_COLUMN_frames_request, NULL);
    query_table_row_set_name(row, QUERY_COLUMN_frames_type, "");
    query_table_row_set(row, QUERY_COLUMN_frames_event, INT64_MIN);
    query_table_row_set(row, QUERY_COLUMN_frames_line, line);
    query_table_row_set_name(row, QUERY_COLUMN_frames_frame, frame);
}

static void
test_a_row_is_a_line(void **state)
{
    (void)state;
    static char text[TEXT_BYTES];
    lp_buf file = {0};
    query_table_row row = {0};
    query_ndjson ndjson = {.table = query_table_get(QUERY_TABLE_FRAMES), .sink = {on_bytes, &file}};
    set_frame(&row, "shop.Stock.take", 41);
    assert_int_equal(query_ndjson_add(&ndjson, &row), LP_OK);
    query_table_row_clear(&row);
    assert_int_equal(query_ndjson_add(&ndjson, &row), LP_OK);
    assert_int_equal(query_ndjson_finish(&ndjson), LP_OK);
    size_t len = ZSTD_decompress(text, TEXT_BYTES - 1, file.ptr, file.len);
    assert_false(ZSTD_isError(len));
    text[len] = '\0';
    assert_string_equal(text,
        "{\"recording\":\"a\\\"b\\\\c\\u000a\\u0001\xef\xbf\xbd.jfr\",\"request\":null,"
        "\"event\":-9223372036854775808,\"type\":null,\"category\":null,\"own_ns\":null,"
        "\"depth\":null,\"frame\":\"shop.Stock.take\",\"line\":41}\n"
        "{\"recording\":null,\"request\":null,\"event\":null,\"type\":null,\"category\":null,"
        "\"own_ns\":null,\"depth\":null,\"frame\":null,\"line\":null}\n");
    query_ndjson_fini(&ndjson);
    query_table_row_fini(&row);
    lp_buf_fini(&file);
}

static void
test_thrift_is_as_its_specification_says(void **state)
{
    (void)state;
    static const uint8_t expected[] = {
        0x15,
        0x02, // field 1, i32: 1
        0x26,
        0x01, // field 3, i64: -1
        0x18,
        0x02,
        'a',
        'b', // field 4, text
        0x19,
        0x15,
        0x08, // field 5, list of one i32: 4
        0x1c,
        0x15,
        0x80,
        0x01, // field 6, structure with field 1, i32: 64
        0x00, // its end
        0x19,
        0xf5,
        0x0f, // field 7, list of 15
        0x00,
    };
    lp_buf out = {0};
    thrift t = {.out = &out};
    thrift_i32(&t, 1, 1);
    thrift_i64(&t, 3, -1);
    thrift_text(&t, 4, "ab");
    thrift_list(&t, 5, THRIFT_I32, 1);
    thrift_integer(&out, 4);
    thrift inner = thrift_struct(&t, 6);
    thrift_i32(&inner, 1, 64);
    thrift_end(&inner);
    thrift_list(&t, 7, THRIFT_I32, 15);
    thrift_end(&t);
    assert_int_equal(out.len, sizeof(expected));
    assert_memory_equal(out.ptr, expected, sizeof(expected));
    lp_buf_fini(&out);
}

// write writes rows to both formats; each allocation from the failing-th on may fail.
static lp_err
write(size_t failing, bool *out_has_failed)
{
    lp_buf files[2] = {{0}, {0}};
    query_table_row row = {0};
    const query_table table = query_table_get(QUERY_TABLE_FRAMES);
    query_ndjson ndjson = {.table = table, .sink = {on_bytes, &files[0]}};
    query_parquet parquet = {
        .table = table, .sink = {on_bytes, &files[1]}, .group_rows_max = 3, .page_bytes_max = 16};
    lp_err err = LP_OK;
    allocations_left = failing;
    for (int64_t i = 0; i < 7 && err == LP_OK; i++) {
        set_frame(&row, "shop.Stock.take", i);
        err = query_ndjson_add(&ndjson, &row);
        err = err == LP_OK ? query_parquet_add(&parquet, &row) : err;
    }
    err = err == LP_OK ? query_ndjson_finish(&ndjson) : err;
    err = err == LP_OK ? query_parquet_finish(&parquet) : err;
    *out_has_failed = allocations_left == 0;
    allocations_left = 0;
    assert_true(err != LP_OK || (files[0].len > 0 && parquet.groups.count == 3));
    query_ndjson_fini(&ndjson);
    query_parquet_fini(&parquet);
    query_table_row_fini(&row);
    lp_buf_fini(&files[0]);
    lp_buf_fini(&files[1]);
    return err;
}

static void
test_out_of_memory_is_an_error(void **state)
{
    (void)state;
    size_t failing = 1;
    for (bool has_failed = true; has_failed; failing++) {
        lp_err err = write(failing, &has_failed);
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
    }
    assert_true(failing > 10);
}

static void
test_an_error_of_the_sink_is_passed_on(void **state)
{
    (void)state;
    query_table_row row = {0};
    const query_table table = query_table_get(QUERY_TABLE_FRAMES);
    query_ndjson ndjson = {.table = table, .sink = {refuse, NULL}};
    query_parquet parquet = {
        .table = table, .sink = {refuse, NULL}, .group_rows_max = 9, .page_bytes_max = 99};
    assert_int_equal(query_ndjson_finish(&ndjson), LP_EIO);
    assert_int_equal(query_parquet_add(&parquet, &row), LP_EIO);
    query_ndjson_fini(&ndjson);
    query_parquet_fini(&parquet);
}

static void
test_names_without_memory_are_an_error(void **state)
{
    (void)state;
    lp_buf file = {0};
    query_names names = {0};
    query_question question = {0};
    const query_export_wish wish = {.sink = {on_bytes, &file}};
    query_export made = query_export_begin(&wish, &names);
    query_export_prepare(&made, &question);
    lp_arena_fail(&names.arena); // further names are ""
    assert_int_equal(query_export_finish(&made), LP_ENOMEM);
    query_export_fini(&made);
    query_names_fini(&names);
    lp_buf_fini(&file);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_has_its_columns),
        cmocka_unit_test(test_a_row_is_a_line),
        cmocka_unit_test(test_thrift_is_as_its_specification_says),
        cmocka_unit_test(test_out_of_memory_is_an_error),
        cmocka_unit_test(test_an_error_of_the_sink_is_passed_on),
        cmocka_unit_test(test_names_without_memory_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
