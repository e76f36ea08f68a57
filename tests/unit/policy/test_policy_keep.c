// SPDX-License-Identifier: Apache-2.0
// Files of how long recordings are kept: what they say, and every mistake with its line.

#include "policy/policy_keep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t DAY_NS = 86400000000000;

static lp_err
parse(const char *text, policy_keep *out, lp_problem *problem)
{
    return policy_keep_parse(
        "shop.keep", (lp_slice){(const uint8_t *)text, strlen(text)}, out, problem);
}

static void
test_files_say_age_and_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t age_ns;
        uint64_t bytes;
        uint64_t daily_bytes;
        int64_t recall_ns;
        policy_keep_pin pin_when;
        policy_keep_trace trace;
    } cases[] = {
        {"", 0, 0, 0, 0},
        {"# nothing\n\n", 0, 0, 0, 0},
        {"age 7d", 7 * 86400000000000, 0, 0, 0},
        {"bytes 5G\n", 0, 5368709120, 0, 0},
        {"  age\t12 h  # half a day\r\nbytes 10\r\n", 43200000000000, 10, 0, 0},
        {"age infinity", INT64_MAX, 0, 0, 0},
        {"daily 20M", 0, 0, 20971520, 0},
        {"daily 7\nbytes 5\nage 1s", 1000000000, 5, 7, 0},
        {"recall 15m", 0, 0, 0, 900000000000},
        {"recall none\nage 1s", 1000000000, 0, 0, POLICY_KEEP_NO_RECALL},
        {"recall infinity", 0, 0, 0, INT64_MAX},
        {"pin-when crash", .pin_when = POLICY_KEEP_PIN_CRASH},
        {"pin-when none # never", .pin_when = POLICY_KEEP_PIN_NONE},
        {"trace whole", .trace = POLICY_KEEP_TRACE_WHOLE},
        {"pin-when none\ntrace none", .pin_when = POLICY_KEEP_PIN_NONE,
            .trace = POLICY_KEEP_TRACE_NONE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_keep keep = {.age_ns = 1, .bytes = 1};
        lp_problem problem;
        assert_int_equal(parse(cases[i].text, &keep, &problem), LP_OK);
        assert_true(keep.age_ns == cases[i].age_ns && keep.bytes == cases[i].bytes);
        assert_true(keep.daily_bytes == cases[i].daily_bytes);
        assert_true(keep.recall_ns == cases[i].recall_ns);
        assert_int_equal(keep.pin_when, cases[i].pin_when);
        assert_int_equal(keep.trace, cases[i].trace);
    }
}

static void
test_mistakes_have_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *problem;
    } cases[] = {
        {"age", "shop.keep: line 1: expected an age such as 7d, in s, m, h or d"},
        {"age 0s", "shop.keep: line 1: expected an age such as 7d, in s, m, h or d"},
        {"\nage -1d", "shop.keep: line 2: expected an age such as 7d, in s, m, h or d"},
        {"age 1d\nage 2d", "shop.keep: line 2: expected each key only once"},
        {"bytes 1\nbytes 1", "shop.keep: line 2: expected each key only once"},
        {"bytes 5X", "shop.keep: line 1: expected a number of bytes such as 5G"},
        {"bytes 0", "shop.keep: line 1: expected a number of bytes such as 5G"},
        {"daily 1\ndaily 1", "shop.keep: line 2: expected each key only once"},
        {"daily 0", "shop.keep: line 1: expected a number of bytes such as 5G"},
        {"daily", "shop.keep: line 1: expected a number of bytes such as 5G"},
        {"recall none\nrecall 1m", "shop.keep: line 2: expected each key only once"},
        {"recall 0", "shop.keep: line 1: expected 'none', or an age such as 7d, in s, m, h or d"},
        {"days 7",
            "shop.keep: line 1: expected 'age', 'bytes', 'daily', 'recall', 'pin-when' or 'trace'"},
        {"trace half", "shop.keep: line 1: expected 'whole' or 'none'"},
        {"trace whole\ntrace whole", "shop.keep: line 2: expected each key only once"},
        {"pin-when p99", "shop.keep: line 1: expected 'crash' or 'none'"},
        {"pin-when crash\npin-when none", "shop.keep: line 2: expected each key only once"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_keep keep = {.age_ns = 1, .bytes = 2};
        lp_problem problem;
        assert_int_equal(parse(cases[i].text, &keep, &problem), LP_ECORRUPT);
        assert_string_equal(problem.text, cases[i].problem);
        assert_true(keep.age_ns == 1 && keep.bytes == 2);
    }
    policy_keep keep;
    lp_problem problem;
    const uint8_t zero[] = "age 1d\0\n";
    assert_int_equal(
        policy_keep_parse("a", (lp_slice){zero, sizeof(zero) - 1}, &keep, &problem), LP_ECORRUPT);
    assert_int_equal(policy_keep_read("/nonexistent/a.keep", &keep, &problem), LP_ENOENT);
}

static void
test_ages_are_read(void **state)
{
    (void)state;
    int64_t ns = 5;
    assert_true(policy_keep_age("7d", &ns) && ns == 7 * DAY_NS);
    static const char *const bad[] = {"", "7", "d", "0d", "7 y", "99999999999999d"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(policy_keep_age(bad[i], &ns));
    }
    assert_true(ns == 7 * DAY_NS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_say_age_and_bytes),
        cmocka_unit_test(test_mistakes_have_their_line),
        cmocka_unit_test(test_ages_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
