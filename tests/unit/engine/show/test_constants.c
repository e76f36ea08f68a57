// SPDX-License-Identifier: Apache-2.0
// Constants that Loupe adds: one for each value, with keys that depend on the value and the salt
// alone, as neighbouring chunks share them.

#include "support/jfr_build.h"

#include "engine/show/constants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
test_a_value_has_one_key_in_every_chunk(void **state)
{
    (void)state;
    compact_constants first = {0};
    compact_constants second = {0};
    uint64_t a = compact_constants_add(&first, slice_of("a"));
    uint64_t b = compact_constants_add(&first, slice_of("b"));
    assert_true(a != b && a != 0 && b != 0);
    assert_true(a < (uint64_t)1 << 56 && b < (uint64_t)1 << 56);
    assert_true(compact_constants_add(&first, slice_of("a")) == a);
    assert_int_equal(first.items.count, 2);
    assert_true(compact_constants_add(&second, slice_of("b")) == b); // in another order
    assert_true(compact_constants_add(&second, slice_of("a")) == a);
    assert_int_equal(compact_constants_check(&first), LP_OK);
    compact_constants_fini(&first);
    compact_constants_fini(&second);
}

static void
test_the_salt_counts(void **state)
{
    (void)state;
    compact_constants plain = {0};
    compact_constants salted = {0};
    compact_constants other = {0};
    compact_constants_salt(&salted, slice_of("Request_id"));
    compact_constants_salt(&other, slice_of("Request_name"));
    uint64_t key = compact_constants_add(&plain, slice_of("a"));
    uint64_t salted_key = compact_constants_add(&salted, slice_of("a"));
    assert_true(salted_key != key);
    assert_true(compact_constants_add(&other, slice_of("a")) != salted_key);
    compact_constants_fini(&plain);
    compact_constants_fini(&salted);
    compact_constants_fini(&other);
}

static void
test_keys_and_values_are_appended_as_a_pool_has_them(void **state)
{
    (void)state;
    compact_constants constants = {0};
    lp_buf want = {0};
    lp_buf out = {0};
    static const char *const values[] = {"one", "", "three"};
    for (size_t i = 0; i < 3; i++) {
        lp_slice value = slice_of(values[i]);
        jfr_build_varint(&want, compact_constants_add(&constants, value));
        lp_buf_append(&want, value.ptr, value.len);
    }
    compact_constants_append(&constants, &out);
    assert_int_equal(out.len, want.len);
    assert_memory_equal(out.ptr, want.ptr, want.len);
    lp_buf_fini(&want);
    lp_buf_fini(&out);
    compact_constants_fini(&constants);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_value_has_one_key_in_every_chunk),
        cmocka_unit_test(test_the_salt_counts),
        cmocka_unit_test(test_keys_and_values_are_appended_as_a_pool_has_them),
    };
    return cmocka_run_group_tests_name("compact_constants", tests, NULL, NULL);
}
