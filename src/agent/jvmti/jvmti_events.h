// SPDX-License-Identifier: Apache-2.0
// jvmti_events: rewrites the application's event classes, so that they ask Outside (Java) before
// they commit an event.
//
// JFR generates the method bodies of an event class when the class is loaded, and again when the
// JVM rewrites the class: in JDK 25 after all JVMTI agents. So this module rewrites the JFR class
// that generates them: it passes the result to java.util.concurrent.LoupeEvents, and so to
// jvmti_events_rewrite. There the call of shouldCommit in the method commit becomes a call of
// LoupeEvents.
//
// Events are withheld only if no JFR event is a context. So this module notes, at loading, each
// class that may be such an event type: one that names an annotation Contextual and
// has a superclass, and each that jdk.jfr.EventFactory makes.
//
// Threads: open on the thread of Agent_OnLoad or Agent_OnAttach; start and list on one Java thread
//          at a time; rewrite, and the JVMTI callback, on any.
// Tests: tests/e2e/outside.py

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// Keeps the helper classes (jvmti_classes.h) for good.
void jvmti_events_open(lp_slice helpers);

// Errors: LP_ENOMEM if memory or stack were short: the next call may succeed. Others are logged and
//         permanent
LP_MUST_USE lp_err jvmti_events_start(JNIEnv *jni);

// Returns an array of the loaded event classes. Returns NULL while a noted class is being loaded,
// or if memory is short: an exception may be pending then. Only after jvmti_events_start.
jobjectArray jvmti_events_list(JNIEnv *jni);

// Edits the class file of an event class that JFR has just generated, and appends the result to
// out.
// Errors: LP_ENOENT if it is no class of the application, or has no such call; as
//         rewrite_class_made, which are logged
LP_MUST_USE lp_err jvmti_events_rewrite(lp_slice file, lp_buf *out);
