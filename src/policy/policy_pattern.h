// SPDX-License-Identifier: Apache-2.0
// policy_pattern: names in which * stands for any run of characters, also none: of event types, and
// of threads in queries.
//
// Threads: pure functions, any thread.

#pragma once

#include <stdbool.h>

// policy_pattern_is returns whether name is a pattern: no event type has a * in its name.
bool policy_pattern_is(const char *name);

// policy_pattern_is_all returns whether name is `*`.
bool policy_pattern_is_all(const char *name);

// policy_pattern_matches returns whether a pattern matches a name.
// Cost: the product of their lengths at worst, their sum with one *.
bool policy_pattern_matches(const char *pattern, const char *name);
