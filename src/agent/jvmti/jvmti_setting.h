// SPDX-License-Identifier: Apache-2.0
// jvmti_setting: warns of mistakes in settings of Loupe's that are written in this JVM, in the
// words that the collector has for its policies.
//
// Threads: any Java thread.
// Tests:   tests/e2e/policy_dir.py

#ifndef LP_AGENT_JVMTI_JVMTI_SETTING_H
#define LP_AGENT_JVMTI_JVMTI_SETTING_H

// As Native.KIND_... has them.
typedef enum jvmti_setting_kind {
    JVMTI_SETTING_KIND_UNKNOWN,
    JVMTI_SETTING_KIND_PLAIN,
    JVMTI_SETTING_KIND_CONTEXTUAL,
} jvmti_setting_kind;

// jvmti_setting_check logs a warning if the value is invalid, where the kind of the event type is
// not known; and where it is, if a valid value is not for that kind. Settings of JFR's are fine.
void jvmti_setting_check(
    const char *event, const char *setting, const char *value, jvmti_setting_kind kind);

#endif // LP_AGENT_JVMTI_JVMTI_SETTING_H
