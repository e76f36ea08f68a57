// SPDX-License-Identifier: Apache-2.0
// policy_pattern: patterns for names of event types, and for names of threads in queries. * stands
// for any number of characters, including none.
//
// Threads: pure functions, any thread.

#pragma once

#include <stdbool.h>

// policy_pattern_is returns whether name is a pattern: no event type has a * in its name.
bool policy_pattern_is(const char *name);

// policy_pattern_is_all returns whether name is `*`.
bool policy_pattern_is_all(const char *name);

// policy_pattern_matches returns whether a pattern matches a name.
// Cost: at worst the product of both lengths; with a single * their sum.
bool policy_pattern_matches(const char *pattern, const char *name);
