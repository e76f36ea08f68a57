// SPDX-License-Identifier: Apache-2.0
// jvmti_refused: the loaded classes that the JVM refused to rewrite.
//
// When another agent has such a class rewritten, the JVM asks for the edits again. It would refuse
// the result again, and the other agent's edits with it.
//
// Threads: add on one thread; has on any.
// Tests:   tests/e2e/carried.py

#ifndef LP_AGENT_JVMTI_JVMTI_REFUSED_H
#define LP_AGENT_JVMTI_JVMTI_REFUSED_H

#include <jni.h>
#include <stdbool.h>

enum { JVMTI_REFUSED_MAX = 512 }; // classes

// jvmti_refused_add remembers a class as long as it is loaded. Returns false if there is no memory,
// or JVMTI_REFUSED_MAX classes were refused before.
bool jvmti_refused_add(JNIEnv *jni, jclass klass);

// jvmti_refused_has returns whether a class was refused; klass may be NULL.
bool jvmti_refused_has(JNIEnv *jni, jclass klass);

#endif // LP_AGENT_JVMTI_JVMTI_REFUSED_H
