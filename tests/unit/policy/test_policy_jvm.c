// SPDX-License-Identifier: Apache-2.0
// What the JVM is told: applied as the agent does it, in order, each type has what its policy says.

#include "policy_rig.h"

#include "policy/policy_jvm.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// told gives what a type has when the list was applied in order; "" if nothing is said.
static const char *
told(const policy_jvm_settings *list, const char *type, const char *setting)
{
    const char *value = "";
    for (size_t i = 0; i < list->items.count; i++) {
        const policy_jvm_setting *item = &list->items.items[i];
        if (strcmp(item->setting, setting) == 0 && fnmatch(item->event, type, 0) == 0) {
            value = item->value;
        }
    }
    return value;
}

static void
test_what_is_told_and_what_is_not(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>"
            "<event name='a'><setting name='enabled'>true</setting>"
            "<setting name='stackTrace'> true\n</setting><setting "
            "name='period'>everyChunk</setting>"
            "<setting name='threshold'>5 ms</setting><setting name='cutoff'>infinity</setting>"
            "<setting name='throttle'>7/s</setting><setting name='its-own'>x &amp; y</setting>"
            "<setting name='select'>all</setting><setting name='contextual'>false</setting></event>"
            "<event name='jdk.MethodTrace'><setting "
            "name='filter'>java.lang.String::length</setting>"
            "</event>"
            "<event name='jdk.CPUTimeSample'><setting name='throttle'>10ms</setting>"
            "<setting name='select'>if-context</setting></event>"
            "</configuration>"),
        LP_OK);
    assert_string_equal(f->log, "");
    static const struct {
        const char *type;
        const char *setting;
        const char *value;
    } expected[] = {
        {"a", "enabled", "true"},
        {"a", "stackTrace", "true"},
        {"a", "period", "everyChunk"},
        {"a", "threshold", "5 ms"},
        {"a", "cutoff", "infinity"},
        {"a", "throttle", "7/s"},
        {"a", "its-own", "x & y"},
        {"a", "select", "all"},
        {"a", "contextual", "false"},
        {"jdk.MethodTrace", "filter", "java.lang.String::length"},
        {"jdk.CPUTimeSample", "throttle", "10ms"}, // without it there would be no samples
        {"jdk.CPUTimeSample", "select", "if-context"},
    };
    policy_jvm_settings list = {0};
    assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
    assert_int_equal(list.items.count, sizeof(expected) / sizeof(expected[0]));
    for (size_t i = 0; i < list.items.count; i++) {
        assert_string_equal(list.items.items[i].event, expected[i].type);
        assert_string_equal(list.items.items[i].setting, expected[i].setting);
        assert_string_equal(list.items.items[i].value, expected[i].value);
    }
    policy_jvm_fini(&list);
}

static void
test_invalid_values_are_not_handed_on(void **state)
{
    policy_rig *f = *state;
    policy_jvm_settings list = {0};
    assert_int_equal(policy_rig_read_setting(f, "throttle", "7/fortnight"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "enabled", "perhaps"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "threshold", "short"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "stackTrace", "perhaps"), LP_OK); // JFR's own
    assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
    assert_string_equal(told(&list, "t", "throttle"), "off");
    assert_string_equal(told(&list, "t", "enabled"), "true");
    assert_string_equal(told(&list, "t", "threshold"), "0 ns");
    assert_string_equal(told(&list, "t", "stackTrace"), "perhaps");
    policy_jvm_fini(&list);
}

static void
test_the_jvm_throttles_nothing_that_the_engine_selects_from(void **state)
{
    static const struct {
        const char *setting;
        const char *value;
        const char *throttle;
    } cases[] = {
        {"select", "all", "9/s"},
        {"select", "if-context", "off"},
        {"select", "if-triggered", "off"},
        {"contextual", "true", "off"},
        {"contextual", "false", "9/s"},
        {"filter", "has-context", "off"},
        {"filter", "off", "9/s"},
        {"context-threshold", "1 ms", "off"},
        {"context-threshold", "0 ms", "9/s"},
        {"context-throttle", "1/s", "off"},
        {"context-throttle", "off", "9/s"},
        {"context-match", "a=b", "off"},
        {"context-match", "off", "9/s"},
        {"context-index", "a", "9/s"},
        {"threshold", "1 ms", "9/s"},
    };
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int order = 0; order < 3; order++) {
            char text[400];
            char own[200];
            (void)snprintf(own, sizeof(own),
                "<event name='t'><setting name='%s'>%s</setting></event>", cases[i].setting,
                cases[i].value);
            static const char rate[] =
                "<event name='t'><setting name='throttle'>9/s</setting></event>";
            (void)snprintf(text, sizeof(text), "<configuration>%s%s%s</configuration>",
                order == 1 ? rate : "", own, order == 0 ? rate : "");
            policy_destroy(f->policy);
            f->policy = policy_create();
            assert_int_equal(policy_rig_read_text(f, text), LP_OK);
            policy_jvm_settings list = {0};
            assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
            bool is_unsaid = order == 2 && strcmp(cases[i].throttle, "off") != 0;
            assert_string_equal(told(&list, "t", "throttle"), is_unsaid ? "" : cases[i].throttle);
            policy_jvm_fini(&list);
        }
    }
}

static void
test_all_types_are_throttled_unless_the_engine_selects_from_them(void **state)
{
    policy_rig *f = *state;
    // For contextual types alone, which are those that the policy marks. The agent knows the
    // others.
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration><event name='*'><setting name='context-threshold'>1 ms</setting>"
            "<setting name='select'>if-triggered</setting>"
            "<setting name='throttle'>9/s</setting></event>"
            "<event name='shop.Request'><setting name='contextual'>true</setting></event>"
            "<event name='jdk.ThreadPark'><setting name='select'>if-context</setting></event>"
            "</configuration>"),
        LP_OK);
    policy_jvm_settings list = {0};
    assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
    assert_string_equal(told(&list, "jdk.SocketRead", "throttle"), "9/s");
    assert_string_equal(told(&list, "jdk.ThreadPark", "throttle"), "off");
    assert_string_equal(told(&list, "shop.Request", "throttle"), "off");
    policy_jvm_fini(&list);

    // For all others.
    list = (policy_jvm_settings){0};
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration><event name='*'><setting name='select'>if-context</setting></event>"
            "<event name='jdk.SocketRead'><setting name='throttle'>5/s</setting></event>"
            "<event name='jdk.FileRead'><setting name='throttle'>5/s</setting>"
            "<setting name='select'>all</setting></event>"
            "</configuration>"),
        LP_OK);
    assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
    assert_string_equal(told(&list, "jdk.SocketRead", "throttle"), "off");
    assert_string_equal(told(&list, "jdk.SocketWrite", "throttle"), "off");
    assert_string_equal(told(&list, "jdk.FileRead", "throttle"), "5/s");
    policy_jvm_fini(&list);
}

static void
test_patterns_are_told_before_names(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>"
            "<event name='jdk.SocketRead'><setting name='threshold'>1 ms</setting>"
            "<setting name='throttle'>1/s</setting></event>"
            "<event name='jdk.FileRead'><setting name='throttle'>2/s</setting></event>"
            "<event name='jdk.FileForce'><setting name='throttle'>3/s</setting>"
            "<setting name='select'>all</setting></event>"
            "<event name='jdk.Socket*'><setting name='select'>if-context</setting></event>"
            "<event name='jdk.File*'><setting name='filter'>has-context</setting></event>"
            "<event name='jdk.FileForce'><setting name='filter'>off</setting></event>"
            "<event name='jdk.*'><setting name='threshold'>8 ms</setting>"
            "<setting name='throttle'>8/s</setting></event>"
            "</configuration>"),
        LP_OK);
    policy_jvm_settings list = {0};
    assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
    assert_string_equal(told(&list, "jdk.SocketRead", "threshold"), "1 ms");
    assert_string_equal(told(&list, "jdk.SocketWrite", "threshold"), "8 ms");
    assert_string_equal(told(&list, "jdk.SocketRead", "throttle"), "off");
    assert_string_equal(told(&list, "jdk.SocketWrite", "throttle"), "off");
    assert_string_equal(told(&list, "jdk.FileRead", "throttle"), "off");
    assert_string_equal(told(&list, "jdk.FileForce", "throttle"), "3/s");
    assert_string_equal(told(&list, "jdk.ThreadPark", "throttle"), "8/s");
    assert_string_equal(told(&list, "shop.Sale", "throttle"), "");
    policy_jvm_fini(&list);
}

static void
test_the_budget_of_waits_is_told_as_it_is_used(void **state)
{
    policy_rig *f = *state;
    static const struct {
        const char *value;
        const char *told;
    } cases[] = {
        {"2000/s", "2000/s"},
        {"0 / m", "0 / m"},
        {"off", "off"},
        {"2000", "off"},
        {"2000/week", "off"},
        {"-1/s", "off"},
        {"", "off"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[200];
        (void)snprintf(text, sizeof(text),
            "<configuration><event name='dev.loupe.JvmPolicy'><setting name='wait-budget'>%s"
            "</setting></event></configuration>",
            cases[i].value);
        assert_int_equal(policy_rig_read_text(f, text), LP_OK);
        char warning[200] = "";
        if (strcmp(cases[i].value, cases[i].told) != 0) {
            (void)snprintf(warning, sizeof(warning),
                "event type dev.loupe.JvmPolicy, setting wait-budget: invalid value '%s', expected "
                "off or a rate such as 100/s; using off",
                cases[i].value);
        }
        assert_non_null(strstr(f->log, warning));
        assert_int_equal(f->log[0] == '\0', warning[0] == '\0');
        policy_jvm_settings list = {0};
        assert_int_equal(policy_jvm_list(f->policy, &list), LP_OK);
        assert_string_equal(told(&list, "dev.loupe.JvmPolicy", "wait-budget"), cases[i].told);
        policy_jvm_fini(&list);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_rig_setup, policy_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_told_and_what_is_not),
        TEST(test_invalid_values_are_not_handed_on),
        TEST(test_the_jvm_throttles_nothing_that_the_engine_selects_from),
        TEST(test_all_types_are_throttled_unless_the_engine_selects_from_them),
        TEST(test_patterns_are_told_before_names),
        TEST(test_the_budget_of_waits_is_told_as_it_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
