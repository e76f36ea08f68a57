// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_request_rules.c
#include "common/base/lp_assert.h"
#include "engine/requests/request_rules.h"

// The saved form is a run of varints, in the order of compact_request_rules_save.

// --- Saving

static void
save_number(lp_buf *out, int64_t number)
{
    jfr_varint_append(out, (uint64_t)number);
}

static void
save_setting(lp_buf *out, policy_throttle setting)
{
    save_number(out, setting.count);
    save_number(out, setting.per_ns);
}

// save_longest saves the differences of durations, which are short.
static void
save_longest(lp_buf *out, const compact_request_longest *longest)
{
    int64_t before = 0;
    save_number(out, longest->period);
    save_number(out, (int64_t)longest->items.count);
    for (size_t i = 0; i < longest->items.count; i++) {
        jfr_varint_append(out, (uint64_t)longest->items.items[i] - (uint64_t)before);
        before = longest->items.items[i];
    }
}

static void
save_group(lp_buf *out, const compact_request_group *group)
{
    jfr_varint_append(out, group->key);
    for (size_t i = 0; i < 2; i++) {
        save_longest(out, &group->slowest[i]);
        save_number(out, group->rare[i].period);
        save_number(out, (int64_t)group->rare[i].kept);
    }
}

void
compact_request_rules_save(const compact_request_rules *rules, lp_buf *out)
{
    const compact_request_groups *groups = &rules->groups;
    save_setting(out, rules->budget);
    save_number(out, rules->budget_period);
    save_number(out, (int64_t)rules->budget_used);
    save_setting(out, groups->slowest);
    save_setting(out, groups->rare);
    save_number(out, groups->latest_wall_ns);
    save_number(out, (int64_t)groups->items.count);
    for (size_t i = 0; i < groups->items.count; i++) {
        save_group(out, &groups->items.items[i]);
    }
}

// --- Loading

typedef struct loader {
    jfr_cursor *cursor;
    compact_request_groups *groups;
    lp_err err; // the first
} loader;

static void
expect(loader *l, bool is_so)
{
    if (!is_so && l->err == LP_OK) {
        l->err = LP_ECORRUPT;
    }
}

static int64_t
load_number(loader *l)
{
    uint64_t number = 0;
    expect(l, l->err == LP_OK && jfr_varint_read(l->cursor, &number));
    return (int64_t)number;
}

static policy_throttle
load_setting(loader *l, int64_t max)
{
    policy_throttle setting = {.count = load_number(l)};
    setting.per_ns = load_number(l);
    bool is_off = setting.count == 0 && setting.per_ns == 0;
    expect(l, is_off || (setting.count > 0 && setting.count <= max && setting.per_ns > 0));
    return setting;
}

static void
load_longest(loader *l, size_t index, compact_request_longest *longest)
{
    longest->period = load_number(l);
    int64_t count = load_number(l);
    bool is_place = longest->period >= 0 && (longest->period & 1) == (int64_t)index;
    expect(
        l, (is_place || longest->period == 0) && count >= 0 && count <= l->groups->slowest.count);
    int64_t before = INT64_MIN;
    int64_t duration_ns = 0;
    for (; count > 0 && l->err == LP_OK; count--) {
        duration_ns = (int64_t)((uint64_t)duration_ns + (uint64_t)load_number(l));
        expect(l, duration_ns >= before);
        before = duration_ns;
        if (!LP_VEC_ROOM(&longest->items)) {
            l->err = LP_ENOMEM;
            return;
        }
        longest->items.items[longest->items.count++] = duration_ns;
    }
}

static void
load_seen(loader *l, size_t index, compact_request_seen *seen)
{
    seen->period = load_number(l);
    seen->kept = (uint64_t)load_number(l);
    expect(l, seen->period == 0 || (seen->period > 0 && (seen->period & 1) == (int64_t)index));
}

static void
load_group(loader *l)
{
    uint64_t key = (uint64_t)load_number(l);
    expect(l, lp_map_find(&l->groups->by_key, key) == LP_MAP_NONE);
    compact_request_group *group =
        l->err == LP_OK ? compact_request_groups_find(l->groups, key) : NULL;
    if (group == NULL) {
        l->err = l->err == LP_OK ? LP_ENOMEM : l->err;
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        load_longest(l, i, &group->slowest[i]);
        load_seen(l, i, &group->rare[i]);
    }
}

lp_err
compact_request_rules_load(jfr_cursor *cursor, compact_request_rules *rules)
{
    compact_request_groups *groups = &rules->groups;
    loader l = {.cursor = cursor, .groups = groups};
    rules->budget = load_setting(&l, INT64_MAX);
    rules->budget_period = load_number(&l);
    rules->budget_used = (uint64_t)load_number(&l);
    groups->slowest = load_setting(&l, POLICY_REQUESTS_COUNT_MAX);
    groups->rare = load_setting(&l, POLICY_REQUESTS_COUNT_MAX);
    groups->latest_wall_ns = load_number(&l);
    int64_t count = load_number(&l);
    expect(&l, count >= 0 && count <= COMPACT_REQUEST_GROUPS_MAX + 1);
    for (; count > 0 && l.err == LP_OK; count--) {
        load_group(&l);
    }
    return l.err;
}

lp_err
compact_request_rules_copy(const compact_request_rules *rules, compact_request_rules *out)
{
    lp_buf bytes = {0};
    compact_request_rules_save(rules, &bytes);
    lp_err err = lp_buf_check(&bytes);
    if (err == LP_OK) {
        jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&bytes));
        err = compact_request_rules_load(&cursor, out);
        LP_ASSERT(err != LP_ECORRUPT);
    }
    lp_buf_fini(&bytes);
    return err;
}
