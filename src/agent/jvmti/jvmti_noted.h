// SPDX-License-Identifier: Apache-2.0
// jvmti_noted: keeps the names of classes that may be event types with contexts, from just before
// the JVM defines them. It also writes two fields of Outside (Java): the name of a class that
// certainly is such an event type, and the number of classes that may be. Java withholds no event
// until it has examined these classes.
//
// No function calls a Java method, so a small Java stack cannot make one fail.
//
// Threads: open on one thread, before the others; add and set on any; are_loaded on one at a time.
// Tests:   tests/e2e/outside.py

#ifndef LP_AGENT_JVMTI_JVMTI_NOTED_H
#define LP_AGENT_JVMTI_JVMTI_NOTED_H

#include "common/base/lp_slice.h"

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    JVMTI_NOTED_MAX = 4096, // names at a time; further classes go to jvmti_noted_set
    JVMTI_NOTED_LOOKS = 60, // calls of jvmti_noted_are_loaded, about one a second
};

// Finds the fields of Outside, which it keeps for good. Returns false if one is missing or memory
// is short; an exception may be pending.
bool jvmti_noted_open(JNIEnv *jni, jclass outside);

// Tells Java, for good, that events of a class may be contexts. name: with slashes; empty if
// unknown.
void jvmti_noted_set(JNIEnv *jni, lp_slice name);

// Notes a class that may be an event type with contexts. Java examines the class when it is loaded.
// name: with slashes.
void jvmti_noted_add(JNIEnv *jni, lp_slice name);

// Returns whether all noted classes are among the given ones, and forgets them if so. A class that
// is missing in more than JVMTI_NOTED_LOOKS calls counts as loaded: its loading failed.
bool jvmti_noted_are_loaded(jvmtiEnv *jvmti, const jclass *classes, size_t count);

#endif // LP_AGENT_JVMTI_JVMTI_NOTED_H
