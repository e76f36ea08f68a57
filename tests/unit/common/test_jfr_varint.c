// SPDX-License-Identifier: Apache-2.0
// Varints against bytes worked out by hand: every length, both ways, padded forms, and the end of
// the bytes at every place.

#include "support/jfr_build.h"

#include "common/jfr/jfr_varint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct example {
    uint64_t value;
    size_t count;
    uint8_t bytes[9];
} example;

static const example examples[] = {
    {0, 1, {0}},
    {1, 1, {1}},
    {0x7f, 1, {0x7f}},
    {0x80, 2, {0x80, 0x01}},
    {0x3fff, 2, {0xff, 0x7f}},
    {0x4000, 3, {0x80, 0x80, 0x01}},
    {(uint32_t)-9, 5, {0xf7, 0xff, 0xff, 0xff, 0x0f}}, // the int -9
    {(uint16_t)-9, 3, {0xf7, 0xff, 0x03}},             // the short -9
    {1013950424, 5, {0xd8, 0xcf, 0xbe, 0xe3, 0x03}},
    {(1ull << 49) - 1, 7, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}},
    {1ull << 49, 8, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}},
    {(1ull << 56) - 1, 8, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}},
    {1ull << 56, 9, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}},
    {1ull << 63, 9, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80}},
    {UINT64_MAX, 9, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
};
static const size_t example_count = sizeof(examples) / sizeof(examples[0]);

static void
test_values_encode_as_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        uint8_t bytes[JFR_VARINT_BYTES_MAX];
        assert_int_equal(jfr_varint_encode(examples[i].value, bytes), examples[i].count);
        assert_memory_equal(bytes, examples[i].bytes, examples[i].count);
        assert_int_equal(jfr_varint_size(examples[i].value), examples[i].count);
    }
}

static void
test_bytes_decode_and_the_rest_is_left(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        uint8_t bytes[JFR_VARINT_BYTES_MAX + 1];
        memcpy(bytes, examples[i].bytes, sizeof(examples[i].bytes));
        bytes[examples[i].count] = 0xff;
        jfr_cursor cursor = {bytes, bytes + examples[i].count + 1};
        jfr_cursor skipping = cursor;
        uint64_t value;
        assert_true(jfr_varint_read(&cursor, &value));
        assert_true(value == examples[i].value);
        assert_int_equal(jfr_cursor_left(&cursor), 1);
        assert_true(jfr_varint_skip(&skipping));
        assert_ptr_equal(skipping.at, cursor.at);
    }
}

static void
test_every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        for (size_t len = 0; len < examples[i].count; len++) {
            uint8_t *copy = malloc(len == 0 ? 1 : len); // its end is where ASan looks
            assert_non_null(copy);
            memcpy(copy, examples[i].bytes, len);
            jfr_cursor cursor = {copy, copy + len};
            uint64_t value = 4711;
            assert_false(jfr_varint_read(&cursor, &value));
            assert_int_equal(value, 4711);
            free(copy);
        }
    }
}

static void
test_padded_forms_read_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        for (size_t width = examples[i].count; width <= 9; width++) {
            lp_buf buf = {0};
            jfr_build_padded(&buf, examples[i].value, width);
            jfr_cursor cursor = {buf.ptr, buf.ptr + buf.len};
            uint64_t value;
            assert_true(jfr_varint_read(&cursor, &value));
            assert_true(value == examples[i].value);
            assert_int_equal(jfr_cursor_left(&cursor), 0);
            lp_buf_fini(&buf);
        }
    }
}

static void
test_a_cursor_never_skips_past_its_end(void **state)
{
    (void)state;
    uint8_t bytes[4] = {0};
    jfr_cursor cursor = {bytes, bytes + 4};
    assert_false(jfr_cursor_skip(&cursor, 5));
    assert_false(jfr_cursor_skip(&cursor, UINT64_MAX));
    assert_int_equal(jfr_cursor_left(&cursor), 4);
    assert_true(jfr_cursor_skip(&cursor, 4));
    assert_true(jfr_cursor_skip(&cursor, 0));
    assert_false(jfr_cursor_skip(&cursor, 1));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_encode_as_by_hand),
        cmocka_unit_test(test_bytes_decode_and_the_rest_is_left),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_padded_forms_read_the_same),
        cmocka_unit_test(test_a_cursor_never_skips_past_its_end),
    };
    return cmocka_run_group_tests_name("jfr_varint", tests, NULL, NULL);
}
