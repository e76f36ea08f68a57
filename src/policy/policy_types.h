// SPDX-License-Identifier: Apache-2.0
// policy_types: the values of settings, and the limits of a policy (policy.h).
//
// Threads: plain values.
// Tests:   tests/unit/policy/test_policy.c

#pragma once

#include "policy/policy_filter.h"
#include "policy/policy_index.h"
#include "policy/policy_match.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    POLICY_FILE_BYTES_MAX = 1024 * 1024,
    POLICY_EVENTS_MAX = 10000, // event types of a policy
    POLICY_PATTERNS_MAX = 256, // of names of event types
    // Stricter limits for settings that a JVM sent (policy_set_told): anybody may send them, and
    // each type of a chunk is compared with each pattern.
    POLICY_TOLD_BYTES_MAX = 256 * 1024,
    POLICY_TOLD_EVENTS_MAX = 2000,
    POLICY_TOLD_PATTERNS_MAX = 64,
    POLICY_TOLD_PATTERN_BYTES_MAX = 128, // of one pattern
};

typedef enum policy_select {
    POLICY_SELECT_DEFAULT, // if-triggered for contextual types, all for the others
    POLICY_SELECT_ALL,
    POLICY_SELECT_IF_CONTEXT,
    POLICY_SELECT_IF_TRIGGERED,
} policy_select;

// Whether the policy calls a type contextual.
typedef enum policy_contextual {
    POLICY_CONTEXTUAL_UNSAID, // as annotated
    POLICY_CONTEXTUAL_YES,
    POLICY_CONTEXTUAL_NO, // even with an annotation
} policy_contextual;

// Whether events of a type show their contexts (context styles).
typedef enum policy_with_context {
    POLICY_WITH_CONTEXT_UNSAID, // as annotated
    POLICY_WITH_CONTEXT_YES,
    POLICY_WITH_CONTEXT_NO,
} policy_with_context;

// At most count events or contexts in each per_ns, a time of one unit such as a second.
typedef struct policy_throttle {
    int64_t count;  // 0: none at all
    int64_t per_ns; // 0: no throttle
} policy_throttle;

typedef struct policy_event {
    bool is_disabled;
    policy_contextual contextual; // see policy_is_contextual
    policy_select select;
    int64_t threshold_ns; // 0: none
    policy_throttle throttle;
    const policy_filter *filter; // the policy's; NULL: none
    policy_with_context with_context;

    // Of contextual types.
    int64_t context_threshold_ns; // 0: none
    policy_throttle context_throttle;
    const policy_match *context_match; // the policy's; NULL: none
    const policy_index *context_index; // the same
} policy_event;

// The result of checking a value.
typedef struct policy_invalid {
    const char *valid;    // the valid values, as text for users; NULL: the value is valid
    const char *stand_in; // the value that is used
} policy_invalid;

typedef struct policy policy;
