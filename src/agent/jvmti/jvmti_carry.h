// SPDX-License-Identifier: Apache-2.0
// jvmti_carry: carries contexts with tasks by rewriting the classes that hand tasks from thread to
// thread (rewrite_places.def).
//
// The agent rewrites loaded classes at its start, and other classes when they are loaded. The class
// event stays enabled: when another agent retransforms a class, this agent makes its edits again. A
// class of an unexpected shape is logged and stays unchanged; its tasks carry no contexts.
//
// In a JVM that trains an AOT cache, nothing is rewritten: such a JVM of JDK 25 crashes if classes
// of threads were rewritten.
//
// Threads: jvmti_carry_open once, on the thread of Agent_OnLoad or Agent_OnAttach;
//          jvmti_carry_start on the thread of VMInit or Agent_OnAttach; the callbacks on any
//          thread.
// Tests:   tests/e2e/carried.py

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>
#include <stdbool.h>

// Requests the capabilities; keeps jvmti for good. Logs if the JVM refuses them. java: the JVM's
// feature version (jvmti_env_get_java).
void jvmti_carry_open(jvmtiEnv *jvmti, long java);

// Begins to rewrite classes. Call it after the API was activated. with_threads: also for platform
// threads and timers. helpers: see jvmti_classes.h. Logs failures; contexts then stay on their
// threads. Does nothing if the JVM has refused the capabilities.
void jvmti_carry_start(jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, bool with_threads);

// The callbacks for the JVMTI events ClassFileLoadHook and ThreadStart.
void JNICALL jvmti_carry_on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
    const char *name, jobject domain, jint size, const unsigned char *bytes, jint *out_size,
    unsigned char **out_bytes);
void JNICALL jvmti_carry_on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);
