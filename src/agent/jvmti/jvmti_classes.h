// SPDX-License-Identifier: Apache-2.0
// jvmti_classes: defines the Java classes inside libloupe.so as classes of the boot loader.
//
// The classes are defined one by one: a jar on the boot class path would make the JVM drop the
// application's class archive, CDS or AOT (docs/adr/0040-java-classes-are-in-the-agent.md).
//
// The format, for each class, supertypes first: the name with slashes, a zero byte, the size of the
// class file in 4 bytes, big-endian, and the class file (cmake/boot_classes.py).
//
// Threads: the thread of VMStart, VMInit or Agent_OnAttach. jvmti_classes_find and
//          jvmti_classes_define_helpers also on a Java thread, jvmti_classes_give on any thread.
// Tests:   tests/unit/agent/jvmti/test_jvmti_classes.c, tests/e2e/archives.py, artifacts.py,
//          servlet.py, carried.py

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// Defines all classes in the boot loader. If that loader already finds a loupe.jar, uses the jar.
// Errors: LP_EIO if the JVM rejects a class: the other classes are defined; LP_ENOMEM
LP_MUST_USE lp_err jvmti_classes_define(JNIEnv *jni, lp_slice classes, lp_problem *out_problem);

// Returns the class with this name (with dots) of the boot loader, or of the application's module
// (jvmti_classes_settle); NULL with a pending exception if there is none. FindClass would ask the
// application's loader, which may have the class of another loupe.jar.
jclass jvmti_classes_find(JNIEnv *jni, const char *name);

// Defines the helper classes that rewritten classes call. They are in the package
// java.util.concurrent, because every class loader finds the classes of that package. Also makes
// the module java.base read the agent's classes. Skips classes that exist. After an error an
// exception may be pending. Errors: LP_ENOENT, LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err jvmti_classes_define_helpers(
    jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, lp_problem *out_problem);

// Passes a rewritten class to the JVM, during an event ClassFileLoadHook.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jvmti_classes_give(
    jvmtiEnv *jvmti, lp_slice rewritten, jint *out_size, unsigned char **out_bytes);

// Selects the copy of the agent's Java classes that the application uses. Call it after the classes
// are defined. Logs failures; a failure loses only contexts of the application.
//
// The API records contexts only if the application's loaders take its classes from the agent's
// copy. In the following cases the loaders do so only with help:
//
//   loupe.jar is a module             the agent uses the module's classes, too
//   a class archive has classes of    the agent makes the JVM ignore the archive, whose list of
//     the API                         classes was written with the agent
//   loaders, such as Tomcat's, look   the boot loader must have the class files: it
//   for a class file first            finds them in the loupe.jar beside libloupe.so
//
// Threads: the thread of VMInit or Agent_OnAttach
void jvmti_classes_settle(jvmtiEnv *jvmti, JNIEnv *jni);
