// SPDX-License-Identifier: Apache-2.0
// Parts of an encoded rollup: decoded, they are what remains if the unwanted types, attributes and
// values are taken out of the decoded whole; and damage is refused or read.

#include "rollup_fixture.h"

#include "common/rollup/rollup_bytes.h"
#include "common/rollup/rollup_pick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static lp_buf
bytes_of(const rollup *sums)
{
    lp_buf bytes = {0};
    assert_int_equal(rollup_err(sums), LP_OK);
    assert_int_equal(rollup_bytes_encode(sums, &bytes), LP_OK);
    return bytes;
}

// take_out takes the unwanted parts out of a type.
static void
take_out(rollup_type *type, const rollup_wanted *wanted)
{
    size_t attributes = 0;
    for (size_t i = 0; i < type->attributes.count; i++) {
        rollup_attribute attribute = type->attributes.items[i];
        size_t values = 0;
        for (size_t k = 0; k < attribute.values.count; k++) {
            lp_slice text = attribute.values.items[k].text;
            if (!wanted->has_value || (text.len == wanted->value.len &&
                                          memcmp(text.ptr, wanted->value.ptr, text.len) == 0)) {
                attribute.values.items[values++] = attribute.values.items[k];
            }
        }
        attribute.values.count = values;
        if (wanted->key == NULL || strcmp(attribute.name, wanted->key) == 0) {
            type->attributes.items[attributes++] = attribute;
        }
    }
    type->attributes.count = attributes;
}

// wanted_of returns a choice: each combination in turn, with names of next_context.
static rollup_wanted
wanted_of(unsigned choice)
{
    return (rollup_wanted){
        .has_unit = choice % 3 > 0,
        .unit = choice % 3 == 2 ? ROLLUP_REQUESTS : ROLLUP_CONTEXTS,
        .key = choice / 3 % 2 == 0 ? NULL : "b1",
        .has_value = choice / 6 % 2 > 0,
        .value = text_slice("v1"),
    };
}

enum { CHOICES = 12 };

static void
test_parts_are_the_whole_without_the_rest(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 5 * CHOICES; round++) {
        const rollup_wanted wanted = wanted_of(round);
        rollup sums;
        rollup read;
        rollup_init(&sums);
        rollup_init(&read);
        uint64_t seed = round;
        add_random(&sums, &seed, 8 * round, 2 + round / CHOICES);
        rollup_leave_out(&sums, ROLLUP_REQUESTS, round % 5);
        lp_buf whole = bytes_of(&sums);
        lp_buf picked = {0};
        assert_int_equal(rollup_pick(&wanted, lp_buf_slice(&whole), &picked), LP_OK);
        assert_int_equal(rollup_bytes_add(&read, lp_buf_slice(&picked), ""), LP_OK);

        rollup_types *of[ROLLUP_UNITS] = {&sums.types, &sums.requests};
        for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
            for (size_t i = 0; i < of[unit]->count; i++) {
                take_out(&of[unit]->items[i], &wanted);
            }
            if (wanted.has_unit && wanted.unit != unit) {
                of[unit]->count = 0;
            }
        }
        lp_buf expected = bytes_of(&sums);
        lp_buf found = bytes_of(&read);
        assert_int_equal(found.len, expected.len);
        assert_memory_equal(found.ptr, expected.ptr, expected.len);
        lp_buf_fini(&whole);
        lp_buf_fini(&picked);
        lp_buf_fini(&expected);
        lp_buf_fini(&found);
        rollup_fini(&sums);
        rollup_fini(&read);
    }
}

static void
test_an_empty_value_has_no_text(void **state)
{
    (void)state;
    rollup sums;
    rollup read;
    rollup_init(&sums);
    rollup_init(&read);
    rollup_type *type = rollup_add_type(&sums, "T");
    rollup_attribute *attribute = rollup_add_attribute(&sums, type, "a");
    count_context(&sums, &rollup_add_value(&sums, attribute, text_slice("x"))->numbers, 3, false);
    count_context(&sums, &rollup_add_value(&sums, attribute, text_slice(""))->numbers, 9, false);
    lp_buf whole = bytes_of(&sums);
    lp_buf picked = {0};
    const rollup_wanted wanted = {.has_value = true};
    assert_int_equal(rollup_pick(&wanted, lp_buf_slice(&whole), &picked), LP_OK);
    assert_int_equal(rollup_bytes_add(&read, lp_buf_slice(&picked), ""), LP_OK);
    const rollup_attribute *found = &read.types.items[0].attributes.items[0];
    assert_int_equal(found->values.count, 1);
    assert_int_equal(found->values.items[0].text.len, 0);
    assert_true(found->values.items[0].numbers.all.sum_ns == 9);
    lp_buf_fini(&whole);
    lp_buf_fini(&picked);
    rollup_fini(&sums);
    rollup_fini(&read);
}

static void
test_what_is_no_message_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {
        {"\x08", 1},                                              // no value
        {"\x0d\x01\x02\x03", 4},                                  // four bytes are three
        {"\x09\x01\x02\x03\x04\x05\x06\x07", 8},                  // eight are seven
        {"\x12\x05", 2},                                          // five are none
        {"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},     // all that there can be
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, // a number of 11 bytes
        {"\x0b\x0c", 2},                                          // a group
        {"\x12\x02\x1a\x05", 4},                                  // in a type
        {"\x12\x04\x1a\x02\x1a\x05", 6},                          // in an attribute
        {"\x12\x06\x1a\x04\x1a\x02\x0a\x05", 8},                  // in a value
    };
    const rollup_wanted wanted = {.has_value = true, .value = text_slice("v1")};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf picked = {0};
        const lp_slice bytes = {(const uint8_t *)cases[i].bytes, cases[i].len};
        assert_int_equal(rollup_pick(&wanted, bytes, &picked), LP_ECORRUPT);
        lp_buf_fini(&picked);
    }
}

// Each byte is changed, and each end is cut off: no access goes astray (ASan looks).
static void
test_damage_is_refused_or_read(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    uint64_t seed = 5;
    add_random(&sums, &seed, 20, 3);
    lp_buf bytes = bytes_of(&sums);
    for (size_t i = 0; i < 2 * bytes.len; i++) {
        size_t at = i / 2;
        uint8_t *copy = malloc(bytes.len);
        assert_non_null(copy);
        memcpy(copy, bytes.ptr, bytes.len);
        copy[at] ^= (uint8_t)(1 + chance_below(&seed, 255));
        const rollup_wanted wanted = wanted_of((unsigned)i);
        const lp_slice damaged = {copy, i % 2 == 0 ? bytes.len : at};
        lp_buf picked = {0};
        rollup read;
        rollup_init(&read);
        lp_err err = rollup_pick(&wanted, damaged, &picked);
        assert_true(err == LP_OK || err == LP_ECORRUPT);
        LP_THEN(err, rollup_bytes_add(&read, lp_buf_slice(&picked), ""));
        assert_true(err == LP_OK || read.types.count == 0);
        rollup_fini(&read);
        lp_buf_fini(&picked);
        free(copy);
    }
    lp_buf_fini(&bytes);
    rollup_fini(&sums);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_the_whole_without_the_rest),
        cmocka_unit_test(test_an_empty_value_has_no_text),
        cmocka_unit_test(test_what_is_no_message_is_refused),
        cmocka_unit_test(test_damage_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
