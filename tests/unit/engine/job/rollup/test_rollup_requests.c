// SPDX-License-Identifier: Apache-2.0
// The requests of a chunk in its rollup and its statistics. Each counts once, where it ends. The
// time of a kept one is the time of its stays by category, and the time without a working thread.
// An exemplar names its request; an event accounts for dropped requests. A person counted the
// expected numbers. Then lists of random requests, cut into windows, against a naive count.

#include "support/chance.h"
#include "support/compact_run.h"
#include "support/jfr_sample.h"

#include "engine/job/job.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/job/stats.h"
#include "engine/read/context_sums.h"
#include "engine/read/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { START = 1000 };

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
expect(
    const rollup_numbers *numbers, uint64_t all, uint64_t all_ns, uint64_t kept, uint64_t kept_ns)
{
    assert_int_equal(numbers->all.count, all);
    assert_int_equal(numbers->all.sum_ns, all_ns);
    assert_int_equal(numbers->kept.count, kept);
    assert_int_equal(numbers->kept.sum_ns, kept_ns);
}

static const rollup_numbers *
value_of(const rollup_type *type, const char *name, const char *text)
{
    const rollup_attribute *attribute = rollup_find_attribute(type, name);
    assert_non_null(attribute);
    for (size_t i = 0; i < attribute->values.count; i++) {
        const lp_slice value = attribute->values.items[i].text;
        if (value.len == strlen(text) && memcmp(value.ptr, text, value.len) == 0) {
            return &attribute->values.items[i].numbers;
        }
    }
    fail_msg("no %s=%s", name, text);
    return NULL;
}

// compact compacts a chunk whose requests are given.
static void
compact(jfr_build *build, const compact_requests *requests, compact_result *result)
{
    jfr_build_checkpoint(build);
    const compact_source source = {.jfr = jfr_build_finish(build)};
    const compact_options options = {.has_rollup = true};
    compact_view view;
    compact_sums sums = {0};
    compact_job job;
    *result = (compact_result){0};
    rollup_init(&result->rollup);
    assert_int_equal(compact_view_open_counted(&view, source.jfr, NULL, false, &sums, NULL), LP_OK);
    compact_job_init(&job, &(compact_frame){.source = &source, .view = &view, .options = &options});
    assert_int_equal(compact_job_decide(&job, NULL), LP_OK);
    job.decided.requests = requests;
    assert_int_equal(compact_job_write(&job, result, NULL), LP_OK);
    compact_job_fini(&job);
    compact_view_close(&view);
    compact_sums_fini(&sums);
}

// expect_account expects the event with these numbers; first and last are the losses at either end.
// Kept requests are slow, or kept in parts; one of the others was dropped.
static void
expect_account(const compact_result *result, int64_t offered, int64_t kept, int64_t first,
    int64_t last, int64_t slow)
{
    jfr_read read;
    size_t found = 0;
    jfr_read_open(&read, lp_buf_slice(&result->jfr));
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        if (strcmp(jfr_read_name(&read, event), "dev.loupe.RequestAccounting") == 0) {
            found++;
            assert_int_equal(jfr_read_number(&read, event, "startTime"), START);
            assert_int_equal(jfr_read_number(&read, event, "offered"), offered);
            assert_int_equal(jfr_read_number(&read, event, "kept"), kept);
            assert_int_equal(jfr_read_number(&read, event, "rootsWithoutEnd"), first);
            assert_int_equal(jfr_read_number(&read, event, "routesOverLimit"), last);
            assert_int_equal(jfr_read_number(&read, event, "keptBySlow"), slow);
            assert_int_equal(jfr_read_number(&read, event, "keptByParts"), kept - slow);
            assert_int_equal(jfr_read_number(&read, event, "keptByCondition"), 0);
            assert_int_equal(jfr_read_number(&read, event, "droppedByBudget"), kept - slow);
            assert_int_equal(jfr_read_number(&read, event, "droppedByDrop"), offered - kept);
        }
    }
    assert_int_equal(found, 1);
    jfr_read_close(&read);
}

static compact_request_attribute orders[] = {
    {"path", {(const uint8_t *)"/orders", 7}},
    {"traceId", {(const uint8_t *)"4bf92f35", 8}},
};
static compact_request_attribute root[] = {{"path", {(const uint8_t *)"/", 1}}};

// One of 400 ns, on thread 1 for 100 ns and on thread 2 for 100 ns; one that was dropped; one that
// counted in an earlier chunk; one that is still open; and one of which no part is known.
static compact_request items[] = {
    {.id = 0xa51,
        .begin = 1100,
        .end = 1500,
        .busy_ticks = 200,
        .queued_ticks = 50,
        .is_over = true,
        .type = "shop.Request",
        .attributes = orders,
        .attribute_count = 2,
        .is_kept = true,
        .kept_by = COMPACT_REQUEST_KEPT_SLOW},
    {.id = 2,
        .begin = 1200,
        .end = 1210,
        .busy_ticks = 10,
        .is_over = true,
        .type = "shop.Request",
        .attributes = root,
        .attribute_count = 1,
        .dropped_by = COMPACT_REQUEST_DROPPED_DROP},
    {.id = 3,
        .begin = 900,
        .end = 990,
        .is_over = true,
        .is_counted = true,
        .type = "shop.Request",
        .is_kept = true,
        .kept_by = COMPACT_REQUEST_KEPT_RARE},
    {.id = 4,
        .begin = 1600,
        .end = 1900,
        .type = "shop.Batch",
        .is_kept = true,
        .kept_by = COMPACT_REQUEST_KEPT_OPEN},
    {.id = 5,
        .begin = 1000,
        .end = 1007,
        .busy_ticks = 9,
        .is_over = true,
        .is_kept = true,
        .kept_by = COMPACT_REQUEST_KEPT_PARTS,
        .dropped_by = COMPACT_REQUEST_DROPPED_BUDGET},
};

static void
test_requests_count_where_they_are_over(void **state)
{
    (void)state;
    jfr_build build;
    jfr_sample_begin(&build, START);
    jfr_sample_thread(&build, 1, 11);
    jfr_sample_thread(&build, 2, 12);
    static const jfr_sample events[] = {
        {.type = JFR_SAMPLE_PLAIN, .start = 1090, .end = 1130, .thread = 1}, // 30 ns of it
        {.type = JFR_SAMPLE_PLAIN, .start = 1350, .end = 1360, .thread = 2},
        {.type = JFR_SAMPLE_PLAIN, .start = 1350, .end = 1390, .thread = 1}, // elsewhere
        {.type = JFR_SAMPLE_PLAIN, .start = 1620, .end = 1625, .thread = 2},
    };
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        (void)jfr_sample_event(&build, &events[i]);
    }
    compact_stay stays[] = {
        {compact_identity_java(11), 1100, 1200, 0}, {compact_identity_java(11), 1200, 1210, 1},
        {compact_identity_java(12), 1300, 1400, 0}, {compact_identity_java(12), 1600, 1700, 3},
        {compact_identity_java(99), 1600, 1700, 0}, // of which the chunk knows nothing
    };
    const compact_requests requests = {
        .items = {.items = items, .count = sizeof(items) / sizeof(items[0])},
        .stays = {.items = stays, .count = sizeof(stays) / sizeof(stays[0])},
        .losses = {1, 2, 3, 4, 5, 6, 7},
    };
    compact_result result;
    compact(&build, &requests, &result);

    const rollup *sums = &result.rollup;
    assert_int_equal(sums->longest_ns[ROLLUP_REQUESTS], 400); // of those with an event
    assert_int_equal(sums->requests.count, 3);
    const rollup_type *request = rollup_find_request(sums, "shop.Request");
    assert_non_null(request);
    expect(&request->numbers, 2, 410, 1, 400);
    assert_int_equal(request->numbers.time_ns[TIME_OTHER], 40);
    assert_int_equal(request->numbers.left_ns, 160);
    assert_int_equal(request->numbers.time_ns[TIME_QUEUED], 50);
    assert_int_equal(request->numbers.time_ns[TIME_ELSEWHERE], 150);
    expect(value_of(request, "path", "/"), 1, 10, 0, 0);
    expect(value_of(request, "path", "/orders"), 1, 400, 1, 400);
    assert_int_equal(value_of(request, "path", "/orders")->left_ns, 160);
    assert_int_equal(value_of(request, "path", "/orders")->time_ns[TIME_QUEUED], 50);
    assert_int_equal(value_of(request, "path", "/")->time_ns[TIME_ELSEWHERE], 0);

    assert_int_equal(request->exemplars.count, 1);
    const rollup_exemplar *exemplar = &request->exemplars.items[0];
    assert_int_equal(exemplar->duration_ns, 400);
    assert_true(exemplar->request == 0xa51);
    assert_string_equal(exemplar->trace, "4bf92f35");

    const rollup_type *batch = rollup_find_request(sums, "shop.Batch");
    assert_non_null(batch); // what its thread did so far
    expect(&batch->numbers, 0, 0, 0, 0);
    assert_int_equal(batch->numbers.time_ns[TIME_OTHER], 5);
    assert_int_equal(batch->numbers.left_ns, 95);
    const rollup_type *unknown = rollup_find_request(sums, COMPACT_REQUEST_UNKNOWN_TYPE);
    assert_non_null(unknown);
    expect(&unknown->numbers, 1, 7, 1, 7);
    assert_int_equal(unknown->numbers.time_ns[TIME_ELSEWHERE], 0);
    assert_int_equal(sums->types.count, 0);

    assert_int_equal(result.stats.requests_in, 3);
    assert_int_equal(result.stats.requests_out, 2);
    expect_account(&result, 3, 2, 1, 7, 1);

    compact_stats total = {0};
    assert_int_equal(compact_stats_add(&total, &result.stats), LP_OK);
    assert_int_equal(compact_stats_add(&total, &result.stats), LP_OK);
    assert_int_equal(total.requests_in, 6);
    assert_int_equal(total.requests_out, 4);
    const compact_request_losses twice = {2, 4, 6, 8, 10, 12, 14};
    assert_memory_equal(&total.request_losses, &twice, sizeof(twice));
    const compact_request_reasons reasons = {
        .kept[COMPACT_REQUEST_KEPT_SLOW] = 2,
        .kept[COMPACT_REQUEST_KEPT_PARTS] = 2,
        .dropped[COMPACT_REQUEST_DROPPED_DROP] = 2,
        .dropped[COMPACT_REQUEST_DROPPED_BUDGET] = 2,
    };
    assert_memory_equal(&total.request_reasons, &reasons, sizeof(reasons));
    compact_stats_fini(&total);
    compact_result_fini(&result);
    jfr_build_fini(&build);
}

// Of more stays than are divided, every third is, and counts for three.
static void
test_some_of_many_stays_count_for_all(void **state)
{
    (void)state;
    enum { STAYS = 3 * COMPACT_ROLLUP_DIVIDED_MAX };
    jfr_build build;
    jfr_sample_begin(&build, START);
    jfr_sample_thread(&build, 1, 11);
    (void)jfr_sample_event(
        &build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN, .start = 2000, .end = 2004, .thread = 1});
    compact_stay *stays = calloc(STAYS, sizeof(*stays));
    assert_non_null(stays);
    for (int i = 0; i < STAYS; i++) {
        stays[i] = (compact_stay){compact_identity_java(11), 2000 + 10 * i, 2005 + 10 * i, 0};
    }
    const compact_requests requests = {
        .items = {.items = items, .count = 1},
        .stays = {.items = stays, .count = STAYS},
    };
    compact_result result;
    compact(&build, &requests, &result);
    const rollup_type *request = rollup_find_request(&result.rollup, "shop.Request");
    assert_non_null(request);
    assert_int_equal(request->numbers.time_ns[TIME_OTHER], 3 * 4);
    assert_int_equal(request->numbers.left_ns, 5 * STAYS - 3 * 4);
    expect_account(&result, 1, 1, 0, 0, 1);
    compact_result_fini(&result);
    jfr_build_fini(&build);
    free(stays);
}

// --- Random requests

enum { TYPES = 5, VALUES = 80, ROUNDS = 60, WINDOWS = 4, REQUESTS_MAX = 600 };

typedef struct naive {
    uint64_t all[TYPES];
    uint64_t all_ns[TYPES];
    uint64_t kept[TYPES];
    uint64_t waits_ns[TYPES];
    uint64_t of_value[TYPES][VALUES];
} naive;

static char type_names[TYPES][16];
static char value_texts[VALUES][16];

static void
make_names(void)
{
    for (int i = 0; i < TYPES; i++) {
        (void)snprintf(type_names[i], sizeof(type_names[i]), "shop.T%d", i);
    }
    for (int i = 0; i < VALUES; i++) {
        (void)snprintf(value_texts[i], sizeof(value_texts[i]), "v%d", i);
    }
}

// make_random makes a request, and counts it where it counts in the window.
static void
make_random(uint64_t *seed, unsigned values, compact_request *out,
    compact_request_attribute *attribute, naive *counted)
{
    size_t type = chance_below(seed, TYPES);
    size_t value = chance_below(seed, values + 1);
    int64_t duration = (int64_t)chance_below(seed, 100000);
    int64_t busy = (int64_t)chance_below(seed, (uint64_t)duration + 1);
    int64_t queued = (int64_t)chance_below(seed, (uint64_t)(duration - busy) + 1);
    *out = (compact_request){
        .id = 1 + chance_below(seed, UINT32_MAX),
        .begin = START + (int64_t)chance_below(seed, 1000),
        .busy_ticks = busy,
        .queued_ticks = queued,
        .is_over = chance_below(seed, 4) > 0,
        .is_counted = chance_below(seed, 4) == 0,
        .is_kept = chance_below(seed, 3) == 0,
        .type = type_names[type],
        .attributes = attribute,
        .attribute_count = value < values,
    };
    out->end = out->begin + duration;
    if (value < values) {
        *attribute = (compact_request_attribute){"path", slice_of(value_texts[value])};
    }
    if (!out->is_over || out->is_counted) {
        return;
    }
    counted->all[type]++;
    counted->all_ns[type] += (uint64_t)duration;
    counted->kept[type] += out->is_kept;
    counted->waits_ns[type] += out->is_kept ? (uint64_t)(duration - busy) : 0;
    if (value < values) {
        counted->of_value[type][value]++;
    }
}

static void
expect_counted(const rollup *sums, const naive *counted, unsigned values)
{
    for (size_t t = 0; t < TYPES; t++) {
        const rollup_type *type = rollup_find_request(sums, type_names[t]);
        assert_int_equal(type != NULL, counted->all[t] > 0);
        if (type == NULL) {
            continue;
        }
        assert_int_equal(type->numbers.all.count, counted->all[t]);
        assert_int_equal(type->numbers.all.sum_ns, counted->all_ns[t]);
        assert_int_equal(type->numbers.kept.count, counted->kept[t]);
        assert_int_equal(type->numbers.time_ns[TIME_QUEUED] + type->numbers.time_ns[TIME_ELSEWHERE],
            counted->waits_ns[t]);
        unsigned met = 0;
        for (unsigned v = 0; v < values; v++) {
            met += counted->of_value[t][v] > 0;
        }
        const rollup_attribute *attribute = rollup_find_attribute(type, "path");
        assert_int_equal(attribute != NULL, met > 0);
        assert_int_equal(attribute != NULL && attribute->has_too_many, met > ROLLUP_VALUES_MAX);
        for (unsigned v = 0; v < values && met > 0 && met <= ROLLUP_VALUES_MAX; v++) {
            if (counted->of_value[t][v] > 0) {
                assert_int_equal(
                    value_of(type, "path", value_texts[v])->all.count, counted->of_value[t][v]);
            }
        }
    }
    assert_int_equal(sums->requests_left_out, 0);
}

static void
test_random_requests_are_what_a_naive_count_finds(void **state)
{
    (void)state;
    static compact_request requests[REQUESTS_MAX];
    static compact_request_attribute attributes[REQUESTS_MAX];
    make_names();
    compact_sums sums = {.clock = jfr_clock_make(0, 0, 1000000000)};
    compact_view view = {.sums = &sums};
    const compact_frame frame = {.view = &view, .shown = {.ticks_per_s = 1000000000}};
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = round;
        unsigned values = round % 3 == 0 ? VALUES : 1 + (unsigned)chance_below(&seed, 40);
        naive counted = {0};
        rollup total;
        rollup_init(&total);
        for (int w = 0; w < WINDOWS; w++) {
            size_t count = chance_below(&seed, REQUESTS_MAX);
            for (size_t i = 0; i < count; i++) {
                make_random(&seed, values, &requests[i], &attributes[i], &counted);
            }
            const compact_requests window = {.items = {.items = requests, .count = count}};
            rollup chunk;
            rollup_init(&chunk);
            compact_rollup_requests_count(&frame, &(compact_decided){.requests = &window}, &chunk);
            assert_int_equal(rollup_err(&chunk), LP_OK);
            rollup_add(&total, &chunk, "r");
            rollup_fini(&chunk);
        }
        expect_counted(&total, &counted, values);
        rollup_fini(&total);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_count_where_they_are_over),
        cmocka_unit_test(test_some_of_many_stays_count_for_all),
        cmocka_unit_test(test_random_requests_are_what_a_naive_count_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
