// SPDX-License-Identifier: Apache-2.0
// What throttles choose of loads that are known, cut into chunks of a fifth of a second to a
// minute: in each second as many as there may be, from the first burst on; of each thread and of
// each tenth of a second its share (chi-square at the 0.1 % level), spread over the second as all
// events are (Kolmogorov and Smirnov). And of samples of allocations what each class has allocated
// in a second, within twice 1 / sqrt(n) for n samples. In a minute of which nothing is known, of
// loads that are steady, come in bursts, or begin after a silence: never more than there may be,
// and at each time what an even spread would have kept by then, within three times the square root
// of that. Seeds are fixed.

#include "support/alloc_build.h"
#include "support/chance.h"
#include "support/compact_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    SECONDS = 20,
    MINUTE = 60,
    EVENTS_MAX = 40000,
    CHUNKS_MAX = 120,
    THREADS = 4,
    CLASSES = 5,
    TENTHS = 10,
    RATE = 100,
};

static const int64_t S = 1000000000;             // ticks are nanoseconds
static const int64_t MINUTE_BEGIN = 40000000000; // a minute of the chunks' clock begins there
static const double CHI_3 = 16.27;               // one in 1,000 is above
static const double CHI_9 = 27.88;

typedef struct event {
    int64_t time;
    uint64_t thread;
    uint64_t class;
    uint64_t bytes;
    int64_t weight; // -1: it was dropped
} event;

typedef struct load {
    event *events;
    size_t count;
    size_t in_second[MINUTE];
    int64_t begin;  // in ticks
    size_t seconds; // how long it is
} load;

static int
compare_times(const void *a, const void *b)
{
    const event *x = a;
    const event *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

// A load has so many events in a second.
typedef size_t load_shape(size_t second);

static size_t
steady(size_t second)
{
    (void)second;
    return 5 * RATE;
}

static size_t
just_fitting(size_t second)
{
    return RATE - second % 2;
}

static size_t
growing(size_t second)
{
    return (second + 1) * (second + 1) * RATE / 10;
}

static size_t
with_floods(size_t second)
{
    return second % 5 == 0 ? 20 * RATE : RATE / 2;
}

static load
begin_load(int64_t begin, size_t seconds)
{
    load out = {.events = calloc(EVENTS_MAX, sizeof(event)), .begin = begin, .seconds = seconds};
    assert_non_null(out.events);
    return out;
}

// add_events adds events of a second that come within a part of it.
static void
add_events(load *out, size_t second, size_t count, int64_t from, int64_t length, uint64_t *chance)
{
    out->in_second[second] += count;
    for (size_t i = 0; i < count; i++) {
        uint64_t class = chance_below(chance, CLASSES);
        assert_true(out->count < EVENTS_MAX);
        out->events[out->count++] = (event){
            .time = out->begin + (int64_t)second * S + from +
                    (int64_t)chance_below(chance, (uint64_t)length),
            .thread = 1 + chance_below(chance, 1 + chance_below(chance, THREADS)),
            .class = class,
            .bytes = ((uint64_t)100 << 2 * class) + chance_below(chance, 100),
            .weight = -1,
        };
    }
}

// end_load puts the events in order, no two of them at once.
static void
end_load(load *out)
{
    qsort(out->events, out->count, sizeof(event), compare_times);
    for (size_t i = 1; i < out->count; i++) {
        int64_t last = out->events[i - 1].time;
        out->events[i].time = out->events[i].time > last ? out->events[i].time : last + 1;
    }
}

// make_load makes the events; those of a second with a burst are in a tenth of it.
static load
make_load(load_shape *shape, bool is_burst, uint64_t *chance)
{
    load out = begin_load(0, SECONDS);
    for (size_t second = 0; second < SECONDS; second++) {
        int64_t from = is_burst ? (int64_t)(second % 9) * S / 10 : 0;
        add_events(&out, second, shape(second), from, is_burst ? S / 10 : S, chance);
    }
    end_load(&out);
    return out;
}

static event *
find_at(const load *all, int64_t time)
{
    return bsearch(&(event){.time = time}, all->events, all->count, sizeof(event), compare_times);
}

// --- Running the engine

static void
append(jfr_build *build, const event *e, bool is_alloc)
{
    if (is_alloc) {
        (void)alloc_build_event(build, &(alloc_event){.type = ALLOC_OUTSIDE,
                                           .time = e->time,
                                           .thread = e->thread,
                                           .class = ALLOC_CLASS + e->class,
                                           .bytes = e->bytes});
    } else {
        (void)jfr_sample_event(
            build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = e->time, .thread = e->thread});
    }
}

static void
build_chunk(const load *all, int64_t begin, int64_t end, bool is_alloc, jfr_build *build)
{
    if (is_alloc) {
        alloc_build_begin(build, begin, ALLOC_JDK_11);
    } else {
        jfr_sample_begin(build, begin);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (all->events[i].time >= begin && all->events[i].time < end) {
            append(build, &all->events[i], is_alloc);
        }
    }
    for (uint64_t key = 1; key <= THREADS; key++) {
        jfr_sample_thread(build, key, (int64_t)key);
    }
    for (uint64_t class = 0; class < CLASSES && is_alloc; class ++) {
        alloc_build_class(build, ALLOC_CLASS + class);
    }
    jfr_build_checkpoint(build);
}

// note_kept notes what is left, and how much it weighs.
static void
note_kept(const load *all, const compact_result *result, bool is_alloc)
{
    jfr_read read;
    compact_run_read(result, &read);
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *kept = &read.events.items[i];
        event *e = find_at(all, jfr_read_number(&read, kept, "startTime"));
        assert_non_null(e);
        assert_int_equal(e->weight, -1);
        e->weight = is_alloc ? jfr_read_number(&read, kept, "weight") : 1;
    }
    jfr_read_close(&read);
}

// run compacts a load in chunks of about that length, with a throttle.
static void
run(load *all, const char *rate, bool is_alloc, int64_t chunk_ns, uint64_t *chance)
{
    static jfr_build builds[CHUNKS_MAX];
    static compact_source sources[CHUNKS_MAX];
    static compact_result results[CHUNKS_MAX];
    char text[400];
    (void)snprintf(text, sizeof(text),
        "<event name='test.Mark'><setting name='throttle'>%s</setting></event>"
        "<event name='jdk.ObjectAllocationSample'><setting name='enabled'>true</setting>"
        "<setting name='throttle'>%s</setting></event>",
        rate, rate);
    policy *rules = compact_run_policy(text);
    size_t count = 0;
    for (int64_t begin = all->begin; begin < all->begin + (int64_t)all->seconds * S; count++) {
        int64_t end = begin + chunk_ns / 2 + (int64_t)chance_below(chance, (uint64_t)chunk_ns);
        assert_true(count < CHUNKS_MAX);
        build_chunk(all, begin, end, is_alloc, &builds[count]);
        sources[count] = (compact_source){.jfr = jfr_build_finish(&builds[count])};
        begin = end;
    }
    compact_run(sources, count, rules, COMPACT_RUN_AS_IT_IS, results);
    for (size_t i = 0; i < count; i++) {
        note_kept(all, &results[i], is_alloc);
        compact_result_fini(&results[i]);
        jfr_build_fini(&builds[i]);
    }
    policy_destroy(rules);
}

// --- Judging it

static void
expect_counts(const load *all)
{
    size_t kept[SECONDS] = {0};
    for (size_t i = 0; i < all->count; i++) {
        kept[all->events[i].time / S] += all->events[i].weight >= 0;
    }
    for (size_t i = 0; i < SECONDS; i++) {
        assert_int_equal(kept[i], all->in_second[i] < RATE ? all->in_second[i] : RATE);
    }
}

// share_of returns the chance that each event of a second has.
static double
share_of(const load *all, const event *e)
{
    size_t passed = all->in_second[e->time / S];
    return passed <= RATE ? 1 : (double)RATE / (double)passed;
}

static double
chi_square(const double *kept, const double *expected, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = kept[i] - expected[i];
        sum += expected[i] > 0 ? difference * difference / expected[i] : 0;
    }
    return sum;
}

static void
expect_fair(const load *all)
{
    double of_tenth[2][TENTHS] = {{0}};
    double of_thread[2][THREADS] = {{0}};
    double sum[2] = {0};
    double worst = 0;
    for (size_t i = 0; i < all->count; i++) {
        const event *e = &all->events[i];
        const double add[2] = {e->weight >= 0 ? 1 : 0, share_of(all, e)};
        for (size_t k = 0; k < 2; k++) {
            of_tenth[k][e->time % S * TENTHS / S] += add[k];
            of_thread[k][e->thread - 1] += add[k];
            sum[k] += add[k];
        }
        worst = fmax(worst, fabs(sum[0] - sum[1]));
    }
    assert_true(chi_square(of_tenth[0], of_tenth[1], TENTHS) < CHI_9);
    assert_true(chi_square(of_thread[0], of_thread[1], THREADS) < CHI_3);
    // Neighbours compete, so wherever one looks, as many were kept as had to be, but for one.
    assert_true(worst < 1.5);
}

// What a class allocated in a second, what its samples weigh, and how many of them are to be
// expected.
typedef struct class_second {
    double allocated;
    double weighed;
    double samples;
} class_second;

static void
add_classes(const load *all, class_second cells[SECONDS][CLASSES])
{
    double of_second[SECONDS] = {0};
    double weighed[SECONDS] = {0};
    for (size_t i = 0; i < all->count; i++) {
        const event *e = &all->events[i];
        class_second *cell = &cells[e->time / S][e->class];
        double weight = e->weight >= 0 ? (double)e->weight : 0;
        cell->allocated += (double)e->bytes;
        cell->weighed += weight;
        of_second[e->time / S] += (double)e->bytes;
        weighed[e->time / S] += weight;
    }
    for (size_t i = 0; i < SECONDS; i++) {
        assert_true(weighed[i] == of_second[i]);
        for (size_t k = 0; k < CLASSES; k++) {
            double kept = all->in_second[i] < RATE ? (double)all->in_second[i] : RATE;
            cells[i][k].samples = kept * cells[i][k].allocated / of_second[i];
        }
    }
}

// expect_weights looks at the classes with some samples in a second: one in twenty may be farther
// off than twice what is usual, none four times.
static void
expect_weights(const load *all)
{
    static class_second cells[SECONDS][CLASSES];
    double seen = 0;
    double above = 0;
    memset(cells, 0, sizeof(cells));
    add_classes(all, cells);
    for (size_t i = 0; i < SECONDS * CLASSES; i++) {
        const class_second *cell = &cells[i / CLASSES][i % CLASSES];
        if (cell->samples >= 4) {
            double error = fabs(cell->weighed - cell->allocated) / cell->allocated;
            assert_true(error < 4 / sqrt(cell->samples));
            above += error > 2 / sqrt(cell->samples);
            seen++;
        }
    }
    assert_true(seen >= SECONDS && above <= seen / 20);
}

static void
expect_right(load_shape *shape, bool is_burst)
{
    static const int64_t chunks_ns[] = {300000000, 1700000000, 60000000000};
    uint64_t chance = 11;
    for (size_t i = 0; i < sizeof(chunks_ns) / sizeof(chunks_ns[0]); i++) {
        load events = make_load(shape, is_burst, &chance);
        run(&events, "100/s", false, chunks_ns[i], &chance);
        expect_counts(&events);
        expect_fair(&events);
        free(events.events);
        load allocations = make_load(shape, is_burst, &chance);
        run(&allocations, "100/s", true, chunks_ns[i], &chance);
        expect_counts(&allocations);
        expect_weights(&allocations);
        free(allocations.events);
    }
}

static void
test_a_steady_load(void **state)
{
    (void)state;
    expect_right(steady, false);
}

static void
test_a_load_that_just_fits(void **state)
{
    (void)state;
    expect_right(just_fitting, false);
    expect_right(just_fitting, true);
}

static void
test_a_growing_load(void **state)
{
    (void)state;
    expect_right(growing, false);
}

static void
test_bursts_and_floods(void **state)
{
    (void)state;
    expect_right(steady, true);
    expect_right(with_floods, true);
    expect_right(with_floods, false);
}

// Seconds of which no sample is kept leave their bytes to the next sample: none is lost, none
// counts twice.
static void
test_bytes_wait_for_the_next_sample(void **state)
{
    (void)state;
    uint64_t chance = 5;
    load all = make_load(steady, false, &chance);
    run(&all, "20/m", true, 1700000000, &chance);
    int64_t last = 0; // second of which a sample is kept
    size_t kept = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (all.events[i].weight >= 0) {
            kept++;
            last = all.events[i].time / S > last ? all.events[i].time / S : last;
        }
    }
    uint64_t weighed = 0;
    uint64_t allocated = 0;
    for (size_t i = 0; i < all.count; i++) {
        const event *e = &all.events[i];
        weighed += e->weight >= 0 ? (uint64_t)e->weight : 0;
        allocated += e->time / S <= last ? e->bytes : 0;
    }
    assert_true(kept > 1 && kept < (size_t)last); // there are seconds without one
    assert_true(weighed == allocated);
    free(all.events);
}

// --- Minutes of which nothing is known

// A load of a minute, and from when on it comes at an even rate up to the end; MINUTE if it does
// not.
typedef struct minute {
    load load;
    size_t steady_from;
} minute;

// make_flood makes a load that begins at some second, after nothing or a few events, with at least
// twice as many events a second as an even spread of what is kept would have.
static minute
make_flood(size_t count, size_t begin, uint64_t *chance)
{
    minute out = {begin_load(MINUTE_BEGIN, MINUTE), begin};
    size_t a_second = 2 * count / (MINUTE - begin) + 50 + chance_below(chance, 300);
    for (size_t second = 0; second < MINUTE; second++) {
        bool is_few = second < begin && chance_below(chance, 20) == 0;
        add_events(&out.load, second, second < begin ? is_few : a_second, 0, S, chance);
    }
    end_load(&out.load);
    return out;
}

static minute
make_bursts(size_t count, uint64_t *chance)
{
    minute out = {begin_load(MINUTE_BEGIN, MINUTE), MINUTE};
    for (size_t bursts = 1 + chance_below(chance, 8); bursts > 0; bursts--) {
        size_t events = 1 + chance_below(chance, 3 * count);
        add_events(&out.load, chance_below(chance, MINUTE), events, S / 3, S / 100, chance);
    }
    end_load(&out.load);
    return out;
}

// expect_spread compares how many were kept by the end of each second with an even spread: over the
// minute, which nothing may be ahead of, and over the time from which the load is steady.
static void
expect_spread(const minute *m, size_t count)
{
    const double slack = 3 * sqrt((double)count);
    size_t kept_in[MINUTE] = {0};
    double kept = 0;
    for (size_t i = 0; i < m->load.count; i++) {
        const event *e = &m->load.events[i];
        kept_in[(e->time - MINUTE_BEGIN) / S] += e->weight >= 0;
    }
    for (size_t second = 0; second < MINUTE; second++) {
        kept += (double)kept_in[second];
        assert_true(kept <= (double)count);
        assert_true(kept <= (double)(count * (second + 1)) / MINUTE + slack);
        if (second >= m->steady_from) {
            double passed = (double)(second + 1 - m->steady_from);
            double even = (double)count * passed / (double)(MINUTE - m->steady_from);
            assert_true(fabs(kept - even) <= slack);
        }
    }
    assert_true(m->steady_from == MINUTE || kept >= (double)count - 1);
}

static void
expect_even(minute m, size_t count, uint64_t *chance)
{
    static const int64_t chunks_ns[] = {3000000000, 20000000000, 90000000000};
    char rate[40];
    (void)snprintf(rate, sizeof(rate), "%zu/m", count);
    run(&m.load, rate, false, chunks_ns[chance_below(chance, 3)], chance);
    expect_spread(&m, count);
    free(m.load.events);
}

static void
test_a_minute_is_spread_evenly_whatever_comes(void **state)
{
    (void)state;
    static const size_t counts[] = {5, 30, 100, 300, 600};
    uint64_t chance = 17;
    for (size_t i = 0; i < 4 * sizeof(counts) / sizeof(counts[0]); i++) {
        size_t count = counts[i / 4];
        expect_even(make_flood(count, 0, &chance), count, &chance);
        expect_even(make_flood(count, 1 + chance_below(&chance, 54), &chance), count, &chance);
        expect_even(make_bursts(count, &chance), count, &chance);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_steady_load),
        cmocka_unit_test(test_a_load_that_just_fits),
        cmocka_unit_test(test_a_growing_load),
        cmocka_unit_test(test_bursts_and_floods),
        cmocka_unit_test(test_bytes_wait_for_the_next_sample),
        cmocka_unit_test(test_a_minute_is_spread_evenly_whatever_comes),
    };
    return cmocka_run_group_tests_name("sample_prop", tests, NULL, NULL);
}
