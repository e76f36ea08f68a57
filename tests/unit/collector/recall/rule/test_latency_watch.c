// SPDX-License-Identifier: Apache-2.0
// Rules of latency: a service is slow once a percentile of all its requests, of all JVMs and types,
// was above the limit in as many whole minutes in a row as the rule says; a minute is judged once,
// when it is due; rules, and their absence, count as they are then; limits are counted. The
// expected percentiles are of few requests, counted by hand. The test owns the clock. Below a
// second.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/recall/rule/latency_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS     INT64_C(1000000)
#define S      (1000 * MS)
#define MINUTE (60 * S)
#define WAIT   (120 * S)
#define START  (28000000 * MINUTE) // of a minute

typedef struct fixture {
    temp_dir dir;
    policy_dir *policies;
    latency_watch *watch;
    latency_finding found[80];
    char services[80][8];
    size_t count;
} fixture;

static void
write_rule(const fixture *f, const char *name, const char *rule)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/%s.keep", f->dir.path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%s\n", rule) > 0);
    assert_int_equal(fclose(file), 0);
    if (f->policies != NULL) {
        assert_int_equal(policy_dir_look(f->policies), 0);
    }
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    lp_problem problem;
    assert_non_null(f);
    f->dir = temp_dir_make();
    write_rule(f, "shop", "pin-when p99>1s for 2m");
    assert_int_equal(policy_dir_open(f->dir.path, &f->policies, &problem), LP_OK);
    f->watch = latency_watch_create(f->policies, MINUTE, WAIT);
    *state = f;
    return f->watch == NULL;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    latency_watch_destroy(f->watch);
    policy_dir_close(f->policies);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
on_slow(void *arg, const latency_finding *found)
{
    fixture *f = arg;
    assert_true(f->count < 80);
    (void)snprintf(f->services[f->count], sizeof(f->services[0]), "%s", found->service);
    f->found[f->count++] = *found;
}

static void
tick(fixture *f, int64_t now)
{
    f->count = 0;
    latency_watch_tick(f->watch, now, on_slow, f);
}

// add adds a chunk with some requests that took as long, of a type, that began at a time.
static void
add_type(fixture *f, const char *service, const char *type, int64_t begin, uint64_t count,
    int64_t duration_ns)
{
    rollup chunk;
    rollup_init(&chunk);
    rollup_type *of = rollup_add_type_of(&chunk, ROLLUP_REQUESTS, type);
    rollup_slice *slice = rollup_add_slice(&chunk, of, begin);
    assert_non_null(slice);
    histogram_add_counts(&slice->all, &chunk.arena, histogram_bucket(duration_ns), count);
    of->numbers.all.count = count;
    // Contexts do not count.
    of = rollup_add_type(&chunk, "context");
    slice = rollup_add_slice(&chunk, of, begin);
    assert_non_null(slice);
    histogram_add_counts(&slice->all, &chunk.arena, histogram_bucket(50 * S), 1000);
    latency_watch_add(f->watch, service, &chunk, begin);
    rollup_fini(&chunk);
}

static void
add(fixture *f, int64_t begin, uint64_t count, int64_t duration_ns)
{
    add_type(f, "shop", "http", begin, count, duration_ns);
}

static void
test_a_run_of_slow_minutes_is_decided(void **state)
{
    (void)state;
    static const struct {
        policy_pin_rule rule;
        struct {
            int64_t at;    // minutes
            uint64_t fast; // of 1 ms
            uint64_t slow; // of 3 s
        } minutes[4];
        const char *slow; // 1: the rule applies at the end of the minute
    } cases[] = {
        {{990, 1, S}, {{0, 99, 1}, {1, 98, 2}, {2, 0, 0}, {3, 0, 1}}, "0101"},
        {{500, 1, S}, {{0, 50, 50}, {1, 49, 51}, {2, 1, 1}, {3, 1, 2}}, "0101"},
        {{999, 1, S}, {{0, 999, 1}, {1, 998, 2}, {2, 99, 1}, {3, 2000, 1}}, "0110"},
        {{990, 2, S}, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 1, 0}}, "0110"},
        {{990, 2, S}, {{0, 0, 1}, {1, 1, 0}, {2, 0, 1}, {3, 0, 1}}, "0001"},
        {{990, 2, S}, {{0, 0, 1}, {2, 0, 1}, {3, 0, 1}, {5, 0, 1}}, "0010"}, // without requests
        {{990, 1, 4 * S}, {{0, 0, 1}, {1, 0, 100}, {2, 0, 1}, {3, 0, 1}}, "0000"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        latency_run run = {0};
        for (size_t k = 0; k < 4; k++) {
            lp_arena arena = {0};
            latency_minute minute = {.begin_wall_ns = START + cases[i].minutes[k].at * MINUTE};
            int64_t value = -1;
            histogram_add_counts(
                &minute.lengths, &arena, histogram_bucket(MS), cases[i].minutes[k].fast);
            histogram_add_counts(
                &minute.lengths, &arena, histogram_bucket(3 * S), cases[i].minutes[k].slow);
            bool is_slow = latency_run_add(&run, &cases[i].rule, &minute, MINUTE, &value);
            assert_int_equal(is_slow, cases[i].slow[k] == '1');
            assert_true(!is_slow || (value > 2500 * MS && value < 3500 * MS));
            lp_arena_fini(&arena);
        }
    }
}

static void
test_another_rule_begins_anew(void **state)
{
    (void)state;
    latency_run run = {0};
    lp_arena arena = {0};
    latency_minute minute = {.begin_wall_ns = START};
    const policy_pin_rule first = {990, 2, S};
    const policy_pin_rule second = {990, 2, 2 * S};
    int64_t value;
    histogram_add_counts(&minute.lengths, &arena, histogram_bucket(3 * S), 1);
    assert_false(latency_run_add(&run, &first, &minute, MINUTE, &value));
    minute.begin_wall_ns += MINUTE;
    assert_false(latency_run_add(&run, &second, &minute, MINUTE, &value));
    minute.begin_wall_ns += MINUTE;
    assert_true(latency_run_add(&run, &second, &minute, MINUTE, &value));
    lp_arena_fini(&arena);
}

static void
test_all_jvms_and_types_of_a_service_count_together(void **state)
{
    fixture *f = *state;
    for (int64_t minute = START; minute < START + 2 * MINUTE; minute += MINUTE) {
        add(f, minute, 97, MS);
        add_type(f, "shop", "job", minute + MINUTE - 1, 1, MS);
        add(f, minute + 5 * S, 2, 3 * S);
        add_type(f, "bank", "http", minute, 1, 3 * S); // it has no rule
    }
    tick(f, START + 2 * MINUTE + WAIT - 1);
    assert_int_equal(f->count, 0);
    tick(f, START + 2 * MINUTE + WAIT);
    assert_int_equal(f->count, 1);
    assert_string_equal(f->services[0], "shop");
    assert_true(f->found[0].from_wall_ns == START && f->found[0].keep.pin_rule.minutes == 2);
    assert_true(f->found[0].to_wall_ns == START + 2 * MINUTE);
    assert_true(f->found[0].value_ns > 2500 * MS && f->found[0].value_ns < 3500 * MS);
    tick(f, START + 3 * MINUTE + WAIT);
    assert_int_equal(f->count, 0); // once

    add(f, START + 2 * MINUTE, 99, MS); // the third minute is fast
    add(f, START + 2 * MINUTE, 1, 3 * S);
    add(f, START + 3 * MINUTE, 1, 3 * S);
    tick(f, START + 4 * MINUTE + WAIT);
    assert_int_equal(f->count, 0);
}

static void
test_late_requests_are_counted_and_change_nothing(void **state)
{
    fixture *f = *state;
    uint64_t late = metrics_get(METRICS_recall_rule_requests_late);
    add(f, START, 1, 3 * S);
    tick(f, START + MINUTE + WAIT);
    add(f, START + MINUTE - 1, 1000, MS);
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_late), late + 1000);
    add(f, START + MINUTE, 1, 3 * S);
    tick(f, START + 2 * MINUTE + WAIT);
    assert_int_equal(f->count, 1);
    add(f, INT64_MIN + 1, 7, MS);
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_late), late + 1007);
}

static void
test_rules_count_as_they_are_when_a_minute_is_judged(void **state)
{
    fixture *f = *state;
    add(f, START, 1, 3 * S);
    write_rule(f, "shop", "pin-when crash");
    tick(f, START + MINUTE + WAIT);
    assert_int_equal(f->count, 0);
    add(f, START + MINUTE, 1, 3 * S); // nobody watches it
    write_rule(f, "shop", "pin-when none");
    write_rule(f, "default", "pin-when p50>2s for 1m");
    add(f, START + 2 * MINUTE, 1, 3 * S);
    add_type(f, "other", "http", START + 2 * MINUTE, 1, 3 * S);
    tick(f, START + 9 * MINUTE + WAIT);
    assert_int_equal(f->count, 1);
    assert_string_equal(f->services[0], "other");
    assert_int_equal(f->found[0].keep.pin_rule.permille, 500);
}

static void
test_minutes_over_the_limit_are_counted(void **state)
{
    fixture *f = *state;
    uint64_t left_out = metrics_get(METRICS_recall_rule_requests_left_out);
    for (int64_t i = LATENCY_WATCH_MINUTES_MAX; i >= 0; i--) { // backwards
        add(f, START + i * MINUTE, 1, 3 * S);
    }
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_left_out), left_out + 1);
    tick(f, START + 100 * MINUTE + WAIT);
    assert_int_equal(f->count, LATENCY_WATCH_MINUTES_MAX - 1);
    assert_true(f->found[0].from_wall_ns == START + MINUTE); // the first one was left out
    rollup chunk;
    rollup_init(&chunk);
    rollup_type *of = rollup_add_type_of(&chunk, ROLLUP_REQUESTS, "http");
    rollup_slice *slice = rollup_add_slice(&chunk, of, START + 103 * MINUTE);
    assert_non_null(slice);
    histogram_add_counts(&slice->all, &chunk.arena, 40, 3);
    latency_watch_add(f->watch, "shop", &chunk, START + 101 * MINUTE); // its clock is ahead
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_left_out), left_out + 4);
    rollup_fini(&chunk);
}

static void
test_idle_services_make_room(void **state)
{
    fixture *f = *state;
    char name[16];
    uint64_t left_out = metrics_get(METRICS_recall_rule_requests_left_out);
    write_rule(f, "default", "pin-when p99>1s for 1m");
    for (unsigned i = 0; i < LATENCY_WATCH_SERVICES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "s%u", i);
        add_type(f, name, "http", START, 1, MS);
    }
    add_type(f, "more", "http", START, 1, 3 * S);
    tick(f, START + MINUTE + WAIT);
    add_type(f, "more", "http", START + MINUTE, 1, 3 * S);
    tick(f, START + 2 * MINUTE + WAIT);
    assert_int_equal(f->count, 0);
    tick(f, START + MINUTE + LATENCY_WATCH_IDLE_S * S + 1);
    add_type(f, "more", "http", START + 90 * MINUTE, 1, 3 * S);
    tick(f, START + 91 * MINUTE + WAIT);
    assert_int_equal(f->count, 1);
    assert_string_equal(f->services[0], "more");
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_left_out), left_out + 2);
}

static void
test_a_clock_that_is_set_back_begins_anew(void **state)
{
    fixture *f = *state;
    uint64_t late = metrics_get(METRICS_recall_rule_requests_late);
    add(f, START + 600 * MINUTE, 10, 3 * S); // the clock is ten hours ahead
    tick(f, START + 601 * MINUTE + WAIT);
    tick(f, START);
    for (int64_t i = 0; i < 2; i++) {
        add(f, START + i * MINUTE, 10, 3 * S);
    }
    tick(f, START + 2 * MINUTE + WAIT);
    assert_int_equal(f->count, 1);
    assert_true(f->found[0].from_wall_ns == START);
    assert_int_equal(metrics_get(METRICS_recall_rule_requests_late), late);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_of_slow_minutes_is_decided),
        cmocka_unit_test(test_another_rule_begins_anew),
        TEST(test_all_jvms_and_types_of_a_service_count_together),
        TEST(test_late_requests_are_counted_and_change_nothing),
        TEST(test_rules_count_as_they_are_when_a_minute_is_judged),
        TEST(test_minutes_over_the_limit_are_counted),
        TEST(test_idle_services_make_room),
        TEST(test_a_clock_that_is_set_back_begins_anew),
    };
    return cmocka_run_group_tests_name("latency_watch", tests, NULL, NULL);
}
