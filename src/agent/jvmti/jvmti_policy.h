// SPDX-License-Identifier: Apache-2.0
// jvmti_policy: the methods of the Java class Native for policies: the collector's policy, this
// JVM's own settings, and the budget for waits.
//
// Threads: bound on the thread that starts the Java side; the methods run on any Java thread.
// Tests:   tests/e2e/policy_dir.py, tests/e2e/first_second.py

#ifndef LP_AGENT_JVMTI_JVMTI_POLICY_H
#define LP_AGENT_JVMTI_JVMTI_POLICY_H

#include "agent/ship/ship_policy.h"
#include "agent/tail/tail_events.h"

#include <jni.h>
#include <stdbool.h>

// Called on one Java thread again and again, not before jvmti_java_activate.
typedef struct jvmti_policy_config {
    bool (*take_policy)(ship_policy *out_policy); // as ship_take_policy
    // When the JVM's own settings have changed: as ship_set_own_policy.
    bool (*on_own_policy)(int64_t from_wall_ns, const char *text);
    void (*watch_events)(const uint64_t *types, size_t count); // as ship_watch_events
    tail_events_counts (*count_events)(void);                  // as ship_count_events
} jvmti_policy_config;

// Binds the methods to the class native. Returns false, with a pending exception, if the class
// lacks a method.
bool jvmti_policy_bind(JNIEnv *jni, jclass native, const jvmti_policy_config *config);

#endif // LP_AGENT_JVMTI_JVMTI_POLICY_H
