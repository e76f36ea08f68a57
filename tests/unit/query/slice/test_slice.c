// SPDX-License-Identifier: Apache-2.0
// Slices of chunks made by hand, with ticks of a nanosecond. Each chunk of the slice becomes a line
// with its events by type and begin. The expected lines are written by hand.

#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "query/slice/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// More types than jfr_sample has.
enum {
    ENTER = 201,   // jdk.JavaMonitorEnter: startTime duration eventThread previousOwner
    PAUSE = 202,   // jdk.GCPhasePause: startTime duration
    SETTING = 203, // jdk.ActiveSetting: startTime id name value
    PART = 204, // of a context of the Loupe API: startTime duration eventThread contextId endpoint
    JVM = 205,  // jdk.JVMInformation: startTime
    REQUEST = 206,   // dev.loupe.Request: startTime duration eventThread requestStart
                     // requestDuration id
    HAND_OVER = 207, // dev.loupe.HandOver: startTime duration eventThread from request
};

enum { CHUNKS_MAX = 5, LINES_BYTES = 4096, OWNER = 3 };

static const int64_t WALL_NS = 1700000000000000000; // of tick 0

#define FIELD(field_name)                                                                          \
    {                                                                                              \
        .name = (field_name), .type = JFR_SAMPLE_LONG                                              \
    }
#define THREAD(field_name)                                                                         \
    {                                                                                              \
        .name = (field_name), .type = JFR_SAMPLE_THREAD, .is_constant = true                       \
    }

static const jfr_build_type more_types[] = {
    {.id = ENTER,
        .name = "jdk.JavaMonitorEnter",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            THREAD("previousOwner")}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, FIELD("id"), {.name = "name", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING}}},
    {.id = PART,
        .name = "shop.Part",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            FIELD("contextId"),
            {.name = "endpoint", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}},
    {.id = JVM,
        .name = "jdk.JVMInformation",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME}},
    {.id = REQUEST,
        .name = "dev.loupe.Request",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            FIELD("requestStart"), FIELD("requestDuration"),
            {.name = "id", .type = JFR_SAMPLE_STRING}}},
    {.id = HAND_OVER,
        .name = "dev.loupe.HandOver",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, JFR_SAMPLE_EVENT_THREAD,
            THREAD("from"), {.name = "request", .type = JFR_SAMPLE_STRING}}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

typedef struct world {
    jfr_build builds[CHUNKS_MAX];
    query_source sources[CHUNKS_MAX];
    size_t count;
    query_names names;
    query_outcome outcome;
    int64_t start_wall_ns; // of the last chunk of the slice
    uint64_t hash;         // of its bytes
    char lines[LINES_BYTES];
} world;

// begin_chunk begins the next chunk, with threads 1 to 3.
static jfr_build *
begin_chunk(world *w, uint32_t session, int64_t start_ticks)
{
    w->sources[w->count].session = session;
    jfr_build *build = &w->builds[w->count++];
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, sizeof(more_types));
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start_ticks,
                               .start_wall_ns = WALL_NS + start_ticks,
                               .duration_ns = 100});
    jfr_build_metadata(build, 1, types, count + MORE_TYPES);
    for (uint64_t thread = 1; thread <= OWNER; thread++) {
        jfr_sample_thread(build, thread, 10 + (int64_t)thread);
    }
    return build;
}

static void
add_plain(jfr_build *build, uint64_t thread, int64_t start, int64_t end)
{
    jfr_sample_event(build,
        &(jfr_sample){.type = JFR_SAMPLE_PLAIN, .start = start, .end = end, .thread = thread});
}

// add adds an event that has numbers alone.
static void
add(jfr_build *build, uint64_t type, size_t count, const int64_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        jfr_build_varint(&build->payload, (uint64_t)numbers[i]);
    }
    jfr_build_event(build, type);
}

#define ADD(build, type, ...)                                                                      \
    add(build, type, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static void
add_part(jfr_build *build, int64_t start, int64_t end, uint64_t id)
{
    const int64_t numbers[] = {start, end - start, 1, (int64_t)id};
    for (size_t i = 0; i < 4; i++) {
        jfr_build_varint(&build->payload, (uint64_t)numbers[i]);
    }
    jfr_build_string(&build->payload, "/");
    jfr_build_event(build, PART);
}

static void
add_setting(jfr_build *build, int64_t at, uint64_t type, const char *name, const char *value)
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

// --- Slices

static lp_err
on_chunk(void *arg, const compact_result *chunk)
{
    world *w = arg;
    jfr_read read;
    size_t len = strlen(w->lines);
    jfr_read_open(&read, lp_buf_slice(&chunk->jfr));
    w->hash = lp_hash_bytes(w->hash, lp_buf_slice(&chunk->jfr));
    assert_true(read.start_wall_ns > w->start_wall_ns);
    w->start_wall_ns = read.start_wall_ns;
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        const char *name = jfr_read_name(&read, event);
        if (strcmp(name, "dev.loupe.Accounting") != 0) {
            int64_t ticks = jfr_read_number(&read, event, "startTime") - read.start_ticks;
            int added = snprintf(w->lines + len, sizeof(w->lines) - len, "%s %lld, ",
                strrchr(name, '.') + 1, (long long)(read.start_wall_ns + ticks - WALL_NS));
            len += (size_t)added;
            assert_true(len < sizeof(w->lines));
        }
    }
    (void)snprintf(w->lines + len, sizeof(w->lines) - len, "\n");
    jfr_read_close(&read);
    return LP_OK;
}

static void
finish_chunks(world *w)
{
    for (size_t i = 0; i < w->count; i++) {
        jfr_build_checkpoint(&w->builds[i]);
        w->sources[i].bytes = jfr_build_finish(&w->builds[i]);
    }
}

static void
expect_of(world *w, query_unit unit, const char *name, const char *value, bool has_around,
    const char *lines)
{
    lp_problem problem;
    query_selection selection = query_selection_begin(false);
    selection.unit = unit;
    const query_sources sources = {.items = w->sources, .count = w->count};
    const query_question question = {.sources = &sources, .selection = &selection};
    const query_slice slice = {
        .question = &question, .has_around = has_around, .on_chunk = on_chunk, .arg = w};
    w->lines[0] = '\0';
    w->start_wall_ns = 0;
    w->hash = LP_HASH_FIXED;
    if (value != NULL) {
        assert_int_equal(query_selection_set(&selection, name, value, &problem), LP_OK);
    }
    assert_int_equal(query_slice_write(&slice, &w->names, &w->outcome, &problem), LP_OK);
    assert_string_equal(w->lines, lines);
    assert_false(w->outcome.is_truncated);
}

static void
expect(world *w, const char *trace, bool has_around, const char *lines)
{
    expect_of(w, QUERY_UNIT_CONTEXTS, "trace", trace, has_around, lines);
}

static void
end(world *w)
{
    for (size_t i = 0; i < w->count; i++) {
        jfr_build_fini(&w->builds[i]);
    }
    query_names_fini(&w->names);
}

// --- Tests

static void
test_a_context_and_what_is_in_it(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 0, 100);
    ADD(build, JVM, 100);
    add_setting(build, 101, JFR_SAMPLE_PLAIN, "threshold", "0 ns");
    add_setting(
        build, 102, JFR_SAMPLE_MARK, "threshold", "0 ns"); // of a type that is not in the slice
    add_plain(build, 1, 105, 120);                         // began before
    add_plain(build, 1, 130, 161);                         // ended behind it
    add_plain(build, 2, 120, 130);                         // on another thread
    (void)jfr_sample_trace(build, 1, 120, 150, "inner");
    (void)jfr_sample_trace(build, 1, 105, 115, "crosses");
    (void)jfr_sample_trace(build, 1, 110, 160, "a");
    (void)jfr_sample_trace(build, 1, 100, 190, "outer");
    (void)jfr_sample_trace(build, 2, 110, 160, "b");
    begin_chunk(&w, 0, 200);
    add_plain(&w.builds[1], 1, 150, 160); // comes late, at the very end
    begin_chunk(&w, 0, 300);
    ADD(&w.builds[2], JVM, 300);
    finish_chunks(&w);
    expect(&w, "a", false,
        "Trace 120, Trace 110, JVMInformation 100, ActiveSetting 101, Plain 105, \nPlain 150, \n");
    assert_int_equal(w.outcome.contexts, 1);
    expect(&w, "none", false, "");
    assert_int_equal(w.outcome.contexts, 0);
    end(&w);
}

static void
test_what_is_around_a_context(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 0, 100);
    add_plain(build, OWNER, 90, 125);                    // before the wait
    add_plain(build, OWNER, 120, 130);                   // during it
    (void)jfr_sample_trace(build, OWNER, 120, 135, "b"); // a context, which is not wanted
    ADD(build, ENTER, 130, 20, 1, OWNER);
    add_plain(build, OWNER, 140, 151); // behind it
    ADD(build, PAUSE, 100, 10);        // ended when the context began
    ADD(build, PAUSE, 100, 9);         // before
    (void)jfr_sample_trace(build, 1, 110, 160, "a");
    ADD(build, ENTER, 161, 20, 1, OWNER); // in no context
    add_plain(build, OWNER, 170, 175);
    finish_chunks(&w);
    expect(&w, "a", false, "Trace 110, JavaMonitorEnter 130, \n");
    expect(&w, "a", true, "Trace 110, Plain 120, JavaMonitorEnter 130, GCPhasePause 100, \n");
    end(&w);
}

static void
test_all_parts_of_a_context(void **state)
{
    (void)state;
    world w = {0};
    add_part(begin_chunk(&w, 0, 100), 150, 199, 7);
    begin_chunk(&w, 0, 200);
    add_plain(&w.builds[1], 1, 210, 220); // in the context, of which the chunk has no part
    add_part(begin_chunk(&w, 0, 300), 300, 350, 7);
    finish_chunks(&w);
    expect(&w, NULL, false, "Part 150, \nPlain 210, \nPart 300, \n");
    assert_int_equal(w.outcome.contexts, 1);
    end(&w);
}

// Two JVMs, whose chunks come in the order of their starts, and none at the same nanosecond.
// add_request adds an event of a request that began at 100.
static void
add_request(jfr_build *build, uint64_t thread, int64_t start, int64_t end, const char *id)
{
    const int64_t numbers[] = {start, end - start, (int64_t)thread, 100, end - 100};
    for (size_t i = 0; i < 5; i++) {
        jfr_build_varint(&build->payload, (uint64_t)numbers[i]);
    }
    jfr_build_string(&build->payload, id);
    jfr_build_event(build, REQUEST);
}

static void
add_hand_over(jfr_build *build, int64_t handed, int64_t taken, const char *id)
{
    const int64_t numbers[] = {handed, taken - handed, 2, 1};
    for (size_t i = 0; i < 4; i++) {
        jfr_build_varint(&build->payload, (uint64_t)numbers[i]);
    }
    jfr_build_string(&build->payload, id);
    jfr_build_event(build, HAND_OVER);
}

static void
test_a_request_and_what_is_in_its_stays(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 0, 100);
    add_request(build, 1, 100, 120, "0000000000000001");
    add_request(build, 2, 140, 160, "0000000000000001");
    add_request(build, 1, 130, 150, "0000000000000002");
    add_hand_over(build, 110, 140, "0000000000000001");
    add_hand_over(build, 111, 141, "0000000000000002");
    add_plain(build, 1, 105, 115); // in its first stay
    add_plain(build, 1, 125, 140); // in the other request
    add_plain(build, 2, 130, 145); // in its second stay
    (void)jfr_sample_trace(build, 1, 100, 120, "a");
    (void)jfr_sample_trace(build, 1, 130, 150, "b");
    add_plain(begin_chunk(&w, 0, 200), 1, 201, 202);
    add_request(begin_chunk(&w, 0, 300), 1, 320, 320, "0000000000000001"); // its end
    finish_chunks(&w);
    expect_of(&w, QUERY_UNIT_REQUESTS, "request", "0000000000000001", false,
        "Trace 100, Request 100, Request 140, HandOver 110, Plain 105, Plain 130, \nRequest 320, "
        "\n");
    assert_int_equal(w.outcome.contexts, 1);
    expect(&w, "a", false, "Trace 100, Plain 105, \n"); // of contexts it has no requests
    end(&w);
}

static void
test_contexts_of_several_jvms(void **state)
{
    (void)state;
    world w = {0};
    (void)jfr_sample_trace(begin_chunk(&w, 4, 100), 1, 110, 120, "a");
    (void)jfr_sample_trace(begin_chunk(&w, 4, 300), 1, 310, 320, "a");
    (void)jfr_sample_trace(begin_chunk(&w, 9, 100), 1, 110, 130, "a");
    (void)jfr_sample_trace(begin_chunk(&w, 9, 200), 1, 210, 220, "a");
    add_plain(&w.builds[2], 1, 125, 126);
    add_plain(&w.builds[0], 1, 125, 126); // of the other JVM
    finish_chunks(&w);
    expect(&w, "a", false, "Trace 110, \nTrace 110, Plain 125, \nTrace 210, \nTrace 310, \n");
    assert_int_equal(w.outcome.contexts, 4);
    end(&w);
}

// A collector skips chunks without anything wanted. The slice is the same.
static void
test_a_chunk_that_gives_nothing_changes_no_byte(void **state)
{
    (void)state;
    world w = {0};
    (void)jfr_sample_trace(
        begin_chunk(&w, 4, 50), 2, 105, 115, "b"); // at that time, on another thread
    (void)jfr_sample_trace(begin_chunk(&w, 4, 100), 1, 110, 120, "a");
    (void)jfr_sample_trace(begin_chunk(&w, 9, 100), 1, 110, 130, "a");
    (void)jfr_sample_trace(begin_chunk(&w, 9, 200), 2, 125, 220, "b");
    finish_chunks(&w);
    expect(&w, "a", false, "Trace 110, \nTrace 110, \n");
    uint64_t hash = w.hash;
    size_t count = w.count;
    memmove(w.sources, w.sources + 1, 2 * sizeof(*w.sources));
    w.count = 2;
    expect(&w, "a", false, "Trace 110, \nTrace 110, \n");
    assert_int_equal(w.hash, hash);
    w.count = count; // for end
    end(&w);
}

// A chunk with samples that does not say their period has it from the one before, or else from the
// first that says it.
static void
test_the_period_of_samples_that_another_chunk_has(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 0, 100);
    add_sample(build, 1, 120);
    (void)jfr_sample_trace(build, 1, 110, 130, "first");
    build = begin_chunk(&w, 0, 200);
    ADD(build, JVM, 200);
    add_setting(build, 201, JFR_SAMPLE_EXECUTION, "period", "20 ms");
    add_setting(build, 202, JFR_SAMPLE_EXECUTION, "enabled", "true");
    add_setting(build, 203, JFR_SAMPLE_EXECUTION, "period", "10 ms");
    build = begin_chunk(&w, 0, 300);
    add_sample(build, 1, 320);
    (void)jfr_sample_trace(build, 1, 310, 330, "last");
    (void)jfr_sample_trace(build, 2, 310, 330, "without");
    build = begin_chunk(&w, 0, 400);
    add_setting(build, 401, JFR_SAMPLE_EXECUTION, "period", "1 s");
    add_sample(build, 1, 420);
    (void)jfr_sample_trace(build, 1, 410, 430, "own");
    finish_chunks(&w);
    expect(&w, "first", false,
        "Trace 110, ExecutionSample 120, \nJVMInformation 200, ActiveSetting 201, \n");
    expect(&w, "last", false,
        "JVMInformation 200, ActiveSetting 203, \nTrace 310, ExecutionSample 320, \n");
    expect(&w, "last", true,
        "JVMInformation 200, ActiveSetting 203, \nTrace 310, ExecutionSample 320, \n");
    expect(&w, "without", false, "Trace 310, \n");
    expect(&w, "own", false, "Trace 410, ActiveSetting 401, ExecutionSample 420, \n");
    end(&w);
}

// The period is in the JVM's own chunk.
static void
test_periods_of_several_jvms(void **state)
{
    (void)state;
    world w = {0};
    (void)jfr_sample_trace(begin_chunk(&w, 1, 50), 1, 60, 70, "a");
    for (uint32_t session = 2; session <= 3; session++) {
        jfr_build *build = begin_chunk(&w, session, 100 * (int64_t)session);
        add_setting(build, 101 * (int64_t)session, JFR_SAMPLE_EXECUTION, "period", "20 ms");
        build = begin_chunk(&w, session, 1000 * (int64_t)session);
        add_sample(build, 1, 1020 * (int64_t)session);
        (void)jfr_sample_trace(build, 1, 1010 * (int64_t)session, 1100 * (int64_t)session, "a");
        (void)jfr_sample_trace(build, 2, 1010 * (int64_t)session, 1100 * (int64_t)session, "b");
    }
    finish_chunks(&w);
    expect(&w, "a", false,
        "Trace 60, \nActiveSetting 202, \nActiveSetting 303, \nTrace 2020, ExecutionSample 2040, "
        "\nTrace 3030, ExecutionSample 3060, \n");
    expect(&w, "b", false, "Trace 2020, \nTrace 3030, \n");
    end(&w);
}

// --- Cancelling

// Opens chunks, and cancels the slice after a number of them.
typedef struct canceller {
    world *w;
    atomic_bool is_cancelled;
    size_t opens_left;
} canceller;

static lp_err
open_source(void *arg, size_t source, lp_slice *out_bytes, lp_problem *out_problem)
{
    (void)out_problem;
    canceller *c = arg;
    assert_true(c->opens_left > 0);
    c->opens_left--;
    c->is_cancelled = c->opens_left == 0;
    *out_bytes = c->w->sources[source].bytes;
    return LP_OK;
}

static void
release_source(void *arg, size_t source, lp_slice bytes)
{
    (void)arg;
    (void)source;
    (void)bytes;
}

static lp_err
no_chunk(void *arg, const compact_result *chunk)
{
    (void)arg;
    (void)chunk;
    fail_msg("a chunk of a slice that was cancelled");
    return LP_OK;
}

// No reading of a chunk goes on to its end.
static void
test_a_slice_is_cancelled_within_a_chunk(void **state)
{
    (void)state;
    world w = {0};
    jfr_build *build = begin_chunk(&w, 0, 100);
    (void)jfr_sample_trace(build, 1, 110, 160, "a");
    for (int i = 0; i < QUERY_EVENTS_UNTIL_CHECK; i++) {
        ADD(build, PAUSE, 120, 1);
    }
    add_sample(build, 1, 150); // without its period, which the next chunk has
    add_setting(begin_chunk(&w, 0, 200), 201, JFR_SAMPLE_EXECUTION, "period", "10 ms");
    finish_chunks(&w);
    query_selection selection = query_selection_begin(false);
    for (size_t opens = 3; opens <= 5; opens++) { // after both: waits, periods, events
        canceller c = {.w = &w, .opens_left = opens};
        query_source sources[2] = {0};
        const query_sources all = {sources, 2, open_source, release_source, &c};
        const query_question question = {
            .sources = &all, .selection = &selection, .is_cancelled = &c.is_cancelled};
        const query_slice slice = {.question = &question, .has_around = true, .on_chunk = no_chunk};
        lp_problem problem;
        assert_int_equal(query_slice_write(&slice, &w.names, &w.outcome, &problem), LP_ECLOSED);
        assert_int_equal(c.opens_left, 0);
    }
    end(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_context_and_what_is_in_it),
        cmocka_unit_test(test_what_is_around_a_context),
        cmocka_unit_test(test_all_parts_of_a_context),
        cmocka_unit_test(test_a_request_and_what_is_in_its_stays),
        cmocka_unit_test(test_contexts_of_several_jvms),
        cmocka_unit_test(test_a_chunk_that_gives_nothing_changes_no_byte),
        cmocka_unit_test(test_the_period_of_samples_that_another_chunk_has),
        cmocka_unit_test(test_periods_of_several_jvms),
        cmocka_unit_test(test_a_slice_is_cancelled_within_a_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
