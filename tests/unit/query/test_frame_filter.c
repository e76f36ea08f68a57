// SPDX-License-Identifier: Apache-2.0
// Regular expressions that frames match, and those that are refused, by name and with the reason.

#include "query/frame_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_names_match_somewhere(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *name;
        bool matches;
    } cases[] = {
        {"Inventory", "shop.Inventory.reserve", true},
        {"^Inventory", "shop.Inventory.reserve", false},
        {"^shop\\.(Inventory|Stock)\\.", "shop.Stock.take", true},
        {"\\[(lock|park)\\]", "[park]", true},
        {"", "anything", true},
        {"\\{", "a{b", true},
        {"\\\\", "a\\b", true},
        {"^(a+b)+[]+[:digit:]+]+$", "aabab]+7", true},
        {"^(a+b)+[]+[:digit:]+]+$", "aaba", false},
        {"^[^]+a]+$", "bcd", true},
        {"\\++", "1 ++ 2", true},
        {"[[.a.]]", "a", true},
        {"^.*a.*b?.*(c.*|d.*)*.*.*.*.*.*.*.*.*.*.*.*e$", "1a2b3c4e", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_frame_filter filter;
        lp_problem problem;
        bool matches;
        assert_int_equal(
            query_frame_filter_init(&filter, "frame", cases[i].pattern, &problem), LP_OK);
        assert_int_equal(query_frame_filter_match(&filter, cases[i].name, &matches), LP_OK);
        assert_int_equal(matches, cases[i].matches);
        query_frame_filter_fini(&filter);
    }
}

static void
test_others_are_refused(void **state)
{
    (void)state;
    char longest[QUERY_FRAME_FILTER_BYTES_MAX + 2];
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    const struct {
        const char *pattern;
        const char *text;
    } cases[] = {
        {"a(b", "--frame 'a(b': not a regular expression: Unmatched ( or \\("},
        {"((a{1,255}){1,255}){1,255}", "--frame '((a{1,255}){1,255}){1,255}': repetitions {n,m} "
                                       "and \\1 are not for this; a brace is \\{"},
        {"(a*)\\1",
            "--frame '(a*)\\1': repetitions {n,m} and \\1 are not for this; a brace is \\{"},
        // Memory or time of glibc grows with 2 to the power of their number.
        {"a************",
            "--frame 'a************': repetitions within repetitions make over 1024 parts of it"},
        {"a++++++++++++++++++++", "--frame 'a++++++++++++++++++++': repetitions within repetitions "
                                  "make over 1024 parts of it"},
        {"((((((((((a+)+)+)+)+)+)+)+)+)+)+",
            "--frame '((((((((((a+)+)+)+)+)+)+)+)+)+)+': repetitions within repetitions make over "
            "1024 parts of it"},
        {"[]+](a|b*)*+?+?+?+?+?+?+?+?+?+?+",
            "--frame '[]+](a|b*)*+?+?+?+?+?+?+?+?+?+?+': repetitions within repetitions make over "
            "1024 parts of it"},
        {longest, "--frame: a regular expression of over 256 bytes"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_frame_filter filter;
        lp_problem problem;
        assert_int_equal(
            query_frame_filter_init(&filter, "--frame", cases[i].pattern, &problem), LP_ECORRUPT);
        assert_string_equal(problem.text, cases[i].text);
        query_frame_filter_fini(&filter);
    }
    query_frame_filter filter;
    lp_problem problem;
    longest[QUERY_FRAME_FILTER_BYTES_MAX] = '\0';
    assert_int_equal(query_frame_filter_init(&filter, "frame", longest, &problem), LP_OK);
    query_frame_filter_fini(&filter);
}

// Names of which most are new to the expression; it is compiled anew now and then.
static void
test_many_names_match_as_one_does(void **state)
{
    (void)state;
    query_frame_filter filter;
    lp_problem problem;
    assert_int_equal(
        query_frame_filter_init(&filter, "frame", "a...............$", &problem), LP_OK);
    for (unsigned i = 0; i < 2000; i++) {
        char name[64];
        bool matches;
        bool has_a = i % 3 == 0;
        (void)snprintf(name, sizeof(name), "%04x%c%015u", i % 7, has_a ? 'a' : 'b', i);
        assert_int_equal(query_frame_filter_match(&filter, name, &matches), LP_OK);
        assert_int_equal(matches, has_a);
    }
    query_frame_filter_fini(&filter);
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
    query_frame_filter_fini(&filter);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_match_somewhere),
        cmocka_unit_test(test_others_are_refused),
        cmocka_unit_test(test_many_names_match_as_one_does),
        cmocka_unit_test(test_the_end_of_a_long_name_is_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
