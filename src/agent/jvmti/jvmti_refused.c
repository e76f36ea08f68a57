// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_refused.h"

#include <stdatomic.h>
#include <stddef.h>

static jweak refused[JVMTI_REFUSED_MAX];
static _Atomic size_t refused_count; // add publishes a class with it, has reads it

bool
jvmti_refused_add(JNIEnv *jni, jclass klass)
{
    size_t count = atomic_load_explicit(&refused_count, memory_order_relaxed);
    if (count == JVMTI_REFUSED_MAX) {
        return false;
    }
    refused[count] = (*jni)->NewWeakGlobalRef(jni, klass);
    if (refused[count] == NULL) {
        (*jni)->ExceptionClear(jni);
        return false;
    }
    atomic_store_explicit(&refused_count, count + 1, memory_order_release);
    return true;
}

bool
jvmti_refused_has(JNIEnv *jni, jclass klass)
{
    size_t count = atomic_load_explicit(&refused_count, memory_order_acquire);
    for (size_t i = 0; klass != NULL && i < count; i++) {
        if ((*jni)->IsSameObject(jni, refused[i], klass)) {
            return true;
        }
    }
    return false;
}
