// SPDX-License-Identifier: Apache-2.0
// policy_waits: the setting wait-budget of the event type dev.loupe.JvmPolicy: off, or how many
// events of waits a JVM may record in a time ("2000/s").
//
// Only the JVM's agent uses it. Only lines with the type's own name count, not patterns.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy_jvm.c, test_policy_check.c

#pragma once

#include "policy/policy_types.h"

#define POLICY_WAITS_EVENT   "dev.loupe.JvmPolicy"
#define POLICY_WAITS_SETTING "wait-budget"

// policy_waits_check checks the value of wait-budget. Any other setting is valid.
policy_invalid policy_waits_check(const char *event, const char *setting, const char *value);
