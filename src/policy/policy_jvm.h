// SPDX-License-Identifier: Apache-2.0

// policy_jvm: the settings of a policy that the JVM has to get.
//
// These are JFR's settings, and `select` and `contextual`, which the agent uses. Each has an
// event's name or a pattern of names (policy.h). They are in the order in which the JVM has to get
// them: of two settings of one event type the later one counts. Patterns come first, so that a line
// with a type's own name counts. If Loupe reads the setting as well, an invalid value is replaced
// by the value that Loupe uses in its place.
//
// The JVM throttles last, but the engine's `select`, `filter` and `context-*` come before
// `throttle`. So a type that has one of these has `throttle` off in the JVM, also where the policy
// has no line for that, and the engine throttles.
//
// Threads: pure functions, any thread.

#ifndef LP_POLICY_POLICY_JVM_H
#define LP_POLICY_POLICY_JVM_H

#include "common/base/lp_vec.h"
#include "policy/policy.h"

// The texts are the policy's.
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

#endif // LP_POLICY_POLICY_JVM_H
