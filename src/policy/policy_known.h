// SPDX-License-Identifier: Apache-2.0
// policy_known: the settings that only JFR has, and settings and event types that nobody knows.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_check.c

#ifndef LP_POLICY_POLICY_KNOWN_H
#define LP_POLICY_POLICY_KNOWN_H

#include <stdbool.h>

// policy_known_invalid returns, for a person, the values that a setting of JFR's may have if this
// is none of them; NULL: it is fine, or JFR has no such setting.
const char *policy_known_invalid(const char *event, const char *setting, const char *value);

// policy_known_owner returns the event type under whose own name alone a setting counts, where this
// is a pattern that means it; NULL: there is no such type.
const char *policy_known_owner(const char *event, const char *setting);

// policy_known_is_mistaken returns whether nobody knows a setting. *out_meant is the name that it
// nearly has, or NULL. An application's event type may have settings of its own, so there a name is
// mistaken only if it is nearly a known one.
bool policy_known_is_mistaken(const char *event, const char *setting, const char **out_meant);

// policy_known_is_no_event returns whether a name, or pattern of names, is of the JDK's (`jdk.`)
// and no event type of JDK 17 to 25 has it. *out_meant is the name that it nearly is, or NULL.
bool policy_known_is_no_event(const char *event, const char **out_meant);

// policy_known_has_event returns whether a name, or a pattern, is one of a type that JDK 17 to 25
// have, or that Loupe writes: not every recording has each of them.
bool policy_known_has_event(const char *event);

#endif // LP_POLICY_POLICY_KNOWN_H
