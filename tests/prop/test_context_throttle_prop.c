// SPDX-License-Identifier: Apache-2.0
// The sample of contexts that context-throttle takes of a minute of requests at random, cut into
// chunks of a fifth of a second to a minute: as many as it may in each second, as many of each
// thread and each tenth of a second as there were requests (chi-square at the 0.1 % level), the
// same ones however it is cut, and everything in them. Seeds are fixed.

#include "support/chance.h"
#include "support/compact_run.h"
#include "support/jfr_build.h"
#include "support/jfr_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    SECONDS = 60,
    CHUNKS_MAX = 300,
    REQUESTS = 300 * SECONDS,
    RATE = 20,
    THREADS = 4,
    TENTHS = 10,
};

static const int64_t S = 1000000000;   // ticks are nanoseconds
static const int64_t LENGTH = 3000000; // of a request
static const double CHI_3 = 16.27;     // one in 1,000 is above
static const double CHI_9 = 27.88;

typedef struct request {
    int64_t end;
    uint64_t thread;
} request;

static int
compare_ends(const void *a, const void *b)
{
    const request *x = a;
    const request *y = b;
    return (x->end > y->end) - (x->end < y->end);
}

static request *
make_requests(void)
{
    request *all = calloc(REQUESTS, sizeof(*all));
    assert_non_null(all);
    uint64_t chance = 7;
    for (size_t i = 0; i < REQUESTS; i++) {
        all[i].end = LENGTH + (int64_t)chance_below(&chance, (uint64_t)(SECONDS * S - LENGTH));
        // Threads have not equally much to do.
        all[i].thread = 1 + chance_below(&chance, 1 + chance_below(&chance, THREADS));
    }
    qsort(all, REQUESTS, sizeof(*all), compare_ends);
    return all;
}

// run builds the chunks, each request in that of its end with a mark in its middle, and compacts
// them.
static void
run(const request *all, int64_t chunks, jfr_build *builds, compact_result *results)
{
    static compact_source sources[CHUNKS_MAX];
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
        "<event name='test.Trace'><setting name='context-throttle'>20/s</setting></event>");
    size_t next = 0;
    for (int64_t i = 0; i < chunks; i++) {
        int64_t end = (i + 1) * SECONDS * S / chunks;
        jfr_sample_begin(&builds[i], i * SECONDS * S / chunks);
        for (; next < REQUESTS && all[next].end < end; next++) {
            const request *r = &all[next];
            (void)jfr_sample_event(&builds[i], &(jfr_sample){JFR_SAMPLE_MARK, r->end - LENGTH / 2,
                                                   r->end - LENGTH / 2, .thread = r->thread});
            (void)jfr_sample_event(&builds[i], &(jfr_sample){JFR_SAMPLE_TRACE, r->end - LENGTH,
                                                   r->end, .thread = r->thread, .text = "x"});
        }
        for (uint64_t key = 1; key <= THREADS; key++) {
            jfr_sample_thread(&builds[i], key, (int64_t)key);
        }
        jfr_build_checkpoint(&builds[i]);
        sources[i] = (compact_source){.jfr = jfr_build_finish(&builds[i])};
    }
    compact_run(sources, (size_t)chunks, rules, COMPACT_RUN_SAVED, results);
    policy_destroy(rules);
}

typedef struct tally {
    double of_second[SECONDS];
    double of_tenth[TENTHS];
    double of_thread[THREADS];
    double count;
} tally;

static void
add(tally *t, int64_t end, uint64_t thread)
{
    t->of_second[end / S]++;
    t->of_tenth[end % S * TENTHS / S]++;
    t->of_thread[thread - 1]++;
    t->count++;
}

// chi_square compares what was kept with what there was, place by place.
static double
chi_square(const double *kept, const double *all, size_t count, double share)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double want = all[i] * share;
        sum += (kept[i] - want) * (kept[i] - want) / want;
    }
    return sum;
}

// is_in_kept says whether a time on a thread lies in a request that is kept.
static bool
is_in_kept(const request *kept, size_t count, int64_t time, uint64_t thread)
{
    for (size_t i = 0; i < count; i++) {
        if (kept[i].thread == thread && kept[i].end - LENGTH <= time && time <= kept[i].end) {
            return true;
        }
    }
    return false;
}

static size_t
read_kept(const compact_result *results, int64_t chunks, request *kept, request *marks,
    size_t *out_mark_count)
{
    size_t count = 0;
    *out_mark_count = 0;
    for (int64_t i = 0; i < chunks; i++) {
        jfr_read read;
        compact_run_read(&results[i], &read);
        for (size_t k = 0; k < read.events.count; k++) {
            const jfr_read_event *event = &read.events.items[k];
            int64_t start = jfr_read_number(&read, event, "startTime");
            uint64_t thread = (uint64_t)jfr_read_number(&read, event, "eventThread");
            if (strcmp(jfr_read_name(&read, event), "test.Trace") == 0) {
                kept[count++] = (request){start + LENGTH, thread};
            } else {
                marks[(*out_mark_count)++] = (request){start, thread};
            }
        }
        jfr_read_close(&read);
    }
    return count;
}

static void
expect_sample(const request *all, const request *kept, size_t kept_count)
{
    tally before = {.count = 0};
    tally after = {.count = 0};
    for (size_t i = 0; i < REQUESTS; i++) {
        add(&before, all[i].end, all[i].thread);
    }
    for (size_t i = 0; i < kept_count; i++) {
        add(&after, kept[i].end, kept[i].thread);
    }
    for (size_t i = 0; i < SECONDS; i++) {
        assert_true(after.of_second[i] == RATE);
    }
    double share = after.count / before.count;
    assert_true(chi_square(after.of_tenth, before.of_tenth, TENTHS, share) < CHI_9);
    assert_true(chi_square(after.of_thread, before.of_thread, THREADS, share) < CHI_3);
}

// sample compacts all requests in so many chunks, expects that what is in those that are kept is
// kept, and nothing else, and returns how many these are.
static size_t
sample(const request *all, int64_t chunks, request *kept)
{
    static jfr_build builds[CHUNKS_MAX];
    static compact_result results[CHUNKS_MAX];
    request *marks = calloc(REQUESTS, sizeof(*marks));
    assert_non_null(marks);
    run(all, chunks, builds, results);
    size_t mark_count;
    size_t count = read_kept(results, chunks, kept, marks, &mark_count);
    for (size_t i = 0; i < mark_count; i++) {
        assert_true(is_in_kept(kept, count, marks[i].end, marks[i].thread));
    }
    size_t inside = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        inside += is_in_kept(kept, count, all[i].end - LENGTH / 2, all[i].thread);
    }
    assert_int_equal(mark_count, inside);
    for (int64_t i = 0; i < chunks; i++) {
        jfr_build_fini(&builds[i]);
        compact_result_fini(&results[i]);
    }
    free(marks);
    return count;
}

static void
test_requests_are_sampled_evenly_and_are_kept_whole(void **state)
{
    (void)state;
    static const int64_t cuts[] = {1, 12, 57, CHUNKS_MAX};
    request *all = make_requests();
    request *first = calloc(REQUESTS, sizeof(*first));
    request *kept = calloc(REQUESTS, sizeof(*kept));
    assert_true(first != NULL && kept != NULL);
    size_t count = sample(all, cuts[0], first);
    expect_sample(all, first, count);
    for (size_t i = 1; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        assert_int_equal(sample(all, cuts[i], kept), count);
        assert_memory_equal(kept, first, count * sizeof(*kept));
    }
    free(all);
    free(first);
    free(kept);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_are_sampled_evenly_and_are_kept_whole),
    };
    return cmocka_run_group_tests_name("quota_prop", tests, NULL, NULL);
}
