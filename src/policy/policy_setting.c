// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_setting.h"

#include "policy/policy_value.h"

#include <string.h>

static bool
parse_select(const char *text, policy_select *out_select)
{
    static const struct {
        const char *text;
        policy_select select;
    } values[] = {
        {"all", POLICY_SELECT_ALL},
        {"if-context", POLICY_SELECT_IF_CONTEXT},
        {"if-triggered", POLICY_SELECT_IF_TRIGGERED},
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (strcmp(text, values[i].text) == 0) {
            *out_select = values[i].select;
            return true;
        }
    }
    return false;
}

static bool
apply_enabled(policy_event *event, const char *value)
{
    bool is_enabled = true;
    bool is_valid = policy_value_bool(value, &is_enabled);
    event->is_disabled = is_valid && !is_enabled;
    return is_valid;
}

static bool
apply_contextual(policy_event *event, const char *value)
{
    bool is_contextual = false;
    bool is_valid = policy_value_bool(value, &is_contextual);
    policy_contextual said = is_contextual ? POLICY_CONTEXTUAL_YES : POLICY_CONTEXTUAL_NO;
    event->contextual = is_valid ? said : POLICY_CONTEXTUAL_UNSAID;
    return is_valid;
}

static bool
apply_with_context(policy_event *event, const char *value)
{
    bool is_with = false;
    bool is_valid = policy_value_bool(value, &is_with);
    policy_with_context said = is_with ? POLICY_WITH_CONTEXT_YES : POLICY_WITH_CONTEXT_NO;
    event->with_context = is_valid ? said : POLICY_WITH_CONTEXT_UNSAID;
    return is_valid;
}

static bool
apply_threshold(policy_event *event, const char *value)
{
    event->threshold_ns = 0;
    return policy_value_timespan(value, &event->threshold_ns);
}

static bool
apply_throttle(policy_event *event, const char *value)
{
    event->throttle = (policy_throttle){0};
    return policy_value_throttle(value, &event->throttle);
}

static bool
apply_context_threshold(policy_event *event, const char *value)
{
    event->context_threshold_ns = 0;
    return policy_value_timespan(value, &event->context_threshold_ns);
}

static bool
apply_context_throttle(policy_event *event, const char *value)
{
    event->context_throttle = (policy_throttle){0};
    return policy_value_throttle(value, &event->context_throttle);
}

static bool
apply_select(policy_event *event, const char *value)
{
    event->select = POLICY_SELECT_ALL;
    return parse_select(value, &event->select);
}

static void
free_filter(policy_event *event)
{
    policy_filter_destroy((policy_filter *)(uintptr_t)event->filter);
    event->filter = NULL;
}

static bool
apply_filter(policy_event *event, const char *value)
{
    free_filter(event);
    if (strcmp(value, "off") == 0) {
        return true;
    }
    policy_filter *filter;
    if (policy_filter_parse(value, &filter) != LP_OK) {
        return false;
    }
    event->filter = filter;
    return true;
}

static void
free_context_match(policy_event *event)
{
    policy_match_destroy((policy_match *)(uintptr_t)event->context_match);
    event->context_match = NULL;
}

static bool
apply_context_match(policy_event *event, const char *value)
{
    free_context_match(event);
    bool is_off = strcmp(value, "off") == 0;
    event->context_match = is_off ? NULL : policy_match_parse(value);
    return is_off || event->context_match != NULL;
}

static void
free_context_index(policy_event *event)
{
    policy_index_destroy((policy_index *)(uintptr_t)event->context_index);
    event->context_index = NULL;
}

static bool
apply_context_index(policy_event *event, const char *value)
{
    policy_index *index;
    free_context_index(event);
    bool is_valid = policy_index_parse(value, &index);
    event->context_index = index;
    return is_valid;
}

#define FIELD(name)                                                                                \
    .offset = offsetof(policy_event, name), .size_bytes = sizeof((policy_event){0}.name)

static const policy_setting settings[POLICY_SETTING_COUNT] = {
    {"enabled", apply_enabled, FIELD(is_disabled), POLICY_VALUE_BOOLS, "true", .is_jvm = true},
    {"contextual", apply_contextual, FIELD(contextual), POLICY_VALUE_BOOLS, "as annotated"},
    {"threshold", apply_threshold, FIELD(threshold_ns), POLICY_VALUE_TIMESPANS, "0 ns",
        .is_jvm = true},
    {"select", apply_select, FIELD(select), "all, if-context or if-triggered", "all",
        POLICY_SETTING_BY_VALUE},
    {"throttle", apply_throttle, FIELD(throttle), POLICY_VALUE_THROTTLES, "off", .is_jvm = true},
    {"filter", apply_filter, FIELD(filter),
        "off, or has-context, has-no-context, has-key NAME, has-null NAME, has-entry NAME=VALUE "
        "joined by and",
        "off", POLICY_SETTING_OF_PLAIN},
    {"context-threshold", apply_context_threshold, FIELD(context_threshold_ns),
        POLICY_VALUE_TIMESPANS, "0 ns", POLICY_SETTING_OF_CONTEXTUAL},
    {"context-throttle", apply_context_throttle, FIELD(context_throttle), POLICY_VALUE_THROTTLES,
        "off", POLICY_SETTING_OF_CONTEXTUAL},
    {"context-match", apply_context_match, FIELD(context_match),
        "off, or ATTRIBUTE=VALUE, or ATTRIBUTE=PREFIX*", "off", POLICY_SETTING_OF_CONTEXTUAL},
    {"context-index", apply_context_index, FIELD(context_index),
        "off, or names of attributes with commas between them, 16 at most", "off",
        POLICY_SETTING_OF_CONTEXTUAL},
    {"withContext", apply_with_context, FIELD(with_context), POLICY_VALUE_BOOLS, "as annotated"},
};

static bool
is_of_jvm(const char *event_type_name, const char *name)
{
    static const struct {
        const char *event_type_name;
        const char *name;
    } others[] = {
        {"jdk.CPUTimeSample", "throttle"}, // how often to take one, which may be a period
        {"jdk.MethodTrace", "filter"},     // of methods
        {"jdk.MethodTiming", "filter"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(event_type_name, others[i].event_type_name) == 0 &&
            strcmp(name, others[i].name) == 0) {
            return true;
        }
    }
    return false;
}

const policy_setting *
policy_setting_get(size_t index)
{
    return &settings[index];
}

size_t
policy_setting_find(const char *event_type_name, const char *name)
{
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (strcmp(name, settings[i].name) == 0) {
            return is_of_jvm(event_type_name, name) ? POLICY_SETTING_COUNT : i;
        }
    }
    return POLICY_SETTING_COUNT;
}

void
policy_setting_copy(size_t index, const policy_event *from, policy_event *to)
{
    size_t offset = settings[index].offset;
    memcpy((uint8_t *)to + offset, (const uint8_t *)from + offset, settings[index].size_bytes);
}

static bool
is_used(size_t index, const policy_event *event)
{
    static const policy_event unused;
    size_t offset = settings[index].offset;
    return memcmp((const uint8_t *)event + offset, (const uint8_t *)&unused + offset,
               settings[index].size_bytes) != 0;
}

bool
policy_setting_is_misplaced(size_t index, const policy_event *event, bool is_contextual)
{
    switch (settings[index].kind) {
    case POLICY_SETTING_OF_ALL:
        return false;
    case POLICY_SETTING_OF_PLAIN:
        return is_contextual && is_used(index, event);
    case POLICY_SETTING_OF_CONTEXTUAL:
        return !is_contextual && is_used(index, event);
    case POLICY_SETTING_BY_VALUE:
        break;
    }
    return event->select == (is_contextual ? POLICY_SELECT_IF_CONTEXT : POLICY_SELECT_IF_TRIGGERED);
}

const char *
policy_setting_allowed(size_t index, bool is_contextual)
{
    if (settings[index].kind == POLICY_SETTING_BY_VALUE) {
        return is_contextual ? "all or if-triggered" : "all or if-context";
    }
    return settings[index].stand_in;
}

bool
policy_setting_is_of_events(size_t index, const policy_event *event)
{
    switch (settings[index].kind) {
    case POLICY_SETTING_OF_ALL:
        return is_used(index, event) && settings[index].is_jvm;
    case POLICY_SETTING_OF_PLAIN:
    case POLICY_SETTING_OF_CONTEXTUAL:
        return false;
    case POLICY_SETTING_BY_VALUE:
        break;
    }
    return is_used(index, event) && event->select != POLICY_SELECT_IF_TRIGGERED;
}

const char *
policy_setting_of_contexts(size_t index)
{
    bool is_select = settings[index].kind == POLICY_SETTING_BY_VALUE;
    return is_select ? "if-triggered" : settings[index].stand_in;
}

void
policy_setting_free(policy_event *event)
{
    free_filter(event);
    free_context_match(event);
    free_context_index(event);
}
