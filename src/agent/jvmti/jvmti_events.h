// SPDX-License-Identifier: Apache-2.0
// jvmti_events: rewrites the application's event classes, so that they ask the Java class Outside
// before they commit an event.
//
// JFR generates the method bodies of an event class when the class is loaded, and again when the
// JVM rewrites the class. In JDK 25, it generates them after all JVMTI agents have seen the class.
// So this module rewrites the JFR class that generates them: this class then passes each result to
// java.util.concurrent.LoupeEvents, which calls jvmti_events_rewrite. That function replaces the
// call of shouldCommit in the method commit by a call of LoupeEvents.
//
// Outside withholds events only if the JVM has no contextual event type. So when a class is loaded
// that may be such a type, this module notes it: each class that refers to an annotation Contextual
// and has a superclass, and each class that jdk.jfr.EventFactory makes.
//
// Threads: jvmti_events_open on the thread of Agent_OnLoad or Agent_OnAttach; jvmti_events_start
//          and jvmti_events_list on one Java thread at a time; jvmti_events_rewrite and the JVMTI
//          callback on any thread.
// Tests:   tests/e2e/outside.py

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// Borrows the helper classes (jvmti_classes.h) for good.
void jvmti_events_open(lp_slice helpers);

// Begins to rewrite event classes. Errors: LP_ENOMEM if memory or stack are short: the next call
// may succeed. Other errors are permanent, and logged
LP_MUST_USE lp_err jvmti_events_start(JNIEnv *jni);

// Returns an array of the loaded event classes; call it after jvmti_events_start. Returns NULL
// while a noted class is being loaded, or if memory is short; in the latter case an exception may
// be pending.
jobjectArray jvmti_events_list(JNIEnv *jni);

// Edits the class file of an event class that JFR has just generated, and appends the result to
// out.
// Errors: LP_ENOENT if it is no class of the application, or has no call of shouldCommit;
//         the errors of rewrite_class_made, which are logged
LP_MUST_USE lp_err jvmti_events_rewrite(lp_slice file, lp_buf *out);
