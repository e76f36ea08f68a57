// SPDX-License-Identifier: Apache-2.0
// A rollup as bytes: what is read back is the same, also where it is added to another; the bytes of
// a small one are those that the format says; and what is damaged or too new is refused and leaves
// nothing behind.

#include "rollup_fixture.h"
#include "support/large.h"

#include "common/rollup/rollup_bytes.h"

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

static void
test_an_empty_one_is_its_version(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    lp_buf bytes = bytes_of(&sums);
    assert_int_equal(bytes.len, 2);
    assert_memory_equal(bytes.ptr, "\x08\x01", 2);
    assert_int_equal(rollup_bytes_add(&sums, lp_buf_slice(&bytes), ""), LP_OK);
    assert_int_equal(sums.types.count, 0);
    assert_true(sums.begin_min_ns == INT64_MAX && sums.commit_max_ns == INT64_MIN);
    lp_buf_fini(&bytes);
    rollup_fini(&sums);
}

static void
test_the_bytes_are_those_of_the_format(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "T");
    count_context(&sums, &type->numbers, 3, false);    // bucket 6
    histogram_add(&type->numbers.all, &sums.arena, 5); // bucket 9
    type->numbers.time_ns[TIME_PARK] = 9;
    rollup_type *request = rollup_add_type_of(&sums, ROLLUP_REQUESTS, "R");
    request->numbers.time_ns[TIME_ELSEWHERE] = 7; // 13, and never another number
    rollup_add_exemplar(&sums, request, &(rollup_exemplar){.duration_ns = 4, .request = 0x51});
    rollup_leave_out(&sums, ROLLUP_REQUESTS, 3);
    lp_buf bytes = bytes_of(&sums);
    static const uint8_t expected[] = {
        0x08, 1,                                            // version
        0x12, 21,                                           // a type
        0x0a, 1, 'T',                                       // its name
        0x12, 16,                                           // its numbers
        0x0a, 10,                                           // all
        0x08, 6,                                            // first
        0x12, 4, 1, 0, 0, 1,                                // counts
        0x20, 8,                                            // sum_ns
        0x1a, 2, 0, 9,                                      // time_ns: lock, park
        0x3a, 34,                                           // a type of requests
        0x0a, 1, 'R',                                       // its name
        0x12, 16,                                           // its numbers
        0x1a, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, // time_ns
        0x22, 11,                                           // an exemplar
        0x08, 4,                                            // duration_ns
        0x39, 0x51, 0, 0, 0, 0, 0, 0, 0,                    // request
        0x40, 3,                                            // requests_left_out
    };
    assert_int_equal(bytes.len, sizeof(expected));
    assert_memory_equal(bytes.ptr, expected, sizeof(expected));
    lp_buf_fini(&bytes);
    rollup_fini(&sums);
}

static void
test_what_is_read_back_is_the_same(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 60; round += is_large ? 1 : 7) {
        rollup sums;
        rollup read;
        rollup_init(&sums);
        rollup_init(&read);
        uint64_t seed = round;
        add_random(&sums, &seed, 20 * round, 2 + (unsigned)round);
        sums.contexts_left_out += round % 2;
        sums.requests_left_out += round % 5;
        sums.chunks_left_out = round % 3;
        lp_buf bytes = bytes_of(&sums);
        assert_int_equal(rollup_bytes_add(&read, lp_buf_slice(&bytes), ""), LP_OK);
        lp_buf again = bytes_of(&read);
        assert_int_equal(again.len, bytes.len);
        assert_memory_equal(again.ptr, bytes.ptr, bytes.len);

        rollup_add(&sums, &read, "rec"); // the same as from bytes
        assert_int_equal(rollup_bytes_add(&read, lp_buf_slice(&bytes), "rec"), LP_OK);
        lp_buf doubled = bytes_of(&sums);
        lp_buf doubled_again = bytes_of(&read);
        assert_int_equal(doubled.len, doubled_again.len);
        assert_memory_equal(doubled.ptr, doubled_again.ptr, doubled.len);
        lp_buf_fini(&bytes);
        lp_buf_fini(&again);
        lp_buf_fini(&doubled);
        lp_buf_fini(&doubled_again);
        rollup_fini(&sums);
        rollup_fini(&read);
    }
}

static void
test_what_is_no_rollup_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
        lp_err err;
    } cases[] = {
        {"", 0, LP_ECORRUPT}, // no version
        {"\x08\x02", 2, LP_EVERSION},
        {"\x08", 1, LP_ECORRUPT},
        {"\x08\x01\x12\x05", 4, LP_ECORRUPT},
        // counts beyond the last bucket: first 252; first 251 and two
        {"\x08\x01\x12\x0a\x12\x08\x0a\x06\x08\xfc\x01\x12\x01\x01", 14, LP_ECORRUPT},
        {"\x08\x01\x12\x0b\x12\x09\x0a\x07\x08\xfb\x01\x12\x02\x01\x01", 15, LP_ECORRUPT},
        // the first of these, of requests
        {"\x08\x01\x3a\x0a\x12\x08\x0a\x06\x08\xfc\x01\x12\x01\x01", 14, LP_ECORRUPT},
    };
    rollup sums;
    rollup_init(&sums);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const lp_slice bytes = {(const uint8_t *)cases[i].bytes, cases[i].len};
        assert_int_equal(rollup_bytes_add(&sums, bytes, ""), cases[i].err);
        assert_int_equal(sums.types.count, 0);
    }
    // The last bucket alone is fine.
    const lp_slice fine = {
        (const uint8_t *)"\x08\x01\x12\x0a\x12\x08\x0a\x06\x08\xfb\x01\x12\x01\x01", 14};
    assert_int_equal(rollup_bytes_add(&sums, fine, ""), LP_OK);
    assert_true(histogram_get(&sums.types.items[0].numbers.all, 251) == 1);
    rollup_fini(&sums);
}

// Each byte of a rollup is changed, and each end is cut off: no access goes astray (ASan looks),
// and a refusal changes nothing.
static void
test_damage_is_refused_or_read(void **state)
{
    (void)state;
    rollup sums;
    rollup_init(&sums);
    uint64_t seed = 5;
    add_random(&sums, &seed, 40, 4);
    lp_buf bytes = bytes_of(&sums);
    for (size_t i = 0; i < 2 * bytes.len; i++) {
        size_t at = i / 2;
        uint8_t *copy = malloc(bytes.len);
        assert_non_null(copy);
        memcpy(copy, bytes.ptr, bytes.len);
        copy[at] ^= (uint8_t)(1 + chance_below(&seed, 255));
        rollup read;
        rollup_init(&read);
        const lp_slice damaged = {copy, i % 2 == 0 ? bytes.len : at};
        lp_err err = rollup_bytes_add(&read, damaged, "");
        assert_true(err == LP_OK || read.types.count == 0);
        rollup_fini(&read);
        free(copy);
    }
    lp_buf_fini(&bytes);
    rollup_fini(&sums);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_one_is_its_version),
        cmocka_unit_test(test_the_bytes_are_those_of_the_format),
        cmocka_unit_test(test_what_is_read_back_is_the_same),
        cmocka_unit_test(test_what_is_no_rollup_is_refused),
        cmocka_unit_test(test_damage_is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
