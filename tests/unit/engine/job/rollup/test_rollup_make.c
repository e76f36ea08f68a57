// SPDX-License-Identifier: Apache-2.0
// The rollup of chunks made by hand, with ticks of a nanosecond: durations, values, ids and
// exemplars of contextual events; the time of kept ones by category; and contexts of the Loupe API,
// which count in the chunk that they end in. A person counted the expected numbers.

#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/jfr_sample.h"

#include "common/context/ctx_ref.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/read/context_sums.h"
#include "engine/read/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Types in addition to jfr_sample.
enum {
    ENTER = 201,     // jdk.JavaMonitorEnter: startTime duration eventThread
    PAUSE = 202,     // jdk.GCPhasePause: startTime duration
    SETTING = 203,   // jdk.ActiveSetting: startTime id name value
    OPERATION = 205, // jdk.ExecuteVMOperation: startTime duration safepoint
    CPU_TIME = 206,  // jdk.CPUTimeSample: startTime eventThread samplingPeriod
    TIMESPAN = 207,  // jdk.jfr.Timespan: an annotation
    TRACED = 209,    // jdk.MethodTrace: startTime duration eventThread method
    REQUEST = 208,   // shop.Request, contextual: startTime duration eventThread orderId city
};

enum { CHUNKS_MAX = 3, START = 1000, FIRST_TYPE = 1000 };

static const int64_t WALL_NS = 1700000000000000000; // of tick 0

#define FIELD(field_name, type_id)                                                                 \
    {                                                                                              \
        .name = (field_name), .type = (type_id)                                                    \
    }

static const jfr_build_type more_types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, FIELD("id", JFR_SAMPLE_LONG),
            FIELD("name", JFR_SAMPLE_STRING), FIELD("value", JFR_SAMPLE_STRING)}},
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
    {.id = REQUEST,
        .name = "shop.Request",
        .super = "jdk.jfr.Event",
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            FIELD("orderId", JFR_SAMPLE_LONG), FIELD("city", JFR_SAMPLE_STRING)}},
    {.id = TRACED,
        .name = "jdk.MethodTrace",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            {.name = "method", .type = JFR_SAMPLE_METHOD, .is_constant = true}}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

static char order_name[] = "order";
static char key_name[] = "endpoint";
static char empty[] = "";
static const ctx_type order = {.id = 1,
    .name = order_name,
    .label = empty,
    .description = empty,
    .attribute_count = 1,
    .attributes = {{CTX_STRING, key_name, empty, empty}}};
static const ctx_type maps = {.id = 2,
    .name = (char[]){"jdk.RecordingContext"},
    .label = empty,
    .description = empty,
    .attribute_count = 2,
    .attributes = {{CTX_LONG, (char[]){"id"}, empty, empty},
        {CTX_LONG, (char[]){"request"}, empty, empty}},
    .is_recording = true};

typedef struct world {
    jfr_build builds[CHUNKS_MAX];
    lp_buf records[CHUNKS_MAX];
    compact_source sources[CHUNKS_MAX];
    compact_result results[CHUNKS_MAX];
    ctx_type types[2];
    size_t count;
    const policy *rules; // NULL: none
    bool has_requests;
} world;

// begin_chunk begins the next chunk of the session, with threads 1 and 2.
static jfr_build *
begin_chunk(world *w, int64_t start_ticks)
{
    jfr_build *build = &w->builds[w->count++];
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, sizeof(more_types));
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start_ticks,
                               .start_wall_ns = WALL_NS + start_ticks,
                               .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count + MORE_TYPES);
    jfr_sample_thread(build, 1, 11);
    jfr_sample_thread(build, 2, 12);
    jfr_sample_stack(build, 5);
    return build;
}

// add_timed adds an event of one of the types here.
static void
add_timed(jfr_build *build, uint64_t type, int64_t start, int64_t end, uint64_t last)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, last);
    if (type == PAUSE) {
        build->payload.len--;
    }
    (void)jfr_build_event(build, type);
}

static void
add_request(jfr_build *build, uint64_t thread, int64_t start, uint64_t order_id, const char *city)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, 100);
    jfr_build_varint(&build->payload, thread);
    jfr_build_varint(&build->payload, order_id);
    jfr_build_string(&build->payload, city);
    (void)jfr_build_event(build, REQUEST);
}

static void
add_setting(jfr_build *build, int64_t time, const char *name, const char *value)
{
    jfr_build_varint(&build->payload, (uint64_t)time);
    jfr_build_varint(&build->payload, JFR_SAMPLE_EXECUTION);
    jfr_build_string(&build->payload, name);
    jfr_build_string(&build->payload, value);
    (void)jfr_build_event(build, SETTING);
}

static void
add_period(jfr_build *build, int64_t time, const char *value)
{
    add_setting(build, time, "period", value);
}

static void
run(world *w)
{
    const compact_options options = {.has_rollup = true,
        .has_traces = true,
        .has_requests = w->has_requests,
        .policy = w->rules};
    w->types[0] = order;
    w->types[1] = maps;
    for (size_t i = 0; i < w->count; i++) {
        jfr_build_checkpoint(&w->builds[i]);
        w->sources[i].jfr = jfr_build_finish(&w->builds[i]);
        w->sources[i].records = lp_buf_slice(&w->records[i]);
        w->sources[i].types = w->types;
        w->sources[i].type_count = i == 0 ? 2 : 0;
    }
    compact_run_with(w->sources, w->count, &options, w->results);
}

static void
end(world *w)
{
    for (size_t i = 0; i < w->count; i++) {
        compact_result_fini(&w->results[i]);
        jfr_build_fini(&w->builds[i]);
        lp_buf_fini(&w->records[i]);
    }
}

static const rollup_type *
type_of(const world *w, size_t chunk, const char *name)
{
    return rollup_find_type(&w->results[chunk].rollup, name);
}

static const rollup_numbers *
value_of(const rollup_type *type, const char *attribute_name, const char *text)
{
    const rollup_attribute *attribute = rollup_find_attribute(type, attribute_name);
    for (size_t i = 0; attribute != NULL && i < attribute->values.count; i++) {
        const rollup_value *value = &attribute->values.items[i];
        if (value->text.len == strlen(text) &&
            memcmp(value->text.ptr, text, value->text.len) == 0) {
            return &value->numbers;
        }
    }
    return NULL;
}

static void
expect(
    const rollup_numbers *numbers, uint64_t all, uint64_t all_ns, uint64_t kept, uint64_t kept_ns)
{
    assert_non_null(numbers);
    assert_int_equal(numbers->all.count, all);
    assert_int_equal(numbers->all.sum_ns, all_ns);
    assert_int_equal(numbers->kept.count, kept);
    assert_int_equal(numbers->kept.sum_ns, kept_ns);
}

static void
test_contextual_events_are_counted_by_type_and_value(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
    (void)jfr_sample_mark(build, 1, 1350);
    (void)jfr_sample_trace(build, 1, 1300, 1400, "a"); // kept: the mark is in it
    (void)jfr_sample_trace(build, 2, 1300, 1310, "b");
    (void)jfr_sample_trace(build, 2, 1320, 1320, NULL);
    run(&w);
    const rollup_type *type = type_of(&w, 0, "test.Trace");
    assert_non_null(type);
    expect(&type->numbers, 4, 210, 1, 100);
    expect(value_of(type, "traceId", "a"), 2, 200, 1, 100);
    expect(value_of(type, "traceId", "b"), 1, 10, 0, 0);
    assert_int_equal(rollup_find_attribute(type, "traceId")->values.count, 2);
    assert_int_equal(histogram_get(&type->numbers.all, 26), 2); // 90.5 < 100 <= 107.6
    assert_int_equal(histogram_get(&type->numbers.all, 13), 1); // 9.5 < 10 <= 11.3
    assert_int_equal(histogram_get(&type->numbers.all, HISTOGRAM_ZERO), 1);
    assert_int_equal(w.results[0].stats.contexts_in, 4);
    assert_int_equal(w.results[0].stats.contexts_out, 1);
    end(&w);
}

static void
test_an_exemplar_says_which_context_it_is(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    (void)jfr_sample_trace(build, 1, 1100, 1195, "A1");
    (void)jfr_sample_mark(build, 2, 1350);
    (void)jfr_sample_trace(build, 2, 1300, 1400, "b2"); // in the same bucket, and longer
    (void)jfr_sample_trace(build, 1, 1500, 1605, "c3"); // it is not kept
    run(&w);
    const rollup_type *type = type_of(&w, 0, "test.Trace");
    assert_int_equal(type->exemplars.count, 1);
    const rollup_exemplar *exemplar = &type->exemplars.items[0];
    assert_int_equal(exemplar->duration_ns, 100);
    assert_true(exemplar->begin_wall_ns == WALL_NS + 1300);
    assert_string_equal(exemplar->trace, "b2");
    assert_string_equal(exemplar->recording, "");
    assert_true(ctx_ref_is_same(
        exemplar->ref, ctx_ref_make(1300, "test.Trace", compact_identity_java(12))));
    const rollup *sums = &w.results[0].rollup;
    assert_true(sums->begin_min_ns == WALL_NS + 1100);
    assert_true(sums->commit_min_ns == WALL_NS + 1150);
    assert_true(sums->commit_max_ns == WALL_NS + 1400);
    assert_int_equal(sums->longest_ns[ROLLUP_CONTEXTS], 100); // of kept ones
    assert_int_equal(sums->longest_ns[ROLLUP_REQUESTS], -1);
    end(&w);
}

static bool
has_id(const uint64_t *hashes, size_t count, const char *text)
{
    uint64_t hash;
    bool has = false;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)text, strlen(text)}, &hash));
    for (size_t i = 0; i < count; i++) {
        has |= hashes[i] == hash;
    }
    return has;
}

static void
test_ids_are_those_of_kept_contexts_or_of_dropped_ones(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    (void)jfr_sample_trace(build, 1, 1100, 1200, "ABCDEF0123456789");
    (void)jfr_sample_trace(build, 2, 1300, 1400, "n\xc3\xb6"); // not ASCII
    run(&w);
    const rollup_ids *ids = &w.results[0].ids;
    assert_true(has_id(ids->kept.items, ids->kept.count, "abcdef0123456789"));
    assert_false(has_id(ids->dropped.items, ids->dropped.count, "abcdef0123456789"));
    assert_true(has_id(ids->dropped.items, ids->dropped.count, "n\xc3\xb6"));
    assert_int_equal(ids->kept.count, 1);
    assert_int_equal(ids->dropped.count, 1);
    assert_int_equal(ids->traces.count, 2);
    assert_true(has_id(ids->traces.items, 2, "abcdef0123456789"));
    assert_true(has_id(ids->traces.items, 2, "n\xc3\xb6"));
    end(&w);
}

static void
test_ids_of_any_length_and_case_are_hashed_alike(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    enum { LONGEST = 140 };
    for (int len = 0; len <= LONGEST; len++) { // more than wait in a queue
        char id[LONGEST + 1] = "";
        memset(id, len % 2 == 0 ? 'a' : 'A', (size_t)len);
        (void)jfr_sample_trace(build, 1, START + 2 * len, START + 2 * len + 1, id);
    }
    run(&w);
    const rollup_ids *ids = &w.results[0].ids;
    for (size_t len = 1; len <= ROLLUP_ID_BYTES_MAX; len++) {
        char id[LONGEST + 1] = "";
        memset(id, 'a', len);
        assert_true(has_id(ids->dropped.items, ids->dropped.count, id));
    }
    assert_int_equal(ids->dropped.count, ROLLUP_ID_BYTES_MAX);
    assert_int_equal(type_of(&w, 0, "test.Trace")->numbers.all.count, LONGEST + 1);
    end(&w);
}

static void
test_sums_of_very_long_contexts_do_not_wrap_around(void **state)
{
    (void)state;
    const int64_t longest = INT64_MAX - 2 * START;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    for (int i = 0; i < 3; i++) { // 2^64 is twice as long and some
        (void)jfr_sample_trace(build, 1, START, START + longest, "a");
        (void)jfr_sample_trace(build, 2, START, START + 5, "a");
    }
    (void)jfr_sample_mark(build, 1, START + 10);
    run(&w);
    const rollup_type *type = type_of(&w, 0, "test.Trace");
    assert_non_null(type);
    assert_int_equal(type->numbers.all.count, 6);
    assert_true(type->numbers.all.sum_ns == UINT64_MAX);
    assert_true(value_of(type, "traceId", "a")->all.sum_ns == UINT64_MAX);
    end(&w);
}

static void
test_many_values_are_none_and_ids_all_the_same(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    char id[16];
    for (int64_t i = 0; i < 200; i++) {
        (void)snprintf(id, sizeof(id), "id%d", (int)i);
        (void)jfr_sample_trace(build, 1, START + 2 * i, START + 2 * i + 1, id);
    }
    run(&w);
    const rollup_attribute *attribute =
        rollup_find_attribute(type_of(&w, 0, "test.Trace"), "traceId");
    assert_true(attribute->has_too_many);
    assert_int_equal(attribute->values.count, 0);
    assert_int_equal(w.results[0].ids.dropped.count, 200);
    assert_int_equal(type_of(&w, 0, "test.Trace")->numbers.all.count, 200);
    end(&w);
}

// begin_chunk_of_types begins a chunk with types like that of add_trace, with ids from FIRST_TYPE;
// the last one is the first by name.
static jfr_build *
begin_chunk_of_types(world *w, size_t type_count)
{
    static jfr_build_type types[JFR_SAMPLE_TYPES_MAX + COMPACT_SUMS_TYPES_MAX + 8];
    static char names[COMPACT_SUMS_TYPES_MAX + 8][16];
    jfr_build *build = &w->builds[w->count++];
    size_t count = jfr_sample_types(types);
    size_t trace = 0;
    while (types[trace].id != JFR_SAMPLE_TRACE) {
        trace++;
    }
    for (size_t i = 0; i < type_count; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "many.T%zu", 999 - i);
        types[count] = types[trace];
        types[count].id = FIRST_TYPE + i;
        types[count++].name = names[i];
    }
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = START, .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count);
    jfr_sample_thread(build, 1, 11);
    return build;
}

// add_many adds an event of a type of begin_chunk_of_types.
static void
add_many(jfr_build *build, size_t type, size_t id)
{
    char text[16];
    (void)snprintf(text, sizeof(text), "id%zu", id);
    jfr_build_varint(&build->payload, START);
    jfr_build_varint(&build->payload, 1); // duration
    jfr_build_varint(&build->payload, 1); // thread
    jfr_build_string(&build->payload, text);
    (void)jfr_build_event(build, FIRST_TYPE + type);
}

static void
test_contexts_of_very_many_types_are_left_out(void **state)
{
    (void)state;
    world w = {0};
    const size_t count = COMPACT_SUMS_TYPES_MAX + 3;
    jfr_build *build = begin_chunk_of_types(&w, count);
    for (size_t i = 0; i < 2 * count; i++) {
        add_many(build, i % count, 0);
    }
    run(&w);
    const rollup *sums = &w.results[0].rollup;
    assert_int_equal(sums->types.count, ROLLUP_TYPES_MAX);
    assert_int_equal(sums->contexts_left_out, 2 * (count - ROLLUP_TYPES_MAX));
    assert_int_equal(w.results[0].ids.dropped.count, 2 * COMPACT_SUMS_TYPES_MAX);
    end(&w);
}

static void
test_very_many_values_are_none(void **state)
{
    (void)state;
    world w = {0};
    const size_t full = COMPACT_SUMS_VALUES_MAX / ROLLUP_VALUES_MAX; // types with all values
    jfr_build *build = begin_chunk_of_types(&w, full + 1);
    for (size_t i = 0; i <= COMPACT_SUMS_VALUES_MAX; i++) {
        add_many(build, i / ROLLUP_VALUES_MAX, i % ROLLUP_VALUES_MAX);
    }
    add_many(build, full - 1, 0);
    run(&w);
    char name[16];
    (void)snprintf(name, sizeof(name), "many.T%zu", 999 - (full - 1));
    const rollup_type *last = type_of(&w, 0, name); // that has all of its values
    assert_int_equal(rollup_find_attribute(last, "traceId")->values.count, ROLLUP_VALUES_MAX);
    expect(value_of(last, "traceId", "id0"), 2, 2, 0, 0);
    (void)snprintf(name, sizeof(name), "many.T%zu", 999 - full);
    const rollup_type *over = type_of(&w, 0, name);
    assert_true(rollup_find_attribute(over, "traceId")->has_too_many);
    assert_int_equal(over->numbers.all.count, 1);
    end(&w);
}

static void
test_time_is_that_of_events_in_the_context(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    add_period(build, START, "30 ns");
    add_timed(build, ENTER, 1050, 1120, 1);     // 20 in the context
    add_timed(build, PAUSE, 1110, 1150, 0);     // 30 behind the lock
    add_timed(build, OPERATION, 1160, 1170, 1); // 10 at a safepoint
    add_timed(build, OPERATION, 1175, 1180, 0); // at none
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 1130, .thread = 1});
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 1190, .thread = 1});
    add_timed(build, ENTER, 1140, 1199, 2); // on another thread
    (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
    run(&w);
    const rollup_type *type = type_of(&w, 0, "test.Trace");
    const rollup_numbers *numbers = value_of(type, "traceId", "a");
    expect(numbers, 1, 100, 1, 100);
    assert_int_equal(numbers->time_ns[TIME_LOCK], 20);
    assert_int_equal(numbers->time_ns[TIME_GC], 30);
    assert_int_equal(numbers->time_ns[TIME_SAFEPOINT], 10);
    assert_int_equal(numbers->time_ns[TIME_CPU], 30); // the sample in the pause is none of it
    assert_int_equal(numbers->left_ns, 40);
    assert_int_equal(rollup_cpu_ns(numbers), 30);
    assert_memory_equal(numbers->time_ns, type->numbers.time_ns, sizeof(numbers->time_ns));
    end(&w);
}

static void
add_traced(jfr_build *build, int64_t start, int64_t end, uint64_t method)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, method);
    (void)jfr_build_event(build, TRACED);
}

static void
test_traced_parks_are_waits(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    jfr_sample_method(build, 1, "java/lang/VirtualThread", "parkNanos");
    jfr_sample_method(build, 2, "shop/Stock", "take");
    add_traced(build, 1110, 1130, 1);
    add_traced(build, 1140, 1145, 2);
    (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
    run(&w);
    const rollup_numbers *numbers = value_of(type_of(&w, 0, "test.Trace"), "traceId", "a");
    assert_int_equal(numbers->time_ns[TIME_PARK], 20);
    assert_int_equal(numbers->time_ns[TIME_OTHER], 5);
    assert_int_equal(numbers->left_ns, 75);
    end(&w);
}

static void
test_settings_without_texts_are_none(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    add_setting(build, START, NULL, NULL);
    add_timed(build, ENTER, 1050, 1120, 1);
    (void)jfr_sample_trace(build, 1, 1100, 1200, NULL);
    run(&w);
    const rollup_numbers *numbers = &type_of(&w, 0, "test.Trace")->numbers;
    assert_int_equal(numbers->time_ns[TIME_LOCK], 20);
    assert_int_equal(numbers->left_ns, 80);
    end(&w);
}

static void
test_few_contexts_are_divided_where_all_have_very_many_events(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    enum { EVENTS = 2 * COMPACT_ROLLUP_ROWS_MAX / COMPACT_ROLLUP_DIVIDED_MAX };
    for (int64_t i = 0; i < EVENTS; i++) {
        add_timed(build, ENTER, START + i, START + i + 1, 1);
    }
    for (int64_t i = 0; i < COMPACT_ROLLUP_DIVIDED_MAX; i++) {
        (void)jfr_sample_trace(build, 1, START, START + EVENTS + 10, "a");
    }
    run(&w);
    const rollup_numbers *numbers = &type_of(&w, 0, "test.Trace")->numbers;
    assert_int_equal(numbers->kept.count, COMPACT_ROLLUP_DIVIDED_MAX);
    assert_int_equal(numbers->time_ns[TIME_LOCK], COMPACT_ROLLUP_DIVIDED_MAX / 2 * EVENTS);
    assert_int_equal(numbers->left_ns, COMPACT_ROLLUP_DIVIDED_MAX / 2 * 10);
    end(&w);
}

// Of more kept requests of one thread than are divided, every third is, and counts for three. The
// last one but one is longer, and not divided.
static void
test_some_of_many_requests_of_one_thread_count_for_all(void **state)
{
    (void)state;
    enum { REQUESTS = 3 * COMPACT_ROLLUP_DIVIDED_MAX, LENGTH = 10, LOCKED = 4, LONGER = 50 };
    world w = {.has_requests = true};
    jfr_build *build = begin_chunk(&w, START);
    for (int64_t i = 0, at = START; i < REQUESTS; i++, at += 100) {
        add_timed(build, ENTER, at + 1, at + 1 + LOCKED, 1);
        (void)jfr_sample_trace(build, 1, at, at + LENGTH + (i == REQUESTS - 2 ? LONGER : 0), NULL);
    }
    run(&w);
    const rollup *sums = &w.results[0].rollup;
    const rollup_type *type = rollup_find_request(sums, "test.Trace");
    assert_non_null(type);
    expect(
        &type->numbers, REQUESTS, REQUESTS * LENGTH + LONGER, REQUESTS, REQUESTS * LENGTH + LONGER);
    assert_int_equal(type->numbers.time_ns[TIME_LOCK], REQUESTS * LOCKED);
    assert_int_equal(type->numbers.left_ns, REQUESTS * (LENGTH - LOCKED));
    assert_int_equal(sums->longest_ns[ROLLUP_REQUESTS], LENGTH + LONGER);
    end(&w);
}

static void
test_time_is_divided_whatever_the_times_are(void **state)
{
    (void)state;
    policy *rules =
        compact_run_policy("<event name='test.Trace'><setting name='select'>all</setting></event>");
    for (int64_t back = 1; back <= 3; back++) { // a clock that went backwards, or all of time
        world w = {.rules = rules};
        jfr_build *build = begin_chunk(&w, START);
        (void)jfr_sample_trace(build, 2, START, START - back, "back");
        add_timed(build, ENTER, 1150, 1170, 1);
        (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
        if (back > 1) { // on one thread, each begins where the one before ended
            (void)jfr_sample_trace(build, 2, INT64_MIN, -1, "past");
            (void)jfr_sample_trace(build, 2, -1, INT64_MAX - back, "now");
            (void)jfr_sample_trace(build, 2, 0, INT64_MAX - back + 2, "future");
        }
        run(&w);
        const rollup_numbers *numbers = value_of(type_of(&w, 0, "test.Trace"), "traceId", "a");
        expect(numbers, 1, 100, 1, 100);
        assert_int_equal(numbers->time_ns[TIME_LOCK], 20);
        assert_int_equal(numbers->left_ns, 80);
        end(&w);
    }
    policy_destroy(rules);
}

static void
test_samples_with_a_period_of_their_own_count_alone(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    add_period(build, START, "30 ns");
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 1130, .thread = 1});
    jfr_build_varint(&build->payload, 1150);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, 7); // ns
    (void)jfr_build_event(build, CPU_TIME);
    (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
    run(&w);
    const rollup_type *type = type_of(&w, 0, "test.Trace");
    assert_int_equal(type->numbers.time_ns[TIME_CPU], 7);
    assert_int_equal(type->numbers.left_ns, 100);
    end(&w);
}

// add_sampled adds a context of 100 ns with a sample.
static void
add_sampled(jfr_build *build, int64_t start)
{
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = start + 50, .thread = 1});
    (void)jfr_sample_trace(build, 1, start, start + 100, "a");
}

// JFR writes settings where a recording begins and where they change.
static void
test_a_period_holds_until_another_is_set(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *first = begin_chunk(&w, START);
    add_period(first, START, "20 ns");
    add_period(first, START + 10, "30 ns"); // without a context
    add_sampled(begin_chunk(&w, START + 1000), START + 1100);
    jfr_build *last = begin_chunk(&w, START + 2000);
    add_sampled(last, START + 2100);
    add_period(last, START + 2300, "40 ns");
    add_sampled(last, START + 2400);
    run(&w);
    assert_true(w.results[0].rollup.has_period);
    assert_false(w.results[1].rollup.has_period);
    assert_true(w.results[2].rollup.has_period);
    assert_int_equal(type_of(&w, 1, "test.Trace")->numbers.time_ns[TIME_CPU], 30);
    // Samples before the first setting of a chunk have that, as in answers.
    assert_int_equal(type_of(&w, 2, "test.Trace")->numbers.time_ns[TIME_CPU], 40 + 40);
    end(&w);
}

static void
set(lp_buf *records, int64_t thread, int64_t time, const char *endpoint)
{
    lp_buf values = {0};
    ctx_build_latin1(&values, endpoint);
    ctx_build_record(records, CTX_RECORD_SET, 1, thread, time, &values);
    lp_buf_fini(&values);
}

static void
unset(lp_buf *records, int64_t thread, int64_t time)
{
    ctx_build_record(records, CTX_RECORD_UNSET, 1, thread, time, NULL);
}

static void
test_contexts_count_once_in_the_chunk_that_they_end_in(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    set(&w.records[0], 11, 1100, "/a");
    unset(&w.records[0], 11, 1200);
    set(&w.records[0], 11, 1300, "/b"); // it goes on in the second chunk, and is kept there
    set(&w.records[0], 12, 1400, "/c"); // the same, and is kept nowhere
    build = begin_chunk(&w, 2000);
    (void)jfr_sample_mark(build, 1, 2100);
    unset(&w.records[1], 11, 2300);
    unset(&w.records[1], 12, 2400);
    set(&w.records[1], 12, 2500, "/d"); // it does not end
    run(&w);
    const rollup_type *first = type_of(&w, 0, "order");
    const rollup_type *second = type_of(&w, 1, "order");
    expect(&first->numbers, 1, 100, 1, 100);
    expect(value_of(first, "endpoint", "/a"), 1, 100, 1, 100);
    assert_int_equal(first->numbers.left_ns, 100);
    assert_int_equal(first->exemplars.count, 1);
    assert_true(ctx_ref_is_same(
        first->exemplars.items[0].ref, ctx_ref_make(1100, "order", compact_identity_java(11))));
    expect(&second->numbers, 2, 2000, 1, 1000);
    expect(value_of(second, "endpoint", "/b"), 1, 1000, 1, 1000);
    expect(value_of(second, "endpoint", "/c"), 1, 1000, 0, 0);
    assert_int_equal(second->numbers.left_ns, 300); // of its part in the second chunk
    assert_int_equal(second->exemplars.count, 0);   // answers know it by its first kept part
    assert_int_equal(w.results[0].stats.contexts_in, 3);
    assert_int_equal(w.results[1].stats.contexts_in, 1);
    assert_true(w.results[0].rollup.begin_min_ns == WALL_NS + 1100);
    assert_true(w.results[1].rollup.begin_min_ns == WALL_NS + 1300); // of /b, in the first chunk
    assert_int_equal(w.results[0].rollup.longest_ns[ROLLUP_CONTEXTS], 100);
    assert_int_equal(w.results[1].rollup.longest_ns[ROLLUP_CONTEXTS], 1000); // of /b, up to its end
    end(&w);
}

static void
test_keys_of_recording_contexts_are_attributes(void **state)
{
    (void)state;
    world w = {0};
    ctx_entry entries[] = {
        {.key = "tenant", .value = {(const uint8_t *)"acme", 4}},
        {.key = "trace_id", .value = {(const uint8_t *)"4BF9", 4}},
        {.key = "user", .is_null = true},
    };
    const ctx_recording map = {.id = 7, .entry_count = 3, .entries = entries};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8);
    ctx_build_le(&values, 0, 8); // of no request
    ctx_build_record(&w.records[0], CTX_RECORD_SET, 2, 11, 1100, &values);
    ctx_build_record(&w.records[0], CTX_RECORD_UNSET, 2, 11, 1200, NULL);
    lp_buf_fini(&values);
    w.sources[0].recordings = &map;
    w.sources[0].recording_count = 1;
    run(&w);
    const rollup_type *type = type_of(&w, 0, "jdk.RecordingContext");
    expect(&type->numbers, 1, 100, 1, 100);
    expect(value_of(type, "tenant", "acme"), 1, 100, 1, 100);
    assert_int_equal(rollup_find_attribute(type, "user")->values.count, 0);
    assert_string_equal(type->exemplars.items[0].trace, "4BF9");
    assert_true(has_id(w.results[0].ids.kept.items, w.results[0].ids.kept.count, "4bf9"));
    end(&w);
}

static bool
is_kept_in(const world *w, size_t chunk, const char *text)
{
    const rollup_ids *ids = &w->results[chunk].ids;
    return has_id(ids->kept.items, ids->kept.count, text);
}

static bool
is_kept_id(const world *w, const char *text)
{
    return is_kept_in(w, 0, text);
}

static bool
is_dropped_in(const world *w, size_t chunk, const char *text)
{
    const rollup_ids *ids = &w->results[chunk].ids;
    return has_id(ids->dropped.items, ids->dropped.count, text);
}

static bool
is_dropped_id(const world *w, const char *text)
{
    return is_dropped_in(w, 0, text);
}

static void
test_attributes_that_the_policy_marks_are_ids(void **state)
{
    (void)state;
    policy *rules = compact_run_policy(
        "<event name='shop.*'><setting name='context-index'>orderId, customer</setting></event>"
        "<event name='order'><setting name='context-index'>endpoint</setting></event>"
        "<event name='jdk.RecordingContext'><setting name='context-index'>tenant</setting></event>"
        "<event name='test.Span'><setting name='context-index'>off</setting></event>");
    world w = {.rules = rules};
    ctx_entry entries[] = {{.key = "tenant", .value = {(const uint8_t *)"ACME", 4}},
        {.key = "user", .value = {(const uint8_t *)"ann", 3}}};
    const ctx_recording map = {.id = 7, .entry_count = 2, .entries = entries};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    add_request(build, 1, 1100, 42, "Paris"); // the mark is in it
    add_request(build, 2, 1100, 43, "Rome");
    (void)jfr_sample_trace(
        build, 2, 1100, 1200, "t1"); // ids of traces are ids without being marked
    set(&w.records[0], 11, 1120, "/pay");
    unset(&w.records[0], 11, 1180);
    set(&w.records[0], 12, 1120, "/cart");
    unset(&w.records[0], 12, 1180);
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8);
    ctx_build_le(&values, 0, 8); // of no request
    ctx_build_record(&w.records[0], CTX_RECORD_SET, 2, 11, 1190, &values);
    ctx_build_record(&w.records[0], CTX_RECORD_UNSET, 2, 11, 1200, NULL);
    lp_buf_fini(&values);
    w.sources[0].recordings = &map;
    w.sources[0].recording_count = 1;
    run(&w);
    assert_int_equal(w.results[0].ids.kept.count, 2);
    assert_true(is_kept_id(&w, "42") && is_kept_id(&w, "/PAY"));
    assert_int_equal(w.results[0].ids.dropped.count, 4);
    assert_true(is_dropped_id(&w, "43") && is_dropped_id(&w, "t1"));
    assert_true(is_dropped_id(&w, "/cart") && is_dropped_id(&w, "acme"));
    assert_int_equal(w.results[0].ids.traces.count, 1);
    assert_true(has_id(w.results[0].ids.traces.items, 1, "t1"));
    assert_int_equal(w.results[0].stats.misfits.count, 1); // a request has no customer
    const compact_misfit *misfit = &w.results[0].stats.misfits.items[0];
    assert_string_equal(misfit->name, "shop.Request");
    assert_int_equal(misfit->kind, COMPACT_MISFIT_INDEX);
    assert_string_equal(misfit->attribute, "customer");
    end(&w);
    policy_destroy(rules);
}

// add_recording adds a record of a RecordingContext with the entries of map 7.
static void
add_recording(lp_buf *out, ctx_record_kind kind, int64_t ticks)
{
    lp_buf values = {0};
    ctx_build_le(&values, 7, 8);
    ctx_build_le(&values, 0, 8); // of no request
    ctx_build_record(out, kind, 2, 13, ticks, kind == CTX_RECORD_SET ? &values : NULL);
    lp_buf_fini(&values);
}

// In the second chunk two traces are dropped that began in the first one, one that began in the
// second, and one is kept.
static void
test_dropped_traces_that_began_in_the_chunk_before_are_known(void **state)
{
    (void)state;
    world w = {.rules = NULL};
    ctx_entry entry = {.key = "traceId", .value = {(const uint8_t *)"r1", 2}};
    const ctx_recording map = {.id = 7, .entry_count = 1, .entries = &entry};
    (void)begin_chunk(&w, START);
    add_recording(&w.records[0], CTX_RECORD_SET, START + 900);
    w.sources[0].recordings = &map;
    w.sources[0].recording_count = 1;
    jfr_build *build = begin_chunk(&w, START + 1000);
    add_recording(&w.records[1], CTX_RECORD_UNSET, START + 1100);
    (void)jfr_sample_trace(build, 1, START + 900, START + 1100, "k1");
    (void)jfr_sample_mark(build, 1, START + 1050);
    (void)jfr_sample_trace(build, 2, START + 900, START + 1100, "t1");
    (void)jfr_sample_trace(build, 2, START + 1200, START + 1300, "t2");
    run(&w);
    assert_int_equal(w.results[0].ids.before.count, 0);
    rollup_ids *ids = &w.results[1].ids;
    rollup_ids_tidy(ids);
    assert_int_equal(ids->dropped.count, 3);
    const uint64_t *before = ids->before.items;
    size_t count = ids->before.count; // k1 may be there
    assert_true(has_id(before, count, "t1") && has_id(before, count, "r1"));
    assert_false(has_id(before, count, "t2"));
    end(&w);
}

// A JVM that is killed has contexts that no record ends, and of them most is asked.
static void
test_ids_of_contexts_that_are_open_at_the_end_are_known(void **state)
{
    (void)state;
    policy *rules = compact_run_policy(
        "<event name='order'><setting name='context-index'>endpoint</setting></event>");
    world w = {.rules = rules};
    (void)jfr_sample_mark(begin_chunk(&w, START), 1, 1500);
    set(&w.records[0], 11, 1400, "/kept"); // the mark of the first chunk is in it
    set(&w.records[0], 12, 1400, "/gone");
    set(&w.records[0], 13, 1400, "/brief");
    unset(&w.records[0], 13, 1450); // long before the border
    (void)begin_chunk(&w, START + 1000);
    set(&w.records[1], 14, 2400, "/late");
    run(&w);
    assert_true(is_kept_in(&w, 0, "/kept")); // and the chunk that has it is known
    assert_true(is_dropped_in(&w, 0, "/brief"));
    assert_int_equal(w.results[0].ids.kept.count, 1);
    assert_int_equal(w.results[0].ids.dropped.count, 1); // the others may be kept yet
    assert_true(is_kept_in(&w, 1, "/kept"));
    assert_true(is_dropped_in(&w, 1, "/gone") && is_dropped_in(&w, 1, "/late"));
    assert_int_equal(w.results[1].ids.dropped.count, 2);
    expect(&type_of(&w, 0, "order")->numbers, 1, 50, 0, 0); // nothing else counts them
    assert_null(type_of(&w, 1, "order"));
    end(&w);
    policy_destroy(rules);
}

// The last records of a JVM may come with a chunk of which there are no bytes.
static void
test_ids_of_contexts_behind_the_last_chunk_are_known(void **state)
{
    (void)state;
    policy *rules = compact_run_policy(
        "<event name='order'><setting name='context-index'>endpoint</setting></event>");
    world w = {.rules = rules};
    lp_buf records = {0};
    (void)jfr_sample_mark(begin_chunk(&w, START), 1, 1500);
    set(&w.records[0], 13, 1300, "/open");
    unset(&records, 13, 1350);
    set(&records, 11, 1400, "/kept");
    unset(&records, 11, 1600);
    set(&records, 12, 1400, "/gone");
    unset(&records, 12, 1600);
    run(&w);
    compact_result_fini(&w.results[0]);
    const compact_source behind = {.records = lp_buf_slice(&records)};
    const compact_options options = {.has_rollup = true, .policy = rules};
    assert_int_equal(
        compact_chunk(&w.sources[0], &behind, 1, NULL, &options, &w.results[0], NULL), LP_OK);
    assert_true(is_kept_id(&w, "/kept"));
    assert_true(is_dropped_id(&w, "/gone") && is_dropped_id(&w, "/open"));
    assert_int_equal(w.results[0].ids.kept.count, 1);
    assert_int_equal(w.results[0].ids.dropped.count, 2);
    end(&w);
    lp_buf_fini(&records);
    policy_destroy(rules);
}

static void
test_nothing_is_counted_unless_somebody_asks(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, START);
    (void)jfr_sample_mark(build, 1, 1150);
    (void)jfr_sample_trace(build, 1, 1100, 1200, "a");
    run(&w);
    const compact_options options = {0};
    compact_result plain;
    compact_run_with(w.sources, 1, &options, &plain);
    assert_int_equal(plain.rollup.types.count, 0);
    assert_int_equal(plain.ids.kept.count, 0);
    assert_int_equal(plain.jfr.len, w.results[0].jfr.len); // and the output is the same
    assert_memory_equal(plain.jfr.ptr, w.results[0].jfr.ptr, plain.jfr.len);
    compact_result_fini(&plain);
    end(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contextual_events_are_counted_by_type_and_value),
        cmocka_unit_test(test_an_exemplar_says_which_context_it_is),
        cmocka_unit_test(test_ids_are_those_of_kept_contexts_or_of_dropped_ones),
        cmocka_unit_test(test_ids_of_any_length_and_case_are_hashed_alike),
        cmocka_unit_test(test_sums_of_very_long_contexts_do_not_wrap_around),
        cmocka_unit_test(test_many_values_are_none_and_ids_all_the_same),
        cmocka_unit_test(test_contexts_of_very_many_types_are_left_out),
        cmocka_unit_test(test_very_many_values_are_none),
        cmocka_unit_test(test_time_is_that_of_events_in_the_context),
        cmocka_unit_test(test_traced_parks_are_waits),
        cmocka_unit_test(test_settings_without_texts_are_none),
        cmocka_unit_test(test_few_contexts_are_divided_where_all_have_very_many_events),
        cmocka_unit_test(test_time_is_divided_whatever_the_times_are),
        cmocka_unit_test(test_samples_with_a_period_of_their_own_count_alone),
        cmocka_unit_test(test_a_period_holds_until_another_is_set),
        cmocka_unit_test(test_contexts_count_once_in_the_chunk_that_they_end_in),
        cmocka_unit_test(test_keys_of_recording_contexts_are_attributes),
        cmocka_unit_test(test_attributes_that_the_policy_marks_are_ids),
        cmocka_unit_test(test_dropped_traces_that_began_in_the_chunk_before_are_known),
        cmocka_unit_test(test_ids_of_contexts_that_are_open_at_the_end_are_known),
        cmocka_unit_test(test_ids_of_contexts_behind_the_last_chunk_are_known),
        cmocka_unit_test(test_nothing_is_counted_unless_somebody_asks),
        cmocka_unit_test(test_some_of_many_requests_of_one_thread_count_for_all),
    };
    return cmocka_run_group_tests_name("rollup_make", tests, NULL, NULL);
}
