// SPDX-License-Identifier: Apache-2.0
// A policy made to keep everything has no setting that drops, and every other one as it was.

#include "policy/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SETTING(name, value)  "<setting name='" name "'>" value "</setting>"
#define EVENT(name, settings) "<event name='" name "'>" settings "</event>"

static const char text[] = "<configuration>" EVENT("shop.Order",
    SETTING("contextual", "true") SETTING("context-threshold", "10 ms")
        SETTING("context-index", "orderId") SETTING("context-throttle", "5/s")
            SETTING("context-match", "id = 7") SETTING("select", "if-triggered"))
    EVENT("jdk.ThreadPark",
        SETTING("select", "if-context") SETTING("threshold", "1 ms") SETTING("withContext", "true")
            SETTING("throttle", "100/s") SETTING("filter", "has-context"))
        EVENT("jdk.Execution*", SETTING("enabled", "false")) EVENT("dev.loupe.Request",
            SETTING("drop", "has-entry http_route=/health") SETTING("request-by", "orderId")
                SETTING("budget", "1M/h") SETTING("keep-slow", "1 s")) "</configuration>";

static policy *
parse(void)
{
    policy *made = policy_create();
    lp_problem problem;
    assert_non_null(made);
    assert_int_equal(
        policy_parse(made, "shop.jfc", (lp_slice){(const uint8_t *)text, strlen(text)}, &problem),
        LP_OK);
    return made;
}

static void
test_nothing_that_drops_is_left(void **state)
{
    (void)state;
    policy *from = parse();
    policy *all;
    assert_true(policy_waits(from) && policy_filters(from) && policy_samples(from));
    assert_non_null(policy_get_requests(from)->drop);
    assert_int_equal(policy_all_create(from, &all), LP_OK);
    assert_false(policy_waits(all) || policy_filters(all) || policy_samples(all));
    assert_false(policy_selects_by_context(all));
    assert_null(policy_get_requests(all)->drop);
    assert_int_equal(policy_get_requests(all)->budget.per_ns, 0);
    policy_event park = policy_find(all, "jdk.ThreadPark", false);
    assert_true(park.select == POLICY_SELECT_ALL && park.threshold_ns == 0 && !park.is_disabled);
    assert_null(park.filter);
    assert_false(policy_find(all, "jdk.ExecutionSample", false).is_disabled);
    policy_destroy(all);
    policy_destroy(from);
}

static void
test_everything_else_is_as_before(void **state)
{
    (void)state;
    policy *from = parse();
    policy *all;
    assert_int_equal(policy_all_create(from, &all), LP_OK);
    policy_event order = policy_find(all, "shop.Order", false);
    assert_true(policy_is_contextual(all, "shop.Order", false));
    assert_true(order.select == POLICY_SELECT_ALL && order.context_threshold_ns == 0);
    assert_true(order.context_throttle.per_ns == 0 && order.context_match == NULL);
    assert_non_null(order.context_index);
    assert_int_equal(
        policy_find(all, "jdk.ThreadPark", false).with_context, POLICY_WITH_CONTEXT_YES);
    assert_non_null(policy_get_requests(all)->by);
    assert_int_equal(policy_get_requests(all)->slow_ns, 1000000000);
    policy_destroy(all);
    policy_destroy(from);
}

static void
test_without_a_policy_every_context_is_kept(void **state)
{
    (void)state;
    policy *all;
    assert_int_equal(policy_all_create(NULL, &all), LP_OK);
    assert_int_equal(policy_find(all, "shop.Order", true).select, POLICY_SELECT_ALL);
    policy_destroy(all);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_that_drops_is_left),
        cmocka_unit_test(test_everything_else_is_as_before),
        cmocka_unit_test(test_without_a_policy_every_context_is_kept),
    };
    return cmocka_run_group_tests_name("policy_all", tests, NULL, NULL);
}
