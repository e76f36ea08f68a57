// SPDX-License-Identifier: Apache-2.0
// Groups of contexts: threads of speedscope's profiles, and the labels of pprof's samples; what is
// beyond the limits. What other readers make of the files is tested in tests/e2e/flamegraph.py.

#include "support/failing_alloc.h"

#include "query/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *
recording(const void *arg, uint32_t source)
{
    (void)arg;
    return source == 0 ? "a.jfr" : "b\xff.jfr";
}

// begin begins a graph of the time of contexts of which nothing is known, and its answers.
static query_graph
begin(query_format format, query_names *names, query_context *context, query_answer *answer)
{
    const query_graph_wish wish = {
        .format = format, .measure = QUERY_MEASURE_COUNT, .title = "t", .recording = recording};
    static const query_row rows[1] = {{.category = TIME_LOCK, .has_duration = true}};
    static const time_span spans[1] = {{.own_ns = 5}};
    *context = (query_context){.parent = QUERY_NO_CONTEXT, .base_parent = QUERY_NO_CONTEXT};
    *answer = (query_answer){.context = context,
        .in = QUERY_IN_SELECTION,
        .begin_wall_ns = 1700000000000000000,
        .duration_ns = 5,
        .rows = rows,
        .spans = spans,
        .row_count = 1};
    return query_graph_begin(&wish, names);
}

// finish writes the graph and returns the text, which the caller frees.
static char *
finish(query_graph *graph)
{
    const query_outcome outcome = {.contexts = 1};
    lp_buf out = {0};
    assert_int_equal(query_graph_write(graph, &outcome, false, &out), LP_OK);
    lp_buf_append(&out, "", 1);
    assert_int_equal(lp_buf_check(&out), LP_OK);
    return (char *)out.ptr;
}

static void
test_formats_are_known_by_the_end_of_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        query_format format;
    } cases[] = {
        {"out.html", QUERY_FORMAT_HTML},
        {"a.b/c.collapsed", QUERY_FORMAT_COLLAPSED},
        {".speedscope.json", QUERY_FORMAT_SPEEDSCOPE},
        {"x.pb.gz", QUERY_FORMAT_PPROF},
        {"x.json", QUERY_FORMATS},
        {"x.htm", QUERY_FORMATS},
        {"html", QUERY_FORMATS},
        {"", QUERY_FORMATS},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(query_format_find(cases[i].name), cases[i].format);
    }
    assert_true(query_format_has_base(QUERY_FORMAT_JSON));
    assert_false(query_format_has_base(QUERY_FORMAT_PPROF));
}

static void
test_each_thread_is_a_profile(void **state)
{
    (void)state;
    query_names names = {0};
    query_context context;
    query_answer answer;
    query_graph graph = begin(QUERY_FORMAT_SPEEDSCOPE, &names, &context, &answer);
    static const struct {
        const char *thread;
        uint32_t session;
    } contexts[] = {{"pool-2", 0}, {"", 0}, {"pool-1", 0}, {"pool-2", 3}, {"pool-2", 0}};
    for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
        context.thread_name = query_names_add(&names, contexts[i].thread);
        answer.first_source = contexts[i].session;
        assert_int_equal(query_graph_add(&graph, &answer), LP_OK);
    }
    char *text = finish(&graph);
    assert_string_equal(text,
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
        "\"shared\":{\"frames\":[{\"name\":\"[lock]\"}]},\"profiles\":["
        "{\"type\":\"sampled\",\"name\":\"threads without a name in a.jfr\",\"unit\":\"none\","
        "\"samples\":[[0]],\"weights\":[1],\"startValue\":0,\"endValue\":1},"
        "{\"type\":\"sampled\",\"name\":\"pool-1 in a.jfr\",\"unit\":\"none\","
        "\"samples\":[[0]],\"weights\":[1],\"startValue\":0,\"endValue\":1},"
        "{\"type\":\"sampled\",\"name\":\"pool-2 in a.jfr\",\"unit\":\"none\","
        "\"samples\":[[0]],\"weights\":[2],\"startValue\":0,\"endValue\":2},"
        "{\"type\":\"sampled\",\"name\":\"pool-2 in b\xef\xbf\xbd.jfr\",\"unit\":\"none\","
        "\"samples\":[[0]],\"weights\":[1],\"startValue\":0,\"endValue\":1}],"
        "\"name\":\"t\",\"exporter\":\"loupe\"}\n");
    assert_false(query_graph_is_truncated(&graph));
    free(text);
    query_graph_fini(&graph);
    query_names_fini(&names);
}

static void
test_threads_beyond_the_limit_are_one_profile(void **state)
{
    (void)state;
    query_names names = {0};
    query_context context;
    query_answer answer;
    query_graph graph = begin(QUERY_FORMAT_SPEEDSCOPE, &names, &context, &answer);
    for (unsigned i = 0; i < QUERY_SPEEDSCOPE_THREADS_MAX + 3; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "t%05u", i);
        context.thread_name = query_names_add(&names, name);
        assert_int_equal(query_graph_add(&graph, &answer), LP_OK);
    }
    char *text = finish(&graph);
    assert_non_null(strstr(text, "\"name\":\"t09999\""));
    assert_null(strstr(text, "\"name\":\"t10000\""));
    assert_non_null(strstr(text, "\"name\":\"other threads\",\"unit\":\"none\",\"samples\":[[0]],"
                                 "\"weights\":[3],"));
    free(text);
    query_graph_fini(&graph);
    query_names_fini(&names);
}

static query_known_attribute
attribute(const char *name, const char *value, uint32_t key, uint32_t number)
{
    return (query_known_attribute){
        .attribute = {.name = name,
            .label = "",
            .is_null = value == NULL,
            .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)}},
        .key = key,
        .value = number,
    };
}

static uint32_t
group_of(
    query_label_sets *sets, query_answer *answer, query_known_attribute *attributes, size_t count)
{
    uint32_t group;
    answer->attributes = attributes;
    answer->attribute_count = count;
    assert_int_equal(query_label_sets_group(sets, answer, &group), LP_OK);
    return group;
}

// The deepest stack trace that there is: JFR's maximum, cut, and what went on at its top.
static void
test_files_have_the_deepest_stack_traces(void **state)
{
    (void)state;
    static const query_format formats[] = {QUERY_FORMAT_SPEEDSCOPE, QUERY_FORMAT_PPROF};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        query_names names = {0};
        query_context context;
        query_answer answer;
        query_graph graph = begin(formats[i], &names, &context, &answer);
        uint32_t frame = query_names_add(&names, "shop.Tree.walk");
        query_row row = {.category = TIME_LOCK, .has_duration = true};
        for (size_t k = 0; k < QUERY_STACK_LEVELS_MAX - 1; k++) {
            assert_int_equal(
                query_stacks_add(&graph.profile.stacks, row.stack, frame, 0, &row.stack), LP_OK);
        }
        answer.rows = &row;
        assert_int_equal(query_graph_add(&graph, &answer), LP_OK);
        char *text = finish(&graph);
        size_t levels = 0;
        const char *samples = strstr(text, "\"samples\":[[");
        for (const char *at = samples; at != NULL && *at != ']'; at++) {
            levels += *at == ',' || *at == ':';
        }
        assert_int_equal(
            levels, formats[i] == QUERY_FORMAT_SPEEDSCOPE ? QUERY_STACK_LEVELS_MAX : 0);
        free(text);
        query_graph_fini(&graph);
        query_names_fini(&names);
    }
}

static void
test_contexts_with_the_same_labels_are_a_group(void **state)
{
    (void)state;
    query_label_sets sets = {0};
    const query_context context = {.thread_name = 7};
    query_answer answer = {.context = &context, .first_source = 2};
    query_known_attribute first[] = {
        attribute("path", "/a", 0, 10),
        attribute("traceId", "4bf9", 1, 11),
        attribute("SPAN_ID", "00f0", 2, QUERY_NO_VALUE), // has too many values
        attribute("order", "17", 3, QUERY_NO_VALUE),     // the same, and is no id: no label
        attribute("note", NULL, 4, QUERY_NO_VALUE),
    };
    query_known_attribute second[] = {
        first[0], first[1], first[2], attribute("order", "18", 3, QUERY_NO_VALUE)};
    assert_int_equal(group_of(&sets, &answer, first, 5), 1);
    assert_int_equal(group_of(&sets, &answer, second, 4), 1);
    second[1] = attribute("traceId", "4bf8", 1, 12);
    assert_int_equal(group_of(&sets, &answer, second, 4), 2);
    assert_int_equal(group_of(&sets, &answer, first, 5), 1);
    answer.first_source = 3;
    assert_int_equal(group_of(&sets, &answer, first, 5), 3);
    assert_int_equal(group_of(&sets, &answer, NULL, 0), 4);

    query_label_set set;
    query_label_sets_get(&sets, 2, &set);
    assert_int_equal(set.session, 2);
    assert_int_equal(set.thread_name, 7);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.items[0].key, 0);
    assert_int_equal(set.items[0].value, 10);
    assert_int_equal(set.trace.len, 4);
    assert_memory_equal(set.trace.ptr, "4bf8", 4);
    assert_int_equal(set.span.len, 4);
    assert_memory_equal(set.span.ptr, "00f0", 4);
    query_label_sets_get(&sets, 4, &set);
    assert_int_equal(set.count + set.trace.len + set.span.len, 0);
    assert_false(sets.is_truncated);
    query_label_sets_fini(&sets);
}

static void
test_labels_beyond_the_limit_are_none(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    query_label_sets sets = {0};
    const query_context context = {.thread_name = 7};
    query_answer answer = {.context = &context};
    char *id = malloc(LONG + 1);
    assert_non_null(id);
    memset(id, 'x', LONG);
    id[LONG] = '\0';
    query_known_attribute trace = attribute("traceId", id, 0, QUERY_NO_VALUE);
    uint32_t known = 0;
    for (unsigned i = 0; i < QUERY_LABEL_BYTES_MAX / LONG; i++) {
        id[0] = (char)('0' + (int)i);
        uint32_t group = group_of(&sets, &answer, &trace, 1);
        assert_true(group == i + 1 || sets.is_truncated);
        known = group != 0 ? group : known;
    }
    assert_true(sets.is_truncated); // the last one does not fit, with what stands before it
    assert_int_equal(known, QUERY_LABEL_BYTES_MAX / LONG - 1);
    id[0] = '0';
    assert_int_equal(group_of(&sets, &answer, &trace, 1), 1); // what is there is found
    free(id);
    query_label_sets_fini(&sets);
}

// draw draws a graph of two contexts with a filter; each allocation from the failing-th on may
// fail.
static lp_err
draw(query_format format, size_t failing, bool *out_has_failed)
{
    const query_outcome outcome = {.contexts = 2};
    query_names names = {0};
    query_context context;
    query_answer answer;
    query_frame_filter filter;
    lp_problem problem;
    lp_buf out = {0};
    query_known_attribute path = attribute("traceId", "/a", 0, QUERY_NO_VALUE);
    query_graph graph = begin(format, &names, &context, &answer);
    assert_int_equal(query_frame_filter_init(&filter, "frame", "lock", &problem), LP_OK);
    graph.wish.frame = &filter;
    graph.wish.max_nodes = 2;
    context.thread_name = query_names_add(&names, "main");
    answer.attributes = &path;
    answer.attribute_count = 1;
    allocations_left = failing;
    lp_err err = query_graph_add(&graph, &answer);
    answer.first_source = 5;
    if (err == LP_OK) {
        err = query_graph_add(&graph, &answer);
    }
    if (err == LP_OK) {
        err = query_graph_write(&graph, &outcome, false, &out);
    }
    *out_has_failed = allocations_left == 0;
    allocations_left = 0;
    assert_true(err != LP_OK || out.len > 0);
    lp_buf_fini(&out);
    query_graph_fini(&graph);
    query_names_fini(&names);
    return err;
}

static void
test_out_of_memory_is_an_error(void **state)
{
    (void)state;
    for (unsigned format = 0; format < QUERY_FORMATS; format++) {
        size_t failing = 1;
        bool has_failed = true;
        for (; has_failed; failing++) {
            lp_err err = draw((query_format)format, failing, &has_failed);
            assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
        }
        assert_true(failing > 10);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_are_known_by_the_end_of_a_name),
        cmocka_unit_test(test_each_thread_is_a_profile),
        cmocka_unit_test(test_threads_beyond_the_limit_are_one_profile),
        cmocka_unit_test(test_files_have_the_deepest_stack_traces),
        cmocka_unit_test(test_contexts_with_the_same_labels_are_a_group),
        cmocka_unit_test(test_out_of_memory_is_an_error),
        cmocka_unit_test(test_labels_beyond_the_limit_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
