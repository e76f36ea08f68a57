// SPDX-License-Identifier: Apache-2.0
// context-threshold and context-match in the engine: which contexts matter, and to what. Sessions
// at random are in tests/prop.

#include "unit/engine/compact_session.h"

#include <stdio.h>
#include <string.h>

#define MARK_IF_CONTEXT                                                                            \
    "<event name='test.Mark'><setting name='select'>if-context</setting></event>"

// begin makes the first chunk, of a session in which marks need a context and contexts of a type
// have a setting.
static void
begin(session *s, const char *type, const char *setting, const char *value)
{
    char text[512];
    (void)snprintf(text, sizeof(text),
        MARK_IF_CONTEXT "<event name='%s'><setting name='%s'>%s</setting></event>", type, setting,
        value);
    session_rules(s, text);
    session_chunk(s, 0);
}

// text_of appends the id of a trace to the payload of an event; NULL for null.
typedef void text_of(lp_buf *payload);

// trace_of adds a trace on thread 1 with a mark in it, both of which have that fate.
static void
trace_of(session *s, session_fate fate, int64_t start, text_of *append)
{
    jfr_build *build = session_build(s);
    session_mark(s, fate, start + 5, 1);
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, 9);
    jfr_build_varint(&build->payload, 1);
    append(&build->payload);
    struct session_event *made = LP_VEC_PUSH(&s->events);
    assert_non_null(made);
    *made = (struct session_event){
        s->count - 1, jfr_build_event(build, JFR_SAMPLE_TRACE), fate == KEPT};
}

static void
utf8(lp_buf *payload)
{
    jfr_build_string(payload, "caf\xc3\xa9/1");
}

static void
latin1(lp_buf *payload)
{
    jfr_build_string_latin1(payload, "caf\xe9/2");
}

static void
utf16(lp_buf *payload)
{
    static const uint16_t units[] = {'c', 'a', 'f', 0xe9};
    jfr_build_string_utf16(payload, units, 4);
}

static void
constant(lp_buf *payload)
{
    jfr_build_string_constant(payload, 7);
}

static void
undefined(lp_buf *payload)
{
    jfr_build_string_constant(payload, 8);
}

static void
shorter(lp_buf *payload)
{
    jfr_build_string(payload, "caf");
}

static void
empty(lp_buf *payload)
{
    jfr_build_string(payload, "");
}

static void
null(lp_buf *payload)
{
    jfr_build_string(payload, NULL);
}

static void
define_constant(session *s)
{
    jfr_build *build = session_build(s);
    jfr_build_string(&build->payload, "caf\xc3\xa9/1");
    jfr_build_constant(build, JFR_SAMPLE_STRING, 7);
}

static void
test_a_prefix_is_found_however_a_text_is_stored(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-match", "traceId=caf\xc3\xa9*");
    define_constant(s);
    trace_of(s, KEPT, 10, utf8);
    trace_of(s, KEPT, 20, latin1);
    trace_of(s, KEPT, 30, utf16);
    trace_of(s, KEPT, 40, constant);
    trace_of(s, GONE, 50, undefined);
    trace_of(s, GONE, 60, shorter);
    trace_of(s, GONE, 70, empty);
    trace_of(s, GONE, 80, null);
    session_run(s);
}

static void
test_a_value_is_the_whole_text(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-match", "traceId=caf\xc3\xa9/1");
    define_constant(s);
    trace_of(s, KEPT, 10, utf8);
    trace_of(s, GONE, 20, latin1);
    trace_of(s, GONE, 30, utf16);
    trace_of(s, KEPT, 40, constant);
    session_run(s);
}

static void
test_any_value_is_not_null(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-match", "traceId=*");
    trace_of(s, KEPT, 10, empty);
    trace_of(s, GONE, 20, null);
    session_run(s);
}

static void
test_no_attribute_is_no_match(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-match", "route=*");
    trace_of(s, GONE, 10, utf8);
    session_run(s);
}

static void
test_numbers_are_decimal(void **state)
{
    session *s = *state;
    static const char all[] = "<setting name='contextual'>true</setting>"
                              "<setting name='select'>all</setting>";
    char text[512];
    (void)snprintf(text, sizeof(text),
        "<event name='test.Idle'>%s<setting name='context-match'>number=0</setting></event>"
        "<event name='test.Odd'>%s<setting name='context-match'>bits=0</setting></event>",
        all, all);
    session_rules(s, text);
    session_chunk(s, 0);
    session_event_of(s, KEPT, &(jfr_sample){.type = JFR_SAMPLE_IDLE, .start = 10, .end = 15});
    session_event_of(s, GONE, // an array is no value
        &(jfr_sample){.type = JFR_SAMPLE_ODD, .start = 10, .end = 15, .thread = 1, .text = ""});
    session_run(s);
}

static void
test_what_lies_in_another_context_stays(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-threshold", "20 ns");
    session_trace(s, GONE, 10, 29, 1); // 19
    session_trace(s, KEPT, 5, 25, 1);  // 20
    session_mark(s, KEPT, 25, 1);
    session_mark(s, GONE, 26, 1);
    session_plain(s, KEPT, 27, 28, 1); // needs no context
    session_run(s);
}

static void
test_a_disabled_type_matters_by_its_length(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT "<event name='test.Trace'><setting name='enabled'>false"
                                     "</setting><setting name='context-threshold'>20 ns</setting>"
                                     "</event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 30, 1);
    session_mark(s, KEPT, 15, 1);
    session_trace(s, GONE, 40, 59, 1);
    session_mark(s, GONE, 45, 1);
    session_run(s);
}

static void
test_select_all_keeps_nothing_that_does_not_matter(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='context-threshold'>20 ns</setting></event>");
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 30, 1);
    session_trace(s, GONE, 40, 59, 1);
    session_event_of(s, GONE, &(jfr_sample){JFR_SAMPLE_SPAN, 35, 60, .thread = 1});
    session_run(s);
}

static void
test_a_context_of_the_next_chunk_is_asked_too(void **state)
{
    session *s = *state;
    begin(s, "test.Trace", "context-threshold", "50 ns");
    session_mark(s, KEPT, 80, 1);
    session_mark(s, GONE, 80, 2);
    session_chunk(s, 100);
    session_trace(s, KEPT, 70, 120, 1);
    session_trace(s, GONE, 71, 120, 2);
    session_run(s);
}

// --- Contexts of the API

static void
test_a_context_of_the_api_has_its_length(void **state)
{
    session *s = *state;
    begin(s, "tracer", "context-threshold", "20 ns");
    session_set(s, 10, 1, "long");
    session_unset(s, 30, 1);
    session_set(s, 40, 1, "short");
    session_set(s, 59, 1, "open");
    session_mark(s, KEPT, 15, 1);
    session_mark(s, GONE, 45, 1);
    session_mark(s, KEPT, 60, 1);
    session_plain(s, KEPT, 41, 42, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..30 @1 id=\"long\", #3 59..1000000000 @1 id=\"open\"");
}

static void
test_one_that_is_open_where_a_chunk_ends_matters_in_both(void **state)
{
    session *s = *state;
    begin(s, "tracer", "context-threshold", "50 ns");
    session_set(s, 90, 1, "across");
    session_mark(s, KEPT, 95, 1);
    session_chunk(s, 100);
    session_unset(s, 110, 1);
    session_mark(s, KEPT, 105, 1);
    session_set(s, 120, 1, "within");
    session_unset(s, 130, 1);
    session_mark(s, GONE, 125, 1);
    session_chunk(s, 200);
    session_mark(s, KEPT, 106, 1); // stored late
    session_mark(s, GONE, 126, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 90..99 @1 id=\"across\"");
    session_expect_parts(s, 1, "#1 100..110 @1 id=\"across\"");
    session_expect_parts(s, 2, "");
}

// Its begin comes with the next chunk: it was open at the border all the same.
static void
test_one_that_is_open_where_a_chunk_begins_matters(void **state)
{
    session *s = *state;
    begin(s, "tracer", "context-threshold", "50 ns");
    session_chunk(s, 100);
    session_set(s, 90, 1, "across");
    session_mark(s, KEPT, 105, 1);
    session_unset(s, 110, 1);
    session_set(s, 120, 1, "within");
    session_mark(s, GONE, 125, 1);
    session_unset(s, 130, 1);
    session_run(s);
    session_expect_parts(s, 1, "#1 100..110 @1 id=\"across\"");
}

static void
test_an_end_that_was_lost_says_nothing(void **state)
{
    session *s = *state;
    begin(s, "tracer", "context-threshold", "50 ns");
    session_set(s, 10, 1, "lost");
    session_mark(s, KEPT, 15, 1);
    session_thread_end(s, 20, CTX_THREAD_ALL);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"lost\"");
}

static void
test_an_attribute_of_the_api_is_a_text(void **state)
{
    session *s = *state;
    begin(s, "order", "context-match", "number=-1*");
    session_set_number(s, 10, 1, SESSION_ORDER, -17);
    session_mark(s, KEPT, 15, 1);
    session_set_number(s, 20, 1, SESSION_ORDER, 17);
    session_mark(s, GONE, 25, 1);
    session_unset_type(s, 30, 1, SESSION_ORDER);
    session_set(s, 40, 1, "of another type");
    session_mark(s, KEPT, 45, 1);
    session_run(s);
    session_expect_parts(
        s, 0, "#1 10..19 @1 number=-17, #3 40..1000000000 @1 id=\"of another type\"");
}

static ctx_entry pay[] = {{.key = "route", .value = SESSION_VALUE("/pay")}};
static ctx_entry buy[] = {{.key = "route", .value = SESSION_VALUE("/buy")}};
static ctx_entry none[] = {{.key = "route", .is_null = true}};
static const ctx_recording maps[] = {{1, 1, pay}, {2, 1, buy}, {3, 1, none}};

static void
test_an_entry_of_a_recording_context_is_asked(void **state)
{
    session *s = *state;
    begin(s, session_types[SESSION_RECORDING - 1].name, "context-match", "route=/pay");
    session_define(s, maps, 3);
    session_install(s, 10, 1, 1);
    session_mark(s, KEPT, 15, 1);
    session_install(s, 20, 1, 2);
    session_mark(s, GONE, 25, 1);
    session_install(s, 30, 1, 3);
    session_mark(s, GONE, 35, 1);
    session_install(s, 40, 1, 4); // its map is not known
    session_mark(s, GONE, 45, 1);
    session_uninstall(s, 50, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..19 @1 route=\"/pay\"");
}

static void
test_filters_see_what_was_installed(void **state)
{
    session *s = *state;
    char text[512];
    (void)snprintf(text, sizeof(text),
        "<event name='%s'><setting name='context-match'>route=/pay</setting></event>"
        "<event name='test.Mark'><setting name='filter'>has-entry route=/buy</setting></event>",
        session_types[SESSION_RECORDING - 1].name);
    session_rules(s, text);
    session_chunk(s, 0);
    session_define(s, maps, 3);
    session_install(s, 10, 1, 1);
    session_install(s, 20, 1, 2);
    session_uninstall(s, 30, 1);
    session_mark(s, GONE, 15, 1);
    session_mark(s, KEPT, 25, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_a_prefix_is_found_however_a_text_is_stored),
        SESSION_TEST(test_a_value_is_the_whole_text),
        SESSION_TEST(test_any_value_is_not_null),
        SESSION_TEST(test_no_attribute_is_no_match),
        SESSION_TEST(test_numbers_are_decimal),
        SESSION_TEST(test_what_lies_in_another_context_stays),
        SESSION_TEST(test_a_disabled_type_matters_by_its_length),
        SESSION_TEST(test_select_all_keeps_nothing_that_does_not_matter),
        SESSION_TEST(test_a_context_of_the_next_chunk_is_asked_too),
        SESSION_TEST(test_a_context_of_the_api_has_its_length),
        SESSION_TEST(test_one_that_is_open_where_a_chunk_ends_matters_in_both),
        SESSION_TEST(test_one_that_is_open_where_a_chunk_begins_matters),
        SESSION_TEST(test_an_end_that_was_lost_says_nothing),
        SESSION_TEST(test_an_attribute_of_the_api_is_a_text),
        SESSION_TEST(test_an_entry_of_a_recording_context_is_asked),
        SESSION_TEST(test_filters_see_what_was_installed),
    };
    return cmocka_run_group_tests_name("compact_worth", tests, NULL, NULL);
}
