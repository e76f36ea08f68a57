// SPDX-License-Identifier: Apache-2.0
// Pins that rules make: one of a slow service in its pause, whatever other services, crashes and
// people pin; only of chunks with raw data, in the time around the slow minutes; names that a pin
// cannot have, and pins over the limit, are counted and make none. Below a second.

#include "collector/base/metrics.h"
#include "collector/recall/rule/auto_pin.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S (INT64_C(1000000000))

typedef struct fixture {
    auto_pin_to to;
    size_t count;
    pin last; // the latest one
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->to = (auto_pin_to){.pins = pins_create(),
        .raw = raw_list_create(RAW_LIST_FILTER_BYTES_MAX),
        .budget = recall_budget_create()};
    *state = f;
    return f->to.pins == NULL || f->to.raw == NULL || f->to.budget == NULL;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    pins_destroy(f->to.pins);
    raw_list_destroy(f->to.raw);
    recall_budget_destroy(f->to.budget);
    free(f);
    return 0;
}

static void
on_pin(void *arg, const pin *of)
{
    fixture *f = arg;
    f->last = f->count++ == 0 ? *of : f->last;
}

// slow finds a service slow in a minute that ended some time ago, and returns how many pins there
// are then.
static size_t
slow(fixture *f, const char *service, int64_t ago_s, int64_t pause_s)
{
    const latency_finding found = {.service = service,
        .keep = {.pin_rule = {990, 1, S}, .pin_pause_ns = pause_s * S},
        .from_wall_ns = lp_time_now() - (ago_s + 60) * S,
        .to_wall_ns = lp_time_now() - ago_s * S,
        .value_ns = 1340000000};
    auto_pin_slow(&f->to, &found);
    f->count = 0;
    pins_each(f->to.pins, on_pin, f);
    return f->count;
}

static void
add_raw(const fixture *f, const char *service, uint32_t ordinal, int64_t ago_s)
{
    pin_stored stored = {.chunk.ordinal = ordinal,
        .service = service,
        .start_wall_ns = lp_time_now() - ago_s * S,
        .end_wall_ns = lp_time_now() - ago_s * S};
    memset(stored.chunk.session_id, 'a', CATALOG_ID_CHARS);
    raw_list_add(f->to.raw, &stored, (lp_slice){0});
}

static void
test_a_pin_has_the_raw_data_around_the_slow_minutes(void **state)
{
    fixture *f = *state;
    static const int64_t ages_s[] = {30, 90, 200, 470, 490, 5000}; // the pin: 0 to 480
    for (uint32_t i = 0; i < 6; i++) {
        add_raw(f, "shop", i, ages_s[i]);
    }
    add_raw(f, "bank", 9, 90);
    assert_int_equal(slow(f, "shop", 120, 60), 1);
    assert_int_equal(f->last.waiting, 4);
    assert_string_equal(f->last.reason, "p99>1s for 1m: p99 was 1.34 s");
    assert_true(f->last.origin == PIN_BY_LATENCY && f->last.selection.kind == PIN_ALL);
    pin_work work;
    while (pins_take(f->to.pins, &work)) {
        assert_true(work.chunk.ordinal < 4 && work.origin == PIN_BY_LATENCY);
    }
}

static void
test_a_service_has_a_pause_after_a_pin(void **state)
{
    fixture *f = *state;
    uint64_t paused = metrics_get(METRICS_recall_pins_paused);
    pin others[] = {
        {.origin = PIN_BY_CALLER, .key = "person", .service = "shop", .to_wall_ns = INT64_MAX},
        {.origin = PIN_BY_CRASH, .key = "crash", .service = "shop", .to_wall_ns = INT64_MAX},
        {.origin = PIN_BY_LATENCY,
            .key = "earlier",
            .service = "shop",
            .to_wall_ns = INT64_MAX,
            .made_wall_ns = lp_time_now() - 100 * S}};
    bool is_new;
    for (size_t i = 0; i < 2; i++) {
        others[i].made_wall_ns = lp_time_now();
        assert_int_equal(pins_add(f->to.pins, &others[i], &others[i], &is_new), LP_OK);
    }
    assert_int_equal(pins_add(f->to.pins, &others[2], &others[2], &is_new), LP_OK);
    assert_int_equal(slow(f, "shop", 120, 200), 3); // paused
    assert_int_equal(slow(f, "shop", 120, 0), 3);   // for 15 minutes, without a line
    assert_int_equal(metrics_get(METRICS_recall_pins_paused), paused + 2);
    assert_int_equal(recall_budget_get(f->to.budget, "shop", lp_time_now()).pins_paused, 2);
    assert_int_equal(slow(f, "bank", 120, 200), 4);
    assert_int_equal(slow(f, "shop", 120, 90), 5); // it is over
    assert_int_equal(slow(f, "shop", 60, 90), 5);
    assert_int_equal(metrics_get(METRICS_recall_pins_paused), paused + 3);
}

static void
test_names_of_several_services_are_not_pinned(void **state)
{
    fixture *f = *state;
    uint64_t left_out = metrics_get(METRICS_recall_pins_left_out);
    assert_int_equal(slow(f, "", 120, 60), 0); // it would be a pin of all
    assert_int_equal(slow(f, "shop\nbank", 120, 60), 0);
    assert_int_equal(metrics_get(METRICS_recall_pins_left_out), left_out + 2);
}

static void
test_pins_by_a_rule_leave_room_for_others(void **state)
{
    fixture *f = *state;
    bool is_new;
    uint64_t left_out = metrics_get(METRICS_recall_pins_left_out);
    for (unsigned i = 0; i < AUTO_PINS_MAX; i++) {
        pin earlier = {.origin = PIN_BY_LATENCY, .service = "shop", .to_wall_ns = INT64_MAX};
        (void)snprintf(earlier.key, sizeof(earlier.key), "%u", i);
        assert_int_equal(pins_add(f->to.pins, &earlier, &earlier, &is_new), LP_OK);
    }
    assert_int_equal(slow(f, "more", 120, 60), AUTO_PINS_MAX);
    assert_int_equal(metrics_get(METRICS_recall_pins_left_out), left_out + 1);
    pin asked = {
        .key = "person", .service = "shop", .to_wall_ns = INT64_MAX, .made_wall_ns = lp_time_now()};
    assert_int_equal(pins_add(f->to.pins, &asked, &asked, &is_new), LP_OK);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_pin_has_the_raw_data_around_the_slow_minutes),
        TEST(test_a_service_has_a_pause_after_a_pin),
        TEST(test_names_of_several_services_are_not_pinned),
        TEST(test_pins_by_a_rule_leave_room_for_others),
    };
    return cmocka_run_group_tests_name("auto_pin", tests, NULL, NULL);
}
