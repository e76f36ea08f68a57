// SPDX-License-Identifier: Apache-2.0
// policy_setting: the settings that Loupe reads, and their values.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy.c

#pragma once

#include "policy/policy_types.h"

enum { POLICY_SETTING_COUNT = 11 };

typedef enum policy_setting_kind {
    POLICY_SETTING_OF_ALL,   // valid for all types
    POLICY_SETTING_OF_PLAIN, // valid for types that are not contextual
    POLICY_SETTING_OF_CONTEXTUAL,
    POLICY_SETTING_BY_VALUE, // select: valid for all types, but not with every value
} policy_setting_kind;

typedef struct policy_setting {
    const char *name;
    bool (*read)(void *field, const char *value); // as policy_setting_apply
    size_t offset;                                // of the value in policy_event
    size_t size_bytes;
    const char *valid;    // the valid values, as text for users
    const char *stand_in; // used in place of an invalid value
    policy_setting_kind kind;
    bool is_jvm; // the JVM has it as well
} policy_setting;

// policy_setting_get returns a setting by its index, below POLICY_SETTING_COUNT.
const policy_setting *policy_setting_get(size_t index);

// policy_setting_find returns the index of an event type's setting; POLICY_SETTING_COUNT if it is
// not Loupe's. Some of the JVM's settings have the same name as Loupe's.
size_t policy_setting_find(const char *event_type_name, const char *name);

// policy_setting_apply sets the value. If the value is not valid, it sets stand_in and returns
// false.
bool policy_setting_apply(size_t index, policy_event *event, const char *value);

// policy_setting_copy copies a value; *from still owns the memory to which it points.
void policy_setting_copy(size_t index, const policy_event *from, policy_event *to);

// policy_setting_is_misplaced returns whether the value is not valid for contextual (or plain)
// types.
bool policy_setting_is_misplaced(size_t index, const policy_event *event, bool is_contextual);

// policy_setting_is_of_events returns whether contexts of the Java API ignore the value;
// policy_setting_of_contexts returns the value that they use instead, as text for users.
bool policy_setting_is_of_events(size_t index, const policy_event *event);
const char *policy_setting_of_contexts(size_t index);

// policy_setting_allowed returns the values that are valid for contextual (or plain) types, as text
// for users.
const char *policy_setting_allowed(size_t index, bool is_contextual);

// policy_setting_free frees the values.
void policy_setting_free(policy_event *event);
