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
        unsigned pin_when;
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
        {"days 7", "shop.keep: line 1: expected 'age', 'bytes', 'daily', 'recall', 'pin-when', "
                   "'pin-pause', 'recall-budget' or 'trace'"},
        {"trace half", "shop.keep: line 1: expected 'whole' or 'none'"},
        {"trace whole\ntrace whole", "shop.keep: line 2: expected each key only once"},
        {"pin-when p98>1s for 1m", "shop.keep: line 1: expected 'crash', 'none' or a rule such as "
                                   "p99>1s for 1m (p50, p90, "
                                   "p95, p99 or p999; whole minutes up to 30m)"},
        {"pin-when crash\npin-when none", "shop.keep: line 2: expected 'pin-when none' alone"},
        {"pin-when none\npin-when p99>1s for 1m",
            "shop.keep: line 2: expected 'pin-when none' alone"},
        {"pin-when crash\npin-when crash",
            "shop.keep: line 2: expected 'pin-when crash' once, and one rule at most"},
        {"pin-when p99>1s for 1m\npin-when p50>1s for 1m",
            "shop.keep: line 2: expected 'pin-when crash' once, and one rule at most"},
        {"pin-pause 2h", "shop.keep: line 1: expected a pause of up to 1h, such as 15m"},
        {"pin-pause 0s", "shop.keep: line 1: expected a pause of up to 1h, such as 15m"},
        {"pin-pause 1m\npin-pause 1m", "shop.keep: line 2: expected each key only once"},
        {"recall-budget 2G", "shop.keep: line 1: expected bytes an hour such as 2G/h"},
        {"recall-budget 2G/d", "shop.keep: line 1: expected bytes an hour such as 2G/h"},
        {"recall-budget 0/h", "shop.keep: line 1: expected bytes an hour such as 2G/h"},
        {"recall-budget off", "shop.keep: line 1: expected bytes an hour such as 2G/h"},
        {"recall-budget 1G/h\nrecall-budget 1G/h",
            "shop.keep: line 2: expected each key only once"},
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
test_rules_of_latency_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        policy_pin_rule rule;
        const char *written;
    } good[] = {
        {"p99>1s for 1m", {990, 1, 1000000000}, "p99>1s for 1m"},
        {"p50 > 20 ms for 5 m", {500, 5, 20000000}, "p50>20ms for 5m"},
        {"p999>\t1500us  for  30m", {999, 30, 1500000}, "p999>1500us for 30m"},
        {"p90>120s for 60s", {900, 1, 120000000000}, "p90>2m for 1m"},
        {"p95>1ns for 60000ms", {950, 1, 1}, "p95>1ns for 1m"},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        policy_pin_rule rule;
        char text[POLICY_PIN_RULE_BYTES];
        assert_true(policy_pin_rule_parse(good[i].text, &rule));
        assert_true(rule.permille == good[i].rule.permille);
        assert_true(rule.minutes == good[i].rule.minutes && rule.over_ns == good[i].rule.over_ns);
        policy_pin_rule_format(&rule, text);
        assert_string_equal(text, good[i].written);
    }
    static const char *const bad[] = {"", "p99", "p99>", "p99>1s", "p99>1s for", "p99>1s for ",
        "p99<1s for 1m", "p99>>1s for 1m", "p9>1s for 1m", "99>1s for 1m", "p99>0s for 1m",
        "p99>-1s for 1m", "p99>1 for 1m", "p99>infinity for 1m", "p99>1s for 0m", "p99>1s for 90s",
        "p99>1s for 31m", "p99>1s for infinity", "p99>1s for 1m 1m", "p99>1sfor 1m",
        "p99>11111111111111111111111111111111s for 1m"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        policy_pin_rule rule = {.permille = 7};
        assert_false(policy_pin_rule_parse(bad[i], &rule));
        assert_int_equal(rule.permille, 7);
    }
}

static void
test_a_file_may_have_a_rule_besides_crash(void **state)
{
    (void)state;
    policy_keep keep;
    lp_problem problem;
    assert_int_equal(parse("pin-when p99 > 1 s for 2 m # slow\npin-when crash\npin-pause 1h\n"
                           "recall-budget 200M/h",
                         &keep, &problem),
        LP_OK);
    assert_int_equal(keep.pin_when, POLICY_KEEP_PIN_CRASH | POLICY_KEEP_PIN_LATENCY);
    assert_true(keep.pin_rule.permille == 990 && keep.pin_rule.minutes == 2);
    assert_true(keep.pin_pause_ns == 3600 * INT64_C(1000000000));
    assert_true(keep.recall_budget_bytes == 200 << 20);
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
        cmocka_unit_test(test_rules_of_latency_are_read),
        cmocka_unit_test(test_a_file_may_have_a_rule_besides_crash),
        cmocka_unit_test(test_ages_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
