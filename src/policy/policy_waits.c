// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_waits.h"

#include "policy/policy_value.h"

#include <string.h>

policy_invalid
policy_waits_check(const char *event, const char *setting, const char *value)
{
    policy_throttle ignored;
    bool is_budget =
        strcmp(event, POLICY_WAITS_EVENT) == 0 && strcmp(setting, POLICY_WAITS_SETTING) == 0;
    if (!is_budget || policy_value_throttle(value, &ignored)) {
        return (policy_invalid){0};
    }
    return (policy_invalid){POLICY_VALUE_THROTTLES, "off"};
}
