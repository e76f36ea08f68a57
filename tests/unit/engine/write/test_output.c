// SPDX-License-Identifier: Apache-2.0
// The output chunk has exactly the needed constants and types, with unchanged values and one clock
// over the chunks. Damaged input is refused with the offset of the damage.

#include "support/exact_copy.h"
#include "unit/engine/compact_session.h"

#include "common/context/ctx_type.h"
#include "engine/carry/carry.h"

#include <stdlib.h>
#include <string.h>

#define MARK_IF_CONTEXT                                                                            \
    "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
#define PLAIN_IF_CONTEXT                                                                           \
    "<event name='test.Plain'><setting name='select'>if-context</setting></event>"

static const uint64_t huge = 0xfedcba9876543210;

// Types are checked as soon as they are described, whether they have events or not.
static void
test_types_that_settings_do_not_fit_need_no_events(void **state)
{
    static const struct {
        const char *name;
        compact_misfit_kind kind;
    } expected[] = {{"test.Idle", COMPACT_MISFIT_PLAIN}, {"test.Span", COMPACT_MISFIT_CONTEXTUAL},
        {"order", COMPACT_MISFIT_OF_API}};
    session *s = *state;
    session_rules(s, "<event name='test.Idle'><setting name='select'>if-triggered</setting></event>"
                     "<event name='test.Span'><setting name='filter'>has-context</setting></event>"
                     "<event name='test.Plain'><setting name='select'>if-context</setting></event>"
                     "<event name='no.Such'><setting name='context-match'>a=b</setting></event>"
                     "<event name='order'><setting name='enabled'>false</setting></event>"
                     "<event name='tracer'><setting name='select'>if-triggered</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_chunk(s, 100);
    session_trace(s, GONE, 110, 120, 1);
    session_run(s);
    compact_stats total = {0};
    assert_int_equal(compact_stats_add(&total, &s->results[0].stats), LP_OK);
    assert_int_equal(compact_stats_add(&total, &s->results[1].stats), LP_OK);
    assert_int_equal(total.type_count, 1); // test.Trace
    assert_int_equal(total.misfits.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(total.misfits.items[i].name, expected[i].name);
        assert_int_equal(total.misfits.items[i].kind, expected[i].kind);
    }
    compact_stats_fini(&total);
}

static void
test_only_reachable_constants_stay(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    jfr_sample_stack(session_build(s), 100);
    jfr_sample_stack(session_build(s), 200);
    session_trace(s, KEPT, 10, 20, 1);
    session_event_of(
        s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 11, 12, .thread = 1, .stack = 100, .text = "a"});
    session_event_of(
        s, GONE, &(jfr_sample){JFR_SAMPLE_PLAIN, 31, 32, .thread = 2, .stack = 200, .text = "b"});
    session_run(s);
    const jfr_read *out = &s->outputs[0];
    assert_int_equal(jfr_read_pool_size(out, "java.lang.Thread"), 1);
    assert_int_equal(jfr_read_pool_size(out, "jdk.types.StackTrace"), 1);
    assert_int_equal(jfr_read_pool_size(out, "jdk.types.Method"), 1);
    assert_int_equal(jfr_read_pool_size(out, "java.lang.Class"), 1);
    assert_int_equal(jfr_read_pool_size(out, "jdk.types.Symbol"), 3);
    assert_non_null(jfr_read_find_constant(out, "java.lang.Thread", 1));
    assert_non_null(jfr_read_find_constant(out, "jdk.types.StackTrace", 100));
    assert_non_null(jfr_read_find_constant(out, "jdk.types.Symbol", 4100));
}

// expect_looked_for expects the types that readers look for, if the sample has them.
static void
expect_looked_for(const jfr_read *out)
{
    static const char *const names[] = {"boolean", "int", "long", "double", "java.lang.String",
        "java.lang.Thread", "java.lang.Class", "jdk.types.Symbol", "jdk.types.Method",
        "jdk.types.StackFrame", "jdk.types.StackTrace", "jdk.types.ThreadState"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_non_null(jfr_read_find_type(out, names[i]));
    }
}

static void
add_state(jfr_build *build, uint64_t key, const char *name)
{
    jfr_build_string(&build->payload, name);
    jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, key);
}

// Tools know the constants of an enumeration by number, those too that no event names.
static void
test_an_enumeration_stays_whole_where_one_of_its_constants_is_needed(void **state)
{
    session *s = *state;
    static const char *const names[] = {"zero", "one", "two", "three"};
    for (int64_t start = 0; start <= 1000; start += 1000) {
        session_chunk(s, start);
        for (uint64_t key = 0; key < 4; key++) {
            add_state(session_build(s), key, names[key]);
        }
        add_state(session_build(s), 2, "another two, which no reader sees");
        jfr_build_string(&session_build(s)->payload, "a symbol that nobody names");
        jfr_build_constant(session_build(s), JFR_SAMPLE_SYMBOL, 9);
        session_mark(s, KEPT, start + 10, 1);
    }
    session_event_of(s, KEPT, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 1020});
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "jdk.types.ThreadState"), 0);
    const jfr_read *out = &s->outputs[1];
    assert_int_equal(jfr_read_pool_size(out, "jdk.types.Symbol"), 0);
    assert_int_equal(jfr_read_pool_size(out, "jdk.types.ThreadState"), 4);
    for (uint64_t key = 0; key < 4; key++) {
        const jfr_read_constant *constant =
            jfr_read_find_constant(out, "jdk.types.ThreadState", key);
        assert_non_null(constant);
        lp_buf text = {0};
        assert_true(jfr_read_constant_value(out, constant, "name", &text));
        assert_non_null(strstr((const char *)text.ptr, names[key]));
        assert_null(strstr((const char *)text.ptr, "another"));
        lp_buf_fini(&text);
    }
}

static void
test_nothing_kept_leaves_no_constant(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, GONE, 30, 1);
    session_chunk(s, 100); // of which not even an account is left
    session_run(s);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(s->outputs[i].constants.count, 0);
        assert_int_equal(s->outputs[i].events.count, 0);
    }
    assert_null(jfr_read_find_type(&s->outputs[1], "test.Mark"));
    assert_non_null(jfr_read_find_type(&s->outputs[0], "dev.loupe.Accounting"));
    expect_looked_for(&s->outputs[1]);
    assert_int_equal(s->outputs[1].types.count, 13); // and the thread group of java.lang.Thread
}

static void
test_the_first_chunk_describes_every_event_type(void **state)
{
    static const char *const events[] = {"test.Trace", "test.Mark", "test.Plain"};
    session *s = *state;
    for (int64_t start = 0; start < 200; start += 100) {
        session_chunk(s, start);
        session_mark(s, KEPT, start + 30, 1);
    }
    session_run(s);
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        assert_non_null(jfr_read_find_type(&s->outputs[0], events[i]));
        bool is_used = strcmp(events[i], "test.Mark") == 0;
        assert_int_equal(jfr_read_find_type(&s->outputs[1], events[i]) != NULL, is_used);
    }
}

static void
test_constants_may_be_anywhere_and_have_any_key(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    jfr_sample_stack(build, 300); // before the event
    jfr_build_checkpoint(build);
    jfr_build_checkpoint(build); // an empty one
    session_event_of(
        s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 11, 12, .thread = huge, .stack = 300});
    session_event_of(
        s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 11, 12, .thread = UINT64_MAX, .stack = huge});
    jfr_sample_thread(build, huge, 11); // behind it
    jfr_sample_stack(build, huge);
    jfr_build_checkpoint(build);
    jfr_sample_thread(build, UINT64_MAX, 12);
    jfr_sample_thread(build, huge, 13); // defined again: the first one counts
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "java.lang.Thread"), 2);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "jdk.types.Symbol"), 6);
}

static void
test_strings_of_every_encoding_are_copied(void **state)
{
    static const uint16_t units[] = {'x', 0xd83d, 0xde00, 0xd83d, 0xffff, 0};
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    lp_buf *out = &build->payload;
    for (int encoding = 0; encoding <= 5; encoding++) {
        jfr_build_varint(out, 10);
        jfr_build_varint(out, 1);
        if (encoding == 2) {
            jfr_build_string_constant(out, huge);
        } else if (encoding == 4) {
            jfr_build_string_utf16(out, units, 6);
        } else if (encoding == 5) {
            jfr_build_string_latin1(out, "caf\xe9");
        } else {
            jfr_build_string(out, encoding == 0 ? NULL : encoding == 1 ? "" : "\xe2\x82\xac");
        }
        struct session_event *event = LP_VEC_PUSH(&s->events);
        assert_non_null(event);
        *event = (struct session_event){0, jfr_build_event(build, JFR_SAMPLE_MARK), true};
    }
    jfr_build_string_utf16(out, units, 6);
    jfr_build_constant(build, JFR_SAMPLE_STRING, huge);
    jfr_build_string(out, "nobody needs it");
    jfr_build_constant(build, JFR_SAMPLE_STRING, 5);
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "java.lang.String"), 1);
}

static void
test_padded_sizes_and_trailing_bytes_are_fine(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    session_trace(s, KEPT, 10, 20, 1);
    for (size_t width = 0; width <= 9; width++) {
        build->size_width = width;
        session_mark(s, KEPT, 15, 1);
    }
    jfr_build_padded(&build->payload, 15, 9);
    jfr_build_padded(&build->payload, 1, 2);
    lp_buf_append(&build->payload, "\3\1xrest", 7);
    struct session_event *event = LP_VEC_PUSH(&s->events);
    assert_non_null(event);
    *event = (struct session_event){0, jfr_build_event(build, JFR_SAMPLE_MARK), true};
    session_run(s);
}

static void
test_nested_values_and_arrays_lead_to_their_constants(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    lp_buf *out = &build->payload;
    jfr_build_varint(out, 10);
    jfr_build_varint(out, 5);
    lp_buf_append(out, "12345678", 8);
    jfr_build_string_constant(out, 77); // point.name
    lp_buf_append(out, "\0", 1);        // bits
    jfr_build_varint(out, 2);
    jfr_build_varint(out, 501);
    jfr_build_varint(out, 502);
    jfr_build_string(out, NULL);
    jfr_build_varint(out, 1);
    struct session_event *event = LP_VEC_PUSH(&s->events);
    assert_non_null(event);
    *event = (struct session_event){0, jfr_build_event(build, JFR_SAMPLE_ODD), true};
    for (uint64_t key = 501; key <= 503; key++) {
        jfr_build_string_constant(out, 78); // of a symbol
        jfr_build_constant(build, JFR_SAMPLE_SYMBOL, key);
    }
    for (uint64_t key = 77; key <= 79; key++) {
        jfr_build_string(out, "text");
        jfr_build_constant(build, JFR_SAMPLE_STRING, key);
    }
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "jdk.types.Symbol"), 2);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "java.lang.String"), 2);
}

static void
test_a_chain_of_thread_groups_stays(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    lp_buf *out = &build->payload;
    jfr_build_string(out, "t");
    jfr_build_varint(out, 1);
    jfr_build_string(out, "t");
    jfr_build_varint(out, 55);
    jfr_build_varint(out, 3);
    jfr_build_constant(build, JFR_SAMPLE_THREAD, 55);
    for (uint64_t key = 1; key <= 5; key++) { // 3 -> 2 -> 1 -> null; 5 -> 4 -> 3 is not needed
        jfr_build_varint(out, key - 1);
        jfr_build_string(out, "g");
        jfr_build_constant(build, JFR_SAMPLE_THREAD_GROUP, key);
    }
    session_mark(s, KEPT, 5, 55);
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "jdk.types.ThreadGroup"), 3);
}

static void
test_a_constant_may_have_key_zero(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    jfr_build_string(&build->payload, "STATE_ZERO");
    jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 0);
    session_event_of(s, KEPT, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 5, .thread = 1});
    session_run(s);
    assert_int_equal(jfr_read_pool_size(&s->outputs[0], "jdk.types.ThreadState"), 1);
}

static uint64_t
output_key(const session *s, size_t event, const char *field)
{
    uint64_t key;
    assert_true(jfr_read_key(&s->outputs[0], &s->outputs[0].events.items[event], field, &key));
    return key;
}

// A reader that has null for a key in one chunk could show it in the next one, which describes it.
static void
test_keys_that_nothing_describes_are_null(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT); // so all of them are decided when they are written
    session_chunk(s, 0);
    jfr_sample_stack(session_build(s), 100);
    session_trace(s, KEPT, 5, 40, 1);
    jfr_sample event = {JFR_SAMPLE_PLAIN, 11, 12, .thread = 1, .stack = 100};
    session_event_of(s, KEPT, &event);
    event.stack = 999;
    session_event_of(s, KEPT, &event);
    event.stack = 100;
    session_event_of(s, KEPT, &event);
    session_run(s);
    assert_int_equal(output_key(s, 1, "stackTrace"), 100);
    assert_int_equal(output_key(s, 2, "stackTrace"), 0);
    assert_int_equal(output_key(s, 3, "stackTrace"), 100);
}

// Events kept at once are marked long before they are written, and constants after them.
static void
test_so_are_those_of_constants_and_of_what_is_always_kept(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    jfr_build_string(&build->payload, "t");
    jfr_build_varint(&build->payload, 1);
    jfr_build_string(&build->payload, "t");
    jfr_build_varint(&build->payload, 55);
    jfr_build_varint(&build->payload, 888); // its group
    jfr_build_constant(build, JFR_SAMPLE_THREAD, 55);
    session_mark(s, KEPT, 5, 55);
    jfr_sample event = {JFR_SAMPLE_PLAIN, 11, 12, .thread = huge, .stack = 999};
    session_event_of(s, KEPT, &event);
    session_run(s);
    const jfr_read *out = &s->outputs[0];
    uint64_t group;
    const jfr_read_constant *thread = jfr_read_find_constant(out, "java.lang.Thread", 55);
    assert_non_null(thread);
    assert_true(jfr_read_constant_key(out, thread, "group", &group));
    assert_int_equal(group, 0);
    assert_int_equal(output_key(s, 1, "stackTrace"), 0);
    assert_true(output_key(s, 1, "eventThread") == huge); // other chunks may tell whose it is
}

static void
test_only_used_types_stay(void **state)
{
    session *s = *state;
    session_chunk(s, 0); // which describes all
    session_chunk(s, 100);
    session_mark(s, KEPT, 105, 1);
    session_run(s);
    const jfr_read *out = &s->outputs[1];
    expect_looked_for(out);
    static const char *const there[] = {"test.Mark", "jdk.types.ThreadGroup", "jdk.jfr.Timestamp"};
    static const char *const gone[] = {"test.Plain", "test.Trace", "test.Unused", "jdk.jfr.Label",
        "test.Point", "jdk.settings.Enabled"};
    for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
        assert_non_null(jfr_read_find_type(out, there[i]));
    }
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        assert_null(jfr_read_find_type(out, gone[i]));
    }
}

// JMC looks up the type that a setting is about, and fails for the whole file if it is not there.
static void
test_types_that_settings_are_about_stay(void **state)
{
    session *s = *state;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    types[count++] = (jfr_build_type){.id = 500,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
            {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING}}};
    session_rules(s, "<event name='test.Idle'><setting name='enabled'>false</setting></event>");
    session_chunk(s, 0); // which describes all
    session_chunk(s, 100);
    jfr_build *build = session_build(s);
    jfr_build_metadata(build, 2, types, count);
    static const uint64_t about[] = {JFR_SAMPLE_ODD, 12345, JFR_SAMPLE_IDLE};
    for (size_t i = 0; i < sizeof(about) / sizeof(about[0]); i++) {
        jfr_build_varint(&build->payload, 110);
        jfr_build_varint(&build->payload, about[i]);
        jfr_build_string(&build->payload, "enabled");
        struct session_event *event = LP_VEC_PUSH(&s->events);
        assert_non_null(event);
        *event = (struct session_event){1, jfr_build_event(build, 500), true};
    }
    session_run(s);
    const jfr_read *out = &s->outputs[1];
    static const char *const there[] = {
        "test.Odd", "test.Point", "double", "test.Idle", "jdk.ActiveSetting"};
    static const char *const gone[] = {"test.Mark", "test.Trace"};
    for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
        assert_non_null(jfr_read_find_type(out, there[i]));
    }
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        assert_null(jfr_read_find_type(out, gone[i]));
    }
}

static void
test_different_metadata_have_different_ids(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 5, 1);
    session_chunk(s, 1000);
    session_plain(s, KEPT, 1005, 1006, 1);
    session_chunk(s, 2000);
    session_mark(s, KEPT, 2005, 1);
    session_set(s, 2000, 1, "a");
    session_chunk(s, 3000);
    session_run(s);
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(s->outputs[i].metadata_id != s->outputs[k].metadata_id);
        }
    }
}

static void
test_types_of_all_metadata_events_count(void **state)
{
    session *s = *state;
    static const jfr_build_type more[] = {
        {.id = JFR_SAMPLE_LONG, .name = "long"},
        {.id = JFR_SAMPLE_THREAD,
            .name = "java.lang.Thread",
            .fields = {{.name = "osName", .type = JFR_SAMPLE_STRING},
                {.name = "osThreadId", .type = JFR_SAMPLE_LONG},
                {.name = "javaName", .type = JFR_SAMPLE_STRING},
                {.name = "javaThreadId", .type = JFR_SAMPLE_LONG},
                {.name = "group", .type = JFR_SAMPLE_THREAD_GROUP, .is_constant = true}}},
        {.id = JFR_SAMPLE_STRING, .name = "java.lang.String"},
        {.id = JFR_SAMPLE_THREAD_GROUP,
            .name = "jdk.types.ThreadGroup",
            .fields = {{.name = "parent", .type = JFR_SAMPLE_THREAD_GROUP, .is_constant = true},
                {.name = "name", .type = JFR_SAMPLE_STRING}}},
        {.id = 0x7fffffffffffffff,
            .name = "test.Added",
            .super = "jdk.jfr.Event",
            .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
                {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true}}},
    };
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    session_trace(s, KEPT, 1, 10, 1);
    jfr_build_varint(&build->payload, 10);
    jfr_build_varint(&build->payload, 1);
    struct session_event *event = LP_VEC_PUSH(&s->events);
    assert_non_null(event);
    *event = (struct session_event){0, jfr_build_event(build, 0x7fffffffffffffff), true};
    jfr_build_metadata(build, 2, more, sizeof(more) / sizeof(more[0])); // behind its event
    session_plain(s, KEPT, 5, 6, 2); // of a type that only the first metadata has
    session_run(s);
}

static void
test_types_are_written_though_the_last_metadata_has_no_place_for_them(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    session_trace(s, KEPT, 1, 10, 1);
    session_plain(s, KEPT, 5, 6, 1);
    lp_buf_append(&build->payload, "\1\0\x9\1\3\4root\0\0\0", 13); // a root without children
    (void)jfr_build_event(build, 0);
    session_run(s);
    assert_int_equal(jfr_read_count(&s->outputs[0], "test.Plain"), 1);
}

static void
test_unknown_events_are_counted(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    jfr_build_varint(&build->payload, 15);
    (void)jfr_build_event(build, 999);
    (void)jfr_build_event(build, UINT64_MAX);
    session_mark(s, KEPT, 15, 1);
    session_run(s);
    assert_int_equal(s->results[0].stats.unknown_events, 2);
    assert_int_equal(jfr_read_count(&s->outputs[0], "test.Mark"), 1);
}

static void
test_statistics_are_of_what_went_in_and_came_out(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_trace(s, GONE, 10, 20, 2);
    session_plain(s, KEPT, 11, 12, 1);
    session_plain(s, GONE, 11, 12, 3);
    session_plain(s, GONE, 11, 12, 4);
    session_run(s);
    const compact_stats *stats = &s->results[0].stats;
    assert_int_equal(stats->events_in, 5);
    assert_int_equal(stats->events_out, 2);
    assert_int_equal(stats->contexts_in, 2);
    assert_int_equal(stats->contexts_out, 1);
    assert_int_equal(stats->bytes_in, s->chunks[0].bytes.len);
    assert_int_equal(stats->bytes_out, s->results[0].jfr.len);
    for (size_t i = 0; i < stats->type_count; i++) {
        const compact_type_stats *type = &stats->types[i];
        if (strcmp(type->name, "test.Plain") == 0) {
            assert_int_equal(type->events_in, 3);
            assert_int_equal(type->events_out, 1);
            assert_false(type->is_contextual);
            assert_int_equal(type->bytes_in, 3 * type->bytes_out);
        } else if (strcmp(type->name, "test.Trace") == 0) {
            assert_true(type->is_contextual);
            assert_int_equal(type->events_out, 1);
        }
    }
}

static void
test_the_header_says_what_the_input_said(void **state)
{
    session *s = *state;
    session_chunk(s, 12345);
    session_mark(s, KEPT, 12350, 1);
    session_run(s);
    const jfr_read *out = &s->outputs[0];
    assert_int_equal(out->state, 0);
    assert_int_equal(out->start_ticks, 12345);
    assert_int_equal(out->ticks_per_s, 1000000000);
    assert_int_equal(out->start_wall_ns, 1700000000000012345);
    assert_int_equal(out->duration_ns, 1000000000);
    assert_true(out->checkpoint_offset != 0 && out->metadata_offset != 0);
}

// JDK 25's reader uses the first chunk's line for a whole file, others use each chunk's: both find
// the input's.
static void
test_times_read_as_in_the_input(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 5, 1);
    session_chunk(s, 1000000000);
    session_build(s)->clock.start_wall_ns += 777; // the wall clock was set
    session_mark(s, KEPT, 1000000005, 1);
    session_run(s);
    const jfr_read *out = s->outputs;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(out[i].ticks_per_s, 1000000000);
        assert_int_equal(out[i].start_ticks, i * 1000000000);
    }
    assert_int_equal(out[1].start_wall_ns - out[0].start_wall_ns, 1000000777);
    // JDK 17's has one line as long as this is the same.
    assert_true(out[0].metadata_id != out[1].metadata_id);
}

static lp_err
compact_bytes(const uint8_t *bytes, size_t count, lp_problem *out_problem)
{
    compact_source source = {.jfr = {bytes, count}};
    const compact_options strict = {.refused = COMPACT_REFUSED_ALL};
    compact_result result;
    lp_err err = compact_chunk(&source, NULL, 0, NULL, &strict, &result, out_problem);
    if (err == LP_OK) {
        compact_result_fini(&result);
    }
    return err;
}

static lp_slice
finished_sample(session *s)
{
    session_chunk(s, 0);
    jfr_sample_stack(session_build(s), 100);
    jfr_sample_thread(session_build(s), 1, 1);
    jfr_build_checkpoint(session_build(s));
    session_trace(s, KEPT, 10, 20, 1);
    session_event_of(
        s, KEPT, &(jfr_sample){JFR_SAMPLE_PLAIN, 11, 12, .thread = 1, .stack = 100, .text = "a"});
    return jfr_build_finish(session_build(s));
}

// Chunks of one JVM are known by that one ends where the next starts. The output's lie on one line,
// which moves their starts.
static void
test_chunks_that_met_meet_in_the_output(void **state)
{
    session *s = *state;
    static const int64_t set_ns[] = {0, 777, -4000, 12}; // how the wall clock was set
    for (int64_t i = 0; i < 4; i++) {
        session_chunk(s, 1000000000 * i);
        session_build(s)->clock.start_wall_ns += set_ns[i];
        int64_t next_ns = i < 3 ? set_ns[i + 1] : set_ns[i];
        session_build(s)->clock.duration_ns += next_ns - set_ns[i] + (i == 2); // a gap behind it
        session_mark(s, KEPT, 1000000000 * i + 5, 1);
    }
    session_run(s);
    const jfr_read *out = s->outputs;
    assert_int_equal(out[0].start_wall_ns + out[0].duration_ns, out[1].start_wall_ns);
    assert_int_equal(out[1].start_wall_ns + out[1].duration_ns, out[2].start_wall_ns);
    assert_int_equal(out[2].duration_ns, 1000000000 + 12 + 4000 + 1);
    assert_int_equal(out[3].duration_ns, 1000000000);
}

static void
test_every_truncation_is_refused(void **state)
{
    session *s = *state;
    lp_slice chunk = finished_sample(s);
    for (size_t len = 0; len < chunk.len; len++) {
        uint8_t *copy = exact_copy_make(chunk.ptr, len);
        lp_problem problem = {0};
        lp_err err = compact_bytes(copy, len, &problem);
        free(copy);
        if (err == LP_OK) {
            print_error("%zu bytes were taken\n", len);
        }
        assert_true(err != LP_OK);
    }
}

static void
test_truncations_with_a_truthful_size_do_no_harm(void **state)
{
    session *s = *state;
    lp_slice chunk = finished_sample(s);
    for (size_t len = 68; len < chunk.len; len++) {
        uint8_t *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, chunk.ptr, len);
        memset(copy + 8, 0, 24); // size, checkpoint, metadata
        copy[14] = (uint8_t)(len >> 8);
        copy[15] = (uint8_t)len;
        copy[31] = 68;
        lp_problem problem = {0};
        (void)compact_bytes(copy, len, &problem);
        free(copy);
    }
}

static void
test_every_changed_byte_does_no_harm(void **state)
{
    static const uint8_t changes[] = {0xff, 0x80, 0x01, 0x7f};
    session *s = *state;
    lp_slice chunk = finished_sample(s);
    uint8_t *copy = malloc(chunk.len);
    assert_non_null(copy);
    for (size_t at = 0; at < chunk.len; at++) {
        for (size_t i = 0; i < sizeof(changes); i++) {
            memcpy(copy, chunk.ptr, chunk.len);
            copy[at] ^= changes[i];
            lp_problem problem = {0};
            (void)compact_bytes(copy, chunk.len, &problem);
        }
    }
    free(copy);
}

static void
expect_problem_at(session *s, size_t at, uint8_t value, uint64_t want_offset)
{
    lp_problem problem = {0};
    uint8_t saved = s->chunks[0].bytes.ptr[at];
    s->chunks[0].bytes.ptr[at] = value;
    lp_slice chunk = lp_buf_slice(&s->chunks[0].bytes);
    assert_int_equal(compact_bytes(chunk.ptr, chunk.len, &problem), LP_ECORRUPT);
    assert_true(problem.has_offset);
    assert_int_equal(problem.offset, want_offset);
    assert_true(problem.text[0] != '\0');
    s->chunks[0].bytes.ptr[at] = saved;
}

static void
test_damage_is_reported_where_it_is(void **state)
{
    session *s = *state;
    (void)finished_sample(s);
    size_t last = s->events.items[1].offset;
    expect_problem_at(s, last, 0, last);    // an event without size
    expect_problem_at(s, last, 1, last);    // one that ends before its type
    expect_problem_at(s, last, 0x7f, last); // one that ends behind the chunk
    size_t trace = s->events.items[0].offset;
    expect_problem_at(s, trace, 0x7f, trace);
}

static void
test_an_event_shorter_than_its_fields_is_refused(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    jfr_build_varint(&build->payload, 15);
    size_t offset = jfr_build_event(build, JFR_SAMPLE_MARK); // no thread, no text
    lp_slice chunk = jfr_build_finish(build);
    lp_problem problem = {0};
    assert_int_equal(compact_bytes(chunk.ptr, chunk.len, &problem), LP_ECORRUPT);
    assert_true(problem.has_offset);
    assert_in_range(problem.offset, offset, offset + 2);
}

static const int64_t absurd_times[] = {
    INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
enum { ABSURD_TIMES = sizeof(absurd_times) / sizeof(absurd_times[0]) };

// add_absurd_chunk makes a chunk in which every event type has every start with every duration.
static void
add_absurd_chunk(session *s, int64_t start_ticks, int64_t ticks_per_s)
{
    static const uint64_t types[] = {JFR_SAMPLE_PLAIN, JFR_SAMPLE_TRACE, JFR_SAMPLE_SPAN};
    session_chunk(s, 0);
    jfr_build *build = session_build(s);
    build->clock.start_ticks = start_ticks;
    build->clock.ticks_per_s = ticks_per_s;
    build->clock.start_wall_ns = start_ticks;
    build->clock.duration_ns = INT64_MAX;
    for (size_t i = 0; i < ABSURD_TIMES * ABSURD_TIMES * 3; i++) {
        jfr_build_varint(&build->payload, (uint64_t)absurd_times[i % ABSURD_TIMES]);
        jfr_build_varint(&build->payload, (uint64_t)absurd_times[i / ABSURD_TIMES % ABSURD_TIMES]);
        jfr_build_varint(&build->payload, 1);
        lp_buf_append(&build->payload, "\0\0", 2);
        (void)jfr_build_event(build, types[i / (ABSURD_TIMES * ABSURD_TIMES)]);
    }
    for (size_t i = 0; i < ABSURD_TIMES; i++) {
        session_set(s, absurd_times[i], 1, "a");
        session_set(s, absurd_times[ABSURD_TIMES - 1 - i], 1, "b");
    }
    jfr_sample_thread(build, 1, 1);
    jfr_build_checkpoint(build);
}

static void
test_times_at_the_ends_of_all_numbers_do_no_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < ABSURD_TIMES * ABSURD_TIMES; i++) {
        session *s = session_create();
        int64_t ticks_per_s = i % 2 == 0 ? 1 : INT64_MAX;
        session_rules(s, PLAIN_IF_CONTEXT);
        add_absurd_chunk(s, absurd_times[i % ABSURD_TIMES], ticks_per_s);
        add_absurd_chunk(s, absurd_times[i / ABSURD_TIMES], ticks_per_s);
        compact_source sources[2];
        compact_result results[2];
        for (size_t k = 0; k < 2; k++) {
            sources[k] = (compact_source){.jfr = jfr_build_finish(&s->chunks[k]),
                .records = lp_buf_slice(&s->records[k]),
                .types = session_types,
                .type_count = SESSION_TYPES};
        }
        compact_run(sources, 2, s->rules, COMPACT_RUN_SAVED, results);
        for (size_t k = 0; k < 2; k++) {
            compact_result_fini(&results[k]);
        }
        session_destroy(s);
    }
}

static void
test_a_damaged_look_ahead_is_ignored(void **state)
{
    session *s = *state;
    compact_source source = {.jfr = finished_sample(s)};
    static const uint8_t junk[200] = {'F', 'L', 'R', 0, 0, 2, 0, 1};
    compact_source next = {.jfr = {junk, sizeof(junk)}};
    compact_result alone;
    compact_result result;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &alone, NULL), LP_OK);
    assert_int_equal(compact_chunk(&source, &next, 1, NULL, NULL, &result, NULL), LP_OK);
    assert_int_equal(alone.stats.events_out, result.stats.events_out);
    compact_result_fini(&alone);
    compact_result_fini(&result);
}

static void
test_every_truncation_of_a_carry_is_refused(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_set(s, 10, 1, "still open");
    session_mark(s, KEPT, 50, 1);
    session_trace(s, KEPT, 40, 60, 1);
    session_run(s);
    lp_buf bytes = {0};
    assert_int_equal(compact_carry_save(s->results[0].carry, &bytes), LP_OK);
    for (size_t len = 0; len < bytes.len; len++) {
        uint8_t *copy = exact_copy_make(bytes.ptr, len);
        compact_carry *carry = NULL;
        lp_err err = compact_carry_load((lp_slice){copy, len}, &carry, NULL);
        assert_true(err == LP_ECORRUPT || err == LP_EVERSION);
        free(copy);
    }
    lp_buf_fini(&bytes);
}

static void
test_a_carry_with_more_types_than_a_jvm_has_is_refused(void **state)
{
    (void)state;
    compact_carry *carry = compact_carry_create();
    assert_non_null(carry);
    for (uint16_t id = 1; id <= CTX_TYPES_MAX + 1; id++) {
        const ctx_type type = {
            .id = id, .name = "type", .attribute_count = 1, .attributes = {{CTX_LONG, "n"}}};
        LP_ARENA_PUSH(&carry->arena, &carry->types, ctx_type_copy_in(&carry->arena, &type));
    }
    lp_buf bytes = {0};
    assert_int_equal(compact_carry_save(carry, &bytes), LP_OK);
    compact_carry *loaded = NULL;
    assert_int_equal(compact_carry_load(lp_buf_slice(&bytes), &loaded, NULL), LP_ECORRUPT);
    carry->types.count = CTX_TYPES_MAX;
    lp_buf_clear(&bytes);
    assert_int_equal(compact_carry_save(carry, &bytes), LP_OK);
    assert_int_equal(compact_carry_load(lp_buf_slice(&bytes), &loaded, NULL), LP_OK);
    compact_carry_destroy(loaded);
    compact_carry_destroy(carry);
    lp_buf_fini(&bytes);
}

static void
test_statistics_add_up_by_type(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 5, 1);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 1005, 1);
    session_trace(s, GONE, 1006, 1007, 1);
    session_run(s);
    compact_stats total = {0};
    assert_int_equal(compact_stats_add(&total, &s->results[0].stats), LP_OK);
    assert_int_equal(compact_stats_add(&total, &s->results[1].stats), LP_OK);
    assert_int_equal(total.events_in, 3);
    assert_int_equal(total.events_out, 2);
    assert_int_equal(total.contexts_in, 1);
    for (size_t i = 0; i < total.type_count; i++) {
        if (strcmp(total.types[i].name, "test.Mark") == 0) {
            assert_int_equal(total.types[i].events_in, 2);
        }
    }
    compact_stats_fini(&total);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_types_that_settings_do_not_fit_need_no_events),
        SESSION_TEST(test_only_reachable_constants_stay),
        SESSION_TEST(test_an_enumeration_stays_whole_where_one_of_its_constants_is_needed),
        SESSION_TEST(test_nothing_kept_leaves_no_constant),
        SESSION_TEST(test_the_first_chunk_describes_every_event_type),
        SESSION_TEST(test_constants_may_be_anywhere_and_have_any_key),
        SESSION_TEST(test_strings_of_every_encoding_are_copied),
        SESSION_TEST(test_padded_sizes_and_trailing_bytes_are_fine),
        SESSION_TEST(test_nested_values_and_arrays_lead_to_their_constants),
        SESSION_TEST(test_a_chain_of_thread_groups_stays),
        SESSION_TEST(test_a_constant_may_have_key_zero),
        SESSION_TEST(test_keys_that_nothing_describes_are_null),
        SESSION_TEST(test_so_are_those_of_constants_and_of_what_is_always_kept),
        SESSION_TEST(test_only_used_types_stay),
        SESSION_TEST(test_types_that_settings_are_about_stay),
        SESSION_TEST(test_different_metadata_have_different_ids),
        SESSION_TEST(test_types_of_all_metadata_events_count),
        SESSION_TEST(test_types_are_written_though_the_last_metadata_has_no_place_for_them),
        SESSION_TEST(test_unknown_events_are_counted),
        SESSION_TEST(test_statistics_are_of_what_went_in_and_came_out),
        SESSION_TEST(test_the_header_says_what_the_input_said),
        SESSION_TEST(test_times_read_as_in_the_input),
        SESSION_TEST(test_chunks_that_met_meet_in_the_output),
        SESSION_TEST(test_every_truncation_is_refused),
        SESSION_TEST(test_truncations_with_a_truthful_size_do_no_harm),
        SESSION_TEST(test_every_changed_byte_does_no_harm),
        SESSION_TEST(test_damage_is_reported_where_it_is),
        SESSION_TEST(test_an_event_shorter_than_its_fields_is_refused),
        SESSION_TEST(test_times_at_the_ends_of_all_numbers_do_no_harm),
        SESSION_TEST(test_a_damaged_look_ahead_is_ignored),
        SESSION_TEST(test_every_truncation_of_a_carry_is_refused),
        SESSION_TEST(test_a_carry_with_more_types_than_a_jvm_has_is_refused),
        SESSION_TEST(test_statistics_add_up_by_type),
    };
    return cmocka_run_group_tests_name("compact_output", tests, NULL, NULL);
}
