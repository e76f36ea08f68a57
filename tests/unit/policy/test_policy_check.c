// SPDX-License-Identifier: Apache-2.0
// policy_check: each thing that can be wrong, with its line, all of them in one file, and nothing
// to say of a fine one.

#include "policy_rig.h"

#include "policy/policy_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TOLD_BYTES = 8192 };

static void
tell(void *arg, const char *text)
{
    char *told = arg;
    size_t len = strlen(told);
    assert_true(len + strlen(text) + 2 < TOLD_BYTES);
    (void)snprintf(told + len, TOLD_BYTES - len, "%s\n", text);
}

static void
assert_told(policy_rig *f, const char *text, const char *expected)
{
    char told[TOLD_BYTES] = "";
    policy_check_counts counts;
    policy_rig_write_file(f, text, strlen(text));
    assert_int_equal(policy_check(f->path, tell, told, &counts, &f->problem), LP_OK);
    assert_string_equal(told, expected);
    size_t lines = 0;
    for (const char *at = expected; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    assert_int_equal(counts.problems, lines);
}

static void
test_a_fine_file(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.1'>"
        "<event name='com.shop.Request'><setting name='contextual'>true</setting>"
        "<setting name='context-match'>route=/api/*</setting>"
        "<setting name='context-threshold'>1 s</setting>"
        "<setting name='context-throttle'>1/s</setting>"
        "<setting name='context-index'>orderId, customer</setting>"
        "<setting name='select'>if-triggered</setting>"
        "<setting name='limit'>an application's own</setting></event>"
        "<event name='jdk.*'><setting name='filter'>has-context</setting>"
        "<setting name='select'>if-context</setting><setting name='period'>endChunk</setting>"
        "<setting name='stackTrace'>false</setting></event>"
        "<event name='jdk.MethodTiming'><setting name='filter'>anything</setting>"
        "<setting name='level'>is another type's, and no harm</setting></event>"
        "<event name='jdk.CPUTimeSample'><setting name='throttle'>10 ms</setting></event>"
        "<event name='no.such.Type'><setting name='cutoff'>infinity</setting></event>"
        "<control><condition name='x' true='a' false='b'/></control></configuration>",
        "");
}

static void
test_everything_at_once(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration>\n"
        "<event name='t'>\n"
        " <setting name='enabled'>maybe</setting>\n"
        " <setting name='treshold'>1 ms</setting>\n"
        " <setting name='context_match'>a=b</setting>\n"
        " <setting name='stacktrace'>true</setting>\n"
        " <setting name='stackTrace'>\n  TRUE\n </setting>\n"
        " <setting name='period'>every chunk</setting>\n"
        " <setting>1 ms</setting>\n"
        " <settings name='enabled'>true</settings>\n"
        "</event>\n"
        "<event>\n"
        " <setting name='enabled'>maybe</setting>\n"
        "</event>\n"
        "<event name='jdk.GCLocker'><setting name='wholly-unknown'>1</setting></event>\n"
        "<event name='jdk.Old*'><setting name='cutoff'>soon</setting></event>\n"
        "<event name='jdk.CPUTimeSample'><setting name='throttle'>often</setting></event>\n"
        "<event name='jdk.DeprecatedInvocation'><setting name='level'>1</setting></event>\n"
        "<event name='c'><setting name='filter'>has-context</setting>\n"
        "<setting name='select'>if-context</setting><setting "
        "name='contextual'>true</setting></event>"
        "\n</configuration>",
        "line 1: the version is not 2.x; JFR itself refuses the file\n"
        "line 3: event type t, setting enabled: invalid value 'maybe', expected true or false; "
        "using true\n"
        "line 4: event type t: unknown setting treshold; did you mean threshold?\n"
        "line 5: event type t: unknown setting context_match; did you mean context-match?\n"
        "line 6: event type t: unknown setting stacktrace; did you mean stackTrace?\n"
        "line 7: event type t, setting stackTrace: invalid value 'TRUE', expected true or false\n"
        "line 10: event type t, setting period: invalid value 'every chunk', expected everyChunk, "
        "beginChunk, endChunk or a timespan such as 20 ms\n"
        "line 11: event type t: setting without a valid name; ignored\n"
        "line 12: event type t: unknown element <settings>; ignored\n"
        "line 14: event without a valid name; ignored\n"
        "line 17: event type jdk.GCLocker: unknown setting wholly-unknown\n"
        "line 18: event type jdk.Old*, setting cutoff: invalid value 'soon', expected a timespan "
        "such as 20 ms\n"
        "line 19: event type jdk.CPUTimeSample, setting throttle: invalid value 'often', expected "
        "a timespan, or off or a rate such as 100/s\n"
        "line 20: event type jdk.DeprecatedInvocation, setting level: invalid value '1', expected "
        "all or forRemoval\n"
        "line 22: event type c, setting select: invalid value 'if-context' for a contextual type, "
        "expected all or if-triggered; using all\n"
        "line 21: event type c, setting filter: invalid value 'has-context' for a contextual type, "
        "expected off; using off\n");
}

static void
test_the_budget_of_waits_is_of_one_type(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='dev.loupe.JvmPolicy'><setting name='wait-budget'>2000/s</setting>\n"
        "<setting name='wait-budget'>many</setting>\n"
        "<setting name='wait_budget'>1/s</setting>\n"
        "<setting name='wholly-unknown'>1</setting></event>\n"
        "<event name='jdk.ThreadPark'><setting name='wait-budget'>1/s</setting></event>\n"
        "<event name='shop.Sale'><setting name='wait-budget'>its own</setting></event>\n"
        "</configuration>",
        "line 3: event type dev.loupe.JvmPolicy, setting wait-budget: invalid value 'many', "
        "expected off or a rate such as 100/s; using off\n"
        "line 4: event type dev.loupe.JvmPolicy: unknown setting wait_budget; did you mean "
        "wait-budget?\n"
        "line 5: event type dev.loupe.JvmPolicy: unknown setting wholly-unknown\n"
        "line 6: event type jdk.ThreadPark: unknown setting wait-budget\n");
}

static void
test_settings_that_no_pattern_has(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='dev.loupe.*'><setting name='wait-budget'>2000/s</setting>\n"
        "<setting name='keep-slow'>1 s</setting>\n"
        "<setting name='enabled'>true</setting></event>\n"
        "<event name='*'><setting name='request-keep'>whole</setting></event>\n"
        "<event name='dev.loupe.J*'><setting name='wait-budget'>off</setting>\n"
        "<setting name='keep-slow'>its own</setting></event>\n"
        "<event name='shop.*'><setting name='wait-budget'>its own</setting></event>\n"
        "</configuration>",
        "line 2: event type dev.loupe.*, setting wait-budget: a pattern cannot set it; use the "
        "name dev.loupe.JvmPolicy\n"
        "line 3: event type dev.loupe.*, setting keep-slow: a pattern cannot set it; use the name "
        "dev.loupe.Request\n"
        "line 5: event type *, setting request-keep: a pattern cannot set it; use the name "
        "dev.loupe.Request\n"
        "line 6: event type dev.loupe.J*, setting wait-budget: a pattern cannot set it; use the "
        "name dev.loupe.JvmPolicy\n");
}

static void
test_what_a_pattern_makes_contextual(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='shop.*'>\n"
        "<setting name='contextual'>true</setting>\n"
        "<setting name='filter'>has-context</setting>\n" // for many types, and told once
        "</event>\n"
        "<event name='shop.Request'><setting name='enabled'>true</setting></event>\n"
        "<event name='shop.Order'>\n"
        "<setting name='select'>if-context</setting></event>\n"
        "<event name='bank.*'><setting name='contextual'>true</setting>\n"
        "<setting name='select'>if-context</setting></event>\n"
        "<event name='bank.Plain'><setting name='contextual'>false</setting></event>\n"
        "</configuration>",
        "line 8: event type shop.Order, setting select: invalid value 'if-context' for a "
        "contextual type, expected all or if-triggered; using all\n"
        "line 4: event type shop.Order, setting filter: invalid value 'has-context' for a "
        "contextual type, expected off; using off\n"
        "line 10: event type bank.*, setting select: invalid value 'if-context' for a contextual "
        "type, expected all or if-triggered; using all\n");
}

// What the policy calls contextual=false, and what the JDK has, is plain.
static void
test_what_is_for_contexts_alone(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='shop.Request'><setting name='contextual'>false</setting>\n"
        "<setting name='select'>if-triggered</setting>\n"
        "<setting name='context-throttle'>1/s</setting></event>\n"
        "<event name='bank.*'><setting name='contextual'>false</setting>\n"
        "<setting name='context-match'>a=b</setting></event>\n"
        "<event name='bank.Order'><setting name='contextual'>yes</setting></event>\n"
        "<event name='jdk.ThreadPark'><setting name='select'>if-triggered</setting></event>\n"
        "<event name='jdk.Socket*'><setting name='context-threshold'>1 ms</setting></event>\n"
        "<event name='jdk.ThreadSleep'><setting name='contextual'>true</setting>\n"
        "<setting name='context-threshold'>1 ms</setting></event>\n"
        "<event name='jdk.MethodTrace'><setting name='context-threshold'>1 ms</setting></event>\n"
        "<event name='app.Order'><setting name='context-threshold'>1 ms</setting></event>\n"
        "<event name='*'><setting name='context-throttle'>1/s</setting></event>\n"
        "</configuration>",
        "line 7: event type bank.Order, setting contextual: invalid value 'yes', expected true or "
        "false; using as annotated\n"
        "line 3: event type shop.Request, setting select: invalid value 'if-triggered' for a type "
        "that is not contextual, expected all or if-context; using all\n"
        "line 4: event type shop.Request, setting context-throttle: invalid value '1/s' for a type "
        "that is not contextual, expected off; using off\n"
        "line 6: event type bank.*, setting context-match: invalid value 'a=b' for a type that is "
        "not contextual, expected off; using off\n"
        "line 9: event type jdk.SocketRead, setting context-threshold: invalid value '1 ms' for a "
        "type that is not contextual, expected 0 ns; using 0 ns\n"
        "line 8: event type jdk.ThreadPark, setting select: invalid value 'if-triggered' for a "
        "type that is not contextual, expected all or if-context; using all\n");
}

static void
test_all_types_that_a_setting_is_for(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='*'><setting name='select'>if-context</setting>\n"
        "<setting name='filter'>has-context</setting>\n"
        "<setting name='context-threshold'>1 ms</setting></event>\n"
        "<event name='shop.Request'><setting name='contextual'>true</setting></event>\n"
        "<event name='shop.*'><setting name='contextual'>true</setting></event>\n"
        "</configuration>",
        "");
}

static void
test_names_of_types_that_no_jdk_has(void **state)
{
    policy_rig *f = *state;
    assert_told(f,
        "<configuration version='2.0'>\n"
        "<event name='jdk.JavaMonitorEntered'/>\n"
        "<event name='jdk.socketread'/>\n"
        "<event name='jdk.Mine'>\n"
        "<setting name='enabled'>true</setting><setting name='threshold'>1 ms</setting></event>\n"
        "<event name='jdk.Sockets*'/>\n"
        // Of 17 and not of 25, of 25 and not of 17, and others' own.
        "<event name='jdk.BiasedLockRevocation'/><event name='jdk.MethodTrace'/>\n"
        "<event name='jdk.*Read'/><event name='jdk.*'/><event name='*'/><event name='jdk*'/>\n"
        "<event name='jdkx.Y'/><event name='shop.jdk.X'/>\n"
        "</configuration>",
        "line 2: event type jdk.JavaMonitorEntered: not in JDK 17 to 25; did you mean "
        "jdk.JavaMonitorEnter?\n"
        "line 3: event type jdk.socketread: not in JDK 17 to 25; did you mean jdk.SocketRead?\n"
        "line 4: event type jdk.Mine: not in JDK 17 to 25\n"
        "line 6: event type jdk.Sockets*: not in JDK 17 to 25\n");
}

static void
test_a_damaged_file(void **state)
{
    policy_rig *f = *state;
    static const char text[] = "<configuration version='2.0'>\n<event name='t'>\n"
                               "<setting name='enabled'>1</setting>\n</configuration>";
    policy_rig_write_file(f, text, sizeof(text) - 1);
    char told[TOLD_BYTES] = "";
    policy_check_counts counts;
    assert_int_equal(policy_check(f->path, tell, told, &counts, &f->problem), LP_ECORRUPT);
    assert_non_null(strstr(told, "line 3: event type t, setting enabled: invalid value '1'"));
    assert_non_null(strstr(f->problem.text, "line 4: mismatched tag"));
}

static void
test_names_that_are_nearly_known(void **state)
{
    static const struct {
        const char *name;
        const char *meant; // NULL: fine, in an application's event type
    } cases[] = {
        {"Enabled", "enabled"},
        {"enable", "enabled"},
        {"selct", "select"},
        {"throtle", "throttle"},
        {"contextThreshold", "context-threshold"},
        {"context-treshhold", "context-threshold"},
        {"cutof", "cutoff"},
        {"levle", NULL}, // too short for two mistakes
        {"label", NULL},
        {"size", NULL},
        {"context", NULL},
        {"context-limit", NULL},
    };
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[300];
        char expected[300] = "";
        (void)snprintf(text, sizeof(text),
            "<configuration version='2.0'><event name='t'><setting name='%s'>x</setting></event>"
            "</configuration>",
            cases[i].name);
        if (cases[i].meant != NULL) {
            (void)snprintf(expected, sizeof(expected),
                "line 1: event type t: unknown setting %s; did you mean %s?\n", cases[i].name,
                cases[i].meant);
        }
        assert_told(f, text, expected);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_rig_setup, policy_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_fine_file),
        TEST(test_everything_at_once),
        TEST(test_the_budget_of_waits_is_of_one_type),
        TEST(test_settings_that_no_pattern_has),
        TEST(test_what_a_pattern_makes_contextual),
        TEST(test_what_is_for_contexts_alone),
        TEST(test_all_types_that_a_setting_is_for),
        TEST(test_names_of_types_that_no_jdk_has),
        TEST(test_a_damaged_file),
        TEST(test_names_that_are_nearly_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
