// SPDX-License-Identifier: Apache-2.0
// A name that comes late: every context of its key shows it, on whichever thread and whenever it
// was set, in each chunk that is not compacted yet; and its records show in nothing else.

#include "support/ctx_build.h"
#include "unit/engine/compact_session.h"

#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 1, SPAN_NAME, STRANGER, SPAN_MORE, HAND_OVER, ROOT };

static char span_name[] = "span";
static char said_name[] = "span-name";
static char stranger_name[] = "stranger";
static char said_more[] = "span-more";
static char root[] = "root";
static char name[] = "name";
static char more[] = "more";
static char hand_over[] = "loupe.HandOver";
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
    {.id = STRANGER, // completes an unknown type
        .name = stranger_name,
        .label = none,
        .description = none,
        .completes = 77,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_STRING, name, none, none}}},
    {.id = SPAN_MORE,
        .name = said_more,
        .label = none,
        .description = none,
        .completes = SPAN,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_STRING, more, none, none}}},
    {.id = HAND_OVER,
        .name = hand_over,
        .label = none,
        .description = none,
        .is_hand_over = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, root, none, none}, {CTX_LONG, more, none, none}}},
    {.id = ROOT,
        .name = root,
        .label = none,
        .description = none,
        .is_root = true,
        .attribute_count = 2,
        .attributes = {{CTX_HEX, root, none, none}, {CTX_BOOLEAN, more, none, none}}},
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
    session_mark(s, KEPT, 40, 3); // a completion ends no context
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
set_numbers(session *s, int64_t time, int64_t thread, uint16_t type, int64_t first, int64_t second)
{
    lp_buf values = {0};
    ctx_build_le(&values, (uint64_t)first, 8);
    ctx_build_le(&values, (uint64_t)second, 8);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, type, thread, time, &values);
    lp_buf_fini(&values);
}

static void
take_up(session *s, int64_t time, int64_t thread, int64_t from, int64_t since)
{
    set_numbers(s, time, thread, HAND_OVER, from, since);
}

static void
test_hand_overs_begin_and_end_no_context(void **state)
{
    session *s = *state;
    first_chunk(s);
    take_up(s, 9, 1, 2, 5);
    set_span(s, 10, 1, 7, "GET");
    say(s, 30, 3, SPAN_NAME, 7, "GET /orders/{id}");
    take_up(s, 12, 1, 3, 11); // of a task inside
    session_mark(s, KEPT, 15, 1);
    session_chunk(s, 100); // the type goes along
    take_up(s, 103, 1, 3, 11);
    session_mark(s, KEPT, 105, 1);
    end_span(s, 110, 1);
    take_up(s, 120, 1, 2, 90);
    session_mark(s, KEPT, 125, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..99 @1 root=7 name=\"GET /orders/{id}\" more=\"more\"");
    session_expect_parts(s, 1, "#1 100..110 @1 root=7 name=\"GET /orders/{id}\" more=\"more\"");
    assert_int_equal(s->results[0].stats.contexts_in, 1);
    assert_int_equal(s->results[1].stats.contexts_lost, 0);
}

static void
test_roots_begin_and_end_no_context(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_numbers(s, 9, 1, ROOT, 7, false);
    set_span(s, 10, 1, 7, "GET");
    set_numbers(s, 12, 1, ROOT, 8, false);
    session_mark(s, KEPT, 15, 1);
    end_span(s, 20, 1);
    set_numbers(s, 30, 2, ROOT, 7, true);
    session_mark(s, KEPT, 35, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 root=7 name=\"GET\" more=\"more\"");
    assert_int_equal(s->results[0].stats.contexts_in, 1);
    assert_int_equal(s->results[0].stats.contexts_lost, 0);
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

// The completion of the third chunk comes too late for the first, which only knows the second.
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
        "#1 10..99 @1 root=7 name=\"GET /late\" more=\"more\", "
        "#2 10..99 @2 root=8 name=\"GET /soon\" more=\"more\"");
    session_expect_parts(s, 1,
        "#1 100..199 @1 root=7 name=\"GET /late\" more=\"more\", "
        "#2 100..121 @2 root=8 name=\"GET /soon\" more=\"more\"");
    session_expect_parts(s, 2, "#1 200..230 @1 root=7 name=\"GET /late\" more=\"more\"");
}

// Its records have ended when the name arrives with the next chunk.
static void
test_a_context_that_ended_in_the_chunk_before_its_name(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    end_span(s, 20, 1);
    session_mark(s, KEPT, 15, 1);
    session_chunk(s, 100);
    say(s, 110, 2, SPAN_NAME, 7, "GET /soon");
    session_mark(s, KEPT, 115, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 root=7 name=\"GET /soon\" more=\"more\"");
}

// One is open at the border, and three chunks have completions of it.
static void
test_two_types_complete_one(void **state)
{
    session *s = *state;
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    set_span(s, 10, 2, 8, "GET");
    say(s, 20, 1, SPAN_MORE, 7, "and 7");
    say(s, 21, 1, SPAN_NAME, 7, "seven");
    say(s, 22, 1, SPAN_NAME, 8, "eight");
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 15, 2);
    session_chunk(s, 100);
    session_mark(s, KEPT, 115, 1);
    session_mark(s, KEPT, 115, 2);
    session_chunk(s, 200);
    say(s, 210, 1, SPAN_NAME, 7, "7");
    say(s, 212, 1, SPAN_MORE, 8, "and 8");
    session_mark(s, KEPT, 215, 1);
    session_mark(s, KEPT, 215, 2);
    end_span(s, 230, 1);
    end_span(s, 230, 2);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..99 @1 root=7 name=\"7\" more=\"and 7\", "
        "#2 10..99 @2 root=8 name=\"eight\" more=\"and 8\"");
    session_expect_parts(s, 1,
        "#1 100..199 @1 root=7 name=\"7\" more=\"and 7\", "
        "#2 100..199 @2 root=8 name=\"eight\" more=\"and 8\"");
    session_expect_parts(s, 2,
        "#1 200..230 @1 root=7 name=\"7\" more=\"and 7\", "
        "#2 200..230 @2 root=8 name=\"eight\" more=\"and 8\"");
}

// make_text makes a text of count characters.
static char *
make_text(size_t count)
{
    char *text = malloc(count + 1);
    assert_non_null(text);
    memset(text, 'x', count);
    text[count] = '\0';
    return text;
}

static void
test_a_text_over_the_limit_is_damage(void **state)
{
    session *s = *state;
    char *longest = make_text(CTX_STRING_BYTES_MAX);
    char *longer = make_text(CTX_STRING_BYTES_MAX + 1);
    first_chunk(s);
    set_span(s, 10, 1, 7, "GET");
    say(s, 20, 1, SPAN_NAME, 7, longer);
    set_span(s, 30, 2, 8, "GET");
    say(s, 31, 2, SPAN_NAME, 8, longest);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 35, 2);
    end_span(s, 50, 1);
    end_span(s, 50, 2);
    session_run(s);
    char want[CTX_STRING_BYTES_MAX + 200];
    (void)snprintf(want, sizeof(want),
        "#1 10..50 @1 root=7 name=\"GET\" more=\"more\", "
        "#2 30..50 @2 root=8 name=\"%s\" more=\"more\"",
        longest);
    session_expect_parts(s, 0, want);
    assert_int_equal(s->results[0].stats.contexts_lost, 1);
    free(longest);
    free(longer);
}

// expect_texts expects each context to have the key 7 and the text, which is 'x's.
static void
expect_texts(const compact_contexts *contexts, size_t count, const char *text)
{
    assert_int_equal(contexts->items.count, count);
    for (size_t i = 0; i < count; i++) {
        compact_value value;
        compact_values values = compact_contexts_values(contexts, &contexts->items.items[i]);
        assert_true(compact_values_read(&values, CTX_LONG, &value));
        assert_true(value.bits == 7);
        assert_true(compact_values_read(&values, CTX_STRING, &value));
        assert_int_equal(value.bytes.len, strlen(text));
        assert_memory_equal(value.bytes.ptr, text, value.bytes.len);
    }
}

// As many contexts as a batch may have, each on its own thread, and open.
static void
test_a_text_of_many_contexts_is_there_once(void **state)
{
    enum {
        COUNT = 20000,
        VALUES_BYTES = 8 + 8 + 8, // key, header of the text, "GET"
        TEXT_BYTES = CTX_STRING_HEADER_BYTES + CTX_STRING_BYTES_MAX,
        SAVED_BYTES = 64, // at most, of a context: its numbers are short
    };
    (void)state;
    ctx_type span = types[SPAN - 1];
    span.attribute_count = 2;
    char *text = make_text(CTX_STRING_BYTES_MAX);
    lp_buf records = {0};
    lp_buf values = {0};
    for (int64_t i = 0; i <= COUNT; i++) {
        ctx_build_le(&values, 7, 8);
        ctx_build_latin1(&values, i < COUNT ? "GET" : text);
        ctx_build_record(
            &records, CTX_RECORD_SET, i < COUNT ? SPAN : SPAN_NAME, 1 + i, 10, &values);
    }
    compact_carry *carry = compact_carry_create();
    compact_carry *loaded = NULL;
    compact_completions completions = {
        .arena = &carry->arena, .types = &types[SPAN_NAME - 1], .type_count = 1};
    compact_contexts *contexts = &carry->contexts;
    compact_contexts copy;
    compact_contexts_init(&copy, &carry->arena);
    lp_buf saved = {0};
    assert_int_equal(
        compact_contexts_feed(contexts, lp_buf_slice(&records), &completions, NULL), LP_OK);
    for (int twice = 0; twice < 2; twice++) { // with the chunk, and with the next one
        compact_completions_apply(&completions, &span, 1, contexts);
    }
    assert_int_equal(compact_contexts_err(contexts), LP_OK);
    assert_int_equal(contexts->values.len, COUNT * VALUES_BYTES + 2 * TEXT_BYTES);
    assert_int_equal(contexts->late_texts.count, COUNT);
    expect_texts(contexts, COUNT, text);

    compact_contexts_copy(contexts, INT64_MIN, &copy);
    assert_int_equal(compact_contexts_err(&copy), LP_OK);
    assert_int_equal(copy.values.len, COUNT * VALUES_BYTES + TEXT_BYTES);
    expect_texts(&copy, COUNT, text);

    assert_int_equal(compact_carry_save(carry, &saved), LP_OK);
    assert_in_range(saved.len, COUNT * VALUES_BYTES + TEXT_BYTES, COUNT * SAVED_BYTES + TEXT_BYTES);
    assert_int_equal(compact_carry_load(lp_buf_slice(&saved), &loaded, NULL), LP_OK);
    assert_int_equal(loaded->contexts.values.len, COUNT * VALUES_BYTES + TEXT_BYTES);
    expect_texts(&loaded->contexts, COUNT, text);

    compact_contexts_fini(&copy);
    compact_completions_fini(&completions);
    compact_carry_destroy(loaded);
    compact_carry_destroy(carry);
    lp_buf_fini(&saved);
    lp_buf_fini(&values);
    lp_buf_fini(&records);
    free(text);
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
    assert_int_equal(s->results[0].stats.contexts_lost, 3);
    lp_buf_fini(&values);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_all_contexts_of_a_key_show_the_late_name),
        SESSION_TEST(test_hand_overs_begin_and_end_no_context),
        SESSION_TEST(test_roots_begin_and_end_no_context),
        SESSION_TEST(test_the_last_name_counts_and_may_be_null),
        SESSION_TEST(test_a_request_longer_than_a_chunk),
        SESSION_TEST(test_a_context_that_ended_in_the_chunk_before_its_name),
        SESSION_TEST(test_two_types_complete_one),
        SESSION_TEST(test_a_text_over_the_limit_is_damage),
        cmocka_unit_test(test_a_text_of_many_contexts_is_there_once),
        SESSION_TEST(test_a_policy_asks_for_the_late_name),
        SESSION_TEST(test_what_cannot_be_applied_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
