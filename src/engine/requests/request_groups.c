// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_request_rules.c,
//          tests/prop/test_request_rules_prop.c
#include "common/base/lp_assert.h"
#include "engine/requests/request_rules.h"

#include <string.h>

int64_t
compact_request_period(policy_throttle setting, int64_t wall_ns)
{
    return setting.per_ns == 0 || wall_ns < 0 ? 0 : wall_ns / setting.per_ns;
}

void
compact_request_groups_check(const compact_request_groups *groups)
{
    LP_ASSERT(groups->by_key.count <= groups->items.count); // less once memory ran out
}

// is_recent returns whether a period is the latest one, or the one before.
static bool
is_recent(const compact_request_groups *groups, policy_throttle setting, int64_t period)
{
    return setting.per_ns > 0 &&
           period >= compact_request_period(setting, groups->latest_wall_ns) - 1;
}

// --- Groups

static void
fini_group(compact_request_group *group)
{
    LP_VEC_FINI(&group->slowest[0].items);
    LP_VEC_FINI(&group->slowest[1].items);
}

// is_old returns whether no request will read the group again.
static bool
is_old(const compact_request_groups *groups, const compact_request_group *group)
{
    return !is_recent(groups, groups->slowest, group->slowest[0].period) &&
           !is_recent(groups, groups->slowest, group->slowest[1].period) &&
           !is_recent(groups, groups->rare, group->rare[0].period) &&
           !is_recent(groups, groups->rare, group->rare[1].period);
}

static void
clear(compact_request_groups *groups)
{
    for (size_t i = 0; i < groups->items.count; i++) {
        fini_group(&groups->items.items[i]);
    }
    groups->items.count = 0;
    lp_map_clear(&groups->by_key);
}

void
compact_request_groups_fini(compact_request_groups *groups)
{
    compact_request_groups_check(groups);
    clear(groups);
    LP_VEC_FINI(&groups->items);
    lp_map_fini(&groups->by_key);
    *groups = (compact_request_groups){0};
}

static bool
is_same(policy_throttle a, policy_throttle b)
{
    return a.count == b.count && a.per_ns == b.per_ns;
}

void
compact_request_groups_set(
    compact_request_groups *groups, policy_throttle slowest, policy_throttle rare)
{
    compact_request_groups_check(groups);
    if (!is_same(groups->slowest, slowest) || !is_same(groups->rare, rare)) {
        clear(groups);
        groups->slowest = slowest;
        groups->rare = rare;
    }
}

// is_swept returns whether no group can have become old since the last sweep.
static bool
is_swept(const compact_request_groups *groups)
{
    const policy_throttle settings[] = {groups->slowest, groups->rare};
    bool is_same = true;
    for (size_t i = 0; i < 2; i++) {
        is_same &= compact_request_period(settings[i], groups->latest_wall_ns) ==
                   compact_request_period(settings[i], groups->swept_wall_ns);
    }
    return is_same;
}

// sweep removes old groups. Errors: LP_ENOMEM; then by_key lacks some groups
static lp_err
sweep(compact_request_groups *groups)
{
    compact_request_groups_check(groups);
    size_t left = 0;
    lp_err err = LP_OK;
    lp_map_clear(&groups->by_key);
    for (size_t i = 0; i < groups->items.count; i++) {
        compact_request_group *group = &groups->items.items[i];
        if (is_old(groups, group)) {
            fini_group(group);
            continue;
        }
        groups->items.items[left] = *group;
        LP_THEN(err, lp_map_put(&groups->by_key, group->key, (uint32_t)left));
        left++;
    }
    groups->items.count = left;
    groups->swept_wall_ns = groups->latest_wall_ns;
    return err;
}

compact_request_group *
compact_request_groups_find(compact_request_groups *groups, uint64_t key)
{
    compact_request_groups_check(groups);
    uint32_t index = lp_map_find(&groups->by_key, key);
    if (index != LP_MAP_NONE) {
        return &groups->items.items[index];
    }
    index = (uint32_t)groups->items.count;
    LP_REQUIRE(
        LP_VEC_ROOM(&groups->items) && lp_map_put(&groups->by_key, key, index) == LP_OK, NULL);
    groups->items.items[index] = (compact_request_group){.key = key};
    groups->items.count++;
    return &groups->items.items[index];
}

// find_or_share returns the group of a key, or the shared one if there are too many. It removes old
// groups first, so that a process that loaded its groups from a carry-over finds the same ones.
static compact_request_group *
find_or_share(compact_request_groups *groups, uint64_t key, bool *out_is_shared)
{
    compact_request_groups_check(groups);
    LP_REQUIRE(is_swept(groups) || sweep(groups) == LP_OK, NULL);
    *out_is_shared = groups->items.count >= COMPACT_REQUEST_GROUPS_MAX &&
                     lp_map_find(&groups->by_key, key) == LP_MAP_NONE;
    return compact_request_groups_find(groups, *out_is_shared ? 0 : key);
}

static compact_request_longest *
longest_of(compact_request_group *group, int64_t period)
{
    compact_request_longest *longest = &group->slowest[period & 1];
    if (longest->period != period) {
        longest->period = period;
        longest->items.count = 0;
    }
    return longest;
}

static compact_request_seen *
seen_of(compact_request_group *group, int64_t period)
{
    compact_request_seen *seen = &group->rare[period & 1];
    if (seen->period != period) {
        *seen = (compact_request_seen){.period = period};
    }
    return seen;
}

// take_longest adds a duration if fewer than max are at least as long. *out_is_one: it did.
static lp_err
take_longest(compact_request_longest *longest, int64_t duration_ns, size_t max, bool *out_is_one)
{
    size_t count = longest->items.count;
    *out_is_one = count < max || longest->items.items[0] < duration_ns;
    if (!*out_is_one) {
        return LP_OK;
    }
    LP_REQUIRE(count >= max || LP_VEC_ROOM(&longest->items), LP_ENOMEM);
    int64_t *items = longest->items.items;
    size_t at = 0; // how many are shorter
    while (at < count && items[at] < duration_ns) {
        at++;
    }
    if (count < max) {
        memmove(&items[at + 1], &items[at], (count - at) * sizeof(*items));
        items[at] = duration_ns;
        longest->items.count++;
    } else {
        memmove(&items[0], &items[1], (at - 1) * sizeof(*items));
        items[at - 1] = duration_ns;
    }
    return LP_OK;
}

lp_err
compact_request_groups_ask(compact_request_groups *groups, uint64_t key, int64_t end_wall_ns,
    int64_t duration_ns, compact_request_wish *out_wish)
{
    compact_request_groups_check(groups);
    LP_ASSERT(key != 0);
    groups->latest_wall_ns =
        end_wall_ns > groups->latest_wall_ns ? end_wall_ns : groups->latest_wall_ns;
    int64_t slowest_period = compact_request_period(groups->slowest, end_wall_ns);
    int64_t rare_period = compact_request_period(groups->rare, end_wall_ns);
    bool has_slowest = is_recent(groups, groups->slowest, slowest_period);
    bool has_rare = is_recent(groups, groups->rare, rare_period);
    *out_wish = (compact_request_wish){
        .is_slowest = groups->slowest.per_ns > 0 && !has_slowest,
        .is_rare = groups->rare.per_ns > 0 && !has_rare,
    };
    if (!has_slowest && !has_rare) {
        return LP_OK;
    }
    compact_request_group *group = find_or_share(groups, key, &out_wish->is_over_limit);
    LP_REQUIRE(group != NULL, LP_ENOMEM);
    if (has_rare) {
        out_wish->seen = seen_of(group, rare_period);
        out_wish->is_rare = out_wish->seen->kept < (uint64_t)groups->rare.count;
    }
    return has_slowest ? take_longest(longest_of(group, slowest_period), duration_ns,
                             (size_t)groups->slowest.count, &out_wish->is_slowest)
                       : LP_OK;
}

void
compact_request_groups_note(const compact_request_wish *wish)
{
    if (wish->seen != NULL) {
        wish->seen->kept++;
    }
}
