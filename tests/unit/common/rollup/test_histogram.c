// SPDX-License-Identifier: Apache-2.0
// Each duration is in the bucket whose bounds it lies between, those at the bounds by hand;
// histograms that are merged have what each had, whatever came first; quantiles lie in their
// bucket, as computed by hand.

#include "support/chance.h"

#include "common/rollup/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_a_duration_is_in_its_bucket(void **state)
{
    (void)state;
    static const struct {
        int64_t ns;
        int bucket;
        uint64_t bound_ns; // 2^((bucket + 1) / 4), cut
    } cases[] = {
        {INT64_MIN, HISTOGRAM_ZERO, 1},
        {-1, HISTOGRAM_ZERO, 1},
        {0, HISTOGRAM_ZERO, 1},
        {1, HISTOGRAM_ZERO, 1},
        {2, 3, 2},
        {3, 6, 3},  // 2.828 < 3 <= 3.363
        {4, 7, 4},  // 3.363 < 4 <= 4
        {5, 9, 5},  // 4.756 < 5 <= 5.656
        {6, 10, 6}, // 5.656 < 6 <= 6.727
        {861, 38, 861},
        {862, 39, 1024}, // 861.07 < 862
        {1000, 39, 1024},
        {1024, 39, 1024},
        {1025, 40, 1217},
        {1217, 40, 1217},
        {1218, 41, 1448},
        {1000000, 79, 1048576},
        {1000000000, 119, 1073741824},
        {(int64_t)1 << 62, 247, (uint64_t)1 << 62},
        {((int64_t)1 << 62) + 1, 248, 5484249825272419511u}, // 2^62.25
        {INT64_MAX, 251, (uint64_t)1 << 63},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(histogram_bucket(cases[i].ns), cases[i].bucket);
        assert_true(histogram_bound_ns(cases[i].bucket) == cases[i].bound_ns);
    }
}

static void
test_any_duration_is_between_the_bounds_of_its_bucket(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        int64_t ns = (int64_t)(chance_below(&seed, UINT64_MAX) >> (1 + chance_below(&seed, 62)));
        int bucket = histogram_bucket(ns);
        assert_true((uint64_t)ns <= histogram_bound_ns(bucket));
        assert_true(bucket == HISTOGRAM_ZERO || bucket == 3 ||
                    (uint64_t)ns > histogram_bound_ns(bucket - 1));
    }
}

static void
test_what_was_added_is_there(void **state)
{
    (void)state;
    lp_arena arena = {0};
    histogram lengths = {0};
    histogram_add(&lengths, &arena, 1000000);
    histogram_add(&lengths, &arena, INT64_MAX);
    histogram_add(&lengths, &arena, 0);
    histogram_add(&lengths, &arena, -5);
    histogram_add(&lengths, &arena, 2);
    histogram_add(&lengths, &arena, 2);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    assert_true(lengths.count == 6);
    assert_true(lengths.sum_ns == (uint64_t)INT64_MAX + 1000004);
    assert_true(histogram_get(&lengths, HISTOGRAM_ZERO) == 2);
    assert_true(histogram_get(&lengths, 3) == 2);
    assert_true(histogram_get(&lengths, 4) == 0);
    assert_true(histogram_get(&lengths, 79) == 1);
    assert_true(histogram_get(&lengths, 251) == 1);
    histogram_add(&lengths, &arena, INT64_MAX);
    histogram_add(&lengths, &arena, INT64_MAX);
    assert_true(lengths.sum_ns == UINT64_MAX); // where it stops
    lp_arena_fini(&arena);
}

static void
test_merging_adds_in_any_order(void **state)
{
    (void)state;
    lp_arena arena = {0};
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        histogram parts[3] = {{0}};
        histogram all = {0};
        histogram one = {0};
        histogram other = {0};
        for (int i = 0; i < 30; i++) {
            int64_t ns = (int64_t)(chance_below(&seed, UINT64_MAX) >> (1 + round % 63));
            histogram_add(&all, &arena, ns);
            histogram_add(&parts[chance_below(&seed, 3)], &arena, ns);
        }
        for (int i = 0; i < 3; i++) {
            histogram_merge(&one, &arena, &parts[i]);
            histogram_merge(&other, &arena, &parts[2 - i]);
        }
        assert_true(one.count == 30 && other.count == 30);
        assert_true(one.sum_ns == all.sum_ns && other.sum_ns == all.sum_ns);
        for (int i = HISTOGRAM_ZERO; i < HISTOGRAM_BUCKETS; i++) {
            assert_true(histogram_get(&one, i) == histogram_get(&all, i));
            assert_true(histogram_get(&other, i) == histogram_get(&all, i));
        }
        lp_arena_reset(&arena);
    }
    lp_arena_fini(&arena);
}

static void
test_quantiles_lie_in_their_bucket(void **state)
{
    (void)state;
    lp_arena arena = {0};
    histogram lengths = {0};
    assert_int_equal(histogram_quantile_ns(&lengths, 0.5), 0);
    for (int i = 0; i < 100; i++) {
        histogram_add(&lengths, &arena, 1000);
    }
    assert_int_equal(histogram_quantile_ns(&lengths, 1), 1024);
    assert_int_equal(histogram_quantile_ns(&lengths, 0.5), 939); // 2^((39 + 50/100) / 4)
    assert_int_equal(histogram_quantile_ns(&lengths, 0), 862);   // 2^((39 + 1/100) / 4)
    for (int i = 0; i < 100; i++) {
        histogram_add(&lengths, &arena, 0);
    }
    assert_int_equal(histogram_quantile_ns(&lengths, 0.5), 1);
    assert_int_equal(histogram_quantile_ns(&lengths, 0.75), 939);
    histogram_add(&lengths, &arena, INT64_MAX);
    assert_true(histogram_quantile_ns(&lengths, 1) == INT64_MAX);
    lp_arena_fini(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_duration_is_in_its_bucket),
        cmocka_unit_test(test_any_duration_is_between_the_bounds_of_its_bucket),
        cmocka_unit_test(test_what_was_added_is_there),
        cmocka_unit_test(test_merging_adds_in_any_order),
        cmocka_unit_test(test_quantiles_lie_in_their_bucket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
