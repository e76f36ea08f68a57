// SPDX-License-Identifier: Apache-2.0
// policy_setting: the settings that Loupe reads, and their values.
//
// Threads: pure functions, any thread.

#ifndef LP_COLLECTOR_POLICY_POLICY_SETTING_H
#define LP_COLLECTOR_POLICY_POLICY_SETTING_H

#include "collector/policy/policy.h"

typedef struct policy_setting {
    const char *name;
    // apply sets the value in event, or the one that stands in for an invalid value: then it is
    // false.
    bool (*apply)(policy_event *event, const char *value);
    const char *valid;    // which values are, for a person
    const char *stand_in; // for those that are not
} policy_setting;

// policy_setting_find gives the setting of an event type; NULL if it is none of ours. Some of the
// JVM's have the name of one of ours.
const policy_setting *policy_setting_find(const char *event_type_name, const char *name);

// policy_setting_free frees what the settings in event own.
void policy_setting_free(policy_event *event);

#endif // LP_COLLECTOR_POLICY_POLICY_SETTING_H
