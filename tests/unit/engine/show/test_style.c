// SPDX-License-Identifier: Apache-2.0
// The context styles `fields` and `ref`: names and places of what events are given, in cases
// written by hand. Which contexts apply to which events is for test_style_prop to say.

#include "unit/engine/show/style_rig.h"

#include "engine/read/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
assert_description(const jfr_read *read, size_t number, const char *type, const char *attribute,
    const char *value_type, const char *field, const char *label, const char *description)
{
    const jfr_read_event *event = style_rig_event_of(read, "dev.loupe.ContextAttribute", number);
    assert_int_equal(jfr_read_number(read, event, "startTime"), read->start_ticks);
    style_rig_assert_field(read, event, "contextType", type);
    style_rig_assert_field(read, event, "attribute", attribute);
    style_rig_assert_field(read, event, "type", value_type);
    style_rig_assert_field(read, event, "field", field);
    style_rig_assert_field(read, event, "label", label);
    style_rig_assert_field(read, event, "description", description);
}

static void
test_each_chunk_describes_the_attributes(void **state)
{
    style_rig *f = *state;
    ctx_type *type =
        style_rig_add_context_type(f, (char[]){"tracer-context"}, CTX_INT, (char[]){"n"});
    type->label = (char[]){"Tracer"};
    type->attributes[0].label = (char[]){"Number"};
    type->attributes[0].description = (char[]){"What it is"};
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "shop.Whole",
               .super = STYLE_RIG_EVENT,
               STYLE_RIG_CONTEXTUAL,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "where", .type = JFR_SAMPLE_CLASS, .is_constant = true}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    jfr_build_varint(style_rig_begin_event(build, 10, 90), 0);
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_mark(build, 1, 50);
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 1000), 1, 1050);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        style_rig_run(f, style);
        for (size_t i = 0; i < 2; i++) {
            jfr_read read;
            jfr_read_open(&read, lp_buf_slice(&f->results[i].jfr));
            assert_description(&read, 0, "\"shop.Whole\"", "\"where\"", "\"java.lang.Class\"",
                "\"Whole_where\"", "\"Whole: where\"", "\"\"");
            assert_description(&read, 1, "\"tracer-context\"", "\"n\"", "\"int\"",
                "\"tracer_context_n\"", "\"Tracer: Number\"", "\"What it is\"");
            jfr_read_close(&read);
        }
    }
    style_rig_run(f, COMPACT_STYLE_EVENTS);
    assert_null(jfr_read_find_type(&f->outputs[0], "dev.loupe.ContextAttribute"));
}

static void
test_a_type_that_is_contextual_gives_all_that_is_not_implicit(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Whole",
               .super = STYLE_RIG_EVENT,
               STYLE_RIG_CONTEXTUAL,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "where", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                   {.name = "point", .type = JFR_SAMPLE_POINT},
                   {.name = "bits", .type = JFR_SAMPLE_BOOLEAN, .is_array = true},
                   {.name = "who", .type = JFR_SAMPLE_THREAD, .is_constant = true}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    jfr_sample_stack(build, 100); // with class 2100
    jfr_sample_stack(build, 200);
    lp_buf *out = style_rig_begin_event(build, 10, 90);
    jfr_build_varint(out, 2100);
    lp_buf_append(out, "\0\0\0\0\0\0\0\0", 8);
    jfr_build_string(out, "p");
    lp_buf_append(out, "\1\1", 2);
    jfr_build_varint(out, 1);
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_mark(build, 1, 50);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_fields(read, "test.Mark", "startTime eventThread text Whole_where Whole_who");
    const jfr_read_event *event = style_rig_event_of(read, "test.Mark", 0);
    assert_int_equal(style_rig_key_in(read, event, "Whole_where"), 2100);
    assert_int_equal(style_rig_key_in(read, event, "Whole_who"), 1);
    assert_int_equal(jfr_read_pool_size(read, "java.lang.Class"), 1);
    assert_non_null(jfr_read_find_constant(read, "java.lang.Class", 2100));
}

static void
test_contexts_of_the_api_are_fields_and_no_events(void **state)
{
    style_rig *f = *state;
    ctx_type *type =
        style_rig_add_context_type(f, (char[]){"tracer-context"}, CTX_STRING, (char[]){"trace.id"});
    type->label = (char[]){"Tracer"};
    type->attribute_count = 3;
    type->attributes[1] =
        (ctx_attribute){CTX_INT, (char[]){"n"}, (char[]){"Number"}, (char[]){"What it is"}};
    type->attributes[2] = (ctx_attribute){CTX_BOOLEAN, (char[]){"n"}, (char[]){""}, (char[]){""}};
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_mark(build, 1, 50);
    (void)jfr_sample_mark(build, 1, 70);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 55, .thread = 1});
    lp_buf values = {0};
    ctx_build_latin1(&values, "t\xe9");
    ctx_build_le(&values, (uint64_t)-5, 8);
    ctx_build_le(&values, 1, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 40, &values);
    ctx_build_record(&f->records[0], CTX_RECORD_UNSET, 1, 1, 60, NULL);
    ctx_build_latin1(&values, "nothing happens here");
    ctx_build_le(&values, 0, 8);
    ctx_build_le(&values, 0, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 61, &values);
    ctx_build_record(&f->records[0], CTX_RECORD_UNSET, 1, 1, 62, NULL);
    ctx_build_le(&values, 100, 4); // longer than the record is
    ctx_build_le(&values, 0, 4);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 65, &values);
    lp_buf_fini(&values);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_int_equal(read->events.count, 3);
    style_rig_assert_fields(read, "jdk.ExecutionSample",
        "startTime sampledThread stackTrace state tracer_context_trace_id "
        "tracer_context_n tracer_context_n_2");
    const jfr_read_event *event = style_rig_event_of(read, "test.Mark", 0);
    style_rig_assert_field(read, event, "tracer_context_trace_id", "\"t\xc3\xa9\"");
    style_rig_assert_field(read, event, "tracer_context_n", "4294967291"); // -5
    style_rig_assert_field(read, event, "tracer_context_n_2", "1");
    event = style_rig_event_of(read, "test.Mark", 1);
    style_rig_assert_field(read, event, "tracer_context_trace_id", "null");
    style_rig_assert_field(read, event, "tracer_context_n_2", "null");
    const compact_stats *stats = &f->results[0].stats;
    assert_int_equal(stats->contexts_in, 3);
    assert_int_equal(stats->contexts_out, 1);
    assert_int_equal(stats->contexts_lost, 1); // the one whose record is damaged

    style_rig_run(f, COMPACT_STYLE_REF);
    read = &f->outputs[0];
    assert_int_equal(read->events.count, 3);
    style_rig_assert_fields(read, "loupe.Context",
        "type startTime tracer_context_trace_id tracer_context_n tracer_context_n_2 parent "
        "truncated");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "context",
        "{type=\"tracer-context\" startTime=40 tracer_context_trace_id=\"t\xc3\xa9\" "
        "tracer_context_n=4294967291 tracer_context_n_2=1 parent=null truncated=0}");
}

static void
test_names_that_are_taken_get_numbers(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "a.Same",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "id", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL}}});
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN + 1,
               .name = "b.Same",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "id", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL}}});
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN + 2,
               .name = "test.Taken",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "a_Same_id", .type = JFR_SAMPLE_LONG},
                   {.name = "context", .type = JFR_SAMPLE_LONG},
                   {.name = "context_2", .type = JFR_SAMPLE_LONG}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    jfr_build_varint(style_rig_begin_event(build, 10, 90), 5);
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    jfr_build_varint(style_rig_begin_event(build, 100, 110), 6); // where nothing happens
    (void)jfr_build_event(build, STYLE_RIG_OWN + 1);
    lp_buf *out = style_rig_begin_event(build, 20, 30);
    jfr_build_varint(out, 1);
    jfr_build_varint(out, 2);
    jfr_build_varint(out, 3);
    (void)jfr_build_event(build, STYLE_RIG_OWN + 2);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    style_rig_assert_fields(&f->outputs[0], "test.Taken",
        "startTime duration eventThread a_Same_id context context_2 a_Same_id_2 b_Same_id");
    style_rig_assert_field(
        &f->outputs[0], style_rig_event_of(&f->outputs[0], "test.Taken", 0), "a_Same_id_2", "5");
    style_rig_run(f, COMPACT_STYLE_REF);
    style_rig_assert_fields(&f->outputs[0], "test.Taken",
        "startTime duration eventThread a_Same_id context context_2 context_3");
    style_rig_assert_field(&f->outputs[0], style_rig_event_of(&f->outputs[0], "test.Taken", 0),
        "context_3",
        "{type=\"a.Same\" startTime=10 a_Same_id=5 b_Same_id=null parent=null "
        "truncated=0}");
}

// No JVM does that. But fields that are added to the inner type would be missing in the outer one.
static void
test_an_event_type_that_is_part_of_another_stays_as_it_is(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Holder",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "inner", .type = JFR_SAMPLE_MARK},
                   {.name = "last", .type = JFR_SAMPLE_STRING}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    lp_buf *out = style_rig_begin_event(build, 20, 30);
    jfr_build_varint(out, 7); // startTime, eventThread and text of a Mark
    jfr_build_varint(out, 1);
    jfr_build_string(out, "part");
    jfr_build_string(out, "behind");
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_trace(build, 1, 10, 90, "t");
    (void)jfr_sample_mark(build, 1, 50);
    for (int style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        style_rig_run(f, (compact_context_style)style);
        const jfr_read *read = &f->outputs[0];
        style_rig_assert_field(read, style_rig_event_of(read, "Holder", 0), "last", "\"behind\"");
        style_rig_assert_fields(read, "test.Mark", "startTime eventThread text");
    }
    style_rig_assert_fields(
        &f->outputs[0], "Holder", "startTime duration eventThread inner last context");
}

static void
test_all_chunks_of_a_file_have_the_same_fields(void **state)
{
    style_rig *f = *state;
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 0), 1, 50);
    jfr_build *build = style_rig_begin_chunk(f, 1000);
    (void)jfr_sample_trace(build, 1, 1010, 1090, "t");
    (void)jfr_sample_mark(build, 1, 1050);
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 2000), 1, 2050);
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 3000), 1, 3050);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        bool is_ref = style == COMPACT_STYLE_REF;
        style_rig_run(f, style);
        for (size_t i = 0; i < 4; i++) {
            const jfr_read *read = &f->outputs[i];
            style_rig_assert_fields(read, "test.Mark",
                is_ref ? "startTime eventThread text context"
                       : "startTime eventThread text Trace_traceId");
            style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0),
                is_ref ? "context" : "Trace_traceId",
                i != 1   ? "null"
                : is_ref ? "{type=\"test.Trace\" startTime=1010 Trace_traceId=\"t\" parent=null "
                           "truncated=0}"
                         : "\"t\"");
        }
    }
}

static void
test_a_context_keeps_its_key_as_long_as_it_has_the_same_columns(void **state)
{
    style_rig *f = *state;
    (void)style_rig_add_context_type(f, (char[]){"api"}, CTX_LONG, (char[]){"n"});
    lp_buf values = {0};
    ctx_build_le(&values, 42, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 10, &values);
    lp_buf_fini(&values);
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 0), 1, 50);
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 1000), 1, 1050);
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Other",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "id", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL}}});
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 2000), 1, 2050);
    f->is_unsurveyed = true;
    style_rig_run(f, COMPACT_STYLE_REF);
    uint64_t keys[3];
    for (size_t i = 0; i < 3; i++) {
        const jfr_read *read = &f->outputs[i];
        keys[i] = style_rig_key_in(read, style_rig_event_of(read, "test.Mark", 0), "context");
        assert_true(keys[i] != 0 && keys[i] < (uint64_t)1 << 56);
    }
    assert_true(keys[0] == keys[1]);
    // There the type has a field more, and the JDK's reader would take the constant without it.
    assert_true(keys[1] != keys[2]);
}

static void
test_when_a_context_will_end_does_not_show(void **state)
{
    style_rig *f = *state;
    (void)style_rig_add_context_type(f, (char[]){"first"}, CTX_LONG, (char[]){"n"});
    (void)style_rig_add_context_type(f, (char[]){"second"}, CTX_LONG, (char[]){"n"});
    for (int64_t start = 0; start < 3000; start += 1000) {
        (void)jfr_sample_mark(style_rig_begin_chunk(f, start), 1, start + 50);
    }
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 10, &values);
    ctx_build_le(&values, 8, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 2, 1, 10, &values);
    lp_buf_fini(&values);
    for (size_t known = 1; known <= 2; known++) { // the first chunk sees the records of the second
        lp_buf_clear(&f->records[1]);
        ctx_build_record(&f->records[known], CTX_RECORD_UNSET, 2, 1, 2060, NULL);
        ctx_build_record(&f->records[known], CTX_RECORD_UNSET, 1, 1, 2070, NULL);
        style_rig_run(f, COMPACT_STYLE_REF);
        const jfr_read *read = &f->outputs[0];
        style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "context",
            "{type=\"first\" startTime=10 first_n=7 second_n=8 "
            "parent={type=\"second\" startTime=10 first_n=null second_n=8 parent=null "
            "truncated=0} truncated=0}");
    }
}

static void
test_a_context_that_is_stored_too_late_to_be_kept_is_not_shown(void **state)
{
    style_rig *f = *state;
    static const int64_t second = 1000000000;
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_mark(build, 1, 50);
    (void)jfr_sample_mark(build, 1, 500);
    (void)jfr_sample_mark(
        build, 1, 5 * second / 2); // what happened more than a second ago is forgotten for this
    build = style_rig_begin_chunk(f, 3 * second);
    (void)jfr_sample_trace(build, 1, 10, 90, "late");
    (void)jfr_sample_trace(build, 1, 400, 2 * second, "just in time");
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    assert_int_equal(jfr_read_count(&f->outputs[1], "test.Trace"), 1);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "Trace_traceId", "null");
    style_rig_assert_field(
        read, style_rig_event_of(read, "test.Mark", 1), "Trace_traceId", "\"just in time\"");
}

static void
test_a_context_that_does_not_fit_its_type_is_not_shown(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Cut",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "id", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL},
                   {.name = "other", .type = JFR_SAMPLE_LONG}}});
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 0), 1, 50);
    jfr_build *build = style_rig_begin_chunk(f, 1000);
    jfr_build_varint(style_rig_begin_event(build, 10, 1090), 42); // and no other
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_mark(build, 1, 1050);
    f->is_damaged = true;
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 2; i++) {
        const jfr_read *read = &f->outputs[i];
        style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "Cut_id", "null");
    }
}

static void
test_only_contexts_that_are_shown_are_constants(void **state)
{
    style_rig *f = *state;
    enum { DEPTH = 200 };
    jfr_build *build = style_rig_begin_chunk(f, 0);
    char text[24];
    for (int64_t i = 0; i < DEPTH; i++) {
        (void)snprintf(text, sizeof(text), "%lld", (long long)i);
        (void)jfr_sample_trace(build, 1, i, 10000 - i, text);
    }
    (void)jfr_sample_mark(build, 1, 1000);
    style_rig_run(f, COMPACT_STYLE_REF);
    const jfr_read *read = &f->outputs[0];
    // The states of the mark and of the contexts: each shows up to 64, and at least 33.
    uint64_t key = style_rig_key_in(read, style_rig_event_of(read, "test.Mark", 0), "context");
    size_t depth = 0;
    for (; key != 0; depth++) {
        const jfr_read_constant *constant = jfr_read_find_constant(read, "loupe.Context", key);
        lp_buf out = {0};
        assert_non_null(constant);
        (void)snprintf(text, sizeof(text), "\"%zu\"", DEPTH - 1 - depth);
        assert_true(jfr_read_constant_value(read, constant, "Trace_traceId", &out));
        assert_string_equal((const char *)out.ptr, text);
        lp_buf_clear(&out);
        assert_true(jfr_read_constant_key(read, constant, "parent", &key));
        assert_true(jfr_read_constant_value(read, constant, "truncated", &out));
        assert_string_equal((const char *)out.ptr, key == 0 ? "1" : "0");
        lp_buf_fini(&out);
    }
    assert_int_equal(depth, 40); // back to 160, where the block before that of 192 begins
    bool *is_met = calloc(read->constants.count, sizeof(*is_met));
    assert_non_null(is_met);
    size_t met = 0;
    for (size_t i = 0; i < read->events.count; i++) {
        key = style_rig_key_in(read, &read->events.items[i], "context");
        while (key != 0) {
            const jfr_read_constant *at = jfr_read_find_constant(read, "loupe.Context", key);
            if (is_met[at - read->constants.items]) {
                break; // and those around it, too
            }
            is_met[at - read->constants.items] = true;
            met++;
            assert_true(jfr_read_constant_key(read, at, "parent", &key));
        }
    }
    free(is_met);
    assert_int_equal(met, jfr_read_pool_size(read, "loupe.Context"));
}

static void
test_a_sample_gets_its_thread_before_its_contexts(void **state)
{
    style_rig *f = *state;
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_trace(build, 1, 10, 90, "t");
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 50, .thread = 1});
    f->has_sample_contexts = true;
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_fields(read, "jdk.ExecutionSample",
        "startTime sampledThread stackTrace state eventThread Trace_traceId");
    const jfr_read_event *event = style_rig_event_of(read, "jdk.ExecutionSample", 0);
    assert_int_equal(style_rig_key_in(read, event, "eventThread"), 1);
    style_rig_assert_field(read, event, "Trace_traceId", "\"t\"");
    assert_false(jfr_read_has_annotation(read,
        &jfr_read_find_type(read, "jdk.ExecutionSample")->fields.items[5], "jdk.jfr.Contextual"));
}

static void
test_bytes_behind_the_last_field_make_way(void **state)
{
    style_rig *f = *state;
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_trace(build, 1, 10, 90, "t");
    jfr_build_varint(&build->payload, 50);
    jfr_build_varint(&build->payload, 1);
    jfr_build_string(&build->payload, "m");
    lp_buf_append(&build->payload, "trailing", 8);
    (void)jfr_build_event(build, JFR_SAMPLE_MARK);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "text", "\"m\"");
    style_rig_assert_field(
        read, style_rig_event_of(read, "test.Mark", 0), "Trace_traceId", "\"t\"");
}

static void
test_without_contexts_all_styles_are_the_same_bytes(void **state)
{
    style_rig *f = *state;
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_mark(build, 1, 50);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 55, .thread = 1});
    style_rig_run(f, COMPACT_STYLE_EVENTS);
    lp_buf plain = {0};
    lp_buf_append(&plain, f->results[0].jfr.ptr, f->results[0].jfr.len);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        style_rig_run(f, style);
        assert_int_equal(f->results[0].jfr.len, plain.len);
        assert_memory_equal(f->results[0].jfr.ptr, plain.ptr, plain.len);
    }
    lp_buf_fini(&plain);
}

static void
test_types_over_the_limit_stay_events_and_nothing_else(void **state)
{
    style_rig *f = *state;
    enum { TYPES = COMPACT_KINDS_MAX + 6 };
    static char names[TYPES][16];
    for (uint64_t i = 0; i < TYPES; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "T%03d", (int)i);
        style_rig_add_type(
            f, (jfr_build_type){.id = STYLE_RIG_OWN + i,
                   .name = names[i],
                   .super = STYLE_RIG_EVENT,
                   .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                       {.name = "a", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL},
                       {.name = "b", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL},
                       {.name = "c", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL}}});
    }
    jfr_build *build = style_rig_begin_chunk(f, 0);
    for (int64_t i = 0; i < TYPES; i++) {
        lp_buf *out = style_rig_begin_event(build, i, 1000 - i);
        jfr_build_varint(out, (uint64_t)i);
        jfr_build_varint(out, 1);
        jfr_build_varint(out, 2);
        (void)jfr_build_event(build, (uint64_t)(STYLE_RIG_OWN + i));
    }
    (void)jfr_sample_mark(build, 1, 500);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_int_equal(read->events.count, TYPES + 1);
    assert_int_equal(jfr_read_find_type(read, "test.Mark")->fields.count, 3 + 126); // of 128
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "T041_a", "41");
    style_rig_run(f, COMPACT_STYLE_REF);
    read = &f->outputs[0];
    assert_int_equal(read->events.count, TYPES + 1);
    lp_buf out = {0};
    uint64_t key = style_rig_key_in(read, style_rig_event_of(read, "test.Mark", 0), "context");
    const jfr_read_constant *constant = jfr_read_find_constant(read, "loupe.Context", key);
    assert_true(jfr_read_constant_value(read, constant, "type", &out));
    assert_string_equal((const char *)out.ptr, "\"T063\""); // the last that is known
    lp_buf_fini(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STYLE_RIG_TEST(test_each_chunk_describes_the_attributes),
        STYLE_RIG_TEST(test_a_type_that_is_contextual_gives_all_that_is_not_implicit),
        STYLE_RIG_TEST(test_contexts_of_the_api_are_fields_and_no_events),
        STYLE_RIG_TEST(test_names_that_are_taken_get_numbers),
        STYLE_RIG_TEST(test_an_event_type_that_is_part_of_another_stays_as_it_is),
        STYLE_RIG_TEST(test_all_chunks_of_a_file_have_the_same_fields),
        STYLE_RIG_TEST(test_a_context_keeps_its_key_as_long_as_it_has_the_same_columns),
        STYLE_RIG_TEST(test_when_a_context_will_end_does_not_show),
        STYLE_RIG_TEST(test_a_context_that_is_stored_too_late_to_be_kept_is_not_shown),
        STYLE_RIG_TEST(test_a_context_that_does_not_fit_its_type_is_not_shown),
        STYLE_RIG_TEST(test_only_contexts_that_are_shown_are_constants),
        STYLE_RIG_TEST(test_a_sample_gets_its_thread_before_its_contexts),
        STYLE_RIG_TEST(test_bytes_behind_the_last_field_make_way),
        STYLE_RIG_TEST(test_without_contexts_all_styles_are_the_same_bytes),
        STYLE_RIG_TEST(test_types_over_the_limit_stay_events_and_nothing_else),
    };
    return cmocka_run_group_tests_name("compact_style", tests, NULL, NULL);
}
