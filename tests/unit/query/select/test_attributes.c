// SPDX-License-Identifier: Apache-2.0
// The attributes of answers: each value of a key has one number, until the key has too many values.
// Texts do not change. An allocation that fails is noted.

#include "support/failing_alloc.h"

#include "query/select/attributes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static query_attribute
text(const char *name, const char *value)
{
    return (query_attribute){
        .name = name,
        .label = "",
        .is_null = value == NULL,
        .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)},
    };
}

// keep_one keeps one attribute and returns it as an answer has it.
static query_known_attribute
keep_one(query_attributes *attributes, query_attribute item)
{
    uint32_t first;
    query_known_attribute known;
    assert_int_equal(query_attributes_keep(attributes, &item, 1, &first), 1);
    query_attributes_read(attributes, first, 1, &known);
    assert_string_equal(known.attribute.name, item.name);
    assert_int_equal(known.attribute.is_null, item.is_null);
    assert_int_equal(known.attribute.value.len, item.value.len);
    assert_memory_equal(known.attribute.value.ptr, item.value.ptr, item.value.len);
    return known;
}

static void
test_equal_values_of_a_key_have_one_number(void **state)
{
    (void)state;
    query_attributes a = {0};
    query_known_attribute one = keep_one(&a, text("path", "/a"));
    query_known_attribute other = keep_one(&a, text("path", "/b"));
    query_known_attribute again = keep_one(&a, text("path", "/a"));
    query_known_attribute of_other_key = keep_one(&a, text("host", "/a"));
    query_known_attribute nothing = keep_one(&a, text("path", NULL));
    query_known_attribute empty = keep_one(&a, text("path", ""));
    assert_int_equal(one.key, other.key);
    assert_int_equal(one.value, again.value);
    assert_int_not_equal(one.value, other.value);
    assert_int_not_equal(one.value, of_other_key.value);
    assert_int_not_equal(one.key, of_other_key.key);
    assert_int_equal(nothing.value, QUERY_NO_VALUE);
    assert_int_not_equal(empty.value, QUERY_NO_VALUE);
    assert_int_equal(a.keys.items[one.key].value_count, 3);
    assert_int_equal(a.values.items[other.value].key, other.key);
    query_attributes_reset(&a);
    assert_int_equal(keep_one(&a, text("path", "/a")).value, one.value);
    assert_false(a.is_truncated);
    query_attributes_fini(&a);
}

static void
test_a_key_with_too_many_values_is_search_only(void **state)
{
    (void)state;
    query_attributes a = {0};
    char value[16];
    for (unsigned i = 0; i < QUERY_VALUES_OF_KEY_MAX; i++) {
        (void)snprintf(value, sizeof(value), "%u", i);
        assert_int_equal(keep_one(&a, text("id", value)).value, i);
    }
    assert_false(a.keys.items[0].is_search_only);
    uint32_t first;
    query_attribute both[] = {text("id", "more"), text("id", "7")};
    query_known_attribute known[2];
    assert_int_equal(query_attributes_keep(&a, both, 2, &first), 2);
    query_attributes_read(&a, first, 2, known);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(known[i].value, QUERY_NO_VALUE);
        assert_int_equal(known[i].attribute.value.len, both[i].value.len);
        assert_memory_equal(known[i].attribute.value.ptr, both[i].value.ptr, both[i].value.len);
    }
    assert_true(a.keys.items[0].is_search_only);
    assert_int_equal(a.keys.items[0].value_count, QUERY_VALUES_OF_KEY_MAX);
    assert_false(a.is_truncated); // nothing is missing
    query_attributes_fini(&a);
}

static void
test_a_key_is_a_number_if_all_values_are(void **state)
{
    (void)state;
    query_attributes a = {0};
    query_attribute number = text("size", "5");
    number.is_number = true;
    assert_true(keep_one(&a, number).attribute.is_number);
    (void)keep_one(&a, text("size", NULL));
    assert_true(a.keys.items[0].is_number);
    (void)keep_one(&a, text("size", "large"));
    assert_false(a.keys.items[0].is_number);
    query_attributes_fini(&a);
}

static void
test_there_are_so_many_keys_at_most(void **state)
{
    (void)state;
    query_attributes a = {0};
    char name[16];
    for (unsigned i = 0; i < QUERY_KEYS_MAX; i++) {
        (void)snprintf(name, sizeof(name), "k%u", i);
        (void)keep_one(&a, text(name, "x"));
    }
    uint32_t first;
    query_attribute both[] = {text("more", "x"), text("k7", "x")};
    assert_int_equal(query_attributes_keep(&a, both, 2, &first), 1);
    assert_true(a.is_truncated);
    query_attributes_fini(&a);
}

static void
test_every_failed_allocation_is_noted(void **state)
{
    (void)state;
    bool has_failed = true;
    for (size_t failing = 1; has_failed; failing++) {
        query_attributes a = {0};
        char name[16];
        uint32_t first;
        allocations_left = failing;
        for (unsigned i = 0; i < 200; i++) { // each key twice
            (void)snprintf(name, sizeof(name), "k%u", i / 2);
            const query_attribute item = text(name, "x");
            size_t count = query_attributes_keep(&a, &item, 1, &first);
            assert_true(count == 1 || a.arena.is_failed);
        }
        has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(a.arena.is_failed, has_failed);
        query_attributes_fini(&a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_values_of_a_key_have_one_number),
        cmocka_unit_test(test_a_key_with_too_many_values_is_search_only),
        cmocka_unit_test(test_a_key_is_a_number_if_all_values_are),
        cmocka_unit_test(test_there_are_so_many_keys_at_most),
        cmocka_unit_test(test_every_failed_allocation_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
