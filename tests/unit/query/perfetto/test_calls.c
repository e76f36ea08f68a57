// SPDX-License-Identifier: Apache-2.0
// The caller of each request of a trace in another JVM. The expected ones are written by hand.
//
// Cost: nothing.

#include "query/perfetto/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES = 4096 };

// on_call appends "caller>called " by their tracks, as letters.
static lp_err
on_call(void *arg, const query_call *caller, const query_call *called)
{
    char *text = arg;
    size_t len = strlen(text);
    (void)snprintf(
        text + len, TEXT_BYTES - len, "%c>%c ", (char)caller->track, (char)called->track);
    return LP_OK;
}

static void
assert_calls(query_call *calls, size_t count, const char *expected)
{
    char text[TEXT_BYTES] = "";
    assert_int_equal(query_calls_find(calls, count, on_call, text), LP_OK);
    assert_string_equal(text, expected);
}

static void
test_the_caller_is_the_innermost_request_of_another_jvm(void **state)
{
    (void)state;
    query_call calls[] = {
        {.trace = 1, .begin_wall_ns = 60, .end_wall_ns = 70, .track = 'd', .jvm = 2},
        {.trace = 1, .begin_wall_ns = 12, .end_wall_ns = 20, .track = 'c', .jvm = 3},
        {.trace = 1, .begin_wall_ns = 10, .end_wall_ns = 40, .track = 'b', .jvm = 2},
        {.trace = 1, .begin_wall_ns = 0, .end_wall_ns = 100, .track = 'a', .jvm = 1},
        {.trace = 1, .begin_wall_ns = 13, .end_wall_ns = 15, .track = 'e', .jvm = 1}, // back in a's
        {.trace = 2, .begin_wall_ns = 1, .end_wall_ns = 2, .track = 'x', .jvm = 2}, // another trace
    };
    assert_calls(calls, 6, "a>b b>c c>e a>d ");
}

static void
test_clocks_that_differ_leave_the_one_before(void **state)
{
    (void)state;
    query_call calls[] = {
        {.trace = 1, .begin_wall_ns = 0, .end_wall_ns = 10, .track = 'a', .jvm = 1},
        {.trace = 1, .begin_wall_ns = 5, .end_wall_ns = 12, .track = 'b', .jvm = 2}, // ends later
        {.trace = 1, .begin_wall_ns = 50, .end_wall_ns = 60, .track = 'c', .jvm = 2},
        {.trace = 2, .begin_wall_ns = 0, .end_wall_ns = 10, .track = 'd', .jvm = 1},
        {.trace = 2, .begin_wall_ns = 1, .end_wall_ns = 2, .track = 'e', .jvm = 1}, // one JVM
    };
    assert_calls(calls, 5, "a>b a>c ");
}

static void
test_those_that_are_not_drawn_neither_call_nor_are_called(void **state)
{
    (void)state;
    query_call calls[] = {
        {.trace = 1, .begin_wall_ns = 0, .end_wall_ns = 100, .track = 'a', .jvm = 1},
        {.trace = 1, .begin_wall_ns = 1, .end_wall_ns = 90, .track = 0, .jvm = 2},
        {.trace = 1, .begin_wall_ns = 2, .end_wall_ns = 80, .track = 'c', .jvm = 3},
    };
    assert_calls(calls, 3, "a>c ");
    assert_calls(NULL, 0, "");
}

static void
test_the_search_goes_back_to_the_limit(void **state)
{
    (void)state;
    query_call calls[QUERY_CALLS_BACK_MAX + 1];
    for (int i = 0; i <= QUERY_CALLS_BACK_MAX; i++) {
        calls[i] = (query_call){
            .trace = 1, .begin_wall_ns = i, .end_wall_ns = 1000 - i, .track = 'b', .jvm = 2};
    }
    calls[0].track = 'a';
    calls[0].jvm = 1;
    char text[TEXT_BYTES] = "";
    assert_int_equal(query_calls_find(calls, QUERY_CALLS_BACK_MAX + 1, on_call, text), LP_OK);
    assert_int_equal(strlen(text), 4 * QUERY_CALLS_BACK_MAX); // each finds the first one
    query_call more[QUERY_CALLS_BACK_MAX + 2];
    memcpy(more, calls, sizeof(calls));
    more[QUERY_CALLS_BACK_MAX] = more[QUERY_CALLS_BACK_MAX - 1];
    more[QUERY_CALLS_BACK_MAX + 1] = more[QUERY_CALLS_BACK_MAX - 1];
    text[0] = '\0';
    assert_int_equal(query_calls_find(more, QUERY_CALLS_BACK_MAX + 2, on_call, text), LP_OK);
    assert_int_equal(strlen(text), 4 * QUERY_CALLS_BACK_MAX); // all but the last
}

static lp_err
refuse(void *arg, const query_call *caller, const query_call *called)
{
    (void)caller;
    (void)called;
    ++*(int *)arg;
    return LP_ENOMEM;
}

static void
test_an_error_ends_the_search(void **state)
{
    (void)state;
    query_call calls[] = {
        {.trace = 1, .begin_wall_ns = 0, .end_wall_ns = 10, .track = 1, .jvm = 1},
        {.trace = 1, .begin_wall_ns = 1, .end_wall_ns = 9, .track = 2, .jvm = 2},
        {.trace = 1, .begin_wall_ns = 2, .end_wall_ns = 8, .track = 3, .jvm = 3},
    };
    int count = 0;
    assert_int_equal(query_calls_find(calls, 3, refuse, &count), LP_ENOMEM);
    assert_int_equal(count, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_caller_is_the_innermost_request_of_another_jvm),
        cmocka_unit_test(test_clocks_that_differ_leave_the_one_before),
        cmocka_unit_test(test_those_that_are_not_drawn_neither_call_nor_are_called),
        cmocka_unit_test(test_the_search_goes_back_to_the_limit),
        cmocka_unit_test(test_an_error_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
