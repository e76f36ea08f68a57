// SPDX-License-Identifier: Apache-2.0
#include "engine/requests/request_rules.h"

#include "common/base/lp_hash.h"
#include "common/context/ctx_recording.h"

#include <string.h>

bool
compact_request_is_whole(compact_request_kept_by kept_by)
{
    return kept_by > COMPACT_REQUEST_KEPT_PARTS;
}

// --- Attributes

static const compact_request_attribute *
find_attribute(const compact_request *request, const char *name)
{
    for (size_t i = 0; i < request->attribute_count; i++) {
        if (strcmp(request->attributes[i].name, name) == 0) {
            return &request->attributes[i];
        }
    }
    return NULL;
}

static bool
find_entry(const void *of, const char *key, ctx_entry *out_entry)
{
    const compact_request_attribute *attribute = find_attribute(of, key);
    LP_REQUIRE(attribute != NULL, false);
    size_t cut = ctx_recording_cut(attribute->text.ptr, attribute->text.len);
    *out_entry = (ctx_entry){.key = attribute->name, .value = {attribute->text.ptr, cut}};
    return true;
}

static bool
matches(const policy_filter_any *conditions, const compact_request *request)
{
    for (size_t i = 0; conditions != NULL && i < conditions->count; i++) {
        if (policy_filter_matches_found(&conditions->items[i], find_entry, request)) {
            return true;
        }
    }
    return false;
}

bool
compact_request_rules_are_set(const policy_requests *wanted)
{
    return policy_requests_keeps(wanted) || wanted->drop != NULL;
}

bool
compact_request_rules_drops(const policy_requests *wanted, const compact_request *request)
{
    return matches(wanted->drop, request);
}

const compact_request_attribute *
compact_request_route(const compact_request *request)
{
    static const char *const names[] = {"http_route", "http.route", "route", "endpoint"};
    const compact_request_attribute *route = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && route == NULL; i++) {
        route = find_attribute(request, names[i]);
    }
    return route;
}

static uint64_t
key_of(const compact_request *request)
{
    const compact_request_attribute *route = compact_request_route(request);
    uint64_t key = lp_hash_text(LP_HASH_FIXED, request->type == NULL ? "" : request->type);
    key = route == NULL ? key : lp_hash_bytes(key, route->text);
    return key == 0 ? 1 : key;
}

// --- The budget

static void
spend(compact_request_rules *rules, uint64_t bytes)
{
    bool is_over = __builtin_add_overflow(rules->budget_used, bytes, &rules->budget_used);
    rules->budget_used = is_over ? UINT64_MAX : rules->budget_used;
}

// is_allowed returns whether less than the given eighths of the budget are used.
static bool
is_allowed(const compact_request_rules *rules, uint64_t eighths)
{
    return rules->budget.per_ns == 0 ||
           rules->budget_used < (uint64_t)rules->budget.count / 8 * eighths +
                                    (uint64_t)rules->budget.count % 8 * eighths / 8;
}

// --- One request

// take_settings sets the settings, and resets the state of each that has changed.
static void
take_settings(compact_request_rules *rules, const policy_requests *wanted)
{
    compact_request_groups_check(&rules->groups);
    compact_request_groups_set(&rules->groups, wanted->slowest, wanted->rare);
    if (rules->budget.count != wanted->budget.count ||
        rules->budget.per_ns != wanted->budget.per_ns) {
        rules->budget = wanted->budget;
        rules->budget_used = 0;
        rules->budget_period = 0;
    }
}

// take_budget resets the budget if a later period has begun.
static void
take_budget(compact_request_rules *rules, int64_t end_wall_ns)
{
    int64_t period = compact_request_period(rules->budget, end_wall_ns);
    if (period > rules->budget_period) {
        rules->budget_period = period;
        rules->budget_used = 0;
    }
}

// judge applies the rules to a request that is over.
static lp_err
judge(compact_request_rules *rules, const policy_requests *wanted, const compact_request_case *item,
    compact_request_fate *out_fate)
{
    compact_request_groups_check(&rules->groups);
    const compact_request *request = item->request;
    compact_request_wish wish;
    take_budget(rules, item->end_wall_ns);
    LP_TRY(compact_request_groups_ask(
        &rules->groups, key_of(request), item->end_wall_ns, item->duration_ns, &wish));
    rules->over_limit += wish.is_over_limit;
    const struct {
        compact_request_kept_by kept_by;
        bool asks;
        bool is_allowed;
    } asked[] = {
        {COMPACT_REQUEST_KEPT_CONDITION, matches(wanted->keep, request), true},
        {COMPACT_REQUEST_KEPT_SLOW, wanted->slow_ns > 0 && item->duration_ns >= wanted->slow_ns,
            is_allowed(rules, 8)},
        {COMPACT_REQUEST_KEPT_SLOWEST, wish.is_slowest, is_allowed(rules, 7)},
        {COMPACT_REQUEST_KEPT_EVENT, wanted->is_whole && request->has_event, is_allowed(rules, 4)},
        {COMPACT_REQUEST_KEPT_RARE, wish.is_rare, is_allowed(rules, 6)},
        {COMPACT_REQUEST_KEPT_OPEN, request->kept_by == COMPACT_REQUEST_KEPT_OPEN, true},
    };
    bool is_refused = false;
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        if (asked[i].asks && asked[i].is_allowed) {
            out_fate->kept_by = asked[i].kept_by;
            if (asked[i].kept_by != COMPACT_REQUEST_KEPT_OPEN) {
                compact_request_groups_note(&wish);
            }
            return LP_OK;
        }
        is_refused |= asked[i].asks;
    }
    out_fate->kept_by = request->is_kept ? COMPACT_REQUEST_KEPT_PARTS : COMPACT_REQUEST_KEPT_NO;
    out_fate->dropped_by = is_refused ? COMPACT_REQUEST_DROPPED_BUDGET : COMPACT_REQUEST_DROPPED_NO;
    return LP_OK;
}

// stay returns why a request is kept that is not over, or has counted already.
static compact_request_kept_by
stay(const policy_requests *wanted, const compact_request *request)
{
    if (compact_request_is_whole((compact_request_kept_by)request->kept_by)) {
        return (compact_request_kept_by)request->kept_by;
    }
    if (!request->is_over && policy_requests_keeps(wanted)) {
        return COMPACT_REQUEST_KEPT_OPEN;
    }
    return request->is_kept ? COMPACT_REQUEST_KEPT_PARTS : COMPACT_REQUEST_KEPT_NO;
}

lp_err
compact_request_rules_decide(compact_request_rules *rules, const policy_requests *wanted,
    const compact_request_case *item, compact_request_fate *out_fate)
{
    compact_request_groups_check(&rules->groups);
    const compact_request *request = item->request;
    compact_request_fate fate = {0};
    take_settings(rules, wanted);
    if (compact_request_rules_drops(wanted, request)) {
        fate.dropped_by = COMPACT_REQUEST_DROPPED_DROP;
    } else if (compact_request_counts_here(request)) {
        LP_TRY(judge(rules, wanted, item, &fate));
    } else {
        fate.kept_by = stay(wanted, request);
        fate.dropped_by = (compact_request_dropped_by)request->dropped_by;
    }
    if (compact_request_is_whole(fate.kept_by)) {
        spend(rules, item->bytes);
    }
    *out_fate = fate;
    return LP_OK;
}

void
compact_request_rules_fini(compact_request_rules *rules)
{
    compact_request_groups_check(&rules->groups);
    compact_request_groups_fini(&rules->groups);
    *rules = (compact_request_rules){0};
}
