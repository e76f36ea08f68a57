// SPDX-License-Identifier: Apache-2.0
// Filters that are refused, with the parameter and the reason; the limits of one name and of all
// names together. test_expression.c tests the matches.

#include "query/select/frame_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_names_match_somewhere(void **state)
{
    (void)state;
    query_frame_filter filter;
    lp_problem problem;
    bool matches;
    assert_int_equal(query_frame_filter_init(&filter, "frame", "Inventory", &problem), LP_OK);
    assert_int_equal(query_frame_filter_match(&filter, "shop.Inventory.reserve", &matches), LP_OK);
    assert_true(matches);
    assert_int_equal(query_frame_filter_match(&filter, "shop.Stock.take", &matches), LP_OK);
    assert_false(matches);
}

static void
test_what_is_refused_is_named(void **state)
{
    (void)state;
    query_frame_filter filter;
    lp_problem problem;
    assert_int_equal(query_frame_filter_init(&filter, "--frame", "a(b", &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "--frame 'a(b': not a regular expression: a ( has no )");
}

static void
test_the_end_of_a_long_name_is_not_looked_at(void **state)
{
    (void)state;
    static char name[QUERY_FRAME_FILTER_NAME_BYTES + 2];
    query_frame_filter filter;
    lp_problem problem;
    bool matches;
    memset(name, 'x', QUERY_FRAME_FILTER_NAME_BYTES + 1);
    name[QUERY_FRAME_FILTER_NAME_BYTES] = 'y';
    assert_int_equal(query_frame_filter_init(&filter, "frame", "y", &problem), LP_OK);
    assert_int_equal(query_frame_filter_match(&filter, name, &matches), LP_OK);
    assert_false(matches);
}

// "a" enters the states of the expression and, behind a byte that it takes, the one that matches.
static void
test_all_names_together_have_a_limit(void **state)
{
    (void)state;
    query_frame_filter filter;
    lp_problem problem;
    bool matches;
    assert_int_equal(query_frame_filter_init(&filter, "frame", "a", &problem), LP_OK);
    assert_int_equal(filter.steps_max, QUERY_FRAME_FILTER_STEPS_MAX);
    filter.steps_max = 5;
    assert_int_equal(query_frame_filter_match(&filter, "bb", &matches), LP_OK);
    assert_int_equal(filter.steps, 3); // at each of the three places, the one that wants an a
    assert_int_equal(query_frame_filter_match(&filter, "a", &matches), LP_OK);
    assert_true(matches);
    assert_int_equal(query_frame_filter_check(&filter, &problem), LP_OK);
    assert_int_equal(query_frame_filter_match(&filter, "b", &matches), LP_ELIMIT);
    assert_int_equal(query_frame_filter_check(&filter, &problem), LP_ELIMIT);
    assert_string_equal(problem.text,
        "frame: comparing this expression with the names of frames takes more than 5 steps: use "
        "one with fewer repetitions, or select fewer requests");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_match_somewhere),
        cmocka_unit_test(test_what_is_refused_is_named),
        cmocka_unit_test(test_the_end_of_a_long_name_is_not_looked_at),
        cmocka_unit_test(test_all_names_together_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
