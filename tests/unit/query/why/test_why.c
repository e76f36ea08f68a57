// SPDX-License-Identifier: Apache-2.0
// The sums of answers, which are made by hand: rows by category, with the frames that took most
// time. Samples take at most the unexplained time. All rows add up to the time of the contexts.
// Counted events have rows without time. Repeated frames of a context are listed. With a filter,
// the rows have the events with a matching frame, and one more row has the rest.

#include "query/why/why.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t PERIOD_NS = 20;

// One row and what counts for it.
typedef struct made {
    time_category category;
    const char *type;
    const char *frame;
    int64_t own_ns;
    bool is_left; // of samples
    bool has_duration;
    const char *via;     // NULL: none
    const char *counted; // NULL: it is not
} made;

enum { MADE_MAX = 16 };

// add adds a context with these rows, and one pause of the JVM if pause_ns is above 0.
static void
add(query_why *why, query_names *names, const made *rows, size_t count, int64_t pause_ns,
    int64_t left_ns, bool is_inner)
{
    const query_context context = {.parent = is_inner ? 3 : (uint32_t)QUERY_NO_CONTEXT};
    query_row all[MADE_MAX];
    time_span spans[MADE_MAX];
    int64_t duration_ns = left_ns + pause_ns;
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (query_row){.type = query_names_add(names, rows[i].type),
            .frame = query_names_add(names, rows[i].frame),
            .period_ns = rows[i].category == TIME_CPU ? PERIOD_NS : 0,
            .via = query_names_add(names, rows[i].via == NULL ? "" : rows[i].via),
            .counted = query_names_add(names, rows[i].counted == NULL ? "" : rows[i].counted),
            .category = (uint8_t)rows[i].category,
            .has_duration = rows[i].has_duration};
        spans[i] = (time_span){.event = i, .own_ns = rows[i].own_ns, .is_left = rows[i].is_left};
        duration_ns += rows[i].own_ns;
    }
    const query_row pause = {.category = TIME_GC};
    const time_span pause_span = {.own_ns = pause_ns};
    const query_answer answer = {.context = &context,
        .duration_ns = duration_ns,
        .rows = all,
        .row_count = count,
        .spans = spans,
        .pause_rows = &pause,
        .pauses = &pause_span,
        .pause_count = pause_ns > 0,
        .left_ns = left_ns};
    assert_int_equal(query_why_add(why, &answer), LP_OK);
}

static void
expect_slice(const query_why *why, size_t at, time_category category, int64_t total_ns,
    uint64_t events, size_t top_count)
{
    assert_true(at < why->slices.count);
    assert_int_equal(why->slices.items[at].category, category);
    assert_int_equal(why->slices.items[at].total_ns, total_ns);
    assert_int_equal(why->slices.items[at].events, events);
    assert_int_equal(why->slices.items[at].top_count, top_count);
}

static void
expect_frame(const query_why *why, const query_names *names, size_t slice, size_t at,
    const char *name, int64_t total_ns, uint64_t events)
{
    const query_why_frame *frame = &why->slices.items[slice].top[at];
    assert_string_equal(query_names_text(names, frame->frame), name);
    assert_int_equal(frame->total_ns, total_ns);
    assert_int_equal(frame->events, events);
}

static void
test_rows_make_up_the_time_of_the_contexts(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    const made one[] = {
        {TIME_LOCK, "jdk.JavaMonitorEnter", "shop.A.a", 50, false, true, NULL, NULL},
        {TIME_CPU, "jdk.ExecutionSample", "shop.B.b", 0, true, false, NULL, NULL},
        {TIME_CPU, "jdk.ExecutionSample", "shop.B.c", 0, false, false, NULL, NULL}, // in the lock
        {TIME_OTHER, "shop.Order", "shop.A.a", 7, false, true, NULL, NULL},
        {TIME_OTHER, "shop.Instant", "shop.A.a", 0, false, false, NULL,
            NULL}, // takes no time: no row
    };
    const made other[] = {
        {TIME_LOCK, "jdk.JavaMonitorEnter", "shop.A.z", 60, false, true, NULL, NULL},
        {TIME_OTHER, "shop.Mail", "", 9, false, true, NULL, NULL},
    };
    add(&why, &names, one, 5, 30, 100, false);
    add(&why, &names, other, 2, 0, 5, false);
    add(&why, &names, one, 5, 30, 100, true); // lies in another one: does not count again
    query_why_finish(&why, &names);
    assert_int_equal(why.requests, 2);
    assert_int_equal(why.total_ns, 50 + 7 + 30 + 100 + 60 + 9 + 5);
    assert_int_equal(why.slices.count, 5);
    expect_slice(&why, 0, TIME_LOCK, 110, 2, 2);
    expect_frame(&why, &names, 0, 0, "shop.A.z", 60, 1);
    expect_frame(&why, &names, 0, 1, "shop.A.a", 50, 1);
    expect_slice(&why, 1, TIME_GC, 30, 1, 0);
    expect_slice(&why, 2, TIME_CPU, PERIOD_NS, 1, 1);
    expect_slice(&why, 3, TIME_OTHER, 9, 1, 0);
    assert_string_equal(query_names_text(&names, why.slices.items[3].type), "shop.Mail");
    expect_slice(&why, 4, TIME_OTHER, 7, 1, 1);
    assert_int_equal(why.unaccounted_ns, 105 - PERIOD_NS);
    int64_t sum_ns = why.unaccounted_ns;
    for (size_t i = 0; i < why.slices.count; i++) {
        sum_ns += why.slices.items[i].total_ns;
    }
    assert_int_equal(sum_ns, why.total_ns);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_samples_are_no_more_than_what_is_left(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    const made rows[] = {
        {TIME_CPU, "jdk.ExecutionSample", "shop.A.a", 0, true, false, NULL, NULL},
        {TIME_CPU, "jdk.ExecutionSample", "shop.A.a", 0, true, false, NULL, NULL},
        {TIME_CPU, "jdk.ExecutionSample", "shop.B.b", 0, true, false, NULL, NULL},
    };
    add(&why, &names, rows, 3, 0, 31, false);
    query_why_finish(&why, &names);
    expect_slice(&why, 0, TIME_CPU, 31, 3, 2);
    expect_frame(&why, &names, 0, 0, "shop.A.a", 20, 2); // 40 of 60, of 31
    expect_frame(&why, &names, 0, 1, "shop.B.b", 10, 1);
    assert_int_equal(why.unaccounted_ns, 0);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_the_top_has_the_frames_with_most_time(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    static const char *const frames[] = {"f2", "f7", "f1", "f6", "f3", "f5", "f4b", "f4a"};
    static const int64_t times[] = {2, 7, 1, 6, 3, 5, 4, 4};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        const made row = {TIME_IO, "jdk.FileRead", frames[i], times[i], false, true, NULL, NULL};
        add(&why, &names, &row, 1, 0, 0, false);
    }
    const made other = {TIME_LOCK, "jdk.JavaMonitorEnter", "f8", 1, false, true, NULL, NULL};
    add(&why, &names, &other, 1, 0, 0, false);
    query_why_finish(&why, &names);
    expect_slice(&why, 0, TIME_IO, 32, 8, QUERY_WHY_TOP);
    expect_slice(&why, 1, TIME_LOCK, 1, 1, 1);
    expect_frame(&why, &names, 0, 0, "f7", 7, 1);
    expect_frame(&why, &names, 0, 1, "f6", 6, 1);
    expect_frame(&why, &names, 0, 2, "f5", 5, 1);
    expect_frame(&why, &names, 0, 3, "f4a", 4, 1); // equal ones by name
    expect_frame(&why, &names, 0, 4, "f4b", 4, 1);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_a_frame_has_the_one_on_top_of_it_with_most_time(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    const made rows[] = {
        {TIME_IO, "jdk.SocketRead", "shop.A.a", 5, false, true, "db.Driver.read", NULL},
        {TIME_IO, "jdk.SocketRead", "shop.A.a", 4, false, true, "http.Client.get", NULL},
        {TIME_IO, "jdk.SocketRead", "shop.A.a", 4, false, true, "http.Client.get", NULL},
        {TIME_IO, "jdk.SocketRead", "shop.A.a", 90, false, true, NULL, NULL},
        {TIME_LOCK, "jdk.JavaMonitorEnter", "shop.A.a", 1, false, true, "db.Pool.take", NULL},
        {TIME_LOCK, "jdk.JavaMonitorEnter", "shop.B.b", 1, false, true, NULL, NULL},
    };
    add(&why, &names, rows, 6, 0, 0, false);
    query_why_finish(&why, &names);
    expect_frame(&why, &names, 0, 0, "shop.A.a", 103, 4);
    assert_string_equal(
        query_names_text(&names, why.slices.items[0].top[0].via), "http.Client.get");
    assert_string_equal(query_names_text(&names, why.slices.items[1].top[0].via), "db.Pool.take");
    assert_int_equal(why.slices.items[1].top[1].via, QUERY_NAME_NONE);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_what_is_counted_has_a_row_without_time(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    const made rows[] = {
        {TIME_OTHER, "jdk.JavaExceptionThrow", "shop.A.a", 0, false, false, NULL, "exceptions"},
        {TIME_OTHER, "jdk.JavaExceptionThrow", "shop.B.b", 0, false, false, NULL, "exceptions"},
        {TIME_OTHER, "jdk.JavaExceptionThrow", "shop.B.b", 0, false, true, NULL, "exceptions"},
        {TIME_OTHER, "jdk.Deoptimization", "shop.A.a", 0, false, false, NULL, "deoptimization"},
        {TIME_OTHER, "exceptions", "shop.A.a", 3, false, true, NULL, NULL}, // somebody's type
    };
    add(&why, &names, rows, 5, 0, 10, false);
    query_why_finish(&why, &names);
    assert_int_equal(why.slices.count, 3);
    expect_slice(&why, 0, TIME_OTHER, 3, 1, 1);
    assert_false(why.slices.items[0].is_count);
    expect_slice(&why, 1, TIME_OTHER, 0, 1, 1);
    expect_slice(&why, 2, TIME_OTHER, 0, 3, 2);
    assert_true(why.slices.items[2].is_count);
    assert_string_equal(query_names_text(&names, why.slices.items[2].type), "exceptions");
    expect_frame(&why, &names, 2, 0, "shop.B.b", 0, 2);
    assert_int_equal(why.unaccounted_ns, 10);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
expect_repeat(const query_why *why, const query_names *names, size_t at, const char *frame,
    uint64_t requests, uint64_t events, int64_t total_ns)
{
    assert_true(at < why->repeat_count);
    assert_string_equal(query_names_text(names, why->repeats[at].frame), frame);
    assert_int_equal(why->repeats[at].requests, requests);
    assert_int_equal(why->repeats[at].events, events);
    assert_int_equal(why->repeats[at].total_ns, total_ns);
}

static void
test_more_than_ten_events_of_a_frame_in_a_context_are_a_repetition(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    made rows[MADE_MAX];
    for (size_t i = 0; i < MADE_MAX; i++) {
        rows[i] = (made){
            TIME_IO, "jdk.SocketRead", "shop.Stock.find", 2, false, true, "db.Driver.read", NULL};
    }
    add(&why, &names, rows, QUERY_WHY_ONCE_MAX, 0, 0, false);     // ten are none
    add(&why, &names, rows, QUERY_WHY_ONCE_MAX + 1, 0, 0, false); // eleven are
    add(&why, &names, rows, QUERY_WHY_ONCE_MAX + 3, 0, 0, false);
    add(&why, &names, rows, MADE_MAX, 0, 0, true); // lies in another one
    rows[0].category = TIME_LOCK;                  // other categories count apart
    add(&why, &names, rows, QUERY_WHY_ONCE_MAX + 1, 0, 0, false);
    for (size_t i = 0; i < MADE_MAX; i++) { // samples come again by their nature
        rows[i] = (made){TIME_CPU, "jdk.ExecutionSample", "shop.A.a", 0, true, false, NULL, NULL};
    }
    add(&why, &names, rows, MADE_MAX, 0, 1000, false);
    for (size_t i = 0; i < MADE_MAX; i++) {
        rows[i] = (made){TIME_OTHER, "shop.Call", "shop.A.b", 4, false, true, NULL, NULL};
    }
    add(&why, &names, rows, MADE_MAX, 0, 0, false);
    query_why_finish(&why, &names);
    assert_int_equal(why.repeat_count, 2);
    expect_repeat(&why, &names, 0, "shop.A.b", 1, MADE_MAX, 4 * MADE_MAX);
    assert_string_equal(query_names_text(&names, why.repeats[0].type), "shop.Call");
    expect_repeat(&why, &names, 1, "shop.Stock.find", 2, 2 * QUERY_WHY_ONCE_MAX + 4,
        2 * (2 * QUERY_WHY_ONCE_MAX + 4));
    assert_int_equal(why.repeats[1].category, TIME_IO);
    assert_string_equal(query_names_text(&names, why.repeats[1].via), "db.Driver.read");
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_the_repetitions_with_most_time_are_left(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    for (int64_t k = 0; k < QUERY_WHY_REPEATS + 2; k++) {
        char frame[16];
        made rows[MADE_MAX];
        (void)snprintf(frame, sizeof(frame), "f%d", (int)k);
        for (size_t i = 0; i < MADE_MAX; i++) {
            rows[i] = (made){TIME_IO, "jdk.FileRead", frame, k % 4 + 1, false, true, NULL, NULL};
        }
        add(&why, &names, rows, MADE_MAX, 0, 0, false);
    }
    query_why_finish(&why, &names);
    static const char *const left[] = {"f3", "f2", "f6", "f1", "f5"}; // equal ones by name
    assert_int_equal(why.repeat_count, QUERY_WHY_REPEATS);
    for (size_t i = 0; i < QUERY_WHY_REPEATS; i++) {
        assert_string_equal(query_names_text(&names, why.repeats[i].frame), left[i]);
    }
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_samples_count_once_where_there_are_too_many_types(void **state)
{
    (void)state;
    query_names names = {0};
    query_why why = {0};
    for (size_t i = 0; i < QUERY_WHY_SLICES_MAX + 1; i++) {
        char type[32];
        (void)snprintf(type, sizeof(type), "shop.Event%zu", i);
        const made row = {TIME_OTHER, type, "f", 1, false, true, NULL, NULL};
        add(&why, &names, &row, 1, 0, 0, false);
    }
    const made sample = {TIME_CPU, "jdk.ExecutionSample", "f", 0, true, false, NULL, NULL};
    add(&why, &names, &sample, 1, 0, 100, false);
    query_why_finish(&why, &names);
    assert_true(why.is_truncated);
    assert_int_equal(why.slices.count, QUERY_WHY_SLICES_MAX);
    assert_int_equal(why.total_ns, QUERY_WHY_SLICES_MAX + 1 + 100);
    assert_int_equal(why.unaccounted_ns, 1 + 100); // of the last type, and what is left
    query_why_fini(&why);
    query_names_fini(&names);
}

// add_filtered adds a context of 100 ns. It has a lock of 30 ns, a file of 20 ns, an instant, a
// counted event and a pause of 10 ns. Three samples of 20 ns are in the other 40 ns. The lock and
// one sample have a matching frame in their stack trace, the caller's.
static lp_err
add_filtered(query_why *why, query_names *names, query_stacks *stacks)
{
    uint32_t caller;
    uint32_t inner;
    uint32_t other;
    const uint32_t frame = query_names_add(names, "shop.A.inner");
    assert_int_equal(query_stacks_add(stacks, QUERY_STACK_ROOT,
                         query_names_add(names, "shop.Caller.call"), 0, &caller),
        LP_OK);
    assert_int_equal(query_stacks_add(stacks, caller, frame, 0, &inner), LP_OK);
    assert_int_equal(query_stacks_add(stacks, QUERY_STACK_ROOT, frame, 0, &other), LP_OK);
    const query_row rows[] = {
        {.category = TIME_LOCK, .has_duration = true, .frame = frame, .stack = inner},
        {.category = TIME_IO, .has_duration = true, .frame = frame, .stack = other},
        {.category = TIME_OTHER, .frame = frame, .stack = other},
        {.category = TIME_OTHER, .counted = frame, .stack = other},
        {.category = TIME_CPU, .period_ns = PERIOD_NS, .frame = frame, .stack = inner},
        {.category = TIME_CPU, .period_ns = PERIOD_NS, .frame = frame, .stack = other},
        {.category = TIME_CPU, .period_ns = PERIOD_NS, .stack = QUERY_STACK_ROOT},
    };
    const time_span spans[] = {{.event = 0, .own_ns = 30}, {.event = 1, .own_ns = 20}, {.event = 2},
        {.event = 3}, {.event = 4, .is_left = true}, {.event = 5, .is_left = true},
        {.event = 6, .is_left = true}};
    const query_context context = {.parent = (uint32_t)QUERY_NO_CONTEXT};
    const query_row pause = {.category = TIME_GC};
    const time_span pause_span = {.own_ns = 10};
    const query_answer answer = {.context = &context,
        .duration_ns = 100,
        .rows = rows,
        .row_count = sizeof(rows) / sizeof(rows[0]),
        .spans = spans,
        .pause_rows = &pause,
        .pauses = &pause_span,
        .pause_count = 1,
        .left_ns = 40};
    return query_why_add(why, &answer);
}

// Sums with a filter of frames, and the objects that it borrows.
typedef struct filtered {
    query_names names;
    query_stacks stacks;
    query_frame_filter frame;
    query_stack_filter filter;
    query_why why;
} filtered;

static void
begin_filtered(filtered *f)
{
    lp_problem problem;
    *f = (filtered){0};
    assert_int_equal(query_frame_filter_init(&f->frame, "--frame", "Caller", &problem), LP_OK);
    f->filter = (query_stack_filter){&f->frame, &f->stacks, &f->names};
    f->why.filter = &f->filter;
}

static void
end_filtered(filtered *f)
{
    query_why_fini(&f->why);
    query_stack_filter_fini(&f->filter);
    query_stacks_fini(&f->stacks);
    query_names_fini(&f->names);
}

static void
test_with_a_filter_the_time_of_other_frames_is_one_row(void **state)
{
    (void)state;
    filtered f;
    begin_filtered(&f);
    assert_int_equal(add_filtered(&f.why, &f.names, &f.stacks), LP_OK);
    query_why_finish(&f.why, &f.names);
    assert_int_equal(f.why.slices.count, 2);
    expect_slice(&f.why, 0, TIME_LOCK, 30, 1, 1);
    expect_frame(&f.why, &f.names, 0, 0, "shop.A.inner", 30, 1);
    expect_slice(&f.why, 1, TIME_CPU, 40 * 20 / 60, 1, 1);
    assert_int_equal(f.why.other_events, 1 + 2 + 1); // the file, two samples and the pause
    assert_int_equal(f.why.other_ns, 20 + (40 - 40 * 20 / 60) + 10);
    assert_int_equal(f.why.unaccounted_ns, 0);
    end_filtered(&f);
}

static void
test_a_filter_has_a_limit(void **state)
{
    (void)state;
    filtered f;
    begin_filtered(&f);
    f.frame.steps_max = 1;
    assert_int_equal(add_filtered(&f.why, &f.names, &f.stacks), LP_ELIMIT);
    end_filtered(&f);
}

static void
test_a_base_has_its_own_outermost_contexts(void **state)
{
    (void)state;
    static const struct {
        bool is_inner, is_inner_of_base;
    } cases[] = {{false, false}, {true, false}, {false, true}, {true, true}};
    query_why why = {0};
    query_why base = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const query_context context = {.parent = cases[i].is_inner ? 3 : (uint32_t)QUERY_NO_CONTEXT,
            .base_parent = cases[i].is_inner_of_base ? 3 : (uint32_t)QUERY_NO_CONTEXT};
        const query_answer answer = {.context = &context, .duration_ns = (int64_t)1 << i};
        assert_int_equal(query_why_add(&why, &answer), LP_OK);
        assert_int_equal(query_why_add_base(&base, &answer), LP_OK);
    }
    assert_int_equal(why.total_ns, 1 + 4);
    assert_int_equal(base.total_ns, 1 + 2);
    query_why_fini(&why);
    query_why_fini(&base);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_make_up_the_time_of_the_contexts),
        cmocka_unit_test(test_samples_are_no_more_than_what_is_left),
        cmocka_unit_test(test_the_top_has_the_frames_with_most_time),
        cmocka_unit_test(test_a_frame_has_the_one_on_top_of_it_with_most_time),
        cmocka_unit_test(test_what_is_counted_has_a_row_without_time),
        cmocka_unit_test(test_more_than_ten_events_of_a_frame_in_a_context_are_a_repetition),
        cmocka_unit_test(test_the_repetitions_with_most_time_are_left),
        cmocka_unit_test(test_with_a_filter_the_time_of_other_frames_is_one_row),
        cmocka_unit_test(test_a_filter_has_a_limit),
        cmocka_unit_test(test_a_base_has_its_own_outermost_contexts),
        cmocka_unit_test(test_samples_count_once_where_there_are_too_many_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
