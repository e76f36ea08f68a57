// SPDX-License-Identifier: Apache-2.0
// The sample of contexts that context-throttle takes of a minute of requests at random, cut into
// chunks: as many as it may in each second, as many of each thread and each tenth of a second as
// there were requests (chi-square at the 0.1 % level), and everything in them. Seeds are fixed.

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
    CHUNKS = 12,
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
run(const request *all, jfr_build *builds, compact_result *results)
{
    compact_source sources[CHUNKS];
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
        "<event name='test.Trace'><setting name='context-throttle'>20/s</setting></event>");
    size_t next = 0;
    for (int64_t i = 0; i < CHUNKS; i++) {
        int64_t end = (i + 1) * (SECONDS / CHUNKS) * S;
        jfr_sample_begin(&builds[i], i * (SECONDS / CHUNKS) * S);
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
    compact_run(sources, CHUNKS, rules, COMPACT_RUN_SAVED, results);
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
read_kept(const compact_result *results, request *kept, request *marks, size_t *out_mark_count)
{
    size_t count = 0;
    *out_mark_count = 0;
    for (size_t i = 0; i < CHUNKS; i++) {
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

static void
test_requests_are_sampled_evenly_and_are_kept_whole(void **state)
{
    (void)state;
    static jfr_build builds[CHUNKS];
    static compact_result results[CHUNKS];
    request *all = make_requests();
    request *kept = calloc(REQUESTS, sizeof(*kept));
    request *marks = calloc(REQUESTS, sizeof(*marks));
    assert_true(kept != NULL && marks != NULL);
    run(all, builds, results);
    size_t mark_count;
    size_t count = read_kept(results, kept, marks, &mark_count);
    expect_sample(all, kept, count);
    for (size_t i = 0; i < mark_count; i++) {
        assert_true(is_in_kept(kept, count, marks[i].end, marks[i].thread));
    }
    size_t inside = 0;
    for (size_t i = 0; i < REQUESTS; i++) {
        inside += is_in_kept(kept, count, all[i].end - LENGTH / 2, all[i].thread);
    }
    assert_int_equal(mark_count, inside);
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_fini(&builds[i]);
        compact_result_fini(&results[i]);
    }
    free(all);
    free(kept);
    free(marks);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_are_sampled_evenly_and_are_kept_whole),
    };
    return cmocka_run_group_tests_name("quota_prop", tests, NULL, NULL);
}
