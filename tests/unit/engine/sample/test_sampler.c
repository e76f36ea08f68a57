// SPDX-License-Identifier: Apache-2.0
// Loads of known populations are fed to the sampler, and its output is judged without knowing how
// it decides. Units of up to a second keep exactly the maximum, or all events if these are fewer.
// Longer units never keep more than the maximum, and nearly as many if the population allows it;
// they lose no more beside unused room than the sampler reserved. The kept events are spread over
// time and keys as the population is (chi-square and Kolmogorov-Smirnov, at the 0.1 % level).
// Simple samplers that get one of these wrong must fail the same judges.

#include "support/chance.h"
#include "support/compact_run.h"

#include "engine/carry/carry.h"
#include "engine/sample/choose.h"
#include "engine/sample/sampler.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t NS_PER_S = 1000000000;

enum { KEYS = 7, EVENTS_MAX = 1 << 20 };

// The offered events, ascending, and the kept ones.
typedef struct load {
    uint64_t seed;
    int64_t *times;
    bool *is_kept;
    size_t count;
} load;

static void
load_init(load *l, uint64_t seed)
{
    *l = (load){.seed = seed,
        .times = malloc(EVENTS_MAX * sizeof(*l->times)),
        .is_kept = calloc(EVENTS_MAX, sizeof(*l->is_kept))};
    assert_true(l->times != NULL && l->is_kept != NULL);
}

static void
load_fini(load *l)
{
    free(l->times);
    free(l->is_kept);
}

static double
fraction(load *l)
{
    return ((double)chance_below(&l->seed, (uint64_t)1 << 32) + 0.5) / 4294967296.0;
}

// arrive adds a number of events at random times to each of several units.
static void
arrive(load *l, int64_t unit_ns, double from, double to, double per_unit)
{
    for (double at = from - log(fraction(l)) / per_unit; at < to;
         at -= log(fraction(l)) / per_unit) {
        assert_true(l->count < EVENTS_MAX);
        l->times[l->count++] = (int64_t)(at * (double)unit_ns);
    }
}

static int
compare_times(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

// burst adds a number of events within a part of a unit.
static void
burst(load *l, int64_t unit_ns, double from, double length, size_t count)
{
    size_t first = l->count;
    for (size_t i = 0; i < count; i++) {
        assert_true(l->count < EVENTS_MAX);
        l->times[l->count++] = (int64_t)((from + fraction(l) * length) * (double)unit_ns);
    }
    qsort(l->times + first, count, sizeof(*l->times), compare_times);
}

// --- Loads; count is that of the throttle

typedef void make_load(load *l, int64_t unit_ns, double count);

static void
steady(load *l, int64_t unit_ns, double count)
{
    arrive(l, unit_ns, 0, 60, 10 * count);
}

static void
steady_and_little_more(load *l, int64_t unit_ns, double count)
{
    arrive(l, unit_ns, 0, 60, 1.5 * count);
}

static void
growing(load *l, int64_t unit_ns, double count)
{
    for (int i = 0; i < 600; i++) { // in steps that are a tenth of a unit
        arrive(l, unit_ns, i / 10.0, (i + 1) / 10.0, (5 + 15 * i / 600.0) * count);
    }
}

static void
bursts_at_random(load *l, int64_t unit_ns, double count)
{
    for (int i = 0; i < 60 * 40; i++) { // 40 in a unit, each of a quarter of the count
        burst(l, unit_ns, i / 40.0 + fraction(l) / 50, 0.004, (size_t)(count / 4));
    }
}

static void
one_burst_in_each_unit(load *l, int64_t unit_ns, double count)
{
    for (int i = 0; i < 60; i++) {
        burst(l, unit_ns, i, 0.02, (size_t)(10 * count));
    }
}

static void
changing_every_few_units(load *l, int64_t unit_ns, double count)
{
    for (int i = 0; i < 60; i += 10) {
        arrive(l, unit_ns, i, i + 3, 20 * count);
        arrive(l, unit_ns, i + 3, i + 10, 2 * count);
    }
}

static const struct {
    const char *name;
    make_load *make;
    double kept_min; // of what could be
    // The counts for which all parts of a unit have their share within what chance allows. With
    // few, the ends of units are seen where there is hardly more than the count; with many, how far
    // the estimates lag behind (docs/internals/elimination.md#how-throttles-choose).
    int64_t even_from;
    int64_t even_to;
} loads[] = {
    {"steady", steady, 0.98, 30, 1000},
    {"steady and little more", steady_and_little_more, 0.98, 1000, 1000},
    {"growing", growing, 0.98, 30, 100},
    {"bursts at random", bursts_at_random, 0.97, 30, 100},
    {"one burst in each unit", one_burst_in_each_unit, 0.95, 30, 100},
    {"changing every few units", changing_every_few_units, 0.9, 0, 0},
};
enum { LOADS = sizeof(loads) / sizeof(loads[0]) };

// --- Samplers: ours, and some that are worse

typedef void sample(load *l, policy_throttle rate);

// sample_slot has a sampler choose among the events from first on that are in the same slot, and
// returns the first that is not.
static size_t
sample_slot(compact_sampler *sampler, load *l, size_t first)
{
    int64_t slot = compact_sampler_slot(sampler, l->times[first]);
    size_t end = first;
    while (end < l->count && compact_sampler_slot(sampler, l->times[end]) == slot) {
        end++;
    }
    compact_chance chance;
    uint64_t room = compact_sampler_open(sampler, slot, end - first, 0, &chance);
    room = room < end - first ? room : end - first;
    compact_sampler_take(sampler, room);
    compact_choose_equal(&chance, room, end - first, l->is_kept + first);
    assert_true(compact_sampler_is_sound(sampler));
    return end;
}

static void
ours(load *l, policy_throttle rate)
{
    compact_sampler sampler;
    compact_sampler_init(&sampler, "test.Event", 0, rate);
    for (size_t i = 0; i < l->count;) {
        i = sample_slot(&sampler, l, i);
    }
}

static void
the_first(load *l, policy_throttle rate)
{
    int64_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        bool is_new = i == 0 || l->times[i] / rate.per_ns != l->times[i - 1] / rate.per_ns;
        kept = is_new ? 0 : kept;
        l->is_kept[i] = kept < rate.count;
        kept += l->is_kept[i];
    }
}

// every_so_many keeps every k-th, with a k that fits steady loads of ten times the rate.
static void
every_so_many(load *l, policy_throttle rate)
{
    int64_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        bool is_new = i == 0 || l->times[i] / rate.per_ns != l->times[i - 1] / rate.per_ns;
        kept = is_new ? 0 : kept;
        l->is_kept[i] = kept < rate.count && i % (2 * KEYS) == 0;
        kept += l->is_kept[i];
    }
}

// without_debt gives each tenth of a unit a tenth of the count, used or not.
static void
without_debt(load *l, policy_throttle rate)
{
    the_first(l, (policy_throttle){rate.count / 10, rate.per_ns / 10});
}

// --- Judges

// most_in_a_unit counts from the times themselves.
static int64_t
most_in_a_unit(const load *l, int64_t unit_ns)
{
    int64_t most = 0;
    int64_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        bool is_new = i == 0 || l->times[i] / unit_ns != l->times[i - 1] / unit_ns;
        kept = (is_new ? 0 : kept) + l->is_kept[i];
        most = kept > most ? kept : most;
    }
    return most;
}

// kept_share is how much was kept of what could be: of each unit's events, count at most.
static double
kept_share(const load *l, policy_throttle rate)
{
    int64_t could = 0;
    int64_t kept = 0;
    for (size_t i = 0, end = 0; i < l->count; i = end) {
        while (end < l->count && l->times[end] / rate.per_ns == l->times[i] / rate.per_ns) {
            kept += l->is_kept[end++];
        }
        could += (int64_t)(end - i) < rate.count ? (int64_t)(end - i) : rate.count;
    }
    return (double)kept / (double)could;
}

// chi_square_max is the value that chance exceeds once in a thousand times (Wilson and Hilferty).
static double
chi_square_max(double freedom)
{
    double part = 2 / (9 * freedom);
    double root = 1 - part + 3.0902 * sqrt(part);
    return freedom * root * root * root;
}

// is_spread_over_keys compares the keys of the kept events with the keys of the population, which
// take turns.
static bool
is_spread_over_keys(const load *l)
{
    double offered[KEYS] = {0};
    double kept[KEYS] = {0};
    double kept_all = 0;
    double statistic = 0;
    for (size_t i = 0; i < l->count; i++) {
        offered[i % KEYS]++;
        kept[i % KEYS] += l->is_kept[i];
        kept_all += l->is_kept[i];
    }
    for (size_t i = 0; i < KEYS; i++) {
        double expected = kept_all * offered[i] / (double)l->count;
        statistic += (kept[i] - expected) * (kept[i] - expected) / expected;
    }
    return statistic <= chi_square_max(KEYS - 1);
}

// is_spread_over_units asks, for all units together, at which place among the events of its unit
// each kept one was: they should lie evenly in [0, 1) (Kolmogorov and Smirnov). It skips the first
// unit.
static bool
is_spread_over_units(const load *l, int64_t unit_ns)
{
    enum { PLACES = 1000 };
    double places[PLACES] = {0};
    double kept = 0;
    for (size_t i = 0, end = 0; i < l->count; i = end) {
        while (end < l->count && l->times[end] / unit_ns == l->times[i] / unit_ns) {
            end++;
        }
        for (size_t k = i; k < end && i > 0; k++) {
            places[(k - i) * PLACES / (end - i)] += l->is_kept[k];
            kept += l->is_kept[k];
        }
    }
    double distance = 0;
    double sum = 0;
    for (size_t i = 0; i < PLACES; i++) {
        sum += places[i];
        double off = fabs(sum / kept - (double)(i + 1) / PLACES);
        distance = off > distance ? off : distance;
    }
    return distance * sqrt(kept) <= 1.95;
}

// is_spread_over_parts compares how many events were kept in each part of each unit with the
// population's shares of that unit (chi-square). It skips the first unit.
static bool
is_spread_over_parts(const load *l, int64_t unit_ns, size_t parts)
{
    double statistic = 0;
    double freedom = 0;
    for (size_t i = 0, end = 0; i < l->count; i = end) {
        double offered[60] = {0};
        double kept[60] = {0};
        double kept_all = 0;
        for (; end < l->count && l->times[end] / unit_ns == l->times[i] / unit_ns; end++) {
            size_t part = (size_t)(l->times[end] % unit_ns) * parts / (size_t)unit_ns;
            offered[part]++;
            kept[part] += l->is_kept[end];
            kept_all += l->is_kept[end];
        }
        for (size_t k = 0; k < parts && i > 0; k++) {
            double expected = kept_all * offered[k] / (double)(end - i);
            if (expected > 0) {
                statistic += (kept[k] - expected) * (kept[k] - expected) / expected;
                freedom++;
            }
        }
        freedom -= i > 0;
    }
    return freedom == 0 || statistic <= chi_square_max(freedom);
}

// make makes a load and samples it.
static void
make(load *l, size_t which, policy_throttle rate, sample *by)
{
    load_init(l, 1 + which);
    loads[which].make(l, rate.per_ns, (double)rate.count);
    by(l, rate);
}

// --- Tests

static void
test_no_unit_has_more_than_its_count_and_nearly_as_much(void **state)
{
    (void)state;
    static const int64_t counts[] = {10, 100, 1000};
    for (size_t which = 0; which < LOADS; which++) {
        for (size_t i = 0; i < 3; i++) {
            const policy_throttle rate = {counts[i], NS_PER_S};
            load l;
            make(&l, which, rate, ours);
            double share = kept_share(&l, rate);
            if (most_in_a_unit(&l, rate.per_ns) > rate.count ||
                share < loads[which].kept_min - (rate.count < 100 ? 0.1 : 0)) {
                fail_msg("%s, %d/s: at most %d, %.3f of what could be", loads[which].name,
                    (int)rate.count, (int)most_in_a_unit(&l, rate.per_ns), share);
            }
            load_fini(&l);
        }
    }
}

static void
test_what_is_kept_is_spread_as_the_population_is(void **state)
{
    (void)state;
    static const int64_t counts[] = {30, 100, 1000};
    for (size_t which = 0; which < LOADS; which++) {
        for (size_t i = 0; i < 3; i++) {
            int64_t count = counts[i];
            const policy_throttle rate = {count, NS_PER_S};
            load l;
            make(&l, which, rate, ours);
            if (!is_spread_over_keys(&l)) {
                fail_msg("%s: keys", loads[which].name);
            }
            bool is_even = count >= loads[which].even_from && count <= loads[which].even_to;
            if (is_even && !is_spread_over_units(&l, rate.per_ns)) {
                fail_msg("%s, %d/s: places in units", loads[which].name, (int)count);
            }
            if (is_even && !is_spread_over_parts(&l, rate.per_ns, 10)) {
                fail_msg("%s, %d/s: tenths of units", loads[which].name, (int)count);
            }
            load_fini(&l);
        }
    }
}

static void
test_each_second_of_a_minute_has_its_share(void **state)
{
    (void)state;
    const policy_throttle rate = {600, 60 * NS_PER_S};
    for (size_t which = 0; which < LOADS; which++) {
        load l;
        make(&l, which, rate, ours);
        if (loads[which].even_to > 0 && !is_spread_over_parts(&l, rate.per_ns, 60)) {
            fail_msg("%s", loads[which].name);
        }
        load_fini(&l);
    }
}

static void
test_worse_samplers_fail(void **state)
{
    (void)state;
    const policy_throttle rate = {100, NS_PER_S};
    load l;
    make(&l, 0, rate, the_first);
    assert_false(is_spread_over_units(&l, rate.per_ns));
    assert_false(is_spread_over_parts(&l, rate.per_ns, 10));
    load_fini(&l);
    make(&l, 0, rate, every_so_many);
    assert_false(is_spread_over_keys(&l));
    load_fini(&l);
    make(&l, 4, rate, without_debt);
    assert_true(kept_share(&l, rate) < loads[4].kept_min);
    load_fini(&l);
}

static size_t
kept_before(const load *l, int64_t end)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count && l->times[i] < end; i++) {
        kept += l->is_kept[i];
    }
    return kept;
}

static void
test_units_of_up_to_a_second_are_exact(void **state)
{
    (void)state;
    static const int64_t units[] = {1000, 1000000, NS_PER_S};
    for (size_t which = 0; which < LOADS; which++) {
        for (size_t i = 0; i < 3; i++) {
            const policy_throttle rate = {100, units[i]};
            load l;
            make(&l, which, rate, ours);
            assert_true(kept_share(&l, rate) == 1);
            assert_int_equal(most_in_a_unit(&l, rate.per_ns), 100);
            load_fini(&l);
        }
    }
}

static void
test_a_first_burst_is_kept_as_far_as_it_may_be(void **state)
{
    (void)state;
    static const size_t bursts[][2] = {{20, 20}, {50, 50}, {90, 90}, {100, 100}, {1000, 100}};
    for (size_t i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++) {
        load l;
        load_init(&l, 8);
        burst(&l, NS_PER_S, 0.3, 0.01, bursts[i][0]);
        ours(&l, (policy_throttle){100, NS_PER_S});
        assert_int_equal(kept_before(&l, NS_PER_S), bursts[i][1]);
        load_fini(&l);
    }
}

static void
test_all_is_kept_of_a_minute_where_there_is_little(void **state)
{
    (void)state;
    static const int64_t counts[] = {60, 600, 6000};
    static const struct {
        double load;
        double kept_min;
    } rows[] = {{0.1, 1}, {0.5, 0.995}, {0.8, 0.99}, {0.9, 0.985}, {1, 0.97}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
            const policy_throttle rate = {counts[i], 60 * NS_PER_S};
            load l;
            load_init(&l, 7);
            arrive(&l, rate.per_ns, 0, 60, rows[row].load * (double)rate.count);
            ours(&l, rate);
            if (kept_share(&l, rate) < rows[row].kept_min) {
                fail_msg("%.1f of %d/m: kept %.4f", rows[row].load, (int)rate.count,
                    kept_share(&l, rate));
            }
            load_fini(&l);
        }
    }
}

static void
test_a_burst_that_fits_into_a_minute_is_kept_whole_once_it_is_usual(void **state)
{
    (void)state;
    const policy_throttle rate = {100, 60 * NS_PER_S};
    load l;
    load_init(&l, 8);
    for (int i = 0; i < 60; i++) {
        burst(&l, rate.per_ns, 10 * i + fraction(&l) / 2, 0.01, 90);
    }
    ours(&l, rate);
    size_t lost = 0;
    for (size_t i = 90; i < l.count; i++) {
        lost += !l.is_kept[i];
    }
    assert_int_equal(lost, 0);
    load_fini(&l);
}

static void
test_a_flood_of_which_nothing_was_known_is_sampled_to_its_end(void **state)
{
    (void)state;
    const policy_throttle rate = {100, 60 * NS_PER_S};
    load l;
    load_init(&l, 11);
    arrive(&l, rate.per_ns, 0, 1, 5000);
    ours(&l, rate);
    assert_in_range(kept_before(&l, rate.per_ns / 10), 10, 20);
    assert_in_range(kept_before(&l, rate.per_ns / 2), 50, 60);
    assert_in_range(kept_before(&l, rate.per_ns), 97, 100);
    load_fini(&l);
}

static void
test_the_square_root_is_kept_at_once_of_a_minute_of_which_nothing_was_known(void **state)
{
    (void)state;
    static const size_t bursts[][2] = {{4, 4}, {10, 10}, {20, 10}, {90, 10}, {1000, 10}};
    for (size_t i = 0; i < sizeof(bursts) / sizeof(bursts[0]); i++) {
        load l;
        load_init(&l, 12);
        burst(&l, 60 * NS_PER_S, 0.1, 0.0001, bursts[i][0]);
        ours(&l, (policy_throttle){100, 60 * NS_PER_S});
        assert_in_range(kept_before(&l, 60 * NS_PER_S), bursts[i][1], bursts[i][1] + 3);
        load_fini(&l);
    }
}

// most_ahead returns by how many events the kept ones of a unit were ahead of an even spread, at
// the end of any second.
static double
most_ahead(const load *l, policy_throttle rate)
{
    double most = 0;
    double kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        bool is_new = i == 0 || l->times[i] / rate.per_ns != l->times[i - 1] / rate.per_ns;
        kept = (is_new ? 0 : kept) + l->is_kept[i];
        int64_t second_end = (l->times[i] % rate.per_ns / NS_PER_S + 1) * NS_PER_S;
        double ahead = kept - (double)rate.count * (double)second_end / (double)rate.per_ns;
        most = ahead > most ? ahead : most;
    }
    return most;
}

// Each grows at the beginning of a unit, or in the middle of one.
static void
test_a_load_that_grows_is_spread_from_then_on(void **state)
{
    (void)state;
    static const struct {
        double before; // parts of the count in a unit
        double after;
        double from;
    } rows[] = {{0.002, 100, 3}, {0.002, 100, 3.37}, {0.5, 20, 5}, {0.5, 100, 5.37}, {2, 20, 5},
        {2, 20, 5.37}};
    static const int64_t units[] = {60, 3600};
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const policy_throttle rate = {600, units[i % 2] * NS_PER_S};
        load l;
        load_init(&l, 14 + i);
        arrive(&l, rate.per_ns, 0, rows[i / 2].from, rows[i / 2].before * (double)rate.count);
        arrive(&l, rate.per_ns, rows[i / 2].from, 8, rows[i / 2].after * (double)rate.count);
        ours(&l, rate);
        assert_int_equal(most_in_a_unit(&l, rate.per_ns), rate.count);
        if (most_ahead(&l, rate) > 0.35 * (double)rate.count) {
            fail_msg("from %.3f to %.0f times the count in %d s: %.0f ahead", rows[i / 2].before,
                rows[i / 2].after, (int)units[i % 2], most_ahead(&l, rate));
        }
        load_fini(&l);
    }
}

// As contexts that only other contexts trigger: they turn up one after the other, after the slot
// was opened.
static void
test_events_that_turn_up_later_are_spread_too(void **state)
{
    (void)state;
    const policy_throttle rate = {600, 60 * NS_PER_S};
    compact_sampler sampler;
    compact_sampler_init(&sampler, "test.Event", 0, rate);
    for (int64_t slot = 0; slot < 300; slot++) {
        compact_chance chance;
        uint64_t room = compact_sampler_open_partly(&sampler, slot, 0, &chance);
        for (uint64_t i = 0; i < 30; i++) {
            compact_sampler_see(&sampler);
            compact_sampler_take(&sampler, i < room);
        }
        double even = 10.0 * (double)(slot % 60 + 1);
        if (fabs((double)sampler.kept - even) > 3 * sqrt(600)) {
            fail_msg("second %d: %d", (int)slot, (int)sampler.kept);
        }
    }
}

static void
test_a_type_that_the_jvm_throttles_alike_passes_nearly_untouched(void **state)
{
    (void)state;
    const policy_throttle rate = {150, NS_PER_S};
    load jvm;
    load l;
    make(&jvm, 0, rate, ours);
    load_init(&l, 9);
    for (size_t i = 0; i < jvm.count; i++) {
        if (jvm.is_kept[i]) {
            l.times[l.count++] = jvm.times[i] + NS_PER_S / 3; // its units are others
        }
    }
    ours(&l, rate);
    size_t kept = 0;
    for (size_t i = 0; i < l.count; i++) {
        kept += l.is_kept[i];
    }
    assert_true((double)kept / (double)l.count > 0.95);
    load_fini(&jvm);
    load_fini(&l);
}

static void
test_all_units_are_as_long_as_they_say(void **state)
{
    (void)state;
    static const int64_t units[] = {
        1, 1000, 1000000, NS_PER_S, 60 * NS_PER_S, 3600 * NS_PER_S, 86400 * NS_PER_S};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        const policy_throttle rate = {4, units[i]};
        load l;
        load_init(&l, 10 + i);
        arrive(&l, units[i], 0, 500, 40);
        ours(&l, rate);
        assert_int_equal(most_in_a_unit(&l, units[i]), 4);
        assert_true(kept_share(&l, rate) > 0.9);
        load_fini(&l);
    }
}

static void
open_slot(compact_sampler *sampler, int64_t slot, uint64_t population, uint64_t expected_room)
{
    compact_chance chance;
    assert_int_equal(compact_sampler_open(sampler, slot, population, 0, &chance), expected_room);
}

static void
test_units_go_on_before_1970(void **state)
{
    (void)state;
    compact_sampler one;
    compact_sampler_init(&one, "test.Event", 0, (policy_throttle){1, NS_PER_S});
    assert_int_equal(compact_sampler_slot(&one, -NS_PER_S), -1);
    assert_int_equal(
        compact_sampler_slot(&one, -1), -1); // [-1 s, 0) is one unit, [0, 1 s) the next
    assert_int_equal(compact_sampler_slot(&one, 0), 0);
    assert_int_equal(compact_sampler_slot_end(&one, -1), 0);
    assert_true(compact_sampler_slot_end(&one, INT64_MAX) == INT64_MAX);
    const policy_throttle rate = {100, 60 * NS_PER_S};
    load l;
    load_init(&l, 13);
    arrive(&l, rate.per_ns, -60, -1, 1000);
    ours(&l, rate);
    assert_int_equal(most_in_a_unit(&l, rate.per_ns), 100);
    assert_true(kept_share(&l, rate) > 0.98);
    load_fini(&l);
}

static void
test_what_is_kept_in_any_case_leaves_less_room(void **state)
{
    (void)state;
    compact_sampler sampler;
    compact_chance chance;
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){5, NS_PER_S});
    assert_int_equal(compact_sampler_open(&sampler, 7, 10, 2, &chance), 3);
    compact_sampler_take(&sampler, 3);
    assert_int_equal(compact_sampler_open(&sampler, 8, 10, 9, &chance), 0);
    assert_int_equal(sampler.kept, 5);
}

static void
test_what_comes_late_takes_the_room_that_is_left(void **state)
{
    (void)state;
    compact_sampler sampler;
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){3, NS_PER_S});
    open_slot(&sampler, 7, 2, 3);
    compact_sampler_take(&sampler, 2);
    assert_true(compact_sampler_keep_late(&sampler));
    assert_false(compact_sampler_keep_late(&sampler));
    open_slot(&sampler, 8, 1, 3);
}

static void
test_absurd_slots_do_no_harm(void **state)
{
    (void)state;
    static const int64_t slots[] = {10, INT64_MAX / NS_PER_S, INT64_MIN / NS_PER_S, 11, 11, 10};
    compact_sampler sampler;
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){2, 3600 * NS_PER_S});
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        compact_chance chance;
        uint64_t room = compact_sampler_open(&sampler, slots[i], INT32_MAX, 0, &chance);
        assert_in_range(room, 0, 2);
        assert_true(compact_sampler_is_sound(&sampler));
    }
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){2, 1});
    open_slot(&sampler, INT64_MAX, 9, 2);
    open_slot(&sampler, INT64_MIN, 9, 2);
}

// A slot that no time lies in is no sampler's.
static void
test_slots_without_a_time_are_not_sound(void **state)
{
    (void)state;
    static const int64_t last = INT64_MAX / NS_PER_S;
    compact_sampler sampler;
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){2, 3600 * NS_PER_S});
    sampler.slot = last;
    assert_true(compact_sampler_is_sound(&sampler));
    sampler.slot = last + 1;
    assert_false(compact_sampler_is_sound(&sampler));
    sampler.slot = -last - 1; // which begins before the first nanosecond
    assert_true(compact_sampler_is_sound(&sampler));
    sampler.slot = -last - 2;
    assert_false(compact_sampler_is_sound(&sampler));
    compact_sampler_init(&sampler, "test.Event", 0, (policy_throttle){2, 1});
    sampler.slot = INT64_MAX;
    assert_true(compact_sampler_is_sound(&sampler));
}

static void
test_the_same_events_are_kept_each_time_and_others_of_another_type(void **state)
{
    (void)state;
    const policy_throttle rate = {100, NS_PER_S};
    load l;
    load same;
    make(&l, 0, rate, ours);
    make(&same, 0, rate, ours);
    assert_memory_equal(l.is_kept, same.is_kept, l.count * sizeof(*l.is_kept));
    compact_sampler other;
    compact_sampler_init(&other, "test.Other", 0, rate);
    for (size_t i = 0; i < same.count;) {
        i = sample_slot(&other, &same, i);
    }
    size_t differing = 0;
    for (size_t i = 0; i < l.count; i++) {
        differing += same.is_kept[i] != l.is_kept[i];
    }
    assert_true(differing > l.count / 10);
    load_fini(&l);
    load_fini(&same);
}

// The unused room of a unit with a dropped event is at most the room that was reserved at that
// time: the estimate of the coming events, with which the unit would have been full.
static void
test_no_more_is_lost_than_was_held_back(void **state)
{
    (void)state;
    const policy_throttle rate = {300, 60 * NS_PER_S};
    uint64_t seed = 5;
    size_t seen = 0;
    for (int round = 0; round < 300; round++) {
        compact_sampler sampler;
        compact_sampler_init(&sampler, "test.Event", 0, rate);
        uint64_t held = 0;
        bool has_dropped = false;
        for (int64_t slot = 0; slot < 600; slot++) {
            if (slot % 60 == 0) {
                seen += has_dropped && sampler.kept < 300;
                assert_true(!has_dropped || 300 - sampler.kept <= held);
                has_dropped = false;
            }
            uint64_t population = chance_below(&seed, 4) > 0 ? 0 : chance_below(&seed, 300);
            if (population == 0) {
                continue;
            }
            compact_chance chance;
            uint64_t room = compact_sampler_open(&sampler, slot, population, 0, &chance);
            room = room < population ? room : population;
            compact_sampler_take(&sampler, room);
            if (room < population) {
                has_dropped = true;
                held = compact_sampler_coming(&sampler, population) + 1; // rounded
            }
        }
    }
    assert_true(seen > 100);
}

// save_and_load takes a sampler through a carry-over's bytes.
static void
save_and_load(compact_sampler *sampler)
{
    compact_carry *carry = compact_carry_create();
    assert_non_null(carry);
    uint32_t index;
    assert_int_equal(
        compact_throttles_add(&carry->throttles, "test.Event", sampler->throttle, &index), LP_OK);
    carry->throttles.items.items[index].sampler = *sampler;
    compact_carry *loaded = compact_run_through_bytes(carry);
    assert_int_equal(loaded->throttles.items.count, 1);
    *sampler = loaded->throttles.items.items[0].sampler;
    compact_carry_destroy(carry);
    compact_carry_destroy(loaded);
}

static void
test_a_saved_sampler_goes_on_as_it_would_have(void **state)
{
    (void)state;
    const policy_throttle rate = {600, 60 * NS_PER_S};
    for (size_t which = 0; which < LOADS; which++) {
        load l;
        load saved;
        make(&l, which, rate, ours);
        make(&saved, which, rate, ours);
        compact_sampler sampler;
        compact_sampler_init(&sampler, "test.Event", 0, rate);
        for (size_t i = 0; i < saved.count;) {
            save_and_load(&sampler);
            i = sample_slot(&sampler, &saved, i);
        }
        assert_memory_equal(l.is_kept, saved.is_kept, l.count * sizeof(*l.is_kept));
        load_fini(&l);
        load_fini(&saved);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_unit_has_more_than_its_count_and_nearly_as_much),
        cmocka_unit_test(test_what_is_kept_is_spread_as_the_population_is),
        cmocka_unit_test(test_each_second_of_a_minute_has_its_share),
        cmocka_unit_test(test_worse_samplers_fail),
        cmocka_unit_test(test_units_of_up_to_a_second_are_exact),
        cmocka_unit_test(test_a_first_burst_is_kept_as_far_as_it_may_be),
        cmocka_unit_test(test_all_is_kept_of_a_minute_where_there_is_little),
        cmocka_unit_test(test_a_burst_that_fits_into_a_minute_is_kept_whole_once_it_is_usual),
        cmocka_unit_test(test_a_flood_of_which_nothing_was_known_is_sampled_to_its_end),
        cmocka_unit_test(
            test_the_square_root_is_kept_at_once_of_a_minute_of_which_nothing_was_known),
        cmocka_unit_test(test_a_load_that_grows_is_spread_from_then_on),
        cmocka_unit_test(test_events_that_turn_up_later_are_spread_too),
        cmocka_unit_test(test_a_type_that_the_jvm_throttles_alike_passes_nearly_untouched),
        cmocka_unit_test(test_all_units_are_as_long_as_they_say),
        cmocka_unit_test(test_units_go_on_before_1970),
        cmocka_unit_test(test_what_is_kept_in_any_case_leaves_less_room),
        cmocka_unit_test(test_what_comes_late_takes_the_room_that_is_left),
        cmocka_unit_test(test_absurd_slots_do_no_harm),
        cmocka_unit_test(test_slots_without_a_time_are_not_sound),
        cmocka_unit_test(test_the_same_events_are_kept_each_time_and_others_of_another_type),
        cmocka_unit_test(test_no_more_is_lost_than_was_held_back),
        cmocka_unit_test(test_a_saved_sampler_goes_on_as_it_would_have),
    };
    return cmocka_run_group_tests_name("compact_sampler", tests, NULL, NULL);
}
