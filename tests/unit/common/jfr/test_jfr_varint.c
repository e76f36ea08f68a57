// SPDX-License-Identifier: Apache-2.0
// Varints against bytes worked out by hand: every length, both ways, padded forms, and the end of
// the bytes at every place.

#include "support/exact_copy.h"
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
    {(1ull << 28) - 1, 4, {0xff, 0xff, 0xff, 0x7f}},
    {1ull << 28, 5, {0x80, 0x80, 0x80, 0x80, 0x01}},
    {(1ull << 35) - 1, 5, {0xff, 0xff, 0xff, 0xff, 0x7f}},
    {1ull << 35, 6, {0x80, 0x80, 0x80, 0x80, 0x80, 0x01}},
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
        assert_int_equal(jfr_varint_encode_short(examples[i].value, bytes), examples[i].count);
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
        jfr_varint_read_short(bytes, &value);
        assert_true(value == examples[i].value);
    }
}

static void
test_every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        for (size_t len = 0; len < examples[i].count; len++) {
            uint8_t *copy = exact_copy_make(examples[i].bytes, len);
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

// The naive decoder that the fast one is compared with.
static bool
decode_bytewise(const uint8_t *bytes, size_t len, uint64_t *out_value, size_t *out_size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        if (i == 8) {
            *out_value = value + ((uint64_t)bytes[i] << 56);
            *out_size = 9;
            return true;
        }
        value += (uint64_t)(bytes[i] % 128) << (7 * i);
        if (bytes[i] < 128) {
            *out_value = value;
            *out_size = i + 1;
            return true;
        }
    }
    return false;
}

// expect_at_once reads a number that was read byte by byte by the word, and by the CPU's
// instruction.
static void
expect_at_once(const uint8_t *at, uint64_t want, size_t size)
{
    uint64_t value = ~want;
    assert_ptr_equal(jfr_varint_read_word(at, &value), at + size);
    assert_true(value == want);
    if (jfr_varint_has_pext()) {
        value = ~want;
        assert_ptr_equal(jfr_varint_read_pext(at, &value), at + size);
        assert_true(value == want);
    }
}

// expect_numbers reads the len bytes, which fill their allocation so that ASan sees a byte too far,
// number by number until they end, and by one skip over every count of numbers.
static void
expect_numbers(const uint8_t *bytes, size_t len)
{
    uint8_t *copy = exact_copy_make(bytes, len);
    jfr_cursor cursor = {copy, copy + len};
    size_t at = 0;
    uint64_t count = 0;
    uint64_t want;
    size_t size;
    while (decode_bytewise(bytes + at, len - at, &want, &size)) {
        uint64_t value = ~want;
        assert_true(jfr_varint_read(&cursor, &value));
        assert_true(value == want);
        if (len - at >= JFR_VARINT_BYTES_MAX) {
            expect_at_once(copy + at, want, size);
        }
        at += size;
        assert_ptr_equal(cursor.at, copy + at);
        count++;
        jfr_cursor skipping = {copy, copy + len};
        assert_true(jfr_varint_skip_many(&skipping, count));
        assert_ptr_equal(skipping.at, copy + at);
    }
    uint64_t value = 4711;
    assert_false(jfr_varint_read(&cursor, &value));
    assert_int_equal(value, 4711);
    assert_ptr_equal(cursor.at, copy + at);
    const uint64_t too_many[] = {count + 1, count + 2, count + 100, UINT64_MAX};
    for (size_t i = 0; i < sizeof(too_many) / sizeof(too_many[0]); i++) {
        jfr_cursor skipping = {copy, copy + len};
        assert_false(jfr_varint_skip_many(&skipping, too_many[i]));
        assert_ptr_equal(skipping.at, copy);
    }
    free(copy);
}

// Which bytes have their highest bit decides where numbers end: all patterns of 13 bytes, which is
// one word and the raw ninth byte with something behind it, and all lengths up to there.
static void
test_every_pattern_of_stops_reads_as_byte_by_byte(void **state)
{
    (void)state;
    for (size_t len = 0; len <= 13; len++) {
        for (unsigned pattern = 0; pattern < 1u << len; pattern++) {
            uint8_t bytes[13] = {0};
            for (size_t i = 0; i < len; i++) {
                unsigned payload = (unsigned)(i * 37 + pattern) & 0x7f;
                bytes[i] = (uint8_t)(payload | (pattern >> i & 1) << 7);
            }
            expect_numbers(bytes, len);
        }
    }
}

static uint64_t
next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Runs of numbers of all lengths, padded ones too, cut anywhere.
static void
test_random_runs_read_as_byte_by_byte(void **state)
{
    (void)state;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 20000; round++) {
        lp_buf buf = {0};
        uint64_t longest = 1 + next_random(&seed) % 9;   // runs of short ones, runs of long ones
        uint64_t count_max = round % 50 == 0 ? 200 : 24; // long runs are skipped by blocks
        for (uint64_t i = 1 + next_random(&seed) % count_max; i > 0; i--) {
            size_t width = (size_t)(1 + next_random(&seed) % longest);
            uint64_t value = next_random(&seed);
            if (width < 9) {
                value &= (1ull << (7 * width)) - 1;
                value >>= next_random(&seed) % (7 * width); // padded by what is missing
            }
            jfr_build_padded(&buf, value, width);
        }
        expect_numbers(buf.ptr, buf.len - (buf.len > 9 ? next_random(&seed) % 9 : 0));
        lp_buf_fini(&buf);
    }
}

static void
test_skipping_no_number_stays(void **state)
{
    (void)state;
    jfr_cursor cursor = {NULL, NULL};
    assert_true(jfr_varint_skip_many(&cursor, 0));
    assert_false(jfr_varint_skip_many(&cursor, 1));
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
        cmocka_unit_test(test_every_pattern_of_stops_reads_as_byte_by_byte),
        cmocka_unit_test(test_random_runs_read_as_byte_by_byte),
        cmocka_unit_test(test_skipping_no_number_stays),
    };
    return cmocka_run_group_tests_name("jfr_varint", tests, NULL, NULL);
}
