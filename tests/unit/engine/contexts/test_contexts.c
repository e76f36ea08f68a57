// SPDX-License-Identifier: Apache-2.0
// Contexts of the Loupe API: where they begin and end, what triggers them, how they are cut at the
// borders of chunks, and how their values read in the output.

#include "support/ctx_build.h"
#include "support/exact_copy.h"
#include "unit/engine/compact_session.h"

#include <string.h>

static void
test_a_context_is_written_if_an_event_is_in_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_unset(s, 20, 1);
    session_set(s, 30, 1, "b");
    session_unset(s, 40, 1);
    session_set(s, 10, 2, "c");
    session_unset(s, 20, 2);
    session_mark(s, KEPT, 10, 1);
    session_mark(s, KEPT, 41, 1);
    session_mark(s, KEPT, 9, 2);
    session_mark(s, KEPT, 20, 3);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"a\"");
    assert_int_equal(s->results[0].stats.contexts_in, 3);
    assert_int_equal(s->results[0].stats.contexts_out, 1);
    assert_int_equal(s->results[0].stats.events_in, 4);
    assert_int_equal(s->results[0].stats.events_out, 4);
}

static void
test_both_ends_of_a_context_are_inside(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_unset(s, 20, 1);
    session_mark(s, KEPT, 20, 1);
    session_set(s, 10, 2, "b");
    session_unset(s, 20, 2);
    session_mark(s, KEPT, 10, 2);
    session_set(s, 15, 3, "c");
    session_unset(s, 15, 3);
    session_mark(s, KEPT, 15, 3);
    session_run(s);
    session_expect_parts(
        s, 0, "#1 10..20 @1 id=\"a\", #2 10..20 @2 id=\"b\", #3 15..15 @3 id=\"c\"");
}

static void
test_set_ends_what_is_running(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 20, 1, "b");
    session_set(s, 30, 1, "c");
    session_unset(s, 40, 1);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 35, 1);
    session_set(s, 10, 2, "d");
    session_set(s, 20, 2, "e");
    session_unset(s, 30, 2);
    session_mark(s, KEPT, 20, 2); // in both
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..19 @1 id=\"a\", #3 30..40 @1 id=\"c\", "
        "#4 10..20 @2 id=\"d\", #5 20..30 @2 id=\"e\"");
}

static void
test_a_context_ends_a_tick_before_the_next_of_its_type_on_its_thread(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 20, 1, "b");
    session_unset(s, 30, 1); // by nothing that begins
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 25, 1);
    session_set(s, 10, 2, "c");
    session_unset(s, 20, 2); // a tick is enough for that and for the next to begin
    session_set(s, 20, 2, "d");
    session_mark(s, KEPT, 19, 2);
    session_set(s, 10, 3, "e");
    session_unset(s, 20, 3); // when contexts of the other type and of other threads begin
    session_set_number(s, 20, 3, SESSION_ORDER, 7);
    session_mark(s, KEPT, 15, 3);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..19 @1 id=\"a\", #2 20..30 @1 id=\"b\", #3 10..19 @2 id=\"c\", "
        "#5 10..20 @3 id=\"e\"");
}

// The rule is that of what applies, not of what triggers.
static void
test_a_context_keeps_the_tick_at_which_an_event_was_kept(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Plain'><setting name='threshold'>5 ns</setting></event>");
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 20, 1, "b");
    session_mark(s, KEPT, 15, 1);
    session_plain(s, GONE, 18, 20, 1); // too short
    session_mark(s, KEPT, 20, 2);      // of another thread
    session_set(s, 10, 2, "c");
    session_set(s, 20, 2, "d");
    session_unset(s, 30, 2);
    session_set(s, 10, 3, "e");
    session_set(s, 20, 3, "f");
    session_mark(s, KEPT, 7, 3);
    session_trace(s, KEPT, 5, 20, 3); // is decided after the context in it
    session_mark(s, KEPT, 15, 3);
    session_set(s, 10, 4, "g");
    session_set(s, 20, 4, "h");
    session_mark(s, KEPT, 15, 4);
    session_trace(s, GONE, 16, 20, 4);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..19 @1 id=\"a\", #3 10..20 @2 id=\"c\", #4 20..30 @2 id=\"d\", "
        "#5 10..20 @3 id=\"e\", #6 20..1000000000 @3 id=\"f\", #7 10..19 @4 id=\"g\"");
}

static void
test_a_context_without_a_length_stays_where_it_is(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 10, 1, "b");
    session_set(s, 11, 1, "c");
    session_mark(s, KEPT, 10, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..10 @1 id=\"a\", #2 10..10 @1 id=\"b\"");
}

static void
test_a_nanosecond_may_be_several_ticks(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_build(s)->clock.ticks_per_s = 2600000000;
    session_set(s, 10, 1, "a");
    session_set(s, 20, 1, "b");
    session_mark(s, KEPT, 17, 1);
    session_set(s, 10, 2, "c");
    session_set(s, 20, 2, "d");
    session_mark(s, KEPT, 18, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..17 @1 id=\"a\", #3 10..20 @2 id=\"c\"");
}

static void
test_chunks_do_not_show_in_where_contexts_end(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 1100, 1, "b"); // known before its time
    session_mark(s, KEPT, 50, 1);
    session_set(s, 10, 2, "c");
    session_mark(s, KEPT, 50, 2);
    session_set(s, 10, 3, "d");
    session_set(s, 900, 3, "e");
    session_mark(s, KEPT, 50, 3);
    session_unset(s, 950, 3);
    session_set(s, 10, 4, "f");
    session_mark(s, KEPT, 50, 4);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 1050, 1);
    session_set(s, 1000, 2, "g");  // at the border
    session_mark(s, KEPT, 900, 3); // stored late
    session_set(s, 950, 4, "h");   // its record is late
    session_chunk(s, 2000);
    session_mark(s, KEPT, 2100, 1);
    session_unset(s, 2200, 1);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..999 @1 id=\"a\", #3 10..999 @2 id=\"c\", #4 10..900 @3 id=\"d\", "
        "#5 900..950 @3 id=\"e\", #6 10..949 @4 id=\"f\"");
    session_expect_parts(s, 1, "#1 1000..1099 @1 id=\"a\"");
    session_expect_parts(s, 2, "#2 2000..2200 @1 id=\"b\"");
}

static void
test_lost_records_end_every_context(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set(s, 25, 2, "b");
    session_thread_end(s, 20, CTX_THREAD_ALL);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, KEPT, 22, 1); // the context may have ended by then
    session_mark(s, KEPT, 25, 2);
    session_mark(s, KEPT, 26, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"a\", #2 25..25 @2 id=\"b\"");
}

static void
test_unset_without_set_means_nothing(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_unset(s, 5, 1);
    session_set(s, 10, 1, "a");
    session_unset(s, 20, 1);
    session_unset(s, 30, 1);
    session_mark(s, KEPT, 15, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"a\"");
}

static void
test_types_are_independent_and_end_with_their_thread(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_set_number(s, 12, 1, SESSION_ORDER, -5);
    session_unset(s, 20, 1);
    session_set(s, 11, 2, "b");
    session_thread_end(s, 30, 1);
    session_mark(s, KEPT, 20, 1);
    session_mark(s, KEPT, 31, 1);
    session_mark(s, KEPT, 40, 2);
    session_unset(s, 50, 2);
    session_run(s);
    session_expect_parts(
        s, 0, "#1 10..20 @1 id=\"a\", #2 12..30 @1 number=-5, #3 11..50 @2 id=\"b\"");
}

static void
test_only_kept_events_trigger(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='enabled'>false</setting></event>"
                     "<event name='test.Trace'><setting name='threshold'>100 ns</setting></event>");
    session_chunk(s, 0);
    session_set(s, 10, 1, "disabled");
    session_mark(s, GONE, 15, 1);
    session_unset(s, 20, 1);
    session_set(s, 30, 1, "untriggered");
    session_trace(s, GONE, 31, 35, 1);
    session_unset(s, 40, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
}

static void
test_contexts_trigger_no_contexts(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, GONE, 20, 60, 1); // the end of the triggered one is in it
    session_set(s, 10, 1, "a");
    session_set_number(s, 25, 1, SESSION_ORDER, 7);
    session_mark(s, KEPT, 15, 1);
    session_unset(s, 30, 1);
    session_unset_type(s, 40, 1, SESSION_ORDER);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..30 @1 id=\"a\"");
}

static void
test_a_kept_contextual_event_triggers_the_context_around_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 18, 1, "a");
    session_mark(s, KEPT, 15, 1);
    session_trace(s, KEPT, 10, 20, 1); // committed in the context
    session_unset(s, 30, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 18..30 @1 id=\"a\"");
}

static void
test_contexts_cover_if_context_events(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='select'>if-context</setting></event>");
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_mark(s, GONE, 9, 1);
    session_mark(s, KEPT, 10, 1);
    session_mark(s, KEPT, 20, 1);
    session_mark(s, GONE, 21, 1);
    session_mark(s, GONE, 15, 2);
    session_unset(s, 20, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"a\"");
}

static void
test_a_context_is_cut_at_the_borders_of_chunks(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_mark(s, KEPT, 50, 1);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 1500, 2); // nothing of thread 1 here
    session_chunk(s, 2000);
    session_mark(s, KEPT, 2999, 1);
    session_chunk(s, 3000);
    session_mark(s, KEPT, 3000, 1);
    session_unset(s, 3500, 1);
    session_chunk(s, 4000);
    session_mark(s, KEPT, 4000, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..999 @1 id=\"a\"");
    session_expect_parts(s, 1, "");
    session_expect_parts(s, 2, "#1 2000..2999 @1 id=\"a\"");
    session_expect_parts(s, 3, "#1 3000..3500 @1 id=\"a\"");
    session_expect_parts(s, 4, "");
    uint64_t in = 0;
    uint64_t out = 0;
    for (size_t i = 0; i < s->count; i++) {
        in += s->results[i].stats.contexts_in;
        out += s->results[i].stats.contexts_out;
    }
    assert_int_equal(in, 1);
    assert_int_equal(out, 1);
}

static void
test_records_that_come_with_the_next_chunk_are_heeded(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='select'>if-context</setting></event>");
    session_chunk(s, 0);
    session_mark(s, KEPT, 950, 1);
    session_mark(s, GONE, 980, 1);
    session_mark(s, GONE, 980, 2);
    session_chunk(s, 1000);
    session_set(s, 940, 1, "a");
    session_unset(s, 960, 1);
    session_set(s, 900, 2, "b");
    session_unset(s, 979, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 940..960 @1 id=\"a\"");
    session_expect_parts(s, 1, "");
    assert_int_equal(s->results[0].stats.contexts_out + s->results[1].stats.contexts_out, 1);
    assert_int_equal(s->results[0].stats.contexts_in + s->results[1].stats.contexts_in, 2);
}

static void
test_a_late_event_triggers_the_part_of_its_time(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 900, 1, "a");
    session_unset(s, 950, 1);
    session_set(s, 900, 2, "b");
    session_chunk(s, 1000);
    session_mark(s, KEPT, 925, 1);
    session_mark(s, KEPT, 999, 2);
    session_unset(s, 1100, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 900..950 @1 id=\"a\", #2 900..999 @2 id=\"b\"");
    session_expect_parts(s, 1, "");
}

static void
test_a_context_still_open_at_the_end_is_written(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_mark(s, KEPT, 50, 1);
    session_run(s);
    const jfr_read *output = &s->outputs[0];
    assert_int_equal(jfr_read_count(output, "tracer"), 1);
    for (size_t i = 0; i < output->events.count; i++) {
        const jfr_read_event *event = &output->events.items[i];
        if (strcmp(jfr_read_name(output, event), "tracer") == 0) {
            assert_int_equal(jfr_read_number(output, event, "startTime"), 10);
            assert_true(jfr_read_number(output, event, "duration") >= 40);
        }
    }
}

static void
test_types_may_be_registered_late_and_are_remembered(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    s->type_count[0] = 1;
    session_chunk(s, 1000);
    s->types[1] = &session_types[1];
    s->type_count[1] = 1;
    session_set_number(s, 1100, 1, SESSION_ORDER, 42);
    session_chunk(s, 2000);
    session_mark(s, KEPT, 2100, 1);
    session_set(s, 2100, 2, "a");
    session_mark(s, KEPT, 2150, 2);
    session_unset(s, 2200, 2);
    session_unset_type(s, 2300, 1, SESSION_ORDER);
    session_run(s);
    session_expect_parts(s, 2, "#1 2000..2300 @1 number=42, #2 2100..2200 @2 id=\"a\"");
}

static void
set_text(session *s, int64_t time, const void *bytes, size_t count, uint32_t coder)
{
    lp_buf values = {0};
    ctx_build_text(&values, bytes, count, coder);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SESSION_TRACER, 1, time, &values);
    session_mark(s, KEPT, time, 1);
    session_unset(s, time, 1);
    lp_buf_fini(&values);
}

static void
test_every_string_reads_as_it_was(void **state)
{
    session *s = *state;
    lp_buf values = {0};
    session_chunk(s, 0);
    ctx_build_null(&values);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SESSION_TRACER, 1, 10, &values);
    session_mark(s, KEPT, 10, 1);
    session_unset(s, 10, 1);
    set_text(s, 21, "", 0, 0);
    set_text(s, 32, "12345678", 8, 0);
    set_text(s, 43, "caf\xe9", 4, 0);
    set_text(s, 54, "\xac\x20", 2, 1);                 // the euro sign
    set_text(s, 65, "\x3d\xd8\x00\xde", 4, 1);         // U+1F600 as a pair
    set_text(s, 76, "a\0\x3d\xd8\x62\0", 6, 1);        // a lone high surrogate
    set_text(s, 87, "\x00\xde", 2, 1);                 // a lone low surrogate
    set_text(s, 98, "x\0\x3d\xd8", 4, 1);              // a high surrogate at the end
    set_text(s, 99, "\x3d\xd8\x3d\xd8\x00\xde", 6, 1); // a lone one before a pair
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..10 @1 id=\"null\", #10 99..99 @1 id=\"\xef\xbf\xbd\xf0\x9f\x98\x80\", "
        "#2 21..21 @1 id=\"\", #3 32..32 @1 id=\"12345678\", #4 43..43 @1 id=\"caf\xc3\xa9\", "
        "#5 54..54 @1 id=\"\xe2\x82\xac\", #6 65..65 @1 id=\"\xf0\x9f\x98\x80\", "
        "#7 76..76 @1 id=\"a\xef\xbf\xbd\x62\", #8 87..87 @1 id=\"\xef\xbf\xbd\", "
        "#9 98..98 @1 id=\"x\xef\xbf\xbd\"");
    lp_buf_fini(&values);
}

static void
test_every_primitive_reads_as_it_was(void **state)
{
    session *s = *state;
    static char name[] = "all";
    static char a[] = "a", b[] = "b", c[] = "c", d[] = "d", e[] = "e", f[] = "f", g[] = "g",
                h[] = "h", empty[] = "";
    static const ctx_type all = {.id = 9,
        .name = name,
        .label = empty,
        .description = empty,
        .attribute_count = 8,
        .attributes = {{CTX_BOOLEAN, a, empty, empty}, {CTX_BYTE, b, empty, empty},
            {CTX_CHAR, c, empty, empty}, {CTX_SHORT, d, empty, empty}, {CTX_INT, e, empty, empty},
            {CTX_LONG, f, empty, empty}, {CTX_FLOAT, g, empty, empty},
            {CTX_DOUBLE, h, empty, empty}}};
    lp_buf values = {0};
    session_chunk(s, 0);
    s->types[0] = &all;
    s->type_count[0] = 1;
    ctx_build_le(&values, 1, 8);
    ctx_build_le(&values, (uint64_t)-2, 8);
    ctx_build_le(&values, 0xffff, 8);
    ctx_build_le(&values, (uint64_t)-9, 8);
    ctx_build_le(&values, (uint64_t)-9, 8);
    ctx_build_le(&values, (uint64_t)INT64_MIN, 8);
    ctx_build_le(&values, 0x40490fdb, 8);
    ctx_build_le(&values, 0x400921fb54442d18, 8);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, 9, 1, 10, &values);
    session_mark(s, KEPT, 15, 1);
    session_unset_type(s, 20, 1, 9);
    session_run(s);
    // The reader shows bytes unsigned, and int and short as the format has them: their low bits.
    session_expect_parts(s, 0,
        "#1 10..20 @1 a=1 b=254 c=65535 d=65527 e=4294967287 f=-9223372036854775808 "
        "g=40490fdb h=400921fb54442d18");
    lp_buf_fini(&values);
}

static void
test_an_id_is_16_digits_of_hex(void **state)
{
    session *s = *state;
    const ctx_type type = {.id = 9,
        .name = (char[]){"span"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 2,
        .attributes = {{CTX_HEX, (char[]){"id"}, (char[]){""}, (char[]){""}},
            {CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}};
    static const uint64_t ids[] = {0xf067aa0ba902b7, 0, UINT64_MAX};
    lp_buf values = {0};
    session_chunk(s, 0);
    s->types[0] = &type;
    s->type_count[0] = 1;
    for (size_t i = 0; i < 3; i++) {
        lp_buf_clear(&values);
        ctx_build_le(&values, ids[i], 8);
        ctx_build_le(&values, i, 8);
        ctx_build_record(&s->records[0], CTX_RECORD_SET, 9, 1, 10 + 10 * (int64_t)i, &values);
        session_mark(s, KEPT, 15 + 10 * (int64_t)i, 1);
    }
    session_unset_type(s, 40, 1, 9);
    session_run(s);
    session_expect_parts(s, 0,
        "#1 10..19 @1 id=\"00f067aa0ba902b7\" n=0, #2 20..29 @1 id=\"0000000000000000\" n=1, "
        "#3 30..40 @1 id=\"ffffffffffffffff\" n=2");
    lp_buf_fini(&values);
}

// Readers that know a type by the order of its fields cannot read one that has got more.
static void
test_samples_have_the_fields_that_they_were_recorded_with(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_trace(s, KEPT, 11, 19, 1);
    session_event_of(
        s, KEPT, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 15, .thread = 1});
    session_unset(s, 20, 1);
    session_run(s);
    const jfr_read_type *type = jfr_read_find_type(&s->outputs[0], "jdk.ExecutionSample");
    assert_int_equal(type->fields.count, 4);
    assert_string_equal(type->fields.items[3].name, "state");
}

static void
test_attributes_are_contextual_in_the_output(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_mark(s, KEPT, 15, 1);
    session_unset(s, 20, 1);
    session_run(s);
    const jfr_read_type *type = jfr_read_find_type(&s->outputs[0], "tracer");
    assert_non_null(type);
    assert_true(type->is_event);
    assert_int_equal(type->fields.count, 5);
    static const char *const names[] = {"startTime", "duration", "eventThread", "contextId", "id"};
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(type->fields.items[i].name, names[i]);
        assert_int_equal(
            jfr_read_has_annotation(&s->outputs[0], &type->fields.items[i], "jdk.jfr.Contextual"),
            i == 4);
    }
}

// Readers find a field by its name, so no two may share one, nor take that of an implicit field.
static void
test_fields_of_a_context_have_names_of_their_own(void **state)
{
    session *s = *state;
    static char start[] = "startTime", thread[] = "eventThread", a[] = "a", name[] = "named",
                empty[] = "";
    static const ctx_type type = {.id = 9,
        .name = name,
        .label = empty,
        .description = empty,
        .attribute_count = 4,
        .attributes = {{CTX_LONG, start, empty, empty}, {CTX_LONG, thread, empty, empty},
            {CTX_LONG, a, empty, empty}, {CTX_LONG, a, empty, empty}}};
    lp_buf values = {0};
    session_chunk(s, 0);
    s->types[0] = &type;
    s->type_count[0] = 1;
    for (uint64_t i = 1; i <= 4; i++) {
        ctx_build_le(&values, i, 8);
    }
    ctx_build_record(&s->records[0], CTX_RECORD_SET, 9, 1, 10, &values);
    session_mark(s, KEPT, 15, 1);
    session_unset_type(s, 20, 1, 9);
    session_run(s);
    const jfr_read_type *made = jfr_read_find_type(&s->outputs[0], "named");
    assert_non_null(made);
    assert_int_equal(made->fields.count, 8);
    for (size_t i = 0; i < made->fields.count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(made->fields.items[i].name, made->fields.items[k].name);
        }
    }
    lp_buf_fini(&values);
}

static void
test_damaged_records_are_refused(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_unset(s, 20, 1);
    session_mark(s, KEPT, 15, 1);
    jfr_sample_thread(session_build(s), 1, 1);
    jfr_build_checkpoint(session_build(s));
    lp_slice jfr = jfr_build_finish(session_build(s));
    size_t count = s->records[0].len;
    for (size_t len = 0; len < count; len++) {
        uint8_t *copy = exact_copy_make(s->records[0].ptr, len);
        compact_source source = {.jfr = jfr,
            .records = {copy, len},
            .types = session_types,
            .type_count = SESSION_TYPES};
        compact_result result;
        lp_problem problem;
        lp_err err = compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem);
        bool is_whole = len == 0 || len == count - 24; // the last record has 24 bytes
        assert_int_equal(err, is_whole ? LP_OK : LP_ECORRUPT);
        if (err == LP_OK) {
            compact_result_fini(&result);
        }
        free(copy);
    }
}

// Tools remember a type by its id over the chunks of a file.
static void
test_a_context_type_has_the_same_id_in_every_chunk(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set_number(s, 10, 1, SESSION_ORDER, 7);
    session_set(s, 11, 1, "a");
    session_mark(s, KEPT, 12, 1);
    session_chunk(s, 1000);
    session_unset_type(s, 1000, 1, SESSION_ORDER);
    session_mark(s, KEPT, 1012, 1);
    session_run(s);
    for (size_t i = 0; i < 2; i++) {
        const jfr_read_type *first = jfr_read_find_type(&s->outputs[0], session_types[i].name);
        const jfr_read_type *second = jfr_read_find_type(&s->outputs[1], session_types[i].name);
        assert_non_null(first);
        assert_true(second == NULL || second->id == first->id);
    }
    assert_null(jfr_read_find_type(&s->outputs[1], session_types[1].name));
}

// A record that is damaged costs its context and nothing else.
static void
test_a_record_with_too_few_values_costs_its_context_alone(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    ctx_build_record(&s->records[0], CTX_RECORD_SET, SESSION_ORDER, 1, 10, NULL);
    session_mark(s, KEPT, 11, 1);
    session_set(s, 12, 1, "a");
    session_mark(s, KEPT, 13, 1);
    session_run(s);
    assert_int_equal(s->results[0].stats.contexts_in, 2);
    assert_int_equal(s->results[0].stats.contexts_out, 1);
    assert_int_equal(s->results[0].stats.contexts_lost, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_a_context_is_written_if_an_event_is_in_it),
        SESSION_TEST(test_both_ends_of_a_context_are_inside),
        SESSION_TEST(test_set_ends_what_is_running),
        SESSION_TEST(test_a_context_ends_a_tick_before_the_next_of_its_type_on_its_thread),
        SESSION_TEST(test_a_context_keeps_the_tick_at_which_an_event_was_kept),
        SESSION_TEST(test_a_context_without_a_length_stays_where_it_is),
        SESSION_TEST(test_a_nanosecond_may_be_several_ticks),
        SESSION_TEST(test_chunks_do_not_show_in_where_contexts_end),
        SESSION_TEST(test_lost_records_end_every_context),
        SESSION_TEST(test_unset_without_set_means_nothing),
        SESSION_TEST(test_types_are_independent_and_end_with_their_thread),
        SESSION_TEST(test_only_kept_events_trigger),
        SESSION_TEST(test_contexts_trigger_no_contexts),
        SESSION_TEST(test_a_kept_contextual_event_triggers_the_context_around_it),
        SESSION_TEST(test_contexts_cover_if_context_events),
        SESSION_TEST(test_a_context_is_cut_at_the_borders_of_chunks),
        SESSION_TEST(test_records_that_come_with_the_next_chunk_are_heeded),
        SESSION_TEST(test_a_late_event_triggers_the_part_of_its_time),
        SESSION_TEST(test_a_context_still_open_at_the_end_is_written),
        SESSION_TEST(test_types_may_be_registered_late_and_are_remembered),
        SESSION_TEST(test_every_string_reads_as_it_was),
        SESSION_TEST(test_every_primitive_reads_as_it_was),
        SESSION_TEST(test_an_id_is_16_digits_of_hex),
        SESSION_TEST(test_samples_have_the_fields_that_they_were_recorded_with),
        SESSION_TEST(test_attributes_are_contextual_in_the_output),
        SESSION_TEST(test_fields_of_a_context_have_names_of_their_own),
        SESSION_TEST(test_damaged_records_are_refused),
        SESSION_TEST(test_a_context_type_has_the_same_id_in_every_chunk),
        SESSION_TEST(test_a_record_with_too_few_values_costs_its_context_alone),
    };
    return cmocka_run_group_tests_name("compact_contexts", tests, NULL, NULL);
}
