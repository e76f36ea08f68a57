// SPDX-License-Identifier: Apache-2.0
// Bars of a track become steps on lanes. A naive reader of the steps, which knows only that an end
// closes the last open bar of its lane, must find each bar with its own times, in no bar that it
// crosses; and bars of one owner that nest are on one lane.
//
// Cost: 2,000 random tracks, less than a second.

#include "support/chance.h"

#include "common/base/lp_vec.h"
#include "query/perfetto/bars.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LANES = QUERY_BAR_LANES_MAX, BARS = 40, TRACKS = 2000 };

typedef struct step {
    uint64_t place;
    uint32_t lane;
    query_bar_step step;
    int64_t wall_ns;
} step;

typedef struct taken {
    LP_VEC(step) steps;
    uint64_t left_out;
} taken;

static lp_err
on_step(void *arg, const query_bar *bar, uint32_t lane, query_bar_step kind, int64_t wall_ns)
{
    taken *t = arg;
    return LP_VEC_ADD(&t->steps, (step){bar->place, lane, kind, wall_ns});
}

static unsigned looks_left; // the last look ends the walk

static lp_err
look(void *arg)
{
    (void)arg;
    return looks_left == 0 || --looks_left > 0 ? LP_OK : LP_ECLOSED;
}

static query_bar
bar_at(int64_t begin, int64_t end, uint64_t place, query_bar_kind kind)
{
    return (query_bar){.begin = begin,
        .end = end,
        .begin_ns = 1000 + begin,
        .end_ns = 1000 + end,
        .place = place,
        .kind = (uint8_t)kind};
}

static taken
walk(query_bar *bars, size_t count, bool is_flat)
{
    taken t = {0};
    const query_bars_receiver to = {.on_step = on_step, .look = look, .arg = &t};
    assert_int_equal(query_bars_walk(bars, count, is_flat, &to, &t.left_out), LP_OK);
    return t;
}

static void
assert_steps(const taken *t, const step *expected, size_t count)
{
    assert_int_equal(t->steps.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t->steps.items[i].place, expected[i].place);
        assert_int_equal(t->steps.items[i].lane, expected[i].lane);
        assert_int_equal(t->steps.items[i].step, expected[i].step);
        assert_int_equal(t->steps.items[i].wall_ns, expected[i].wall_ns);
    }
}

#define ASSERT_STEPS(t, ...)                                                                       \
    do {                                                                                           \
        const step expected[] = {__VA_ARGS__};                                                     \
        assert_steps(&(t), expected, sizeof(expected) / sizeof(expected[0]));                      \
        LP_VEC_FINI(&(t).steps);                                                                   \
    } while (0)

static void
test_bars_nest_and_those_that_cross_get_a_lane(void **state)
{
    (void)state;
    query_bar bars[] = {
        bar_at(0, 10, 1, QUERY_BAR_STAY), bar_at(0, 4, 2, QUERY_BAR_EVENT),
        bar_at(10, 20, 3, QUERY_BAR_STAY), // begins when the first ends: not in it
        bar_at(15, 30, 4, QUERY_BAR_STAY), // crosses
        bar_at(16, 16, 5, QUERY_BAR_EVENT),
        bar_at(20, 20, 6, QUERY_BAR_EVENT), // both ends belong to a stay
    };
    bars[3].owner = bars[4].owner = 1;
    size_t count = query_bars_order(bars, 6);
    assert_int_equal(count, 6);
    taken t = walk(bars, count, false);
    ASSERT_STEPS(t, {1, 0, QUERY_BAR_BEGINS, 1000}, {2, 0, QUERY_BAR_BEGINS, 1000},
        {2, 0, QUERY_BAR_ENDS, 1004}, {1, 0, QUERY_BAR_ENDS, 1010}, {3, 0, QUERY_BAR_BEGINS, 1010},
        {4, 1, QUERY_BAR_BEGINS, 1015}, {5, 1, QUERY_BAR_INSTANT, 1016},
        {6, 0, QUERY_BAR_INSTANT, 1020}, {3, 0, QUERY_BAR_ENDS, 1020},
        {4, 1, QUERY_BAR_ENDS, 1030});
}

static void
test_a_bar_prefers_to_lie_in_another(void **state)
{
    (void)state;
    query_bar bars[] = {
        bar_at(0, 10, 1, QUERY_BAR_CONTEXT),
        bar_at(5, 20, 2, QUERY_BAR_CONTEXT),  // crosses
        bar_at(12, 15, 3, QUERY_BAR_CONTEXT), // in the second
        bar_at(22, 25, 4, QUERY_BAR_CONTEXT),
    };
    for (uint32_t i = 0; i < 4; i++) {
        bars[i].owner = i;
    }
    taken t = walk(bars, 4, false);
    ASSERT_STEPS(t, {1, 0, QUERY_BAR_BEGINS, 1000}, {2, 1, QUERY_BAR_BEGINS, 1005},
        {1, 0, QUERY_BAR_ENDS, 1010}, {3, 1, QUERY_BAR_BEGINS, 1012}, {3, 1, QUERY_BAR_ENDS, 1015},
        {2, 1, QUERY_BAR_ENDS, 1020}, {4, 0, QUERY_BAR_BEGINS, 1022}, {4, 0, QUERY_BAR_ENDS, 1025});
}

static void
test_no_bar_of_a_flat_track_is_in_another(void **state)
{
    (void)state;
    query_bar bars[] = {bar_at(0, 10, 1, QUERY_BAR_REQUEST), bar_at(2, 4, 2, QUERY_BAR_REQUEST),
        bar_at(4, 6, 3, QUERY_BAR_REQUEST), bar_at(5, 5, 4, QUERY_BAR_REQUEST)};
    taken t = walk(bars, query_bars_order(bars, 4), true);
    ASSERT_STEPS(t, {1, 0, QUERY_BAR_BEGINS, 1000}, {2, 1, QUERY_BAR_BEGINS, 1002},
        {2, 1, QUERY_BAR_ENDS, 1004}, {3, 1, QUERY_BAR_BEGINS, 1004},
        {4, 2, QUERY_BAR_INSTANT, 1005}, {1, 0, QUERY_BAR_ENDS, 1010},
        {3, 1, QUERY_BAR_ENDS, 1006});
}

static void
test_begins_and_ends_of_a_lane_never_go_back(void **state)
{
    (void)state;
    query_bar bars[] = {bar_at(0, 10, 1, QUERY_BAR_STAY), bar_at(11, 20, 2, QUERY_BAR_STAY),
        bar_at(12, 12, 3, QUERY_BAR_EVENT)};
    bars[1].begin_ns = 1005; // by the clock of the next chunk
    bars[1].end_ns = 1008;
    bars[2].begin_ns = 1006; // keeps its time: an arrow may begin here
    taken t = walk(bars, 3, false);
    ASSERT_STEPS(t, {1, 0, QUERY_BAR_BEGINS, 1000}, {1, 0, QUERY_BAR_ENDS, 1010},
        {2, 0, QUERY_BAR_BEGINS, 1010}, {3, 0, QUERY_BAR_INSTANT, 1006},
        {2, 0, QUERY_BAR_ENDS, 1010});
}

static void
test_what_is_there_twice_is_drawn_once(void **state)
{
    (void)state;
    query_bar bars[] = {
        bar_at(0, 10, 7, QUERY_BAR_STAY), // as long as the context
        bar_at(0, 10, 8, QUERY_BAR_CONTEXT),
        bar_at(0, 10, 9, QUERY_BAR_CONTEXT), // written last: around the other
        bar_at(3, 4, 1, QUERY_BAR_EVENT),
        bar_at(3, 4, 2, QUERY_BAR_EVENT),
        bar_at(3, 4, 1, QUERY_BAR_EVENT),
        bar_at(3, 4, 1, QUERY_BAR_EVENT),
    };
    static const uint64_t expected[] = {9, 8, 2, 1, 1};
    bars[6].track = 1;
    assert_int_equal(query_bars_order(bars, 7), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(bars[i].place, expected[i]);
    }
    assert_int_equal(query_bars_order(bars, 0), 0);
}

static void
test_bars_beyond_the_lanes_are_counted(void **state)
{
    (void)state;
    static query_bar bars[LANES + 3];
    for (size_t i = 0; i < LANES + 3; i++) {
        bars[i] = bar_at((int64_t)i, (int64_t)(i + LANES + 10), i, QUERY_BAR_STAY);
    }
    taken t = walk(bars, LANES + 3, false);
    assert_int_equal(t.left_out, 3);
    assert_int_equal(t.steps.count, 2 * LANES);
    LP_VEC_FINI(&t.steps);
}

// read reads the steps as Perfetto does, and checks that each ends the bar that it is of.
static void
read(const taken *t, const query_bar *bars, size_t count)
{
    static uint64_t open[BARS][BARS];
    size_t depth[BARS] = {0};
    int64_t last_ns[BARS] = {0};
    size_t shown[BARS] = {0};
    for (size_t i = 0; i < t->steps.count; i++) {
        const step *at = &t->steps.items[i];
        uint32_t lane = at->lane;
        assert_true(lane < BARS && at->place < BARS && at->wall_ns >= last_ns[lane]);
        last_ns[lane] = at->wall_ns;
        if (at->step == QUERY_BAR_ENDS) {
            assert_true(depth[lane] > 0);
            assert_int_equal(open[lane][--depth[lane]], at->place);
        } else {
            shown[at->place]++;
        }
        if (at->step == QUERY_BAR_BEGINS) {
            open[lane][depth[lane]++] = at->place;
        }
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(shown[bars[i].place], 1);
    }
    for (size_t i = 0; i < BARS; i++) {
        assert_int_equal(depth[i], 0);
    }
}

static void
test_random_tracks_nest(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < TRACKS; i++) {
        query_bar bars[BARS];
        size_t count = chance_below(&seed, BARS + 1);
        for (size_t k = 0; k < count; k++) {
            int64_t begin = (int64_t)chance_below(&seed, 30);
            int64_t end = begin + (int64_t)chance_below(&seed, 12);
            bars[k] = bar_at(begin, end, k, (query_bar_kind)chance_below(&seed, 4));
            bars[k].owner = (uint32_t)chance_below(&seed, 3);
        }
        count = query_bars_order(bars, count);
        taken t = walk(bars, count, chance_below(&seed, 4) == 0);
        assert_int_equal(t.left_out, 0);
        read(&t, bars, count);
        LP_VEC_FINI(&t.steps);
    }
}

// Hostile bars need all lanes, and take long.
static void
test_a_walk_that_nobody_needs_ends(void **state)
{
    (void)state;
    static query_bar bars[2 * LANES];
    for (size_t i = 0; i < 2 * LANES; i++) {
        bars[i] = bar_at((int64_t)i, (int64_t)(i + 2 * LANES), i, QUERY_BAR_STAY);
    }
    taken t = {0};
    const query_bars_receiver to = {.on_step = on_step, .look = look, .arg = &t};
    looks_left = 1;
    assert_int_equal(query_bars_walk(bars, 2 * LANES, false, &to, &t.left_out), LP_ECLOSED);
    assert_in_range(t.steps.count, 1, LANES - 1);
    t.steps.count = 0;
    looks_left = 20; // without lanes, there are no steps, but looks
    assert_int_equal(query_bars_walk(bars, 2 * LANES, false, &to, &t.left_out), LP_ECLOSED);
    assert_in_range(t.left_out, 1, LANES - 1);
    looks_left = 0;
    LP_VEC_FINI(&t.steps);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars_nest_and_those_that_cross_get_a_lane),
        cmocka_unit_test(test_a_bar_prefers_to_lie_in_another),
        cmocka_unit_test(test_no_bar_of_a_flat_track_is_in_another),
        cmocka_unit_test(test_begins_and_ends_of_a_lane_never_go_back),
        cmocka_unit_test(test_what_is_there_twice_is_drawn_once),
        cmocka_unit_test(test_bars_beyond_the_lanes_are_counted),
        cmocka_unit_test(test_a_walk_that_nobody_needs_ends),
        cmocka_unit_test(test_random_tracks_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
