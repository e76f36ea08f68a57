// SPDX-License-Identifier: Apache-2.0
// policy_name: names of event types in two spellings: the one that a program gave
// ("tracer-context"), and the Java class name that recordings have ("tracer_context", jfr_name.h).
// A policy finds a type by either.
//
// Threads: plain values.
// Tests:   tests/unit/policy/test_policy_name.c

#pragma once

#include <stdbool.h>

enum {
    POLICY_NAME_BYTES_MAX = 512, // of an event type or setting; longer ones are ignored
    // Of the other spelling, with the 0 at its end: n bytes become at most 3 * n + 2 ("." is
    // "__.__").
    POLICY_NAME_SPELLED_BYTES_MAX = 3 * POLICY_NAME_BYTES_MAX + 8,
};

// The name of an event type that is looked up in a policy.
typedef struct policy_name {
    const char *given;                           // borrowed
    char spelled[POLICY_NAME_SPELLED_BYTES_MAX]; // cut where longer: no policy names such a type
} policy_name;

void policy_name_init(policy_name *name, const char *given);

// policy_name_spell returns how recordings spell a name, or a pattern of names, of at most
// POLICY_NAME_BYTES_MAX bytes; the caller frees it. NULL if memory ran out.
char *policy_name_spell(const char *given);

// policy_name_matches returns whether pattern matches the given name, or spelled_pattern, the
// result of policy_name_spell for it, matches the spelled name.
bool policy_name_matches(const char *pattern, const char *spelled_pattern, const policy_name *name);
