// SPDX-License-Identifier: Apache-2.0
// jvmti_natives: the native methods of the agent's Java classes.
//
// Threads: jvmti_natives_bind and jvmti_policy_bind on the thread that starts the Java side; the
//          methods on any thread.
// Tests:   tests/agent/rings.py, tests/e2e/attach.py

#pragma once

#include "agent/agent_fuse.h"
#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"
#include "agent/ship/ship.h"

#include <jni.h>
#include <stdbool.h>

// The objects behind the natives. Everything is borrowed for good.
typedef struct jvmti_natives_config {
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    ship *const *ship; // written before jvmti_java_activate
} jvmti_natives_config;

// JVMTI_GUARD(value) begins a native method of a JNIEnv *jni and a jclass klass. If the fuse is
// blown, the method does nothing and returns the value.
#define JVMTI_GUARD(...)                                                                           \
    do {                                                                                           \
        (void)jni;                                                                                 \
        (void)klass;                                                                               \
        if (agent_fuse_is_blown()) {                                                               \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    } while (0)

// Binds the native methods for contexts, queries and notifications to the class Native. Returns
// false, with a pending exception, if the class lacks a method.
bool jvmti_natives_bind(JNIEnv *jni, jclass native, const jvmti_natives_config *config);

// Binds the native methods for policies in the same way: the collector's policy, this JVM's own
// settings, and the budget for waits.
bool jvmti_policy_bind(JNIEnv *jni, jclass native, ship *const *used);
