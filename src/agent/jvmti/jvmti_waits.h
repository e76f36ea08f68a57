// SPDX-License-Identifier: Apache-2.0
// jvmti_waits: records lock waits of virtual threads as events of Loupe's own.
//
// From JDK 24 on, a virtual thread that waits for a monitor unmounts, and JFR records no
// jdk.JavaMonitorEnter. JVMTI has events for the begin and the end of such a wait, both on the
// virtual thread. The agent records it as the Java event
// dev.loupe.internal.recording.VirtualThreadMonitorEnter.
//
//   MonitorContendedEnter     stores JFR's time in the virtual thread's JVMTI storage
//   MonitorContendedEntered   commits an event with that time
//
// Both callbacks run on threads of the application, and Entered runs while the thread holds the
// monitor, so they take no lock of the agent. Each thread that waits for a contended monitor calls
// both; on a platform thread they return at once. Before JDK 24 a virtual thread that waits for a
// monitor keeps its carrier, and JFR records the wait.
//
// Threads: jvmti_waits_open once, on the thread of Agent_OnLoad or Agent_OnAttach;
//          jvmti_waits_is_open on any thread after that; jvmti_waits_start before
//          jvmti_waits_enable, both on one thread at a time; the callbacks on any thread.
// Tests:   tests/e2e/virtual_waits.py

#pragma once

#include "common/base/lp_err.h"

#include <jvmti.h>
#include <stdbool.h>

enum { JVMTI_WAITS_JAVA_MIN = 24 };

// Requests the capabilities for the two events; keeps jvmti for good. Logs if a JVM of Java 24 or
// later refuses them.
void jvmti_waits_open(jvmtiEnv *jvmti, long java);

// Returns whether the JVM has granted the capabilities. jvmti_waits_open does not ask older JVMs.
bool jvmti_waits_is_open(void);

// Finds the event class and the methods for the callbacks. Enables nothing; may be called again.
// Errors: LP_EIO without the capabilities, or if the event class or a member of it is missing
LP_MUST_USE lp_err jvmti_waits_start(JNIEnv *jni, lp_problem *out_problem);

// Switches the two JVMTI events on or off.
void jvmti_waits_enable(JNIEnv *jni, bool is_on);

// The callbacks for the JVMTI events MonitorContendedEnter and MonitorContendedEntered.
void JNICALL jvmti_waits_on_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor);
void JNICALL jvmti_waits_on_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor);
