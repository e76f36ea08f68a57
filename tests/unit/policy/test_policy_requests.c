// SPDX-License-Identifier: Apache-2.0
// policy_requests: each setting of dev.loupe.Request and its values, what is told of wrong ones,
// and that no other event type and no JVM has them.

#include "policy_rig.h"

#include "policy/policy_check.h"
#include "policy/policy_jvm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t MS = 1000000;
static const int64_t MINUTE = 60000000000;
static const int64_t DAY = 1440 * 60000000000;

static const char rates[] = "off or a number from 1 to 100 in a time such as 10/m, in m, h or d";
static const char conditions[] =
    "off, or has-key NAME, has-entry NAME=VALUE joined by and, and those by or";
static const char timespans[] = "off or a timespan above 0 such as 500 ms";
static const char budgets[] = "off or bytes in a time such as 100M/h, in m, h or d";
static const char names[] = "off, or names of attributes with commas between them, 16 at most";
static const char types[] = "outermost or the name of a context type";

// read_one reads one setting of an event type into a new policy.
static const policy_requests *
read_one(policy_rig *f, const char *event, const char *name, const char *value)
{
    char text[4096];
    policy_destroy(f->policy);
    f->policy = policy_create();
    (void)snprintf(text, sizeof(text),
        "<configuration version='2.0'><event name='%s'><setting name='%s'>%s</setting></event>"
        "</configuration>",
        event, name, value);
    assert_int_equal(policy_rig_read_text(f, text), LP_OK);
    return policy_get_requests(f->policy);
}

static const policy_requests *
read_value(policy_rig *f, const char *name, const char *value)
{
    const policy_requests *requests = read_one(f, POLICY_REQUESTS_EVENT, name, value);
    assert_string_equal(f->log, "");
    return requests;
}

static void
test_without_a_word_parts_decide_for_themselves(void **state)
{
    policy_rig *f = *state;
    assert_false(policy_requests_keeps(policy_get_requests(NULL)));
    assert_false(policy_requests_keeps(policy_get_requests(f->policy)));
    assert_false(policy_requests_keeps(read_value(f, "request-keep", "parts")));
    assert_false(policy_requests_keeps(read_value(f, "drop", "has-key a")));
    assert_false(policy_requests_keeps(read_value(f, "budget", "1G/d")));
}

static void
test_each_setting(void **state)
{
    policy_rig *f = *state;
    assert_true(read_value(f, "request-keep", "whole")->is_whole);
    assert_int_equal(read_value(f, "keep-slow", "500 ms")->slow_ns, 500 * MS);
    assert_int_equal(read_value(f, "keep-slow", "off")->slow_ns, 0);
    policy_throttle rate = read_value(f, "keep-slowest", "10/m")->slowest;
    assert_true(rate.count == 10 && rate.per_ns == MINUTE);
    rate = read_value(f, "keep-rare", "100 / d")->rare;
    assert_true(rate.count == 100 && rate.per_ns == DAY);
    assert_int_equal(read_value(f, "keep-rare", "off")->rare.per_ns, 0);
    rate = read_value(f, "budget", "100M/h")->budget;
    assert_true(rate.count == 100 << 20 && rate.per_ns == 60 * MINUTE);
    assert_int_equal(read_value(f, "budget", "4096 / m")->budget.count, 4096);
    assert_int_equal(read_value(f, "budget", "off")->budget.per_ns, 0);
    const policy_index *by = read_value(f, "request-by", "traceid, \"my root\"")->by;
    assert_true(
        by->count == 2 && policy_index_has(by, "traceid") && policy_index_has(by, "my root"));
    assert_null(read_value(f, "request-by", "off")->by);
    assert_string_equal(read_value(f, "request", "shop.Order")->unit, "shop.Order");
    assert_null(read_value(f, "request", "outermost")->unit);
}

static void
test_conditions_are_filters_joined_by_or(void **state)
{
    policy_rig *f = *state;
    const policy_filter_any *keep =
        read_value(f, "keep", "has-key a and has-entry b=1 or has-entry \"c d\"=\"x or y\"")->keep;
    assert_int_equal(keep->count, 2);
    assert_int_equal(keep->items[0].term_count, 2);
    assert_string_equal(keep->items[1].terms[0].value, "x or y");
    assert_true(policy_requests_keeps(policy_get_requests(f->policy)));
    assert_non_null(read_value(f, "drop", "has-entry http_route=/health")->drop);
    assert_null(read_value(f, "drop", "off")->drop);
}

static void
test_values_that_are_none_are_told_and_stand_for_the_default(void **state)
{
    policy_rig *f = *state;
    static const struct {
        const char *name;
        const char *value;
        const char *valid;
    } cases[] = {
        {"request-keep", "all", "parts or whole"},
        {"request-keep", "", "parts or whole"},
        {"keep-slow", "0 ms", timespans},
        {"keep-slow", "500", timespans},
        {"keep-slow", "-1 ms", timespans},
        {"keep-slowest", "10", rates},
        {"keep-slowest", "10/s", rates},
        {"keep-slowest", "0/m", rates},
        {"keep-slowest", "101/m", rates},
        {"keep-rare", "1/w", rates},
        {"keep-rare", "many", rates},
        {"keep", "status=500", conditions},
        {"keep", "has-context", conditions},
        {"keep", "has-key a or has-no-context", conditions},
        {"keep", "has-null a", conditions},
        {"drop", "has-key a or", conditions},
        {"drop", "or has-key a", conditions},
        {"drop", "has-key a has-key b", conditions},
        {"drop", "", conditions},
        {"budget", "100M", budgets},
        {"budget", "100M/s", budgets},
        {"budget", "0/m", budgets},
        {"budget", "100 MB/m", budgets},
        {"budget", "99999999999999999999999999999999999/m", budgets},
        {"request-by", "a,", names},
        {"request-by", "", names},
        {"request", "shop.*", types},
        {"request", "", types},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char told[1024];
        print_message("  %s %s\n", cases[i].name, cases[i].value);
        const policy_requests *requests =
            read_one(f, POLICY_REQUESTS_EVENT, cases[i].name, cases[i].value);
        (void)snprintf(told, sizeof(told), "setting %s: invalid value '%s', expected %s;",
            cases[i].name, cases[i].value, cases[i].valid);
        assert_non_null(strstr(f->log, told));
        static const policy_requests none;
        assert_memory_equal(requests, &none, sizeof(none));
    }
}

static void
test_the_last_line_counts(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f, "<configuration version='2.0'><event name='dev.loupe.Request'>"
                                "<setting name='keep'>has-key a</setting>"
                                "<setting name='keep'>has-key b or has-key c</setting>"
                                "<setting name='request'>shop.A</setting>"
                                "<setting name='request'>shop.B</setting>"
                                "<setting name='request-by'>a</setting>"
                                "<setting name='request-by'>b</setting>"
                                "<setting name='keep-slow'>1 s</setting>"
                                "<setting name='keep-slow'>never</setting>"
                                "</event></configuration>"),
        LP_OK);
    const policy_requests *requests = policy_get_requests(f->policy);
    assert_int_equal(requests->keep->count, 2);
    assert_string_equal(requests->unit, "shop.B");
    assert_string_equal(requests->by->attributes[0], "b");
    assert_int_equal(requests->slow_ns, 0); // off stands in
}

static void
test_other_types_and_patterns_do_not_have_them(void **state)
{
    policy_rig *f = *state;
    static const char *const events[] = {"shop.Request", "dev.loupe.*", "*"};
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        assert_false(policy_requests_keeps(read_one(f, events[i], "request-keep", "whole")));
        assert_string_equal(f->log, "");
    }
}

static void
test_no_jvm_is_told(void **state)
{
    policy_rig *f = *state;
    policy_jvm_settings told = {0};
    const policy_requests_setting *setting;
    for (size_t i = 0; (setting = policy_requests_get(i)) != NULL; i++) {
        (void)read_one(f, POLICY_REQUESTS_EVENT, setting->name, setting->stand_in);
        assert_int_equal(policy_jvm_list(f->policy, &told), LP_OK);
        assert_int_equal(told.items.count, 0);
    }
    (void)read_one(f, "shop.Request", "keep", "a setting of the application's");
    assert_int_equal(policy_jvm_list(f->policy, &told), LP_OK);
    assert_int_equal(told.items.count, 1);
    policy_jvm_fini(&told);
}

static void
tell(void *arg, const char *text)
{
    char *told = arg;
    size_t len = strlen(told);
    (void)snprintf(told + len, 2048 - len, "%s\n", text);
}

static void
test_check_knows_their_names(void **state)
{
    policy_rig *f = *state;
    static const char text[] = "<configuration version='2.0'>\n"
                               "<event name='dev.loupe.Request'>\n"
                               "<setting name='request-keep'>whole</setting>\n"
                               "<setting name='keep-slwo'>1 s</setting>\n"
                               "<setting name='keeep-rare'>1/h</setting>\n"
                               "<setting name='wholly-unknown'>1</setting>\n"
                               "<setting name='budget'>1</setting>\n"
                               "</event></configuration>";
    char told[2048] = "";
    policy_check_counts counts;
    policy_rig_write_file(f, text, strlen(text));
    assert_int_equal(policy_check(f->path, tell, told, &counts, &f->problem), LP_OK);
    assert_string_equal(told,
        "line 4: event type dev.loupe.Request: unknown setting keep-slwo; did you mean "
        "keep-slow?\n"
        "line 5: event type dev.loupe.Request: unknown setting keeep-rare; did you "
        "mean keep-rare?\n"
        "line 6: event type dev.loupe.Request: unknown setting wholly-unknown\n"
        "line 7: event type dev.loupe.Request, setting budget: invalid value '1', expected off or "
        "bytes in a time such as 100M/h, in m, h or d; using off\n");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_rig_setup, policy_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_without_a_word_parts_decide_for_themselves),
        TEST(test_each_setting),
        TEST(test_conditions_are_filters_joined_by_or),
        TEST(test_values_that_are_none_are_told_and_stand_for_the_default),
        TEST(test_the_last_line_counts),
        TEST(test_other_types_and_patterns_do_not_have_them),
        TEST(test_no_jvm_is_told),
        TEST(test_check_knows_their_names),
    };
    return cmocka_run_group_tests_name("policy_requests", tests, NULL, NULL);
}
