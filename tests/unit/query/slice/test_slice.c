// SPDX-License-Identifier: Apache-2.0
// Slices of chunks made by hand, with ticks of a nanosecond: of each chunk of the slice a line has
// the events, by type and begin, and the lines are compared with what a person has chosen.

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

// Types beside those of jfr_sample.
enum {
    ENTER = 201,   // jdk.JavaMonitorEnter: startTime duration eventThread previousOwner
    PAUSE = 202,   // jdk.GCPhasePause: startTime duration
    SETTING = 203, // jdk.ActiveSetting: startTime id
    PART = 204, // of a context of the Loupe API: startTime duration eventThread contextId endpoint
    JVM = 205,  // jdk.JVMInformation: startTime
};

enum { CHUNKS_MAX = 4, LINES_BYTES = 4096, OWNER = 3 };

static const int64_t WALL_NS = 1700000000000000000; // of tick 0

#define START                                                                                      \
    {                                                                                              \
        .name = "startTime", .type = JFR_SAMPLE_LONG, .annotation = JFR_SAMPLE_TIMESTAMP,          \
        .annotation_value = "TICKS"                                                                \
    }
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
        .fields = {START, FIELD("duration"), THREAD("eventThread"), THREAD("previousOwner")}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {START, FIELD("duration")}},
    {.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {START, FIELD("id")}},
    {.id = PART,
        .name = "shop.Part",
        .super = "jdk.jfr.Event",
        .fields = {START, FIELD("duration"), THREAD("eventThread"), FIELD("contextId"),
            {.name = "endpoint", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL}}},
    {.id = JVM, .name = "jdk.JVMInformation", .super = "jdk.jfr.Event", .fields = {START}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

typedef struct world {
    jfr_build builds[CHUNKS_MAX];
    query_source sources[CHUNKS_MAX];
    size_t count;
    query_names names;
    query_outcome outcome;
    int64_t start_wall_ns; // of the last chunk of the slice
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
add_trace(jfr_build *build, uint64_t thread, int64_t start, int64_t end, const char *id)
{
    jfr_sample_event(build,
        &(jfr_sample){
            .type = JFR_SAMPLE_TRACE, .start = start, .end = end, .thread = thread, .text = id});
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

// --- Slices

static lp_err
on_chunk(void *arg, const compact_result *chunk)
{
    world *w = arg;
    jfr_read read;
    size_t len = strlen(w->lines);
    jfr_read_open(&read, lp_buf_slice(&chunk->jfr));
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
expect(world *w, const char *trace, bool has_around, const char *lines)
{
    lp_problem problem;
    query_selection selection = query_selection_begin(false);
    const query_sources sources = {.items = w->sources, .count = w->count};
    const query_question question = {.sources = &sources, .selection = &selection};
    const query_slice slice = {
        .question = &question, .has_around = has_around, .on_chunk = on_chunk, .arg = w};
    w->lines[0] = '\0';
    w->start_wall_ns = 0;
    if (trace != NULL) {
        assert_int_equal(query_selection_set(&selection, "trace", trace, &problem), LP_OK);
    }
    assert_int_equal(query_slice_write(&slice, &w->names, &w->outcome, &problem), LP_OK);
    assert_string_equal(w->lines, lines);
    assert_false(w->outcome.is_truncated);
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
    ADD(build, SETTING, 101, JFR_SAMPLE_PLAIN);
    ADD(build, SETTING, 102, JFR_SAMPLE_MARK); // of a type that is not in the slice
    add_plain(build, 1, 105, 120);             // began before
    add_plain(build, 1, 130, 161);             // ended behind it
    add_plain(build, 2, 120, 130);             // on another thread
    add_trace(build, 1, 120, 150, "inner");
    add_trace(build, 1, 105, 115, "crosses");
    add_trace(build, 1, 110, 160, "a");
    add_trace(build, 1, 100, 190, "outer");
    add_trace(build, 2, 110, 160, "b");
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
    add_plain(build, OWNER, 90, 125);       // before the wait
    add_plain(build, OWNER, 120, 130);      // during it
    add_trace(build, OWNER, 120, 135, "b"); // a context, which is not wanted
    ADD(build, ENTER, 130, 20, 1, OWNER);
    add_plain(build, OWNER, 140, 151); // behind it
    ADD(build, PAUSE, 100, 10);        // ended when the context began
    ADD(build, PAUSE, 100, 9);         // before
    add_trace(build, 1, 110, 160, "a");
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
static void
test_contexts_of_several_jvms(void **state)
{
    (void)state;
    world w = {0};
    add_trace(begin_chunk(&w, 4, 100), 1, 110, 120, "a");
    add_trace(begin_chunk(&w, 4, 300), 1, 310, 320, "a");
    add_trace(begin_chunk(&w, 9, 100), 1, 110, 130, "a");
    add_trace(begin_chunk(&w, 9, 200), 1, 210, 220, "a");
    add_plain(&w.builds[2], 1, 125, 126);
    add_plain(&w.builds[0], 1, 125, 126); // of the other JVM
    finish_chunks(&w);
    expect(&w, "a", false, "Trace 110, \nTrace 110, Plain 125, \nTrace 210, \nTrace 310, \n");
    assert_int_equal(w.outcome.contexts, 4);
    end(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_context_and_what_is_in_it),
        cmocka_unit_test(test_what_is_around_a_context),
        cmocka_unit_test(test_all_parts_of_a_context),
        cmocka_unit_test(test_contexts_of_several_jvms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
