// SPDX-License-Identifier: Apache-2.0
// What JVMs say of themselves: values in columns, pauses where they began, what is no number left
// out; which chunks are read where there are many; what each JVM is. Chunks are made by hand, and a
// person has put their values into columns.

#include "support/query_world.h"

#include "query/events/jvm_facts.h"
#include "query/events/jvm_lines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HEAP = 150, PAUSE, LOAD, INFORMATION, DOUBLE_BYTES = 8 };

static const jfr_build_type types[] = {
    {.id = HEAP,
        .name = "jdk.GCHeapSummary",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, {.name = "heapUsed", .type = JFR_SAMPLE_LONG}}},
    {.id = PAUSE,
        .name = "jdk.GCPhasePause",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION}},
    {.id = LOAD,
        .name = "jdk.CPULoad",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, {.name = "jvmUser", .type = JFR_SAMPLE_DOUBLE},
            {.name = "jvmSystem", .type = JFR_SAMPLE_DOUBLE},
            {.name = "machineTotal", .type = JFR_SAMPLE_DOUBLE}}},
    {.id = INFORMATION,
        .name = "jdk.JVMInformation",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, {.name = "jvmName", .type = JFR_SAMPLE_STRING},
            {.name = "javaArguments", .type = JFR_SAMPLE_STRING},
            {.name = "pid", .type = JFR_SAMPLE_LONG}}},
};

static void
add_heap(jfr_build *build, int64_t at, uint64_t used)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_varint(&build->payload, used);
    jfr_build_event(build, HEAP);
}

static void
add_double(jfr_build *build, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    for (int i = DOUBLE_BYTES - 1; i >= 0; i--) { // big endian
        const uint8_t byte = (uint8_t)(bits >> (i * 8));
        lp_buf_append(&build->payload, &byte, 1);
    }
}

static void
add_load(jfr_build *build, int64_t at, double user, double system, double machine)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    add_double(build, user);
    add_double(build, system);
    add_double(build, machine);
    jfr_build_event(build, LOAD);
}

static void
add_information(jfr_build *build, int64_t at, const char *name, const char *arguments, uint64_t pid)
{
    jfr_build_varint(&build->payload, (uint64_t)at);
    jfr_build_string(&build->payload, name);
    jfr_build_string(&build->payload, arguments);
    jfr_build_varint(&build->payload, pid);
    jfr_build_event(build, INFORMATION);
}

static const char *
recording(const void *arg, uint32_t source)
{
    (void)arg;
    return source == 0 ? "a.jfr" : "b.jfr";
}

// expect_line compares the points of a line.
static void
expect_line(const json_t *answer, const char *name, const char *expected)
{
    const json_t *lines = json_object_get(answer, "lines");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        if (strcmp(json_string_value(json_object_get(line, "line")), name) == 0) {
            char *text = json_dumps(json_object_get(line, "points"), 0);
            assert_string_equal(text, expected);
            free(text);
            return;
        }
    }
    fail_msg("no line %s", name);
}

// ask returns the lines between two times after tick 0 in so many columns, of one in every so many
// chunks.
static json_t *
ask(query_world *w, int64_t from, int64_t to, size_t columns, size_t chunks_max)
{
    const query_sources sources = query_world_sources(w);
    const query_selection selection = query_selection_begin(false);
    bool chosen[QUERY_WORLD_CHUNKS_MAX];
    query_question question = {
        .sources = &sources, .selection = &selection, .only_sources = chosen};
    query_jvm_lines lines;
    assert_int_equal(query_jvm_lines_init(&lines, &w->names, query_world_wall_ns + from,
                         query_world_wall_ns + to, columns),
        LP_OK);
    query_jvm_lines_choose(&lines, &sources, chunks_max, chosen);
    assert_int_equal(
        query_events_scan(&question, &w->names, query_jvm_lines_add, &lines, &w->outcome), LP_OK);
    json_t *json = query_jvm_lines_json(&lines);
    assert_non_null(json);
    query_jvm_lines_fini(&lines);
    return json;
}

static void
test_values_are_in_the_columns_of_their_time(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = query_world_begin_chunk(&w, 0, 1000000000, types, 4);
    add_heap(build, 99, 1); // before
    add_heap(build, 100, 500);
    add_heap(build, 129, 200);
    add_heap(build, 110, 300);
    add_heap(build, 160, 700);
    add_heap(build, 190, 1); // behind
    query_world_add_times(build, 125, 135);
    jfr_build_event(build, PAUSE);
    add_load(build, 131, 0.25, 0.125, 0.75);
    add_load(build, 132, NAN, 0.125, 0.5); // no number: of the JVM there is one value
    query_world_finish(&w);
    json_t *json = ask(&w, 100, 190, 3, 10);
    assert_string_equal(json_string_value(json_object_get(json, "t0_ns")), "1700000000000000100");
    assert_int_equal(json_integer_value(json_object_get(json, "step_ns")), 30);
    expect_line(json, "heap_used", "[[0, 3, 200, 333, 500], [2, 1, 700, 700, 700]]");
    expect_line(json, "gc_pause", "[[0, 1, 10, 10, 10]]");
    expect_line(json, "cpu_jvm", "[[1, 1, 0.375, 0.375, 0.375]]");
    expect_line(json, "cpu_machine", "[[1, 2, 0.5, 0.625, 0.75]]");
    expect_line(json, "threads", "[]");
    json_decref(json);
    json = ask(&w, 100, 200, 3, 10); // 34 ns, so the last one goes on beyond the end
    assert_int_equal(json_integer_value(json_object_get(json, "step_ns")), 34);
    expect_line(json, "heap_used",
        "[[0, 3, 200, 333, 500], [1, 1, 700, 700, 700], "
        "[2, 1, 1, 1, 1]]");
    json_decref(json);
    query_world_fini(&w);
}

static void
test_of_many_chunks_some_are_read(void **state)
{
    (void)state;
    query_world w = {0};
    for (int64_t i = 0; i < 4; i++) {
        jfr_build *build = query_world_begin_chunk(&w, i * 100, 1000000000, types, 4);
        add_heap(build, i * 100, (uint64_t)i + 1);
    }
    query_world_finish(&w);
    for (int64_t i = 0; i < 4; i++) {
        w.sources[i].has_times = true;
        w.sources[i].times =
            (query_source_times){query_world_wall_ns + i * 100, query_world_wall_ns + i * 100, 0};
    }
    static const struct {
        int64_t from;
        size_t chunks_max;
        const char *points;
        int read;
        int all;
    } cases[] = {
        {0, 4, "[[0, 4, 1, 3, 4]]", 4, 4},
        {0, 3, "[[0, 3, 1, 3, 4]]", 3, 4},
        {0, 1, "[[0, 1, 1, 1, 1]]", 1, 4},
        {100, 2, "[[0, 2, 2, 3, 4]]", 2, 3}, // the first one is not of the time
        {301, 2, "[]", 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask(&w, cases[i].from, 1000, 1, cases[i].chunks_max);
        const json_t *chunks = json_object_get(json, "chunks");
        expect_line(json, "heap_used", cases[i].points);
        assert_int_equal(json_integer_value(json_object_get(chunks, "read")), cases[i].read);
        assert_int_equal(json_integer_value(json_object_get(chunks, "all")), cases[i].all);
        json_decref(json);
    }
    query_world_fini(&w);
}

static void
test_time_beyond_all_clocks_is_in_the_columns(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = query_world_begin_chunk(&w, 0, 1000000000, types, 4);
    add_heap(build, 5, 7);
    query_world_finish(&w);
    const query_sources sources = query_world_sources(&w);
    const query_selection selection = query_selection_begin(false);
    query_question question = {.sources = &sources, .selection = &selection};
    query_jvm_lines lines;
    assert_int_equal(query_jvm_lines_init(&lines, &w.names, INT64_MIN, INT64_MAX, 1), LP_OK);
    assert_int_equal(
        query_events_scan(&question, &w.names, query_jvm_lines_add, &lines, &w.outcome), LP_OK);
    assert_int_equal(query_jvm_lines_all(&lines, 0).count, 1);
    query_jvm_lines_fini(&lines);
    query_world_fini(&w);
}

static void
test_all_time_is_one_column(void **state)
{
    (void)state;
    query_world w = {0};
    jfr_build *build = query_world_begin_chunk(&w, 0, 1000000000, types, 4);
    add_heap(build, 5, 7);
    query_world_finish(&w);
    const query_sources sources = query_world_sources(&w);
    const query_selection selection = query_selection_begin(false);
    query_question question = {.sources = &sources, .selection = &selection};
    query_jvm_lines lines;
    assert_int_equal(query_jvm_lines_init(&lines, &w.names, 0, INT64_MAX, 1), LP_OK);
    assert_int_equal(
        query_events_scan(&question, &w.names, query_jvm_lines_add, &lines, &w.outcome), LP_OK);
    for (size_t i = 0; i < QUERY_JVM_LINES; i++) {
        bool is_heap = strcmp(query_jvm_line_of(i)->name, "heap_used") == 0;
        assert_int_equal(query_jvm_lines_all(&lines, i).count, is_heap);
    }
    query_jvm_lines_fini(&lines);
    query_world_fini(&w);
}

static void
test_each_jvm_says_what_it_is_once(void **state)
{
    (void)state;
    query_world w = {0};
    for (int64_t i = 0; i < 3; i++) {
        jfr_build *build = query_world_begin_chunk(&w, i * 100, 1000000000, types, 4);
        add_information(
            build, i * 100, i == 0 ? "One" : "Other", "Shop --port 80", (uint64_t)(40 + i));
        add_information(build, i * 100 + 1, "later", "", 1);
    }
    query_world_finish(&w);
    w.sources[1].session = 1;
    w.sources[2].session = 1;
    const query_sources sources = query_world_sources(&w);
    const query_selection selection = query_selection_begin(false);
    query_question question = {.sources = &sources, .selection = &selection};
    query_jvm_facts facts = {.names = &w.names, .sources = &sources, .recording = recording};
    assert_int_equal(
        query_events_scan(&question, &w.names, query_jvm_facts_add, &facts, &w.outcome), LP_OK);
    json_t *json = query_jvm_facts_json(&facts);
    char *text = json_dumps(json, 0);
    assert_string_equal(text,
        "[{\"recording\": \"a.jfr\", \"jvm_name\": \"One\", \"java_arguments\": \"Shop --port "
        "80\", "
        "\"pid\": 40}, {\"recording\": \"b.jfr\", \"jvm_name\": \"Other\", \"java_arguments\": "
        "\"Shop --port 80\", \"pid\": 41}]");
    assert_false(facts.is_truncated);
    free(text);
    json_decref(json);
    query_jvm_facts_fini(&facts);
    query_world_fini(&w);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_in_the_columns_of_their_time),
        cmocka_unit_test(test_of_many_chunks_some_are_read),
        cmocka_unit_test(test_all_time_is_one_column),
        cmocka_unit_test(test_time_beyond_all_clocks_is_in_the_columns),
        cmocka_unit_test(test_each_jvm_says_what_it_is_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
