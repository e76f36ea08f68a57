// SPDX-License-Identifier: Apache-2.0
// jvmti_texts: texts that come from Java as byte arrays, in UTF-8.
//
// Threads: any Java thread.
// Tests:   tests/agent/rings.py, tests/e2e/policy_dir.py

#pragma once

#include <jni.h>
#include <stdint.h>

// Returns a byte[] as a string, which the caller frees; NULL if memory ran out.
char *jvmti_texts_copy(JNIEnv *jni, jbyteArray bytes);

// Returns an element of a byte[][] in the same way; NULL also if the element is null.
char *jvmti_texts_copy_element(JNIEnv *jni, jobjectArray texts, jsize index);

// Throws an OutOfMemoryError. The Java side retries later.
void jvmti_texts_throw_no_memory(JNIEnv *jni, const char *what);

// An entry of a table for RegisterNatives, whose type lacks const.
#define JVMTI_TEXTS_NATIVE(name, signature, function)                                              \
    {                                                                                              \
        (char *)(uintptr_t)(name), (char *)(uintptr_t)(signature), (void *)(function)              \
    }
