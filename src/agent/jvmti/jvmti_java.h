// SPDX-License-Identifier: Apache-2.0
// jvmti_java: the border between the agent and its Java classes (dev.loupe.internal).
//
// Threads: jvmti_java_start on the thread of VMInit or Agent_OnAttach; jvmti_java_on_thread_end on
//          any thread.
// Tests:   tests/agent/rings.py, tests/e2e/attach.py

#pragma once

#include "agent/agent_fuse.h"
#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"
#include "agent/ship/ship.h"
#include "common/base/lp_err.h"

#include <jvmti.h>
#include <stdbool.h>

// The objects behind the natives. Everything is borrowed for good.
typedef struct jvmti_natives_config {
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    ship *const *ship; // written before jvmti_java_activate
} jvmti_natives_config;

// JVMTI_GUARD(value) begins a native method of a JNIEnv *jni and a jclass klass. If the fuse is
// blown, the method does nothing and returns the value.
#define JVMTI_GUARD(...)                                                                           \
    do {                                                                                           \
        (void)jni;                                                                                 \
        (void)klass;                                                                               \
        if (agent_fuse_is_blown()) {                                                               \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    } while (0)

// Borrowed until jvmti_java_start returns.
typedef struct jvmti_java_config {
    jvmti_natives_config natives;
    const char *policy;
    const char *denied; // from agent_options, as are the next two
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

// Binds the native methods for contexts, queries and notifications to the class Native. Returns
// false, with a pending exception, if the class lacks a method.
bool jvmti_natives_bind(JNIEnv *jni, jclass native, const jvmti_natives_config *config);

// Binds the native methods for policies in the same way: the collector's policy, this JVM's own
// settings, and the budget for waits.
bool jvmti_policy_bind(JNIEnv *jni, jclass native, ship *const *used);

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

// Stops the recording, if the agent could not start after all.
void jvmti_java_stop(JNIEnv *jni);

// Ends the contexts of the current thread, which is about to end.
void jvmti_java_on_thread_end(JNIEnv *jni);
