// SPDX-License-Identifier: Apache-2.0
// Tails: values of over 64 bytes are found by what they end with, the one with the longest end
// first; how many bytes two values share is what comparing them byte by byte says.

#include "support/chance.h"
#include "support/exact_copy.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_tails.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VALUE_BYTES_MAX = 300 };

static uint32_t
add(jfr_tails *tails, const char *value, size_t size_bytes, uint32_t number)
{
    return jfr_tails_add(tails, (lp_slice){(const uint8_t *)value, size_bytes}, number);
}

static void
test_the_longest_known_end_is_found(void **state)
{
    (void)state;
    jfr_tails *tails = calloc(1, sizeof(*tails));
    assert_non_null(tails);
    char value[200];
    memset(value, 'a', sizeof(value));
    value[0] = 'x';
    assert_int_equal(add(tails, value, sizeof(value), 0), JFR_TAILS_NONE);
    assert_int_equal(add(tails, value + 137, 63, 1), JFR_TAILS_NONE); // too short to be known
    assert_int_equal(add(tails, value + 136, 64, 2), 0);
    value[71] = 'y'; // before the last 128 bytes, within the last 192
    assert_int_equal(add(tails, value, sizeof(value), 3), 0);
    assert_int_equal(add(tails, value, sizeof(value), 4), 3);
    value[199] = 'z';
    assert_int_equal(add(tails, value, sizeof(value), 5), JFR_TAILS_NONE);
    free(tails);
}

// A value is not found by its own shorter end, or what it shares with others would be all of it.
static void
test_no_value_is_found_for_itself(void **state)
{
    (void)state;
    jfr_tails *tails = calloc(1, sizeof(*tails));
    assert_non_null(tails);
    // The hash of an end is that of a sum: of the hash of the end that is shorter by 64 bytes and
    // of words times odd factors, the first of which is LP_HASH_FIXED_NUMBER. The sum of 64 zeros
    // is 0; so that it is again, the word before them takes back their hash.
    uint64_t inverse = LP_HASH_FIXED_NUMBER;
    for (int i = 0; i < 6; i++) { // doubles the bits that are right, of which there are 3
        inverse *= 2 - LP_HASH_FIXED_NUMBER * inverse;
    }
    uint64_t words[16] = {0};
    words[0] = htole64((0 - lp_hash_number(LP_HASH_FIXED_NUMBER, 0)) * inverse);
    lp_slice value = {(const uint8_t *)words, sizeof(words)};
    assert_int_equal(jfr_tails_add(tails, value, 7), JFR_TAILS_NONE);
    assert_int_equal(jfr_tails_add(tails, value, 8), 7);
    free(tails);
}

static size_t
shared_by_byte(lp_slice a, lp_slice b)
{
    size_t shared = 0;
    while (shared < a.len && shared < b.len &&
           a.ptr[a.len - 1 - shared] == b.ptr[b.len - 1 - shared]) {
        shared++;
    }
    return shared;
}

// make_value returns some bytes, the last of which may be those of another value. Owns: the caller
static lp_slice
make_value(uint64_t *seed, lp_slice other)
{
    uint8_t bytes[VALUE_BYTES_MAX];
    size_t size = chance_below(seed, VALUE_BYTES_MAX + 1);
    size_t same = other.len < size ? other.len : size;
    same = chance_below(seed, same + 1);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)chance_below(seed, 4);
    }
    if (same > 0) {
        memcpy(bytes + size - same, other.ptr + other.len - same, same);
    }
    return (lp_slice){exact_copy_make(bytes, size), size};
}

static void
test_random_values_share_what_they_share_by_byte(void **state)
{
    (void)state;
    uint64_t seed = 20261122;
    for (size_t round = 0; round < 20000; round++) {
        lp_slice a = make_value(&seed, (lp_slice){0});
        lp_slice b = make_value(&seed, a);
        assert_int_equal(jfr_tails_shared(a, b), shared_by_byte(a, b));
        free((void *)(uintptr_t)a.ptr);
        free((void *)(uintptr_t)b.ptr);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_known_end_is_found),
        cmocka_unit_test(test_no_value_is_found_for_itself),
        cmocka_unit_test(test_random_values_share_what_they_share_by_byte),
    };
    return cmocka_run_group_tests_name("jfr_tails", tests, NULL, NULL);
}
