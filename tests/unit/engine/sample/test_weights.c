// SPDX-License-Identifier: Apache-2.0
// What samples stand for: the bytes of their threads since their last ones. Nothing is lost or
// counted twice, by whatever order of adding and taking, over however many threads, and wherever it
// is copied to the next chunk: checked against a plain list, and on sums.

#include "support/chance.h"

#include "engine/sample/sampler.h"
#include "engine/sample/weights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void
add(compact_weights *w, uint64_t thread, uint64_t bytes)
{
    assert_int_equal(compact_weights_add(w, thread, bytes), LP_OK);
}

// pass_on hands w over as from one chunk to the next.
static void
pass_on(compact_weights *w)
{
    compact_weights copy = {0};
    assert_int_equal(compact_weights_settle(w), LP_OK);
    assert_int_equal(compact_weights_copy(w, &copy), LP_OK);
    compact_weights_fini(w);
    *w = copy;
}

static void
test_a_sample_takes_what_its_thread_has_and_nobody_takes_it_again(void **state)
{
    (void)state;
    compact_weights w = {0};
    add(&w, 5, 100);
    add(&w, 9, 7);
    add(&w, 5, 20);
    assert_int_equal(compact_weights_take(&w, 5), 120);
    assert_int_equal(compact_weights_take(&w, 5), 0);
    assert_int_equal(compact_weights_take(&w, 77), 0);
    add(&w, 5, 1);
    pass_on(&w);
    assert_int_equal(compact_weights_take(&w, 9), 7);
    assert_int_equal(compact_weights_take(&w, 5), 1);
    compact_weights_fini(&w);
}

static void
test_what_has_no_thread_goes_to_the_next_sample(void **state)
{
    (void)state;
    compact_weights w = {0};
    add(&w, COMPACT_WEIGHTS_NO_THREAD, 30);
    add(&w, COMPACT_WEIGHTS_NO_THREAD, 3);
    add(&w, 5, 200);
    pass_on(&w);
    assert_int_equal(compact_weights_take(&w, 5), 233);
    add(&w, COMPACT_WEIGHTS_NO_THREAD, 4);
    assert_int_equal(compact_weights_take(&w, COMPACT_WEIGHTS_NO_THREAD), 4);
    assert_int_equal(compact_weights_take(&w, COMPACT_WEIGHTS_NO_THREAD), 0);
    compact_weights_fini(&w);
}

static void
test_sums_stop_at_the_largest_weight(void **state)
{
    (void)state;
    compact_weights w = {0};
    add(&w, 5, INT64_MAX);
    add(&w, 5, INT64_MAX);
    add(&w, COMPACT_WEIGHTS_NO_THREAD, INT64_MAX);
    add(&w, COMPACT_WEIGHTS_NO_THREAD, 1);
    assert_true(compact_weights_take(&w, 5) == INT64_MAX);
    compact_weights_fini(&w);
}

static void
test_of_too_many_threads_those_that_allocated_last_are_known(void **state)
{
    (void)state;
    compact_weights w = {0};
    for (uint64_t i = 1; i <= COMPACT_WEIGHTS_THREADS_MAX; i++) {
        add(&w, i, 1);
    }
    add(&w, 1, 1); // again, and last
    pass_on(&w);
    assert_int_equal(w.items.count, COMPACT_WEIGHTS_THREADS_MAX);
    add(&w, 1000000, 5);
    assert_int_equal(w.items.count, COMPACT_WEIGHTS_THREADS_MAX / 2 + 1);
    // Threads 2 up to half and one more are forgotten: their bytes go to whoever is sampled next.
    assert_int_equal(
        compact_weights_take(&w, COMPACT_WEIGHTS_THREADS_MAX), COMPACT_WEIGHTS_THREADS_MAX / 2 + 1);
    assert_int_equal(compact_weights_take(&w, COMPACT_WEIGHTS_THREADS_MAX / 2 + 1), 0);
    assert_int_equal(compact_weights_take(&w, COMPACT_WEIGHTS_THREADS_MAX / 2 + 2), 1);
    assert_int_equal(compact_weights_take(&w, 1), 2);
    assert_int_equal(compact_weights_take(&w, 1000000), 5);
    compact_weights_fini(&w);
}

static void
test_what_cannot_be_is_not_restored(void **state)
{
    (void)state;
    compact_weights w = {0};
    assert_int_equal(compact_weights_restore(&w, 5, INT64_MAX), LP_OK);
    assert_int_equal(compact_weights_restore(&w, 5, 1), LP_ECORRUPT);
    assert_int_equal(compact_weights_restore(&w, 6, (uint64_t)INT64_MAX + 1), LP_ECORRUPT);
    assert_int_equal(compact_weights_restore(&w, COMPACT_WEIGHTS_NO_THREAD, 1), LP_ECORRUPT);
    for (uint64_t i = 1; i < COMPACT_WEIGHTS_THREADS_MAX; i++) {
        assert_int_equal(compact_weights_restore(&w, 100 + i, 1), LP_OK);
    }
    assert_int_equal(compact_weights_restore(&w, 7, 1), LP_ECORRUPT);
    compact_weights_fini(&w);
}

// The same additions go into two: one is passed on now and then, the other never.
static void
test_bytes_are_neither_lost_nor_doubled_and_passing_on_does_not_show(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 20; round++) {
        compact_weights cut = {0};
        compact_weights whole = {0};
        uint64_t threads = round % 2 == 0 ? 5 : 4000;
        uint64_t added = 0;
        uint64_t taken = 0;
        for (int i = 0; i < 8000; i++) {
            uint64_t thread = chance_below(&seed, threads); // 0: none
            uint64_t bytes = chance_below(&seed, 1000);
            add(&cut, thread, bytes);
            add(&whole, thread, bytes);
            added += bytes;
            if (chance_below(&seed, 3) == 0) {
                uint64_t weight = compact_weights_take(&cut, thread);
                assert_int_equal(weight, compact_weights_take(&whole, thread));
                taken += weight;
            }
            if (chance_below(&seed, 100) == 0) {
                pass_on(&cut);
            }
        }
        for (size_t i = 0; i < cut.items.count; i++) {
            taken += cut.items.items[i].bytes;
        }
        assert_int_equal(taken + cut.rest, added);
        compact_weights_fini(&cut);
        compact_weights_fini(&whole);
    }
}

// Of two classes one has large events, and few; of two threads one has most of these. A throttle
// keeps one event of twenty.
static void
test_throttled_samples_give_each_class_and_thread_its_share(void **state)
{
    (void)state;
    enum { RATE = 100, OFFERED = 2000, SECONDS = 1000 };
    static const uint64_t sizes[2] = {32 << 10, 1 << 20};
    double allocated[2][2] = {{0}};
    double weighed[2][2] = {{0}};
    uint64_t seed = 5;
    compact_weights w = {0};
    compact_sampler sampler;
    compact_sampler_init(
        &sampler, "test", 0, (policy_throttle){.count = RATE, .per_ns = 1000000000});
    for (int64_t i = 0; i < OFFERED * SECONDS; i++) {
        uint64_t class = chance_below(&seed, 5) == 0;
        uint64_t thread = chance_below(&seed, 10) < (class == 1 ? 8 : 3);
        int64_t time = i * (1000000000 / OFFERED) + (int64_t)chance_below(&seed, 400000);
        bool is_kept =
            compact_sampler_keep_sized(&sampler, time, compact_weights_size(&w, sizes[class]));
        add(&w, 1 + thread, sizes[class]);
        allocated[class][thread] += (double)sizes[class];
        weighed[class][thread] += is_kept ? (double)compact_weights_take(&w, 1 + thread) : 0;
    }
    for (int class = 0; class < 2; class ++) {
        for (int thread = 0; thread < 2; thread++) {
            double share = weighed[class][thread] / allocated[class][thread];
            print_message("class %d, thread %d: %.4f\n", class, thread, share);
            assert_true(share > 0.95 && share < 1.05);
        }
    }
    compact_weights_fini(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sample_takes_what_its_thread_has_and_nobody_takes_it_again),
        cmocka_unit_test(test_what_has_no_thread_goes_to_the_next_sample),
        cmocka_unit_test(test_sums_stop_at_the_largest_weight),
        cmocka_unit_test(test_of_too_many_threads_those_that_allocated_last_are_known),
        cmocka_unit_test(test_what_cannot_be_is_not_restored),
        cmocka_unit_test(test_bytes_are_neither_lost_nor_doubled_and_passing_on_does_not_show),
        cmocka_unit_test(test_throttled_samples_give_each_class_and_thread_its_share),
    };
    return cmocka_run_group_tests_name("compact_weights", tests, NULL, NULL);
}
