// SPDX-License-Identifier: Apache-2.0
// jvmti_events: rewrites event classes of the application, so that they ask Outside (Java) before
// they commit an event.
//
// JFR generates the bodies of an event class's methods when the class is loaded, and again when the
// JVM rewrites the class: in JDK 25 after all JVMTI agents. So this module rewrites JFR's own class
// that generates them: it passes the result to java.util.concurrent.LoupeEvents, and so to
// jvmti_events_rewrite. There the call of shouldCommit in the method commit becomes a call of
// LoupeEvents.
//
// Events are withheld only if no JFR event is a context. So this module notes, at loading, each
// class that may be such an event type (jvmti_noted.h): one that names an annotation Contextual and
// has a superclass, and each that jdk.jfr.EventFactory makes.
//
// Threads: open on the thread that the JVM calls Agent_OnLoad or Agent_OnAttach on; start on one
// Java thread at a time, and so list; rewrite, and the JVMTI callback, on any.
// Tests: tests/e2e/outside.py

#ifndef LP_AGENT_JVMTI_JVMTI_EVENTS_H
#define LP_AGENT_JVMTI_JVMTI_EVENTS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// jvmti_events_open keeps, for good, the classes that rewritten ones call (jvmti_helpers.h).
void jvmti_events_open(lp_slice helpers);

// jvmti_events_start begins. Errors: LP_ENOMEM if memory or stack were short, and the next call may
//         succeed; others, which are logged, are for good
LP_MUST_USE lp_err jvmti_events_start(JNIEnv *jni);

// jvmti_events_list returns an array of the event classes that are loaded; NULL while a class that
// was noted is being loaded, or if memory is short: an exception may be pending then. Behind start.
jobjectArray jvmti_events_list(JNIEnv *jni);

// jvmti_events_rewrite edits the class file of an event class, as JFR made it just now. It appends
// the result to out.
// Errors: LP_ENOENT if it is no class of the application, or has no such call.
//         Others as of rewrite_class_made, which are logged
LP_MUST_USE lp_err jvmti_events_rewrite(lp_slice file, lp_buf *out);

#endif // LP_AGENT_JVMTI_JVMTI_EVENTS_H
