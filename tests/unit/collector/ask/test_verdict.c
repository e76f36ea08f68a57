// SPDX-License-Identifier: Apache-2.0
// Verdicts on durations: an interval has the true quantile and the true mean of what random
// durations are drawn from, nearly always; the same twice is never slower nor faster; a real change
// is found where there are enough durations, and not where it is small, or where there are few. It
// takes some 0.2 s.

#include "collector/ask/sums/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 1000, DRAWN = 500 };

static const double MEAN_NS = 2e6;

// next_share returns a number in (0, 1).
static double
next_share(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return ((double)(*state >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

// draw adds durations that are exponentially distributed.
static void
draw(histogram *lengths, lp_arena *arena, uint64_t *state, size_t count, double mean_ns)
{
    for (size_t i = 0; i < count; i++) {
        histogram_add(lengths, arena, (int64_t)(-mean_ns * log(next_share(state))));
    }
}

static bool
has(verdict_estimate estimate, double truth_ns)
{
    return estimate.low_ns <= truth_ns && truth_ns <= estimate.high_ns;
}

static void
test_intervals_have_the_truth(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int missed[3] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        lp_arena arena = {0};
        histogram lengths = {0};
        draw(&lengths, &arena, &seed, DRAWN, MEAN_NS);
        missed[0] += !has(verdict_mean(&lengths), MEAN_NS);
        missed[1] += !has(verdict_quantile(&lengths, 0.5), MEAN_NS * log(2));
        missed[2] += !has(verdict_quantile(&lengths, 0.99), MEAN_NS * log(100));
        lp_arena_fini(&arena);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(missed[i], 0, 5); // one in a thousand, and the mean is not quite normal
    }
}

// verdicts_on compares two draws: whether the mean, the median and the p99 of the first are longer.
static void
verdicts_on(size_t count, double here_ns, double base_ns, verdict out[3])
{
    uint64_t seed = 11;
    lp_arena arena = {0};
    histogram here = {0};
    histogram base = {0};
    draw(&here, &arena, &seed, count, here_ns);
    draw(&base, &arena, &seed, count, base_ns);
    out[0] = verdict_of(verdict_mean(&here), verdict_mean(&base));
    out[1] = verdict_of(verdict_quantile(&here, 0.5), verdict_quantile(&base, 0.5));
    out[2] = verdict_of(verdict_quantile(&here, 0.99), verdict_quantile(&base, 0.99));
    lp_arena_fini(&arena);
}

static void
test_verdicts_need_effect_and_confidence(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        double here_ns;
        double base_ns;
        verdict mean;
        verdict median;
        verdict p99;
    } cases[] = {
        {100000, 2e6, 2e6, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE},
        {100000, 2.1e6, 2e6, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE}, // 5 %
        {100000, 2.3e6, 2e6, VERDICT_SLOWER, VERDICT_NONE, VERDICT_NONE},
        {100000, 4e6, 2e6, VERDICT_SLOWER, VERDICT_SLOWER, VERDICT_SLOWER},
        {100000, 2e6, 4e6, VERDICT_FASTER, VERDICT_FASTER, VERDICT_FASTER},
        {1000, 4e6, 2e6, VERDICT_SLOWER, VERDICT_SLOWER, VERDICT_NONE}, // 10 of the slowest percent
        {99, 4e6, 2e6, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE},
        {3, 4e9, 2e6, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        verdict found[3];
        verdicts_on(cases[i].count, cases[i].here_ns, cases[i].base_ns, found);
        assert_int_equal(found[0], cases[i].mean);
        assert_int_equal(found[1], cases[i].median);
        assert_int_equal(found[2], cases[i].p99);
    }
}

// Two durations that differ by a nanosecond, on both sides of a bucket's bound, are about the same.
static void
test_neighbouring_buckets_are_not_apart(void **state)
{
    (void)state;
    lp_arena arena = {0};
    histogram here = {0};
    histogram base = {0};
    int64_t bound_ns = (int64_t)histogram_bound_ns(80);
    for (int i = 0; i < 10000; i++) {
        histogram_add(&base, &arena, bound_ns);
        histogram_add(&here, &arena, bound_ns + 1);
    }
    assert_int_equal(
        verdict_of(verdict_quantile(&here, 0.5), verdict_quantile(&base, 0.5)), VERDICT_NONE);
    assert_int_equal(verdict_of(verdict_mean(&here), verdict_mean(&base)), VERDICT_NONE);
    lp_arena_fini(&arena);
}

static void
test_nothing_has_no_interval(void **state)
{
    (void)state;
    const histogram none = {0};
    assert_true(isinf(verdict_quantile(&none, 0.5).high_ns));
    assert_true(isinf(verdict_mean(&none).high_ns));
    assert_int_equal(verdict_of(verdict_mean(&none), verdict_mean(&none)), VERDICT_NONE);
    assert_null(verdict_name(VERDICT_NONE));
    assert_string_equal(verdict_name(VERDICT_SLOWER), "slower");
    assert_string_equal(verdict_name(VERDICT_FASTER), "faster");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals_have_the_truth),
        cmocka_unit_test(test_verdicts_need_effect_and_confidence),
        cmocka_unit_test(test_neighbouring_buckets_are_not_apart),
        cmocka_unit_test(test_nothing_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
