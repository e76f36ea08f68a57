// SPDX-License-Identifier: Apache-2.0
// Calls of Pyroscope's API: each fault has the error of the protocol, before a question is asked.
// Selectors select what they say or are refused. The levels of a flame graph have each node at its
// place, also under a call site and beside a base. The points of a series add up to the answers.
// Costs 0.1 s.

#include "pyroscope.pb-c.h"

#include "collector/grafana/grafana_call.h"
#include "collector/grafana/grafana_flame.h"
#include "collector/grafana/grafana_groups.h"
#include "collector/grafana/grafana_selector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ID       "3f6c1f0a9b7e4d2c8a5b6c7d8e9f0a1b"
#define CPU      "\"profileTypeID\":\"process_cpu:cpu:nanoseconds:cpu:nanoseconds\","
#define TIME     "\"profileTypeID\":\"loupe:time:nanoseconds:time:nanoseconds\","
#define REQUESTS "\"profileTypeID\":\"loupe:requests:count:requests:count\","
#define RANGE    "\"start\":\"1700000000000\",\"end\":1700000600000"

static lp_slice
slice(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static json_t *
parse(const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

// --- Selectors

static void
test_selectors_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        const char *name; // of the last
        const char *value;
        bool is_not;
    } cases[] = {
        {"", 0, NULL, NULL, false},
        {" {} ", 0, NULL, NULL, false},
        {"{a=\"b\"}", 1, "a", "b", false},
        {"{ a = \"b\" , }", 1, "a", "b", false},
        {"{a=\"b\",c!=\"\"}", 2, "c", "", true},
        {"{\"http.route\"=\"/x\\\"\\\\\\n}\"}", 1, "http.route", "/x\"\\\n}", false},
        {"{a=~\"b\"}", 1, "a", "b", false},
        {"{a!~`b c`}", 1, "a", "b c", true},
        {"{a=~\".+\",b=~\".*\"}", 1, "a", "", true},
        {"{a!~\".+\"}", 1, "a", "", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        grafana_selector selector = {0};
        lp_problem problem;
        assert_int_equal(grafana_selector_read(&selector, cases[i].text, &problem), LP_OK);
        assert_int_equal(selector.count, cases[i].count);
        if (cases[i].count > 0) {
            const grafana_matcher *last = &selector.matchers[selector.count - 1];
            assert_string_equal(last->name, cases[i].name);
            assert_string_equal(last->value, cases[i].value);
            assert_int_equal(last->is_not, cases[i].is_not);
        }
        grafana_selector_fini(&selector);
    }
}

static void
test_wrong_selectors_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"a=\"b\"", "{", "{a", "{a=", "{a=b}", "{a=\"b}", "{a=\"b\"",
        "{a==\"b\"}", "{a~\"b\"}", "{a=\"b\" c=\"d\"}", "{a=\"b\"}x", "{=\"b\"}", "{a=\"\\x\"}",
        "{a=~\"b|c\"}", "{a!~\".*\"}", "{,}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        grafana_selector selector = {0};
        lp_problem problem;
        assert_int_equal(grafana_selector_read(&selector, texts[i], &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, "label selector"));
        grafana_selector_fini(&selector);
    }
    lp_buf many = {0};
    lp_buf_append_text(&many, "{");
    for (size_t i = 0; i <= GRAFANA_MATCHERS_MAX; i++) {
        lp_buf_append_text(&many, "a=\"b\",");
    }
    lp_buf_append(&many, "}", 2);
    grafana_selector selector = {0};
    lp_problem problem;
    assert_int_equal(
        grafana_selector_read(&selector, (const char *)many.ptr, &problem), LP_ECORRUPT);
    grafana_selector_fini(&selector);
    lp_buf_fini(&many);
}

// --- Messages

static void
test_a_message_is_that_of_its_json(void **state)
{
    (void)state;
    grafana_call call = {0};
    grafana_call_read(&call, "SelectSeries",
        slice("{\"profileTypeID\":\"x\",\"start\":\"-5\",\"end\":7,\"step\":\"1.5\","
              "\"groupBy\":[\"a\",\"b\"],\"aggregation\":"
              "\"TIME_SERIES_AGGREGATION_TYPE_AVERAGE\",\"exemplarType\":3,\"limit\":4.0,"
              "\"stackTraceSelector\":{\"callSite\":[{\"name\":\"f\"}]},\"labelSelector\":"
              "null,\"unknown\":{}}"));
    assert_int_equal(call.status, 0); // not answered yet
    const Querier__V1__SelectSeriesRequest *in = (const void *)call.work.in;
    assert_string_equal(in->profile_typeid, "x");
    assert_string_equal(in->label_selector, "");
    assert_true(in->start == -5 && in->end == 7 && in->step == 1.5 && in->limit == 4);
    assert_true(in->n_group_by == 2 && strcmp(in->group_by[1], "b") == 0);
    assert_true(in->aggregation == 1 && in->exemplar_type == 3);
    assert_string_equal(in->stack_trace_selector->call_site[0]->name, "f");
    grafana_call_fini(&call);
}

static void
test_members_have_names_of_fields(void **state)
{
    (void)state;
    grafana_call call = {0};
    grafana_call_read(&call, "SelectSeries",
        slice("{\"profile_typeID\":\"x\",\"label_selector\":\"{}\",\"group_by\":[\"a\"],"
              "\"newSelector\":null}"));
    assert_int_equal(call.status, 0); // not answered yet
    const Querier__V1__SelectSeriesRequest *in = (const void *)call.work.in;
    assert_string_equal(in->profile_typeid, "x");
    assert_string_equal(in->label_selector, "{}");
    assert_int_equal(in->n_group_by, 1);
    grafana_call_fini(&call);
}

static void
test_members_of_wrong_types_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned status;
    } cases[] = {
        {"[]", 400},
        {"{\"start\":true}", 400},
        {"{\"start\":\"\"}", 400},
        {"{\"start\":\"5x\"}", 400},
        {"{\"start\":1.5}", 400},
        {"{\"start\":\"99999999999999999999\"}", 400},
        {"{\"labelSelector\":5}", 400},
        {"{\"groupBy\":\"a\"}", 400},
        {"{\"groupBy\":[\"a\",5]}", 400},
        {"{\"step\":\"fast\"}", 400},
        {"{\"aggregation\":\"OTHER\"}", 501},
        {"{\"aggregation\":5000000000}", 400},
        {"{\"label_selector\":\"{}\",\"labelSelector\":\"{}\"}", 400},
        {"{\"group_by\":[\"a\"],\"groupBy\":[\"b\"]}", 400},
        {"{\"hostSelector\":[\"a\"]}", 501},
        {"{\"host_selector\":{}}", 501},
        {"{\"stackTraceSelector\":[]}", 400},
        {"{\"stackTraceSelector\":{\"callSite\":[{\"name\":\"f\"},{\"name\":1}]}}", 400},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        grafana_call call = {0};
        grafana_call_read(&call, "SelectSeries", slice(cases[i].text));
        assert_int_equal(call.status, cases[i].status);
        assert_null(call.work.in);
        grafana_call_fini(&call);
    }
}

// --- Flame graphs

// all 100: a 60 (own 10): b 50; c 30: b 30
static const char graph[] =
    "{\"names\":[\"all\",\"a\",\"b\",\"c\"],\"level\":[0,1,2,1,2],\"name\":[0,1,2,3,2],"
    "\"value\":[100,60,50,30,30],\"self\":[10,10,50,0,30],"
    "\"base_value\":[7,0,0,7,6],\"base_self\":[0,0,0,1,6]}";

static void
check_flame(const char *text, grafana_site site, bool has_base, const char *wanted)
{
    json_t *json = parse(text);
    json_t *found = grafana_flame_json(json, &site, has_base);
    json_t *levels = parse(wanted);
    size_t i;
    size_t k;
    json_t *level;
    json_t *value;
    assert_int_equal(json_array_size(json_object_get(found, "levels")), json_array_size(levels));
    json_array_foreach(json_object_get(found, "levels"), i, level)
    {
        json_t *values = json_object_get(level, "values");
        assert_int_equal(json_array_size(values), json_array_size(json_array_get(levels, i)));
        json_array_foreach(values, k, value)
        {
            assert_int_equal(strtoll(json_string_value(value), NULL, 10),
                json_integer_value(json_array_get(json_array_get(levels, i), k)));
        }
    }
    json_decref(levels);
    json_decref(found);
    json_decref(json);
}

static void
test_each_node_has_its_place(void **state)
{
    (void)state;
    // The own amount of a node is at its left.
    check_flame(graph, (grafana_site){0}, false,
        "[[0,100,10,0],[10,60,10,1,0,30,0,3],[20,50,50,2,0,30,30,2]]");
    check_flame(graph, (grafana_site){0}, true,
        "[[0,100,10,0,7,0,0],[10,60,10,0,0,0,1,0,30,0,0,7,1,3],"
        "[20,50,50,0,0,0,2,0,30,30,1,6,6,2]]");
}

static void
test_a_call_site_has_its_stack_traces(void **state)
{
    (void)state;
    const char *const a[] = {"a"};
    const char *const cb[] = {"c", "b"};
    const char *const b[] = {"b"};
    check_flame(graph, (grafana_site){a, 1}, false, "[[0,60,0,0],[0,60,10,1],[10,50,50,2]]");
    check_flame(graph, (grafana_site){cb, 2}, false, "[[0,30,0,0],[0,30,0,3],[0,30,30,2]]");
    check_flame(graph, (grafana_site){b, 1}, false, "[[0,0,0,0]]");
}

// --- Calls

static void
check_fault(const char *procedure, const char *body, unsigned status, const char *code)
{
    grafana_call call = {0};
    grafana_call_read(&call, procedure, slice(body));
    ask_query *query = grafana_call_next(&call);
    assert_null(query);
    assert_int_equal(call.status, status);
    assert_string_equal(grafana_call_get_type(&call), "application/json");
    lp_buf out = {0};
    grafana_call_write(&call, &out);
    json_t *json = json_loadb((const char *)out.ptr, out.len, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(json, "code")), code);
    assert_true(json_string_length(json_object_get(json, "message")) > 0);
    json_decref(json);
    lp_buf_fini(&out);
    grafana_call_fini(&call);
}

static void
test_each_fault_has_its_error(void **state)
{
    (void)state;
    static const struct {
        const char *procedure;
        const char *body;
        unsigned status;
        const char *code;
    } cases[] = {
        {"Nonsense", "{}", 501, "unimplemented"},
        {"SelectSeries", "{", 400, "invalid_argument"},
        {"SelectSeries", "\xff\xff\xff", 400, "invalid_argument"},
        {"SelectSeries", "{" TIME RANGE "}", 400, "invalid_argument"}, // no step
        {"SelectSeries", "{" TIME "\"step\":15,\"start\":5,\"end\":5}", 400, "invalid_argument"},
        {"SelectSeries", "{" TIME "\"step\":15,\"start\":-5,\"end\":5}", 400, "invalid_argument"},
        {"SelectSeries",
            "{" TIME "\"step\":1,\"start\":9223372036854775800,\"end\":9223372036854775807}", 400,
            "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME "\"start\":1,\"end\":9223372036854775807}", 400,
            "invalid_argument"},
        {"SelectSeries", "{" TIME RANGE ",\"step\":0.01}", 400, "invalid_argument"},
        {"SelectSeries", "{" TIME RANGE ",\"step\":15,\"groupBy\":[\"a\",\"b\"]}", 501,
            "unimplemented"},
        {"SelectHeatmap", "{" TIME RANGE ",\"step\":15,\"groupBy\":[\"thread\"]}", 501,
            "unimplemented"},
        {"SelectSeries", "{" TIME RANGE ",\"step\":15,\"aggregation\":1}", 501, "unimplemented"},
        {"SelectSeries", "{\"profileTypeID\":\"x\",\"step\":15," RANGE "}", 400,
            "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"format\":2}", 501, "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"format\":\"NEW\"}", 501, "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME "\"labelSelector\":\"{}\"}", 400, "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{a=\\\"b\"}", 400,
            "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"spanSelector\":[\"1\"]}", 400,
            "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"profileIdSelector\":[\"1\"]}", 400,
            "invalid_argument"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"traceIdSelector\":[\"1\",\"2\"]}", 501,
            "unimplemented"},
        {"Diff",
            "{\"left\":{" TIME RANGE "},\"right\":{" TIME RANGE
            ",\"stackTraceSelector\":{\"callSite\":[{\"name\":\"a\"}]}}}",
            501, "unimplemented"},
        {"SelectSeries", "{" TIME RANGE ",\"step\":15,\"exemplarType\":9}", 501, "unimplemented"},
        {"SelectSeries", "{" TIME RANGE ",\"step\":15,\"stackTraceSelector\":{\"goPgo\":{}}}", 501,
            "unimplemented"},
        {"SelectHeatmap", "{" TIME RANGE ",\"step\":15,\"exemplarType\":9}", 501, "unimplemented"},
        {"SelectHeatmap", "{" TIME RANGE ",\"step\":15,\"queryType\":9}", 501, "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"stackTraceSelector\":{\"goPgo\":{}}}", 501,
            "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{a=\\\"\\\"}\"}", 501,
            "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{a!=\\\"\\\"}\"}", 501,
            "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{a=~\\\".+\\\"}\"}", 501,
            "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{a=\\\" b\\\"}\"}", 501,
            "unimplemented"},
        {"SelectMergeStacktraces", "{" TIME RANGE ",\"labelSelector\":\"{version!=\\\"\\\"}\"}",
            400, "invalid_argument"},
        {"LabelValues", "{}", 400, "invalid_argument"},
        {"LabelNames", "{\"matchers\":[\"{}\",\"{}\"]}", 501, "unimplemented"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_fault(cases[i].procedure, cases[i].body, cases[i].status, cases[i].code);
    }
}

static void
test_a_failed_question_is_an_error(void **state)
{
    (void)state;
    static const struct {
        lp_err err;
        unsigned status;
    } cases[] = {{LP_ECORRUPT, 400}, {LP_ELIMIT, 400}, {LP_ENOENT, 404}, {LP_EAGAIN, 503},
        {LP_ECLOSED, 503}, {LP_EIO, 500}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        grafana_call call = {0};
        grafana_call_read(&call, "SelectMergeStacktraces", slice("{" TIME RANGE "}"));
        ask_query_destroy(grafana_call_next(&call));
        assert_int_equal(call.status, 0);
        grafana_call_fail(&call, cases[i].err, "why");
        assert_int_equal(call.status, cases[i].status);
        assert_null(grafana_call_next(&call));
        grafana_call_fini(&call);
    }
}

// take_query returns the only question of a call.
static ask_query *
take_query(const char *procedure, const char *body)
{
    grafana_call call = {0};
    grafana_call_read(&call, procedure, slice(body));
    ask_query *query = grafana_call_next(&call);
    assert_non_null(query);
    grafana_call_fini(&call);
    return query;
}

static void
check_where(const query_selection *selection, const char *key, query_op op, const char *value)
{
    assert_int_equal(selection->where_count, 1);
    const query_where *where = &selection->where[0];
    assert_int_equal(where->op, op);
    assert_true(where->key.len == strlen(key) && memcmp(where->key.ptr, key, where->key.len) == 0);
    assert_true(where->value.len == strlen(value) &&
                memcmp(where->value.ptr, value, where->value.len) == 0);
}

static void
test_labels_and_ids_are_conditions(void **state)
{
    (void)state;
    ask_query *query = take_query("SelectMergeStacktraces",
        "{" CPU RANGE
        ",\"labelSelector\":\"{service_name=\\\"shop\\\", version=\\\"\\\", pool=~\\\".+\\\"}\"}");
    assert_null(query->asked.selection.pool);
    assert_string_equal(query->asked.selection.service, "shop");
    assert_string_equal(query->asked.selection.version, "");
    assert_int_equal(query->asked.selection.unit, QUERY_UNIT_THREADS);
    ask_query_destroy(query);
    query = take_query("SelectMergeStacktraces",
        "{" CPU RANGE ",\"labelSelector\":\"{\\\"http.route\\\"!=\\\"/x\\\"}\"}");
    check_where(&query->asked.selection, "http.route", QUERY_OP_IS_NOT, "/x");
    assert_int_equal(query->asked.selection.unit, QUERY_UNIT_CONTEXTS);
    ask_query_destroy(query);
    query = take_query(
        "SelectMergeSpanProfile", "{" CPU RANGE ",\"spanSelector\":[\"FFFFFFFFFFFFFFFE\"]}");
    check_where(&query->asked.selection, "local_root_span_id", QUERY_OP_IS, "fffffffffffffffe");
    assert_int_equal(query->asked.selection.unit, QUERY_UNIT_CONTEXTS);
    ask_query_destroy(query);
    query = take_query("SelectMergeStacktraces",
        "{" CPU RANGE ",\"profileIdSelector\":[\"" ID "/00000000000000ff\"]}");
    assert_string_equal(query->asked.selection.recording, ID);
    assert_true(query->asked.selection.has_request && query->asked.selection.request == 0xff);
    ask_query_destroy(query);
    // Both sides of a difference have one unit, and its form does not depend on their formats.
    query = take_query("Diff", "{\"left\":{" CPU RANGE ",\"format\":2},\"right\":{" CPU RANGE
                               ",\"labelSelector\":\"{a=\\\"b\\\"}\"}}");
    check_where(&query->asked.base, "a", QUERY_OP_IS, "b");
    assert_int_equal(query->asked.selection.unit, QUERY_UNIT_CONTEXTS);
    assert_int_equal(query->asked.base.unit, QUERY_UNIT_CONTEXTS);
    ask_query_destroy(query);
}

static void
test_slots_have_the_same_buckets(void **state)
{
    (void)state;
    grafana_call call = {0};
    grafana_call_read(&call, "SelectHeatmap", slice("{" REQUESTS RANGE ",\"step\":60}"));
    ask_query_destroy(grafana_call_next(&call));
    grafana_call_add(&call, slice("{\"t0_ns\":\"1700000000000000000\",\"step_ns\":60000000000,"
                                  "\"columns\":[[[-1,2,0],[4,5000000000,0]],[],[[8,3,3]]],"
                                  "\"exemplars\":[[2,8,\"3f6c\",\"00000000000000ff\"]]}"));
    assert_null(grafana_call_next(&call));
    assert_int_equal(call.status, 200);
    const json_t *series = json_array_get(json_object_get(call.work.out, "series"), 0);
    const json_t *slots = json_object_get(series, "slots");
    assert_int_equal(json_array_size(slots), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *slot = json_array_get(slots, i);
        const json_t *least = json_object_get(slot, "yMin");
        assert_int_equal(json_array_size(least), 10);
        assert_int_equal(json_array_size(json_object_get(slot, "counts")), 10);
        assert_true(json_number_value(json_array_get(least, 0)) == 0);
        assert_true(json_number_value(json_array_get(least, 5)) == 2); // bucket 4 of scale 2
        assert_true(json_number_value(json_array_get(least, 9)) == 4);
    }
    json_t *counts = json_object_get(json_array_get(slots, 0), "counts");
    assert_int_equal(json_integer_value(json_array_get(counts, 0)), 2);
    assert_int_equal(json_integer_value(json_array_get(counts, 5)), INT32_MAX);
    const json_t *last = json_array_get(slots, 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(last, "counts"), 9)), 3);
    const json_t *exemplar = json_array_get(json_object_get(last, "exemplars"), 0);
    assert_string_equal(
        json_string_value(json_object_get(exemplar, "profileId")), "3f6c/00000000000000ff");
    assert_string_equal(json_string_value(json_object_get(exemplar, "value")), "4");
    assert_string_equal(json_string_value(json_object_get(exemplar, "timestamp")), "1700000120000");
    grafana_call_fini(&call);
}

// sum_points answers a call of SelectSeries, and returns the sum of its points, whose number it
// checks.
static double
sum_points(grafana_call *call, size_t wanted)
{
    lp_buf out = {0};
    double sum = 0;
    assert_int_equal(call->status, 200);
    grafana_call_write(call, &out);
    json_t *json = json_loadb((const char *)out.ptr, out.len, 0, NULL);
    const json_t *points =
        json_object_get(json_array_get(json_object_get(json, "series"), 0), "points");
    assert_int_equal(json_array_size(points), wanted);
    for (size_t i = 0; i < wanted; i++) {
        sum += json_number_value(json_object_get(json_array_get(points, i), "value"));
    }
    json_decref(json);
    lp_buf_fini(&out);
    return sum;
}

static void
test_points_add_up_to_the_answers(void **state)
{
    (void)state;
    grafana_call call = {0};
    size_t asked = 0;
    ask_query *query = NULL;
    // 101 steps, the last one shorter, in columns of 4.
    grafana_call_read(&call, "SelectSeries",
        slice("{" TIME "\"start\":1700000000000,\"end\":1700000100500,\"step\":1}"));
    int64_t begin_ns = 1700000000000000000;
    while ((query = grafana_call_next(&call)) != NULL) {
        assert_true(query->asked.selection.from_wall_ns == begin_ns);
        begin_ns = query->asked.selection.to_wall_ns;
        ask_query_destroy(query);
        grafana_call_add(&call, slice("{\"total\":1000}"));
        asked++;
    }
    assert_true(begin_ns == 1700000100500000000);
    assert_int_equal(asked, 26);
    assert_true(asked <= GRAFANA_COLUMNS_MAX);
    double sum = sum_points(&call, 101);
    assert_true(sum > 25999.99 && sum < 26000.01);
    grafana_call_fini(&call);
}

static void
test_requests_are_those_of_the_heat_map(void **state)
{
    (void)state;
    grafana_call call = {0};
    grafana_call_read(&call, "SelectSeries", slice("{" REQUESTS RANGE ",\"step\":60}"));
    ask_query_destroy(grafana_call_next(&call));
    grafana_call_add(&call, slice("{\"t0_ns\":\"1700000000000000000\",\"step_ns\":60000000000,"
                                  "\"columns\":[[[80,41,0],[81,120,0]],[],[[108,3,3]]]}"));
    assert_null(grafana_call_next(&call));
    assert_true(sum_points(&call, 3) == 164);
    grafana_call_fini(&call);
}

static const char group_values[] =
    "{\"types\":[{\"type\":\"a\",\"attributes\":[{\"key\":\"key\",\"values\":["
    "{\"value\":\"small\"},{\"value\":\" blank\"},{\"value\":\"none\"},"
    "{\"value\":\"large\"},{\"value\":\"large\"}]}]}]}";

// answer_groups answers the questions of a call of one column by the value that they select.
static size_t
answer_groups(grafana_call *call)
{
    size_t asked = 0;
    ask_query *query = NULL;
    ask_query_destroy(grafana_call_next(call));
    grafana_call_add(call, slice(group_values));
    while ((query = grafana_call_next(call)) != NULL) {
        const query_where *where = &query->asked.selection.where[0];
        assert_int_equal(query->asked.selection.where_count, 1);
        assert_int_equal(query->asked.selection.unit, QUERY_UNIT_CONTEXTS);
        char first = (char)where->value.ptr[0];
        ask_query_destroy(query);
        grafana_call_add(call, slice(first == 's'   ? "{\"total\":5}"
                                     : first == 'l' ? "{\"total\":70}"
                                                    : "{\"total\":0}"));
        asked++;
    }
    assert_int_equal(call->status, 200);
    return asked;
}

static void
test_a_group_has_a_series_the_largest_first(void **state)
{
    (void)state;
    static const char *const wanted[] = {"large", "small"};
    for (size_t limit = 0; limit <= 2; limit++) {
        char body[512];
        grafana_call call = {0};
        lp_buf out = {0};
        (void)snprintf(body, sizeof(body),
            "{" CPU "\"start\":1700000000000,\"end\":1700000015000,\"step\":15,"
            "\"labelSelector\":\"{service_name=\\\"shop\\\"}\",\"limit\":%zu,"
            "\"groupBy\":[\"service_name\",\"key\"]}",
            limit);
        grafana_call_read(&call, "SelectSeries", slice(body));
        assert_int_equal(answer_groups(&call), 3);
        grafana_call_write(&call, &out);
        json_t *json = json_loadb((const char *)out.ptr, out.len, 0, NULL);
        const json_t *series = json_object_get(json, "series");
        assert_int_equal(json_array_size(series), limit == 1 ? 1 : 2);
        for (size_t i = 0; i < json_array_size(series); i++) {
            const json_t *labels = json_object_get(json_array_get(series, i), "labels");
            assert_string_equal(
                json_string_value(json_object_get(json_array_get(labels, 0), "value")), "shop");
            assert_string_equal(
                json_string_value(json_object_get(json_array_get(labels, 1), "value")), wanted[i]);
        }
        json_decref(json);
        lp_buf_fini(&out);
        grafana_call_fini(&call);
    }
}

// begin_groups begins a call for series of a count of services, and answers the first question.
static void
begin_groups(grafana_call *call, const char *procedure, const char *range, int count)
{
    char body[512];
    json_t *values = json_array();
    for (int i = 0; i < count; i++) {
        (void)json_array_append_new(values, json_pack("{s:o}", "service", json_sprintf("s%d", i)));
    }
    json_t *answer = json_pack("{s:o}", "services", values);
    char *text = json_dumps(answer, 0);
    (void)snprintf(body, sizeof(body), "{" TIME "%s,\"groupBy\":[\"service_name\"]}", range);
    grafana_call_read(call, procedure, slice(body));
    ask_query_destroy(grafana_call_next(call));
    grafana_call_add(call, slice(text));
    free(text);
    json_decref(answer);
}

static void
test_too_many_groups_are_refused(void **state)
{
    (void)state;
    grafana_call call = {0};
    begin_groups(&call, "SelectSeries", RANGE ",\"step\":15", GRAFANA_GROUPS_MAX + 1);
    assert_int_equal(call.status, 400);
    grafana_call_fini(&call);
}

static void
test_too_many_points_of_all_groups_are_refused(void **state)
{
    (void)state;
    static const int counts[] = {12, 13}; // with 10000 points each
    for (int i = 0; i < 2; i++) {
        grafana_call call = {0};
        begin_groups(&call, "SelectSeries",
            "\"start\":1700000000000,\"end\":1700010000000,\"step\":1", counts[i]);
        ask_query *query = grafana_call_next(&call);
        assert_int_equal(query != NULL, i == 0);
        assert_int_equal(call.status, i == 0 ? 0 : 400); // 0: not yet
        ask_query_destroy(query);
        grafana_call_fini(&call);
    }
}

static void
test_too_many_cells_of_all_groups_are_refused(void **state)
{
    (void)state;
    enum { COLUMNS = 50, BUCKETS = 200, SERIES = GRAFANA_CELLS_MAX / (COLUMNS * BUCKETS) };
    grafana_call call = {0};
    ask_query *query = NULL;
    int answered = 0;
    json_t *columns = json_array();
    for (int i = 0; i < COLUMNS; i++) {
        (void)json_array_append_new(
            columns, json_pack("[[i,i,i],[i,i,i]]", 0, 1, 1, BUCKETS - 1, 1, 1));
    }
    json_t *answer = json_pack(
        "{s:s, s:i, s:o}", "t0_ns", "1700000000000000000", "step_ns", 60000, "columns", columns);
    char *text = json_dumps(answer, 0);
    begin_groups(&call, "SelectHeatmap", RANGE ",\"step\":12", SERIES + 1);
    for (; (query = grafana_call_next(&call)) != NULL; answered++) {
        ask_query_destroy(query);
        grafana_call_add(&call, slice(text));
    }
    assert_int_equal(answered, SERIES + 1);
    assert_int_equal(call.status, 400);
    grafana_call_fini(&call);
    free(text);
    json_decref(answer);
}

static void
test_values_with_zeros_are_not_listed(void **state)
{
    (void)state;
    grafana_call call = {0};
    lp_buf out = {0};
    grafana_call_read(&call, "LabelValues", slice("{\"name\":\"key\"}"));
    ask_query_destroy(grafana_call_next(&call));
    grafana_call_add(
        &call, slice("{\"types\":[{\"type\":\"a\",\"attributes\":[{\"key\":\"key\",\"values\":["
                     "{\"value\":\"x\\u0000y\"},{\"value\":\"z\"}]}]}]}"));
    assert_null(grafana_call_next(&call));
    assert_int_equal(call.status, 200);
    grafana_call_write(&call, &out);
    json_t *json = json_loadb((const char *)out.ptr, out.len, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "names")), 1);
    json_decref(json);
    lp_buf_fini(&out);
    grafana_call_fini(&call);
}

static void
test_an_answer_has_the_form_of_its_call(void **state)
{
    (void)state;
    grafana_call call = {0};
    lp_buf out = {0};
    grafana_call_read(&call, "ProfileTypes", (lp_slice){0}); // an empty message
    assert_null(grafana_call_next(&call));
    assert_int_equal(call.status, 200);
    assert_string_equal(grafana_call_get_type(&call), "application/proto");
    grafana_call_write(&call, &out);
    Querier__V1__ProfileTypesResponse *found =
        querier__v1__profile_types_response__unpack(NULL, out.len, out.ptr);
    assert_non_null(found);
    assert_string_equal(found->profile_types[0]->id, "process_cpu:cpu:nanoseconds:cpu:nanoseconds");
    assert_string_equal(found->profile_types[0]->period_unit, "nanoseconds");
    assert_true(call.work.in == NULL && call.work.out == NULL); // while the answer is sent
    querier__v1__profile_types_response__free_unpacked(found, NULL);
    lp_buf_fini(&out);
    grafana_call_fini(&call);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selectors_are_read),
        cmocka_unit_test(test_wrong_selectors_are_refused),
        cmocka_unit_test(test_a_message_is_that_of_its_json),
        cmocka_unit_test(test_members_have_names_of_fields),
        cmocka_unit_test(test_members_of_wrong_types_are_refused),
        cmocka_unit_test(test_each_node_has_its_place),
        cmocka_unit_test(test_a_call_site_has_its_stack_traces),
        cmocka_unit_test(test_each_fault_has_its_error),
        cmocka_unit_test(test_a_failed_question_is_an_error),
        cmocka_unit_test(test_labels_and_ids_are_conditions),
        cmocka_unit_test(test_slots_have_the_same_buckets),
        cmocka_unit_test(test_points_add_up_to_the_answers),
        cmocka_unit_test(test_requests_are_those_of_the_heat_map),
        cmocka_unit_test(test_a_group_has_a_series_the_largest_first),
        cmocka_unit_test(test_too_many_groups_are_refused),
        cmocka_unit_test(test_too_many_points_of_all_groups_are_refused),
        cmocka_unit_test(test_too_many_cells_of_all_groups_are_refused),
        cmocka_unit_test(test_values_with_zeros_are_not_listed),
        cmocka_unit_test(test_an_answer_has_the_form_of_its_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
