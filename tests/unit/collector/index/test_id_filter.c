// SPDX-License-Identifier: Apache-2.0
// Filter of eliminated ids: all that were added are there, few others seem to be, the oldest go.

#include "collector/index/id_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t
id_of(uint64_t number)
{
    uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 32;
}

static void
test_ids_are_there_and_few_others(void **state)
{
    (void)state;
    enum { COUNT = 3 * ID_FILTER_BLOCK_IDS };
    id_filter *filter = id_filter_create();
    assert_non_null(filter);
    assert_int_equal(id_filter_since_ns(filter), INT64_MAX);
    assert_false(id_filter_has(filter, id_of(0)));
    for (uint64_t i = 0; i < COUNT; i++) {
        id_filter_add(filter, id_of(i), (int64_t)i);
    }
    unsigned wrong = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_true(id_filter_has(filter, id_of(i)));
        wrong += id_filter_has(filter, id_of(COUNT + i));
    }
    assert_in_range(wrong, 1, COUNT / 2500); // 3 blocks: 1 of 5,000 is expected
    assert_int_equal(id_filter_since_ns(filter), 0);
    id_filter_destroy(filter);
}

static void
test_the_oldest_are_forgotten(void **state)
{
    (void)state;
    id_filter *filter = id_filter_create();
    assert_non_null(filter);
    const uint64_t blocks = ID_FILTER_BLOCKS_MAX + 2;
    for (uint64_t i = 0; i < blocks * ID_FILTER_BLOCK_IDS; i++) {
        id_filter_add(filter, id_of(i), (int64_t)i);
    }
    assert_int_equal(id_filter_since_ns(filter), 2 * ID_FILTER_BLOCK_IDS);
    enum { PART = 4 }; // of the forgotten, as each is looked for in every block
    unsigned wrong = 0;
    for (uint64_t i = 0; i < ID_FILTER_BLOCK_IDS; i++) {
        wrong += i % PART == 0 && id_filter_has(filter, id_of(i));
        assert_true(id_filter_has(filter, id_of(2 * ID_FILTER_BLOCK_IDS + i)));
    }
    assert_in_range(wrong, 1, ID_FILTER_BLOCK_IDS / PART / 100);
    id_filter_destroy(filter);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_there_and_few_others),
        cmocka_unit_test(test_the_oldest_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
