// SPDX-License-Identifier: Apache-2.0
// jvmti_copies: selects the copy of the agent's Java classes if the application has its own
// loupe.jar.
//
// The API records contexts only if the application's loaders take its classes from the agent's
// copy. In these cases they do not by themselves:
//
//   loupe.jar is a module             the agent uses the module's classes, too
//   a class archive has some of them  its list of classes was written with the agent: the JVM
//                                     stops using the archive
//   loaders that ask for a resource   the boot loader must have the class file: it finds the
//   first, such as Tomcat's           files in the loupe.jar beside libloupe.so
//
// Threads: the thread of VMInit or Agent_OnAttach.
// Tests:   tests/e2e/artifacts.py, tests/e2e/servlet.py, tests/e2e/archives.py

#ifndef LP_AGENT_JVMTI_JVMTI_COPIES_H
#define LP_AGENT_JVMTI_JVMTI_COPIES_H

#include <jvmti.h>

// Selects the copy, after the classes are defined (jvmti_classes.h). Logs failures, which lose only
// contexts of the application.
void jvmti_copies_settle(jvmtiEnv *jvmti, JNIEnv *jni);

#endif // LP_AGENT_JVMTI_JVMTI_COPIES_H
