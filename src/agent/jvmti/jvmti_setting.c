// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_setting.h"

#include "common/base/lp_log.h"
#include "policy/policy_requests.h"
#include "policy/policy_setting.h"
#include "policy/policy_waits.h"

#include <stdbool.h>

static void
warn_misplaced(const char *event, const char *value, size_t index, bool is_contextual)
{
    const policy_setting *setting = policy_setting_get(index);
    lp_log(LP_LOG_WARN,
        "event type %s, setting %s: invalid value '%.200s' for a %s, expected %s; using %s", event,
        setting->name, value, is_contextual ? "contextual type" : "type that is not contextual",
        policy_setting_allowed(index, is_contextual), setting->stand_in);
}

static void
warn_invalid(const char *event, const char *setting, const char *value, policy_invalid invalid)
{
    lp_log(LP_LOG_WARN, "event type %s, setting %s: invalid value '%.200s', expected %s; using %s",
        event, setting, value, invalid.valid, invalid.stand_in);
}

static void
check_of_requests(const char *event, const policy_requests_setting *setting, const char *value)
{
    policy_requests requests = {0};
    if (!setting->apply(&requests, value)) {
        warn_invalid(
            event, setting->name, value, (policy_invalid){setting->valid, setting->stand_in});
    }
    policy_requests_fini(&requests);
}

void
jvmti_setting_check(
    const char *event, const char *setting, const char *value, jvmti_setting_kind kind)
{
    const policy_requests_setting *of_requests = policy_requests_find(event, setting);
    if (of_requests != NULL && kind == JVMTI_SETTING_KIND_UNKNOWN) {
        check_of_requests(event, of_requests, value);
    }
    policy_invalid of_waits = policy_waits_check(event, setting, value);
    if (of_waits.valid != NULL && kind == JVMTI_SETTING_KIND_UNKNOWN) {
        warn_invalid(event, setting, value, of_waits);
    }
    size_t index = policy_setting_find(event, setting);
    if (index == POLICY_SETTING_COUNT || policy_setting_get(index)->is_jvm) {
        return;
    }
    policy_event settings = {0};
    bool is_contextual = kind == JVMTI_SETTING_KIND_CONTEXTUAL;
    const policy_setting *known = policy_setting_get(index);
    bool is_valid = known->apply(&settings, value);
    if (!is_valid && kind == JVMTI_SETTING_KIND_UNKNOWN) {
        warn_invalid(event, known->name, value, (policy_invalid){known->valid, known->stand_in});
    } else if (is_valid && kind != JVMTI_SETTING_KIND_UNKNOWN &&
               policy_setting_is_misplaced(index, &settings, is_contextual)) {
        warn_misplaced(event, value, index, is_contextual);
    }
    policy_setting_free(&settings);
}
