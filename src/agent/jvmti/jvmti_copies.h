// SPDX-License-Identifier: Apache-2.0
// jvmti_copies: which copy of the agent's Java classes counts, where the application brings a
// loupe.jar of its own.
//
// The API records contexts only if the application's loaders take its classes from the agent's
// copy. These do not by themselves:
//
//   loupe.jar is a module             the application's loader has the module's classes: the agent
//                                     uses them, too
//   a class archive has some of them  its list of classes was written with the agent: the archive
//                                     is used no more
//   loaders that ask for a resource   they take a class from the boot loader only if that has its
//   first, such as Tomcat's           file: the boot loader finds the files in the loupe.jar beside
//                                     libloupe.so
//
// Threads: the thread that the JVM calls VMInit or Agent_OnAttach on.
// Tests:   tests/e2e/artifacts.py, tests/e2e/servlet.py, tests/e2e/archives.py

#ifndef LP_AGENT_JVMTI_JVMTI_COPIES_H
#define LP_AGENT_JVMTI_JVMTI_COPIES_H

#include <jvmti.h>

// jvmti_copies_settle decides that, after the classes are defined (jvmti_classes.h). What does not
// work is logged: contexts of the application are lost then, and nothing else.
void jvmti_copies_settle(jvmtiEnv *jvmti, JNIEnv *jni);

#endif // LP_AGENT_JVMTI_JVMTI_COPIES_H
