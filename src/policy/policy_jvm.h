// SPDX-License-Identifier: Apache-2.0

// policy_jvm: the settings of a policy that are sent to the JVM: JFR's settings, and `select` and
// `contextual`, which the agent uses.
//
// Each setting has the name of an event type or a pattern (policy.h). The JVM applies the settings
// in order, and the last one for an event type counts. Patterns come first, so that lines with a
// type's own name override them. If a setting that Loupe has too is invalid, the list has the value
// that Loupe uses instead.
//
// The engine applies `throttle` after `select`, `filter` and `context-*`, but the JVM would
// throttle before these. So for a type with one of these settings, the list turns the JVM's
// `throttle` off, and the engine throttles.
//
// Threads: pure functions, any thread.

#pragma once

#include "common/base/lp_vec.h"
#include "policy/policy.h"

// The texts belong to the policy.
typedef struct policy_jvm_setting {
    const char *event; // the name of a type, or a pattern
    const char *setting;
    const char *value;
} policy_jvm_setting;

// A zeroed one is empty.
typedef struct policy_jvm_settings {
    LP_VEC(policy_jvm_setting) items;
} policy_jvm_settings;

// policy_jvm_list adds the settings to out. The caller ends out with policy_jvm_fini, also after an
// error, and before it ends the policy.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_jvm_list(const policy *policy, policy_jvm_settings *out);

// policy_jvm_add adds a setting at the end of policy, as a line of a file does. It logs nothing:
// the policy was read elsewhere. The texts are copied.
// Errors: LP_ELIMIT over a limit of policy_types.h; LP_ENOMEM
LP_MUST_USE lp_err policy_jvm_add(policy *policy, const policy_jvm_setting *setting);

void policy_jvm_fini(policy_jvm_settings *settings);
