// SPDX-License-Identifier: Apache-2.0
// policy_setting: the settings that Loupe reads, and their values.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy.c

#ifndef LP_POLICY_POLICY_SETTING_H
#define LP_POLICY_POLICY_SETTING_H

#include "policy/policy_types.h"

enum { POLICY_SETTING_COUNT = 11 };

typedef enum policy_setting_kind {
    POLICY_SETTING_OF_ALL, // types
    POLICY_SETTING_OF_PLAIN,
    POLICY_SETTING_OF_CONTEXTUAL,
    POLICY_SETTING_BY_VALUE, // select, of all types, has a value for each kind
} policy_setting_kind;

typedef struct policy_setting {
    const char *name;
    // apply sets the value in event, or the one that stands in for an invalid value: then it is
    // false.
    bool (*apply)(policy_event *event, const char *value);
    size_t offset; // of the value in policy_event
    size_t size_bytes;
    const char *valid;    // which values are, for a person
    const char *stand_in; // for those that are not
    policy_setting_kind kind;
    bool is_jvm; // the JVM has it as well
} policy_setting;

// policy_setting_get returns a setting by its index, below POLICY_SETTING_COUNT.
const policy_setting *policy_setting_get(size_t index);

// policy_setting_find returns the index of an event type's setting; POLICY_SETTING_COUNT if it is
// none of ours. Some of the JVM's have the name of one of ours.
size_t policy_setting_find(const char *event_type_name, const char *name);

// policy_setting_copy copies a value; what it points to stays the one of from.
void policy_setting_copy(size_t index, const policy_event *from, policy_event *to);

// policy_setting_is_misplaced returns whether the value is not for that kind of type.
bool policy_setting_is_misplaced(size_t index, const policy_event *event, bool is_contextual);

// policy_setting_is_of_events returns whether the value is one that contexts of the Java API do not
// heed; policy_setting_of_contexts returns the one that they have in its place, for a person.
bool policy_setting_is_of_events(size_t index, const policy_event *event);
const char *policy_setting_of_contexts(size_t index);

// policy_setting_allowed returns the values that a setting may have where it is misplaced, for a
// person.
const char *policy_setting_allowed(size_t index, bool is_contextual);

// policy_setting_free frees what the settings in event own.
void policy_setting_free(policy_event *event);

#endif // LP_POLICY_POLICY_SETTING_H
