// SPDX-License-Identifier: Apache-2.0
// Strings: every encoding as UTF-8, constants by their key, unknown encodings and every truncation
// refused.

#include "support/exact_copy.h"

#include "common/jfr/jfr_string.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES(text) (text), sizeof(text) - 1

static const struct {
    const char *bytes;
    size_t count;
    const char *utf8;
} examples[] = {
    {BYTES("\0"), ""},
    {BYTES("\1"), ""},
    {BYTES("\3\0"), ""},
    {BYTES("\3\5hello"), "hello"},
    {BYTES("\3\3\xe2\x82\xac"), "\xe2\x82\xac"},
    {BYTES("\3\x85\x80\x00hello"), "hello"}, // a padded length
    // What is no UTF-8: at either end, a char that is cut, a surrogate, and one that is too long.
    {BYTES("\3\4\xffhi\x80"), "\xef\xbf\xbdhi\xef\xbf\xbd"},
    {BYTES("\3\3h\xe2\x82"), "h\xef\xbf\xbd\xef\xbf\xbd"},
    {BYTES("\3\3\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    {BYTES("\3\2\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd"},
    {BYTES("\4\0"), ""},
    {BYTES("\4\2hi"), "hi"},
    {BYTES("\4\1\xe9\x01"), "\xc3\xa9"},
    {BYTES("\4\1\xac\xc1\x00"), "\xe2\x82\xac"},                         // U+20AC in three bytes
    {BYTES("\4\2\xbd\xb0\x03\x80\xbc\x03"), "\xf0\x9f\x98\x80"},         // a pair: U+1F600
    {BYTES("\4\1\xbd\xb0\x03"), "\xef\xbf\xbd"},                         // half of it
    {BYTES("\4\1\x80\xbc\x03"), "\xef\xbf\xbd"},                         // the other half
    {BYTES("\4\2\xbd\xb0\x03\x61"), "\xef\xbf\xbd\x61"},                 // half before a letter
    {BYTES("\4\2\x80\xbc\x03\xbd\xb0\x03"), "\xef\xbf\xbd\xef\xbf\xbd"}, // the wrong way round
    {BYTES("\4\3\xbd\xb0\x03\xbd\xb0\x03\x80\xbc\x03"), "\xef\xbf\xbd\xf0\x9f\x98\x80"},
    {BYTES("\5\0"), ""},
    {BYTES("\5\4caf\xe9"), "caf\xc3\xa9"},
    {BYTES("\5\1\xff"), "\xc3\xbf"},
};
static const size_t example_count = sizeof(examples) / sizeof(examples[0]);

static bool
is_ascii(const char *text)
{
    while (*text != 0 && (uint8_t)*text < 0x80) {
        text++;
    }
    return *text == 0;
}

static void
test_ascii_is_found_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        const uint8_t *bytes = (const uint8_t *)examples[i].bytes;
        const char *utf8 = examples[i].utf8;
        lp_slice found;
        bool is_found =
            jfr_string_find_ascii((jfr_cursor){bytes, bytes + examples[i].count}, &found);
        assert_int_equal(is_found, bytes[0] > JFR_STRING_CONSTANT && is_ascii(utf8));
        if (is_found) {
            assert_int_equal(found.len, strlen(utf8));
            assert_memory_equal(found.ptr, utf8, found.len);
            assert_ptr_equal(found.ptr + found.len, bytes + examples[i].count);
        }
    }
    static const uint8_t padded[] = {JFR_STRING_UTF16, 2, 'a', 0xe2, 0}; // "ab"
    lp_slice found;
    assert_false(jfr_string_find_ascii((jfr_cursor){padded, padded + sizeof(padded)}, &found));
}

static void
test_every_encoding_reads_as_utf8(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        const uint8_t *bytes = (const uint8_t *)examples[i].bytes;
        jfr_cursor cursor = {bytes, bytes + examples[i].count};
        jfr_cursor skipping = cursor;
        lp_buf out = {0};
        uint64_t key = 1;
        lp_buf_append(&out, "<", 1); // appended to
        assert_true(jfr_string_read_utf8(&cursor, &out));
        assert_int_equal(jfr_cursor_left(&cursor), 0);
        assert_int_equal(out.len, 1 + strlen(examples[i].utf8));
        assert_memory_equal(out.ptr + 1, examples[i].utf8, out.len - 1);
        assert_true(jfr_string_skip(&skipping, &key));
        assert_int_equal(jfr_cursor_left(&skipping), 0);
        assert_int_equal(key, 0);
        lp_buf_fini(&out);
    }
}

static void
assert_refused(const uint8_t *bytes, size_t count)
{
    jfr_cursor reading = {bytes, bytes + count};
    jfr_cursor skipping = reading;
    lp_buf out = {0};
    uint64_t key;
    lp_slice ascii;
    assert_false(jfr_string_find_ascii(reading, &ascii));
    assert_false(jfr_string_read_utf8(&reading, &out));
    assert_false(jfr_string_skip(&skipping, &key));
    lp_buf_fini(&out);
}

static void
test_every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        for (size_t len = 0; len < examples[i].count; len++) {
            uint8_t *copy = exact_copy_make(examples[i].bytes, len);
            assert_refused(copy, len);
            free(copy);
        }
    }
}

static void
test_a_constant_is_its_key(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 9};
    jfr_cursor cursor = {bytes, bytes + sizeof(bytes)};
    jfr_cursor reading = cursor;
    lp_buf out = {0};
    uint64_t key = 0;
    assert_true(jfr_string_skip(&cursor, &key));
    assert_true(key == UINT64_MAX);
    assert_int_equal(jfr_cursor_left(&cursor), 1);
    assert_false(jfr_string_read_utf8(&reading, &out));
    lp_buf_fini(&out);
}

static void
test_unknown_encodings_are_refused(void **state)
{
    (void)state;
    for (unsigned encoding = 6; encoding <= 0xff; encoding++) {
        uint8_t bytes[] = {(uint8_t)encoding, 1, 'a', 0};
        assert_refused(bytes, sizeof(bytes));
    }
}

static void
test_huge_lengths_are_refused(void **state)
{
    (void)state;
    for (uint8_t encoding = 3; encoding <= 5; encoding++) {
        uint8_t bytes[11] = {encoding};
        memset(bytes + 1, 0xff, sizeof(bytes) - 1);
        assert_refused(bytes, sizeof(bytes));
    }
}

static void
test_strings_are_written_as_utf8(void **state)
{
    (void)state;
    lp_buf out = {0};
    jfr_string_append(&out, (lp_slice){(const uint8_t *)"hello", 5});
    jfr_string_append(&out, (lp_slice){NULL, 0});
    assert_int_equal(out.len, 8);
    assert_memory_equal(out.ptr, "\3\5hello\1", 8);
    lp_buf_fini(&out);
}

static void
test_text_of_java_becomes_utf8(void **state)
{
    (void)state;
    lp_buf out = {0};
    jfr_utf8_append_latin1(&out, (lp_slice){(const uint8_t *)"\x7f\x80\xff", 3});
    jfr_utf8_append_utf16(&out, (lp_slice){(const uint8_t *)"\xac\x20\x3d\xd8\x00\xde\x3d\xd8", 8});
    static const char want[] = "\x7f\xc2\x80\xc3\xbf\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd";
    assert_int_equal(out.len, sizeof(want) - 1);
    assert_memory_equal(out.ptr, want, out.len);
    lp_buf_fini(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_encoding_reads_as_utf8),
        cmocka_unit_test(test_ascii_is_found_where_it_is),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_a_constant_is_its_key),
        cmocka_unit_test(test_unknown_encodings_are_refused),
        cmocka_unit_test(test_huge_lengths_are_refused),
        cmocka_unit_test(test_strings_are_written_as_utf8),
        cmocka_unit_test(test_text_of_java_becomes_utf8),
    };
    return cmocka_run_group_tests_name("jfr_string", tests, NULL, NULL);
}
