// SPDX-License-Identifier: Apache-2.0
// jvmti_events: rewrites event classes of the application, so that they ask Outside (Java) before
// they commit an event.
//
// JFR makes the bodies of an event class's methods as the class is loaded, and makes them anew
// whenever somebody has the JVM rewrite the class: JDK 25 does so behind all JVMTI agents. So JFR's
// own class that is called for that is rewritten: it passes on what it has made to
// java.util.concurrent.LoupeEvents, and so to jvmti_events_rewrite. There the call of shouldCommit
// in the method commit becomes one of LoupeEvents.
//
// Which events are withheld depends on there being no JFR events that are contexts. So the loading
// of a class that may be such an event type is noted as it happens: one that names an annotation
// Contextual, and has a superclass.
//
// Threads: open on the thread that the JVM calls Agent_OnLoad or Agent_OnAttach on; start on one
// Java thread at a time; rewrite, and the JVMTI callback, on any.
// Tests: tests/e2e/outside.py

#ifndef LP_AGENT_JVMTI_JVMTI_EVENTS_H
#define LP_AGENT_JVMTI_JVMTI_EVENTS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// jvmti_events_open keeps, for good, the classes that rewritten ones call (jvmti_helpers.h).
void jvmti_events_open(lp_slice helpers);

// jvmti_events_start begins, and returns an array of the event classes that are loaded; NULL if
// that fails, which is logged.
jobjectArray jvmti_events_start(JNIEnv *jni);

// jvmti_events_rewrite appends the class file of an event class to out, rewritten.
// Errors: LP_ENOENT if it is none of the application's, or has no such call, LP_EEND if it is
//         rewritten already; those of rewrite_class, which are logged
LP_MUST_USE lp_err jvmti_events_rewrite(lp_slice file, lp_buf *out);

#endif // LP_AGENT_JVMTI_JVMTI_EVENTS_H
