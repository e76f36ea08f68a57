// SPDX-License-Identifier: Apache-2.0
// Each moment of a request counts once, by the rules of request_times.h. Expected times are drawn
// by hand. For random requests a naive count of each moment finds the same, and all parts add up to
// the duration.
//
// Cost: 20,000 random requests, about a second.

#include "support/chance.h"

#include "query/run/request_times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STAYS_MAX = 4, SPANS_MAX = 5, WAITS_MAX = 3, PAUSES_MAX = 3, LENGTH = 50, ROUNDS = 20000 };

static time_span
span_of(time_category category, int64_t begin_ns, int64_t end_ns)
{
    return (time_span){.begin_ns = begin_ns, .end_ns = end_ns, .category = category};
}

static void
divide(query_request_time *time)
{
    query_request_room room = {0};
    assert_int_equal(query_request_times(time, &room), LP_OK);
    query_request_room_fini(&room);
}

// The picture in request_times.h.
static void
test_the_drawn_request(void **state)
{
    (void)state;
    time_span first[] = {span_of(TIME_IO, 0, 25), span_of(TIME_PARK, 30, 45)};
    query_request_stay stays[] = {{0, 45, first, 2}, {22, 35, NULL, 0}};
    query_request_wait waits[] = {{15, 22, 99}, {40, 50, 99}};
    query_request_time time = {.begin_ns = 0,
        .end_ns = 60,
        .stays = stays,
        .stay_count = 2,
        .waits = waits,
        .wait_count = 2};
    divide(&time);
    assert_int_equal(first[0].own_ns, 25);
    assert_int_equal(time.left_ns, 5 + 5); // exec-1 from 25 to 30, pool-2 from 30 to 35
    assert_int_equal(first[1].own_ns, 5);  // from 35 to 40
    assert_int_equal(waits[0].own_ns, 0);
    assert_int_equal(waits[1].own_ns, 10);
    assert_int_equal(time.elsewhere_ns, 10);
}

static void
test_a_request_without_stays_is_queued_or_elsewhere(void **state)
{
    (void)state;
    query_request_wait waits[] = {{-5, 20, 0}, {10, 30, 0}, {90, 120, 0}};
    query_request_time time = {.begin_ns = 0, .end_ns = 100, .waits = waits, .wait_count = 3};
    divide(&time);
    assert_int_equal(waits[0].own_ns, 20); // it is cut to the request
    assert_int_equal(waits[1].own_ns, 10);
    assert_int_equal(waits[2].own_ns, 10);
    assert_int_equal(time.elsewhere_ns, 60);
}

// A lock counts as doing something; park, wait and sleep give way to a task that waits.
static void
test_who_waits_gives_way(void **state)
{
    (void)state;
    static const struct {
        time_category category;
        int64_t own_ns;
    } cases[] = {{TIME_LOCK, 10}, {TIME_IO, 10}, {TIME_PINNED, 10}, {TIME_PARK, 0}, {TIME_WAIT, 0},
        {TIME_SLEEP, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        time_span first[] = {span_of(cases[i].category, 0, 10)};
        query_request_stay stays[] = {{0, 10, first, 1}};
        query_request_wait waits[] = {{0, 10, 0}};
        query_request_time time = {
            .end_ns = 10, .stays = stays, .stay_count = 1, .waits = waits, .wait_count = 1};
        divide(&time);
        assert_int_equal(first[0].own_ns, cases[i].own_ns);
        assert_int_equal(waits[0].own_ns, 10 - cases[i].own_ns);
    }
}

static void
test_a_stop_of_the_jvm_counts_in_who_does_something(void **state)
{
    (void)state;
    time_span first[] = {span_of(TIME_PARK, 0, 40)};
    query_request_stay stays[] = {{0, 40, first, 1}, {10, 30, NULL, 0}};
    time_span pauses[] = {span_of(TIME_GC, 5, 20)};
    query_request_time time = {
        .end_ns = 50, .stays = stays, .stay_count = 2, .pauses = pauses, .pause_count = 1};
    divide(&time);
    assert_int_equal(pauses[0].own_ns, 10);     // while the second would have run
    assert_int_equal(first[0].own_ns, 10 + 10); // before it and behind it
    assert_int_equal(first[0].stopped_ns, 5);
    assert_int_equal(time.left_ns, 10);
    assert_int_equal(time.elsewhere_ns, 10);
}

static void
test_a_sample_counts_in_the_stay_that_counts(void **state)
{
    (void)state;
    time_span first[] = {
        span_of(TIME_CPU, 5, 5), span_of(TIME_PARK, 10, 20), span_of(TIME_CPU, 25, 25)};
    time_span second[] = {
        span_of(TIME_CPU, 5, 5), span_of(TIME_CPU, 15, 15), span_of(TIME_CPU, 25, 25)};
    query_request_stay stays[] = {{0, 30, first, 3}, {0, 30, second, 3}};
    query_request_time time = {.end_ns = 30, .stays = stays, .stay_count = 2};
    divide(&time);
    assert_true(first[0].is_left);
    assert_true(first[2].is_left);
    assert_false(second[0].is_left);
    assert_true(second[1].is_left); // while the first is parked
    assert_false(second[2].is_left);
}

// --- Random requests

typedef struct world {
    uint64_t seed;
    time_span spans[STAYS_MAX][SPANS_MAX];
    query_request_stay stays[STAYS_MAX];
    query_request_wait waits[WAITS_MAX];
    time_span pauses[PAUSES_MAX];
    query_request_time time;
} world;

static int64_t
below(world *w, int64_t limit)
{
    return (int64_t)chance_below(&w->seed, (uint64_t)limit);
}

// make_ends makes a stretch that begins at `from` or later.
static void
make_ends(world *w, int64_t from, int64_t *out_begin, int64_t *out_end)
{
    *out_begin = from + below(w, 12);
    *out_end = *out_begin + below(w, 25);
}

static time_span
make_span(world *w, int64_t from)
{
    static const time_category categories[] = {
        TIME_LOCK, TIME_PARK, TIME_SLEEP, TIME_IO, TIME_PINNED, TIME_CPU};
    time_span span = {.category = categories[below(w, 6)]};
    make_ends(w, from, &span.begin_ns, &span.end_ns);
    span.end_ns = span.category == TIME_CPU ? span.begin_ns : span.end_ns;
    return span;
}

static bool
goes_on(int64_t begin_ns, int64_t end_ns, int64_t at_ns)
{
    return begin_ns <= at_ns && at_ns < end_ns;
}

// is_in_wait returns whether the index-th span begins in a wait in which a park does not count.
static bool
is_in_wait(const time_span *spans, size_t index)
{
    bool is_in = false;
    for (size_t i = 0; i < index; i++) {
        bool is_around = spans[i].category == TIME_SLEEP || spans[i].category == TIME_IO;
        is_in |= is_around && goes_on(spans[i].begin_ns, spans[i].end_ns, spans[index].begin_ns);
    }
    return is_in;
}

static void
make(world *w)
{
    int64_t at = below(w, 10);
    w->time = (query_request_time){.begin_ns = 5,
        .end_ns = LENGTH,
        .stays = w->stays,
        .stay_count = (size_t)below(w, STAYS_MAX + 1),
        .waits = w->waits,
        .wait_count = (size_t)below(w, WAITS_MAX + 1),
        .pauses = w->pauses,
        .pause_count = (size_t)below(w, PAUSES_MAX + 1)};
    for (size_t i = 0; i < w->time.stay_count; i++) {
        query_request_stay *stay = &w->stays[i];
        *stay = (query_request_stay){.spans = w->spans[i], .span_count = (size_t)below(w, 6)};
        make_ends(w, at, &stay->begin_ns, &stay->end_ns);
        at = stay->begin_ns;
        for (size_t k = 0, from = 0; k < stay->span_count; k++) {
            w->spans[i][k] = make_span(w, (int64_t)from);
            from = (size_t)w->spans[i][k].begin_ns;
            if (w->spans[i][k].category == TIME_PARK && is_in_wait(w->spans[i], k)) {
                w->spans[i][k].category = TIME_LOCK;
            }
        }
    }
    for (size_t i = 0, from = 0; i < w->time.wait_count; i++) {
        make_ends(w, (int64_t)from, &w->waits[i].begin_ns, &w->waits[i].end_ns);
        from = (size_t)w->waits[i].begin_ns;
    }
    for (size_t i = 0, from = 0; i < w->time.pause_count; i++) {
        w->pauses[i] = (time_span){.category = TIME_GC};
        make_ends(w, (int64_t)from, &w->pauses[i].begin_ns, &w->pauses[i].end_ns);
        from = (size_t)w->pauses[i].begin_ns;
    }
}

// innermost returns the last open span, of one category if that is given.
static const time_span *
innermost(const time_span *spans, size_t count, int64_t at_ns, bool is_pinned)
{
    const time_span *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (goes_on(spans[i].begin_ns, spans[i].end_ns, at_ns) &&
            (!is_pinned || spans[i].category == TIME_PINNED)) {
            found = &spans[i];
        }
    }
    return found;
}

static bool
gives_way(const time_span *span)
{
    return span != NULL && (span->category == TIME_PARK || span->category == TIME_SLEEP);
}

// in_stay returns the span that counts in a stay; NULL: unexplained.
static const time_span *
in_stay(const world *w, const query_request_stay *stay, int64_t at_ns)
{
    const time_span *pinned = innermost(stay->spans, stay->span_count, at_ns, true);
    const time_span *inner = innermost(stay->spans, stay->span_count, at_ns, false);
    const time_span *pause = innermost(w->pauses, w->time.pause_count, at_ns, false);
    bool is_wait = gives_way(inner) || (inner != NULL && inner->category == TIME_LOCK);
    return pinned != NULL ? pinned : is_wait || pause == NULL ? inner : pause;
}

// The thing that counts in a moment of a request.
typedef struct found {
    const query_request_stay *stay;
    const time_span *span;
    const query_request_wait *wait;
} found;

static found
at_moment(const world *w, int64_t at_ns)
{
    const query_request_stay *waiting = NULL;
    for (size_t i = 0; i < w->time.stay_count; i++) {
        const query_request_stay *stay = &w->stays[i];
        if (goes_on(stay->begin_ns, stay->end_ns, at_ns)) {
            const time_span *span = in_stay(w, stay, at_ns);
            if (!gives_way(span)) {
                return (found){.stay = stay, .span = span};
            }
            waiting = waiting == NULL ? stay : waiting;
        }
    }
    for (size_t i = 0; i < w->time.wait_count; i++) {
        if (goes_on(w->waits[i].begin_ns, w->waits[i].end_ns, at_ns)) {
            return (found){.wait = &w->waits[i]};
        }
    }
    return (found){.stay = waiting, .span = waiting == NULL ? NULL : in_stay(w, waiting, at_ns)};
}

// count_moments returns the number of moments in which something counts.
static int64_t
count_moments(const world *w, const time_span *span, const query_request_wait *wait, bool is_left)
{
    int64_t ns = 0;
    for (int64_t at_ns = w->time.begin_ns; at_ns < w->time.end_ns; at_ns++) {
        const found f = at_moment(w, at_ns);
        bool is_it = span != NULL ? f.span == span
                     : wait != NULL
                         ? f.wait == wait
                         : f.span == NULL && f.wait == NULL && (f.stay != NULL) == is_left;
        ns += is_it;
    }
    return ns;
}

static void
check(const world *w, int64_t *sum)
{
    for (size_t i = 0; i < w->time.stay_count; i++) {
        for (size_t k = 0; k < w->stays[i].span_count; k++) {
            const time_span *span = &w->stays[i].spans[k];
            assert_int_equal(span->own_ns, count_moments(w, span, NULL, false));
            *sum += span->own_ns;
        }
    }
    for (size_t i = 0; i < w->time.pause_count; i++) {
        assert_int_equal(w->pauses[i].own_ns, count_moments(w, &w->pauses[i], NULL, false));
        *sum += w->pauses[i].own_ns;
    }
    for (size_t i = 0; i < w->time.wait_count; i++) {
        assert_int_equal(w->waits[i].own_ns, count_moments(w, NULL, &w->waits[i], false));
        *sum += w->waits[i].own_ns;
    }
    assert_int_equal(w->time.left_ns, count_moments(w, NULL, NULL, true));
    assert_int_equal(w->time.elsewhere_ns, count_moments(w, NULL, NULL, false));
}

static void
test_all_moments_of_random_requests(void **state)
{
    (void)state;
    world w = {.seed = 1};
    for (size_t round = 0; round < ROUNDS; round++) {
        make(&w);
        divide(&w.time);
        int64_t sum = w.time.left_ns + w.time.elsewhere_ns;
        check(&w, &sum);
        assert_int_equal(sum, w.time.end_ns - w.time.begin_ns);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_drawn_request),
        cmocka_unit_test(test_a_request_without_stays_is_queued_or_elsewhere),
        cmocka_unit_test(test_who_waits_gives_way),
        cmocka_unit_test(test_a_stop_of_the_jvm_counts_in_who_does_something),
        cmocka_unit_test(test_a_sample_counts_in_the_stay_that_counts),
        cmocka_unit_test(test_all_moments_of_random_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
