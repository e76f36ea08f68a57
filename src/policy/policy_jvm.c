// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_jvm.h"

#include "policy/policy_pattern.h"
#include "policy/policy_store.h"

#include <string.h>

static const char throttle[] = "throttle";

// needs_all returns whether the engine has to choose among all events of a type or pattern before
// any are throttled. The JVM never throttles a type with the annotation Contextual, so only the
// policy's own setting matters here.
static bool
needs_all(const policy *self, const char *event)
{
    policy_event settings = policy_find(self, event, false);
    return settings.contextual == POLICY_CONTEXTUAL_YES ||
           settings.select == POLICY_SELECT_IF_CONTEXT ||
           settings.select == POLICY_SELECT_IF_TRIGGERED || settings.filter != NULL ||
           settings.context_threshold_ns > 0 || settings.context_throttle.per_ns > 0 ||
           settings.context_match != NULL;
}

static lp_err
add(policy_jvm_settings *out, const char *event, const char *setting, const char *value)
{
    return LP_VEC_ADD(
        &out->items, (policy_jvm_setting){.event = event, .setting = setting, .value = value});
}

// is_jvm returns whether a setting may be JFR's.
static bool
is_jvm(const policy_line *line)
{
    size_t index = policy_setting_find(line->event, line->setting);
    bool is_known = index < POLICY_SETTING_COUNT;
    return is_known ? policy_setting_get(index)->is_jvm
                    : policy_requests_find(line->event, line->setting) == NULL;
}

// is_agents returns whether the agent uses a setting that JFR lacks: by these it withholds events
// outside of contexts.
static bool
is_agents(const policy_line *line)
{
    return strcmp(line->setting, "select") == 0 || strcmp(line->setting, "contextual") == 0;
}

// add_settings adds JFR's and the agent's settings, of lines with patterns or of lines with names.
static lp_err
add_settings(const policy *self, bool is_pattern, policy_jvm_settings *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->lines.count && err == LP_OK; i++) {
        const policy_line *line = &self->lines.items[i];
        if ((is_jvm(line) || is_agents(line)) && policy_pattern_is(line->event) == is_pattern) {
            err = add(out, line->event, line->setting, line->value);
        }
    }
    return err;
}

// stop_throttles adds `throttle` off for each type that needs_all, after the other settings. Any of
// Loupe's own settings may cause this.
static lp_err
stop_throttles(const policy *self, bool is_pattern, policy_jvm_settings *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->lines.count && err == LP_OK; i++) {
        const policy_line *line = &self->lines.items[i];
        size_t index = policy_setting_find(line->event, line->setting);
        size_t throttle_index = policy_setting_find(line->event, throttle);
        if (index == POLICY_SETTING_COUNT || throttle_index == POLICY_SETTING_COUNT) {
            continue;
        }
        bool may_need_all = !policy_setting_get(index)->is_jvm || index == throttle_index;
        if (may_need_all && policy_pattern_is(line->event) == is_pattern &&
            needs_all(self, line->event)) {
            err = add(out, line->event, throttle, "off");
        }
    }
    return err;
}

lp_err
policy_jvm_list(const policy *self, policy_jvm_settings *out)
{
    LP_TRY(add_settings(self, true, out));
    LP_TRY(stop_throttles(self, true, out));
    LP_TRY(add_settings(self, false, out));
    return stop_throttles(self, false, out);
}

lp_err
policy_jvm_add(policy *self, const policy_jvm_setting *setting)
{
    policy_invalid invalid;
    const policy_line line = {
        .event = (char *)(uintptr_t)setting->event, // not written to
        .setting = setting->setting,
        .value = setting->value,
    };
    return policy_store_add(self, &line, &invalid);
}

void
policy_jvm_fini(policy_jvm_settings *settings)
{
    LP_VEC_FINI(&settings->items);
}
