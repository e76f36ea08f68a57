// SPDX-License-Identifier: Apache-2.0
// A name that comes late: every context of its key shows it, on whichever thread and whenever it
// was set, in each chunk that is not compacted yet; and its records show in nothing else.

#include "compact_session.h"
#include "support/ctx_build.h"

#include <string.h>

enum { SPAN = 1, SPAN_NAME = 2, STRANGER = 3 };

static char span_name[] = "span";
static char said_name[] = "span-name";
static char stranger_name[] = "stranger";
static char root[] = "root";
static char name[] = "name";
static char more[] = "more";
static char none[] = "";

// The name stands between two other attributes.
static const ctx_type types[] = {
    {.id = SPAN,
        .name = span_name,
        .label = none,
        .description = none,
        .attribute_count = 3,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_STRING, name, none, none},
            {CTX_STRING, more, none, none}}},
    {.id = SPAN_NAME,
        .name = said_name,
        .label = none,
        .description = none,
        .completes = SPAN,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_STRING, name, none, none}}},
    {.id = STRANGER, // completes what is not there
        .name = stranger_name,
        .label = none,
        .description = none,
        .completes = 77,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_STRING, name, none, none}}},
};

static void
first_chunk(session *s)
{
    session_chunk(s, 0);
    s->types[0] = types;
    s->type_count[0] = sizeof(types) / sizeof(types[0]);
}

static void
append_name(lp_buf *values, const char *text)
{
    if (text == NULL) {
        ctx_build_null(values);
    } else {
        ctx_build_latin1(values, text);
    }
}

static void
set_span(session *s, int64_t time, int64_t thread, int64_t key, const char *text)
{
    lp_buf values = {0};
    ctx_build_le(&values, (uint64_t)key, 8);
    append_name(&values, text);
    ctx_build_latin1(&values, "more");
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, SPAN, thread, time, &values);
    lp_buf_fini(&values);
}

static void
end_span(session *s, int64_t time, int64_t thread)
{
    session_unset_type(s, time, thread, SPAN);
}

static void
say(session *s, int64_t time, int64_t thread, uint16_t type, int64_t key, const char *text)
{
    lp_buf values = {0};
    ctx_build_le(&values, (uint64_t)key, 8);
    append_name(&values, text);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, type, thread, time, &values);
    lp_buf_fini(&values);
    session_unset_type(s, time + 1, thread, type);
}

static void
test_all_contexts_of_a_key_show_the_late_name(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    end_span(s, 20, 1);
    set_span(s, 12, 2, 7, "GET");
    set_span(s, 14, 3, 8, "GET"); // of another root
    set_span(s, 15, 4, 7, NULL);
    say(s, 30, 3, SPAN_NAME, 7, "GET /orders/{id}"); // longer, on a thread with another's context
    say(s, 31, 3, SPAN_NAME, 9, "of nobody");
    set_span(s, 40, 1, 7, "POST"); // later, and on its way before
    end_span(s, 45, 1);
    end_span(s, 50, 2);
    end_span(s, 50, 3);
    end_span(s, 50, 4);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 16, 2);
    session_mark(s, KEPT, 40, 3); // what is said ends no context
    session_mark(s, KEPT, 17, 4);
    session_mark(s, KEPT, 42, 1);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..20 @1 root=7 name=\"GET /orders/{id}\" more=\"more\", "
        "#2 12..50 @2 root=7 name=\"GET /orders/{id}\" more=\"more\", "
        "#3 14..50 @3 root=8 name=\"GET\" more=\"more\", "
        "#4 15..50 @4 root=7 name=\"GET /orders/{id}\" more=\"more\", "
        "#5 40..45 @1 root=7 name=\"GET /orders/{id}\" more=\"more\"");
    assert_int_equal(s->results[0].stats.contexts_in, 5);
    assert_int_equal(s->results[0].stats.contexts_out, 5);
}

static void
test_the_last_name_counts_and_may_be_null(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    say(s, 20, 1, SPAN_NAME, 7, "first");
    say(s, 30, 2, SPAN_NAME, 7, "x");
    end_span(s, 40, 1);
    set_span(s, 50, 1, 8, "GET");
    say(s, 55, 1, SPAN_NAME, 8, NULL);
    end_span(s, 60, 1);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 52, 1);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..40 @1 root=7 name=\"x\" more=\"more\", "
        "#2 50..60 @1 root=8 name=\"null\" more=\"more\"");
}

// What is said with the third chunk comes too late for the first, which knows the second alone.
static void
test_a_request_longer_than_a_chunk(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    set_span(s, 10, 2, 8, "GET");
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 15, 2);
    session_chunk(s, 100);
    say(s, 120, 2, SPAN_NAME, 8, "GET /soon");
    end_span(s, 121, 2);
    session_mark(s, KEPT, 115, 1);
    session_mark(s, KEPT, 115, 2);
    session_chunk(s, 200);
    session_mark(s, KEPT, 215, 1);
    say(s, 220, 1, SPAN_NAME, 7, "GET /late");
    end_span(s, 230, 1);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..99 @1 root=7 name=\"GET\" more=\"more\", "
        "#2 10..99 @2 root=8 name=\"GET /soon\" more=\"more\"");
    session_expect_parts(s, 1,
        "#1 100..199 @1 root=7 name=\"GET /late\" more=\"more\", "
        "#2 100..121 @2 root=8 name=\"GET /soon\" more=\"more\"");
    session_expect_parts(s, 2, "#1 200..230 @1 root=7 name=\"GET /late\" more=\"more\"");
}

static void
test_a_policy_asks_for_the_late_name(void **state)
{
    session *s = *state;
    session_rules(s,
        "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
        "<event name='span'><setting name='context-match'>name=\"GET /a\"*</setting></event>");
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    session_mark(s, KEPT, 15, 1);
    say(s, 20, 1, SPAN_NAME, 7, "GET /a/{id}");
    end_span(s, 21, 1);
    set_span(s, 30, 1, 8, "GET /a");
    session_mark(s, GONE, 35, 1);
    say(s, 40, 1, SPAN_NAME, 8, "GET /b");
    end_span(s, 41, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..21 @1 root=7 name=\"GET /a/{id}\" more=\"more\"");
}

static void
test_what_cannot_be_applied_changes_nothing(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    say(s, 20, 1, STRANGER, 7, "of no type");
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8); // a key, and no name
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SPAN_NAME, 1, 22, &values);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SPAN_NAME, 1, 23, NULL);
    ctx_build_le(&values, 7, 8);
    ctx_build_le(&values, 1000, 8); // a name that is longer than the record
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SPAN_NAME, 1, 24, &values);
    end_span(s, 30, 1);
    session_mark(s, KEPT, 15, 1);

    ctx_build_le(&values, 7, 8); // a context that has no more than its key
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SPAN, 1, 40, &values);
    say(s, 42, 2, SPAN_NAME, 7, "name");
    end_span(s, 50, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..30 @1 root=7 name=\"name\" more=\"more\"");
    assert_int_equal(s->results[0].stats.contexts_in, 2);
    lp_buf_fini(&values);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_all_contexts_of_a_key_show_the_late_name),
        SESSION_TEST(test_the_last_name_counts_and_may_be_null),
        SESSION_TEST(test_a_request_longer_than_a_chunk),
        SESSION_TEST(test_a_policy_asks_for_the_late_name),
        SESSION_TEST(test_what_cannot_be_applied_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
