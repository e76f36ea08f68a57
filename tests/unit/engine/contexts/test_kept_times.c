// SPDX-License-Identifier: Apache-2.0
// Kept times: for each thread all times from a tick on and the last one before; no more than a
// limit, the oldest forgotten first. Checked against a plain list of all times.

#include "support/chance.h"

#include "engine/contexts/kept_times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TICKS = 60, TIMES_MAX = 20, THREADS = 5 };

static uint64_t seed = 1;

static uint32_t
random_below(uint32_t bound)
{
    return (uint32_t)chance_below(&seed, bound);
}

// How often something was kept at each tick: the times of a thread, or those left of them.
typedef struct model {
    size_t counts[TICKS];
} model;

// make_times makes a sorted list and adds it to the model.
static compact_times
make_times(int64_t items[TIMES_MAX], model *m)
{
    size_t count = random_below(TIMES_MAX + 1);
    size_t made = 0;
    for (int64_t tick = 0; tick < TICKS && made < count; tick++) {
        while (made < count && random_below(4) == 0) {
            items[made++] = tick;
            m->counts[tick]++;
        }
    }
    return (compact_times){items, made};
}

static int64_t
last_of(const model *m, int64_t ticks)
{
    int64_t last = COMPACT_NEVER;
    for (int64_t tick = 0; tick < TICKS && tick <= ticks; tick++) {
        last = m->counts[tick] > 0 ? tick : last;
    }
    return last;
}

static void
forget_before(model *m, int64_t recent_min)
{
    int64_t last_old = last_of(m, recent_min - 1);
    for (int64_t tick = 0; tick < recent_min; tick++) {
        m->counts[tick] = tick == last_old;
    }
}

static void
expect(const compact_kept_times *past, uint64_t identity, const model *m)
{
    compact_times times = compact_kept_times_find(past, identity);
    size_t at = 0;
    for (int64_t tick = 0; tick < TICKS; tick++) {
        for (size_t i = 0; i < m->counts[tick]; i++) {
            assert_true(at < times.count && times.items[at++] == tick);
        }
        assert_int_equal(compact_times_last(times, tick), last_of(m, tick));
    }
    assert_int_equal(at, times.count);
    assert_int_equal(compact_times_last(times, INT64_MAX), last_of(m, TICKS));
    assert_int_equal(compact_times_last(times, INT64_MIN), COMPACT_NEVER);
}

// limit_models forgets the oldest ticks, whole, until count times are left at most.
static void
limit_models(model models[THREADS], size_t count)
{
    size_t left = 0;
    bool is_full = false;
    for (int64_t tick = TICKS - 1; tick >= 0; tick--) {
        size_t here = 0;
        for (size_t t = 0; t < THREADS; t++) {
            here += models[t].counts[tick];
        }
        is_full |= left + here > count;
        left += here;
        for (size_t t = 0; t < THREADS && is_full; t++) {
            models[t].counts[tick] = 0;
        }
    }
}

static void
test_the_past_is_what_a_list_of_all_times_says(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        compact_kept_times past = {0};
        model models[THREADS] = {0};
        int64_t recent_min = random_below(TICKS + 1);
        for (uint64_t t = 0; t < THREADS; t++) {
            int64_t some[TIMES_MAX];
            int64_t others[TIMES_MAX];
            compact_times a = make_times(some, &models[t]);
            compact_times b = make_times(others, &models[t]);
            forget_before(&models[t], recent_min);
            assert_int_equal(compact_kept_times_add(&past, t * 4, a, b, recent_min), LP_OK);
        }
        for (uint64_t t = 0; t < THREADS; t++) {
            expect(&past, t * 4, &models[t]);
            assert_int_equal(compact_kept_times_find(&past, t * 4 + 1).count, 0);
        }
        size_t limit = random_below(60);
        limit_models(models, limit);
        assert_int_equal(compact_kept_times_limit(&past, limit), LP_OK);
        assert_in_range(past.times.count, 0, limit);
        for (uint64_t t = 0; t < THREADS; t++) {
            expect(&past, t * 4, &models[t]);
        }
        for (size_t i = 0; i < past.threads.count; i++) { // none without times
            assert_true(compact_kept_times_at(&past, i).count > 0);
        }
        compact_kept_times_fini(&past);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_past_is_what_a_list_of_all_times_says),
    };
    return cmocka_run_group_tests_name("compact_kept_times", tests, NULL, NULL);
}
