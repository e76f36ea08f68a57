// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_env.h"

#include <stdio.h>
#include <stdlib.h>

long
jvmti_env_get_java(jvmtiEnv *jvmti)
{
    char *version = NULL;
    if ((*jvmti)->GetSystemProperty(jvmti, "java.vm.specification.version", &version) !=
        JVMTI_ERROR_NONE) {
        return 0;
    }
    long java = strtol(version, NULL, 10); // "1.8" gives 1
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)version);
    return java;
}

lp_err
jvmti_env_open(JavaVM *vm, jvmtiEnv **out_jvmti, lp_problem *out_problem)
{
    jvmtiEnv *jvmti = NULL;
    // Version 9 brought modules; an older JVM does not know it.
    LP_REQUIRE((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_9) == JNI_OK,
        lp_problem_set(out_problem, LP_EVERSION, "this JVM is older than JDK %d to %d",
            JVMTI_ENV_JAVA_MIN, JVMTI_ENV_JAVA_MAX));
    long java = jvmti_env_get_java(jvmti);
    if (java == 0) {
        return lp_problem_set(out_problem, LP_EVERSION,
            "needs JDK %d to %d, and the version of this JVM is unknown", JVMTI_ENV_JAVA_MIN,
            JVMTI_ENV_JAVA_MAX);
    }
    LP_REQUIRE(java >= JVMTI_ENV_JAVA_MIN && java <= JVMTI_ENV_JAVA_MAX,
        lp_problem_set(out_problem, LP_EVERSION, "needs JDK %d to %d, and this is %ld",
            JVMTI_ENV_JAVA_MIN, JVMTI_ENV_JAVA_MAX, java));
    *out_jvmti = jvmti;
    return LP_OK;
}

lp_err
jvmti_env_find_module(
    jvmtiEnv *jvmti, const jvmti_env_package *package, jobject *out_module, lp_problem *out_problem)
{
    jobject module = NULL;
    if ((*jvmti)->GetNamedModule(jvmti, NULL, package->name, &module) != JVMTI_ERROR_NONE ||
        module == NULL) {
        return lp_problem_set(out_problem, LP_ENOENT,
            "this Java runtime lacks the module %s (package %s)", package->module, package->name);
    }
    *out_module = module;
    return LP_OK;
}

// The module of a package of the JDK, and that of the agent's classes.
typedef struct modules {
    jobject jdk;
    jobject agent;
} modules;

// Writes both modules; klass is one of the agent's classes.
static lp_err
find_modules(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const jvmti_env_package *package,
    modules *out_modules, lp_problem *out_problem)
{
    LP_TRY(jvmti_env_find_module(jvmti, package, &out_modules->jdk, out_problem));
    jclass class_class = (*jni)->GetObjectClass(jni, klass);
    jmethodID get_module =
        (*jni)->GetMethodID(jni, class_class, "getModule", "()Ljava/lang/Module;");
    out_modules->agent =
        get_module == NULL ? NULL : (*jni)->CallObjectMethod(jni, klass, get_module);
    if ((*jni)->ExceptionCheck(jni) || out_modules->agent == NULL) {
        (*jni)->ExceptionClear(jni);
        return lp_problem_set(out_problem, LP_EIO, "the module of the agent's classes is unknown");
    }
    return LP_OK;
}

// AddModuleExports or AddModuleOpens.
typedef jvmtiError(JNICALL *give_function)(
    jvmtiEnv *jvmti, jobject from, const char *package, jobject to);

static lp_err
give(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const jvmti_env_package *package,
    give_function function, lp_problem *out_problem)
{
    modules both = {0};
    LP_TRY(find_modules(jvmti, jni, klass, package, &both, out_problem));
    // The function takes the name with dots.
    char name[128];
    (void)snprintf(name, sizeof(name), "%s", package->name);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '/' ? '.' : *c;
    }
    return function(jvmti, both.jdk, name, both.agent) == JVMTI_ERROR_NONE
               ? LP_OK
               : lp_problem_set(out_problem, LP_EIO, "package %s cannot be opened", name);
}

lp_err
jvmti_env_export(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const jvmti_env_package *package,
    lp_problem *out_problem)
{
    return give(jvmti, jni, klass, package, (*jvmti)->AddModuleExports, out_problem);
}

lp_err
jvmti_env_open_package(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const jvmti_env_package *package,
    lp_problem *out_problem)
{
    return give(jvmti, jni, klass, package, (*jvmti)->AddModuleOpens, out_problem);
}

lp_err
jvmti_env_read(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const jvmti_env_package *package,
    lp_problem *out_problem)
{
    modules both = {0};
    LP_TRY(find_modules(jvmti, jni, klass, package, &both, out_problem));
    return (*jvmti)->AddModuleReads(jvmti, both.jdk, both.agent) == JVMTI_ERROR_NONE
               ? LP_OK
               : lp_problem_set(out_problem, LP_EIO,
                     "the module %s cannot be made to read the agent's", package->module);
}
