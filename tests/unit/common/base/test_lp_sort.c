// SPDX-License-Identifier: Apache-2.0
// Whatever order items come in, they are in order after, and equals in the order in which they
// came: compared with a sort that exchanges neighbours, for counts around each size at which it
// halves. Items that are put together by their group lie side by side. Where an item belongs in an
// order is where a look at one after the other finds its place, in any part of the order.

#include "support/chance.h"

#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT_MAX = 200 };

typedef struct item {
    unsigned key;
    unsigned came; // as the how many-th
} item;

static bool
is_before(const item *a, const item *b)
{
    return a->key < b->key;
}

LP_SORT_DEFINE(sort_items, item, is_before)

static void
sort_slowly(item *items, size_t count)
{
    for (size_t end = count; end > 1; end--) {
        for (size_t i = 1; i < end; i++) {
            if (items[i].key < items[i - 1].key) {
                item moved = items[i];
                items[i] = items[i - 1];
                items[i - 1] = moved;
            }
        }
    }
}

static void
expect_sorted(const unsigned *keys, size_t count)
{
    item items[COUNT_MAX];
    item expected[COUNT_MAX];
    // Room for half of the items and not more, which AddressSanitizer sees to.
    item *spare = malloc((count / 2 + (count == 0)) * sizeof(*spare) + 1);
    assert_non_null(spare);
    for (size_t i = 0; i < count; i++) {
        items[i] = expected[i] = (item){keys[i], (unsigned)i};
    }
    sort_slowly(expected, count);
    sort_items(items, count, spare);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(items[i].key, expected[i].key);
        assert_int_equal(items[i].came, expected[i].came);
    }
    free(spare);
}

static void
test_any_order_becomes_the_order(void **state)
{
    (void)state;
    uint64_t seed = 3;
    unsigned keys[COUNT_MAX];
    for (size_t count = 0; count <= COUNT_MAX; count++) {
        for (unsigned kinds = 1; kinds <= 1000; kinds *= 10) {
            for (size_t i = 0; i < count; i++) {
                keys[i] = (unsigned)chance_below(&seed, kinds);
            }
            expect_sorted(keys, count);
        }
    }
}

static void
test_runs_become_the_order(void **state)
{
    (void)state;
    unsigned keys[COUNT_MAX];
    for (size_t run = 1; run <= COUNT_MAX; run++) { // each ascends from a little below the last
        for (size_t i = 0; i < COUNT_MAX; i++) {
            keys[i] = (unsigned)(1000 + i - i / run * 7 % 100);
        }
        expect_sorted(keys, COUNT_MAX);
        for (size_t i = 0; i < COUNT_MAX; i++) {
            keys[i] = (unsigned)(COUNT_MAX - i / run);
        }
        expect_sorted(keys, COUNT_MAX);
    }
}

static void
test_items_near_their_places_become_the_order(void **state)
{
    (void)state;
    uint64_t seed = 5;
    unsigned keys[COUNT_MAX];
    for (size_t count = 0; count <= COUNT_MAX; count++) {
        for (unsigned near = 2; near <= 64; near *= 2) {
            for (size_t i = 0; i < count; i++) {
                keys[i] = (unsigned)(i + chance_below(&seed, near));
            }
            expect_sorted(keys, count);
        }
    }
}

static void
test_items_of_a_group_lie_side_by_side(void **state)
{
    (void)state;
    static const unsigned groups[] = {2, 0, 2, 3, 0, 2};
    size_t places[5] = {0};
    unsigned items[6];
    for (size_t i = 0; i < 6; i++) {
        places[groups[i]]++;
    }
    assert_int_equal(lp_prefix_sum(places, 5), 6);
    for (unsigned i = 0; i < 6; i++) {
        items[places[groups[i]]++] = i;
    }
    static const unsigned expected[] = {1, 4, 0, 2, 5, 3};
    static const size_t ends[] = {2, 2, 5, 6, 6};
    assert_memory_equal(items, expected, sizeof(expected));
    assert_memory_equal(places, ends, sizeof(ends));
    assert_int_equal(lp_prefix_sum(places, 0), 0);

    static const unsigned numbers[] = {0, 1, 2, 3, 4, 5};
    unsigned grouped[6];
    size_t group_ends[5] = {0};
    LP_GROUP(numbers, 6, groups[*at], group_ends, 5, grouped);
    assert_memory_equal(grouped, expected, sizeof(expected));
    assert_memory_equal(group_ends, ends, sizeof(ends));
}

LP_COMPARE(compare_items, item, LP_ORDER(one->key, other->key) ?: LP_ORDER(other->came, one->came))
LP_SORT_BY(sort_by_key, item, x->key < y->key)

static void
test_an_expression_says_what_comes_first(void **state)
{
    (void)state;
    item items[] = {{2, 0}, {1, 1}, {2, 2}, {0, 3}};
    item spare[2];
    static const item by_key[] = {{0, 3}, {1, 1}, {2, 0}, {2, 2}};
    static const item last_first[] = {{0, 3}, {1, 1}, {2, 2}, {2, 0}};
    struct {
        item *items;
        size_t count;
    } vec = {items, 4};
    sort_by_key(items, 4, spare);
    assert_memory_equal(items, by_key, sizeof(by_key));
    LP_QSORT(vec.items, vec.count, compare_items);
    assert_memory_equal(items, last_first, sizeof(last_first));
    vec.items = NULL;
    vec.count = 0;
    LP_QSORT(vec.items, vec.count, compare_items);
}

static void
test_a_place_is_behind_all_that_are_before(void **state)
{
    (void)state;
    static const int items[] = {1, 1, 4, 4, 4, 7, 9};
    enum { COUNT = sizeof(items) / sizeof(items[0]) };
    for (size_t begin = 0; begin <= COUNT; begin++) {
        for (size_t end = begin; end <= COUNT; end++) {
            for (int key = 0; key <= 10; key++) {
                size_t want = begin;
                while (want < end && items[want] < key) {
                    want++;
                }
                assert_int_equal(LP_BISECT(items, begin, end, *at < key), want);
            }
        }
    }
    const int *none = NULL;
    assert_int_equal(LP_BISECT(none, 0, 0, *at < 1), 0);
}

static void
test_the_first_item_that_is_so_is_found(void **state)
{
    (void)state;
    static const int items[] = {3, 1, 4, 1, 5};
    assert_int_equal(LP_COUNT(items), 5);
    for (size_t count = 0; count <= LP_COUNT(items); count++) {
        for (int key = 0; key <= 6; key++) {
            const int *want = NULL;
            for (size_t i = count; i-- > 0;) {
                want = items[i] == key ? &items[i] : want;
            }
            assert_ptr_equal(LP_FIND(items, count, *at == key), want);
            assert_int_equal(LP_ANY(items, count, *at == key), want != NULL);
        }
    }
    const int *none = NULL;
    size_t no_count = 0;
    assert_null(LP_FIND(none, no_count, *at == 1));
}

LP_COMPARE(compare_down, int, LP_ORDER(*other, *one))

static void
test_an_array_is_sorted_by_a_defined_comparison(void **state)
{
    (void)state;
    int items[] = {3, 1, 4, 1, 5};
    LP_QSORT(items, LP_COUNT(items), compare_down);
    static const int want[] = {5, 4, 3, 1, 1};
    assert_memory_equal(items, want, sizeof(want));
    int *none = NULL;
    size_t no_count = 0;
    LP_QSORT(none, no_count, compare_down); // UBSan would tell of NULL
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_becomes_the_order),
        cmocka_unit_test(test_runs_become_the_order),
        cmocka_unit_test(test_items_near_their_places_become_the_order),
        cmocka_unit_test(test_items_of_a_group_lie_side_by_side),
        cmocka_unit_test(test_an_expression_says_what_comes_first),
        cmocka_unit_test(test_a_place_is_behind_all_that_are_before),
        cmocka_unit_test(test_the_first_item_that_is_so_is_found),
        cmocka_unit_test(test_an_array_is_sorted_by_a_defined_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
