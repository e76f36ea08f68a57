// SPDX-License-Identifier: Apache-2.0
// jvmti_env: prepares the JVM before any Java code of the agent runs.
//
// Threads: the thread of Agent_OnLoad, Agent_OnAttach or VMInit.
// Tests: tests/e2e/attach.py

#pragma once

#include "common/base/lp_err.h"

#include <jvmti.h>

enum { JVMTI_ENV_JAVA_MIN = 17, JVMTI_ENV_JAVA_MAX = 25 };

// Returns a JVMTI environment of a JVM that the agent supports.
// Errors: LP_EVERSION
LP_MUST_USE lp_err jvmti_env_open(JavaVM *vm, jvmtiEnv **out_jvmti, lp_problem *out_problem);

// Returns the feature version of the JVM, for example 17; 0 if it is unknown.
long jvmti_env_get_java(jvmtiEnv *jvmti);

// A package of the JDK, with slashes, and its module.
typedef struct jvmti_env_package {
    const char *name;
    const char *module;
} jvmti_env_package;

// Returns the module of package, as a local reference. Errors: LP_ENOENT if this Java runtime lacks
// the module
LP_MUST_USE lp_err jvmti_env_find_module(jvmtiEnv *jvmti, const jvmti_env_package *package,
    jobject *out_module, lp_problem *out_problem);

// Exports package to the module of klass, a class of the agent.
// Errors: LP_ENOENT if this Java runtime lacks package's module; LP_EIO
LP_MUST_USE lp_err jvmti_env_export(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);

// Opens package to the module of klass: reflection may then access members that are not public.
// Errors: as jvmti_env_export
LP_MUST_USE lp_err jvmti_env_open_package(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);

// Makes the module of package read the module of klass.
// Errors: LP_ENOENT if this Java runtime lacks package's module; LP_EIO
LP_MUST_USE lp_err jvmti_env_read(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass,
    const jvmti_env_package *package, lp_problem *out_problem);
