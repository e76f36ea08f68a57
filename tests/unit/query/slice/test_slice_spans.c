// SPDX-License-Identifier: Apache-2.0
// Spans of time on threads: whether one contains or overlaps a time, compared with a look at each.

#include "support/chance.h"

#include "query/slice/slice_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SPANS_MAX = 12, TIMES = 20, THREADS = 3, ROUNDS = 300 };

typedef struct plain_span {
    uint64_t thread;
    int64_t begin;
    int64_t end;
} plain_span;

static void
expect_same(const query_slice_spans *spans, const plain_span *plain, size_t count, uint64_t thread,
    int64_t begin, int64_t end)
{
    bool has = false;
    bool meets = false;
    for (size_t i = 0; i < count; i++) {
        bool is_on = plain[i].thread == thread;
        has |= is_on && plain[i].begin <= begin && plain[i].end >= end;
        meets |= is_on && plain[i].begin <= end && plain[i].end >= begin;
    }
    assert_int_equal(query_slice_spans_have(spans, thread, begin, end), has);
    assert_int_equal(query_slice_spans_meet(spans, thread, begin, end), meets);
}

static void
test_random_spans(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        query_slice_spans spans = {0};
        plain_span plain[SPANS_MAX];
        size_t count = chance_below(&seed, SPANS_MAX + 1);
        for (size_t i = 0; i < count; i++) {
            int64_t begin = (int64_t)chance_below(&seed, TIMES);
            plain[i] = (plain_span){chance_below(&seed, THREADS), begin,
                begin + (int64_t)chance_below(&seed, TIMES / 2)};
            assert_int_equal(
                query_slice_spans_add(&spans, plain[i].thread, plain[i].begin, plain[i].end),
                LP_OK);
        }
        assert_int_equal(query_slice_spans_finish(&spans), LP_OK);
        for (uint64_t thread = 0; thread < THREADS; thread++) {
            for (int64_t begin = -1; begin < TIMES; begin++) {
                expect_same(&spans, plain, count, thread, begin, begin);
                expect_same(&spans, plain, count, thread, begin, begin + 3);
            }
        }
        query_slice_spans_fini(&spans);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
