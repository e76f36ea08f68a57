// SPDX-License-Identifier: Apache-2.0
// Tables: random rows of numbers of all sizes are read as they were written, from bytes that end
// with them and from bytes that go on; cut anywhere they have no more rows than are whole.

#include "support/chance.h"
#include "support/exact_copy.h"
#include "types_fixture.h"

#include "common/jfr/jfr_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LONG = 1, BYTE, ROW_COUNT_MAX = 200 };

// A table and what was written.
typedef struct written {
    uint64_t seed;
    jfr_table table;
    size_t row_count;
    size_t row_ends[ROW_COUNT_MAX];
    uint64_t keys[ROW_COUNT_MAX][JFR_TABLE_KEYS_MAX];
    lp_buf bytes;
} written;

static uint64_t
pick(written *w, uint64_t bound)
{
    return chance_below(&w->seed, bound);
}

static void
pick_table(written *w)
{
    w->table.width = 1 + (uint32_t)pick(w, JFR_TABLE_WIDTH_MAX);
    w->table.width = pick(w, 3) == 0 ? 4 : w->table.width;
    w->table.key_count = 0;
    for (uint32_t i = 0; i < w->table.width && w->table.key_count < JFR_TABLE_KEYS_MAX; i++) {
        if (pick(w, 3) == 0) {
            w->table.keys[w->table.key_count++] = (struct jfr_table_column){i, 0};
        }
    }
}

// put_number writes a number of at most width_max bytes, some longer than they need to be.
static uint64_t
put_number(written *w, uint64_t width_max)
{
    size_t width = 1 + (size_t)pick(w, width_max);
    uint64_t value = pick(w, UINT64_MAX) >> pick(w, 64);
    value = width < 9 ? value & ((UINT64_C(1) << 7 * width) - 1) : value;
    jfr_build_padded(&w->bytes, value, width);
    return value;
}

static void
put_rows(written *w)
{
    lp_buf_clear(&w->bytes);
    w->row_count = 1 + pick(w, pick(w, 8) == 0 ? ROW_COUNT_MAX : 20);
    uint64_t usual = 1 + pick(w, 9);
    for (size_t row = 0; row < w->row_count; row++) {
        uint32_t key = 0;
        for (uint32_t i = 0; i < w->table.width; i++) {
            uint64_t value = put_number(w, pick(w, 50) == 0 ? 9 : usual);
            if (key < w->table.key_count && w->table.keys[key].at == i) {
                w->keys[row][key++] = value;
            }
        }
        w->row_ends[row] = w->bytes.len;
    }
}

// expect_rows reads rows from the first len bytes, of which those of the table are the first.
static void
expect_rows(written *w, const uint8_t *bytes, size_t len)
{
    jfr_cursor cursor = {bytes, bytes + len};
    size_t row = 0;
    while (row < w->row_count && w->row_ends[row] <= len) {
        static jfr_table_rows rows;
        assert_true(jfr_table_read(&w->table, w->row_count - row, &cursor, &rows));
        assert_in_range(rows.count, 1, w->row_count - row);
        for (size_t i = 0; i < rows.count; i++, row++) {
            for (uint32_t key = 0; key < w->table.key_count; key++) {
                assert_true(rows.keys[key][i] == w->keys[row][key]);
            }
        }
        assert_int_equal(cursor.at - bytes, w->row_ends[row - 1]);
    }
    if (row < w->row_count) {
        static jfr_table_rows rows;
        assert_false(jfr_table_read(&w->table, w->row_count - row, &cursor, &rows));
    }
}

static void
test_random_rows_are_read_as_they_were_written(void **state)
{
    (void)state;
    written w = {.seed = 20261122};
    for (size_t round = 0; round < 5000; round++) {
        pick_table(&w);
        w.table.has_pext = round % 2 == 0 && jfr_varint_has_pext();
        put_rows(&w);
        size_t cuts[] = {w.bytes.len, pick(&w, w.bytes.len), pick(&w, w.bytes.len)};
        for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
            uint8_t *copy = exact_copy_make(w.bytes.ptr, cuts[i]);
            expect_rows(&w, copy, cuts[i]);
            free(copy);
        }
        for (size_t i = 0; i < 100; i++) { // more behind them
            lp_buf_append(&w.bytes, &(uint8_t){(uint8_t)pick(&w, 256)}, 1);
        }
        expect_rows(&w, w.bytes.ptr, w.bytes.len);
    }
    lp_buf_fini(&w.bytes);
}

// Which structures are rows, and which of their fields are keys.
static void
test_structures_of_numbers_and_keys_are_rows(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = LONG, .name = "long"},
        {.id = BYTE, .name = "byte"},
        {.id = 3, .name = "test.Constant", .fields = {{"number", LONG}}},
        {.id = 4, .name = "test.Pair", .fields = {{"a", LONG}, {"b", 3, .is_constant = true}}},
        {.id = 5,
            .name = "test.Frame",
            .fields = {{"method", 3, .is_constant = true}, {"pair", 4}, {"line", LONG}}},
        {.id = 6, .name = "test.Byte", .fields = {{"a", LONG}, {"b", BYTE}}},
        {.id = 7, .name = "test.Texts", .fields = {{"a", LONG, .is_array = true}}},
        {.id = 8, .name = "test.Empty"},
        {.id = 9, .name = "test.Numbers", .fields = {{"a", LONG}, {"b", LONG}}},
        {.id = 10,
            .name = "test.Keys",
            .fields = {{"a", 3, .is_constant = true}, {"b", 3, .is_constant = true},
                {"c", 3, .is_constant = true}, {"d", 3, .is_constant = true},
                {"e", 3, .is_constant = true}}},
        {.id = 11,
            .name = "test.Wide",
            .fields = {{"a", 9}, {"b", 9}, {"c", 9}, {"d", 9}, {"e", 9}, {"f", 9}, {"g", 9},
                {"h", 9}, {"i", LONG}}},
    };
    static const struct {
        uint64_t type;
        bool is_table;
        uint32_t width;
        uint32_t keys[JFR_TABLE_KEYS_MAX]; // one more than the column; 0: no more
    } cases[] = {
        {LONG, true, 1, {0}}, {BYTE, false, 0, {0}}, {4, true, 2, {2}}, {5, true, 4, {1, 3}},
        {6, false, 0, {0}}, {7, false, 0, {0}}, {8, false, 0, {0}}, {9, true, 2, {0}},
        {10, false, 0, {0}}, // more keys than there is room for
        {11, false, 0, {0}}, // 17 numbers
    };
    types_fixture f;
    types_fixture_init(&f, types, sizeof(types) / sizeof(types[0]));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        jfr_table table;
        uint32_t type = jfr_metadata_find_type(&f.metadata, cases[i].type);
        bool is_table = jfr_table_make(&f.layout, f.layout.types.items[type], &table);
        assert_int_equal(is_table, cases[i].is_table);
        if (is_table) {
            assert_int_equal(table.width, cases[i].width);
            for (uint32_t k = 0; k < JFR_TABLE_KEYS_MAX; k++) {
                assert_int_equal(k < table.key_count ? table.keys[k].at + 1 : 0, cases[i].keys[k]);
            }
        }
    }
    types_fixture_fini(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_rows_are_read_as_they_were_written),
        cmocka_unit_test(test_structures_of_numbers_and_keys_are_rows),
    };
    return cmocka_run_group_tests_name("jfr_table", tests, NULL, NULL);
}
