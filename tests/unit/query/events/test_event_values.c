// SPDX-License-Identifier: Apache-2.0
// Fields of events as JSON: numbers that a browser does not have exactly, times, names, structures
// and arrays, and what is damaged or too much.

#include "support/jfr_sample.h"

#include "query/events/event_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { UNSIGNED = 53, TIMESPAN, BYTE, SHORT, CHAR, FLOAT, LINKS, NUMBERS = 150, REFERENCES };

static const jfr_build_type more_types[] = {
    {.id = BYTE, .name = "byte"},
    {.id = SHORT, .name = "short"},
    {.id = CHAR, .name = "char"},
    {.id = FLOAT, .name = "float"},
    {.id = UNSIGNED, .name = "jdk.jfr.Unsigned", .super = "java.lang.annotation.Annotation"},
    {.id = TIMESPAN,
        .name = "jdk.jfr.Timespan",
        .super = "java.lang.annotation.Annotation",
        .fields = {{.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = LINKS, // a constant that refers to one of its own type
        .name = "test.Link",
        .fields = {{.name = "next", .type = LINKS, .is_constant = true},
            {.name = "at", .type = JFR_SAMPLE_INT}}},
    {.id = NUMBERS,
        .name = "test.Numbers",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
            {.name = "exact", .type = JFR_SAMPLE_LONG}, {.name = "large", .type = JFR_SAMPLE_LONG},
            {.name = "below", .type = JFR_SAMPLE_INT},
            {.name = "size", .type = BYTE, .annotation = UNSIGNED},
            {.name = "huge", .type = JFR_SAMPLE_LONG, .annotation = UNSIGNED},
            {.name = "small", .type = SHORT}, {.name = "letter", .type = CHAR},
            {.name = "tenth", .type = FLOAT}, {.name = "nothing", .type = JFR_SAMPLE_DOUBLE},
            {.name = "at",
                .type = JFR_SAMPLE_LONG,
                .annotation = JFR_SAMPLE_TIMESTAMP,
                .annotation_value = "MILLISECONDS_SINCE_EPOCH"},
            {.name = "tick",
                .type = JFR_SAMPLE_LONG,
                .annotation = JFR_SAMPLE_TIMESTAMP,
                .annotation_value = "TICKS"},
            {.name = "took",
                .type = JFR_SAMPLE_LONG,
                .annotation = TIMESPAN,
                .annotation_value = "MILLISECONDS"},
            {.name = "never",
                .type = JFR_SAMPLE_LONG,
                .annotation = TIMESPAN,
                .annotation_value = "TICKS"}}},
    {.id = REFERENCES,
        .name = "test.References",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
            {.name = "stackTrace", .type = JFR_SAMPLE_STACK_TRACE, .is_constant = true},
            {.name = "owner", .type = JFR_SAMPLE_THREAD, .is_constant = true},
            {.name = "class", .type = JFR_SAMPLE_CLASS, .is_constant = true},
            {.name = "method", .type = JFR_SAMPLE_METHOD, .is_constant = true},
            {.name = "symbol", .type = JFR_SAMPLE_SYMBOL, .is_constant = true},
            {.name = "gone", .type = JFR_SAMPLE_CLASS, .is_constant = true},
            {.name = "ring", .type = LINKS, .is_constant = true}}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

static void
begin(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    for (size_t i = 0; i < MORE_TYPES; i++) {
        assert_true(count < JFR_SAMPLE_TYPES_MAX);
        types[count++] = more_types[i];
    }
    jfr_build_begin(
        build, &(jfr_build_clock){.start_ticks = 100, .start_wall_ns = 1700000000000000000});
    jfr_build_metadata(build, 1, types, count);
    jfr_sample_thread(build, 1, 11);
    jfr_sample_stack(build, 7); // pack.Class7.method7
    for (uint64_t key = 1; key <= 2; key++) {
        jfr_build_varint(&build->payload, 3 - key);
        jfr_build_varint(&build->payload, key);
        jfr_build_constant(build, LINKS, key);
    }
}

// expect compares the values, and the stack trace, of the chunk's only event, and ends the build.
static void
expect(jfr_build *build, const query_field_names *only, const char *values, const char *stack,
    bool is_truncated)
{
    const query_field_names all = {0};
    query_names names = {0};
    query_chunk chunk;
    query_event event;
    bool is_cut = false;
    jfr_build_checkpoint(build);
    assert_int_equal(query_chunk_open(&chunk, jfr_build_finish(build), &names, NULL), LP_OK);
    jfr_cursor rest = query_chunk_events(&chunk);
    assert_true(query_chunk_next(&chunk, &rest, &event));
    json_t *found = query_event_values(&chunk, &event, only == NULL ? &all : only, &is_cut);
    json_t *frames = query_event_stack(&chunk, &event, &is_cut);
    char *text = json_dumps(found, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
    char *frames_text = json_dumps(frames, JSON_ENCODE_ANY);
    assert_string_equal(text, values);
    assert_string_equal(frames_text, stack);
    assert_int_equal(is_cut, is_truncated);
    free(text);
    free(frames_text);
    json_decref(found);
    json_decref(frames);
    query_chunk_close(&chunk);
    query_names_fini(&names);
    jfr_build_fini(build);
}

static void
test_numbers_and_times(void **state)
{
    (void)state;
    jfr_build build;
    begin(&build);
    lp_buf *out = &build.payload;
    jfr_build_varint(out, 120);
    jfr_build_varint(out, 9007199254740991); // 2^53 - 1
    jfr_build_varint(out, 9007199254740992);
    jfr_build_varint(out, 0xfffffffd);
    lp_buf_append(out, "\xff", 1);
    jfr_build_varint(out, UINT64_MAX);
    jfr_build_varint(out, 0xffff);
    jfr_build_varint(out, 'x');
    lp_buf_append(out, "\x3d\xcc\xcc\xcd", 4);
    lp_buf_append(out, "\x7f\xf8\x00\x00\x00\x00\x00\x00", 8);
    jfr_build_varint(out, 1700000000123);
    jfr_build_varint(out, 105);
    jfr_build_varint(out, 70);
    jfr_build_varint(out, (uint64_t)INT64_MIN);
    jfr_build_event(&build, NUMBERS);
    expect(&build, NULL,
        "{\"exact\": 9007199254740991, \"large\": \"9007199254740992\", \"below\": -3, "
        "\"size\": 255, \"huge\": \"18446744073709551615\", \"small\": -1, \"letter\": \"x\", "
        "\"tenth\": 0.1, \"nothing\": \"NaN\", \"at\": \"1700000000123000000\", "
        "\"tick\": \"1700000000000000005\", \"took\": 70000000, \"never\": null}",
        "null", false);
}

static void
test_references_are_names(void **state)
{
    (void)state;
    jfr_build build;
    begin(&build);
    lp_buf *out = &build.payload;
    jfr_build_varint(out, 120);
    jfr_build_varint(out, 7);
    jfr_build_varint(out, 1);
    jfr_build_varint(out, 2007);
    jfr_build_varint(out, 1007);
    jfr_build_varint(out, 3007);
    jfr_build_varint(out, 99);
    jfr_build_varint(out, 0);
    jfr_build_event(&build, REFERENCES);
    expect(&build, NULL,
        "{\"owner\": \"thread-11\", \"class\": \"pack.Class7\", \"method\": "
        "\"pack.Class7.method7\", \"symbol\": \"method7\", \"gone\": null, \"ring\": null}",
        "[\"pack.Class7.method7:1\", \"pack.Class7.method7:2\"]", false);
}

static void
test_structures_and_arrays(void **state)
{
    (void)state;
    jfr_build build;
    begin(&build);
    (void)jfr_sample_event(&build,
        &(jfr_sample){
            .type = JFR_SAMPLE_ODD, .start = 120, .end = 130, .thread = 1, .text = "hello"});
    expect(&build, NULL,
        "{\"point\": {\"x\": 3.141592654, \"name\": \"caf\xc3\xa9\"}, \"bits\": [true, false, "
        "true], "
        "\"names\": [], \"note\": \"hello\"}",
        "null", false);
}

static void
test_only_fields_that_are_asked_for(void **state)
{
    (void)state;
    jfr_build build;
    const query_field_names only = {
        .count = 2, .names = {{(const uint8_t *)"note", 4}, {(const uint8_t *)"none", 4}}};
    begin(&build);
    (void)jfr_sample_event(&build,
        &(jfr_sample){
            .type = JFR_SAMPLE_ODD, .start = 120, .end = 130, .thread = 1, .text = "hello"});
    expect(&build, &only, "{\"note\": \"hello\"}", "null", false);
}

// Constants that refer to each other in a ring end where they are too deep.
static void
test_rings_end(void **state)
{
    (void)state;
    jfr_build build;
    const query_field_names only = {.count = 1, .names = {{(const uint8_t *)"ring", 4}}};
    begin(&build);
    jfr_build_varint(&build.payload, 120);
    for (int i = 0; i < 6; i++) {
        jfr_build_varint(&build.payload, 0);
    }
    jfr_build_varint(&build.payload, 1);
    jfr_build_event(&build, REFERENCES);
    expect(&build, &only,
        "{\"ring\": {\"next\": {\"next\": {\"next\": {\"next\": null, \"at\": 2}, \"at\": 1}, "
        "\"at\": 2}, \"at\": 1}}",
        "null", true);
}

// A chunk may say that a method's class and name are methods: they would double with each step.
static void
test_a_method_is_not_named_by_methods(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = 1, .name = "java.lang.String"},
        {.id = 2, .name = "long"},
        {.id = 3,
            .name = "jdk.types.Method",
            .fields = {{.name = "type", .type = 3, .is_constant = true},
                {.name = "name", .type = 3, .is_constant = true}}},
        {.id = 4,
            .name = "java.lang.Class",
            .fields = {{.name = "name", .type = 4, .is_constant = true}}},
        {.id = 5,
            .name = "test.Odd",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = 2},
                {.name = "method", .type = 3, .is_constant = true},
                {.name = "class", .type = 4, .is_constant = true}}},
    };
    jfr_build build;
    jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = 100, .start_wall_ns = 100});
    jfr_build_metadata(&build, 1, types, sizeof(types) / sizeof(types[0]));
    jfr_build_varint(&build.payload, 9);
    jfr_build_varint(&build.payload, 9);
    jfr_build_constant(&build, 3, 9);
    jfr_build_varint(&build.payload, 9);
    jfr_build_constant(&build, 4, 9);
    jfr_build_varint(&build.payload, 120);
    jfr_build_varint(&build.payload, 9);
    jfr_build_varint(&build.payload, 9);
    jfr_build_event(&build, 5);
    expect(&build, NULL, "{\"method\": \".\", \"class\": null}", "null", false);
}

static void
test_an_event_that_ends_early_has_the_fields_before(void **state)
{
    (void)state;
    jfr_build build;
    begin(&build);
    jfr_build_varint(&build.payload, 120);
    jfr_build_varint(&build.payload, 5);
    jfr_build_event(&build, NUMBERS);
    expect(&build, NULL, "{\"exact\": 5, \"large\": null}", "null", false);
}

static void
test_texts_are_cut(void **state)
{
    (void)state;
    jfr_build build;
    char *text = malloc(QUERY_EVENT_TEXT_BYTES_MAX + 10);
    char *expected = malloc(QUERY_EVENT_TEXT_BYTES_MAX + 100);
    assert_true(text != NULL && expected != NULL);
    memset(text, 'a', QUERY_EVENT_TEXT_BYTES_MAX + 9);
    text[QUERY_EVENT_TEXT_BYTES_MAX + 9] = '\0';
    begin(&build);
    (void)jfr_sample_event(
        &build, &(jfr_sample){
                    .type = JFR_SAMPLE_PLAIN, .start = 120, .end = 130, .thread = 1, .text = text});
    (void)snprintf(expected, QUERY_EVENT_TEXT_BYTES_MAX + 100, "{\"text\": \"%.*s\"}",
        QUERY_EVENT_TEXT_BYTES_MAX, text);
    expect(&build, NULL, expected, "null", true);
    free(text);
    free(expected);
}

static void
test_frames_with_long_names_are_few(void **state)
{
    (void)state;
    enum { LONG = QUERY_EVENT_TEXT_BYTES_MAX / 2 };
    jfr_build build;
    char *name = malloc(LONG + 1);
    char *expected = malloc(LONG + 100);
    assert_true(name != NULL && expected != NULL);
    memset(name, 'm', LONG);
    name[LONG] = '\0';
    begin(&build);
    lp_buf *out = &build.payload;
    lp_buf_append(out, "\0\2", 2); // two frames of one method, in pack.Class7
    jfr_build_varint(out, 1009);
    jfr_build_varint(out, 1);
    jfr_build_varint(out, 1009);
    jfr_build_varint(out, 2);
    jfr_build_constant(&build, JFR_SAMPLE_STACK_TRACE, 9);
    jfr_build_varint(out, 2007);
    jfr_build_varint(out, 3009);
    lp_buf_append(out, "\1\0", 2); // hidden, without a descriptor
    jfr_build_constant(&build, JFR_SAMPLE_METHOD, 1009);
    jfr_build_string(out, name);
    jfr_build_constant(&build, JFR_SAMPLE_SYMBOL, 3009);
    (void)jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN,
                                       .start = 120,
                                       .end = 130,
                                       .thread = 1,
                                       .stack = 9,
                                       .text = "t"});
    (void)snprintf(expected, LONG + 100, "[\"pack.Class7.%s:1\"]", name);
    expect(&build, NULL, "{\"text\": \"t\"}", expected, true);
    free(name);
    free(expected);
}

static void
test_deep_stack_traces_are_cut_in_the_middle(void **state)
{
    (void)state;
    enum { DEPTH = QUERY_EVENT_FRAMES_MAX + 44, TOP = QUERY_EVENT_FRAMES_MAX / 2 };
    static char expected[DEPTH * 32];
    jfr_build build;
    begin(&build);
    lp_buf *out = &build.payload;
    lp_buf_append(out, "\0", 1);
    jfr_build_varint(out, DEPTH);
    size_t len = 0;
    for (unsigned line = 1; line <= DEPTH; line++) {
        jfr_build_varint(out, 1007);
        jfr_build_varint(out, line);
        if (line <= TOP || line > DEPTH - (TOP - 1)) {
            len += (size_t)snprintf(expected + len, sizeof(expected) - len,
                "%s\"pack.Class7.method7:%u\"", line == 1 ? "[" : ", ", line);
        } else if (line == TOP + 1) {
            len += (size_t)snprintf(
                expected + len, sizeof(expected) - len, ", \"[45 frames left out]\"");
        }
    }
    (void)snprintf(expected + len, sizeof(expected) - len, "]");
    jfr_build_constant(&build, JFR_SAMPLE_STACK_TRACE, 9);
    (void)jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN,
                                       .start = 120,
                                       .end = 130,
                                       .thread = 1,
                                       .stack = 9,
                                       .text = "t"});
    expect(&build, NULL, "{\"text\": \"t\"}", expected, true);
}

static void
test_each_call_may_ask_for_other_fields(void **state)
{
    (void)state;
    static const char *const all[] = {"gone", "text", "text"};
    jfr_build build;
    query_names names = {0};
    query_chunk chunk;
    query_event event;
    begin(&build);
    (void)jfr_sample_event(
        &build, &(jfr_sample){
                    .type = JFR_SAMPLE_PLAIN, .start = 120, .end = 130, .thread = 1, .text = "t"});
    jfr_build_checkpoint(&build);
    assert_int_equal(query_chunk_open(&chunk, jfr_build_finish(&build), &names, NULL), LP_OK);
    jfr_cursor rest = query_chunk_events(&chunk);
    assert_true(query_chunk_next(&chunk, &rest, &event));
    for (size_t count = 1; count <= 3; count++) {
        query_attribute fields[3] = {0};
        query_chunk_fields(&chunk, &event, all, count, fields);
        assert_true(fields[0].is_null);
        for (size_t i = 1; i < count; i++) {
            assert_true(query_setting_is(fields[i].value, "t"));
        }
    }
    query_attribute field;
    query_chunk_fields(&chunk, &event, all + 1, 1, &field);
    assert_true(query_setting_is(field.value, "t"));
    query_chunk_close(&chunk);
    query_names_fini(&names);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_times),
        cmocka_unit_test(test_references_are_names),
        cmocka_unit_test(test_structures_and_arrays),
        cmocka_unit_test(test_only_fields_that_are_asked_for),
        cmocka_unit_test(test_rings_end),
        cmocka_unit_test(test_each_call_may_ask_for_other_fields),
        cmocka_unit_test(test_a_method_is_not_named_by_methods),
        cmocka_unit_test(test_an_event_that_ends_early_has_the_fields_before),
        cmocka_unit_test(test_texts_are_cut),
        cmocka_unit_test(test_frames_with_long_names_are_few),
        cmocka_unit_test(test_deep_stack_traces_are_cut_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
