// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_helpers.h"

#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"

#include <string.h>

static const jvmti_env_package base = {"java/lang", "java.base"};

lp_err
jvmti_helpers_define(jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, lp_problem *out_problem)
{
    if (jvmti_classes_has_loader()) {
        return lp_problem_set(out_problem, LP_ENOENT,
            "loupe.jar is a module of the application, and the JDK's classes cannot call it");
    }
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.carry.CarryMain");
    if (main == NULL) {
        return lp_problem_set(out_problem, LP_EIO, "a class of the agent is missing");
    }
    LP_TRY(jvmti_env_read(jvmti, jni, main, &base, out_problem));
    jclass there = jvmti_classes_find(jni, "java.util.concurrent.LoupeTasks");
    (*jni)->ExceptionClear(jni);
    return there == NULL ? jvmti_classes_add(jni, helpers, out_problem) : LP_OK;
}

lp_err
jvmti_helpers_give(jvmtiEnv *jvmti, lp_slice rewritten, jint *out_size, unsigned char **out_bytes)
{
    unsigned char *copy = NULL;
    if ((*jvmti)->Allocate(jvmti, (jlong)rewritten.len, &copy) != JVMTI_ERROR_NONE) {
        return LP_ENOMEM;
    }
    memcpy(copy, rewritten.ptr, rewritten.len);
    *out_size = (jint)rewritten.len;
    *out_bytes = copy;
    return LP_OK;
}
