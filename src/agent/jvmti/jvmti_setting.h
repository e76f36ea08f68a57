// SPDX-License-Identifier: Apache-2.0
// jvmti_setting: warns of mistakes in Loupe's settings of this JVM, with the collector's texts.
//
// Threads: any Java thread.
// Tests:   tests/e2e/policy_dir.py

#ifndef LP_AGENT_JVMTI_JVMTI_SETTING_H
#define LP_AGENT_JVMTI_JVMTI_SETTING_H

// Equal to Native.KIND_...
typedef enum jvmti_setting_kind {
    JVMTI_SETTING_KIND_UNKNOWN,
    JVMTI_SETTING_KIND_PLAIN,
    JVMTI_SETTING_KIND_CONTEXTUAL,
} jvmti_setting_kind;

// Logs a warning if the value is invalid, while the kind of the event type is unknown; and once it
// is known, if a valid value does not fit that kind. Ignores JFR's settings.
void jvmti_setting_check(
    const char *event, const char *setting, const char *value, jvmti_setting_kind kind);

#endif // LP_AGENT_JVMTI_JVMTI_SETTING_H
