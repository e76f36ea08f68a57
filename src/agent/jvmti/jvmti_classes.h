// SPDX-License-Identifier: Apache-2.0
// jvmti_classes: defines the Java classes inside libloupe.so as classes of the boot loader.
//
// They are defined one by one. A jar on the boot class path would make the JVM drop the
// application's class archive, CDS or AOT (docs/adr/0040-java-classes-are-in-the-agent.md).
//
// Bytes: for each class, supertypes first: its name with slashes, a zero byte, the size of the
// class file in 4 bytes, big-endian, and the class file (cmake/boot_classes.py).
//
// Threads: the thread of VMStart, VMInit or Agent_OnAttach.
// Tests:   tests/unit/agent/jvmti/test_jvmti_classes.c, tests/e2e/archives.py

#ifndef LP_AGENT_JVMTI_JVMTI_CLASSES_H
#define LP_AGENT_JVMTI_JVMTI_CLASSES_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>
#include <stdbool.h>

// Defines all classes in the boot loader, unless it already has a loupe.jar, which is then used.
// Errors: LP_EIO if the JVM rejects a class: the others are defined; LP_ENOMEM
LP_MUST_USE lp_err jvmti_classes_define(JNIEnv *jni, lp_slice classes, lp_problem *out_problem);

// Defines all classes in the boot loader unconditionally.
// Errors: as above
LP_MUST_USE lp_err jvmti_classes_add(JNIEnv *jni, lp_slice classes, lp_problem *out_problem);

// Returns a class of the boot loader, or of the loader that was set, by its name with dots; NULL
// with an exception if there is none. FindClass would ask the application's loader, which may have
// the class of another loupe.jar.
jclass jvmti_classes_find(JNIEnv *jni, const char *name);

// Makes jvmti_classes_find use this loader, a global reference.
void jvmti_classes_set_loader(jobject loader);

bool jvmti_classes_has_loader(void);

// Returns the JDK's object for resources and packages of the boot loader; NULL on failure, maybe
// with an exception.
jobject jvmti_classes_find_boot_loader(JNIEnv *jni);

#endif // LP_AGENT_JVMTI_JVMTI_CLASSES_H
