// SPDX-License-Identifier: Apache-2.0
// jvmti_waits: lock waits of virtual threads, as events of Loupe's own.
//
// From JDK 24 on a virtual thread that waits for a monitor unmounts, and JFR then records no
// jdk.JavaMonitorEnter. JVMTI has events for the begin and the end of such a wait, both on the
// virtual thread. The agent records it as the Java event
// dev.loupe.internal.recording.VirtualThreadMonitorEnter.
//
//   MonitorContendedEnter     JFR's time goes into the virtual thread's JVMTI storage
//   MonitorContendedEntered   an event with that time is made and committed
//
// Both callbacks come on threads of the application, Entered while the thread has the monitor: they
// take no lock of the agent's. Each thread that waits for a contended monitor gets both; those of a
// platform thread end at once. Before JDK 24 a virtual thread that waits for a monitor keeps its
// carrier, and JFR records that by itself.
//
// Threads: open on the thread that the JVM calls Agent_OnLoad or Agent_OnAttach on, once; is_open
// on any after that; start before enable; both on one thread at a time; the callbacks on any.
// Tests: tests/e2e/virtual_waits.py

#ifndef LP_AGENT_JVMTI_JVMTI_WAITS_H
#define LP_AGENT_JVMTI_JVMTI_WAITS_H

#include "common/base/lp_err.h"

#include <jvmti.h>
#include <stdbool.h>

enum { JVMTI_WAITS_JAVA_MIN = 24 };

// jvmti_waits_open asks the JVM for what the two events need; jvmti is used for good. A JVM of
// Java 24 or later that refuses is logged.
void jvmti_waits_open(jvmtiEnv *jvmti, long java);

// jvmti_waits_is_open returns whether the JVM gave that. No older JVM was asked.
bool jvmti_waits_is_open(void);

// jvmti_waits_start finds the event and what else the callbacks use. Nothing is enabled yet. It can
// be called again.
// Errors: LP_EIO if the JVM did not give what it needs, or loupe.jar or this JDK's JFR is not as
//         expected
LP_MUST_USE lp_err jvmti_waits_start(JNIEnv *jni, lp_problem *out_problem);

// jvmti_waits_enable switches the two JVMTI events on or off.
void jvmti_waits_enable(JNIEnv *jni, bool is_on);

// To be registered for the JVMTI events of these names.
void JNICALL jvmti_waits_on_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor);
void JNICALL jvmti_waits_on_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor);

#endif // LP_AGENT_JVMTI_JVMTI_WAITS_H
