// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_request_rules.c
#include "common/base/lp_assert.h"
#include "engine/codec.h"
#include "engine/requests/request_rules.h"

static void
code_setting(compact_codec *c, policy_throttle *setting, int64_t max)
{
    COMPACT_CODE(c, setting->count, setting->per_ns);
    bool is_off = setting->count == 0 && setting->per_ns == 0;
    compact_codec_expect(
        c, is_off || (setting->count > 0 && setting->count <= max && setting->per_ns > 0));
}

// is_in_place returns whether a period belongs at this index of a group.
static bool
is_in_place(int64_t period, size_t index)
{
    return period == 0 || (period > 0 && (period & 1) == (int64_t)index);
}

static void
code_longest(compact_codec *c, int64_t max, size_t index, compact_request_longest *longest)
{
    COMPACT_CODE(c, longest->period);
    uint64_t count = compact_codec_up_to(c, longest->items.count, (uint64_t)max);
    compact_codec_expect(c, is_in_place(longest->period, index));
    int64_t duration_ns = 0;
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        duration_ns = compact_codec_after(
            c, i == 0, duration_ns, compact_codec_loads(c) ? duration_ns : longest->items.items[i]);
        if (compact_codec_loads(c)) {
            compact_codec_fail(c, LP_VEC_ADD(&longest->items, duration_ns));
        }
    }
}

static void
code_group(compact_codec *c, int64_t slowest_max, compact_request_group *group)
{
    for (size_t i = 0; i < 2; i++) {
        compact_request_seen *seen = &group->rare[i];
        code_longest(c, slowest_max, i, &group->slowest[i]);
        COMPACT_CODE(c, seen->period, seen->kept);
        compact_codec_expect(c, is_in_place(seen->period, i));
    }
}

static void
load_group(compact_codec *c, compact_request_groups *groups)
{
    compact_request_groups_check(groups);
    uint64_t key = compact_codec_number(c, 0);
    compact_codec_expect(c, lp_map_find(&groups->by_key, key) == LP_MAP_NONE);
    if (c->err != LP_OK) {
        return;
    }
    compact_request_group *group = compact_request_groups_find(groups, key);
    if (group == NULL) {
        compact_codec_fail(c, LP_ENOMEM);
        return;
    }
    code_group(c, groups->slowest.count, group);
}

// code_rules changes no group that it saves.
static void
code_rules(compact_codec *c, compact_request_rules *rules)
{
    compact_request_groups_check(&rules->groups);
    compact_request_groups *groups = &rules->groups;
    code_setting(c, &rules->budget, INT64_MAX);
    COMPACT_CODE(c, rules->budget_period, rules->budget_used);
    code_setting(c, &groups->slowest, POLICY_REQUESTS_COUNT_MAX);
    code_setting(c, &groups->rare, POLICY_REQUESTS_COUNT_MAX);
    COMPACT_CODE(c, groups->latest_wall_ns);
    uint64_t count = compact_codec_up_to(c, groups->items.count, COMPACT_REQUEST_GROUPS_MAX + 1);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        if (compact_codec_loads(c)) {
            load_group(c, groups);
        } else {
            compact_request_group group = groups->items.items[i];
            (void)compact_codec_number(c, group.key);
            code_group(c, groups->slowest.count, &group);
        }
    }
}

void
compact_request_rules_save(const compact_request_rules *rules, lp_buf *out)
{
    compact_request_groups_check(&rules->groups);
    compact_request_rules saved = *rules;
    code_rules(&(compact_codec){.out = out}, &saved);
}

lp_err
compact_request_rules_load(jfr_cursor *cursor, compact_request_rules *rules)
{
    compact_request_groups_check(&rules->groups);
    compact_codec c = {.cursor = *cursor};
    code_rules(&c, rules);
    *cursor = c.cursor;
    return c.err;
}

lp_err
compact_request_rules_copy(const compact_request_rules *rules, compact_request_rules *out)
{
    compact_request_groups_check(&rules->groups);
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
