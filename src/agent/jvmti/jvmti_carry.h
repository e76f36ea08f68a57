// SPDX-License-Identifier: Apache-2.0
// jvmti_carry: carries contexts with tasks by rewriting the classes that hand tasks from
// thread to thread (rewrite_places.h).
//
// A class that is loaded already is rewritten at the start, any other as it is loaded. The event
// for that stays on: when another agent has a class rewritten, the JVM makes all edits anew.
// A class of another shape than expected stays as it is, which is logged: no contexts are carried
// with its tasks then.
//
// Nothing is rewritten in a JVM that trains an AOT cache: JDK 25 crashes if it has rewritten
// classes of threads then.
//
// Threads: open on the thread that the JVM calls Agent_OnLoad or Agent_OnAttach on, once; start on
//          the one that it calls VMInit or Agent_OnAttach on; the callbacks on any.
// Tests: tests/e2e/carried.py

#ifndef LP_AGENT_JVMTI_JVMTI_CARRY_H
#define LP_AGENT_JVMTI_JVMTI_CARRY_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>
#include <stdbool.h>

// jvmti_carry_open asks the JVM for what rewriting needs; jvmti is used for good. A JVM that
// refuses is logged.
void jvmti_carry_open(jvmtiEnv *jvmti, long java);

// jvmti_carry_start begins, with platform threads and timers or without, once the API is active.
// Failures are logged; contexts stay on their threads then. helpers: as in jvmti_helpers.h.
// Does nothing if jvmti_carry_open failed.
void jvmti_carry_start(jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, bool with_threads);

// To be registered for the JVMTI events of these names.
void JNICALL jvmti_carry_on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
    const char *name, jobject domain, jint size, const unsigned char *bytes, jint *out_size,
    unsigned char **out_bytes);
void JNICALL jvmti_carry_on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);

#endif // LP_AGENT_JVMTI_JVMTI_CARRY_H
