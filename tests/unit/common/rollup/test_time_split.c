// SPDX-License-Identifier: Apache-2.0
// Each moment of a context counts once: for an event of the thread or for a pause, by the rules of
// time_split.h, or else it is left. Expected times are drawn by hand; of random events a naive
// count, moment by moment, has to find the same.

#include "support/chance.h"

#include "common/rollup/time_category.h"
#include "common/rollup/time_split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 20000, SPANS_MAX = 12, LENGTH = 60 };

static time_span
span_of(time_category category, int64_t begin_ns, int64_t end_ns)
{
    return (time_span){.begin_ns = begin_ns, .end_ns = end_ns, .category = category};
}

static time_span
span(int64_t begin_ns, int64_t end_ns)
{
    return span_of(TIME_IO, begin_ns, end_ns);
}

static void
test_a_context_without_events_is_left(void **state)
{
    (void)state;
    assert_int_equal(time_split(10, 110, NULL, 0, NULL, 0), 100);
    assert_int_equal(time_split(10, 10, NULL, 0, NULL, 0), 0);
}

static void
test_the_innermost_counts(void **state)
{
    (void)state;
    // A socket is read from 20 to 80; meanwhile a lock is waited for, and in that a class loaded.
    time_span on_thread[] = {span(20, 80), span(30, 60), span(40, 45), span(90, 95)};
    assert_int_equal(time_split(0, 100, on_thread, 4, NULL, 0), 35);
    assert_int_equal(on_thread[0].own_ns, 30);
    assert_int_equal(on_thread[1].own_ns, 25);
    assert_int_equal(on_thread[2].own_ns, 5);
    assert_int_equal(on_thread[3].own_ns, 5);
}

static void
test_of_events_that_cross_the_later_one_counts(void **state)
{
    (void)state;
    time_span on_thread[] = {span(10, 50), span(30, 70)};
    assert_int_equal(time_split(0, 100, on_thread, 2, NULL, 0), 40);
    assert_int_equal(on_thread[0].own_ns, 20);
    assert_int_equal(on_thread[1].own_ns, 40);
}

static void
test_events_are_cut_to_the_context(void **state)
{
    (void)state;
    time_span on_thread[] = {span(0, 300), span(50, 120), span(180, 250)};
    assert_int_equal(time_split(100, 200, on_thread, 3, NULL, 0), 0);
    assert_int_equal(on_thread[0].own_ns, 60);
    assert_int_equal(on_thread[1].own_ns, 20);
    assert_int_equal(on_thread[2].own_ns, 20);
}

static void
test_a_pause_counts_where_the_thread_does_not_wait(void **state)
{
    (void)state;
    time_span on_thread[] = {span(20, 40)};
    time_span pauses[] = {span(10, 35), span(15, 25)}; // the second lies in the first
    assert_int_equal(time_split(0, 100, on_thread, 1, pauses, 2), 70);
    assert_int_equal(on_thread[0].own_ns, 5);
    assert_int_equal(on_thread[0].stopped_ns, 15);
    assert_int_equal(pauses[0].own_ns, 15);
    assert_int_equal(pauses[1].own_ns, 10);
}

static void
test_a_wait_goes_on_in_a_pause(void **state)
{
    (void)state;
    static const time_category waits[] = {TIME_LOCK, TIME_PARK, TIME_WAIT, TIME_SLEEP};
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        time_span on_thread[] = {span_of(TIME_OTHER, 0, 90), span_of(waits[i], 20, 40)};
        time_span pauses[] = {span(10, 30), span(12, 25), span(35, 50)};
        assert_int_equal(time_split(0, 100, on_thread, 2, pauses, 3), 10);
        assert_int_equal(on_thread[0].own_ns, 10 + 40);
        assert_int_equal(on_thread[1].own_ns, 20);
        assert_int_equal(on_thread[1].stopped_ns, 10 + 5);
        assert_int_equal(pauses[0].own_ns, 2);
        assert_int_equal(pauses[1].own_ns, 8);
        assert_int_equal(pauses[2].own_ns, 10);
    }
}

static void
test_pinned_counts_before_what_lies_in_it(void **state)
{
    (void)state;
    time_span on_thread[] = {span_of(TIME_PARK, 5, 95), span_of(TIME_PINNED, 10, 60),
        span_of(TIME_PINNED, 20, 40), span_of(TIME_PARK, 30, 80), span(35, 38)};
    time_span pauses[] = {span(50, 70)};
    assert_int_equal(time_split(0, 100, on_thread, 5, pauses, 1), 10);
    assert_int_equal(on_thread[0].own_ns, 5 + 15);
    assert_int_equal(on_thread[1].own_ns, 10 + 20); // before and behind the inner one
    assert_int_equal(on_thread[1].stopped_ns, 10);
    assert_int_equal(on_thread[2].own_ns, 20);
    assert_int_equal(on_thread[3].own_ns, 20); // behind the outer one
    assert_int_equal(on_thread[3].stopped_ns, 10);
    assert_int_equal(on_thread[4].own_ns, 0);
    assert_int_equal(pauses[0].own_ns, 0);
}

static void
test_a_park_in_a_sleep_is_the_sleep(void **state)
{
    (void)state;
    static const time_category around[] = {TIME_SLEEP, TIME_IO};
    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
        time_span on_thread[] = {span_of(TIME_PARK, 0, 90), span_of(around[i], 10, 50),
            span_of(TIME_PARK, 15, 60), span_of(TIME_LOCK, 20, 30), span_of(TIME_PARK, 25, 28),
            span_of(TIME_PARK, 50, 70)};
        assert_int_equal(time_split(0, 100, on_thread, 6, NULL, 0), 10);
        assert_int_equal(on_thread[0].own_ns, 10 + 20);
        assert_int_equal(on_thread[1].own_ns, 10 + 20);
        assert_int_equal(on_thread[2].own_ns, 0);
        assert_int_equal(on_thread[3].own_ns, 5 + 2);
        assert_int_equal(on_thread[4].own_ns, 3);
        assert_int_equal(on_thread[5].own_ns, 20); // begins where the sleep is over
    }
}

static void
test_a_sample_lies_in_what_is_left_or_not(void **state)
{
    (void)state;
    time_span on_thread[] = {span(5, 5), span(10, 20), span(10, 10), span(15, 15), span(20, 20),
        span(32, 32), span(40, 40)};
    time_span pauses[] = {span(30, 35)};
    assert_int_equal(time_split(0, 40, on_thread, 7, pauses, 1), 25);
    assert_true(on_thread[0].is_left);
    assert_false(on_thread[2].is_left); // at the begin of the event
    assert_false(on_thread[3].is_left);
    assert_true(on_thread[4].is_left);  // an event reaches to before its end
    assert_false(on_thread[5].is_left); // in the pause
    assert_true(on_thread[6].is_left);  // at the end of the context
}

static void
test_many_pinned_in_many_events_take_linear_time(void **state)
{
    (void)state;
    enum { DEPTH = 200000 }; // squared, it would take minutes
    time_span *on_thread = calloc(2 * DEPTH, sizeof(*on_thread));
    assert_non_null(on_thread);
    for (int i = 0; i < DEPTH; i++) {
        on_thread[i] = span(i, 4 * DEPTH);
        on_thread[DEPTH + i] = span_of(TIME_PINNED, DEPTH + 2 * i, DEPTH + 2 * i + 1);
    }
    assert_int_equal(time_split(0, 4 * DEPTH, on_thread, 2 * DEPTH, NULL, 0), 0);
    assert_int_equal(on_thread[DEPTH].own_ns, 1);
    assert_int_equal(on_thread[2 * DEPTH - 1].own_ns, 1);
    free(on_thread);
}

// --- Against a naive count

// find_naive returns the innermost event that goes on at a moment, of any category or of
// TIME_PINNED alone; NULL if there is none.
static time_span *
find_naive(time_span *spans, size_t count, int64_t at_ns, bool is_pinned)
{
    time_span *found = NULL;
    for (size_t i = 0; i < count; i++) {
        bool is_wanted = !is_pinned || spans[i].category == TIME_PINNED;
        if (is_wanted && spans[i].begin_ns <= at_ns && at_ns < spans[i].end_ns) {
            found = &spans[i]; // they are in order: a later one is the inner one
        }
    }
    return found;
}

// leave_out has parks that begin in a sleep or in I/O go on nowhere.
static void
leave_out(time_span *spans, size_t count, int64_t begin_ns)
{
    for (size_t i = 0; i < count; i++) {
        int64_t at_ns = spans[i].begin_ns > begin_ns ? spans[i].begin_ns : begin_ns;
        const time_span *around = find_naive(spans, i, at_ns, false);
        bool is_in =
            around != NULL && (around->category == TIME_SLEEP || around->category == TIME_IO);
        if (spans[i].category == TIME_PARK && is_in) {
            spans[i].end_ns = spans[i].begin_ns;
        }
    }
}

static bool
is_wait(const time_span *at)
{
    return at != NULL && (at->category == TIME_LOCK || at->category == TIME_PARK ||
                             at->category == TIME_WAIT || at->category == TIME_SLEEP);
}

// count_naive counts a moment, of events of the thread and of pauses. Returns whether it is left.
static bool
count_naive(time_span spans[2][SPANS_MAX], const size_t counts[2], int64_t at_ns)
{
    time_span *pinned = find_naive(spans[0], counts[0], at_ns, true);
    time_span *on_thread = find_naive(spans[0], counts[0], at_ns, false);
    time_span *pause = find_naive(spans[1], counts[1], at_ns, false);
    time_span *found = pinned;
    if (found == NULL) {
        found = is_wait(on_thread) || pause == NULL ? on_thread : pause;
    }
    if (found != NULL) {
        found->own_ns++;
    }
    if (pause != NULL && on_thread != NULL) {
        (pinned != NULL ? pinned : on_thread)->stopped_ns++;
    }
    return found == NULL;
}

static int
compare_spans(const void *a, const void *b)
{
    const time_span *one = a;
    const time_span *other = b;
    if (one->begin_ns != other->begin_ns) {
        return one->begin_ns < other->begin_ns ? -1 : 1;
    }
    return one->end_ns > other->end_ns ? -1 : one->end_ns < other->end_ns;
}

static size_t
make_spans(uint64_t *seed, time_span *out)
{
    size_t count = chance_below(seed, SPANS_MAX);
    for (size_t i = 0; i < count; i++) {
        int64_t begin_ns = (int64_t)chance_below(seed, LENGTH);
        out[i] = span_of((time_category)chance_below(seed, TIME_CATEGORY_COUNT), begin_ns,
            begin_ns + (int64_t)chance_below(seed, LENGTH / 2));
    }
    qsort(out, count, sizeof(*out), compare_spans);
    return count;
}

static void
test_random_events_count_as_a_naive_count_says(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        time_span spans[2][SPANS_MAX];
        time_span naive[2][SPANS_MAX];
        size_t counts[2];
        int64_t left_ns = 0;
        for (int i = 0; i < 2; i++) {
            counts[i] = make_spans(&seed, spans[i]);
            memcpy(naive[i], spans[i], sizeof(naive[i]));
        }
        int64_t begin_ns = (int64_t)chance_below(&seed, LENGTH / 3);
        int64_t end_ns = begin_ns + (int64_t)chance_below(&seed, LENGTH);
        for (int i = 0; i < 2; i++) {
            leave_out(naive[i], counts[i], begin_ns);
        }
        for (int64_t at_ns = begin_ns; at_ns < end_ns; at_ns++) {
            left_ns += count_naive(naive, counts, at_ns);
        }
        assert_int_equal(
            time_split(begin_ns, end_ns, spans[0], counts[0], spans[1], counts[1]), left_ns);
        for (int i = 0; i < 2; i++) {
            for (size_t k = 0; k < counts[i]; k++) {
                assert_int_equal(spans[i][k].own_ns, naive[i][k].own_ns);
                assert_int_equal(spans[i][k].stopped_ns, naive[i][k].stopped_ns);
            }
        }
    }
}

static void
test_each_type_has_its_category(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        time_category category;
        time_scope scope;
        bool is_blocked;
    } cases[] = {
        {"jdk.JavaMonitorEnter", TIME_LOCK, TIME_ON_THREAD, true},
        {"dev.loupe.VirtualThreadMonitorEnter", TIME_LOCK, TIME_ON_THREAD, true},
        {"jdk.ThreadPark", TIME_PARK, TIME_ON_THREAD, true},
        {"jdk.SocketRead", TIME_IO, TIME_ON_THREAD, true},
        {"jdk.VirtualThreadPinned", TIME_PINNED, TIME_ON_THREAD, true},
        {"jdk.GCPhasePause", TIME_GC, TIME_IN_JVM, false},
        {"jdk.ExecuteVMOperation", TIME_SAFEPOINT, TIME_IN_JVM, false},
        {"jdk.ExecutionSample", TIME_CPU, TIME_ON_THREAD, false},
        {"shop.Order", TIME_OTHER, TIME_ON_THREAD, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        time_category_of of = time_category_find(cases[i].type);
        assert_int_equal(of.category, cases[i].category);
        assert_int_equal(of.scope, cases[i].scope);
        assert_int_equal(time_category_is_blocked(of.category), cases[i].is_blocked);
    }
    assert_string_equal(time_category_find("jdk.ExecuteVMOperation").only_if, "safepoint");
    assert_string_equal(time_category_find("jdk.MethodTrace").method, "method");
    assert_int_equal(time_category_of_method("java.lang.VirtualThread.parkNanos"), TIME_PARK);
    assert_int_equal(time_category_of_method("java.lang.VirtualThread.run"), TIME_OTHER);
    for (time_category category = 0; category < TIME_CATEGORY_COUNT; category++) {
        assert_non_null(time_category_name(category));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_context_without_events_is_left),
        cmocka_unit_test(test_the_innermost_counts),
        cmocka_unit_test(test_of_events_that_cross_the_later_one_counts),
        cmocka_unit_test(test_events_are_cut_to_the_context),
        cmocka_unit_test(test_a_pause_counts_where_the_thread_does_not_wait),
        cmocka_unit_test(test_a_wait_goes_on_in_a_pause),
        cmocka_unit_test(test_pinned_counts_before_what_lies_in_it),
        cmocka_unit_test(test_a_park_in_a_sleep_is_the_sleep),
        cmocka_unit_test(test_a_sample_lies_in_what_is_left_or_not),
        cmocka_unit_test(test_many_pinned_in_many_events_take_linear_time),
        cmocka_unit_test(test_random_events_count_as_a_naive_count_says),
        cmocka_unit_test(test_each_type_has_its_category),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
