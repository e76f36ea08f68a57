// SPDX-License-Identifier: Apache-2.0
// The values of attributes in the styles `fields` and `ref`: numbers, texts, and the constants that
// have them.

#include "unit/engine/show/style_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_numbers_and_booleans_stay_what_they_are(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(f, (jfr_build_type){.id = 480, .name = "byte"});
    style_rig_add_type(f, (jfr_build_type){.id = 481, .name = "char"});
    style_rig_add_type(f, (jfr_build_type){.id = 482, .name = "short"});
    style_rig_add_type(f, (jfr_build_type){.id = 483, .name = "float"});
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "shop.Numbers",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "z", .type = JFR_SAMPLE_BOOLEAN, STYLE_RIG_CONTEXTUAL},
                   {.name = "skipped", .type = JFR_SAMPLE_LONG},
                   {.name = "b", .type = 480, STYLE_RIG_CONTEXTUAL},
                   {.name = "c", .type = 481, STYLE_RIG_CONTEXTUAL},
                   {.name = "s", .type = 482, STYLE_RIG_CONTEXTUAL}}});
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN + 1,
               .name = "shop.More",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "i", .type = JFR_SAMPLE_INT, STYLE_RIG_CONTEXTUAL},
                   {.name = "l", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL},
                   {.name = "f", .type = 483, STYLE_RIG_CONTEXTUAL},
                   {.name = "d", .type = JFR_SAMPLE_DOUBLE, STYLE_RIG_CONTEXTUAL},
                   {.name = "t", .type = JFR_SAMPLE_STRING, STYLE_RIG_CONTEXTUAL}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    lp_buf *out = style_rig_begin_event(build, 10, 90);
    lp_buf_append(out, "\1", 1);
    jfr_build_varint(out, 77);
    lp_buf_append(out, "\x80", 1);
    jfr_build_varint(out, 0x20ac);
    jfr_build_varint(out, 0xfff7); // -9
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    out = style_rig_begin_event(build, 20, 80);
    jfr_build_varint(out, 0xfffffff7); // -9
    jfr_build_varint(out, UINT64_MAX);
    lp_buf_append(out, "\x3f\x80\0\0", 4);
    lp_buf_append(out, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
    jfr_build_string_utf16(out, (const uint16_t[]){0xd83d, 0xdd0d}, 2);
    (void)jfr_build_event(build, STYLE_RIG_OWN + 1);
    (void)jfr_sample_mark(build, 1, 50);
    (void)jfr_sample_mark(build, 1, 85);
    (void)jfr_sample_mark(build, 1, 95);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_fields(read, "test.Mark",
        "startTime eventThread text More_i More_l More_f More_d More_t Numbers_z Numbers_b "
        "Numbers_c Numbers_s");
    // They are events like others. Nothing is around the outer one, but its type has the fields.
    style_rig_assert_fields(read, "shop.Numbers",
        "startTime duration eventThread z skipped b c s More_i More_l More_f More_d More_t "
        "Numbers_z Numbers_b Numbers_c Numbers_s");
    style_rig_assert_field(read, style_rig_event_of(read, "shop.Numbers", 0), "Numbers_b", "null");
    style_rig_assert_field(
        read, style_rig_event_of(read, "shop.More", 0), "Numbers_b", "4294967168"); // -128, an int
    const jfr_read_event *event = style_rig_event_of(read, "test.Mark", 0);
    style_rig_assert_field(read, event, "text", "\"m\"");
    style_rig_assert_field(read, event, "Numbers_z", "1");
    style_rig_assert_field(read, event, "Numbers_b", "4294967168");
    style_rig_assert_field(read, event, "Numbers_c", "\"\xe2\x82\xac\"");
    style_rig_assert_field(read, event, "Numbers_s", "65527");
    style_rig_assert_field(read, event, "More_i", "4294967287");
    style_rig_assert_field(read, event, "More_l", "-1");
    style_rig_assert_field(read, event, "More_f", "3f800000");
    style_rig_assert_field(read, event, "More_d", "400921fb54442d18");
    style_rig_assert_field(read, event, "More_t", "\"\xf0\x9f\x94\x8d\"");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 1), "More_i", "null");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 1), "Numbers_s", "65527");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 2), "Numbers_s", "null");
}

static jfr_build_type
order_with(uint64_t number_type)
{
    return (jfr_build_type){.id = STYLE_RIG_OWN,
        .name = "Order",
        .super = STYLE_RIG_EVENT,
        .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
            {.name = "n", .type = number_type, STYLE_RIG_CONTEXTUAL},
            {.name = "same", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL}}};
}

static void
test_a_number_that_is_a_text_elsewhere_in_the_file_is_a_text(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(f, order_with(JFR_SAMPLE_LONG));
    jfr_build *build = style_rig_begin_chunk(f, 0);
    lp_buf *out = style_rig_begin_event(build, 10, 90);
    jfr_build_varint(out, 5);
    jfr_build_varint(out, 6);
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_mark(build, 1, 50);
    f->types[f->type_count - 1] = order_with(JFR_SAMPLE_STRING);
    build = style_rig_begin_chunk(f, 1000);
    out = style_rig_begin_event(build, 1010, 1090);
    jfr_build_string(out, "five");
    jfr_build_varint(out, 7);
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    (void)jfr_sample_mark(build, 1, 1050);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *reads = f->outputs;
    style_rig_assert_field(
        &reads[0], style_rig_event_of(&reads[0], "test.Mark", 0), "Order_n", "\"5\"");
    style_rig_assert_field(
        &reads[0], style_rig_event_of(&reads[0], "test.Mark", 0), "Order_same", "6");
    style_rig_assert_field(
        &reads[1], style_rig_event_of(&reads[1], "test.Mark", 0), "Order_n", "\"five\"");
    style_rig_assert_field(
        &reads[1], style_rig_event_of(&reads[1], "test.Mark", 0), "Order_same", "7");
}

static void
test_ids_are_shown_as_hex(void **state)
{
    style_rig *f = *state;
    (void)style_rig_add_context_type(f, (char[]){"span"}, CTX_HEX, (char[]){"id"});
    (void)jfr_sample_mark(style_rig_begin_chunk(f, 0), 1, 50);
    lp_buf values = {0};
    ctx_build_le(&values, 0xf067aa0ba902b7, 8);
    ctx_build_record(&f->records[0], CTX_RECORD_SET, 1, 1, 40, &values);
    lp_buf_fini(&values);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    style_rig_assert_field(
        read, style_rig_event_of(read, "test.Mark", 0), "span_id", "\"00f067aa0ba902b7\"");
}

static void
test_texts_are_constants_that_are_there_once(void **state)
{
    style_rig *f = *state;
    static const char text[] = "0123456789abcdef0123456789abcdef";
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_trace(build, 1, 10, 90, text);
    (void)jfr_sample_trace(build, 1, 100, 190, text);
    (void)jfr_sample_trace(build, 1, 200, 290, "another text that is long");
    (void)jfr_sample_trace(build, 1, 210, 280, "inner text that nobody sees");
    (void)jfr_sample_trace(build, 1, 220, 270, "short");
    jfr_build_string_constant(style_rig_begin_event(build, 300, 390), 7);
    (void)jfr_build_event(build, JFR_SAMPLE_TRACE);
    jfr_build_string(&build->payload, "a constant of the input");
    jfr_build_constant(build, JFR_SAMPLE_STRING, 7);
    for (int64_t time = 50; time < 400; time += 100) {
        (void)jfr_sample_mark(build, 1, time);
        (void)jfr_sample_mark(build, 1, time + 1);
    }
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    for (size_t i = 0; i < 4; i++) {
        char want[40];
        (void)snprintf(want, sizeof(want), "\"%s\"", text);
        style_rig_assert_field(
            read, style_rig_event_of(read, "test.Mark", i), "Trace_traceId", want);
    }
    style_rig_assert_field(
        read, style_rig_event_of(read, "test.Mark", 4), "Trace_traceId", "\"short\"");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 6), "Trace_traceId",
        "\"a constant of the input\"");
    // All five texts, with those that the events of the inner contexts show.
    assert_int_equal(jfr_read_pool_size(read, "loupe.Text"), 5);
    assert_true(jfr_read_find_type(read, "loupe.Text")->is_simple);
    // Some readers know no constants of this type: the values come from the input.
    assert_non_null(jfr_read_find_constant(read, "java.lang.String", 7));
    assert_int_equal(jfr_read_pool_size(read, "java.lang.String"), 1);
}

// test.Trace has its text from this constant.
static void
trace_of_constant(jfr_build *build, int64_t begin, uint64_t key)
{
    jfr_build_string_constant(style_rig_begin_event(build, begin, begin + 9), key);
    (void)jfr_build_event(build, JFR_SAMPLE_TRACE);
    (void)jfr_sample_mark(build, 1, begin + 5);
}

static void
test_constants_are_copied_whole_in_any_encoding(void **state)
{
    style_rig *f = *state;
    jfr_build *build = style_rig_begin_chunk(f, 0);
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
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *read = &f->outputs[0];
    char want[2010];
    (void)snprintf(want, sizeof(want), "\"%s\"", text);
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 0), "Trace_traceId", want);
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 1), "Trace_traceId",
        "\"\xc3\xa9\xf0\x9f\x98\x80\"");
    style_rig_assert_field(
        read, style_rig_event_of(read, "test.Mark", 2), "Trace_traceId", "\"caf\xc3\xa9\"");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 3), "Trace_traceId", "null");
    style_rig_assert_field(read, style_rig_event_of(read, "test.Mark", 4), "Trace_traceId", "null");
}

static void
test_text_of_a_constant_of_the_next_chunk_is_cut(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Spanning",
               .super = STYLE_RIG_EVENT,
               STYLE_RIG_CONTEXTUAL,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "text", .type = JFR_SAMPLE_STRING},
                   {.name = "known", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                   {.name = "unknown", .type = JFR_SAMPLE_CLASS, .is_constant = true},
                   {.name = "only", .type = JFR_SAMPLE_CLASS, .is_constant = true}}});
    jfr_build *build = style_rig_begin_chunk(f, 0);
    jfr_sample_stack(build, 100); // with class 2100
    jfr_sample_stack(build, 300);
    (void)jfr_sample_mark(build, 1, 50);
    build = style_rig_begin_chunk(f, 1000);
    jfr_sample_stack(build, 100);
    jfr_sample_stack(build, 200);
    lp_buf *out = style_rig_begin_event(build, 10, 1090);
    jfr_build_string_constant(out, 9);
    jfr_build_varint(out, 2100);
    jfr_build_varint(out, 2200);
    jfr_build_varint(out, 2300); // to the event's own chunk that is nothing
    (void)jfr_build_event(build, STYLE_RIG_OWN);
    char text[2000];
    for (size_t i = 0; i + 3 < sizeof(text); i += 3) {
        memcpy(text + i, "\xe2\x82\xac", 4);
    }
    jfr_build_string(&build->payload, text);
    jfr_build_constant(build, JFR_SAMPLE_STRING, 9);
    (void)jfr_sample_mark(build, 1, 1050);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read_event *event = style_rig_event_of(&f->outputs[0], "test.Mark", 0);
    char want[1100] = "\"";
    memcpy(want + 1, text, 1023); // 1,024 would be within a character
    memcpy(want + 1 + 1023, "\"", 2);
    style_rig_assert_field(&f->outputs[0], event, "Spanning_text", want);
    assert_int_equal(style_rig_key_in(&f->outputs[0], event, "Spanning_known"), 2100);
    assert_int_equal(style_rig_key_in(&f->outputs[0], event, "Spanning_unknown"), 0);
    assert_int_equal(style_rig_key_in(&f->outputs[0], event, "Spanning_only"), 0);
    assert_int_equal(jfr_read_pool_size(&f->outputs[0], "java.lang.Class"), 1);
    event = style_rig_event_of(&f->outputs[1], "test.Mark", 0);
    assert_int_equal(style_rig_key_in(&f->outputs[1], event, "Spanning_unknown"), 2200);
}

static void
assert_named(const jfr_read *read, size_t number, const char *state, const char *pooled)
{
    const jfr_read_event *event = style_rig_event_of(read, "test.Mark", number);
    style_rig_assert_field(read, event, "Named_state", state);
    style_rig_assert_field(read, event, "Named_pooled", pooled);
    style_rig_assert_field(read, event, "Named_none", "null");
}

// An enumeration may have a constant 0, so that a reference could not say "none".
static void
test_constants_that_are_one_text_are_texts(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Named",
               .super = STYLE_RIG_EVENT,
               STYLE_RIG_CONTEXTUAL,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "state", .type = JFR_SAMPLE_THREAD_STATE, .is_constant = true},
                   {.name = "pooled", .type = JFR_SAMPLE_STRING, .is_constant = true},
                   {.name = "none", .type = JFR_SAMPLE_THREAD_STATE, .is_constant = true}}});
    for (int64_t start = 0; start <= 1000; start += 1000) {
        jfr_build *build = style_rig_begin_chunk(f, start);
        lp_buf *out = style_rig_begin_event(build, start + 10 - (start > 0 ? 600 : 0), start + 90);
        jfr_build_varint(out, 0);
        jfr_build_varint(out, 9);
        jfr_build_varint(out, 77);
        (void)jfr_build_event(build, STYLE_RIG_OWN);
        jfr_build_string(&build->payload, start == 0 ? "STATE_NEW" : "STATE_LATER");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 0);
        jfr_build_string(&build->payload, "from a pool");
        jfr_build_constant(build, JFR_SAMPLE_STRING, 9);
        (void)jfr_sample_mark(build, 1, start + 50);
        (void)jfr_sample_mark(build, 1, start + 95);
    }
    (void)jfr_sample_mark(&f->chunks[0], 1, 600); // in the context that the next chunk has
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    assert_named(&f->outputs[0], 0, "\"STATE_NEW\"", "\"from a pool\"");
    assert_named(&f->outputs[0], 1, "null", "null");
    assert_named(&f->outputs[0], 2, "\"STATE_LATER\"", "\"from a pool\"");
    assert_named(&f->outputs[1], 0, "\"STATE_LATER\"", "\"from a pool\"");
}

// JDK 17's reader skips a constant that the chunk before has, and 64 bytes for one of type double.
static void
test_doubles_have_other_keys_in_each_chunk(void **state)
{
    style_rig *f = *state;
    style_rig_add_type(
        f, (jfr_build_type){.id = STYLE_RIG_OWN,
               .name = "Order",
               .super = STYLE_RIG_EVENT,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD,
                   {.name = "n", .type = JFR_SAMPLE_LONG, STYLE_RIG_CONTEXTUAL},
                   {.name = "d", .type = JFR_SAMPLE_DOUBLE, STYLE_RIG_CONTEXTUAL}}});
    for (int64_t start = 0; start < 2000; start += 1000) {
        jfr_build *build = style_rig_begin_chunk(f, start);
        lp_buf *out = style_rig_begin_event(build, start + 10, start + 90);
        jfr_build_varint(out, 5);
        lp_buf_append(out, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
        (void)jfr_build_event(build, STYLE_RIG_OWN);
        (void)jfr_sample_mark(build, 1, start + 50);
    }
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    const jfr_read *reads = f->outputs;
    const jfr_read_event *marks[] = {style_rig_event_of(&reads[0], "test.Mark", 0),
        style_rig_event_of(&reads[1], "test.Mark", 0)};
    assert_int_equal(style_rig_key_in(&reads[0], marks[0], "Order_n"),
        style_rig_key_in(&reads[1], marks[1], "Order_n"));
    assert_int_not_equal(style_rig_key_in(&reads[0], marks[0], "Order_d"),
        style_rig_key_in(&reads[1], marks[1], "Order_d"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STYLE_RIG_TEST(test_numbers_and_booleans_stay_what_they_are),
        STYLE_RIG_TEST(test_a_number_that_is_a_text_elsewhere_in_the_file_is_a_text),
        STYLE_RIG_TEST(test_ids_are_shown_as_hex),
        STYLE_RIG_TEST(test_texts_are_constants_that_are_there_once),
        STYLE_RIG_TEST(test_constants_are_copied_whole_in_any_encoding),
        STYLE_RIG_TEST(test_text_of_a_constant_of_the_next_chunk_is_cut),
        STYLE_RIG_TEST(test_constants_that_are_one_text_are_texts),
        STYLE_RIG_TEST(test_doubles_have_other_keys_in_each_chunk),
    };
    return cmocka_run_group_tests_name("shown_values", tests, NULL, NULL);
}
