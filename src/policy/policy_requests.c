// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_requests.h"

#include "policy/policy_value.h"

#include <stdlib.h>
#include <string.h>

static const int64_t PERIOD_NS_MIN = 60 * (int64_t)1000000000;

static const char off[] = "off";

static bool
is_off(const char *value)
{
    return strcmp(value, off) == 0;
}

static bool
apply_whole(policy_requests *requests, const char *value)
{
    requests->is_whole = strcmp(value, "whole") == 0;
    return requests->is_whole || strcmp(value, "parts") == 0;
}

static bool
apply_slow(policy_requests *requests, const char *value)
{
    requests->slow_ns = 0;
    return is_off(value) ||
           (policy_value_timespan(value, &requests->slow_ns) && requests->slow_ns > 0);
}

// is_rate returns whether a rate is off, or has a valid time and a count up to max.
static bool
is_rate(policy_throttle rate, int64_t max)
{
    return rate.per_ns == 0 ||
           (rate.per_ns >= PERIOD_NS_MIN && rate.count > 0 && rate.count <= max);
}

static bool
apply_rate(policy_throttle *out_rate, const char *value)
{
    policy_throttle rate;
    bool is_valid = policy_value_throttle(value, &rate) && is_rate(rate, POLICY_REQUESTS_COUNT_MAX);
    *out_rate = is_valid ? rate : (policy_throttle){0};
    return is_valid;
}

static bool
apply_slowest(policy_requests *requests, const char *value)
{
    return apply_rate(&requests->slowest, value);
}

static bool
apply_rare(policy_requests *requests, const char *value)
{
    return apply_rate(&requests->rare, value);
}

static bool
apply_budget(policy_requests *requests, const char *value)
{
    policy_throttle budget;
    bool is_valid = policy_value_bytes(value, &budget) && is_rate(budget, INT64_MAX);
    requests->budget = is_valid ? budget : (policy_throttle){0};
    return is_valid;
}

static void
free_conditions(const policy_filter_any **conditions)
{
    policy_filter_any_destroy((policy_filter_any *)(uintptr_t)*conditions);
    *conditions = NULL;
}

// asks_attributes returns whether all terms are has-key or has-entry. Others make no sense:
// requests always have a context, and no attribute that is null.
static bool
asks_attributes(const policy_filter_any *conditions)
{
    for (size_t i = 0; i < conditions->count; i++) {
        const policy_filter *filter = conditions->items[i];
        for (size_t k = 0; k < filter->term_count; k++) {
            policy_filter_kind kind = filter->terms[k].kind;
            if (kind != POLICY_HAS_KEY && kind != POLICY_HAS_ENTRY) {
                return false;
            }
        }
    }
    return true;
}

static bool
apply_conditions(const policy_filter_any **out_conditions, const char *value)
{
    free_conditions(out_conditions);
    policy_filter_any *conditions;
    if (is_off(value)) {
        return true;
    }
    if (policy_filter_any_parse(value, &conditions) != LP_OK) {
        return false;
    }
    if (!asks_attributes(conditions)) {
        policy_filter_any_destroy(conditions);
        return false;
    }
    *out_conditions = conditions;
    return true;
}

static bool
apply_keep(policy_requests *requests, const char *value)
{
    return apply_conditions(&requests->keep, value);
}

static bool
apply_drop(policy_requests *requests, const char *value)
{
    return apply_conditions(&requests->drop, value);
}

static void
free_by(policy_requests *requests)
{
    policy_index_destroy((policy_index *)(uintptr_t)requests->by);
    requests->by = NULL;
}

static bool
apply_by(policy_requests *requests, const char *value)
{
    policy_index *by;
    free_by(requests);
    bool is_valid = policy_index_parse(value, &by);
    requests->by = is_valid ? by : NULL;
    return is_valid;
}

static void
free_unit(policy_requests *requests)
{
    free((char *)(uintptr_t)requests->unit);
    requests->unit = NULL;
}

static bool
apply_unit(policy_requests *requests, const char *value)
{
    free_unit(requests);
    if (strcmp(value, "outermost") == 0) {
        return true;
    }
    bool is_name = *value != '\0' && strchr(value, '*') == NULL;
    requests->unit = is_name ? strdup(value) : NULL;
    return requests->unit != NULL;
}

#define RATES      "off or a number from 1 to 100 in a time such as 10/m, in m, h or d"
#define CONDITIONS "off, or has-key NAME, has-entry NAME=VALUE joined by and, and those by or"

static const policy_requests_setting settings[] = {
    {"request-keep", apply_whole, "parts or whole", "parts"},
    {"keep-slow", apply_slow, "off or a timespan above 0 such as 500 ms", off},
    {"keep-slowest", apply_slowest, RATES, off},
    {"keep-rare", apply_rare, RATES, off},
    {"keep", apply_keep, CONDITIONS, off},
    {"drop", apply_drop, CONDITIONS, off},
    {"budget", apply_budget, "off or bytes in a time such as 100M/h, in m, h or d", off},
    {"request-by", apply_by, "off, or names of attributes with commas between them, 16 at most",
        off},
    {"request", apply_unit, "outermost or the name of a context type", "outermost"},
};

enum { SETTING_COUNT = sizeof(settings) / sizeof(settings[0]) };

bool
policy_requests_keeps(const policy_requests *requests)
{
    return requests->is_whole || requests->slow_ns > 0 || requests->slowest.per_ns > 0 ||
           requests->rare.per_ns > 0 || requests->keep != NULL;
}

const policy_requests_setting *
policy_requests_get(size_t index)
{
    return index < SETTING_COUNT ? &settings[index] : NULL;
}

const policy_requests_setting *
policy_requests_find(const char *event_type_name, const char *name)
{
    if (strcmp(event_type_name, POLICY_REQUESTS_EVENT) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(name, settings[i].name) == 0) {
            return &settings[i];
        }
    }
    return NULL;
}

void
policy_requests_fini(policy_requests *requests)
{
    free_conditions(&requests->keep);
    free_conditions(&requests->drop);
    free_by(requests);
    free_unit(requests);
}
