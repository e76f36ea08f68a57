// SPDX-License-Identifier: Apache-2.0
// Random requests by random settings. What is decided, and what is said of it, is as a naive model
// has it that remembers all requests and looks through them for each; wherever what is carried is
// saved and loaded. Without a budget none of the N slowest of a minute, type and route is dropped,
// and none that is slow.
//
// Costs 2 seconds.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones

#include "support/chance.h"

#include "engine/requests/request_rules.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ITEMS_MAX = 3000,
    ROUTES_MAX = 1500, // more than COMPACT_REQUEST_GROUPS_MAX
    SHARED = ROUTES_MAX,
};

static const int64_t SECOND = 1000000000;
static const int64_t MINUTE = 60 * (int64_t)1000000000;
static const int64_t START = 28999980 * 60 * (int64_t)1000000000;

static const char *const statuses[] = {"200", "404", "500"};

typedef struct item {
    int64_t end_ns;
    int64_t duration_ns;
    uint64_t bytes;
    uint32_t route;
    const char *status; // of statuses
    bool has_event;
    bool is_over;
    bool is_counted;
    compact_request_kept_by before;
    compact_request_fate expected;
    uint32_t group; // a route, or SHARED
    int64_t latest_ns;
} item;

typedef struct world {
    policy_requests wanted;
    const char *kept_status; // keep=; NULL: off
    const char *dropped_status;
    uint32_t route_count;
    size_t count;
    item items[ITEMS_MAX];
} world;

// What was seen over all rounds.
static size_t seen[COMPACT_REQUEST_KEPT_COUNT];
static size_t seen_dropped[3];
static size_t seen_late;
static size_t seen_shared;

static bool
is_one_of(uint64_t *chance, uint64_t n)
{
    return chance_below(chance, n) == 0;
}

// --- Making

static void
set(world *w, const char *name, const char *value)
{
    assert_true(policy_requests_apply(
        policy_requests_find(POLICY_REQUESTS_EVENT, name), &w->wanted, value));
}

static void
set_rate(world *w, uint64_t *chance, const char *name)
{
    static const char *const times[] = {"m", "m", "h"};
    char value[32];
    (void)snprintf(value, sizeof(value), "%" PRIu64 "/%s", 1 + chance_below(chance, 4),
        times[chance_below(chance, 3)]);
    if (!is_one_of(chance, 4)) {
        set(w, name, value);
    }
}

static const char *
set_condition(world *w, uint64_t *chance, const char *name)
{
    char value[64];
    const char *status = statuses[chance_below(chance, 3)];
    if (!is_one_of(chance, 3)) {
        return NULL;
    }
    (void)snprintf(
        value, sizeof(value), "has-entry status=%s and has-key route or has-key no", status);
    set(w, name, value);
    return status;
}

static void
make_settings(world *w, uint64_t *chance)
{
    set(w, "request-keep", is_one_of(chance, 2) ? "whole" : "parts");
    set(w, "keep-slow", is_one_of(chance, 2) ? "20 ns" : "off");
    set_rate(w, chance, "keep-slowest");
    set_rate(w, chance, "keep-rare");
    w->kept_status = set_condition(w, chance, "keep");
    w->dropped_status = set_condition(w, chance, "drop");
    set(w, "budget", is_one_of(chance, 3) ? "200/m" : "off");
}

static void
make_item(const world *w, uint64_t *chance, int64_t now_ns, item *it)
{
    bool is_open = is_one_of(chance, 10);
    bool was_open = is_open || is_one_of(chance, 10);
    *it = (item){
        .end_ns = now_ns - (int64_t)chance_below(chance, 3 * (uint64_t)SECOND),
        .duration_ns = (int64_t)chance_below(chance, 24),
        .bytes = chance_below(chance, 30),
        .route = (uint32_t)chance_below(chance, w->route_count),
        .status = statuses[chance_below(chance, 3)],
        .has_event = is_one_of(chance, 3),
        .is_over = !is_open,
        .is_counted = !is_open && is_one_of(chance, 10),
        .before =
            was_open && is_one_of(chance, 2) ? COMPACT_REQUEST_KEPT_OPEN : COMPACT_REQUEST_KEPT_NO,
    };
    if (is_one_of(chance, 50)) {
        it->end_ns -= (int64_t)chance_below(chance, 3) * MINUTE;
    }
}

static void
make_world(world *w, uint64_t *chance, bool is_wide)
{
    make_settings(w, chance);
    w->route_count = is_wide ? ROUTES_MAX : 1 + (uint32_t)chance_below(chance, 4);
    w->count = is_wide ? ITEMS_MAX : 1 + chance_below(chance, 150);
    int64_t now_ns = START + (int64_t)chance_below(chance, 60) * MINUTE;
    uint64_t step_ms = is_wide ? 60 : 1 + chance_below(chance, 6000);
    for (size_t i = 0; i < w->count; i++) {
        now_ns += (int64_t)chance_below(chance, step_ms) * 1000000;
        now_ns += is_one_of(chance, 200) ? 2 * MINUTE : 0;
        make_item(w, chance, now_ns, &w->items[i]);
    }
}

// --- The model

static bool
is_new(const item *it)
{
    return it->is_over && !it->is_counted;
}

static bool
is_dropped(const world *w, const item *it)
{
    return w->dropped_status != NULL && strcmp(it->status, w->dropped_status) == 0;
}

// is_judged returns whether the rules decide a request.
static bool
is_judged(const world *w, const item *it)
{
    return is_new(it) && !is_dropped(w, it);
}

static int64_t
time_of(policy_throttle rate, int64_t ns)
{
    return ns / rate.per_ns;
}

// is_late returns whether a time lies before the one before the latest.
static bool
is_late(policy_throttle rate, const item *it, int64_t latest_ns)
{
    return time_of(rate, it->end_ns) < time_of(rate, latest_ns) - 1;
}

// is_known returns whether what an earlier request has left is still known.
static bool
is_known(policy_throttle rate, const item *it, int64_t latest_ns)
{
    return rate.per_ns > 0 && !is_late(rate, it, latest_ns);
}

static void
find_group(world *w, size_t i)
{
    bool are_known[ROUTES_MAX + 1] = {false};
    size_t known_count = 0;
    item *it = &w->items[i];
    for (size_t k = 0; k < i; k++) {
        const item *other = &w->items[k];
        if (is_judged(w, other) && !are_known[other->group] &&
            (is_known(w->wanted.slowest, other, it->latest_ns) ||
                is_known(w->wanted.rare, other, it->latest_ns))) {
            are_known[other->group] = true;
            known_count++;
        }
    }
    bool has_room = known_count < COMPACT_REQUEST_GROUPS_MAX;
    it->group = are_known[it->route] || has_room ? it->route : (uint32_t)SHARED;
}

static bool
is_by_rule(const item *it)
{
    return it->expected.kept_by > COMPACT_REQUEST_KEPT_OPEN;
}

// count_before counts the requests of the group and time of a request that were before it and took
// as long, or that are kept by a rule.
static int64_t
count_before(const world *w, size_t i, policy_throttle rate, bool is_of_kept)
{
    const item *it = &w->items[i];
    int64_t count = 0;
    for (size_t k = 0; k < i; k++) {
        const item *other = &w->items[k];
        bool counts = is_of_kept ? is_by_rule(other) : other->duration_ns >= it->duration_ns;
        count += counts && is_judged(w, other) && other->group == it->group &&
                 time_of(rate, other->end_ns) == time_of(rate, it->end_ns);
    }
    return count;
}

static bool
asks(const world *w, size_t i, policy_throttle rate, bool is_of_kept)
{
    const item *it = &w->items[i];
    if (rate.per_ns == 0) {
        return false;
    }
    bool late = is_late(rate, it, it->latest_ns);
    seen_late += late;
    return late || count_before(w, i, rate, is_of_kept) < rate.count;
}

// is_affordable returns whether less than a share of the budget is used.
static bool
is_affordable(const world *w, size_t i, uint64_t percent)
{
    const policy_throttle budget = w->wanted.budget;
    uint64_t used = 0;
    for (size_t k = 0; budget.per_ns > 0 && k < i; k++) {
        const item *other = &w->items[k];
        bool is_whole = other->expected.kept_by >= COMPACT_REQUEST_KEPT_OPEN;
        bool is_of_time =
            time_of(budget, other->latest_ns) == time_of(budget, w->items[i].latest_ns);
        used += is_whole && is_of_time ? other->bytes : 0;
    }
    return budget.per_ns == 0 || used * 1000 < (uint64_t)budget.count * percent;
}

static compact_request_fate
judge(const world *w, size_t i)
{
    const item *it = &w->items[i];
    bool is_slow = w->wanted.slow_ns > 0 && it->duration_ns >= w->wanted.slow_ns;
    bool is_slowest = asks(w, i, w->wanted.slowest, false);
    bool is_event = w->wanted.is_whole && it->has_event;
    bool is_rare = asks(w, i, w->wanted.rare, true);
    if (w->kept_status != NULL && strcmp(it->status, w->kept_status) == 0) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_CONDITION};
    }
    if (is_slow && is_affordable(w, i, 1000)) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_SLOW};
    }
    if (is_slowest && is_affordable(w, i, 875)) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_SLOWEST};
    }
    if (is_event && is_affordable(w, i, 500)) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_EVENT};
    }
    if (is_rare && is_affordable(w, i, 750)) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_RARE};
    }
    if (it->before == COMPACT_REQUEST_KEPT_OPEN) {
        return (compact_request_fate){.kept_by = COMPACT_REQUEST_KEPT_OPEN};
    }
    bool is_refused = is_slow || is_slowest || is_event || is_rare;
    return (compact_request_fate){
        .kept_by = it->has_event ? COMPACT_REQUEST_KEPT_PARTS : COMPACT_REQUEST_KEPT_NO,
        .dropped_by = is_refused ? COMPACT_REQUEST_DROPPED_BUDGET : COMPACT_REQUEST_DROPPED_NO,
    };
}

static compact_request_fate
expect(const world *w, size_t i)
{
    const item *it = &w->items[i];
    if (is_dropped(w, it)) {
        return (compact_request_fate){.dropped_by = COMPACT_REQUEST_DROPPED_DROP};
    }
    if (is_new(it)) {
        return judge(w, i);
    }
    bool has_rules = policy_requests_keeps(&w->wanted);
    bool is_open = it->before == COMPACT_REQUEST_KEPT_OPEN || (!it->is_over && has_rules);
    return (compact_request_fate){
        .kept_by = is_open         ? COMPACT_REQUEST_KEPT_OPEN
                   : it->has_event ? COMPACT_REQUEST_KEPT_PARTS
                                   : COMPACT_REQUEST_KEPT_NO,
    };
}

static void
expect_all(world *w)
{
    int64_t latest_ns = 0;
    for (size_t i = 0; i < w->count; i++) {
        item *it = &w->items[i];
        latest_ns = is_judged(w, it) && it->end_ns > latest_ns ? it->end_ns : latest_ns;
        it->latest_ns = latest_ns;
        find_group(w, i);
        it->expected = expect(w, i);
        seen[it->expected.kept_by]++;
        seen_dropped[it->expected.dropped_by]++;
        seen_shared += is_judged(w, it) && it->group == SHARED;
    }
}

// --- The engine

static compact_request_fate
decide(const world *w, const item *it, compact_request_rules *rules)
{
    char route[32];
    int len = snprintf(route, sizeof(route), "/%" PRIu32, it->route);
    const compact_request_attribute attributes[] = {
        {"status", {(const uint8_t *)it->status, strlen(it->status)}},
        {"route", {(const uint8_t *)route, (size_t)len}},
    };
    const compact_request request = {
        .type = "shop.Request",
        .attributes = (compact_request_attribute *)(uintptr_t)attributes,
        .attribute_count = 2,
        .is_over = it->is_over,
        .is_counted = it->is_counted,
        .is_kept = it->has_event || compact_request_is_whole(it->before),
        .has_event = it->has_event,
        .kept_by = (uint8_t)it->before,
    };
    const compact_request_case one = {
        .request = &request,
        .end_wall_ns = it->end_ns,
        .duration_ns = it->duration_ns,
        .bytes = it->bytes,
    };
    compact_request_fate fate;
    assert_int_equal(compact_request_rules_decide(rules, &w->wanted, &one, &fate), LP_OK);
    return fate;
}

static void
carry(compact_request_rules *rules)
{
    lp_buf bytes = {0};
    compact_request_rules_save(rules, &bytes);
    compact_request_rules_fini(rules);
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&bytes));
    assert_int_equal(compact_request_rules_load(&cursor, rules), LP_OK);
    assert_int_equal(jfr_cursor_left(&cursor), 0);
    lp_buf_fini(&bytes);
}

// is_as_expected decides all requests; one of cut_every is behind a cut.
static bool
is_as_expected(const world *w, uint64_t *chance, uint64_t cut_every)
{
    compact_request_rules rules = {0};
    bool is_right = true;
    for (size_t i = 0; i < w->count && is_right; i++) {
        if (cut_every > 0 && is_one_of(chance, cut_every)) {
            carry(&rules);
        }
        compact_request_fate fate = decide(w, &w->items[i], &rules);
        const compact_request_fate *expected = &w->items[i].expected;
        is_right = fate.kept_by == expected->kept_by && fate.dropped_by == expected->dropped_by;
        if (!is_right) {
            print_error("request %zu: %s (%d) instead of %s (%d)\n", i,
                compact_request_kept_name(fate.kept_by), fate.dropped_by,
                compact_request_kept_name(expected->kept_by), expected->dropped_by);
        }
    }
    compact_request_rules_fini(&rules);
    return is_right;
}

// --- What no cut and no order changes

// are_slowest_kept returns whether the slowest of each time and route are kept, once all are known.
static bool
are_slowest_kept(const world *w)
{
    const policy_throttle rate = w->wanted.slowest;
    for (size_t i = 0; i < w->count; i++) {
        const item *it = &w->items[i];
        int64_t slower = 0; // those that took as long and were before do count
        for (size_t k = 0; rate.per_ns > 0 && k < w->count; k++) {
            const item *other = &w->items[k];
            bool is_slower = other->duration_ns > it->duration_ns ||
                             (other->duration_ns == it->duration_ns && k < i);
            slower += is_slower && is_judged(w, other) && other->route == it->route &&
                      time_of(rate, other->end_ns) == time_of(rate, it->end_ns);
        }
        bool is_wanted = (rate.per_ns > 0 && slower < rate.count) ||
                         (w->wanted.slow_ns > 0 && it->duration_ns >= w->wanted.slow_ns);
        if (is_judged(w, it) && is_wanted && !compact_request_is_whole(it->expected.kept_by)) {
            print_error("request %zu is dropped\n", i);
            return false;
        }
    }
    return true;
}

static bool
is_round_right(uint64_t seed, bool is_wide)
{
    uint64_t chance = seed;
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    make_world(w, &chance, is_wide);
    expect_all(w);
    bool is_right = is_as_expected(w, &chance, 0) && is_as_expected(w, &chance, 1) &&
                    is_as_expected(w, &chance, 10);
    if (w->wanted.budget.per_ns == 0 && !is_wide) {
        is_right = is_right && are_slowest_kept(w);
    }
    policy_requests_fini(&w->wanted);
    free(w);
    return is_right;
}

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void
test_fates_are_those_of_the_model_wherever_the_session_is_cut(void **state)
{
    (void)state;
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    uint64_t rounds = number_of("LOUPE_PROP_ROUNDS", 4000);
    for (uint64_t i = 0; i < rounds; i++) {
        if (!is_round_right(seed + i, (seed + i) % 200 == 7)) {
            print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed + i);
            fail();
        }
    }
    for (int i = 0; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        print_message("%zu %s\n", seen[i], compact_request_kept_name((compact_request_kept_by)i));
        assert_true(rounds < 1000 || seen[i] > rounds);
    }
    print_message("%zu over the budget, %zu dropped, %zu late, %zu shared\n", seen_dropped[1],
        seen_dropped[2], seen_late, seen_shared);
    assert_true(rounds < 1000 || (seen_dropped[1] > rounds && seen_dropped[2] > rounds &&
                                     seen_late > rounds / 4 && seen_shared > 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fates_are_those_of_the_model_wherever_the_session_is_cut),
    };
    return cmocka_run_group_tests_name("request_rules_prop", tests, NULL, NULL);
}
