// SPDX-License-Identifier: Apache-2.0
// The context styles `fields` and `ref`: names, values and places of what events are given, in
// cases written by hand. Which contexts apply to which events is for test_style_prop to say.

#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "engine/read/kinds.h"
#include "engine/show/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EVENT "jdk.jfr.Event"
#define START_TIME                                                                                 \
    {                                                                                              \
        .name = "startTime", .type = JFR_SAMPLE_LONG                                               \
    }
#define DURATION                                                                                   \
    {                                                                                              \
        .name = "duration", .type = JFR_SAMPLE_LONG                                                \
    }
#define EVENT_THREAD                                                                               \
    {                                                                                              \
        .name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true                      \
    }
#define CONTEXTUAL .annotation = JFR_SAMPLE_CONTEXTUAL

enum { CHUNKS_MAX = 4, OWN_TYPES_MAX = 100, OWN = 500 };

// A session of chunks, what came of it in a style, and how a test reads that.
typedef struct fixture {
    jfr_build chunks[CHUNKS_MAX];
    lp_buf records[CHUNKS_MAX];
    size_t count;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + OWN_TYPES_MAX];
    size_t type_count;
    ctx_type context_types[2];
    size_t context_type_count;
    bool has_sample_contexts;
    bool is_unsurveyed; // each chunk says itself which contexts there are
    bool is_damaged;
    policy *rules; // NULL: none
    compact_result results[CHUNKS_MAX];
    jfr_read outputs[CHUNKS_MAX];
    bool has_run;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->type_count = jfr_sample_types(f->types);
    *state = f;
    return 0;
}

static void
forget_outputs(fixture *f)
{
    for (size_t i = 0; f->has_run && i < f->count; i++) {
        jfr_read_close(&f->outputs[i]);
        compact_result_fini(&f->results[i]);
    }
    f->has_run = false;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    forget_outputs(f);
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_fini(&f->chunks[i]);
        lp_buf_fini(&f->records[i]);
    }
    policy_destroy(f->rules);
    free(f);
    return 0;
}

#define STYLE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static void
add_type(fixture *f, jfr_build_type type)
{
    f->types[f->type_count++] = type;
}

// begin_chunk begins a chunk with all types; thread 1 is there.
static jfr_build *
begin_chunk(fixture *f, int64_t start)
{
    jfr_build *build = &f->chunks[f->count++];
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start,
                               .start_wall_ns = 1700000000000000000 + start,
                               .duration_ns = 1000});
    jfr_build_metadata(build, (uint64_t)f->count, f->types, f->type_count);
    jfr_sample_thread(build, 1, 1);
    return build;
}

// begin_event writes startTime, duration and eventThread of thread 1.
static lp_buf *
begin_event(jfr_build *build, int64_t start, int64_t end)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, 1);
    return &build->payload;
}

static void
trace(jfr_build *build, int64_t start, int64_t end, const char *id)
{
    (void)jfr_sample_event(
        build, &(jfr_sample){
                   .type = JFR_SAMPLE_TRACE, .start = start, .end = end, .thread = 1, .text = id});
}

static void
mark(jfr_build *build, int64_t time)
{
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = time, .thread = 1, .text = "m"});
}

static void
run(fixture *f, compact_context_style style)
{
    compact_source sources[CHUNKS_MAX];
    compact_survey survey = {0};
    forget_outputs(f);
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_checkpoint(&f->chunks[i]);
        sources[i] = (compact_source){
            .jfr = jfr_build_finish(&f->chunks[i]),
            .records = lp_buf_slice(&f->records[i]),
            .types = f->context_types,
            .type_count = i == 0 ? f->context_type_count : 0,
        };
        assert_int_equal(compact_survey_add(&survey, sources[i].jfr, f->rules), LP_OK);
    }
    const compact_options options = {
        .policy = f->rules,
        .refused = f->is_damaged ? COMPACT_REFUSED_NONE : COMPACT_REFUSED_ALL,
        .has_sample_contexts = f->has_sample_contexts,
        .style = style,
        .survey = f->is_unsurveyed ? NULL : &survey,
    };
    compact_run_with(sources, f->count, &options, f->results);
    compact_survey_fini(&survey);
    for (size_t i = 0; i < f->count; i++) {
        compact_run_read(&f->results[i], &f->outputs[i]);
    }
    f->has_run = true;
}

// event_of finds the number-th event of a type.
static const jfr_read_event *
event_of(const jfr_read *read, const char *type, size_t number)
{
    for (size_t i = 0; i < read->events.count; i++) {
        const jfr_read_event *event = &read->events.items[i];
        if (strcmp(jfr_read_name(read, event), type) == 0 && number-- == 0) {
            return event;
        }
    }
    fail_msg("no %s", type);
    return NULL;
}

static void
assert_field(const jfr_read *read, const jfr_read_event *event, const char *field, const char *want)
{
    lp_buf text = {0};
    if (!jfr_read_value(read, event, field, &text)) {
        fail_msg("no field %s", field);
    }
    assert_string_equal((const char *)text.ptr, want);
    lp_buf_fini(&text);
}

static uint64_t
key_in(const jfr_read *read, const jfr_read_event *event, const char *field)
{
    uint64_t key;
    assert_true(jfr_read_key(read, event, field, &key));
    return key;
}

// fields_of writes the names of a type's fields, with spaces between them.
static const char *
fields_of(const jfr_read *read, const char *type_name, char *text, size_t size)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    size_t used = 0;
    assert_non_null(type);
    for (size_t i = 0; i < type->fields.count; i++) {
        used += (size_t)snprintf(
            text + used, size - used, "%s%s", i == 0 ? "" : " ", type->fields.items[i].name);
    }
    return text;
}

static void
assert_fields(const jfr_read *read, const char *type, const char *want)
{
    char text[8192];
    assert_string_equal(fields_of(read, type, text, sizeof(text)), want);
}

static void
test_numbers_and_booleans_stay_what_they_are(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = 480, .name = "byte"});
    add_type(f, (jfr_build_type){.id = 481, .name = "char"});
    add_type(f, (jfr_build_type){.id = 482, .name = "short"});
    add_type(f, (jfr_build_type){.id = 483, .name = "float"});
    add_type(
        f, (jfr_build_type){.id = OWN,
               .name = "shop.Numbers",
               .super = EVENT,
               .fields = {START_TIME, DURATION, EVENT_THREAD,
                   {.name = "z", .type = JFR_SAMPLE_BOOLEAN, CONTEXTUAL},
                   {.name = "skipped", .type = JFR_SAMPLE_LONG},
                   {.name = "b", .type = 480, CONTEXTUAL}, {.name = "c", .type = 481, CONTEXTUAL},
                   {.name = "s", .type = 482, CONTEXTUAL}}});
    add_type(f, (jfr_build_type){.id = OWN + 1,
                    .name = "shop.More",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "i", .type = JFR_SAMPLE_INT, CONTEXTUAL},
                        {.name = "l", .type = JFR_SAMPLE_LONG, CONTEXTUAL},
                        {.name = "f", .type = 483, CONTEXTUAL},
                        {.name = "d", .type = JFR_SAMPLE_DOUBLE, CONTEXTUAL},
                        {.name = "t", .type = JFR_SAMPLE_STRING, CONTEXTUAL}}});
    jfr_build *build = begin_chunk(f, 0);
    lp_buf *out = begin_event(build, 10, 90);
    lp_buf_append(out, "\1", 1);
    jfr_build_varint(out, 77);
    lp_buf_append(out, "\x80", 1);
    jfr_build_varint(out, 0x20ac);
    jfr_build_varint(out, 0xfff7); // -9
    (void)jfr_build_event(build, OWN);
    out = begin_event(build, 20, 80);
    jfr_build_varint(out, 0xfffffff7); // -9
    jfr_build_varint(out, UINT64_MAX);
    lp_buf_append(out, "\x3f\x80\0\0", 4);
    lp_buf_append(out, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
    jfr_build_string_utf16(out, (const uint16_t[]){0xd83d, 0xdd0d}, 2);
    (void)jfr_build_event(build, OWN + 1);
    mark(build, 50);
    mark(build, 85);
    mark(build, 95);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_fields(read, "test.Mark",
        "startTime eventThread text More_i More_l More_f More_d More_t Numbers_z Numbers_b "
        "Numbers_c Numbers_s");
    // They are events like others. Nothing is around the outer one, but its type has the fields.
    assert_fields(read, "shop.Numbers",
        "startTime duration eventThread z skipped b c s More_i More_l More_f More_d More_t "
        "Numbers_z Numbers_b Numbers_c Numbers_s");
    assert_field(read, event_of(read, "shop.Numbers", 0), "Numbers_b", "null");
    assert_field(read, event_of(read, "shop.More", 0), "Numbers_b", "4294967168"); // -128, an int
    const jfr_read_event *event = event_of(read, "test.Mark", 0);
    assert_field(read, event, "text", "\"m\"");
    assert_field(read, event, "Numbers_z", "1");
    assert_field(read, event, "Numbers_b", "4294967168");
    assert_field(read, event, "Numbers_c", "\"\xe2\x82\xac\"");
    assert_field(read, event, "Numbers_s", "65527");
    assert_field(read, event, "More_i", "4294967287");
    assert_field(read, event, "More_l", "-1");
    assert_field(read, event, "More_f", "3f800000");
    assert_field(read, event, "More_d", "400921fb54442d18");
    assert_field(read, event, "More_t", "\"\xf0\x9f\x94\x8d\"");
    assert_field(read, event_of(read, "test.Mark", 1), "More_i", "null");
    assert_field(read, event_of(read, "test.Mark", 1), "Numbers_s", "65527");
    assert_field(read, event_of(read, "test.Mark", 2), "Numbers_s", "null");
}

static jfr_build_type
order_with(uint64_t number_type)
{
    return (jfr_build_type){.id = OWN,
        .name = "Order",
        .super = EVENT,
        .fields = {START_TIME, DURATION, EVENT_THREAD,
            {.name = "n", .type = number_type, CONTEXTUAL},
            {.name = "same", .type = JFR_SAMPLE_LONG, CONTEXTUAL}}};
}

static void
test_a_number_that_is_a_text_elsewhere_in_the_file_is_a_text(void **state)
{
    fixture *f = *state;
    add_type(f, order_with(JFR_SAMPLE_LONG));
    jfr_build *build = begin_chunk(f, 0);
    lp_buf *out = begin_event(build, 10, 90);
    jfr_build_varint(out, 5);
    jfr_build_varint(out, 6);
    (void)jfr_build_event(build, OWN);
    mark(build, 50);
    f->types[f->type_count - 1] = order_with(JFR_SAMPLE_STRING);
    build = begin_chunk(f, 1000);
    out = begin_event(build, 1010, 1090);
    jfr_build_string(out, "five");
    jfr_build_varint(out, 7);
    (void)jfr_build_event(build, OWN);
    mark(build, 1050);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *reads = f->outputs;
    assert_field(&reads[0], event_of(&reads[0], "test.Mark", 0), "Order_n", "\"5\"");
    assert_field(&reads[0], event_of(&reads[0], "test.Mark", 0), "Order_same", "6");
    assert_field(&reads[1], event_of(&reads[1], "test.Mark", 0), "Order_n", "\"five\"");
    assert_field(&reads[1], event_of(&reads[1], "test.Mark", 0), "Order_same", "7");
}

static void
assert_description(const jfr_read *read, size_t number, const char *type, const char *attribute,
    const char *value_type, const char *field, const char *label, const char *description)
{
    const jfr_read_event *event = event_of(read, "dev.loupe.ContextAttribute", number);
    assert_int_equal(jfr_read_number(read, event, "startTime"), read->start_ticks);
    assert_field(read, event, "contextType", type);
    assert_field(read, event, "attribute", attribute);
    assert_field(read, event, "type", value_type);
    assert_field(read, event, "field", field);
    assert_field(read, event, "label", label);
    assert_field(read, event, "description", description);
}

static void
test_each_chunk_describes_the_attributes(void **state)
{
    fixture *f = *state;
    f->context_types[0] = (ctx_type){
        .id = 1,
        .name = (char[]){"tracer-context"},
        .label = (char[]){"Tracer"},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_INT, (char[]){"n"}, (char[]){"Number"}, (char[]){"What it is"}}},
    };
    f->context_type_count = 1;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "shop.Whole",
                    .super = EVENT,
                    CONTEXTUAL,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "where", .type = JFR_SAMPLE_CLASS, .is_constant = true}}});
    jfr_build *build = begin_chunk(f, 0);
    jfr_build_varint(begin_event(build, 10, 90), 0);
    (void)jfr_build_event(build, OWN);
    mark(build, 50);
    mark(begin_chunk(f, 1000), 1050);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        run(f, style);
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
    run(f, COMPACT_STYLE_EVENTS);
    assert_null(jfr_read_find_type(&f->outputs[0], "dev.loupe.ContextAttribute"));
}

static void
test_a_type_that_is_contextual_gives_all_that_is_not_implicit(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Whole",
                    .super = EVENT,
                    CONTEXTUAL,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "where", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                        {.name = "point", .type = JFR_SAMPLE_POINT},
                        {.name = "bits", .type = JFR_SAMPLE_BOOLEAN, .is_array = true},
                        {.name = "who", .type = JFR_SAMPLE_THREAD, .is_constant = true}}});
    jfr_build *build = begin_chunk(f, 0);
    jfr_sample_stack(build, 100); // with class 2100
    jfr_sample_stack(build, 200);
    lp_buf *out = begin_event(build, 10, 90);
    jfr_build_varint(out, 2100);
    lp_buf_append(out, "\0\0\0\0\0\0\0\0", 8);
    jfr_build_string(out, "p");
    lp_buf_append(out, "\1\1", 2);
    jfr_build_varint(out, 1);
    (void)jfr_build_event(build, OWN);
    mark(build, 50);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_fields(read, "test.Mark", "startTime eventThread text Whole_where Whole_who");
    const jfr_read_event *event = event_of(read, "test.Mark", 0);
    assert_int_equal(key_in(read, event, "Whole_where"), 2100);
    assert_int_equal(key_in(read, event, "Whole_who"), 1);
    assert_int_equal(jfr_read_pool_size(read, "java.lang.Class"), 1);
    assert_non_null(jfr_read_find_constant(read, "java.lang.Class", 2100));
}

enum { AWARE = 490 };

// add_aware_type adds a plain type; annotation is the value of its ContextAware, NULL: it has none.
static void
add_aware_type(fixture *f, uint64_t id, const char *name, const char *annotation)
{
    add_type(f, (jfr_build_type){.id = id,
                    .name = name,
                    .super = EVENT,
                    .annotation = annotation == NULL ? 0 : AWARE,
                    .annotation_value = annotation,
                    .fields = {START_TIME, DURATION, EVENT_THREAD}});
}

// tell_of_types makes a chunk in which all types have an event in a context.
static void
tell_of_types(fixture *f, const char *chosen)
{
    add_type(f,
        (jfr_build_type){
            .id = AWARE, .name = "acme.ContextAware", .super = "java.lang.annotation.Annotation"});
    add_aware_type(f, OWN, "shop.Chosen", chosen);
    add_aware_type(f, OWN + 1, "shop.Other", NULL);
    add_aware_type(f, OWN + 2, "jdk.Park", NULL);
    jfr_build *build = begin_chunk(f, 0);
    trace(build, 10, 90, "t");
    for (uint64_t type = OWN; type <= OWN + 2; type++) {
        (void)begin_event(build, 20, 30);
        (void)jfr_build_event(build, type);
    }
}

// assert_showing expects that the events of these types show the context, and no others do. names
// have spaces around them.
static void
assert_showing(fixture *f, const char *names)
{
    static const char *const types[] = {"shop.Chosen", "shop.Other", "jdk.Park"};
    run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 3; i++) {
        bool is_showing = strstr(names, types[i]) != NULL;
        assert_fields(&f->outputs[0], types[i],
            is_showing ? "startTime duration eventThread Trace_traceId"
                       : "startTime duration eventThread");
        if (is_showing) {
            const jfr_read_event *event = event_of(&f->outputs[0], types[i], 0);
            assert_field(&f->outputs[0], event, "Trace_traceId", "\"t\"");
        }
    }
    run(f, COMPACT_STYLE_REF);
    for (size_t i = 0; i < 3; i++) {
        assert_fields(&f->outputs[0], types[i],
            strstr(names, types[i]) != NULL ? "startTime duration eventThread context"
                                            : "startTime duration eventThread");
    }
    bool is_shown = jfr_read_find_type(&f->outputs[0], "loupe.Context") != NULL;
    assert_int_equal(is_shown, names[0] != '\0');
}

static void
test_types_that_nothing_is_said_of_show_contexts(void **state)
{
    tell_of_types(*state, NULL);
    assert_showing(*state, "shop.Chosen shop.Other jdk.Park");
}

static void
test_an_annotation_chooses_among_the_types_of_the_application(void **state)
{
    tell_of_types(*state, "true");
    assert_showing(*state, "shop.Chosen jdk.Park");
}

static void
test_an_annotation_may_exclude_its_type(void **state)
{
    tell_of_types(*state, "false");
    assert_showing(*state, "shop.Other jdk.Park");
}

static void
test_the_policy_goes_before_annotations(void **state)
{
    fixture *f = *state;
    f->rules = compact_run_policy("<event name='shop.Chosen' withContext='false'/>"
                                  "<event name='shop.Other' withContext='true'/>"
                                  "<event name='jdk.*' withContext='false'/>");
    tell_of_types(f, "true");
    assert_showing(f, "shop.Other");
}

static void
test_the_policy_may_choose_among_the_types_of_the_jvm(void **state)
{
    fixture *f = *state;
    f->rules = compact_run_policy(
        "<event name='jdk.Other'><setting name='withContext'>true</setting></event>");
    add_aware_type(f, OWN + 3, "jdk.Other", NULL);
    tell_of_types(f, NULL);
    assert_showing(f, "shop.Chosen shop.Other");
}

static void
test_a_chunk_says_what_the_policy_said(void **state)
{
    fixture *f = *state;
    f->rules = compact_run_policy("<event name='shop.Chosen' withContext='false'/>"
                                  "<event name='shop.Other' withContext='true'/>");
    tell_of_types(f, "true");
    run(f, COMPACT_STYLE_EVENTS);
    lp_slice stored = lp_buf_slice(&f->results[0].jfr);
    compact_survey survey = {0};
    assert_int_equal(compact_survey_add(&survey, stored, NULL), LP_OK);
    const compact_options options = {.style = COMPACT_STYLE_FIELDS, .survey = &survey};
    compact_result result;
    jfr_read read;
    const compact_source source = {.jfr = stored};
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &options, &result, NULL), LP_OK);
    compact_run_read(&result, &read);
    assert_fields(&read, "shop.Chosen", "startTime duration eventThread");
    assert_fields(&read, "shop.Other", "startTime duration eventThread Trace_traceId");
    assert_fields(&read, "jdk.Park", "startTime duration eventThread Trace_traceId");
    jfr_read_close(&read);
    compact_result_fini(&result);
    compact_survey_fini(&survey);
}

static void
test_contexts_of_the_api_are_fields_and_no_events(void **state)
{
    fixture *f = *state;
    f->context_types[0] = (ctx_type){
        .id = 1,
        .name = (char[]){"tracer-context"},
        .label = (char[]){"Tracer"},
        .description = (char[]){""},
        .attribute_count = 3,
        .attributes =
            {
                {CTX_STRING, (char[]){"trace.id"}, (char[]){""}, (char[]){""}},
                {CTX_INT, (char[]){"n"}, (char[]){"Number"}, (char[]){"What it is"}},
                {CTX_BOOLEAN, (char[]){"n"}, (char[]){""}, (char[]){""}},
            },
    };
    f->context_type_count = 1;
    jfr_build *build = begin_chunk(f, 0);
    mark(build, 50);
    mark(build, 70);
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
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_int_equal(read->events.count, 3);
    assert_fields(read, "jdk.ExecutionSample",
        "startTime sampledThread stackTrace state tracer_context_trace_id "
        "tracer_context_n tracer_context_n_2");
    const jfr_read_event *event = event_of(read, "test.Mark", 0);
    assert_field(read, event, "tracer_context_trace_id", "\"t\xc3\xa9\"");
    assert_field(read, event, "tracer_context_n", "4294967291"); // -5
    assert_field(read, event, "tracer_context_n_2", "1");
    event = event_of(read, "test.Mark", 1);
    assert_field(read, event, "tracer_context_trace_id", "null");
    assert_field(read, event, "tracer_context_n_2", "null");
    const compact_stats *stats = &f->results[0].stats;
    assert_int_equal(stats->contexts_in, 3);
    assert_int_equal(stats->contexts_out, 1);
    assert_int_equal(stats->contexts_lost, 1); // the one whose record is damaged

    run(f, COMPACT_STYLE_REF);
    read = &f->outputs[0];
    assert_int_equal(read->events.count, 3);
    assert_fields(read, "loupe.Context",
        "type startTime tracer_context_trace_id tracer_context_n tracer_context_n_2 parent "
        "truncated");
    assert_field(read, event_of(read, "test.Mark", 0), "context",
        "{type=\"tracer-context\" startTime=40 tracer_context_trace_id=\"t\xc3\xa9\" "
        "tracer_context_n=4294967291 tracer_context_n_2=1 parent=null truncated=0}");
}

static void
test_names_that_are_taken_get_numbers(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "a.Same",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "id", .type = JFR_SAMPLE_LONG, CONTEXTUAL}}});
    add_type(f, (jfr_build_type){.id = OWN + 1,
                    .name = "b.Same",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "id", .type = JFR_SAMPLE_LONG, CONTEXTUAL}}});
    add_type(f, (jfr_build_type){.id = OWN + 2,
                    .name = "test.Taken",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "a_Same_id", .type = JFR_SAMPLE_LONG},
                        {.name = "context", .type = JFR_SAMPLE_LONG},
                        {.name = "context_2", .type = JFR_SAMPLE_LONG}}});
    jfr_build *build = begin_chunk(f, 0);
    jfr_build_varint(begin_event(build, 10, 90), 5);
    (void)jfr_build_event(build, OWN);
    jfr_build_varint(begin_event(build, 100, 110), 6); // where nothing happens
    (void)jfr_build_event(build, OWN + 1);
    lp_buf *out = begin_event(build, 20, 30);
    jfr_build_varint(out, 1);
    jfr_build_varint(out, 2);
    jfr_build_varint(out, 3);
    (void)jfr_build_event(build, OWN + 2);
    run(f, COMPACT_STYLE_FIELDS);
    assert_fields(&f->outputs[0], "test.Taken",
        "startTime duration eventThread a_Same_id context context_2 a_Same_id_2 b_Same_id");
    assert_field(&f->outputs[0], event_of(&f->outputs[0], "test.Taken", 0), "a_Same_id_2", "5");
    run(f, COMPACT_STYLE_REF);
    assert_fields(&f->outputs[0], "test.Taken",
        "startTime duration eventThread a_Same_id context context_2 context_3");
    assert_field(&f->outputs[0], event_of(&f->outputs[0], "test.Taken", 0), "context_3",
        "{type=\"a.Same\" startTime=10 a_Same_id=5 b_Same_id=null parent=null "
        "truncated=0}");
}

static void
test_texts_are_constants_that_are_there_once(void **state)
{
    fixture *f = *state;
    static const char text[] = "0123456789abcdef0123456789abcdef";
    jfr_build *build = begin_chunk(f, 0);
    trace(build, 10, 90, text);
    trace(build, 100, 190, text);
    trace(build, 200, 290, "another text that is long");
    trace(build, 210, 280, "inner text that nobody sees");
    trace(build, 220, 270, "short");
    jfr_build_string_constant(begin_event(build, 300, 390), 7);
    (void)jfr_build_event(build, JFR_SAMPLE_TRACE);
    jfr_build_string(&build->payload, "a constant of the input");
    jfr_build_constant(build, JFR_SAMPLE_STRING, 7);
    for (int64_t time = 50; time < 400; time += 100) {
        mark(build, time);
        mark(build, time + 1);
    }
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    for (size_t i = 0; i < 4; i++) {
        char want[40];
        (void)snprintf(want, sizeof(want), "\"%s\"", text);
        assert_field(read, event_of(read, "test.Mark", i), "Trace_traceId", want);
    }
    assert_field(read, event_of(read, "test.Mark", 4), "Trace_traceId", "\"short\"");
    assert_field(
        read, event_of(read, "test.Mark", 6), "Trace_traceId", "\"a constant of the input\"");
    // All five texts, with those that the events of the inner contexts show.
    assert_int_equal(jfr_read_pool_size(read, "loupe.Text"), 5);
    assert_true(jfr_read_find_type(read, "loupe.Text")->is_simple);
    // Some readers know no constants of this type: what is there is that of the input.
    assert_non_null(jfr_read_find_constant(read, "java.lang.String", 7));
    assert_int_equal(jfr_read_pool_size(read, "java.lang.String"), 1);
}

// test.Trace has its text from this constant.
static void
trace_of_constant(jfr_build *build, int64_t begin, uint64_t key)
{
    jfr_build_string_constant(begin_event(build, begin, begin + 9), key);
    (void)jfr_build_event(build, JFR_SAMPLE_TRACE);
    mark(build, begin + 5);
}

static void
test_constants_are_copied_whole_in_any_encoding(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, 0);
    char text[2000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (uint64_t key = 1; key <= 5; key++) {
        trace_of_constant(build, 10 * (int64_t)key, key);
    }
    jfr_build_string(&build->payload, text);
    jfr_build_constant(build, JFR_SAMPLE_STRING, 1);
    jfr_build_string_utf16(&build->payload, (const uint16_t[]){0xe9, 0xd83d, 0xde00}, 3);
    jfr_build_constant(build, JFR_SAMPLE_STRING, 2);
    jfr_build_string_latin1(&build->payload, "caf\xe9");
    jfr_build_constant(build, JFR_SAMPLE_STRING, 3);
    jfr_build_string_constant(&build->payload, 1);   // no JVM writes such
    jfr_build_constant(build, JFR_SAMPLE_STRING, 4); // and there is no constant 5
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    char want[2010];
    (void)snprintf(want, sizeof(want), "\"%s\"", text);
    assert_field(read, event_of(read, "test.Mark", 0), "Trace_traceId", want);
    assert_field(
        read, event_of(read, "test.Mark", 1), "Trace_traceId", "\"\xc3\xa9\xf0\x9f\x98\x80\"");
    assert_field(read, event_of(read, "test.Mark", 2), "Trace_traceId", "\"caf\xc3\xa9\"");
    assert_field(read, event_of(read, "test.Mark", 3), "Trace_traceId", "null");
    assert_field(read, event_of(read, "test.Mark", 4), "Trace_traceId", "null");
}

static void
test_text_of_a_constant_of_the_next_chunk_is_cut(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Spanning",
                    .super = EVENT,
                    CONTEXTUAL,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "text", .type = JFR_SAMPLE_STRING},
                        {.name = "known", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                        {.name = "unknown", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                        {.name = "only", .type = JFR_SAMPLE_CLASS, .is_constant = true}}});
    jfr_build *build = begin_chunk(f, 0);
    jfr_sample_stack(build, 100); // with class 2100
    jfr_sample_stack(build, 300);
    mark(build, 50);
    build = begin_chunk(f, 1000);
    jfr_sample_stack(build, 100);
    jfr_sample_stack(build, 200);
    lp_buf *out = begin_event(build, 10, 1090);
    jfr_build_string_constant(out, 9);
    jfr_build_varint(out, 2100);
    jfr_build_varint(out, 2200);
    jfr_build_varint(out, 2300); // to the event's own chunk that is nothing
    (void)jfr_build_event(build, OWN);
    char text[2000];
    for (size_t i = 0; i + 3 < sizeof(text); i += 3) {
        memcpy(text + i, "\xe2\x82\xac", 4);
    }
    jfr_build_string(&build->payload, text);
    jfr_build_constant(build, JFR_SAMPLE_STRING, 9);
    mark(build, 1050);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read_event *event = event_of(&f->outputs[0], "test.Mark", 0);
    char want[1100] = "\"";
    memcpy(want + 1, text, 1023); // 1,024 would be within a character
    memcpy(want + 1 + 1023, "\"", 2);
    assert_field(&f->outputs[0], event, "Spanning_text", want);
    assert_int_equal(key_in(&f->outputs[0], event, "Spanning_known"), 2100);
    assert_int_equal(key_in(&f->outputs[0], event, "Spanning_unknown"), 0);
    assert_int_equal(key_in(&f->outputs[0], event, "Spanning_only"), 0);
    assert_int_equal(jfr_read_pool_size(&f->outputs[0], "java.lang.Class"), 1);
    event = event_of(&f->outputs[1], "test.Mark", 0);
    assert_int_equal(key_in(&f->outputs[1], event, "Spanning_unknown"), 2200);
}

static void
assert_named(const jfr_read *read, size_t number, const char *state, const char *pooled)
{
    const jfr_read_event *event = event_of(read, "test.Mark", number);
    assert_field(read, event, "Named_state", state);
    assert_field(read, event, "Named_pooled", pooled);
    assert_field(read, event, "Named_none", "null");
}

// An enumeration may have a constant 0, so that a reference could not say "none".
static void
test_constants_that_are_one_text_are_texts(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Named",
                    .super = EVENT,
                    CONTEXTUAL,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "state", .type = JFR_SAMPLE_THREAD_STATE, .is_constant = true},
                        {.name = "pooled", .type = JFR_SAMPLE_STRING, .is_constant = true},
                        {.name = "none", .type = JFR_SAMPLE_THREAD_STATE, .is_constant = true}}});
    for (int64_t start = 0; start <= 1000; start += 1000) {
        jfr_build *build = begin_chunk(f, start);
        lp_buf *out = begin_event(build, start + 10 - (start > 0 ? 600 : 0), start + 90);
        jfr_build_varint(out, 0);
        jfr_build_varint(out, 9);
        jfr_build_varint(out, 77);
        (void)jfr_build_event(build, OWN);
        jfr_build_string(&build->payload, start == 0 ? "STATE_NEW" : "STATE_LATER");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 0);
        jfr_build_string(&build->payload, "from a pool");
        jfr_build_constant(build, JFR_SAMPLE_STRING, 9);
        mark(build, start + 50);
        mark(build, start + 95);
    }
    mark(&f->chunks[0], 600); // in the context that the next chunk has
    run(f, COMPACT_STYLE_FIELDS);
    assert_named(&f->outputs[0], 0, "\"STATE_NEW\"", "\"from a pool\"");
    assert_named(&f->outputs[0], 1, "null", "null");
    assert_named(&f->outputs[0], 2, "\"STATE_LATER\"", "\"from a pool\"");
    assert_named(&f->outputs[1], 0, "\"STATE_LATER\"", "\"from a pool\"");
}

// No JVM does that. But fields that are added to the inner type would be missing in the outer one.
static void
test_an_event_type_that_is_part_of_another_stays_as_it_is(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Holder",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "inner", .type = JFR_SAMPLE_MARK},
                        {.name = "last", .type = JFR_SAMPLE_STRING}}});
    jfr_build *build = begin_chunk(f, 0);
    lp_buf *out = begin_event(build, 20, 30);
    jfr_build_varint(out, 7); // startTime, eventThread and text of a Mark
    jfr_build_varint(out, 1);
    jfr_build_string(out, "part");
    jfr_build_string(out, "behind");
    (void)jfr_build_event(build, OWN);
    trace(build, 10, 90, "t");
    mark(build, 50);
    for (int style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        run(f, (compact_context_style)style);
        const jfr_read *read = &f->outputs[0];
        assert_field(read, event_of(read, "Holder", 0), "last", "\"behind\"");
        assert_fields(read, "test.Mark", "startTime eventThread text");
    }
    assert_fields(&f->outputs[0], "Holder", "startTime duration eventThread inner last context");
}

static void
test_all_chunks_of_a_file_have_the_same_fields(void **state)
{
    fixture *f = *state;
    mark(begin_chunk(f, 0), 50);
    jfr_build *build = begin_chunk(f, 1000);
    trace(build, 1010, 1090, "t");
    mark(build, 1050);
    mark(begin_chunk(f, 2000), 2050);
    mark(begin_chunk(f, 3000), 3050);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        bool is_ref = style == COMPACT_STYLE_REF;
        run(f, style);
        for (size_t i = 0; i < 4; i++) {
            const jfr_read *read = &f->outputs[i];
            assert_fields(read, "test.Mark",
                is_ref ? "startTime eventThread text context"
                       : "startTime eventThread text Trace_traceId");
            assert_field(read, event_of(read, "test.Mark", 0), is_ref ? "context" : "Trace_traceId",
                i != 1   ? "null"
                : is_ref ? "{type=\"test.Trace\" startTime=1010 Trace_traceId=\"t\" parent=null "
                           "truncated=0}"
                         : "\"t\"");
        }
    }
}

static void
test_ids_are_shown_as_hex(void **state)
{
    fixture *f = *state;
    f->context_types[0] = (ctx_type){
        .id = 1,
        .name = (char[]){"span"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_HEX, (char[]){"id"}, (char[]){""}, (char[]){""}}},
    };
    f->context_type_count = 1;
    mark(begin_chunk(f, 0), 50);
    lp_buf values = {0};
    ctx_build_le(&values, 0xf067aa0ba902b7, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 40, &values);
    lp_buf_fini(&values);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_field(read, event_of(read, "test.Mark", 0), "span_id", "\"00f067aa0ba902b7\"");
}

static void
test_a_context_keeps_its_key_as_long_as_it_has_the_same_columns(void **state)
{
    fixture *f = *state;
    f->context_types[0] = (ctx_type){
        .id = 1,
        .name = (char[]){"api"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}},
    };
    f->context_type_count = 1;
    lp_buf values = {0};
    ctx_build_le(&values, 42, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 10, &values);
    lp_buf_fini(&values);
    mark(begin_chunk(f, 0), 50);
    mark(begin_chunk(f, 1000), 1050);
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Other",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "id", .type = JFR_SAMPLE_LONG, CONTEXTUAL}}});
    mark(begin_chunk(f, 2000), 2050);
    f->is_unsurveyed = true;
    run(f, COMPACT_STYLE_REF);
    uint64_t keys[3];
    for (size_t i = 0; i < 3; i++) {
        const jfr_read *read = &f->outputs[i];
        keys[i] = key_in(read, event_of(read, "test.Mark", 0), "context");
        assert_true(keys[i] != 0 && keys[i] < (uint64_t)1 << 56);
    }
    assert_true(keys[0] == keys[1]);
    // There the type has a field more, and the JDK's reader would take the constant without it.
    assert_true(keys[1] != keys[2]);
}

// JDK 17's reader skips a constant that the chunk before has, and 64 bytes for one of type double.
static void
test_doubles_have_other_keys_in_each_chunk(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Order",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "n", .type = JFR_SAMPLE_LONG, CONTEXTUAL},
                        {.name = "d", .type = JFR_SAMPLE_DOUBLE, CONTEXTUAL}}});
    for (int64_t start = 0; start < 2000; start += 1000) {
        jfr_build *build = begin_chunk(f, start);
        lp_buf *out = begin_event(build, start + 10, start + 90);
        jfr_build_varint(out, 5);
        lp_buf_append(out, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
        (void)jfr_build_event(build, OWN);
        mark(build, start + 50);
    }
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *reads = f->outputs;
    const jfr_read_event *marks[] = {
        event_of(&reads[0], "test.Mark", 0), event_of(&reads[1], "test.Mark", 0)};
    assert_int_equal(
        key_in(&reads[0], marks[0], "Order_n"), key_in(&reads[1], marks[1], "Order_n"));
    assert_int_not_equal(
        key_in(&reads[0], marks[0], "Order_d"), key_in(&reads[1], marks[1], "Order_d"));
}

static void
test_when_a_context_will_end_does_not_show(void **state)
{
    fixture *f = *state;
    char empty[] = "";
    char *names[] = {(char[]){"first"}, (char[]){"second"}};
    char n[] = "n";
    for (uint16_t i = 0; i < 2; i++) {
        f->context_types[i] = (ctx_type){
            .id = (uint16_t)(i + 1),
            .name = names[i],
            .label = empty,
            .description = empty,
            .attribute_count = 1,
            .attributes = {{CTX_LONG, n, empty, empty}},
        };
    }
    f->context_type_count = 2;
    for (int64_t start = 0; start < 3000; start += 1000) {
        mark(begin_chunk(f, start), start + 50);
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
        run(f, COMPACT_STYLE_REF);
        const jfr_read *read = &f->outputs[0];
        assert_field(read, event_of(read, "test.Mark", 0), "context",
            "{type=\"first\" startTime=10 first_n=7 second_n=8 "
            "parent={type=\"second\" startTime=10 first_n=null second_n=8 parent=null "
            "truncated=0} truncated=0}");
    }
}

static void
test_a_context_that_is_stored_too_late_to_be_kept_is_not_shown(void **state)
{
    fixture *f = *state;
    static const int64_t second = 1000000000;
    jfr_build *build = begin_chunk(f, 0);
    mark(build, 50);
    mark(build, 500);
    mark(build, 5 * second / 2); // what happened more than a second ago is forgotten for this
    build = begin_chunk(f, 3 * second);
    trace(build, 10, 90, "late");
    trace(build, 400, 2 * second, "just in time");
    run(f, COMPACT_STYLE_FIELDS);
    assert_int_equal(jfr_read_count(&f->outputs[1], "test.Trace"), 1);
    const jfr_read *read = &f->outputs[0];
    assert_field(read, event_of(read, "test.Mark", 0), "Trace_traceId", "null");
    assert_field(read, event_of(read, "test.Mark", 1), "Trace_traceId", "\"just in time\"");
}

static void
test_a_context_that_does_not_fit_its_type_is_not_shown(void **state)
{
    fixture *f = *state;
    add_type(f, (jfr_build_type){.id = OWN,
                    .name = "Cut",
                    .super = EVENT,
                    .fields = {START_TIME, DURATION, EVENT_THREAD,
                        {.name = "id", .type = JFR_SAMPLE_LONG, CONTEXTUAL},
                        {.name = "other", .type = JFR_SAMPLE_LONG}}});
    mark(begin_chunk(f, 0), 50);
    jfr_build *build = begin_chunk(f, 1000);
    jfr_build_varint(begin_event(build, 10, 1090), 42); // and no other
    (void)jfr_build_event(build, OWN);
    mark(build, 1050);
    f->is_damaged = true;
    run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 2; i++) {
        const jfr_read *read = &f->outputs[i];
        assert_field(read, event_of(read, "test.Mark", 0), "Cut_id", "null");
    }
}

static void
test_only_contexts_that_are_shown_are_constants(void **state)
{
    fixture *f = *state;
    enum { DEPTH = 200 };
    jfr_build *build = begin_chunk(f, 0);
    char text[24];
    for (int64_t i = 0; i < DEPTH; i++) {
        (void)snprintf(text, sizeof(text), "%lld", (long long)i);
        trace(build, i, 10000 - i, text);
    }
    mark(build, 1000);
    run(f, COMPACT_STYLE_REF);
    const jfr_read *read = &f->outputs[0];
    // That of the mark and those of the contexts themselves: each shows up to 64 and 33 at least.
    uint64_t key = key_in(read, event_of(read, "test.Mark", 0), "context");
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
        key = key_in(read, &read->events.items[i], "context");
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
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, 0);
    trace(build, 10, 90, "t");
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 50, .thread = 1});
    f->has_sample_contexts = true;
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_fields(read, "jdk.ExecutionSample",
        "startTime sampledThread stackTrace state eventThread Trace_traceId");
    const jfr_read_event *event = event_of(read, "jdk.ExecutionSample", 0);
    assert_int_equal(key_in(read, event, "eventThread"), 1);
    assert_field(read, event, "Trace_traceId", "\"t\"");
    assert_false(jfr_read_has_annotation(read,
        &jfr_read_find_type(read, "jdk.ExecutionSample")->fields.items[5], "jdk.jfr.Contextual"));
}

static void
test_bytes_behind_the_last_field_make_way(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, 0);
    trace(build, 10, 90, "t");
    jfr_build_varint(&build->payload, 50);
    jfr_build_varint(&build->payload, 1);
    jfr_build_string(&build->payload, "m");
    lp_buf_append(&build->payload, "trailing", 8);
    (void)jfr_build_event(build, JFR_SAMPLE_MARK);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_field(read, event_of(read, "test.Mark", 0), "text", "\"m\"");
    assert_field(read, event_of(read, "test.Mark", 0), "Trace_traceId", "\"t\"");
}

static void
test_without_contexts_all_styles_are_the_same_bytes(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, 0);
    mark(build, 50);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 55, .thread = 1});
    run(f, COMPACT_STYLE_EVENTS);
    lp_buf plain = {0};
    lp_buf_append(&plain, f->results[0].jfr.ptr, f->results[0].jfr.len);
    for (compact_context_style style = COMPACT_STYLE_FIELDS; style <= COMPACT_STYLE_REF; style++) {
        run(f, style);
        assert_int_equal(f->results[0].jfr.len, plain.len);
        assert_memory_equal(f->results[0].jfr.ptr, plain.ptr, plain.len);
    }
    lp_buf_fini(&plain);
}

static void
test_types_over_the_limit_stay_events_and_nothing_else(void **state)
{
    fixture *f = *state;
    enum { TYPES = COMPACT_KINDS_MAX + 6 };
    static char names[TYPES][16];
    for (uint64_t i = 0; i < TYPES; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "T%03d", (int)i);
        add_type(f, (jfr_build_type){.id = OWN + i,
                        .name = names[i],
                        .super = EVENT,
                        .fields = {START_TIME, DURATION, EVENT_THREAD,
                            {.name = "a", .type = JFR_SAMPLE_LONG, CONTEXTUAL},
                            {.name = "b", .type = JFR_SAMPLE_LONG, CONTEXTUAL},
                            {.name = "c", .type = JFR_SAMPLE_LONG, CONTEXTUAL}}});
    }
    jfr_build *build = begin_chunk(f, 0);
    for (int64_t i = 0; i < TYPES; i++) {
        lp_buf *out = begin_event(build, i, 1000 - i);
        jfr_build_varint(out, (uint64_t)i);
        jfr_build_varint(out, 1);
        jfr_build_varint(out, 2);
        (void)jfr_build_event(build, (uint64_t)(OWN + i));
    }
    mark(build, 500);
    run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    assert_int_equal(read->events.count, TYPES + 1);
    assert_int_equal(jfr_read_find_type(read, "test.Mark")->fields.count, 3 + 126); // of 128
    assert_field(read, event_of(read, "test.Mark", 0), "T041_a", "41");
    run(f, COMPACT_STYLE_REF);
    read = &f->outputs[0];
    assert_int_equal(read->events.count, TYPES + 1);
    lp_buf out = {0};
    uint64_t key = key_in(read, event_of(read, "test.Mark", 0), "context");
    const jfr_read_constant *constant = jfr_read_find_constant(read, "loupe.Context", key);
    assert_true(jfr_read_constant_value(read, constant, "type", &out));
    assert_string_equal((const char *)out.ptr, "\"T063\""); // the last that is known
    lp_buf_fini(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STYLE_TEST(test_numbers_and_booleans_stay_what_they_are),
        STYLE_TEST(test_a_number_that_is_a_text_elsewhere_in_the_file_is_a_text),
        STYLE_TEST(test_each_chunk_describes_the_attributes),
        STYLE_TEST(test_a_type_that_is_contextual_gives_all_that_is_not_implicit),
        STYLE_TEST(test_types_that_nothing_is_said_of_show_contexts),
        STYLE_TEST(test_an_annotation_chooses_among_the_types_of_the_application),
        STYLE_TEST(test_an_annotation_may_exclude_its_type),
        STYLE_TEST(test_the_policy_goes_before_annotations),
        STYLE_TEST(test_the_policy_may_choose_among_the_types_of_the_jvm),
        STYLE_TEST(test_a_chunk_says_what_the_policy_said),
        STYLE_TEST(test_contexts_of_the_api_are_fields_and_no_events),
        STYLE_TEST(test_ids_are_shown_as_hex),
        STYLE_TEST(test_names_that_are_taken_get_numbers),
        STYLE_TEST(test_texts_are_constants_that_are_there_once),
        STYLE_TEST(test_constants_are_copied_whole_in_any_encoding),
        STYLE_TEST(test_text_of_a_constant_of_the_next_chunk_is_cut),
        STYLE_TEST(test_constants_that_are_one_text_are_texts),
        STYLE_TEST(test_an_event_type_that_is_part_of_another_stays_as_it_is),
        STYLE_TEST(test_all_chunks_of_a_file_have_the_same_fields),
        STYLE_TEST(test_a_context_keeps_its_key_as_long_as_it_has_the_same_columns),
        STYLE_TEST(test_doubles_have_other_keys_in_each_chunk),
        STYLE_TEST(test_when_a_context_will_end_does_not_show),
        STYLE_TEST(test_a_context_that_is_stored_too_late_to_be_kept_is_not_shown),
        STYLE_TEST(test_a_context_that_does_not_fit_its_type_is_not_shown),
        STYLE_TEST(test_only_contexts_that_are_shown_are_constants),
        STYLE_TEST(test_a_sample_gets_its_thread_before_its_contexts),
        STYLE_TEST(test_bytes_behind_the_last_field_make_way),
        STYLE_TEST(test_without_contexts_all_styles_are_the_same_bytes),
        STYLE_TEST(test_types_over_the_limit_stay_events_and_nothing_else),
    };
    return cmocka_run_group_tests_name("compact_style", tests, NULL, NULL);
}
