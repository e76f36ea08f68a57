// SPDX-License-Identifier: Apache-2.0
// The moments into which contexts cut the time of their threads, and in which order contexts begin
// and are decided, against tables written by hand.

#include "engine/show/stack_moments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NONE = COMPACT_STACK_MOMENTS_NONE };

static void
test_begins_and_ends_cut_the_time_of_each_thread(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {
        {10, 29, 1, 0}, {20, 29, 1, 0}, {20, 39, 1, 0}, {5, INT64_MAX, 3, 0}};
    static const int64_t begins[] = {10, 20, 30, 40, 5};
    static const size_t threads[] = {0, 0, 4, 4, 5};
    compact_stack_moments m;
    assert_int_equal(compact_stack_moments_init(&m, contexts, 4, 4), LP_OK);
    assert_int_equal(m.items.count, 5); // a context without an end makes one only
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(m.items.items[i].begin, begins[i]);
        assert_int_equal(m.items.items[i].state, NONE);
        assert_false(m.items.items[i].is_wanted);
        assert_int_equal(m.thread_moments[i], threads[i]);
    }
    compact_stack_moments_fini(&m);
}

static void
test_contexts_are_in_the_order_of_begins_and_of_decisions(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {
        {10, 50, 0, 0},                 // ends with 3, and began first: decided last
        {20, 30, 0, 0}, {20, 40, 0, 0}, // around 1
        {30, 50, 0, 0}, {20, 30, 0, 0}, // as 1, but later in the order of the caller: around it
    };
    static const uint32_t by_begin[] = {0, 2, 4, 1, 3};
    static const uint32_t by_end[] = {1, 4, 2, 3, 0};
    compact_stack_moments m;
    assert_int_equal(compact_stack_moments_init(&m, contexts, 5, 1), LP_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(m.by_begin[i], by_begin[i]);
        assert_int_equal(m.by_end[i], by_end[i]);
    }
    compact_stack_moments_fini(&m);
}

static void
test_a_commit_is_in_the_moment_that_began_last(void **state)
{
    (void)state;
    const compact_stack_moments_context contexts[] = {{10, 19, 0, 0}, {30, 39, 0, 0}};
    const struct {
        int64_t commit;
        uint32_t moment;
    } expected[] = {{INT64_MIN, NONE}, {9, NONE}, {10, 0}, {19, 0}, {20, 1}, {29, 1}, {30, 2},
        {39, 2}, {40, 3}, {INT64_MAX, 3}};
    compact_stack_moments m;
    assert_int_equal(compact_stack_moments_init(&m, contexts, 2, 2), LP_OK);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_int_equal(compact_stack_moments_want(&m, 0, expected[i].commit), expected[i].moment);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(m.items.items[i].is_wanted);
    }
    assert_int_equal(compact_stack_moments_want(&m, 1, 15), NONE); // a thread without contexts
    compact_stack_moments_fini(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins_and_ends_cut_the_time_of_each_thread),
        cmocka_unit_test(test_contexts_are_in_the_order_of_begins_and_of_decisions),
        cmocka_unit_test(test_a_commit_is_in_the_moment_that_began_last),
    };
    return cmocka_run_group_tests_name("compact_stack_moments", tests, NULL, NULL);
}
