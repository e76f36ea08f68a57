// SPDX-License-Identifier: Apache-2.0
// Names of event types: a policy finds a type by the name that a program gave it and by the one
// that recordings have, whichever of them the policy says and whichever it is asked for; and names
// that no JVM had are warned of, once, when it is known that none had them.

#include "policy_rig.h"

#include "policy/policy_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int64_t SECOND_NS = 1000000000;

static void
test_patterns_match_either_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *name;
        bool matches;
    } cases[] = {
        {"tracer-*", "tracer-context", true},
        {"tracer-*", "tracer_context", true},
        {"tracer_*", "tracer-context", true},
        {"*-context", "tracer_context", true},
        {"tracer-*", "tracer.context", false},
        {"gr\xc3\xb6\xc3\xb6*", "gr_e", false},
        {"gr\xc3\xb6*", "gr_e", true},
        {"my.cl*s", "my.class", true}, // which recordings have as my.class_
        {"jdk.Socket*", "jdk.SocketRead", true},
        {"jdk.Socket*", "jdk.FileRead", false},
        {"a.b$*", "a.b$C", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *spelled = policy_name_spell(cases[i].pattern);
        policy_name name;
        assert_non_null(spelled);
        print_message("  '%s' '%s'\n", cases[i].pattern, cases[i].name);
        policy_name_init(&name, cases[i].name);
        assert_int_equal(policy_name_matches(cases[i].pattern, spelled, &name), cases[i].matches);
        free(spelled);
    }
}

static void
test_names_of_any_length_are_taken(void **state)
{
    (void)state;
    char dots[POLICY_NAME_BYTES_MAX + 1];
    memset(dots, '.', POLICY_NAME_BYTES_MAX);
    dots[POLICY_NAME_BYTES_MAX] = '\0';
    char *spelled = policy_name_spell(dots);
    assert_non_null(spelled);
    assert_int_equal(strlen(spelled), 3 * POLICY_NAME_BYTES_MAX + 2); // "__.__.__"
    char longer[4 * POLICY_NAME_SPELLED_BYTES_MAX];
    memset(longer, '.', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    policy_name name;
    policy_name_init(&name, longer);
    assert_int_equal(strlen(name.spelled), POLICY_NAME_SPELLED_BYTES_MAX - 1);
    assert_string_not_equal(name.spelled, spelled);
    free(spelled);
}

static void
test_a_type_is_found_by_either_spelling(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>\n"
            "<event name='tracer-context'><setting name='context-threshold'>1 "
            "ms</setting></event>\n"
            "<event name='order_context'><setting name='context-threshold'>2 ms</setting></event>\n"
            "<event name='my-*'><setting name='contextual'>false</setting></event>\n"
            "<event name='both-ways'><setting name='threshold'>3 ms</setting></event>\n"
            "<event name='both_ways'><setting name='threshold'>4 ms</setting></event>\n"
            "</configuration>"),
        LP_OK);
    static const struct {
        const char *name;
        int64_t context_threshold_ns;
    } cases[] = {{"tracer-context", 1000000}, {"tracer_context", 1000000},
        {"order-context", 2000000}, {"order_context", 2000000}, {"tracercontext", 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(policy_find(f->policy, cases[i].name, true).context_threshold_ns,
            cases[i].context_threshold_ns);
    }
    assert_false(policy_is_contextual(f->policy, "my-context", true));
    assert_false(policy_is_contextual(f->policy, "my_context", true));
    // They are one type, so the last line counts.
    assert_int_equal(policy_find(f->policy, "both-ways", false).threshold_ns, 4000000);
    assert_int_equal(policy_find(f->policy, "both_ways", false).threshold_ns, 4000000);
}

static void
expect_unmet(policy_rig *f, bool is_over, int64_t now_s, const char *const *lines, size_t count)
{
    policy_rig_check_unmet(f, is_over, now_s * SECOND_NS);
    const char *at = f->log;
    for (size_t i = 0; i < count; i++) {
        at = strstr(at, f->path);
        assert_non_null(at);
        at += strlen(f->path);
        assert_int_equal(strncmp(at, lines[i], strlen(lines[i])), 0);
    }
    assert_null(strstr(at, f->path));
}

static const char unmet_policy[] =
    "<configuration>\n"
    "<event name='shop.Order'><setting name='select'>all</setting></event>\n"
    "<event name='shop.Ordr'><setting name='select'>all</setting></event>\n"
    "<event name='tracer_context'><setting name='context-match'>a=b</setting></event>\n"
    "<event name='shop.*'><setting name='enabled'>true</setting></event>\n"
    "<event name='shp.*'><setting name='stackTrace'>true</setting></event>\n"
    "<event name='jdk.ThreadPrk'><setting name='enabled'>true</setting></event>\n"
    // Some JVMs have none of these.
    "<event name='jdk.MethodTrace'><setting name='enabled'>true</setting></event>\n"
    "<event name='jdk.Z*'><setting name='enabled'>true</setting></event>\n"
    "<event name='dev.loupe.VirtualThreadMonitorEnter'><setting name='enabled'>true</setting>\n"
    "</event>\n"
    "<event name='loupe.RecordingContext'><setting name='context-match'>a=b</setting></event>\n"
    "<event name='*'><setting name='enabled'>true</setting></event>\n"
    "</configuration>";

static void
test_names_that_no_jvm_had_are_warned_of_once(void **state)
{
    static const char *const all[] = {
        ": line 7: event type jdk.ThreadPrk: not found in any JVM so far; did you mean "
        "jdk.ThreadPark?\n",
        ": line 3: event type shop.Ordr: not found in any JVM so far\n",
        ": line 6: event type shp.*: not found in any JVM so far\n",
    };
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f, unmet_policy), LP_OK);
    assert_string_equal(f->log, "");
    policy_note_type(f->policy, "shop.Order");
    policy_note_type(f->policy, "jdk.ThreadPark");
    policy_note_type(f->policy, "tracer-context");
    expect_unmet(f, false, 1000, NULL, 0); // they may still come
    expect_unmet(f, false, 1599, NULL, 0);
    expect_unmet(f, false, 1600, all, 3);
    expect_unmet(f, false, 1700, NULL, 0);
    expect_unmet(f, true, 1700, NULL, 0);
    policy_note_type(NULL, "t");
    policy_check_unmet(NULL, true, 0, NULL, NULL);
}

static void
test_the_end_of_a_recording_shows_what_no_jvm_had(void **state)
{
    static const char *const lines[] = {
        ": line 4: event type tracer_context: not found in any JVM so far\n"};
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f, unmet_policy), LP_OK);
    static const char *const had[] = {"shop.Order", "shop.Ordr", "shp.A", "jdk.ThreadPrk"};
    for (size_t i = 0; i < sizeof(had) / sizeof(had[0]); i++) {
        policy_note_type(f->policy, had[i]);
    }
    expect_unmet(f, false, 1, NULL, 0);
    expect_unmet(f, true, 2, lines, 1);
}

// tell makes the rig's policy one that a JVM told, anew: the file's path, and this text.
static void
tell(policy_rig *f, const char *text)
{
    policy_destroy(f->policy);
    f->policy = policy_create();
    assert_non_null(f->policy);
    policy_set_told(f->policy);
    assert_int_equal(policy_rig_read_text(f, text), LP_OK);
    assert_string_equal(f->log, "");
}

static void
test_of_what_was_told_elsewhere_only_such_names_are_logged(void **state)
{
    static const char *const lines[] = {": event type t.Select: not found in any JVM so far\n"};
    policy_rig *f = *state;
    tell(f, "<configuration>\n"
            "<event name='t.Select'><setting name='select'>if-contxt</setting></event>\n"
            "<event name='t.Plain'><setting name='select'>if-triggered</setting></event>\n"
            "</configuration>");
    policy_rig_check_type(f, "t.Plain", false);
    assert_string_equal(f->log, "");
    policy_note_type(f->policy, "t.Plain");
    expect_unmet(f, true, 1, lines, 1);
}

static void
test_what_a_jvm_told_has_one_line_and_all_of_them_one_a_minute(void **state)
{
    static const char *const first[] = {
        ": event type t.A: not found in any JVM so far, nor are 2 more of its names\n"};
    static const char *const second[] = {": event type t.D: not found in any JVM so far\n"};
    static const char one[] =
        "<configuration><event name='t.A'><setting name='enabled'>true</setting></event>"
        "<event name='t.B'><setting name='enabled'>true</setting></event>"
        "<event name='t.C*'><setting name='enabled'>true</setting></event></configuration>";
    static const char other[] =
        "<configuration><event name='t.D'><setting name='enabled'>true</setting></event>"
        "</configuration>";
    policy_rig *f = *state;
    tell(f, one);
    expect_unmet(f, true, 1000, first, 1);
    expect_unmet(f, true, 2000, NULL, 0);
    tell(f, other);
    expect_unmet(f, true, 1059, NULL, 0);
    expect_unmet(f, true, 1060, second, 1);
    tell(f, one); // it was let go meanwhile
    expect_unmet(f, true, 3000, NULL, 0);
    tell(f, other);
    expect_unmet(f, true, 3000, NULL, 0);
}

static void
test_a_flood_of_such_names_is_cut(void **state)
{
    char text[8192] = "<configuration>\n";
    for (int i = 0; i < 50; i++) {
        char line[100];
        (void)snprintf(line, sizeof(line),
            "<event name='a.T%d'><setting name='enabled'>true</setting></event>\n", i);
        (void)strncat(text, line, sizeof(text) - strlen(text) - 1);
    }
    (void)strncat(text, "</configuration>", sizeof(text) - strlen(text) - 1);
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f, text), LP_OK);
    policy_rig_check_unmet(f, true, SECOND_NS);
    size_t count = 0;
    for (const char *at = f->log; (at = strstr(at, ": event type a.T")) != NULL; at++) {
        count++;
    }
    assert_int_equal(count, 20);
    assert_non_null(strstr(f->log, ": 30 more event types not found in any JVM so far\n"));
}

int
main(void)
{
#define RIG_TEST(test) cmocka_unit_test_setup_teardown(test, policy_rig_setup, policy_rig_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_match_either_spelling),
        cmocka_unit_test(test_names_of_any_length_are_taken),
        RIG_TEST(test_a_type_is_found_by_either_spelling),
        RIG_TEST(test_names_that_no_jvm_had_are_warned_of_once),
        RIG_TEST(test_the_end_of_a_recording_shows_what_no_jvm_had),
        RIG_TEST(test_of_what_was_told_elsewhere_only_such_names_are_logged),
        RIG_TEST(test_what_a_jvm_told_has_one_line_and_all_of_them_one_a_minute),
        RIG_TEST(test_a_flood_of_such_names_is_cut),
    };
    return cmocka_run_group_tests_name("policy_name", tests, NULL, NULL);
}
