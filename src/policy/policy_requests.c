// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_requests.h"

#include "common/base/lp_find.h"
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
read_whole(void *field, const char *value)
{
    bool *is_whole = field;
    *is_whole = strcmp(value, "whole") == 0;
    return *is_whole || strcmp(value, "parts") == 0;
}

static bool
read_slow(void *field, const char *value)
{
    int64_t *slow_ns = field;
    *slow_ns = 0;
    return is_off(value) || (policy_value_timespan(value, slow_ns) && *slow_ns > 0);
}

// is_rate returns whether a rate is off, or has a valid time and a count up to max.
static bool
is_rate(policy_throttle rate, int64_t max)
{
    return rate.per_ns == 0 ||
           (rate.per_ns >= PERIOD_NS_MIN && rate.count > 0 && rate.count <= max);
}

static bool
read_rate(void *field, const char *value)
{
    policy_throttle rate;
    bool is_valid = policy_value_throttle(value, &rate) && is_rate(rate, POLICY_REQUESTS_COUNT_MAX);
    *(policy_throttle *)field = is_valid ? rate : (policy_throttle){0};
    return is_valid;
}

static bool
read_budget(void *field, const char *value)
{
    policy_throttle budget;
    bool is_valid = policy_value_bytes(value, &budget) && is_rate(budget, INT64_MAX);
    *(policy_throttle *)field = is_valid ? budget : (policy_throttle){0};
    return is_valid;
}

// asks_attributes returns whether all terms are has-key or has-entry. Others make no sense:
// requests always have a context, and no attribute that is null.
static bool
asks_attributes(const policy_filter_any *conditions)
{
    for (size_t i = 0; i < conditions->count; i++) {
        const policy_filter *filter = &conditions->items[i];
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
read_conditions(void *field, const char *value)
{
    const policy_filter_any **conditions = field;
    policy_filter_any *parsed = NULL;
    free((policy_filter_any *)(uintptr_t)*conditions);
    bool is_valid = is_off(value) ||
                    (policy_filter_any_parse(value, &parsed) == LP_OK && asks_attributes(parsed));
    if (!is_valid) {
        free(parsed);
        parsed = NULL;
    }
    *conditions = parsed;
    return is_valid;
}

static bool
read_by(void *field, const char *value)
{
    const policy_index **by = field;
    policy_index *parsed;
    free((policy_index *)(uintptr_t)*by);
    bool is_valid = policy_index_parse(value, &parsed);
    *by = parsed;
    return is_valid;
}

static bool
read_unit(void *field, const char *value)
{
    const char **unit = field;
    bool is_outermost = strcmp(value, "outermost") == 0;
    bool is_name = !is_outermost && *value != '\0' && strchr(value, '*') == NULL;
    free((char *)(uintptr_t)*unit);
    *unit = is_name ? strdup(value) : NULL;
    return is_outermost || *unit != NULL;
}

#define RATES      "off or a number from 1 to 100 in a time such as 10/m, in m, h or d"
#define CONDITIONS "off, or has-key NAME, has-entry NAME=VALUE joined by and, and those by or"

#define FIELD(name) offsetof(policy_requests, name)

static const policy_requests_setting settings[] = {
    {"request-keep", read_whole, FIELD(is_whole), "parts or whole", "parts"},
    {"keep-slow", read_slow, FIELD(slow_ns), "off or a timespan above 0 such as 500 ms", off},
    {"keep-slowest", read_rate, FIELD(slowest), RATES, off},
    {"keep-rare", read_rate, FIELD(rare), RATES, off},
    {"keep", read_conditions, FIELD(keep), CONDITIONS, off},
    {"drop", read_conditions, FIELD(drop), CONDITIONS, off},
    {"budget", read_budget, FIELD(budget), "off or bytes in a time such as 100M/h, in m, h or d",
        off},
    {"request-by", read_by, FIELD(by),
        "off, or names of attributes with commas between them, 16 at most", off},
    {"request", read_unit, FIELD(unit), "outermost or the name of a context type", "outermost"},
};

enum { SETTING_COUNT = LP_COUNT(settings) };

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
    LP_REQUIRE(strcmp(event_type_name, POLICY_REQUESTS_EVENT) == 0, NULL);
    return LP_FIND(settings, SETTING_COUNT, strcmp(name, at->name) == 0);
}

bool
policy_requests_apply(
    const policy_requests_setting *setting, policy_requests *requests, const char *value)
{
    return setting->read((uint8_t *)requests + setting->offset, value);
}

void
policy_requests_fini(policy_requests *requests)
{
    free((policy_filter_any *)(uintptr_t)requests->keep);
    free((policy_filter_any *)(uintptr_t)requests->drop);
    free((policy_index *)(uintptr_t)requests->by);
    free((char *)(uintptr_t)requests->unit);
    *requests = (policy_requests){0};
}
