// SPDX-License-Identifier: Apache-2.0
// The selection: each parameter is read in HTTP's spelling and as an option. Problems name unknown,
// malformed and contradictory parameters, with the allowed values. Each condition meets the
// contexts that it should.

#include "query/select/comparison.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// set sets a valid parameter.
static void
set(query_selection *selection, const char *name, const char *value)
{
    lp_problem problem = {.text = ""};
    lp_err err = query_selection_set(selection, name, value, &problem);
    assert_string_equal(problem.text, "");
    assert_int_equal(err, LP_OK);
}

static void
test_parameters_are_read(void **state)
{
    (void)state;
    lp_problem problem;
    query_selection s = query_selection_begin(false);
    set(&s, "service", "checkout");
    set(&s, "instance", "web-7");
    set(&s, "recording", "abc");
    set(&s, "from", "2026-01-31T14:03:00Z");
    set(&s, "to", "1769868240000000000");
    set(&s, "context", "shop.Request");
    set(&s, "min_duration_ns", "100000000");
    set(&s, "max_duration_ns", "2000000000");
    set(&s, "id", "1f-0000abcd");
    set(&s, "trace", "4bf9");
    set(&s, "thread", "main");
    set(&s, "where", "endpoint=/checkout");
    set(&s, "where", " size >= 10 ");
    assert_int_equal(query_selection_check(&s, &problem), LP_OK);
    assert_string_equal(s.service, "checkout");
    assert_string_equal(s.instance, "web-7");
    assert_string_equal(s.recording, "abc");
    assert_int_equal(s.from_wall_ns, 1769868180000000000);
    assert_int_equal(s.to_wall_ns, 1769868240000000000);
    assert_string_equal(s.context, "shop.Request");
    assert_int_equal(s.min_duration_ns, 100000000);
    assert_int_equal(s.max_duration_ns, 2000000000);
    assert_true(s.has_id);
    assert_int_equal(s.id.begin, 0x1f);
    assert_int_equal(s.id.hash, 0xabcd);
    assert_string_equal(s.trace, "4bf9");
    assert_string_equal(s.thread, "main");
    assert_int_equal(s.where_count, 2);
    assert_int_equal(s.where[0].op, QUERY_OP_IS);
    assert_memory_equal(s.where[0].key.ptr, "endpoint", 8);
    assert_int_equal(s.where[0].key.len, 8);
    assert_memory_equal(s.where[0].value.ptr, "/checkout", 9);
    assert_int_equal(s.where[1].op, QUERY_OP_AT_LEAST);
    assert_int_equal(s.where[1].key.len, 4);
    assert_true(s.where[1].number == 10);
}

static void
test_a_service_may_have_no_name(void **state)
{
    (void)state;
    query_selection s = query_selection_begin(false);
    assert_null(s.service);
    set(&s, "service", "");
    assert_string_equal(s.service, "");
}

static void
test_what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        bool is_option;
        const char *name;
        const char *value;
        lp_err err;
        const char *problem;
    } cases[] = {
        {false, "context_", "x", LP_ENOENT,
            "context_: not one of service, instance, version, recording, from, to, context, "
            "where, min_duration_ns, max_duration_ns, trace, thread, pool, id, request"},
        {false, "context", "", LP_ECORRUPT, "context: a text is needed"},
        {true, "min_duration", "100", LP_ECORRUPT,
            "--min-duration '100': not a timespan such as 20 ms"},
        {false, "min_duration_ns", "100 ms", LP_ECORRUPT,
            "min_duration_ns '100 ms': not a whole number of nanoseconds"},
        {false, "max_duration_ns", "", LP_ECORRUPT,
            "max_duration_ns '': not a whole number of nanoseconds"},
        {false, "min_duration_ns", "-1", LP_ECORRUPT,
            "min_duration_ns '-1': not a whole number of nanoseconds"},
        {false, "max_duration_ns", "9223372036854775808", LP_ECORRUPT,
            "max_duration_ns '9223372036854775808': not a whole number of nanoseconds"},
        {false, "id", "17", LP_ECORRUPT, "id '17': not the id of a context"},
        {true, "id", "1f-0000abcd", LP_ENOENT,
            "id: not one of --service, --instance, --service-version, --recording, --from, --to, "
            "--context, --where, --min-duration, --max-duration, --trace, --thread, --pool, "
            "--request"},
        {true, "min_duration", "-1 s", LP_ECORRUPT,
            "--min-duration '-1 s': not a timespan such as 20 ms"},
        {true, "from", "yesterday", LP_ECORRUPT,
            "--from 'yesterday': not a time such as 2026-01-31T14:03:00Z, nanoseconds since 1970, "
            "or "
            "a timespan back from now such as 10m"},
        {true, "where", "endpoint", LP_ECORRUPT,
            "--where 'endpoint': not KEY OP VALUE, with one of = != ^= >= <= as OP"},
        {true, "where", "=x", LP_ECORRUPT,
            "--where '=x': not KEY OP VALUE, with one of = != ^= >= <= as OP"},
        {false, "where", "size>=large", LP_ECORRUPT,
            "where 'size>=large': >= and <= compare with a number"},
        {false, "where", "size<=0x10", LP_ECORRUPT,
            "where 'size<=0x10': >= and <= compare with a number"},
        {false, "where", "a condition without any operator, which goes on and on", LP_ECORRUPT,
            "where 'a condition without any operator, which ...': not KEY OP VALUE, with one of "
            "= != ^= >= <= as OP"},
        {false, "a_parameter_of_a_name_that_goes_on_and_on_and_on", "x", LP_ENOENT,
            "a_parameter_of_a_name_that_goes_on_and_o...: not one of service, instance, version, "
            "recording, from, to, context, where, min_duration_ns, max_duration_ns, trace, thread, "
            "pool, id, "
            "request"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_problem problem;
        query_selection s = query_selection_begin(cases[i].is_option);
        assert_int_equal(
            query_selection_set(&s, cases[i].name, cases[i].value, &problem), cases[i].err);
        assert_string_equal(problem.text, cases[i].problem);
    }
}

static void
test_a_parameter_is_given_once(void **state)
{
    (void)state;
    lp_problem problem;
    query_selection s = query_selection_begin(false);
    set(&s, "context", "a");
    assert_int_equal(query_selection_set(&s, "context", "a", &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "context: given twice");
    for (int i = 0; i < QUERY_WHERE_MAX; i++) {
        set(&s, "where", "a!=b");
    }
    assert_int_equal(query_selection_set(&s, "where", "a!=b", &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "where: more than 16 conditions");
}

static void
test_contradictions_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *one;
        const char *other_name;
        const char *other;
        const char *problem; // NULL: it is fine
    } cases[] = {
        {"from", "2026-01-02T00:00:00Z", "to", "2026-01-01T00:00:00Z", "from: not before to"},
        {"from", "2026-01-01T00:00:00Z", "to", "2026-01-01T00:00:00Z", "from: not before to"},
        {"min_duration_ns", "2", "max_duration_ns", "1",
            "min_duration_ns: longer than max_duration_ns"},
        {"min_duration_ns", "1", "max_duration_ns", "1", NULL},
        {"where", "a=b", "where", "a=c", "where: two conditions on a that no value satisfies"},
        {"where", "a!=b", "where", "a=b", "where: two conditions on a that no value satisfies"},
        {"where", "a<=1", "where", "a>=2", "where: two conditions on a that no value satisfies"},
        {"where", "a=b", "where", "b=c", NULL},
        {"where", "a=b", "where", "a=b", NULL},
        {"where", "a=b", "where", "a!=c", NULL},
        {"where", "a>=1", "where", "a<=1", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_problem problem = {.text = ""};
        query_selection s = query_selection_begin(false);
        set(&s, cases[i].name, cases[i].one);
        set(&s, cases[i].other_name, cases[i].other);
        bool is_fine = query_selection_check(&s, &problem) == LP_OK;
        assert_int_equal(is_fine, cases[i].problem == NULL);
        assert_string_equal(problem.text, is_fine ? "" : cases[i].problem);
    }
}

static query_attribute
attribute(const char *name, const char *label, const char *value)
{
    return (query_attribute){
        .name = name,
        .label = label,
        .is_null = value == NULL,
        .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)},
    };
}

static void
test_conditions_hold_where_they_should(void **state)
{
    (void)state;
    const query_attribute attributes[] = {
        attribute("endpoint", "", "/checkout"),
        attribute("size", "", "12"),
        attribute("ratio", "", "-1.5E-3"),
        attribute("http_route", "http.route", "/x"),
        attribute("user", "", NULL),
    };
    static const struct {
        const char *where;
        bool holds;
    } cases[] = {
        {"endpoint=/checkout", true},
        {"endpoint=/check", false},
        {"endpoint^=/check", true},
        {"endpoint^=", true},
        {"endpoint^=/checkouts", false},
        {"endpoint!=/checkout", false},
        {"endpoint!=/", true},
        {"size>=12", true},
        {"size>=12.5", false},
        {"size<=12", true},
        {"size<=-1", false},
        {"ratio<=-0.001", true},
        {"endpoint>=0", false},
        {"http.route=/x", true},
        {"http_route=/x", true},
        {"user=", false},
        {"user!=anna", true},
        {"user^=", false},
        {"nobody=1", false},
        {"nobody!=1", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_selection s = query_selection_begin(false);
        set(&s, "where", cases[i].where);
        assert_true(query_selection_needs_attributes(&s));
        assert_int_equal(query_selection_has_attributes(&s, attributes, 5), cases[i].holds);
    }
}

static void
test_a_trace_is_found_by_any_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *value;
        bool is_found;
    } cases[] = {
        {"trace_id", "4bf9", true},
        {"traceId", "4BF9", true},
        {"traceid", "4bf9", true},
        {"trace.id", "4bf9", true},
        {"traceid", "4bf", false},
        {"traceids", "4bf9", false},
        {"trace", "4bf9", false},
        {"spanid", "4bf9", false},
        {"traceid", NULL, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_selection s = query_selection_begin(false);
        const query_attribute one = attribute(cases[i].name, "", cases[i].value);
        set(&s, "trace", "4bf9");
        assert_int_equal(query_selection_has_attributes(&s, &one, 1), cases[i].is_found);
    }
}

static void
test_types_threads_and_times(void **state)
{
    (void)state;
    query_selection all = query_selection_begin(false);
    assert_false(query_selection_needs_attributes(&all));
    assert_true(query_selection_has_type(&all, "shop.Request"));
    assert_true(query_selection_has_thread(&all, "", 0));
    assert_true(query_selection_has_times(&all, INT64_MIN, 0));
    query_selection s = query_selection_begin(false);
    set(&s, "context", "Request");
    set(&s, "thread", "17");
    set(&s, "from", "1700000000000000000");
    set(&s, "to", "1700000000000000100");
    set(&s, "min_duration_ns", "10");
    set(&s, "max_duration_ns", "20");
    assert_true(query_selection_has_type(&s, "shop.Request"));
    assert_true(query_selection_has_type(&s, "Request"));
    assert_false(query_selection_has_type(&s, "shop.MyRequest"));
    query_selection named = query_selection_begin(false);
    set(&named, "context", "tracer-context"); // as a program says it
    assert_true(query_selection_has_type(&named, "tracer_context"));
    assert_true(query_selection_has_type(&named, "shop.tracer_context"));
    assert_false(query_selection_has_type(&named, "tracercontext"));
    assert_true(query_selection_has_thread(&s, "worker", 17));
    assert_true(query_selection_has_thread(&s, "17", 3));
    assert_false(query_selection_has_thread(&s, "worker", 3));
    assert_true(query_selection_has_times(&s, 1700000000000000000, 10));
    assert_true(query_selection_has_times(&s, 1700000000000000099, 20));
    assert_false(query_selection_has_times(&s, 1700000000000000100, 10));
    assert_false(query_selection_has_times(&s, 1699999999999999999, 10));
    assert_false(query_selection_has_times(&s, 1700000000000000000, 9));
    assert_false(query_selection_has_times(&s, 1700000000000000000, 21));
}

static void
test_a_star_stands_for_any_part_of_a_threads_name(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *name;
        bool has;
    } cases[] = {
        {"http-nio-*", "http-nio-8080-exec-1", true}, {"http-nio-*", "http-nio-", true},
        {"http-nio-*", "xhttp-nio-8080-exec-1", false}, {"*-exec-*", "http-nio-8080-exec-1", true},
        {"*-exec-1", "http-nio-8080-exec-12", false}, {"*", "", true},
        {"exec[1-2]", "exec1", false}, {"1*", "worker", false}, // ids are numbers, not patterns
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_selection s = query_selection_begin(false);
        set(&s, "thread", cases[i].pattern);
        assert_int_equal(query_selection_has_thread(&s, cases[i].name, 17), cases[i].has);
    }
}

// A pattern of the pool would have other pools' threads as well.
static void
test_a_pool_is_compared_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        const char *pool;
        const char *name;
        bool has;
    } cases[] = {
        {"http-*", "http-1", true},
        {"http-*", "http-12", true},
        {"http-*", "http-poller", false},
        {"http-*", "http-poller-1", false},
        {"http-*", "", false},
        {"main", "main", true},
        {"main", "main-1", false},
        {"", "", true},
        {"", "main", false},
    };
    query_selection all = query_selection_begin(false);
    assert_false(query_selection_needs_thread(&all));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_selection s = query_selection_begin(false);
        set(&s, "pool", cases[i].pool);
        assert_true(query_selection_needs_thread(&s));
        assert_int_equal(query_selection_has_thread(&s, cases[i].name, 17), cases[i].has);
        set(&s, "thread", "17"); // both have to hold
        assert_int_equal(query_selection_has_thread(&s, cases[i].name, 17), cases[i].has);
        assert_false(query_selection_has_thread(&s, cases[i].name, 18));
    }
}

static void
test_a_timespan_counts_back_from_now(void **state)
{
    (void)state;
    lp_problem problem;
    query_selection s = query_selection_begin(true);
    s.now_wall_ns = 1700000000000000000;
    set(&s, "from", "10m");
    set(&s, "to", "1500 ms");
    assert_int_equal(s.from_wall_ns, 1699999400000000000);
    assert_int_equal(s.to_wall_ns, 1699999998500000000);
    static const char *const refused[] = {"10", "-10m", "20000d", "infinity", "m", ""};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        s = query_selection_begin(true);
        s.now_wall_ns = 1700000000000000000;
        assert_int_equal(query_selection_set(&s, "from", refused[i], &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, "a timespan back from now such as 10m"));
    }
    query_comparison c = query_comparison_begin(false);
    assert_int_equal(c.base.now_wall_ns, c.selection.now_wall_ns);
}

// --- Comparisons

// expect_comparison sets parameters, of which the last one has no name, and expects a problem, or
// none where it is "".
static query_comparison
expect_comparison(const char *const *parameters, const char *wanted)
{
    lp_problem problem = {.text = ""};
    query_comparison c = query_comparison_begin(false);
    lp_err err = LP_OK;
    for (size_t i = 0; parameters[i] != NULL && err == LP_OK; i += 2) {
        err = query_comparison_set(&c, parameters[i], parameters[i + 1], &problem);
    }
    err = err == LP_OK ? query_comparison_finish(&c, &problem) : err;
    assert_string_equal(problem.text, wanted);
    assert_int_equal(err == LP_OK, wanted[0] == '\0');
    return c;
}

#define PARAMETERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
test_a_base_has_its_own_parameters(void **state)
{
    (void)state;
    query_comparison c =
        expect_comparison(PARAMETERS("context", "A", "base_context", "B", "base_where", "a=1"), "");
    assert_true(c.has_base);
    assert_false(c.base.is_rest);
    assert_string_equal(c.selection.context, "A");
    assert_string_equal(c.base.context, "B");
    assert_int_equal(c.selection.where_count, 0);
    assert_int_equal(c.base.where_count, 1);
    assert_false(expect_comparison(PARAMETERS("context", "A"), "").has_base);
}

static void
test_the_rest_is_without_conditions(void **state)
{
    (void)state;
    query_comparison c =
        expect_comparison(PARAMETERS("service", "s", "instance", "i", "recording", "r", "context",
                              "A", "from", "1700000000000000005", "to", "1700000000000000007",
                              "where", "a=1", "min_duration_ns", "3", "max_duration_ns", "9",
                              "thread", "t", "trace", "x", "id", "1f-0000abcd", "base", "rest"),
            "");
    assert_true(c.has_base && c.base.is_rest);
    assert_string_equal(c.base.service, "s");
    assert_string_equal(c.base.instance, "i");
    assert_string_equal(c.base.recording, "r");
    assert_string_equal(c.base.context, "A");
    assert_int_equal(c.base.from_wall_ns, 1700000000000000005);
    assert_int_equal(c.base.to_wall_ns, 1700000000000000007);
    assert_int_equal(c.base.where_count, 0);
    assert_int_equal(c.base.min_duration_ns, 0);
    assert_int_equal(c.base.max_duration_ns, INT64_MAX);
    assert_null(c.base.thread);
    assert_null(c.base.trace);
    assert_false(c.base.has_id);
}

static void
test_bases_that_make_no_sense_are_named(void **state)
{
    (void)state;
    expect_comparison(PARAMETERS("base", "all"), "base 'all': not rest");
    expect_comparison(PARAMETERS("base", "rest", "base", "rest"), "base: given twice");
    expect_comparison(
        PARAMETERS("base_where", "a=1", "base", "rest"), "base: rest has no base_where");
    expect_comparison(
        PARAMETERS("base_from", "1700000000000000007", "base_to", "1700000000000000005"),
        "base_from: not before base_to");
    expect_comparison(PARAMETERS("base_from", "x"),
        "base_from 'x': not a time such as 2026-01-31T14:03:00Z, nanoseconds since 1970, or a "
        "timespan back from now such as 10m");
    expect_comparison(
        PARAMETERS("base_context", "A", "base_context", "B"), "base_context: given twice");
    expect_comparison(PARAMETERS("base_base", "x"),
        "base_base: not one of base_service, base_instance, base_version, base_recording, "
        "base_from, base_to, "
        "base_context, base_where, base_min_duration_ns, base_max_duration_ns, base_trace, "
        "base_thread, base_pool, base_id, base_request");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_are_read),
        cmocka_unit_test(test_a_service_may_have_no_name),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_a_parameter_is_given_once),
        cmocka_unit_test(test_contradictions_are_named),
        cmocka_unit_test(test_conditions_hold_where_they_should),
        cmocka_unit_test(test_a_trace_is_found_by_any_spelling),
        cmocka_unit_test(test_types_threads_and_times),
        cmocka_unit_test(test_a_star_stands_for_any_part_of_a_threads_name),
        cmocka_unit_test(test_a_pool_is_compared_as_a_whole),
        cmocka_unit_test(test_a_timespan_counts_back_from_now),
        cmocka_unit_test(test_a_base_has_its_own_parameters),
        cmocka_unit_test(test_the_rest_is_without_conditions),
        cmocka_unit_test(test_bases_that_make_no_sense_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
