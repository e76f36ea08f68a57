// SPDX-License-Identifier: Apache-2.0
// jvmti_java: the border between the agent and its Java classes (dev.loupe.internal).
//
// Threads: jvmti_java_start on the thread of VMInit or Agent_OnAttach; jvmti_java_on_thread_end on
//          any thread.
// Tests:   tests/agent/rings.py, tests/e2e/attach.py

#pragma once

#include "agent/jvmti/jvmti_natives.h"
#include "common/base/lp_err.h"

#include <jvmti.h>
#include <stdbool.h>

// Borrowed until jvmti_java_start returns.
typedef struct jvmti_java_config {
    jvmti_natives_config natives;
    const char *policy;
    const char *denied; // these three: see agent_options
    bool has_all_fields;
    int segment_s;
} jvmti_java_config;

// The result of a start of the Java side. The receiver frees it with jvmti_java_info_fini.
typedef struct jvmti_java_info {
    char *repository; // directory of JFR's chunk files
    char *jvm_name;
    char *jvm_version;
    char *own_policy; // see ship_config
    char *version;    // of the service; "": unknown
} jvmti_java_info;

void jvmti_java_info_fini(jvmti_java_info *info);

// Checks that this JVM has the JDK packages that the agent's Java classes use. Needs none of these
// classes. Errors: LP_ENOENT
LP_MUST_USE lp_err jvmti_java_check(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem);

// Prepares the Java side and starts the recording.
// Errors: LP_ENOENT if this JVM lacks a package, LP_ECLOSED if another agent uses the Java classes,
//         LP_EIO, LP_ENOMEM. After an error nothing is active, and the caller may retry with the
//         same rings, registry, recordings and filters
LP_MUST_USE lp_err jvmti_java_start(jvmtiEnv *jvmti, JNIEnv *jni, const jvmti_java_config *config,
    jvmti_java_info *out_info, lp_problem *out_problem);

// Activates the context API for good, and begins to rotate chunks. Errors: LP_EIO
LP_MUST_USE lp_err jvmti_java_activate(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem);

// Stops the recording. For an agent that fails to start after jvmti_java_start has succeeded.
void jvmti_java_stop(JNIEnv *jni);

// Ends the contexts of the current thread, which is about to end.
void jvmti_java_on_thread_end(JNIEnv *jni);
