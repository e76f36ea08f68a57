// SPDX-License-Identifier: Apache-2.0
// jvmti_helpers: defines the helper classes that rewritten classes call, and hands rewritten
// classes to the JVM. The helper classes are in the package java.util.concurrent, because every
// class loader finds the classes of that package.
//
// Threads: one Java thread at a time.
// Tests: tests/e2e/carried.py, tests/e2e/outside.py

#ifndef LP_AGENT_JVMTI_JVMTI_HELPERS_H
#define LP_AGENT_JVMTI_JVMTI_HELPERS_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// Defines the helper classes (format: jvmti_classes.h) unless they exist, and makes the module
// java.base read the agent's classes. After an error an exception may be pending.
// Errors: LP_ENOENT, LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err jvmti_helpers_define(
    jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, lp_problem *out_problem);

// Hands a rewritten class to the JVM, in an event ClassFileLoadHook.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jvmti_helpers_give(
    jvmtiEnv *jvmti, lp_slice rewritten, jint *out_size, unsigned char **out_bytes);

#endif // LP_AGENT_JVMTI_JVMTI_HELPERS_H
