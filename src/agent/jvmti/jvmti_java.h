// SPDX-License-Identifier: Apache-2.0
// jvmti_java: the border between the agent and its Java classes (dev.loupe.internal).
//
// Threads: start on the thread that the JVM calls VMInit or Agent_OnAttach on; ends on any Java
// thread.
// Tests: tests/agent/rings.py, tests/e2e/attach.py

#ifndef LP_AGENT_JVMTI_JVMTI_JAVA_H
#define LP_AGENT_JVMTI_JVMTI_JAVA_H

#include "agent/jvmti/jvmti_natives.h"
#include "agent/jvmti/jvmti_policy.h"
#include "common/base/lp_err.h"

#include <jvmti.h>
#include <stdbool.h>

// Borrowed until jvmti_java_start returns.
typedef struct jvmti_java_config {
    jvmti_natives_config natives;
    jvmti_policy_config policies;
    const char *policy;
    const char *denied; // as agent_options has it, and the next two
    bool has_all_fields;
    int segment_s;
} jvmti_java_config;

// The result of a start of the Java side. The receiver ends it with jvmti_java_info_fini.
typedef struct jvmti_java_info {
    char *repository; // directory of JFR's chunk files
    char *jvm_name;
    char *jvm_version;
    char *own_policy; // as ship_config has it
    char *version;    // of the service; "": nothing says it
} jvmti_java_info;

void jvmti_java_info_fini(jvmti_java_info *info);

// jvmti_java_check looks for the packages of the JDK that the Java classes use. It needs no class
// of the agent's. Errors: LP_ENOENT if this JVM lacks one
LP_MUST_USE lp_err jvmti_java_check(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem);

// jvmti_java_start prepares everything and starts the recording.
// Errors: LP_ENOENT if this JVM lacks what is needed, LP_ECLOSED if the Java classes are another
//         agent's, LP_EIO, LP_ENOMEM; then nothing is live, and it can be called again, with the
//         same rings, registry, recordings and filters
LP_MUST_USE lp_err jvmti_java_start(jvmtiEnv *jvmti, JNIEnv *jni, const jvmti_java_config *config,
    jvmti_java_info *out_info, lp_problem *out_problem);

// jvmti_java_activate makes contexts live, which nothing takes back, and begins to rotate chunks.
// Errors: LP_EIO
LP_MUST_USE lp_err jvmti_java_activate(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem);

// jvmti_java_stop ends the recording, when the agent could not start after all.
void jvmti_java_stop(JNIEnv *jni);

// jvmti_java_on_thread_end ends the contexts of the current thread, which is about to end.
void jvmti_java_on_thread_end(JNIEnv *jni);

#endif // LP_AGENT_JVMTI_JVMTI_JAVA_H
