// SPDX-License-Identifier: Apache-2.0
// policy_jdk: the names of the event types that JDK 17 to 25 have.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_check.c

#pragma once

#include <stddef.h>

// policy_jdk_name returns a name by its index, in alphabetical order; NULL after the last.
const char *policy_jdk_name(size_t index);
