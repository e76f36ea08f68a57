// SPDX-License-Identifier: Apache-2.0
// policy_known: JFR's own settings, and names of settings and event types that are mistakes.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_check.c

#pragma once

#include <stdbool.h>

// The end of a warning about a mistaken name. meant is the name that was meant, or NULL.
#define POLICY_KNOWN_HINT "%s%s%s"
#define POLICY_KNOWN_HINT_ARGS(meant)                                                              \
    (meant) == NULL ? "" : "; did you mean ", (meant) == NULL ? "" : (meant),                      \
        (meant) == NULL ? "" : "?"

// policy_known_invalid returns the valid values of a JFR setting, as text for users, if value is
// not valid; NULL: it is valid, or JFR has no such setting.
const char *policy_known_invalid(const char *event, const char *setting, const char *value);

// policy_known_owner returns the event type that owns a setting, if event is a pattern that matches
// this type: only the type's name may have the setting, not a pattern. NULL otherwise.
const char *policy_known_owner(const char *event, const char *setting);

// policy_known_is_mistaken returns whether a setting's name is a mistake. *out_meant is a similar
// known name, or NULL. An application's event type may have its own settings: for such a type,
// only a name that is similar to a known one is a mistake.
bool policy_known_is_mistaken(const char *event, const char *setting, const char **out_meant);

// policy_known_is_no_event returns whether a name or pattern begins with `jdk.` and matches no
// event type of JDK 17 to 25. *out_meant is a similar known name, or NULL.
bool policy_known_is_no_event(const char *event, const char **out_meant);

// policy_known_has_event returns whether a name or pattern matches an event type of JDK 17 to 25 or
// one that Loupe writes.
bool policy_known_has_event(const char *event);
