// SPDX-License-Identifier: Apache-2.0
// jvmti_env: the preparation of the JVM before any Java code of the agent runs.
//
// Threads: the thread that the JVM calls Agent_OnLoad, Agent_OnAttach or VMInit on.
// Tests: tests/e2e/attach.py

#ifndef LP_AGENT_JVMTI_JVMTI_ENV_H
#define LP_AGENT_JVMTI_JVMTI_ENV_H

#include "common/base/lp_err.h"

#include <jvmti.h>

enum { JVMTI_ENV_JAVA_MIN = 17, JVMTI_ENV_JAVA_MAX = 25 };

// jvmti_env_open returns a JVMTI environment of a JVM that the agent knows.
// Errors: LP_EVERSION
LP_MUST_USE lp_err jvmti_env_open(JavaVM *vm, jvmtiEnv **out_jvmti, lp_problem *out_problem);

// jvmti_env_get_java returns the feature number of the JVM, 17 say; 0 if it is not known.
long jvmti_env_get_java(jvmtiEnv *jvmti);

// A package of the JDK, with slashes, and the module in which it is.
typedef struct jvmti_env_package {
    const char *name;
    const char *module;
} jvmti_env_package;

// jvmti_env_find_module lends the module of package.
// Errors: LP_ENOENT if this Java runtime lacks it
LP_MUST_USE lp_err jvmti_env_find_module(jvmtiEnv *jvmti, const jvmti_env_package *package,
    jobject *out_module, lp_problem *out_problem);

// jvmti_env_export makes package accessible to the classes of the agent, among which klass is.
// Errors: LP_ENOENT if this Java runtime lacks it; LP_EIO
LP_MUST_USE lp_err jvmti_env_export(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);

// jvmti_env_open_package makes the package accessible to them by reflection, including its members
// that are not public. Errors: as of jvmti_env_export
LP_MUST_USE lp_err jvmti_env_open_package(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);

// jvmti_env_read makes the module of package read the module of klass.
// Errors: LP_ENOENT if this Java runtime lacks it; LP_EIO
LP_MUST_USE lp_err jvmti_env_read(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);

#endif // LP_AGENT_JVMTI_JVMTI_ENV_H
