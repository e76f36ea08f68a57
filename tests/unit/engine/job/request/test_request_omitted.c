// SPDX-License-Identifier: Apache-2.0
// Promised: leaving out contextual events whose requests only count changes neither the output nor
// the numbers. Random sessions of three chunks are compacted with all parts, as options.also wants
// them, and without those. Costs 0.5 s.

#include "support/chance.h"
#include "support/jfr_sample.h"

#include "engine/compact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 150, CHUNKS = 3, THREADS = 3, SPANS = 40, CHUNK_TICKS = 3000 };

typedef struct span {
    int64_t begin;
    int64_t end;
    uint64_t thread;
    uint64_t type; // its contexts are JFR_SAMPLE_TRACE, or JFR_SAMPLE_SPAN, which are dropped
} span;

typedef struct world {
    jfr_build builds[CHUNKS];
    compact_source sources[CHUNKS];
    policy *rules;
    uint64_t seed;
} world;

static int64_t
below(world *w, int64_t limit)
{
    return (int64_t)chance_below(&w->seed, (uint64_t)limit);
}

// random_span makes events of which some nest, some cross, few share a tick, and few end before
// they begin. Some are stored with the chunk after the one in which they began.
static span
random_span(world *w, int64_t from, const span *before)
{
    span s = {.thread = 1 + (uint64_t)below(w, THREADS)};
    s.type = below(w, 25) == 0  ? JFR_SAMPLE_PLAIN
             : below(w, 4) == 0 ? JFR_SAMPLE_SPAN
                                : JFR_SAMPLE_TRACE;
    s.begin = from + below(w, CHUNK_TICKS);
    s.end = s.begin + below(w, below(w, 20) == 0 ? CHUNK_TICKS : 200);
    if (before != NULL && before->begin <= before->end && below(w, 2) == 0) {
        s.thread = before->thread;
        s.begin = before->begin + below(w, before->end - before->begin + 1);
        s.end = s.begin + below(w, before->end - s.begin + 1) + (below(w, 4) == 0 ? 50 : 0);
    } else if (below(w, 10) == 0) {
        s.begin = from - below(w, 100);
        s.end = from + below(w, 100);
    }
    if (s.type == JFR_SAMPLE_PLAIN) {
        s.end = s.begin;
    } else if (below(w, 40) == 0) {
        s.end = s.begin - below(w, 300);
    }
    return s;
}

static int
by_end(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->end != y->end ? (x->end < y->end ? -1 : 1) : x->begin > y->begin ? -1 : 1;
}

static int
by_thread(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->thread != y->thread ? (x->thread < y->thread ? -1 : 1) : by_end(a, b);
}

typedef enum order {
    BY_END,
    BY_THREAD, // and then by end
    IN_NONE,
    ORDERS,
} order;

// build makes a chunk. With has_two_keys, two threads are one.
static void
build(world *w, size_t index, order in, bool has_two_keys)
{
    jfr_build *b = &w->builds[index];
    span spans[SPANS];
    for (size_t i = 0; i < SPANS; i++) {
        spans[i] = random_span(w, (int64_t)index * CHUNK_TICKS, i == 0 ? NULL : &spans[i - 1]);
    }
    qsort(spans, SPANS, sizeof(*spans), in == BY_THREAD ? by_thread : by_end);
    for (size_t i = 1; i < SPANS && in == IN_NONE; i++) {
        size_t other = (size_t)below(w, (int64_t)i);
        span moved = spans[i];
        spans[i] = spans[other];
        spans[other] = moved;
    }
    jfr_sample_begin(b, (int64_t)index * CHUNK_TICKS);
    for (uint64_t thread = 1; thread <= THREADS; thread++) {
        jfr_sample_thread(b, thread, thread == 1 && has_two_keys ? 2 : (int64_t)thread);
    }
    for (size_t i = 0; i < SPANS; i++) {
        jfr_sample_event(b, &(jfr_sample){
                                .type = spans[i].type,
                                .start = spans[i].begin,
                                .end = spans[i].end,
                                .thread = spans[i].thread,
                                .text = "x",
                            });
    }
    jfr_build_checkpoint(b);
    w->sources[index] = (compact_source){.jfr = jfr_build_finish(b)};
}

static void
run(const world *w, const compact_also *also, compact_result *results)
{
    const compact_options options = {
        .policy = w->rules, .has_requests = true, .has_ended = true, .also = also};
    const compact_carry *carry = NULL;
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(compact_chunk(&w->sources[i], &w->sources[i + 1], CHUNKS - i - 1, carry,
                             &options, &results[i], NULL),
            LP_OK);
        carry = results[i].carry;
    }
}

static uint64_t
compare(const world *w)
{
    static const compact_also nothing = {0};
    compact_result all[CHUNKS];
    compact_result some[CHUNKS];
    uint64_t dropped = 0;
    run(w, &nothing, all);
    run(w, NULL, some);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(some[i].stats.requests_in, all[i].stats.requests_in);
        assert_int_equal(some[i].stats.requests_out, all[i].stats.requests_out);
        assert_int_equal(some[i].jfr.len, all[i].jfr.len);
        assert_memory_equal(some[i].jfr.ptr, all[i].jfr.ptr, all[i].jfr.len);
        dropped += some[i].stats.requests_in - some[i].stats.requests_out;
        compact_result_fini(&all[i]);
        compact_result_fini(&some[i]);
    }
    return dropped;
}

static void
test_leaving_out_dropped_requests_changes_nothing(void **state)
{
    (void)state;
    static const char text[] = "<configuration><event name='test.Span'><setting name='threshold'>"
                               "1 s</setting></event></configuration>";
    policy *rules = policy_create();
    assert_non_null(rules);
    assert_int_equal(
        policy_parse(rules, "test", (lp_slice){(const uint8_t *)text, sizeof(text) - 1}, NULL),
        LP_OK);
    uint64_t dropped = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        world w = {.rules = rules, .seed = round};
        for (size_t i = 0; i < CHUNKS; i++) {
            build(&w, i, (order)(round % ORDERS), round / ORDERS % 3 == 0);
        }
        dropped += compare(&w);
        for (size_t i = 0; i < CHUNKS; i++) {
            jfr_build_fini(&w.builds[i]);
        }
    }
    policy_destroy(rules);
    assert_true(dropped > ROUNDS * (uint64_t)CHUNKS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaving_out_dropped_requests_changes_nothing),
    };
    return cmocka_run_group_tests_name("request_omitted", tests, NULL, NULL);
}
