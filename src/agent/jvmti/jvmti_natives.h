// SPDX-License-Identifier: Apache-2.0
// jvmti_natives: the methods of the Java class Native by which Java registers contexts and maps,
// and queries and notifies the agent. jvmti_policy.h has those for policies.
//
// Threads: bound on the thread that starts the Java side; the methods run on any Java thread.
// Tests:   tests/agent/rings.py, tests/e2e/attach.py

#ifndef LP_AGENT_JVMTI_JVMTI_NATIVES_H
#define LP_AGENT_JVMTI_JVMTI_NATIVES_H

#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"

#include <jni.h>
#include <stdbool.h>

// Rings, registry, recordings and filters are borrowed for good.
typedef struct jvmti_natives_config {
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    // Called on a Java thread, not before jvmti_java_activate: when JFR moves its chunk files to
    // another directory, and when the recording was restarted because somebody had stopped it.
    void (*on_repository)(const char *directory);
    void (*on_restart)(void);
    // Called on any Java thread whose ring is full: as ship_drain_soon.
    void (*on_full_ring)(void);
    // Called on one Java thread again and again, not before jvmti_java_activate: as
    // ship_is_chunk_full.
    bool (*is_chunk_full)(void);
} jvmti_natives_config;

// Binds the methods to the class native. Returns false, with a pending exception, if the class
// lacks a method.
bool jvmti_natives_bind(JNIEnv *jni, jclass native, const jvmti_natives_config *config);

#endif // LP_AGENT_JVMTI_JVMTI_NATIVES_H
