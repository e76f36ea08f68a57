// SPDX-License-Identifier: Apache-2.0
// Policies: settings of a .jfc file by event type, every timespan, a warning for every invalid
// value that names file, event type, setting and value, the JDK's own files without a word, and
// files that try to make an XML parser read or expand something refused.

#include "policy_rig.h"

#include "common/base/lp_buf.h"
#include "policy/policy_check.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_settings_are_read_by_event_type(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            "<configuration version='2.0' label='x'>\n"
            " <event name='z.Last'><setting name='select'>if-context</setting></event>\n"
            " <event name='a.First'>\n"
            "  <setting name='enabled'>false</setting>\n"
            "  <setting name='threshold' control='c'> 20 ms\n</setting>\n"
            "  <setting name='stackTrace'>perhaps</setting>\n"
            " </event>\n"
            " <category label='nested'><event name='b.Span'>\n"
            "  <setting name='contextual'>true</setting>\n"
            "  <setting name='select'><!-- why -->if-<![CDATA[triggered]]></setting>\n"
            " </event></category>\n"
            " <control><condition name='enabled'>nonsense</condition>\n"
            "  <setting name='enabled'>nonsense</setting></control>\n"
            "</configuration>\n"),
        LP_OK);
    assert_string_equal(f->log, "");

    policy_event event = policy_find(f->policy, "a.First", false);
    assert_true(event.is_disabled);
    assert_int_equal(event.threshold_ns, 20000000);
    assert_int_equal(event.select, POLICY_SELECT_DEFAULT);
    assert_int_equal(event.contextual, POLICY_CONTEXTUAL_UNSAID);
    event = policy_find(f->policy, "b.Span", false);
    assert_false(event.is_disabled);
    assert_int_equal(event.contextual, POLICY_CONTEXTUAL_YES);
    assert_int_equal(event.select, POLICY_SELECT_IF_TRIGGERED);
    assert_int_equal(policy_find(f->policy, "z.Last", false).select, POLICY_SELECT_IF_CONTEXT);

    event = policy_find(f->policy, "no.Such", false);
    assert_false(event.is_disabled || event.contextual != POLICY_CONTEXTUAL_UNSAID);
    assert_int_equal(event.select, POLICY_SELECT_DEFAULT);
    assert_int_equal(event.threshold_ns, 0);
    assert_false(policy_find(NULL, "a.First", false).is_disabled);
}

static void
test_the_last_setting_counts(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_setting(f, "threshold", "1 s"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "enabled", "false"), LP_OK);
    assert_int_equal(policy_find(f->policy, "t", false).threshold_ns, 1000000000);
    assert_true(policy_find(f->policy, "t", false).is_disabled);
    assert_int_equal(policy_rig_read_setting(f, "enabled", "true"), LP_OK);
    assert_false(policy_find(f->policy, "t", false).is_disabled);
}

static void
test_many_types_are_told_apart(void **state)
{
    policy_rig *f = *state;
    enum { TYPE_COUNT = 1000 };
    enum { TEXT_BYTES = TYPE_COUNT * 100 + 100 };
    char *text = malloc(TEXT_BYTES);
    assert_non_null(text);
    size_t len = (size_t)snprintf(text, TEXT_BYTES, "<configuration>");
    for (int i = 0; i < TYPE_COUNT; i++) {
        int scrambled = i * 7919 % TYPE_COUNT; // not in the order of names
        len += (size_t)snprintf(text + len, TEXT_BYTES - len,
            "<event name='t%d'><setting name='threshold'>%d ns</setting></event>", scrambled,
            scrambled);
    }
    (void)snprintf(text + len, TEXT_BYTES - len, "</configuration>");
    lp_err err = policy_rig_read_text(f, text);
    free(text);
    assert_int_equal(err, LP_OK);
    for (int i = 0; i < TYPE_COUNT; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "t%d", i);
        assert_int_equal(policy_find(f->policy, name, false).threshold_ns, i);
    }
}

// read_told reads settings as those of a JVM: count types or patterns of so many bytes.
static lp_err
read_told(policy_rig *f, size_t count, size_t bytes, bool is_pattern)
{
    lp_buf text = {0};
    lp_buf_append(&text, "<configuration>", 15);
    for (size_t i = 0; i < count; i++) {
        char name[POLICY_TOLD_PATTERN_BYTES_MAX + 16];
        int length = snprintf(name, sizeof(name), "t%zu", i);
        memset(name + length, 'x', sizeof(name) - (size_t)length);
        name[bytes - 1] = is_pattern ? '*' : 'y';
        lp_buf_append(&text, "<event name='", 13);
        lp_buf_append(&text, name, bytes);
        lp_buf_append(&text, "'><setting name='select'>all</setting></event>", 46);
    }
    lp_buf_append(&text, "</configuration>", 16);
    policy *told = policy_create();
    assert_non_null(told);
    policy_set_told(told);
    lp_err err = policy_parse(told, "told", lp_buf_slice(&text), &f->problem);
    policy_destroy(told);
    lp_buf_fini(&text);
    return err;
}

static void
test_settings_of_a_jvm_have_limits_of_their_own(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(read_told(f, POLICY_TOLD_EVENTS_MAX, 10, false), LP_OK);
    assert_int_equal(read_told(f, POLICY_TOLD_EVENTS_MAX + 1, 10, false), LP_ELIMIT);
    assert_int_equal(
        read_told(f, POLICY_TOLD_PATTERNS_MAX, POLICY_TOLD_PATTERN_BYTES_MAX, true), LP_OK);
    assert_int_equal(read_told(f, POLICY_TOLD_PATTERNS_MAX + 1, 10, true), LP_ELIMIT);
    assert_int_equal(read_told(f, 1, POLICY_TOLD_PATTERN_BYTES_MAX + 1, true), LP_ELIMIT);
}

static void
test_every_timespan(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"0 ns", 0},
        {"1 ns", 1},
        {"20ns", 20},
        {"3 us", 3000},
        {"20 ms", 20000000},
        {"10 s", 10000000000},
        {"1 m", 60000000000},
        {"1 h", 3600000000000},
        {"1 d", 86400000000000},
        {"9223372036854775807 ns", INT64_MAX},
        {"106751 d", 9223286400000000000},
        {"infinity", INT64_MAX},
    };
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "threshold", cases[i].text), LP_OK);
        assert_string_equal(f->log, "");
        assert_true(policy_find(f->policy, "t", false).threshold_ns == cases[i].ns);
    }
}

static void
test_every_rate(void **state)
{
    static const struct {
        const char *text;
        policy_throttle throttle;
    } cases[] = {
        {"off", {0, 0}},
        {"0/s", {0, 1000000000}},
        {"1/ns", {1, 1}},
        {"2/us", {2, 1000}},
        {"30/ms", {30, 1000000}},
        {"150/s", {150, 1000000000}},
        {"5 / m", {5, 60000000000}},
        {" 7/ h ", {7, 3600000000000}},
        {"9223372036854775807 /d", {INT64_MAX, 86400000000000}},
    };
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const policy_throttle *expected = &cases[i].throttle;
        assert_int_equal(policy_rig_read_setting(f, "throttle", cases[i].text), LP_OK);
        assert_string_equal(f->log, "");
        policy_event event = policy_find(f->policy, "t", false);
        assert_true(event.throttle.count == expected->count);
        assert_true(event.throttle.per_ns == expected->per_ns);
        assert_int_equal(policy_rig_read_setting(f, "context-throttle", cases[i].text), LP_OK);
        assert_string_equal(f->log, "");
        event = policy_find(f->policy, "t", false);
        assert_true(event.context_throttle.count == expected->count);
        assert_true(event.context_throttle.per_ns == expected->per_ns);
    }
}

static void
test_the_context_settings(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f, "<configuration><event name='shop.Request'>"
                                             "<setting name='context-threshold'>200 ms</setting>"
                                             "<setting name='context-throttle'>10/s</setting>"
                                             "<setting name='context-match'>route=/api/*</setting>"
                                             "</event></configuration>"),
        LP_OK);
    assert_string_equal(f->log, "");
    policy_event event = policy_find(f->policy, "shop.Request", false);
    assert_int_equal(event.context_threshold_ns, 200000000);
    assert_int_equal(event.context_throttle.count, 10);
    assert_int_equal(event.context_throttle.per_ns, 1000000000);
    assert_int_equal(event.threshold_ns, 0);
    assert_int_equal(event.throttle.per_ns, 0);
    assert_non_null(event.context_match);
    assert_string_equal(event.context_match->attribute, "route");
    assert_string_equal(event.context_match->value, "/api/");
    assert_true(event.context_match->is_prefix);
    event = policy_find(f->policy, "other", false);
    assert_int_equal(event.context_threshold_ns, 0);
    assert_int_equal(event.context_throttle.per_ns, 0);
    assert_null(event.context_match);
    // It can be taken back.
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration><event name='shop.Request'>"
                         "<setting name='context-match'>off</setting></event></configuration>"),
        LP_OK);
    assert_string_equal(f->log, "");
    assert_null(policy_find(f->policy, "shop.Request", false).context_match);
}

static void
assert_warned(const policy_rig *f, const char *setting, const char *value)
{
    char expected[700];
    (void)snprintf(expected, sizeof(expected),
        "%s: line 1: event type t, setting %s: invalid value '%s', expected ", f->path, setting,
        value);
    assert_non_null(strstr(f->log, " warn "));
    assert_non_null(strstr(f->log, expected));
    assert_ptr_equal(strchr(f->log, '\n'), strrchr(f->log, '\n')); // one line
}

// However names and values are written in the file.
static void
test_a_warning_is_one_line(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration version='2.0'><event name='a&#10;2026 error b'>"
                         "<setting name='select'>x&#27;[2Jy</setting></event></configuration>"),
        LP_ECORRUPT); // XML has no escape character
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration version='2.0'><event name='a&#10;2026 error b'>"
                         "<setting name='select'>x&#127;y</setting></event></configuration>"),
        LP_OK);
    assert_non_null(
        strstr(f->log, "event type a\\n2026 error b, setting select: invalid value 'x\\x7fy'"));
    assert_ptr_equal(strchr(f->log, '\n'), f->log + strlen(f->log) - 1);
    policy_rig_check_type(f, "a\n2026 error b", false);
    assert_true(f->log[0] == '\0' || strchr(f->log, '\n') == f->log + strlen(f->log) - 1);
}

static void
test_with_context_is_an_attribute_too(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration version='2.0'>\n"
            "<event name='jdk.FileRead' withContext='true'>\n"
            "  <setting name='enabled'>false</setting>\n</event>\n"
            "<event name='jdk.File*' withContext=' false '/>\n"
            "<event name='t'><setting name='withContext'>true</setting></event>\n"
            "<event name='both' withContext='true'><setting name='withContext'>false</setting>"
            "</event>\n</configuration>"),
        LP_OK);
    assert_int_equal(
        policy_find(f->policy, "jdk.FileRead", false).with_context, POLICY_WITH_CONTEXT_YES);
    assert_true(policy_find(f->policy, "jdk.FileRead", false).is_disabled);
    assert_int_equal(
        policy_find(f->policy, "jdk.FileWrite", false).with_context, POLICY_WITH_CONTEXT_NO);
    assert_int_equal(policy_find(f->policy, "t", true).with_context, POLICY_WITH_CONTEXT_YES);
    assert_int_equal(policy_find(f->policy, "both", false).with_context, POLICY_WITH_CONTEXT_NO);
    assert_int_equal(policy_find(f->policy, "u", false).with_context, POLICY_WITH_CONTEXT_UNSAID);
}

static void
test_invalid_values_are_warned_of_and_stood_in_for(void **state)
{
    static const char *const timespans[] = {"", "20", "ms", "-1 ms", "+1 ms", "1.5 s", "1 y",
        "1 ms x", "9223372036854775808 ns", "106752 d", "0x10 ns", "1\xc2\xa0s"};
    static const char *const bools[] = {"", "TRUE", "yes", "1", "true false"};
    static const char *const selects[] = {
        "", "All", "if-contextual", "if_context", "if-outliers", "none"};
    static const char *const throttles[] = {"", "100", "100/", "/s", "-1/s", "+1/s", "1.5/s", "1/w",
        "1/S", "100/10 s", "1/s/s", "1/s x", "9223372036854775808/s", "10 ms", "Off"};
    static const char *const matches[] = {"", "route", "=x", "route=", "route ==x", "route = x",
        "route=a*b", "route=**", "route=a b", "route=\"a", "route=\"a\"b", "\"route=a", "On"};
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(timespans) / sizeof(timespans[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "threshold", "5 ns"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "threshold", timespans[i]), LP_OK);
        assert_warned(f, "threshold", timespans[i]);
        assert_int_equal(policy_find(f->policy, "t", false).threshold_ns, 0);
    }
    for (size_t i = 0; i < sizeof(bools) / sizeof(bools[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "enabled", "false"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "enabled", bools[i]), LP_OK);
        assert_warned(f, "enabled", bools[i]);
        assert_false(policy_find(f->policy, "t", false).is_disabled);
        assert_int_equal(policy_rig_read_setting(f, "contextual", bools[i]), LP_OK);
        assert_warned(f, "contextual", bools[i]);
        assert_int_equal(policy_find(f->policy, "t", false).contextual, POLICY_CONTEXTUAL_UNSAID);
        assert_true(policy_is_contextual(f->policy, "t", true));
        assert_int_equal(policy_rig_read_setting(f, "withContext", "true"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "withContext", bools[i]), LP_OK);
        assert_warned(f, "withContext", bools[i]);
        assert_int_equal(
            policy_find(f->policy, "t", false).with_context, POLICY_WITH_CONTEXT_UNSAID);
    }
    for (size_t i = 0; i < sizeof(selects) / sizeof(selects[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "select", "if-triggered"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "select", selects[i]), LP_OK);
        assert_warned(f, "select", selects[i]);
        assert_int_equal(policy_find(f->policy, "t", false).select, POLICY_SELECT_ALL);
    }
    for (size_t i = 0; i < sizeof(throttles) / sizeof(throttles[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "throttle", "5/s"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "throttle", throttles[i]), LP_OK);
        assert_warned(f, "throttle", throttles[i]);
        assert_int_equal(policy_find(f->policy, "t", false).throttle.per_ns, 0);
        assert_int_equal(policy_rig_read_setting(f, "context-throttle", "5/s"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "context-throttle", throttles[i]), LP_OK);
        assert_warned(f, "context-throttle", throttles[i]);
        assert_int_equal(policy_find(f->policy, "t", false).context_throttle.per_ns, 0);
    }
    assert_int_equal(policy_rig_read_setting(f, "context-threshold", "1 s"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "context-threshold", "long"), LP_OK);
    assert_warned(f, "context-threshold", "long");
    assert_int_equal(policy_find(f->policy, "t", false).context_threshold_ns, 0);
    for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
        assert_int_equal(policy_rig_read_setting(f, "context-match", "a=b"), LP_OK);
        assert_int_equal(policy_rig_read_setting(f, "context-match", matches[i]), LP_OK);
        assert_warned(f, "context-match", matches[i]);
        assert_null(policy_find(f->policy, "t", false).context_match);
    }
    assert_int_equal(policy_rig_read_setting(f, "context-index", "a"), LP_OK);
    assert_int_equal(policy_rig_read_setting(f, "context-index", "a b"), LP_OK);
    assert_warned(f, "context-index", "a b");
    assert_null(policy_find(f->policy, "t", true).context_index);
    assert_int_equal(policy_rig_read_setting(f, "select", "a\nb"), LP_OK);
    assert_warned(f, "select", "a b");
    assert_int_equal(policy_rig_read_text(f, "<configuration><event/></configuration>"), LP_OK);
    assert_non_null(strstr(f->log, "line 1: event without a valid name; ignored"));
}

static void
test_damaged_files_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *text;
        const char *problem;
    } cases[] = {
        {"", "line 1: no element found"},
        {"<configuration>\n<event name='t'>\n", "line 3: no element found"},
        {"<configuration>\n</event>", "line 2: mismatched tag"},
        {"enabled=true\n", "line 1: "},
        {"<html></html>", "line 1: the root element is not <configuration>"},
        {"<!DOCTYPE configuration SYSTEM 'file:///etc/passwd'>\n<configuration/>",
            "line 1: a document type declaration"},
        {"<!DOCTYPE c [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;&a;'>]><configuration>&b;"
         "</configuration>",
            "a document type declaration"},
        {"<configuration>&undefined;</configuration>", "line 1: undefined entity"},
    };
    policy_rig *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(policy_rig_read_text(f, cases[i].text), LP_ECORRUPT);
        assert_non_null(strstr(f->problem.text, f->path));
        assert_non_null(strstr(f->problem.text, cases[i].problem));
        assert_string_equal(f->log, "");
    }
    policy_rig_write_file(f, "<configuration>\0</configuration>", 32);
    assert_int_equal(policy_rig_read_path(f, f->path), LP_ECORRUPT);
}

static void
test_files_that_cannot_be_read(void **state)
{
    policy_rig *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/none.jfc", f->dir.path);
    assert_int_equal(policy_rig_read_path(f, path), LP_ENOENT);
    assert_non_null(strstr(f->problem.text, path));
    assert_int_equal(policy_rig_read_path(f, f->dir.path), LP_EIO);
    assert_non_null(strstr(f->problem.text, "Is a directory"));
}

static void
test_limits_hold(void **state)
{
    policy_rig *f = *state;
    size_t count = POLICY_FILE_BYTES_MAX + 1;
    char *bytes = malloc(count);
    assert_non_null(bytes);
    memset(bytes, ' ', count);
    memcpy(bytes, "<configuration>", 15);
    policy_rig_write_file(f, bytes, count);
    free(bytes);
    assert_int_equal(policy_rig_read_path(f, f->path), LP_ELIMIT);

    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs("<configuration>", file) >= 0);
    for (int i = 0; i <= POLICY_EVENTS_MAX; i++) {
        assert_true(fprintf(file,
                        "<event name='t%d'><setting name='enabled'>true</setting></event>", i) > 0);
    }
    assert_true(fputs("</configuration>", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(policy_rig_read_path(f, f->path), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "too many event types"));

    policy_destroy(f->policy); // it is full
    f->policy = policy_create();
    assert_non_null(f->policy);
    file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs("<configuration>", file) >= 0);
    for (int i = 0; i <= POLICY_PATTERNS_MAX; i++) {
        assert_true(
            fprintf(file, "<event name='t%d*'><setting name='enabled'>true</setting></event>", i) >
            0);
    }
    assert_true(fputs("</configuration>", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(policy_rig_read_path(f, f->path), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "patterns"));

    policy_destroy(f->policy);
    f->policy = policy_create();
    assert_non_null(f->policy);
    // Names and values that are too long are no reason to stop.
    char name[1000];
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    char text[4000];
    (void)snprintf(text, sizeof(text),
        "<configuration><event name='%s'><setting name='enabled'>false</setting></event>"
        "<event name='ok'><setting name='%s'>x</setting><setting name='enabled'>false%s</setting>"
        "<setting name='threshold'>1 ns</setting></event></configuration>",
        name, name, name);
    assert_int_equal(policy_rig_read_text(f, text), LP_OK);
    assert_false(policy_find(f->policy, name, false).is_disabled);
    assert_int_equal(policy_find(f->policy, "ok", false).threshold_ns, 1);
}

static void
test_filters_are_of_their_type(void **state)
{
    policy_rig *f = *state;
    static const char text[] =
        "<configuration><event name='a'><setting name='filter'>has-key x</setting></event>"
        "<event name='b'><setting name='filter'>has-key</setting></event>"
        "<event name='c'><setting name='filter'>has-key x</setting>"
        "<setting name='filter'>off</setting></event></configuration>";
    policy_rig_write_file(f, text, sizeof(text) - 1);
    assert_int_equal(policy_rig_read_path(f, f->path), LP_OK);
    const policy_filter *filter = policy_find(f->policy, "a", false).filter;
    assert_non_null(filter);
    assert_int_equal(filter->term_count, 1);
    assert_string_equal(filter->terms[0].key, "x");
    assert_null(policy_find(f->policy, "b", false).filter);
    assert_null(policy_find(f->policy, "c", false).filter);
    assert_non_null(
        strstr(f->log, "event type b, setting filter: invalid value 'has-key', expected off, or "));
    assert_null(strstr(f->log, "event type a"));
    assert_null(strstr(f->log, "event type c"));
}

static void
test_patterns_and_what_goes_before_them(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>"
            "<event name='jdk.SocketRead'><setting name='threshold'>1 ms</setting></event>"
            "<event name='jdk.*'><setting name='threshold'>9 ms</setting>"
            "<setting name='throttle'>9/s</setting><setting name='enabled'>false</setting></event>"
            "<event name='jdk.Socket*'><setting name='enabled'>true</setting>"
            "<setting name='throttle'>5/s</setting></event>"
            "<event name='*.File*'><setting name='filter'>has-key user</setting></event>"
            "</configuration>"),
        LP_OK);
    assert_string_equal(f->log, "");
    policy_event event = policy_find(f->policy, "jdk.SocketRead", false);
    assert_int_equal(event.threshold_ns, 1000000); // by name, though that stands first
    assert_int_equal(event.throttle.count, 5);     // of the later pattern
    assert_false(event.is_disabled);
    assert_null(event.filter);
    event = policy_find(f->policy, "jdk.SocketWrite", false);
    assert_int_equal(event.threshold_ns, 9000000);
    assert_int_equal(event.throttle.count, 5);
    event = policy_find(f->policy, "jdk.FileRead", false);
    assert_true(event.is_disabled);
    assert_int_equal(event.throttle.count, 9);
    assert_non_null(event.filter);
    event = policy_find(f->policy, "shop.FileRead", false);
    assert_false(event.is_disabled);
    assert_non_null(event.filter);
    assert_null(policy_find(f->policy, "jdkX", false).filter);

    // Another file comes later, so its pattern goes before those of the first, and not before a
    // name.
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration><event name='jdk.*'><setting name='throttle'>off</setting>"
                         "<setting name='threshold'>7 ms</setting></event></configuration>"),
        LP_OK);
    event = policy_find(f->policy, "jdk.SocketRead", false);
    assert_int_equal(event.throttle.per_ns, 0);
    assert_int_equal(event.threshold_ns, 1000000);
    event = policy_find(f->policy, "jdk.SocketWrite", false);
    assert_int_equal(event.threshold_ns, 7000000);
    assert_false(event.is_disabled);
    assert_false(policy_selects_by_context(f->policy));
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration><event name='x*'><setting name='select'>if-context</setting></event>"
            "</configuration>"),
        LP_OK);
    assert_true(policy_selects_by_context(f->policy));
}

static void
test_settings_for_the_other_kind_of_type_are_warned_of_once(void **state)
{
    static const struct {
        const char *type;
        bool is_contextual;
        const char *warning; // NULL: none
    } cases[] = {
        {"fits.Plain", false, NULL}, {"fits.Context", true, NULL}, {"no.Settings", true, NULL},
        {"plain.Select", false,
            ": line 3: event type plain.Select, setting select: invalid value 'if-triggered' for a "
            "type that is not contextual, expected all or if-context; using all\n"},
        {"context.Select", true,
            ": line 4: event type context.Select, setting select: invalid value 'if-context' for a "
            "contextual type, expected all or if-triggered; using all\n"},
        {"context.Filter", true,
            ": line 5: event type context.Filter, setting filter: invalid value 'has-context' for "
            "a contextual type, expected off; using off\n"},
        {"plain.Threshold", false,
            ": line 6: event type plain.Threshold, setting context-threshold: invalid value '1 ms' "
            "for a type that is not contextual, expected 0 ns; using 0 ns\n"},
        {"plain.Throttle", false,
            ": line 7: event type plain.Throttle, setting context-throttle: invalid value '1/s' "
            "for a type that is not contextual, expected off; using off\n"},
        {"plain.Match", false,
            ": line 8: event type plain.Match, setting context-match: invalid value 'a=b' for a "
            "type that is not contextual, expected off; using off\n"},
        {"plain.Defaults", false, NULL},
        {"plain.Index", false,
            ": line 15: event type plain.Index, setting context-index: invalid value 'a' for a "
            "type that is not contextual, expected off; using off\n"},
        {"many.A", true,
            ": line 10: event type many.A, setting select: invalid value 'if-context' for a "
            "contextual type, expected all or if-triggered; using all\n"},
        {"many.B", true, NULL}, // it is the same setting
        {"many.C", true, NULL}, // which has its own
    };
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>\n<event name='fits.*'><setting name='throttle'>1/s</setting></event>\n"
            "<event name='plain.Select'><setting name='select'>if-triggered</setting></event>\n"
            "<event name='context.Select'><setting name='select'>if-context</setting></event>\n"
            "<event name='context.Filter'><setting name='filter'>has-context</setting></event>\n"
            "<event name='plain.Threshold'><setting name='context-threshold'>1 "
            "ms</setting></event>\n"
            "<event name='plain.Throttle'><setting name='context-throttle'>1/s</setting></event>\n"
            "<event name='plain.Match'><setting name='context-match'>a=b</setting></event>\n"
            "<event name='plain.Defaults'><setting name='context-match'>off</setting></event>\n"
            "<event name='many.*'><setting name='select'>if-context</setting></event>\n"
            "<event name='many.C'><setting name='select'>if-triggered</setting></event>\n"
            "<event name='fits.Plain'><setting name='select'>if-context</setting></event>\n"
            "<event name='fits.Context'><setting name='context-match'>a=b</setting></event>\n"
            "<event name='fits.Context'><setting name='context-index'>a</setting></event>\n"
            "<event name='plain.Index'><setting name='context-index'>a</setting></event>\n"
            "</configuration>"),
        LP_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_rig_check_type(f, cases[i].type, cases[i].is_contextual);
        if (cases[i].warning == NULL) {
            assert_string_equal(f->log, "");
            continue;
        }
        const char *at = strstr(f->log, f->path);
        assert_non_null(at);
        assert_string_equal(at + strlen(f->path), cases[i].warning);
        policy_rig_check_type(f, cases[i].type, cases[i].is_contextual);
        assert_string_equal(f->log, "");
    }
    policy_check_type(NULL, "t", true);
}

static void
check_index(policy_rig *f, const char *type, const char *attribute, const char *warning)
{
    policy_rig_check_index(f, type, attribute);
    const char *at = strstr(f->log, f->path);
    assert_string_equal(at == NULL ? f->log : at + strlen(f->path), warning);
}

static void
test_ids_that_a_type_has_not_are_warned_of_once(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>\n"
            "<event name='shop.*'><setting name='context-index'>id, customer</setting></event>\n"
            "<event name='shop.Order'><setting name='context-index'>id, user</setting></event>\n"
            "</configuration>"),
        LP_OK);
    const policy_index *index = policy_find(f->policy, "shop.Order", true).context_index;
    assert_true(policy_index_has(index, "user"));
    assert_false(policy_index_has(index, "customer"));
    index = policy_find(f->policy, "shop.Request", true).context_index;
    assert_true(policy_index_has(index, "customer"));
    check_index(f, "shop.Order", "user",
        ": line 3: event type shop.Order, setting context-index: 'id, user' names user, which is "
        "not an attribute of the type\n");
    check_index(f, "shop.Order", "user", "");
    check_index(f, "shop.Request", "customer", ""); // a pattern's are of those that have them
    check_index(f, "other", "customer", "");
    policy_check_index(NULL, "t", "a");
}

// Contexts of the Java API are if-triggered, and heed nothing of an event's.
static void
test_settings_of_events_for_contexts_of_the_api_are_warned_of_once(void **state)
{
    static const struct {
        const char *type;
        const char *warning; // NULL: none
    } cases[] = {
        {"t.Enabled", ": line 2: event type t.Enabled, setting enabled: invalid value 'false' for "
                      "contexts of the Java API, expected true; using true\n"},
        {"t.Select", ": line 3: event type t.Select, setting select: invalid value 'all' for "
                     "contexts of the Java API, expected if-triggered; using if-triggered\n"},
        {"t.Throttle", ": line 4: event type t.Throttle, setting throttle: invalid value '1/s' for "
                       "contexts of the Java API, expected off; using off\n"},
        {"t.Threshold", ": line 5: event type t.Threshold, setting threshold: invalid value '1 ms' "
                        "for contexts of the Java API, expected 0 ns; using 0 ns\n"},
        {"t.Fits", NULL},
        {"many.A", ": line 10: event type many.A, setting select: invalid value 'if-context' for "
                   "contexts of the Java API, expected if-triggered; using if-triggered\n"},
        {"many.B", NULL}, // it is the same setting
        {"other", NULL},
    };
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>\n<event name='t.Enabled'><setting "
            "name='enabled'>false</setting></event>\n"
            "<event name='t.Select'><setting name='select'>all</setting></event>\n"
            "<event name='t.Throttle'><setting name='throttle'>1/s</setting></event>\n"
            "<event name='t.Threshold'><setting name='threshold'>1 ms</setting></event>\n"
            "<event name='t.Fits'><setting name='enabled'>true</setting>\n"
            "<setting name='select'>if-triggered</setting><setting name='throttle'>off</setting>\n"
            "<setting name='context-match'>a=b</setting><setting name='contextual'>true</setting>\n"
            "<setting name='context-throttle'>1/s</setting></event>\n"
            "<event name='many.*'><setting name='select'>if-context</setting></event>\n"
            "<event name='*'><setting name='enabled'>false</setting>\n"
            "<setting name='throttle'>1/s</setting></event>\n"
            "</configuration>"),
        LP_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_rig_check_api_type(f, cases[i].type);
        const char *at = strstr(f->log, f->path);
        assert_string_equal(at == NULL ? f->log : at + strlen(f->path),
            cases[i].warning == NULL ? "" : cases[i].warning);
        policy_rig_check_api_type(f, cases[i].type);
        assert_string_equal(f->log, "");
    }
    policy_check_api_type(NULL, "t");
}

// What `*` says is for the types that it is valid for. Where a name or a narrower pattern says it,
// that is for all of them.
static void
test_the_pattern_of_all_types_passes_over_the_other_kind(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(
        policy_rig_read_text(f,
            "<configuration>\n"
            "<event name='own.*'><setting name='select'>if-triggered</setting>\n"
            "<setting name='context-threshold'>5 ms</setting></event>\n"
            "<event name='*'><setting name='select'>if-context</setting>\n"
            "<setting name='filter'>has-context</setting>\n"
            "<setting name='context-threshold'>1 ms</setting>\n"
            "<setting name='context-throttle'>7/s</setting>\n"
            "<setting name='context-match'>a=b</setting></event>\n"
            "<event name='later.*'><setting name='select'>if-context</setting></event>\n"
            "<event name='marked'><setting name='contextual'>true</setting></event>\n"
            "<event name='named'><setting name='filter'>has-key k</setting></event>\n"
            "</configuration>"),
        LP_OK);
    policy_event plain = policy_find(f->policy, "plain", false);
    assert_int_equal(plain.select, POLICY_SELECT_IF_CONTEXT);
    assert_non_null(plain.filter);
    assert_int_equal(plain.context_threshold_ns, 0);
    assert_int_equal(plain.context_throttle.per_ns, 0);
    assert_null(plain.context_match);

    policy_event contextual[] = {policy_find(f->policy, "annotated", true),
        policy_find(f->policy, "marked", false), policy_find(f->policy, "marked", true)};
    for (size_t i = 0; i < sizeof(contextual) / sizeof(contextual[0]); i++) {
        assert_int_equal(contextual[i].select, POLICY_SELECT_DEFAULT);
        assert_null(contextual[i].filter);
        assert_int_equal(contextual[i].context_threshold_ns, 1000000);
        assert_int_equal(contextual[i].context_throttle.count, 7);
        assert_non_null(contextual[i].context_match);
    }

    // The last pattern counts of those that are for the type.
    assert_int_equal(policy_find(f->policy, "own.X", false).select, POLICY_SELECT_IF_CONTEXT);
    assert_int_equal(policy_find(f->policy, "own.X", true).select, POLICY_SELECT_IF_TRIGGERED);
    assert_int_equal(policy_find(f->policy, "own.X", true).context_threshold_ns, 1000000);
    assert_int_equal(policy_find(f->policy, "own.X", false).context_threshold_ns, 5000000);
    assert_true(policy_selects_by_context(f->policy));

    policy_rig_check_type(f, "plain", false);
    assert_string_equal(f->log, "");
    policy_rig_check_type(f, "annotated", true);
    assert_string_equal(f->log, "");
    policy_rig_check_type(f, "marked", true);
    assert_string_equal(f->log, "");
    policy_rig_check_type(f, "own.X", true);
    assert_string_equal(f->log, "");
    policy_rig_check_type(f, "own.X", false);
    assert_non_null(strstr(f->log, "line 3: event type own.X, setting context-threshold: "));
    policy_rig_check_type(f, "later.X", true);
    assert_non_null(strstr(f->log, "line 9: event type later.X, setting select: "));
    policy_rig_check_type(f, "named", true);
    assert_non_null(strstr(f->log, "line 11: event type named, setting filter: "));
}

static void
test_the_policy_says_what_is_contextual_before_an_annotation_does(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration>"
                         "<event name='marked'><setting name='contextual'>true</setting></event>"
                         "<event name='plain'><setting name='contextual'>false</setting>"
                         "<setting name='select'>if-context</setting></event>"
                         "<event name='of.*'><setting name='contextual'>false</setting></event>"
                         "<event name='of.One'><setting name='contextual'>true</setting></event>"
                         "<event name='other'><setting name='select'>all</setting></event>"
                         "</configuration>"),
        LP_OK);
    static const struct {
        const char *type;
        bool is_annotated;
        bool is_contextual;
    } cases[] = {
        {"marked", false, true},
        {"marked", true, true},
        {"plain", false, false},
        {"plain", true, false},
        {"of.Any", true, false},
        {"of.One", true, true},
        {"of.One", false, true},
        {"other", true, true},
        {"other", false, false},
        {"no.Such", true, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(policy_is_contextual(f->policy, cases[i].type, cases[i].is_annotated),
            cases[i].is_contextual);
    }
    assert_int_equal(policy_find(f->policy, "marked", false).contextual, POLICY_CONTEXTUAL_YES);
    assert_int_equal(policy_find(f->policy, "plain", true).contextual, POLICY_CONTEXTUAL_NO);
    assert_int_equal(policy_find(f->policy, "of.Any", true).contextual, POLICY_CONTEXTUAL_NO);
    assert_int_equal(policy_find(f->policy, "other", true).contextual, POLICY_CONTEXTUAL_UNSAID);
    assert_true(policy_is_contextual(NULL, "plain", true));
    assert_false(policy_is_contextual(NULL, "plain", false));
    policy_rig_check_type(f, "plain", policy_is_contextual(f->policy, "plain", true));
    assert_string_equal(f->log, "");
}

static void
take_setting(void *arg, const char *setting, const char *value)
{
    char *told = arg;
    size_t len = strlen(told);
    (void)snprintf(told + len, 1024 - len, "%s=%s\n", setting, value);
}

static void
test_what_all_types_are_told_is_shown_where_it_is_for_them(void **state)
{
    policy_rig *f = *state;
    assert_int_equal(policy_rig_read_text(f,
                         "<configuration>"
                         "<event name='*'><setting name='select'>if-context</setting>"
                         "<setting name='context-threshold'>1 ms</setting></event>"
                         "<event name='n'><setting name='select'>if-context</setting></event>"
                         "</configuration>"),
        LP_OK);
    char plain[1024] = "";
    char contextual[1024] = "";
    char named[1024] = "";
    policy_each_own(f->policy, "t", false, take_setting, plain);
    assert_string_equal(plain, "select=if-context\n");
    policy_each_own(f->policy, "t", true, take_setting, contextual);
    assert_string_equal(contextual, "context-threshold=1 ms\n");
    policy_each_own(f->policy, "n", true, take_setting, named);
    assert_string_equal(named, "select=all\ncontext-threshold=1 ms\n");
}

static void
tell(void *arg, const char *text)
{
    (void)snprintf(arg, 1024, "%s", text);
}

static void
test_the_jdk_files_are_read_without_noise(void **state)
{
    policy_rig *f = *state;
    glob_t files;
    if (glob("/usr/lib/jvm/*/lib/jfr/{default,profile}.jfc", GLOB_BRACE, NULL, &files) != 0) {
        skip();
    }
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        assert_int_equal(policy_rig_read_path(f, path), LP_OK);
        assert_string_equal(f->log, "");
        // As the JDK documents: 20 ms by default, 10 ms in a profile.
        int64_t expected_ns = strstr(path, "/default.jfc") != NULL ? 20000000 : 10000000;
        assert_int_equal(
            policy_find(f->policy, "jdk.JavaMonitorEnter", false).threshold_ns, expected_ns);
        assert_false(policy_find(f->policy, "jdk.JavaMonitorEnter", false).is_disabled);
        assert_int_equal(
            policy_find(f->policy, "jdk.JavaMonitorEnter", false).select, POLICY_SELECT_DEFAULT);
        assert_true(policy_find(f->policy, "jdk.ObjectAllocationOutsideTLAB", false).is_disabled);
        assert_int_equal(
            policy_find(f->policy, "jdk.ObjectAllocationSample", false).throttle.per_ns,
            1000000000);
        assert_int_equal(policy_find(f->policy, "jdk.CPUTimeSample", false).throttle.per_ns, 0);
        char told[1024] = "";
        policy_check_counts counts;
        assert_int_equal(policy_check(path, tell, told, &counts, &f->problem), LP_OK);
        assert_string_equal(told, "");
        assert_true(counts.settings > 300);
    }
    globfree(&files);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, policy_rig_setup, policy_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_settings_are_read_by_event_type),
        TEST(test_the_last_setting_counts),
        TEST(test_many_types_are_told_apart),
        TEST(test_settings_of_a_jvm_have_limits_of_their_own),
        TEST(test_every_timespan),
        TEST(test_every_rate),
        TEST(test_the_context_settings),
        TEST(test_a_warning_is_one_line),
        TEST(test_with_context_is_an_attribute_too),
        TEST(test_invalid_values_are_warned_of_and_stood_in_for),
        TEST(test_damaged_files_are_refused_with_their_line),
        TEST(test_files_that_cannot_be_read),
        TEST(test_limits_hold),
        TEST(test_filters_are_of_their_type),
        TEST(test_patterns_and_what_goes_before_them),
        TEST(test_settings_for_the_other_kind_of_type_are_warned_of_once),
        TEST(test_ids_that_a_type_has_not_are_warned_of_once),
        TEST(test_settings_of_events_for_contexts_of_the_api_are_warned_of_once),
        TEST(test_the_pattern_of_all_types_passes_over_the_other_kind),
        TEST(test_the_policy_says_what_is_contextual_before_an_annotation_does),
        TEST(test_what_all_types_are_told_is_shown_where_it_is_for_them),
        TEST(test_the_jdk_files_are_read_without_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
