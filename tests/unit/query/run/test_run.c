// SPDX-License-Identifier: Apache-2.0
// Queries over chunks made by hand, most with ticks of a nanosecond. Every context is answered
// once, with the events committed in it on its thread, in any chunk, and with their times. Each
// answer becomes a line; the expected lines are written by hand.

#include "support/query_world.h"

#include "query/list/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// More types than jfr_sample has.
enum {
    ENTER = 201,   // jdk.JavaMonitorEnter: startTime duration eventThread stackTrace
    PAUSE = 202,   // jdk.GCPhasePause: startTime duration
    SETTING = 203, // jdk.ActiveSetting: startTime id name value
    PART = 204, // of a context of the Loupe API: startTime duration eventThread contextId endpoint
    OPERATION = 205, // jdk.ExecuteVMOperation: startTime duration safepoint
    CPU_TIME = 206,  // jdk.CPUTimeSample: startTime eventThread samplingPeriod
    TIMESPAN = 207,  // jdk.jfr.Timespan: an annotation
    TRACED = 208,    // jdk.MethodTrace, contextual: startTime duration eventThread method
};

#define FIELD(field_name, type_id)                                                                 \
    {                                                                                              \
        .name = (field_name), .type = (type_id)                                                    \
    }
#define KEY(field_name, type_id)                                                                   \
    {                                                                                              \
        .name = (field_name), .type = (type_id), .is_constant = true                               \
    }

static const jfr_build_type more_types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            KEY("stackTrace", JFR_SAMPLE_STACK_TRACE)}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, FIELD("id", JFR_SAMPLE_LONG),
            FIELD("name", JFR_SAMPLE_STRING), FIELD("value", JFR_SAMPLE_STRING)}},
    {.id = PART,
        .name = "shop.Part",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            FIELD("contextId", JFR_SAMPLE_LONG),
            {.name = "endpoint", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}},
    {.id = OPERATION,
        .name = "jdk.ExecuteVMOperation",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION,
            FIELD("safepoint", JFR_SAMPLE_BOOLEAN)}},
    {.id = CPU_TIME,
        .name = "jdk.CPUTimeSample",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD,
            {.name = "samplingPeriod",
                .type = JFR_SAMPLE_LONG,
                .annotation = TIMESPAN,
                .annotation_value = "TICKS"}}},
    {.id = TIMESPAN,
        .name = "jdk.jfr.Timespan",
        .super = "java.lang.annotation.Annotation",
        .fields = {FIELD("value", JFR_SAMPLE_STRING)}},
    {.id = TRACED,
        .name = "jdk.MethodTrace",
        .super = "jdk.jfr.Event",
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            KEY("method", JFR_SAMPLE_METHOD)}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

// begin_chunk_at begins the next chunk of the session, with threads 1 and 2.
static jfr_build *
begin_chunk_at(query_world *w, int64_t start_ticks, int64_t ticks_per_s)
{
    jfr_build *build = query_world_begin_chunk(w, start_ticks, ticks_per_s, more_types, MORE_TYPES);
    jfr_sample_stack(build, 5);
    return build;
}

// begin_chunk is begin_chunk_at for ticks of a nanosecond.
static jfr_build *
begin_chunk(query_world *w, int64_t start_ticks)
{
    return begin_chunk_at(w, start_ticks, 1000000000);
}

static void
add_enter(jfr_build *build, uint64_t thread, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, 5);
    jfr_build_event(build, ENTER);
}

static void
add_pause(jfr_build *build, int64_t start, int64_t end)
{
    query_world_add_times(build, start, end);
    jfr_build_event(build, PAUSE);
}

static void
add_operation(jfr_build *build, int64_t start, int64_t end, bool is_safepoint)
{
    query_world_add_times(build, start, end);
    lp_buf_append(&build->payload, is_safepoint ? "\1" : "\0", 1);
    jfr_build_event(build, OPERATION);
}

static void
add_part(jfr_build *build, int64_t start, int64_t end, uint64_t id, const char *endpoint)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, id);
    jfr_build_string(&build->payload, endpoint);
    jfr_build_event(build, PART);
}

static void
add_period(jfr_build *build, int64_t at, uint64_t type, const char *name, const char *value)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, type);
    jfr_build_string(&build->payload, name);
    jfr_build_string(&build->payload, value);
    jfr_build_event(build, SETTING);
}

static void
add_sample(jfr_build *build, uint64_t thread, int64_t at)
{
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = at, .thread = thread});
}

static void
add_cpu_time(jfr_build *build, uint64_t thread, int64_t at, int64_t period_ticks)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, (uint64_t)period_ticks);
    jfr_build_event(build, CPU_TIME);
}

static void
add_traced(jfr_build *build, int64_t start, int64_t end, uint64_t method)
{
    query_world_add_times(build, start, end);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, method);
    jfr_build_event(build, TRACED);
}

// --- Queries

static lp_err
on_context(void *arg, const query_answer *answer)
{
    query_world *w = arg;
    query_world_say(w, "%s %lld+%lld left %lld", query_world_short_name(w, answer->context->type),
        query_world_after(answer->begin_wall_ns), (long long)answer->duration_ns,
        (long long)answer->left_ns);
    for (size_t i = 0; i < answer->row_count; i++) {
        const query_row *row = &answer->rows[answer->spans[i].event];
        if (row->category == TIME_CPU) {
            query_world_say(w, ", sample%s %lld", answer->spans[i].is_left ? "" : " in vain",
                (long long)row->period_ns);
        } else {
            query_world_say(w, ", %s %lld", query_world_short_name(w, row->type),
                (long long)answer->spans[i].own_ns);
        }
        if (row->frame != QUERY_NAME_NONE) {
            query_world_say(w, " in %s", query_names_text(&w->names, row->frame));
        }
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        const query_row *row = &answer->pause_rows[answer->pauses[i].event];
        query_world_say(w, ", %s %lld", query_world_short_name(w, row->type),
            (long long)answer->pauses[i].own_ns);
    }
    query_world_say(w, answer->context->parent == QUERY_NO_CONTEXT ? "\n" : ", inner\n");
    return LP_OK;
}

static lp_err
on_unreadable(void *arg, size_t source, const lp_problem *problem)
{
    query_world_say(arg, "chunk %zu: %s\n", source, problem->text);
    return LP_OK;
}

static lp_err
ask_with(query_world *w, const query_selection *selection, const atomic_bool *is_cancelled)
{
    const query_sources sources = query_world_sources(w);
    const query_question question = {
        .sources = &sources,
        .selection = selection,
        .wants_frames = true,
        .on_context = on_context,
        .on_unreadable = on_unreadable,
        .arg = w,
        .is_cancelled = is_cancelled,
    };
    return query_run(&question, &w->names, &w->outcome);
}

// expect asks with up to two parameters, and compares the lines.
static void
expect(query_world *w, const char *name, const char *value, const char *lines)
{
    lp_problem problem;
    query_selection selection = query_selection_begin(false);
    w->lines[0] = '\0';
    if (name != NULL) {
        assert_int_equal(query_selection_set(&selection, name, value, &problem), LP_OK);
    }
    assert_int_equal(ask_with(w, &selection, NULL), LP_OK);
    assert_string_equal(w->lines, lines);
    assert_false(w->outcome.is_truncated);
}

// --- Tests

static void
test_events_count_in_the_contexts_that_apply(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    add_enter(build, 1, 110, 130);
    add_enter(build, 2, 110, 140); // on another thread
    add_enter(build, 1, 90, 120);  // began before the context
    add_enter(build, 1, 180, 210); // ended behind it: it does not apply
    add_enter(build, 1, 195, 200); // at its very end
    (void)jfr_sample_trace(build, 1, 100, 200, "a");
    query_world_finish(&w);
    // 100 to 110 is the lock of 90 to 120, 110 to 130 that of 110 to 130, 195 to 200 the third.
    // Rows are in the order in which they began.
    expect(&w, NULL, NULL,
        "Trace 100+100 left 65, JavaMonitorEnter 10 in pack.Class5.method5, "
        "JavaMonitorEnter 20 in pack.Class5.method5, JavaMonitorEnter 5 in pack.Class5.method5\n");
    assert_int_equal(w.outcome.contexts, 1);
    query_world_fini(&w);
}

static void
test_a_context_has_events_of_all_chunks(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    jfr_build *second = begin_chunk(&w, 200);
    jfr_build *third = begin_chunk(&w, 300);
    add_enter(first, 1, 150, 160);
    add_enter(second, 1, 210, 220);
    (void)jfr_sample_trace(second, 1, 120, 250, "long"); // is stored when it ends
    add_enter(third, 1, 230, 240);                       // is stored late
    (void)jfr_sample_trace(third, 1, 310, 320, "later");
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "Trace 120+130 left 100, JavaMonitorEnter 10 in pack.Class5.method5, "
        "JavaMonitorEnter 10 in pack.Class5.method5, JavaMonitorEnter 10 in pack.Class5.method5\n"
        "Trace 310+10 left 10\n");
    query_world_fini(&w);
}

// expect_threads asks of the threads of a time.
static void
expect_threads(query_world *w, int64_t from, int64_t to, const char *lines)
{
    query_selection selection = query_selection_begin(false);
    selection.unit = QUERY_UNIT_THREADS;
    selection.from_wall_ns = query_world_wall_ns + from;
    selection.to_wall_ns = query_world_wall_ns + to;
    w->lines[0] = '\0';
    assert_int_equal(ask_with(w, &selection, NULL), LP_OK);
    assert_string_equal(w->lines, lines);
}

static void
test_threads_are_from_their_first_event_to_their_last(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    jfr_build *second = begin_chunk(&w, 300);
    add_period(first, 100, JFR_SAMPLE_EXECUTION, "period", "10 ns");
    add_pause(first, 130, 140); // on no thread
    add_sample(first, 1, 125);  // stands for 10 ns
    add_enter(first, 1, 120, 160);
    add_cpu_time(first, 2, 200, 50);
    (void)jfr_sample_trace(second, 1, 310, 320, "a"); // an event like any other
    query_world_finish(&w);
    expect_threads(&w, 0, 1000,
        " 150+50 left 50, sample 50\n"
        " 115+205 left 165, JavaMonitorEnter 40 in pack.Class5.method5, ExecutionSample 0, "
        "GCPhasePause 0\n");
    expect_threads(&w, 161, 1000, " 161+39 left 39, sample 50\n 310+10 left 10\n");
    expect_threads(&w, 0, 120, "");
    query_world_fini(&w);
}

static void
test_pauses_and_samples_count_in_what_is_left(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    add_period(build, 100, JFR_SAMPLE_EXECUTION, "period", "20 ms");
    add_period(build, 100, JFR_SAMPLE_EXECUTION, "enabled", "true");
    add_period(build, 100, JFR_SAMPLE_PLAIN, "period", "1 s");
    add_period(build, 150, JFR_SAMPLE_EXECUTION, "period", "10 ms");
    add_sample(build, 1, 105);
    add_enter(build, 1, 110, 130);
    add_sample(build, 1, 120); // while it waits, which a JVM would not sample
    add_pause(build, 120, 140);
    add_operation(build, 115, 145, true);
    add_operation(build, 150, 160, false); // stops nobody
    add_sample(build, 1, 155);
    (void)jfr_sample_trace(build, 1, 100, 200, "a");
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "Trace 100+100 left 65, sample 20000000, JavaMonitorEnter 20 in pack.Class5.method5, "
        "sample in vain 20000000, sample 10000000, ExecuteVMOperation 5, GCPhasePause 10\n");
    query_world_fini(&w);
}

// The JDK marks jdk.MethodTrace as contextual. A traced park is not a context.
static void
test_traced_parks_are_waits(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_sample_method(build, 1, "java/lang/VirtualThread", "park");
    jfr_sample_method(build, 2, "java/lang/VirtualThread", "parkNanos");
    jfr_sample_method(build, 3, "shop/Stock", "park");
    add_traced(build, 110, 130, 1);
    add_pause(build, 120, 125); // it would have waited all the same
    add_traced(build, 140, 145, 2);
    add_traced(build, 150, 160, 3); // of the application: a context
    add_traced(build, 170, 175, 9); // of which the chunk has no name
    (void)jfr_sample_trace(build, 1, 100, 200, "a");
    query_world_finish(&w);
    expect(&w, "context", "test.Trace",
        "Trace 100+100 left 75, MethodTrace 20, MethodTrace 5, GCPhasePause 0\n");
    expect(
        &w, "context", "jdk.MethodTrace", "MethodTrace 150+10 left 10\nMethodTrace 170+5 left 5\n");
    query_world_fini(&w);
}

// A chunk's own settings come first; then those before it, and then the first.
static void
test_the_period_of_a_chunk_without_a_setting(void **state)
{
    (void)state;
    query_world w = {0};
    add_sample(begin_chunk(&w, 100), 1, 105);
    jfr_build *build = begin_chunk(&w, 200);
    add_period(build, 201, JFR_SAMPLE_EXECUTION, "period", "30 ms");
    add_period(build, 250, JFR_SAMPLE_EXECUTION, "period", "20 ms");
    build = begin_chunk(&w, 300);
    add_sample(build, 1, 301);
    add_period(build, 302, JFR_SAMPLE_EXECUTION, "period", "10 ms");
    build = begin_chunk(&w, 400);
    add_sample(build, 1, 301); // late
    (void)jfr_sample_trace(build, 1, 100, 450, "a");
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "Trace 100+350 left 350, sample 30000000, sample 10000000, sample 10000000\n");
    query_world_fini(&w);
}

// A chunk without contexts that may be wanted is read only for its events.
static void
test_the_period_in_a_chunk_without_contexts(void **state)
{
    (void)state;
    query_world w = {0};
    const jfr_clock clock = jfr_clock_make(query_world_wall_ns, 0, 1000000000);
    jfr_build *build = begin_chunk(&w, 100);
    add_period(build, 100, JFR_SAMPLE_EXECUTION, "period", "20 ms");
    (void)jfr_sample_trace(build, 1, 100, 199, "a");
    build = begin_chunk(&w, 200);
    add_period(build, 201, JFR_SAMPLE_EXECUTION, "period", "10 ms");
    add_sample(build, 1, 150); // late
    query_world_finish(&w);
    w.sources[0].clock = &clock;
    w.sources[1].clock = &clock;
    w.sources[1].has_times = true;
    w.sources[1].times = (query_source_times){INT64_MIN, INT64_MAX, INT64_MAX};
    expect(&w, NULL, NULL, "Trace 100+99 left 99, sample 10000000\n");
    query_world_fini(&w);
}

static void
test_samples_of_cpu_time_count_instead_of_others(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    add_period(build, 100, JFR_SAMPLE_EXECUTION, "period", "20 ms");
    add_sample(build, 1, 105);
    add_cpu_time(build, 1, 110, 12345);
    (void)jfr_sample_trace(build, 1, 100, 200, "a");
    query_world_finish(&w);
    expect(&w, NULL, NULL, "Trace 100+100 left 100, ExecutionSample 0, sample 12345\n");
    query_world_fini(&w);
}

static void
test_ticks_are_of_any_length(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk_at(&w, 100, 250000000); // of 4 ns
    add_enter(build, 1, 110, 130);
    add_cpu_time(build, 1, 150, 25);
    (void)jfr_sample_trace(build, 1, 105, 200, "a");
    query_world_finish(&w);
    // The chunk begins at 100 ns.
    expect(&w, NULL, NULL,
        "Trace 120+380 left 300, JavaMonitorEnter 80 in pack.Class5.method5, sample 100\n");
    expect(&w, "min_duration_ns", "381", "");
    query_world_fini(&w);
}

static void
test_parts_with_one_id_are_one_context(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    jfr_build *second = begin_chunk(&w, 200);
    add_part(first, 110, 199, 7, NULL);
    add_part(second, 200, 230, 7, "/checkout"); // the text came late
    add_part(second, 240, 250, 8, "/");
    add_enter(second, 1, 205, 215);
    query_world_finish(&w);
    const char *whole = "Part 110+120 left 110, JavaMonitorEnter 10 in pack.Class5.method5\n";
    const char *other = "Part 240+10 left 10\n";
    char both[QUERY_WORLD_LINES_BYTES];
    (void)snprintf(both, sizeof(both), "%s%s", whole, other);
    expect(&w, NULL, NULL, both);
    expect(&w, "where", "endpoint=/checkout", whole);
    expect(&w, "where", "endpoint=/", other);
    expect(&w, "min_duration_ns", "120", whole);
    expect(&w, "max_duration_ns", "119", other);
    query_world_fini(&w);
}

static void
test_contexts_nest(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    add_enter(build, 1, 120, 125);
    (void)jfr_sample_trace(build, 1, 110, 130, "inner");
    (void)jfr_sample_trace(build, 2, 110, 130, "other thread");
    (void)jfr_sample_trace(build, 1, 125, 210, "crosses");
    (void)jfr_sample_trace(build, 1, 100, 200, "outer");
    query_world_finish(&w);
    expect(&w, NULL, NULL,
        "Trace 110+20 left 15, JavaMonitorEnter 5 in pack.Class5.method5, inner\n"
        "Trace 110+20 left 20\n"
        "Trace 100+100 left 95, JavaMonitorEnter 5 in pack.Class5.method5\n"
        "Trace 125+85 left 85, JavaMonitorEnter 0 in pack.Class5.method5\n");
    expect(&w, "where", "traceId=inner",
        "Trace 110+20 left 15, JavaMonitorEnter 5 in pack.Class5.method5\n");
    expect(
        &w, "trace", "INNER", "Trace 110+20 left 15, JavaMonitorEnter 5 in pack.Class5.method5\n");
    expect(&w, "thread", "thread-12", "Trace 110+20 left 20\n");
    expect(&w, "thread", "12", "Trace 110+20 left 20\n");
    expect(&w, "context", "Request", "");
    expect(&w, "from", "1700000000000000125",
        "Trace 125+85 left 85, JavaMonitorEnter 0 in pack.Class5.method5\n");
    query_world_fini(&w);
}

static void
test_an_unreadable_chunk_is_left_out(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    begin_chunk(&w, 200);
    (void)jfr_sample_trace(first, 1, 110, 120, "a");
    query_world_finish(&w);
    w.sources[1].bytes.len = 20; // not even a header
    expect(&w, NULL, NULL, "chunk 1: damaged data\nTrace 110+10 left 10\n");
    query_world_fini(&w);
}

static void
test_checkpoints_to_which_the_header_does_not_lead_count(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    jfr_build_checkpoint(build);  // with the threads and the stack trace
    build->checkpoint_offset = 0; // the next one is not linked with it
    add_enter(build, 1, 110, 130);
    (void)jfr_sample_trace(build, 1, 100, 200, "a");
    query_world_finish(&w);
    expect(
        &w, "thread", "11", "Trace 100+100 left 80, JavaMonitorEnter 20 in pack.Class5.method5\n");
    query_world_fini(&w);
}

static void
test_what_lies_behind_damage_is_counted_as_a_place(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    (void)jfr_sample_trace(build, 1, 110, 120, "a");
    size_t damaged = build->bytes.len;
    (void)jfr_sample_trace(build, 1, 130, 140, "b");
    query_world_finish(&w);
    ((uint8_t *)(uintptr_t)w.sources[0].bytes.ptr)[damaged] = 0; // an event of no bytes
    expect(&w, NULL, NULL, "Trace 110+10 left 10\n");
    assert_int_equal(w.outcome.damaged_places, 1);
    query_world_fini(&w);
}

static void
test_contexts_that_end_behind_the_end_of_time_are_none(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    build->clock.start_wall_ns = INT64_MAX - 50;
    add_enter(build, 1, 120, 200);
    (void)jfr_sample_trace(build, 1, 110, 250, "a");
    (void)jfr_sample_trace(build, 1, 160, 170, "b"); // wraps around as a whole
    query_world_finish(&w);
    const int64_t wrapped_ns = INT64_MIN + 9;
    char line[QUERY_WORLD_LINES_BYTES];
    (void)snprintf(line, sizeof(line), "Trace %lld+10 left 10\n", query_world_after(wrapped_ns));
    expect(&w, NULL, NULL, line);
    query_world_fini(&w);
}

static void
test_a_query_can_be_cancelled(void **state)
{
    (void)state;
    query_world w = {0};
    atomic_bool is_cancelled = true;
    const query_selection all = query_selection_begin(false);
    (void)jfr_sample_trace(begin_chunk(&w, 100), 1, 110, 120, "a");
    query_world_finish(&w);
    assert_int_equal(ask_with(&w, &all, &is_cancelled), LP_ECLOSED);
    assert_string_equal(w.lines, "");
    query_world_fini(&w);
}

// --- Lists

static lp_err
list_context(void *arg, const query_answer *answer)
{
    return query_listing_add(arg, answer);
}

// read_list fills a list with the contexts of all chunks and reads it.
static void
read_list(query_world *w, query_listing *listing)
{
    const query_selection all = query_selection_begin(false);
    const query_sources sources = query_world_sources(w);
    const query_question question = {
        .sources = &sources,
        .selection = &all,
        .on_context = list_context,
        .arg = listing,
    };
    assert_int_equal(query_run(&question, &w->names, &w->outcome), LP_OK);
    assert_int_equal(query_listing_read(listing, &sources, &w->names, NULL), LP_OK);
}

// expect_ids compares the ids of the items of a list that was read.
static void
expect_ids(const query_world *w, const query_listing *listing, const char *const *ids, size_t count)
{
    assert_int_equal(listing->items.count, count);
    for (size_t i = 0; i < count; i++) {
        const query_listed *item = &listing->items.items[i];
        assert_int_equal(item->attribute_count, 1);
        assert_string_equal(item->attributes[0].name, "traceId");
        assert_int_equal(item->attributes[0].value.len, 1);
        assert_memory_equal(item->attributes[0].value.ptr, ids[i], 1);
        assert_string_equal(query_names_text(&w->names, item->thread), "thread-11");
    }
}

static void
expect_list(query_world *w, query_sort sort, size_t limit, const char *const *ids)
{
    query_listing listing = {.sort = sort, .limit = limit};
    read_list(w, &listing);
    expect_ids(w, &listing, ids, limit);
    assert_false(listing.is_cut);
    query_listing_fini(&listing);
}

static void
test_lists_are_in_a_total_order(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *first = begin_chunk(&w, 100);
    jfr_build *second = begin_chunk(&w, 200);
    (void)jfr_sample_trace(first, 1, 100, 110, "a");
    add_sample(first, 1, 120);
    add_sample(first, 1, 121);
    (void)jfr_sample_trace(first, 1, 120, 125, "b");
    add_enter(second, 1, 200, 208);
    (void)jfr_sample_trace(second, 1, 200, 210, "c");
    (void)jfr_sample_trace(second, 1, 220, 250, "d");
    query_world_finish(&w);
    expect_list(&w, QUERY_SORT_DURATION, 4, (const char *const[]){"d", "a", "c", "b"});
    expect_list(&w, QUERY_SORT_START, 4, (const char *const[]){"a", "b", "c", "d"});
    expect_list(&w, QUERY_SORT_TRIGGERS, 4, (const char *const[]){"b", "c", "a", "d"});
    expect_list(&w, QUERY_SORT_BLOCKED, 4, (const char *const[]){"c", "a", "b", "d"});
    expect_list(&w, QUERY_SORT_DURATION, 1, (const char *const[]){"d"});
    expect_list(&w, QUERY_SORT_TRIGGERS, 2, (const char *const[]){"b", "c"});
    query_world_fini(&w);
}

// The items are read in the order a, b, c, d; those that have no room are the last ones of the
// list.
static void
test_lists_end_where_attributes_have_no_room(void **state)
{
    (void)state;
    static const char *const ids[] = {"d", "a", "c", "b"}; // the longest first
    static const struct {
        size_t rows;
        size_t more;
        size_t left;
    } cases[] = {{4, 0, 4}, {3, 9, 3}, {2, 0, 2}, {1, 0, 1}, {0, 1, 1}};
    query_world w = {0};
    jfr_build *build = begin_chunk(&w, 100);
    (void)jfr_sample_trace(build, 1, 100, 110, "a");
    (void)jfr_sample_trace(build, 1, 120, 125, "b");
    (void)jfr_sample_trace(build, 1, 200, 209, "c");
    (void)jfr_sample_trace(build, 1, 220, 250, "d");
    query_world_finish(&w);
    const size_t row = sizeof(query_attribute) + sizeof("traceId") + sizeof("") + 1; // no label
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_listing listing = {.sort = QUERY_SORT_DURATION,
            .limit = 4,
            .attribute_bytes_max = cases[i].rows * row + cases[i].more};
        read_list(&w, &listing);
        expect_ids(&w, &listing, ids, cases[i].left);
        assert_int_equal(listing.is_cut, cases[i].left < 4);
        assert_int_equal(listing.has_next, cases[i].left < 4);
        query_listing_fini(&listing);
    }
    query_world_fini(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_count_in_the_contexts_that_apply),
        cmocka_unit_test(test_a_context_has_events_of_all_chunks),
        cmocka_unit_test(test_threads_are_from_their_first_event_to_their_last),
        cmocka_unit_test(test_pauses_and_samples_count_in_what_is_left),
        cmocka_unit_test(test_traced_parks_are_waits),
        cmocka_unit_test(test_the_period_of_a_chunk_without_a_setting),
        cmocka_unit_test(test_the_period_in_a_chunk_without_contexts),
        cmocka_unit_test(test_samples_of_cpu_time_count_instead_of_others),
        cmocka_unit_test(test_ticks_are_of_any_length),
        cmocka_unit_test(test_parts_with_one_id_are_one_context),
        cmocka_unit_test(test_contexts_nest),
        cmocka_unit_test(test_an_unreadable_chunk_is_left_out),
        cmocka_unit_test(test_checkpoints_to_which_the_header_does_not_lead_count),
        cmocka_unit_test(test_what_lies_behind_damage_is_counted_as_a_place),
        cmocka_unit_test(test_contexts_that_end_behind_the_end_of_time_are_none),
        cmocka_unit_test(test_a_query_can_be_cancelled),
        cmocka_unit_test(test_lists_are_in_a_total_order),
        cmocka_unit_test(test_lists_end_where_attributes_have_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
