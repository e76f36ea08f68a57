// SPDX-License-Identifier: Apache-2.0
// jvmti_helpers: functions for all rewriting of classes, and the helper classes that rewritten
// classes call. The helper classes are in the package java.util.concurrent, since each class loader
// finds the classes of that package.
//
// Threads: one Java thread at a time.
// Tests: tests/e2e/carried.py, tests/e2e/outside.py

#ifndef LP_AGENT_JVMTI_JVMTI_HELPERS_H
#define LP_AGENT_JVMTI_JVMTI_HELPERS_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <jvmti.h>

// jvmti_helpers_define defines the helper classes, in the form of jvmti_classes.h, unless they are
// there, and has the module java.base read the agent's classes. After an error an exception may be
// pending. Errors: LP_ENOENT, LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err jvmti_helpers_define(
    jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, lp_problem *out_problem);

// jvmti_helpers_give hands a rewritten class to the JVM, in an event ClassFileLoadHook.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err jvmti_helpers_give(
    jvmtiEnv *jvmti, lp_slice rewritten, jint *out_size, unsigned char **out_bytes);

#endif // LP_AGENT_JVMTI_JVMTI_HELPERS_H
