// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/request_groups.h"

#include <string.h>

int64_t
compact_request_period(policy_throttle setting, int64_t wall_ns)
{
    return setting.per_ns == 0 || wall_ns < 0 ? 0 : wall_ns / setting.per_ns;
}

// is_recent returns whether a period is the latest of a setting, or the one before.
static bool
is_recent(const compact_request_rules *rules, policy_throttle setting, int64_t period)
{
    return setting.per_ns > 0 &&
           period + 1 >= compact_request_period(setting, rules->latest_wall_ns);
}

// --- Groups

static void
fini_group(compact_request_group *group)
{
    LP_VEC_FINI(&group->slowest[0].items);
    LP_VEC_FINI(&group->slowest[1].items);
}

// is_old returns whether nothing that a group knows can matter any more.
static bool
is_old(const compact_request_rules *rules, const compact_request_group *group)
{
    return !is_recent(rules, rules->slowest, group->slowest[0].period) &&
           !is_recent(rules, rules->slowest, group->slowest[1].period) &&
           !is_recent(rules, rules->rare, group->rare[0].period) &&
           !is_recent(rules, rules->rare, group->rare[1].period);
}

void
compact_request_groups_clear(compact_request_rules *rules)
{
    for (size_t i = 0; i < rules->groups.count; i++) {
        fini_group(&rules->groups.items[i]);
    }
    rules->groups.count = 0;
    lp_map_clear(&rules->by_key);
}

// is_swept returns whether no group has become old since old ones were removed.
static bool
is_swept(const compact_request_rules *rules)
{
    const policy_throttle settings[] = {rules->slowest, rules->rare};
    bool is_same = true;
    for (size_t i = 0; i < 2; i++) {
        is_same &= compact_request_period(settings[i], rules->latest_wall_ns) ==
                   compact_request_period(settings[i], rules->swept_wall_ns);
    }
    return is_same;
}

// sweep removes old groups. Errors: LP_ENOMEM; then not all that are left are found
static lp_err
sweep(compact_request_rules *rules)
{
    size_t left = 0;
    lp_err err = LP_OK;
    lp_map_clear(&rules->by_key);
    for (size_t i = 0; i < rules->groups.count; i++) {
        compact_request_group *group = &rules->groups.items[i];
        if (is_old(rules, group)) {
            fini_group(group);
            continue;
        }
        rules->groups.items[left] = *group;
        err = err == LP_OK ? lp_map_put(&rules->by_key, group->key, (uint32_t)left) : err;
        left++;
    }
    rules->groups.count = left;
    rules->swept_wall_ns = rules->latest_wall_ns;
    return err;
}

compact_request_group *
compact_request_groups_find(compact_request_rules *rules, uint64_t key)
{
    uint32_t index = lp_map_find(&rules->by_key, key);
    if (index != LP_MAP_NONE) {
        return &rules->groups.items[index];
    }
    index = (uint32_t)rules->groups.count;
    if (!LP_VEC_ROOM(&rules->groups) || lp_map_put(&rules->by_key, key, index) != LP_OK) {
        return NULL;
    }
    rules->groups.items[index] = (compact_request_group){.key = key};
    rules->groups.count++;
    return &rules->groups.items[index];
}

// find_or_share returns the group of a key, or the one that others share where there are too many.
// Old groups are removed first, so that no key has one that another process would not find in what
// is carried.
static compact_request_group *
find_or_share(compact_request_rules *rules, uint64_t key)
{
    if (!is_swept(rules) && sweep(rules) != LP_OK) {
        return NULL;
    }
    if (rules->groups.count >= COMPACT_REQUEST_GROUPS_MAX &&
        lp_map_find(&rules->by_key, key) == LP_MAP_NONE) {
        rules->counts.over_limit++;
        key = 0;
    }
    return compact_request_groups_find(rules, key);
}

// --- Asking

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

// take_longest adds a duration, if fewer than max are as long. *out_is_one is whether it did.
static lp_err
take_longest(compact_request_longest *longest, int64_t duration_ns, size_t max, bool *out_is_one)
{
    size_t count = longest->items.count;
    *out_is_one = count < max || longest->items.items[0] < duration_ns;
    if (!*out_is_one) {
        return LP_OK;
    }
    if (count < max && !LP_VEC_ROOM(&longest->items)) {
        return LP_ENOMEM;
    }
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
compact_request_groups_ask(compact_request_rules *rules, uint64_t key,
    const compact_request_case *item, compact_request_wish *out_wish)
{
    int64_t slowest_period = compact_request_period(rules->slowest, item->end_wall_ns);
    int64_t rare_period = compact_request_period(rules->rare, item->end_wall_ns);
    bool has_slowest = is_recent(rules, rules->slowest, slowest_period);
    bool has_rare = is_recent(rules, rules->rare, rare_period);
    *out_wish = (compact_request_wish){
        .is_slowest = rules->slowest.per_ns > 0 && !has_slowest,
        .is_rare = rules->rare.per_ns > 0 && !has_rare,
    };
    if (!has_slowest && !has_rare) {
        return LP_OK;
    }
    compact_request_group *group = find_or_share(rules, key);
    if (group == NULL) {
        return LP_ENOMEM;
    }
    if (has_rare) {
        out_wish->seen = seen_of(group, rare_period);
        out_wish->is_rare = out_wish->seen->kept < (uint64_t)rules->rare.count;
    }
    return has_slowest ? take_longest(longest_of(group, slowest_period), item->duration_ns,
                             (size_t)rules->slowest.count, &out_wish->is_slowest)
                       : LP_OK;
}

void
compact_request_groups_note(const compact_request_wish *wish)
{
    if (wish->seen != NULL) {
        wish->seen->kept++;
    }
}
