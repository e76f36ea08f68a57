// SPDX-License-Identifier: Apache-2.0
// The budget of pins by rules and whole traces: a service may store until its bytes of an hour are
// used up, and again in the next hour, whatever others store; what it did not store is counted; and
// there is room for new services, as long as others are of an earlier hour. The test owns the
// clock. Below a second.

#include "collector/base/metrics.h"
#include "collector/recall/rule/recall_budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define HOUR INT64_C(3600000000000)
#define NOW  (480000 * HOUR)

static int
set_up(void **state)
{
    *state = recall_budget_create();
    return *state == NULL;
}

static int
tear_down(void **state)
{
    recall_budget_destroy(*state);
    return 0;
}

static void
test_each_service_has_its_bytes_of_an_hour(void **state)
{
    recall_budget *b = *state;
    uint64_t over = metrics_get(METRICS_recall_over_budget);
    assert_true(recall_budget_admit(b, "shop", 100, NOW));
    recall_budget_add(b, "shop", 99, NOW);
    assert_true(recall_budget_admit(b, "shop", 100, NOW));
    recall_budget_add(b, "shop", 500, NOW + HOUR - 1); // the last one may exceed it
    assert_false(recall_budget_admit(b, "shop", 100, NOW + HOUR - 1));
    assert_false(recall_budget_admit(b, "shop", 599, NOW + HOUR - 1));
    assert_true(recall_budget_admit(b, "shop", 600, NOW)); // the file has changed
    assert_true(recall_budget_admit(b, "bank", 100, NOW));
    recall_budget_state state_now = recall_budget_get(b, "shop", NOW);
    assert_true(state_now.hour_bytes == 599 && state_now.chunks_over == 2);
    assert_int_equal(metrics_get(METRICS_recall_over_budget), over + 2);
    assert_int_equal(recall_budget_get(b, "shop", NOW + HOUR).hour_bytes, 0);
    assert_true(recall_budget_admit(b, "shop", 100, NOW + HOUR));
    recall_budget_note_pause(b, "shop", NOW + HOUR);
    state_now = recall_budget_get(b, "shop", NOW + HOUR);
    assert_true(state_now.hour_bytes == 0 && state_now.chunks_over == 2);
    assert_int_equal(state_now.pins_paused, 1);
    assert_true(recall_budget_admit(b, "shop", 100, NOW)); // the clock was set back
    assert_int_equal(recall_budget_get(b, "unknown", NOW).chunks_over, 0);
}

static void
test_without_a_line_there_is_a_budget(void **state)
{
    recall_budget *b = *state;
    recall_budget_add(b, "shop", RECALL_BUDGET_BYTES - 1, NOW);
    assert_true(recall_budget_admit(b, "shop", 0, NOW));
    recall_budget_add(b, "shop", 1, NOW);
    assert_false(recall_budget_admit(b, "shop", 0, NOW));
}

static void
test_services_over_the_limit_wait_for_the_next_hour(void **state)
{
    recall_budget *b = *state;
    char name[16];
    for (unsigned i = 0; i < RECALL_BUDGET_SERVICES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "s%u", i);
        assert_true(recall_budget_admit(b, name, 100, NOW));
        recall_budget_add(b, name, i, NOW);
    }
    assert_false(recall_budget_admit(b, "more", 100, NOW));
    assert_true(recall_budget_admit(b, "s7", 100, NOW));
    assert_true(recall_budget_admit(b, "more", 100, NOW + HOUR));
    for (unsigned i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof(name), "t%u", i);
        assert_true(recall_budget_admit(b, name, 100, NOW + HOUR));
    }
    recall_budget_add(b, "t50", 77, NOW + HOUR);
    assert_int_equal(recall_budget_get(b, "t50", NOW + HOUR).hour_bytes, 77);
    assert_int_equal(recall_budget_get(b, "t51", NOW + HOUR).hour_bytes, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_each_service_has_its_bytes_of_an_hour),
        TEST(test_without_a_line_there_is_a_budget),
        TEST(test_services_over_the_limit_wait_for_the_next_hour),
    };
    return cmocka_run_group_tests_name("recall_budget", tests, NULL, NULL);
}
