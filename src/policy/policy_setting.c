// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_setting.h"

#include "common/base/lp_find.h"
#include "policy/policy_value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(policy_contextual) == sizeof(policy_with_context) &&
                  POLICY_CONTEXTUAL_UNSAID == (int)POLICY_WITH_CONTEXT_UNSAID &&
                  POLICY_CONTEXTUAL_YES == (int)POLICY_WITH_CONTEXT_YES &&
                  POLICY_CONTEXTUAL_NO == (int)POLICY_WITH_CONTEXT_NO,
    "read_annotation reads both");

// These read the value of a setting into its field. If the value is not valid, they write the value
// that stands in, and return false.

static bool
read_disabled(void *field, const char *value)
{
    bool is_enabled = true;
    bool is_valid = policy_value_bool(value, &is_enabled);
    *(bool *)field = is_valid && !is_enabled;
    return is_valid;
}

// read_annotation reads a policy_contextual or policy_with_context.
static bool
read_annotation(void *field, const char *value)
{
    bool is_true = false;
    bool is_valid = policy_value_bool(value, &is_true);
    policy_contextual said = !is_valid ? POLICY_CONTEXTUAL_UNSAID
                             : is_true ? POLICY_CONTEXTUAL_YES
                                       : POLICY_CONTEXTUAL_NO;
    memcpy(field, &said, sizeof(said));
    return is_valid;
}

static bool
read_timespan(void *field, const char *value)
{
    int64_t *ns = field;
    *ns = 0;
    return policy_value_timespan(value, ns);
}

static bool
read_throttle(void *field, const char *value)
{
    policy_throttle *throttle = field;
    *throttle = (policy_throttle){0};
    return policy_value_throttle(value, throttle);
}

static bool
read_select(void *field, const char *value)
{
    static const char *const values[] = {
        [POLICY_SELECT_DEFAULT] = "",
        [POLICY_SELECT_ALL] = "all",
        [POLICY_SELECT_IF_CONTEXT] = "if-context",
        [POLICY_SELECT_IF_TRIGGERED] = "if-triggered",
    };
    policy_select select = POLICY_SELECT_IF_TRIGGERED;
    while (select > POLICY_SELECT_DEFAULT && strcmp(value, values[select]) != 0) {
        select--;
    }
    bool is_valid = select > POLICY_SELECT_DEFAULT;
    *(policy_select *)field = is_valid ? select : POLICY_SELECT_ALL;
    return is_valid;
}

static bool
read_filter(void *field, const char *value)
{
    const policy_filter **filter = field;
    policy_filter *parsed = NULL;
    free((policy_filter *)(uintptr_t)*filter);
    bool is_valid = strcmp(value, "off") == 0 || policy_filter_parse(value, &parsed) == LP_OK;
    *filter = parsed;
    return is_valid;
}

static bool
read_match(void *field, const char *value)
{
    const policy_match **match = field;
    bool is_off = strcmp(value, "off") == 0;
    free((policy_match *)(uintptr_t)*match);
    *match = is_off ? NULL : policy_match_parse(value);
    return is_off || *match != NULL;
}

static bool
read_index(void *field, const char *value)
{
    const policy_index **index = field;
    policy_index *parsed;
    free((policy_index *)(uintptr_t)*index);
    bool is_valid = policy_index_parse(value, &parsed);
    *index = parsed;
    return is_valid;
}

#define FIELD(name)                                                                                \
    .offset = offsetof(policy_event, name), .size_bytes = sizeof((policy_event){0}.name)

static const policy_setting settings[POLICY_SETTING_COUNT] = {
    {"enabled", read_disabled, FIELD(is_disabled), POLICY_VALUE_BOOLS, "true", .is_jvm = true},
    {"contextual", read_annotation, FIELD(contextual), POLICY_VALUE_BOOLS, "as annotated"},
    {"threshold", read_timespan, FIELD(threshold_ns), POLICY_VALUE_TIMESPANS, "0 ns",
        .is_jvm = true},
    {"select", read_select, FIELD(select), "all, if-context or if-triggered", "all",
        POLICY_SETTING_BY_VALUE},
    {"throttle", read_throttle, FIELD(throttle), POLICY_VALUE_THROTTLES, "off", .is_jvm = true},
    {"filter", read_filter, FIELD(filter),
        "off, or has-context, has-no-context, has-key NAME, has-null NAME, has-entry NAME=VALUE "
        "joined by and",
        "off", POLICY_SETTING_OF_PLAIN},
    {"context-threshold", read_timespan, FIELD(context_threshold_ns), POLICY_VALUE_TIMESPANS,
        "0 ns", POLICY_SETTING_OF_CONTEXTUAL},
    {"context-throttle", read_throttle, FIELD(context_throttle), POLICY_VALUE_THROTTLES, "off",
        POLICY_SETTING_OF_CONTEXTUAL},
    {"context-match", read_match, FIELD(context_match),
        "off, or ATTRIBUTE=VALUE, or ATTRIBUTE=PREFIX*", "off", POLICY_SETTING_OF_CONTEXTUAL},
    {"context-index", read_index, FIELD(context_index),
        "off, or names of attributes with commas between them, 16 at most", "off",
        POLICY_SETTING_OF_CONTEXTUAL},
    {"withContext", read_annotation, FIELD(with_context), POLICY_VALUE_BOOLS, "as annotated"},
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
    return LP_ANY(others, LP_COUNT(others),
        strcmp(event_type_name, at->event_type_name) == 0 && strcmp(name, at->name) == 0);
}

const policy_setting *
policy_setting_get(size_t index)
{
    return &settings[index];
}

size_t
policy_setting_find(const char *event_type_name, const char *name)
{
    const policy_setting *setting =
        LP_FIND(settings, POLICY_SETTING_COUNT, strcmp(name, at->name) == 0);
    return setting == NULL || is_of_jvm(event_type_name, name) ? POLICY_SETTING_COUNT
                                                               : (size_t)(setting - settings);
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

bool
policy_setting_apply(size_t index, policy_event *event, const char *value)
{
    return settings[index].read((uint8_t *)event + settings[index].offset, value);
}

void
policy_setting_free(policy_event *event)
{
    free((policy_filter *)(uintptr_t)event->filter);
    free((policy_match *)(uintptr_t)event->context_match);
    free((policy_index *)(uintptr_t)event->context_index);
    *event = (policy_event){0};
}
