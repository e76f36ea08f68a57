// SPDX-License-Identifier: Apache-2.0
// Lists of events: in contexts, each event once and with the innermost of them; without contexts,
// by time, type and thread, and with the context that each is in; page by page the same as at once;
// how many there are of each type; and one context whole: what is around it and in it, and why it
// was kept.

#include "support/jfr_sample.h"

#include "query/detail/detail.h"
#include "query/events/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SETTING = 150, ENTER = 151, WALL = 1000 }; // of tick 0

static const jfr_build_type setting_type = {.id = SETTING,
    .name = "jdk.ActiveSetting",
    .super = "jdk.jfr.Event",
    .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
        {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
        {.name = "value", .type = JFR_SAMPLE_STRING}}};

static void
add(jfr_build *build, uint64_t type, uint64_t thread, int64_t start, int64_t end, const char *text)
{
    (void)jfr_sample_event(build,
        &(jfr_sample){.type = type, .start = start, .end = end, .thread = thread, .text = text});
}

static void
add_setting(jfr_build *build, uint64_t type, const char *name, const char *value)
{
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, type);
    jfr_build_string(&build->payload, name);
    jfr_build_string(&build->payload, value);
    jfr_build_event(build, SETTING);
}

// make makes two chunks of a session; ticks are nanoseconds.
static void
make(jfr_build builds[2], query_source items[2])
{
    for (int i = 0; i < 2; i++) {
        jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
        size_t count = jfr_sample_types(types);
        types[count++] = setting_type;
        jfr_build_begin(&builds[i],
            &(jfr_build_clock){.start_ticks = i * 100, .start_wall_ns = WALL + i * 100});
        jfr_build_metadata(&builds[i], 1, types, count);
        jfr_sample_thread(&builds[i], 1, 11);
        jfr_sample_thread(&builds[i], 2, 12);
    }
    add_setting(&builds[0], JFR_SAMPLE_PLAIN, "threshold", "10 ms");
    add(&builds[0], JFR_SAMPLE_PLAIN, 1, 20, 40, "in both");
    add(&builds[0], JFR_SAMPLE_TRACE, 1, 15, 50, "inner");
    add(&builds[0], JFR_SAMPLE_MARK, 2, 60, 60, "of another thread");
    add_setting(&builds[1], JFR_SAMPLE_PLAIN, "threshold", "20 ms");
    add_setting(&builds[1], JFR_SAMPLE_PLAIN, "select", "if-context");
    add_setting(&builds[1], JFR_SAMPLE_PLAIN, "throttle", "off");
    add_setting(&builds[1], JFR_SAMPLE_PLAIN, "stackTrace", "true");
    add(&builds[1], JFR_SAMPLE_MARK, 1, 110, 110, "first");
    add(&builds[1], JFR_SAMPLE_MARK, 1, 110, 110, "second");
    add(&builds[1], JFR_SAMPLE_TRACE, 1, 10, 150, "outer");
    add(&builds[1], JFR_SAMPLE_MARK, 1, 160, 160, "in none");
    for (int i = 0; i < 2; i++) {
        jfr_build_checkpoint(&builds[i]);
        items[i] = (query_source){.bytes = jfr_build_finish(&builds[i])};
    }
}

static const char *
recording(const void *arg, uint32_t source)
{
    (void)arg;
    return source == 0 ? "a" : "b";
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_events_add(arg, answer);
}

// list returns the rows as text: type, start since tick 0, text, context of each; next is what the
// answer has, "" for null.
static char *
list(const query_selection *selection, const char *type, size_t limit, const query_cursor *after,
    char next[QUERY_CURSOR_BYTES])
{
    jfr_build builds[2];
    query_source items[2] = {0};
    query_names names = {0};
    query_outcome outcome;
    const query_field_names all = {0};
    make(builds, items);
    const query_sources sources = {.items = items, .count = 2};
    query_events events = {
        .list = {.sort = QUERY_SORT_START, .limit = limit, .after = after},
        .type = type,
        .names = &names,
        .finds_contexts = !query_events_has_contexts(selection),
    };
    query_question question = {
        .sources = &sources, .selection = selection, .on_context = on_context, .arg = &events};
    query_event_rows rows = {.only = &all, .recording = recording};
    assert_int_equal(
        query_events_has_contexts(selection)
            ? query_run(&question, &names, &outcome)
            : query_events_scan(&question, &names, query_events_add_event, &events, &outcome),
        LP_OK);
    json_t *json;
    assert_int_equal(
        query_events_json(&events, &rows, &sources, &names, &outcome, NULL, &json), LP_OK);
    assert_true(json_is_false(json_object_get(json, "is_truncated")));
    long long t0 = strtoll(json_string_value(json_object_get(json, "t0_ns")), NULL, 10) - WALL;
    const json_t *cursor = json_object_get(json, "next");
    (void)snprintf(
        next, QUERY_CURSOR_BYTES, "%s", json_is_null(cursor) ? "" : json_string_value(cursor));
    char *text = calloc(1, 4096);
    assert_non_null(text);
    const json_t *found = json_object_get(json, "rows");
    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *row = json_array_get(found, i);
        const json_t *said = json_object_get(json_array_get(row, 5), "text");
        const json_t *context = json_array_get(row, 7);
        size_t len = strlen(text);
        (void)snprintf(text + len, 4096 - len, "%s %lld %s%s%s\n",
            json_string_value(json_array_get(row, 0)),
            t0 + json_integer_value(json_array_get(row, 1)),
            said == NULL ? "-" : json_string_value(said), json_is_null(context) ? "" : " in ",
            json_is_null(context) ? "" : json_string_value(context));
    }
    json_decref(json);
    query_events_fini(&events);
    query_names_fini(&names);
    for (int i = 0; i < 2; i++) {
        jfr_build_fini(&builds[i]);
    }
    return text;
}

static void
expect_list(const query_selection *selection, const char *type, const char *expected)
{
    char next[QUERY_CURSOR_BYTES];
    char *text = list(selection, type, 100, NULL, next);
    assert_string_equal(text, expected);
    assert_string_equal(next, "");
    free(text);
}

static void
set(query_selection *selection, const char *name, const char *value)
{
    lp_problem problem;
    assert_int_equal(query_selection_set(selection, name, value, &problem), LP_OK);
}

// hash_of returns the hash in the id of contexts of test.Trace on thread 1.
static uint32_t
hash_of_thread(void)
{
    return ctx_ref_make(0, "test.Trace", 11 << 2 | 1).hash;
}

static void
test_events_in_contexts_are_listed_once(void **state)
{
    (void)state;
    char expected[400];
    query_selection traces = query_selection_begin(false);
    set(&traces, "context", "Trace");
    assert_true(query_events_has_contexts(&traces));
    (void)snprintf(expected, sizeof(expected),
        "test.Plain 20 in both in f-%08x\ntest.Mark 110 first in a-%08x\n"
        "test.Mark 110 second in a-%08x\n",
        hash_of_thread(), hash_of_thread(), hash_of_thread());
    expect_list(&traces, NULL, expected);
    (void)snprintf(
        expected, sizeof(expected), "test.Plain 20 in both in f-%08x\n", hash_of_thread());
    expect_list(&traces, "Plain", expected);
    expect_list(&traces, "test.None", "");
    set(&traces, "where", "traceId=outer");
    (void)snprintf(
        expected, sizeof(expected), "test.Plain 20 in both in a-%08x\n", hash_of_thread());
    expect_list(&traces, "test.Plain", expected);
}

static void
test_without_a_condition_all_events_are_listed(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    char expected[400];
    assert_false(query_events_has_contexts(&selection));
    (void)snprintf(expected, sizeof(expected),
        "test.Mark 60 of another thread\ntest.Mark 110 first in a-%08x\n"
        "test.Mark 110 second in a-%08x\ntest.Mark 160 in none\n",
        hash_of_thread(), hash_of_thread());
    expect_list(&selection, "Mark", expected);
    (void)snprintf(
        expected, sizeof(expected), "test.Plain 20 in both in f-%08x\n", hash_of_thread());
    expect_list(&selection, "Plain", expected);
    (void)snprintf(expected, sizeof(expected),
        "test.Trace 10 - in a-%08x\ntest.Trace 15 - in f-%08x\n", hash_of_thread(),
        hash_of_thread());
    expect_list(&selection, "Trace", expected);
    set(&selection, "thread", "12");
    expect_list(&selection, NULL, "test.Mark 60 of another thread\n");
    query_selection range = query_selection_begin(false);
    range.from_wall_ns = WALL + 60;
    range.to_wall_ns = WALL + 110;
    expect_list(&range, "Mark", "test.Mark 60 of another thread\n");
}

static void
test_pages_are_the_whole(void **state)
{
    (void)state;
    char next[QUERY_CURSOR_BYTES] = "";
    char pages[4096] = "";
    char expected[400];
    query_cursor cursor;
    query_selection selection = query_selection_begin(false);
    for (int i = 0; i < 4; i++) {
        char *text = list(&selection, "Mark", 1, i == 0 ? NULL : &cursor, next);
        size_t len = strlen(pages);
        (void)snprintf(pages + len, sizeof(pages) - len, "%s", text);
        free(text);
        if (i < 3) {
            assert_int_equal(query_cursor_parse(next, QUERY_SORT_START, &cursor, NULL), LP_OK);
        }
    }
    assert_string_equal(next, "");
    (void)snprintf(expected, sizeof(expected),
        "test.Mark 60 of another thread\ntest.Mark 110 first in a-%08x\n"
        "test.Mark 110 second in a-%08x\ntest.Mark 160 in none\n",
        hash_of_thread(), hash_of_thread());
    assert_string_equal(pages, expected);
}

// --- How many there are

static lp_err
on_counted(void *arg, const query_answer *answer)
{
    return query_event_types_add(arg, answer);
}

static void
expect_types(const query_selection *selection, const char *expected)
{
    jfr_build builds[2];
    query_source items[2] = {0};
    query_names names = {0};
    query_outcome outcome;
    query_event_types types = {0};
    make(builds, items);
    const query_sources sources = {.items = items, .count = 2};
    const query_question question = {
        .sources = &sources, .selection = selection, .on_context = on_counted, .arg = &types};
    bool has_contexts = query_events_has_contexts(selection);
    assert_int_equal(has_contexts ? query_run(&question, &names, &outcome)
                                  : query_events_scan(&question, &names,
                                        query_event_types_add_event, &types, &outcome),
        LP_OK);
    json_t *json = query_event_types_json(&types, &names, &outcome, has_contexts);
    char *text = json_dumps(json, 0);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
    query_event_types_fini(&types);
    query_names_fini(&names);
    jfr_build_fini(&builds[0]);
    jfr_build_fini(&builds[1]);
}

static void
test_events_are_counted_by_type(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    expect_types(&selection,
        "{\"types\": [{\"type\": \"jdk.ActiveSetting\", \"category\": \"other\", \"count\": 5, "
        "\"total_ns\": 0}, {\"type\": \"test.Mark\", \"category\": \"other\", \"count\": 4, "
        "\"total_ns\": 0}, {\"type\": \"test.Trace\", \"category\": \"context\", \"count\": 2, "
        "\"total_ns\": 175}, {\"type\": \"test.Plain\", \"category\": \"other\", \"count\": 1, "
        "\"total_ns\": 20}], \"events\": 12, \"contexts\": null, \"is_truncated\": false}");
    // The inner one's event is in the outer one as well.
    set(&selection, "context", "Trace");
    expect_types(&selection,
        "{\"types\": [{\"type\": \"test.Mark\", \"category\": \"other\", \"count\": 2, "
        "\"total_ns\": 0}, {\"type\": \"test.Plain\", \"category\": \"other\", \"count\": 1, "
        "\"total_ns\": 20}], \"events\": 3, \"contexts\": 2, \"is_truncated\": false}");
}

// Some events of one type are contexts, others waits (jdk.MethodTrace).
static void
test_a_type_is_counted_by_category(void **state)
{
    (void)state;
    query_names names = {0};
    const query_outcome outcome = {0};
    query_event_types types = {0};
    query_type park = {.of = {.category = TIME_PARK}, .role = QUERY_ROLE_EVENT};
    query_type context = {.of = {.category = TIME_OTHER}, .role = QUERY_ROLE_CONTEXT};
    park.name = query_names_add(&names, "jdk.MethodTrace");
    context.name = park.name;
    const query_event events[] = {{.type = &park}, {.type = &context}, {.type = &park}};
    const query_listed item = {.duration_ns = 7};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(query_event_types_add_event(&types, NULL, &events[i], &item), LP_OK);
    }
    json_t *json = query_event_types_json(&types, &names, &outcome, false);
    char *text = json_dumps(json_object_get(json, "types"), 0);
    assert_string_equal(text,
        "[{\"type\": \"jdk.MethodTrace\", \"category\": \"park\", \"count\": 2, "
        "\"total_ns\": 14}, {\"type\": \"jdk.MethodTrace\", \"category\": \"context\", "
        "\"count\": 1, \"total_ns\": 7}]");
    free(text);
    json_decref(json);
    query_event_types_fini(&types);
    query_names_fini(&names);
}

static void
test_absurd_times_have_no_duration(void **state)
{
    (void)state;
    jfr_build build;
    query_names names = {0};
    query_outcome outcome;
    jfr_sample_begin(&build, 0);
    jfr_sample_thread(&build, 1, 11);
    add(&build, JFR_SAMPLE_PLAIN, 1, INT64_MIN / 4 * 3, INT64_MAX / 4 * 3, "longer than all times");
    add(&build, JFR_SAMPLE_PLAIN, 1, 10, 30, "sane");
    jfr_build_checkpoint(&build);
    const query_source item = {.bytes = jfr_build_finish(&build)};
    const query_sources sources = {.items = &item, .count = 1};
    const query_selection all = query_selection_begin(false);
    query_events events = {
        .list = {.sort = QUERY_SORT_DURATION, .limit = 10}, .type = "Plain", .names = &names};
    const query_question question = {.sources = &sources, .selection = &all, .arg = &events};
    assert_int_equal(
        query_events_scan(&question, &names, query_events_add_event, &events, &outcome), LP_OK);
    query_listing_finish(&events.list);
    assert_int_equal(events.list.items.count, 2);
    assert_int_equal(events.list.items.items[0].duration_ns, 20);
    assert_int_equal(events.list.items.items[1].duration_ns, 0);
    query_events_fini(&events);
    query_names_fini(&names);
    jfr_build_fini(&build);
}

// --- More than an answer has room for

enum {
    LARGE_EVENTS = 700,
    LARGE_TEXT = 59950,
    // That is 32 MB over a text with 64 bytes for it, and for each of 11 other values and names.
    LARGE_ROOM = (32 << 20) / (LARGE_TEXT + 12 * 64),
};

// make_large makes a context with large events, of which every second one is in the first chunk.
static void
make_large(jfr_build builds[2], query_source items[2])
{
    char *text = malloc(LARGE_TEXT + 1);
    assert_non_null(text);
    memset(text, 'x', LARGE_TEXT);
    text[LARGE_TEXT] = '\0';
    for (int i = 0; i < 2; i++) {
        jfr_sample_begin(&builds[i], i * 100);
        jfr_sample_thread(&builds[i], 1, 11);
        for (int k = i; k < LARGE_EVENTS; k += 2) {
            add(&builds[i], JFR_SAMPLE_MARK, 1, 10 + k, 10 + k, text);
        }
    }
    add(&builds[1], JFR_SAMPLE_TRACE, 1, 10, 10 + LARGE_EVENTS, "large");
    for (int i = 0; i < 2; i++) {
        jfr_build_checkpoint(&builds[i]);
        items[i] = (query_source){.bytes = jfr_build_finish(&builds[i])};
    }
    free(text);
}

// expect_page asks for events in the context and expects those from the first-th on, so many.
static void
expect_page(const query_sources *sources, const char *after, size_t first, size_t count,
    char next[QUERY_CURSOR_BYTES])
{
    query_names names = {0};
    query_outcome outcome;
    query_cursor cursor;
    lp_problem problem;
    const query_field_names all = {0};
    query_selection traces = query_selection_begin(false);
    set(&traces, "context", "Trace");
    query_events events = {
        .list = {.sort = QUERY_SORT_START, .limit = LARGE_EVENTS}, .names = &names};
    if (after != NULL) {
        assert_int_equal(query_cursor_parse(after, QUERY_SORT_START, &cursor, &problem), LP_OK);
        events.list.after = &cursor;
    }
    const query_question question = {
        .sources = sources, .selection = &traces, .on_context = on_context, .arg = &events};
    query_event_rows rows = {.only = &all, .recording = recording};
    json_t *json;
    assert_int_equal(query_run(&question, &names, &outcome), LP_OK);
    assert_int_equal(
        query_events_json(&events, &rows, sources, &names, &outcome, NULL, &json), LP_OK);
    const json_t *found = json_object_get(json, "rows");
    assert_int_equal(json_array_size(found), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *start = json_array_get(json_array_get(found, i), 1);
        assert_int_equal(json_integer_value(start), i);
    }
    const json_t *said = json_object_get(json, "next");
    bool is_last = first + count == LARGE_EVENTS;
    assert_int_equal(json_is_null(said), is_last);
    assert_int_equal(json_is_true(json_object_get(json, "is_truncated")), !is_last);
    (void)snprintf(next, QUERY_CURSOR_BYTES, "%s", is_last ? "" : json_string_value(said));
    json_decref(json);
    query_events_fini(&events);
    query_names_fini(&names);
}

static void
test_events_beyond_the_room_of_an_answer_come_with_the_next(void **state)
{
    (void)state;
    jfr_build builds[2];
    query_source items[2] = {0};
    char next[QUERY_CURSOR_BYTES];
    char end[QUERY_CURSOR_BYTES];
    make_large(builds, items);
    const query_sources sources = {.items = items, .count = 2};
    expect_page(&sources, NULL, 0, LARGE_ROOM, next);
    expect_page(&sources, next, LARGE_ROOM, LARGE_EVENTS - LARGE_ROOM, end);
    jfr_build_fini(&builds[0]);
    jfr_build_fini(&builds[1]);
}

// --- One context

static lp_err
on_detail(void *arg, const query_answer *answer)
{
    return query_detail_add(arg, answer);
}

static lp_err
on_around(void *arg, const query_answer *answer)
{
    return query_detail_add_around(arg, answer);
}

// ask_detail returns one context as JSON, but for where its time went.
static json_t *
ask_detail(const char *id, void (*make_chunks)(jfr_build builds[2], query_source items[2]))
{
    jfr_build builds[2];
    query_source items[2] = {0};
    query_names names = {0};
    query_outcome outcome;
    make_chunks(builds, items);
    const query_sources sources = {.items = items, .count = 2};
    query_selection one = query_selection_begin(false);
    query_selection all = query_selection_begin(false);
    set(&one, "id", id);
    query_detail detail = query_detail_begin(QUERY_UNIT_CONTEXTS, &names);
    query_question question = {.sources = &sources,
        .selection = &one,
        .wants_frames = true,
        .on_context = on_detail,
        .arg = &detail};
    assert_int_equal(query_run(&question, &names, &outcome), LP_OK);
    assert_true(detail.is_found);
    question.selection = &all;
    question.contexts_only = true;
    question.on_context = on_around;
    assert_int_equal(query_run(&question, &names, &outcome), LP_OK);
    json_t *json;
    assert_int_equal(query_detail_read(&detail, &sources, &names, NULL), LP_OK);
    assert_int_equal(
        query_detail_json(&detail, "rec", &sources, &names, &outcome, NULL, &json), LP_OK);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(json, "why"), "requests")), 1);
    assert_int_equal(json_object_del(json, "why"), 0);
    query_detail_fini(&detail);
    query_names_fini(&names);
    for (int i = 0; i < 2; i++) {
        jfr_build_fini(&builds[i]);
    }
    return json;
}

static void
expect_detail(const char *id, const char *expected)
{
    json_t *json = ask_detail(id, make);
    char *text = json_dumps(json, 0);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
}

static void
test_one_context_whole(void **state)
{
    (void)state;
    char outer[CTX_REF_BYTES];
    char inner[CTX_REF_BYTES];
    char expected[2000];
    ctx_ref_format((ctx_ref){10, hash_of_thread()}, outer);
    ctx_ref_format((ctx_ref){15, hash_of_thread()}, inner);
    (void)snprintf(expected, sizeof(expected),
        "{\"t0_ns\": \"1010\", \"recording\": \"rec\", \"id\": \"%s\", \"type\": \"test.Trace\", "
        "\"duration\": 140, \"thread\": \"thread-11\", \"attributes\": {\"traceId\": \"outer\"}, "
        "\"parent\": null, \"children\": [{\"id\": \"%s\", \"type\": \"test.Trace\", \"start\": "
        "5, \"duration\": 35}], \"kept_because\": [{\"event\": \"test.Mark\", \"count\": 2, "
        "\"setting\": null}, {\"event\": \"test.Plain\", \"count\": 1, \"setting\": "
        "\"threshold=20 ms, select=if-context\"}], \"owners\": [], \"events\": {\"columns\": "
        "[\"type\", "
        "\"start\", \"duration\", \"thread\", \"stack\", \"fields\", \"thread_id\"], \"rows\": ["
        "[\"test.Plain\", 10, 20, \"thread-11\", null, {\"text\": \"in both\"}, 11], "
        "[\"test.Mark\", 100, null, \"thread-11\", null, {\"text\": \"first\"}, 11], "
        "[\"test.Mark\", 100, null, \"thread-11\", null, {\"text\": \"second\"}, 11]]}, "
        "\"is_truncated\": false}",
        outer, inner);
    expect_detail(outer, expected);
    (void)snprintf(expected, sizeof(expected),
        "{\"t0_ns\": \"1015\", \"recording\": \"rec\", \"id\": \"%s\", \"type\": \"test.Trace\", "
        "\"duration\": 35, \"thread\": \"thread-11\", \"attributes\": {\"traceId\": \"inner\"}, "
        "\"parent\": {\"id\": \"%s\", \"type\": \"test.Trace\", \"start\": -5, \"duration\": "
        "140}, \"children\": [], \"kept_because\": [{\"event\": \"test.Plain\", \"count\": 1, "
        "\"setting\": \"threshold=10 ms\"}], \"owners\": [], \"events\": {\"columns\": [\"type\", "
        "\"start\", "
        "\"duration\", \"thread\", \"stack\", \"fields\", \"thread_id\"], \"rows\": "
        "[[\"test.Plain\", 5, 20, "
        "\"thread-11\", null, {\"text\": \"in both\"}, 11]]}, \"is_truncated\": false}",
        inner, outer);
    expect_detail(inner, expected);
}

static void
test_one_context_with_more_events_than_there_is_room_for(void **state)
{
    (void)state;
    char id[CTX_REF_BYTES];
    ctx_ref_format((ctx_ref){10, hash_of_thread()}, id);
    json_t *json = ask_detail(id, make_large);
    const json_t *rows = json_object_get(json_object_get(json, "events"), "rows");
    size_t count = json_array_size(rows); // without recording and context
    assert_true(count >= LARGE_ROOM && count < LARGE_EVENTS);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
}

// make_twins makes a context in each of two chunks, at the same place of the chunk, and one around
// both.
static void
make_twins(jfr_build builds[2], query_source items[2])
{
    for (int i = 0; i < 2; i++) {
        jfr_sample_begin(&builds[i], 0);
        jfr_sample_thread(&builds[i], 1, 11);
        add(&builds[i], JFR_SAMPLE_TRACE, 1, 20 + 20 * i, 30 + 20 * i, "inner");
        add(&builds[i], JFR_SAMPLE_MARK, 1, 25 + 20 * i, 25 + 20 * i, "kept");
    }
    add(&builds[1], JFR_SAMPLE_TRACE, 1, 10, 90, "outer");
    for (int i = 0; i < 2; i++) {
        jfr_build_checkpoint(&builds[i]);
        items[i] = (query_source){.bytes = jfr_build_finish(&builds[i])};
    }
}

static void
test_children_of_two_chunks_may_have_one_place(void **state)
{
    (void)state;
    char id[CTX_REF_BYTES];
    ctx_ref_format((ctx_ref){10, hash_of_thread()}, id);
    json_t *json = ask_detail(id, make_twins);
    const json_t *children = json_object_get(json, "children");
    assert_int_equal(json_array_size(children), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *start = json_object_get(json_array_get(children, i), "start");
        assert_int_equal(json_integer_value(start), 10 + 20 * i);
    }
    json_decref(json);
}

// --- Who had the monitors

static const jfr_build_type enter_type = {.id = ENTER,
    .name = "jdk.JavaMonitorEnter",
    .super = "jdk.jfr.Event",
    .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
        {.name = "monitorClass", .type = JFR_SAMPLE_CLASS, .is_constant = true},
        {.name = "previousOwner", .type = JFR_SAMPLE_THREAD, .is_constant = true},
        {.name = "address", .type = JFR_SAMPLE_LONG}}};

static void
add_wait(jfr_build *build, uint64_t thread, int64_t start, int64_t end, uint64_t of, uint64_t owner)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, 12000 + of);
    jfr_build_varint(&build->payload, owner);
    jfr_build_varint(&build->payload, of);
    jfr_build_event(build, ENTER);
}

// make_waits makes a context on thread 11 in two chunks, each of which describes its own threads.
// Thread 12 is the first to get what it waits for, and waits itself then.
static void
make_waits(jfr_build builds[2], query_source items[2])
{
    for (int i = 0; i < 2; i++) {
        jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
        size_t count = jfr_sample_types(types);
        types[count++] = setting_type;
        types[count++] = enter_type;
        jfr_build_begin(&builds[i],
            &(jfr_build_clock){.start_ticks = i * 100, .start_wall_ns = WALL + i * 100});
        jfr_build_metadata(&builds[i], 1, types, count);
        jfr_sample_method(&builds[i], 7, "shop/Inventory", "take");
        jfr_sample_method(&builds[i], 8, "shop/Stock", "take");
        jfr_sample_thread(&builds[i], 2, 12);
    }
    jfr_sample_thread(&builds[0], 4, 14);
    jfr_sample_thread(&builds[1], 1, 11);
    jfr_sample_thread(&builds[1], 3, 13);
    add_wait(&builds[0], 2, 20, 40, 7, 4);
    add_wait(&builds[1], 2, 60, 110, 8, 3);
    add_wait(&builds[1], 1, 30, 130, 7, 2);
    add_wait(&builds[1], 2, 160, 190, 7, 4); // nobody waits for it
    add(&builds[1], JFR_SAMPLE_TRACE, 1, 10, 150, "waits");
    for (int i = 0; i < 2; i++) {
        jfr_build_checkpoint(&builds[i]);
        items[i] = (query_source){.bytes = jfr_build_finish(&builds[i])};
    }
}

static void
test_owners_of_monitors(void **state)
{
    (void)state;
    char id[CTX_REF_BYTES];
    ctx_ref_format((ctx_ref){10, hash_of_thread()}, id);
    json_t *json = ask_detail(id, make_waits);
    char *text = json_dumps(json_object_get(json, "owners"), 0);
    assert_string_equal(text,
        "[{\"thread\": \"thread-12\", \"monitor\": \"shop.Inventory\", \"had\": 90, "
        "\"waits\": 1, \"start\": 30, \"end\": 120, \"owners\": [{\"thread\": "
        "\"thread-13\", \"monitor\": \"shop.Stock\", \"had\": 50, \"waits\": 1, \"start\": "
        "50, \"end\": 100, \"owners\": []}]}, {\"thread\": \"thread-14\", \"monitor\": "
        "\"shop.Inventory\", \"had\": 10, \"waits\": 1, \"start\": 20, \"end\": 30, "
        "\"owners\": []}]");
    free(text);
    json_decref(json);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_in_contexts_are_listed_once),
        cmocka_unit_test(test_without_a_condition_all_events_are_listed),
        cmocka_unit_test(test_pages_are_the_whole),
        cmocka_unit_test(test_events_are_counted_by_type),
        cmocka_unit_test(test_a_type_is_counted_by_category),
        cmocka_unit_test(test_absurd_times_have_no_duration),
        cmocka_unit_test(test_events_beyond_the_room_of_an_answer_come_with_the_next),
        cmocka_unit_test(test_one_context_whole),
        cmocka_unit_test(test_owners_of_monitors),
        cmocka_unit_test(test_one_context_with_more_events_than_there_is_room_for),
        cmocka_unit_test(test_children_of_two_chunks_may_have_one_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
