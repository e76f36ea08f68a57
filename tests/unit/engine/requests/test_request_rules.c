// SPDX-License-Identifier: Apache-2.0
// request_rules: what each rule keeps and drops, one at a time and together, what is said of it,
// what the budget allows, and what is carried. Expected answers are written by hand.
//
// Costs less than a second.

#include "engine/requests/request_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t MS = 1000000;
static const int64_t SECOND = 1000000000;
static const int64_t START = 28999980 * 60 * (int64_t)1000000000; // a whole hour of 2025

// One request, which is over unless it is said to be open.
typedef struct example {
    int64_t end_s; // since START
    int64_t duration_ms;
    const char *type;
    const char *route;
    const char *status;
    bool has_event;
    bool is_open;
    bool is_counted;
    compact_request_kept_by before; // kept_by
    uint64_t bytes;
} example;

typedef struct rig {
    policy_requests wanted;
    compact_request_rules rules;
} rig;

static int
setup(void **state)
{
    static rig f;
    f = (rig){0};
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    rig *f = *state;
    policy_requests_fini(&f->wanted);
    compact_request_rules_fini(&f->rules);
    return 0;
}

static void
set(rig *f, const char *name, const char *value)
{
    const policy_requests_setting *setting = policy_requests_find(POLICY_REQUESTS_EVENT, name);
    assert_non_null(setting);
    assert_true(policy_requests_apply(setting, &f->wanted, value));
}

static size_t
put(compact_request_attribute *attributes, size_t count, const char *name, const char *value)
{
    if (value == NULL) {
        return count;
    }
    attributes[count] = (compact_request_attribute){name, {(const uint8_t *)value, strlen(value)}};
    return count + 1;
}

static compact_request_fate
decide(rig *f, example e)
{
    compact_request_attribute attributes[2];
    size_t count = put(attributes, 0, "status", e.status);
    count = put(attributes, count, "route", e.route);
    const compact_request request = {
        .is_over = !e.is_open,
        .goes_on = e.is_open,
        .is_counted = e.is_counted,
        .is_kept = e.has_event || compact_request_is_whole(e.before),
        .has_event = e.has_event,
        .kept_by = (uint8_t)e.before,
        .type = e.type == NULL ? "shop.Request" : e.type,
        .attributes = attributes,
        .attribute_count = count,
    };
    const compact_request_case item = {
        .request = &request,
        .end_wall_ns = START + e.end_s * SECOND,
        .duration_ns = e.duration_ms * MS,
        .bytes = e.bytes,
    };
    compact_request_fate fate;
    assert_int_equal(compact_request_rules_decide(&f->rules, &f->wanted, &item, &fate), LP_OK);
    return fate;
}

static void
expect_fate(
    rig *f, example e, compact_request_kept_by kept_by, compact_request_dropped_by dropped_by)
{
    compact_request_fate fate = decide(f, e);
    assert_string_equal(
        compact_request_kept_name(fate.kept_by), compact_request_kept_name(kept_by));
    assert_int_equal(fate.dropped_by, dropped_by);
}

#define EXPECT(kept_by, ...)                                                                       \
    expect_fate(                                                                                   \
        f, (example){__VA_ARGS__}, COMPACT_REQUEST_KEPT_##kept_by, COMPACT_REQUEST_DROPPED_NO)
#define EXPECT_REFUSED(kept_by, ...)                                                               \
    expect_fate(                                                                                   \
        f, (example){__VA_ARGS__}, COMPACT_REQUEST_KEPT_##kept_by, COMPACT_REQUEST_DROPPED_BUDGET)
#define EXPECT_DROPPED(...)                                                                        \
    expect_fate(f, (example){__VA_ARGS__}, COMPACT_REQUEST_KEPT_NO, COMPACT_REQUEST_DROPPED_DROP)

// --- Rules

static void
test_without_rules_parts_decide_for_themselves(void **state)
{
    rig *f = *state;
    EXPECT(NO, .duration_ms = 100000);
    EXPECT(PARTS, .has_event = true);
    EXPECT(NO, .is_open = true);
    EXPECT(PARTS, .is_open = true, .has_event = true);
    assert_false(compact_request_is_whole(COMPACT_REQUEST_KEPT_PARTS));
    assert_true(compact_request_is_whole(COMPACT_REQUEST_KEPT_OPEN));
}

static void
test_whole_keeps_what_has_a_kept_part(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    EXPECT(EVENT, .has_event = true);
    EXPECT(NO, .duration_ms = 100000);
    EXPECT(OPEN, .is_open = true);
    EXPECT(OPEN, .before = COMPACT_REQUEST_KEPT_OPEN); // all of it was kept, and nothing happened
    EXPECT(EVENT, .has_event = true, .before = COMPACT_REQUEST_KEPT_OPEN);
}

static void
test_slow_is_at_least_so_long(void **state)
{
    rig *f = *state;
    set(f, "keep-slow", "500 ms");
    EXPECT(NO, .duration_ms = 499);
    EXPECT(SLOW, .duration_ms = 500);
    EXPECT(SLOW, .duration_ms = 501, .has_event = true);
    EXPECT(PARTS, .duration_ms = 1, .has_event = true);
}

static void
test_slowest_are_longer_than_all_but_some_before(void **state)
{
    rig *f = *state;
    set(f, "keep-slowest", "2/m");
    EXPECT(SLOWEST, 1, 10);
    EXPECT(SLOWEST, 2, 20);
    EXPECT(NO, 3, 5);
    EXPECT(NO, 3, 10); // two took as long
    EXPECT(SLOWEST, 3, 11);
    EXPECT(NO, 4, 11);
    EXPECT(SLOWEST, 5, 30);
    EXPECT(NO, 6, 20);
    EXPECT(SLOWEST, 60, 1); // the next minute
    EXPECT(NO, 59, 20);     // ended before, and is decided behind it
    EXPECT(SLOWEST, 59, 21);
    EXPECT(SLOWEST, 61, 1);
    EXPECT(NO, 62, 1);
}

static void
test_slowest_are_of_a_type_and_route(void **state)
{
    rig *f = *state;
    set(f, "keep-slowest", "1/m");
    EXPECT(SLOWEST, 1, 10);
    EXPECT(SLOWEST, 1, 10, .route = "/a");
    EXPECT(SLOWEST, 1, 10, .route = "/b");
    EXPECT(SLOWEST, 1, 10, .route = "/a", .type = "shop.Other");
    EXPECT(NO, 2, 9);
    EXPECT(NO, 2, 9, .route = "/a", .status = "500");
    EXPECT(NO, 2, 9, .route = "/a", .type = "shop.Other");
    EXPECT(SLOWEST, 2, 11, .route = "/b");
}

static void
test_what_ended_long_before_is_kept(void **state)
{
    rig *f = *state;
    set(f, "keep-slowest", "1/m");
    set(f, "keep-rare", "1/h");
    EXPECT(SLOWEST, 7200, 10);
    EXPECT(NO, 7200, 10);
    EXPECT(SLOWEST, 7199, 1); // the minute before has none yet
    EXPECT(NO, 7199, 1);
    EXPECT(SLOWEST, 7139, 1); // the one before that is not known
    EXPECT(SLOWEST, 7139, 1);
}

static void
test_rare_are_the_first_so_many(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    set(f, "keep-rare", "2/h");
    EXPECT(EVENT, 1, 1, .has_event = true);
    EXPECT(RARE, 2, 1);
    EXPECT(NO, 3, 1); // with that of the event there are two
    EXPECT(EVENT, 3, 1, .has_event = true);
    EXPECT(RARE, 3, 1, .route = "/a");
    EXPECT(RARE, 3600, 1);
}

static void
test_conditions_ask_for_attributes(void **state)
{
    rig *f = *state;
    set(f, "keep", "has-entry status=500 or has-entry status=503 and has-key route");
    EXPECT(NO, .status = "200");
    EXPECT(NO, .status = "5000");
    EXPECT(CONDITION, .status = "500");
    EXPECT(NO, .status = "503");
    EXPECT(CONDITION, .status = "503", .route = "/a");
    EXPECT(CONDITION, .status = "503", .route = "");
}

static void
test_drop_goes_before_all_rules(void **state)
{
    rig *f = *state;
    set(f, "drop", "has-entry route=/health");
    set(f, "keep", "has-key route");
    set(f, "keep-slow", "1 ms");
    set(f, "keep-slowest", "1/m");
    EXPECT_DROPPED(.route = "/health", .duration_ms = 1000, .has_event = true);
    EXPECT_DROPPED(.route = "/health", .is_open = true);
    EXPECT_DROPPED(.route = "/health", .is_counted = true, .before = COMPACT_REQUEST_KEPT_OPEN);
    EXPECT(CONDITION, .route = "/healthy");
}

static void
test_the_strongest_reason_is_said(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    set(f, "keep-slow", "1 s");
    set(f, "keep-slowest", "1/m");
    set(f, "keep-rare", "10/m");
    set(f, "keep", "has-entry status=500");
    EXPECT(CONDITION, 1, 5000, .status = "500", .has_event = true);
    EXPECT(SLOW, 1, 6000, .has_event = true);
    EXPECT(SLOWEST, 61, 1, .has_event = true);
    EXPECT(EVENT, 62, 1, .has_event = true);
    EXPECT(RARE, 62, 1);
}

// --- Windows

static void
test_what_goes_on_is_kept_and_stays(void **state)
{
    rig *f = *state;
    set(f, "keep-slow", "1 s");
    EXPECT(OPEN, .is_open = true);
    EXPECT(OPEN, .is_open = true, .has_event = true, .before = COMPACT_REQUEST_KEPT_OPEN);
    EXPECT(OPEN, .duration_ms = 1, .before = COMPACT_REQUEST_KEPT_OPEN);
    EXPECT(SLOW, .duration_ms = 1000, .before = COMPACT_REQUEST_KEPT_OPEN);
}

static void
test_what_has_counted_keeps_its_reason(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    set(f, "keep-slowest", "1/m");
    EXPECT(SLOWEST, .is_counted = true, .before = COMPACT_REQUEST_KEPT_SLOWEST);
    EXPECT(NO, .is_counted = true, .duration_ms = 10);
    EXPECT(PARTS, .is_counted = true, .has_event = true); // in a late part
    EXPECT(SLOWEST, 1, 5);                                // none of those was noted
}

static void
test_open_requests_are_none_of_the_rare(void **state)
{
    rig *f = *state;
    set(f, "keep-slow", "1 s");
    EXPECT(OPEN, 1, 1, .before = COMPACT_REQUEST_KEPT_OPEN);
    set(f, "keep-rare", "1/m");
    EXPECT(RARE, 2, 1, .before = COMPACT_REQUEST_KEPT_OPEN);
    EXPECT(NO, 3, 1);
}

// --- The budget

static void
test_rules_yield_one_after_the_other(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    set(f, "keep-slow", "1 s");
    set(f, "keep-slowest", "100/m");
    set(f, "keep-rare", "100/m");
    set(f, "keep", "has-entry status=500");
    set(f, "budget", "800/m");
    static const example spent[] = {{1, 0, .status = "500", .bytes = 400},
        {1, 0, .status = "500", .bytes = 200}, {1, 0, .status = "500", .bytes = 100},
        {1, 0, .status = "500", .bytes = 100}};
    EXPECT(SLOWEST, 1, 1);
    (void)decide(f, spent[0]); // half of it
    EXPECT(SLOWEST, 1, 1);
    (void)decide(f, spent[1]); // 3/4
    EXPECT(SLOWEST, 1, 1);
    (void)decide(f, spent[2]); // 7/8
    EXPECT_REFUSED(NO, 1, 1);
    EXPECT_REFUSED(PARTS, 1, 1, .has_event = true);
    EXPECT(SLOW, 1, 1000);
    (void)decide(f, spent[3]);
    EXPECT_REFUSED(NO, 1, 1000);
    EXPECT(CONDITION, 1, 1000, .status = "500");
    EXPECT(OPEN, 1, 1, .before = COMPACT_REQUEST_KEPT_OPEN);
    EXPECT(SLOW, 60, 1000); // a new minute
}

static void
test_event_has_half_and_rare_has_more(void **state)
{
    rig *f = *state;
    set(f, "request-keep", "whole");
    set(f, "keep-rare", "100/m");
    set(f, "budget", "100/h");
    EXPECT(EVENT, 1, 1, .has_event = true, .bytes = 49);
    EXPECT(EVENT, 1, 1, .has_event = true, .bytes = 1); // begins below the half
    EXPECT(RARE, 1, 1, .has_event = true, .bytes = 25);
    EXPECT_REFUSED(PARTS, 1, 1, .has_event = true);
    EXPECT_REFUSED(NO, 61, 1);
    EXPECT(EVENT, 3600, 1, .has_event = true, .bytes = UINT64_MAX);
    EXPECT_REFUSED(PARTS, 3600, 1, .has_event = true, .bytes = UINT64_MAX);
    EXPECT(OPEN, 3600, 1, .is_open = true, .bytes = UINT64_MAX); // does not wrap
    EXPECT_REFUSED(PARTS, 3600, 1, .has_event = true);
}

// --- Limits, settings and carrying

static void
test_what_is_over_the_limit_shares(void **state)
{
    rig *f = *state;
    char route[32];
    set(f, "keep-slowest", "1/m");
    for (int i = 0; i < COMPACT_REQUEST_GROUPS_MAX; i++) {
        (void)snprintf(route, sizeof(route), "/%d", i);
        EXPECT(SLOWEST, 1, 10, .route = route);
    }
    EXPECT(SLOWEST, 2, 10, .route = "/x");
    EXPECT(NO, 2, 9, .route = "/y");
    EXPECT(SLOWEST, 2, 11, .route = "/z");
    EXPECT(NO, 2, 9, .route = "/0");
    assert_int_equal(f->rules.over_limit, 3);
    EXPECT(SLOWEST, 61, 1, .route = "/0"); // stays known while the minute before is
    EXPECT(SLOWEST, 121, 1, .route = "/y");
    EXPECT(SLOWEST, 121, 1, .route = "/z"); // each has its own again
    assert_int_equal(f->rules.over_limit, 3);
    assert_int_equal(f->rules.groups.items.count, 3); // with /0
}

static void
test_other_settings_begin_anew(void **state)
{
    rig *f = *state;
    set(f, "keep-slowest", "1/m");
    EXPECT(SLOWEST, 1, 10);
    EXPECT(NO, 1, 5);
    set(f, "keep-slowest", "1/h");
    EXPECT(SLOWEST, 1, 5);
    set(f, "keep-slow", "1 s"); // of which nothing is carried
    EXPECT(NO, 1, 5);
    set(f, "budget", "1/h");
    EXPECT(SLOW, 1, 1000, .bytes = 2);
    EXPECT_REFUSED(NO, 1, 2000);
    set(f, "budget", "2/h");
    EXPECT(SLOW, 1, 1000);
}

// carry saves what is carried and loads it, in f.
static void
carry(rig *f)
{
    lp_buf bytes = {0};
    compact_request_rules_save(&f->rules, &bytes);
    compact_request_rules_fini(&f->rules);
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&bytes));
    assert_int_equal(compact_request_rules_load(&cursor, &f->rules), LP_OK);
    assert_int_equal(jfr_cursor_left(&cursor), 0);
    lp_buf_fini(&bytes);
}

static void
test_what_is_carried_is_all_that_matters(void **state)
{
    rig *f = *state;
    carry(f);
    set(f, "keep-slowest", "2/m");
    set(f, "keep-rare", "3/h");
    set(f, "budget", "100/h");
    EXPECT(SLOWEST, 1, 10, .bytes = 40);
    EXPECT(SLOWEST, 2, 20);
    EXPECT(SLOWEST, 62, 5);
    carry(f);
    EXPECT(SLOWEST, 63, 5, .bytes = 30);
    EXPECT(NO, 63, 5);
    EXPECT(NO, 3, 10);
    EXPECT(SLOWEST, 3, 11);
    carry(f);
    EXPECT(NO, 4, 11);
    EXPECT(SLOWEST, 4, 12, .bytes = 18);
    carry(f);
    EXPECT_REFUSED(NO, 4, 13);
}

static void
test_every_truncation_is_an_error(void **state)
{
    rig *f = *state;
    lp_buf bytes = {0};
    set(f, "keep-slowest", "2/m");
    set(f, "keep-rare", "3/h");
    EXPECT(SLOWEST, 1, 10);
    EXPECT(SLOWEST, 1, 20, .route = "/a");
    EXPECT(SLOWEST, 61, 20, .route = "/a");
    compact_request_rules_save(&f->rules, &bytes);
    for (size_t len = 0; len < bytes.len; len++) {
        compact_request_rules loaded = {0};
        jfr_cursor cursor = jfr_cursor_over((lp_slice){bytes.ptr, len});
        assert_int_equal(compact_request_rules_load(&cursor, &loaded), LP_ECORRUPT);
        compact_request_rules_fini(&loaded);
    }
    lp_buf_fini(&bytes);
}

static void
test_what_cannot_have_been_saved_is_an_error(void **state)
{
    rig *f = *state;
    set(f, "keep-slowest", "2/m");
    EXPECT(SLOWEST, 1, 10);
    EXPECT(SLOWEST, 1, 20);
    EXPECT(SLOWEST, 1, 20, .route = "/a");
    compact_request_group *groups = f->rules.groups.items.items;
    compact_request_longest *longest = &groups[0].slowest[0];
    assert_int_equal(longest->items.count, 2);
    for (int i = 0; i < 6; i++) {
        compact_request_rules loaded = {0};
        lp_buf bytes = {0};
        compact_request_rules was = f->rules;
        compact_request_group group = groups[0];
        int64_t first = longest->items.items[0];
        switch (i) {
        case 0:
            f->rules.groups.slowest.count = 101;
            break;
        case 1:
            f->rules.groups.slowest.per_ns = 0;
            break;
        case 2:
            f->rules.groups.slowest.count = 1;
            break;
        case 3:
            longest->items.items[0] = 30 * MS; // descending
            break;
        case 4:
            longest->period++; // odd
            break;
        case 5:
            groups[0].key = groups[1].key;
            break;
        default:
            break;
        }
        compact_request_rules_save(&f->rules, &bytes);
        f->rules = was;
        longest->items.items[0] = first;
        groups[0] = group;
        jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&bytes));
        assert_int_equal(compact_request_rules_load(&cursor, &loaded), LP_ECORRUPT);
        compact_request_rules_fini(&loaded);
        lp_buf_fini(&bytes);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_without_rules_parts_decide_for_themselves),
        TEST(test_whole_keeps_what_has_a_kept_part),
        TEST(test_slow_is_at_least_so_long),
        TEST(test_slowest_are_longer_than_all_but_some_before),
        TEST(test_slowest_are_of_a_type_and_route),
        TEST(test_what_ended_long_before_is_kept),
        TEST(test_rare_are_the_first_so_many),
        TEST(test_conditions_ask_for_attributes),
        TEST(test_drop_goes_before_all_rules),
        TEST(test_the_strongest_reason_is_said),
        TEST(test_what_goes_on_is_kept_and_stays),
        TEST(test_what_has_counted_keeps_its_reason),
        TEST(test_open_requests_are_none_of_the_rare),
        TEST(test_rules_yield_one_after_the_other),
        TEST(test_event_has_half_and_rare_has_more),
        TEST(test_what_is_over_the_limit_shares),
        TEST(test_other_settings_begin_anew),
        TEST(test_what_is_carried_is_all_that_matters),
        TEST(test_every_truncation_is_an_error),
        TEST(test_what_cannot_have_been_saved_is_an_error),
    };
    return cmocka_run_group_tests_name("request_rules", tests, NULL, NULL);
}
