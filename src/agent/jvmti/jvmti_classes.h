// SPDX-License-Identifier: Apache-2.0
// jvmti_classes: the agent's Java classes, which libloupe.so has in itself, become classes of the
// boot loader.
//
// They are defined one by one. A jar that is appended to the boot class path would cost the
// application its class archive, CDS or AOT
// (docs/adr/0040-java-classes-are-in-the-agent.md).
//
// Bytes: of each class, supertypes first, its name with slashes, a zero byte, the size of the class
// file in 4 bytes, big-endian, and the class file (cmake/boot_classes.py).
//
// Threads: the thread that the JVM calls VMStart, VMInit or Agent_OnAttach on.
// Tests:   tests/unit/agent/jvmti/test_jvmti_classes.c, tests/e2e/archives.py

#ifndef LP_AGENT_JVMTI_JVMTI_CLASSES_H
#define LP_AGENT_JVMTI_JVMTI_CLASSES_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>
#include <stdbool.h>

// jvmti_classes_define defines all classes in the boot loader, unless it has a loupe.jar already:
// then that is used.
// Errors: LP_EIO if the JVM does not take a class: the others are defined; LP_ENOMEM
LP_MUST_USE lp_err jvmti_classes_define(JNIEnv *jni, lp_slice classes, lp_problem *out_problem);

// jvmti_classes_add defines all classes in the boot loader, whatever it has.
// Errors: as above
LP_MUST_USE lp_err jvmti_classes_add(JNIEnv *jni, lp_slice classes, lp_problem *out_problem);

// jvmti_classes_find returns a class of the boot loader, or of the loader that was set, by its name
// with dots; NULL with an exception if there is none. FindClass would ask the application's loader,
// which may have the class of another loupe.jar.
jclass jvmti_classes_find(JNIEnv *jni, const char *name);

// jvmti_classes_set_loader makes jvmti_classes_find ask this loader, a global reference.
void jvmti_classes_set_loader(jobject loader);

// jvmti_classes_has_loader returns whether a loader was set.
bool jvmti_classes_has_loader(void);

// jvmti_classes_find_boot_loader returns the JDK's object for resources and packages of the boot
// loader; NULL, with an exception or without, if that fails.
jobject jvmti_classes_find_boot_loader(JNIEnv *jni);

#endif // LP_AGENT_JVMTI_JVMTI_CLASSES_H
