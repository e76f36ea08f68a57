// SPDX-License-Identifier: Apache-2.0
// compact_text: numbers as Java writes them, and texts cut between characters.
// The expected texts of Java's types were printed by String.valueOf on JDK 25.
#include "engine/read/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
assert_text(lp_buf *out, const char *expected)
{
    lp_buf_append(out, "", 1);
    assert_false(out->is_failed);
    assert_string_equal((const char *)out->ptr, expected);
    lp_buf_clear(out);
}

static void
test_integers_are_decimal(void **state)
{
    (void)state;
    lp_buf out = {0};
    compact_text_append_integer(&out, 0);
    assert_text(&out, "0");
    compact_text_append_integer(&out, INT64_MIN);
    assert_text(&out, "-9223372036854775808");
    compact_text_append_integer(&out, INT64_MAX);
    assert_text(&out, "9223372036854775807");
    lp_buf_fini(&out);
}

static void
test_ids_are_16_digits(void **state)
{
    (void)state;
    lp_buf out = {0};
    compact_text_append_hex(&out, 0xf067aa0ba902b7);
    assert_text(&out, "00f067aa0ba902b7");
    compact_text_append_hex(&out, UINT64_MAX);
    assert_text(&out, "ffffffffffffffff");
    compact_text_append_hex_string(&out, 0xf067aa0ba902b7);
    assert_text(&out, "\3\020" // UTF-8, of 16 bytes
                      "00f067aa0ba902b7");
    lp_buf_fini(&out);
}

static void
test_chars_are_themselves(void **state)
{
    (void)state;
    lp_buf out = {0};
    compact_text_append_char(&out, 'x');
    assert_text(&out, "x");
    compact_text_append_char(&out, 0xe9);
    assert_text(&out, "\xc3\xa9");
    compact_text_append_char(&out, 0x20ac);
    assert_text(&out, "\xe2\x82\xac");
    compact_text_append_char(&out, 0xd83d); // half of a pair
    assert_text(&out, "\xef\xbf\xbd");
    lp_buf_fini(&out);
}

static void
test_doubles_are_as_short_as_in_java(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1, "1.0"},
        {-1, "-1.0"},
        {100, "100.0"},
        {0.1, "0.1"},
        {0.5, "0.5"},
        {0.001, "0.001"},
        {2e-3, "0.002"},
        {0.00123, "0.00123"},
        {0.0009999, "9.999E-4"},
        {1e6, "1000000.0"},
        {9999999, "9999999.0"},
        {1e7, "1.0E7"},
        {12345678.9, "1.23456789E7"},
        {123456.789, "123456.789"},
        {999999.9999999999, "999999.9999999999"},
        {3.14159265358979, "3.14159265358979"},
        {1e23, "1.0E23"},
        {2.0E-323, "2.0E-323"},
        {4.9e-324, "4.9E-324"},
        {2.2250738585072014e-308, "2.2250738585072014E-308"},
        {1.7976931348623157e308, "1.7976931348623157E308"},
        {9.007199254740993e15, "9.007199254740992E15"},
        {(double)INFINITY, "Infinity"},
        {-(double)INFINITY, "-Infinity"},
        {(double)NAN, "NaN"},
    };
    lp_buf out = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        compact_text_append_double(&out, cases[i].value);
        assert_text(&out, cases[i].text);
    }
    lp_buf_fini(&out);
}

static void
test_floats_have_the_digits_of_floats(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.1f, "0.1"},
        {1.5f, "1.5"},
        {16777216.0f, "1.6777216E7"},
        {3.4028235e38f, "3.4028235E38"},
        {1.4e-45f, "1.4E-45"},
        {0.001f, "0.001"},
        {-1234567.0f, "-1234567.0"},
        {0.33333334f, "0.33333334"},
        {INFINITY, "Infinity"},
        {NAN, "NaN"},
    };
    lp_buf out = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        compact_text_append_float(&out, cases[i].value);
        assert_text(&out, cases[i].text);
    }
    lp_buf_fini(&out);
}

static void
test_a_text_is_cut_between_characters(void **state)
{
    (void)state;
    const lp_slice text = {(const uint8_t *)"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\x8d", 10};
    static const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (size_t max = 0; max < sizeof(expected) / sizeof(expected[0]); max++) {
        assert_int_equal(compact_text_cut(text, max), expected[max]);
    }
    const lp_slice nonsense = {(const uint8_t *)"\x80\x80\x80\x80", 4};
    assert_int_equal(compact_text_cut(nonsense, 2), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_are_decimal),
        cmocka_unit_test(test_ids_are_16_digits),
        cmocka_unit_test(test_chars_are_themselves),
        cmocka_unit_test(test_doubles_are_as_short_as_in_java),
        cmocka_unit_test(test_floats_have_the_digits_of_floats),
        cmocka_unit_test(test_a_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests_name("compact_text", tests, NULL, NULL);
}
