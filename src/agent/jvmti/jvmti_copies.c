// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_copies.h"

#include "agent/jvmti/jvmti_classes.h"
#include "common/base/lp_log.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES_MAX = 4096,
    REFERENCES_MAX = 32, // local references
};

#define HANDOVER "dev/loupe/internal/agent/Handover" // only the agent uses this class
#define LAYOUT   "dev/loupe/internal/ring/RingLayout"

// Calls a method without arguments that returns an object; NULL if that fails.
static jobject
call(JNIEnv *jni, jobject object, const char *name, const char *signature)
{
    jclass klass = object == NULL ? NULL : (*jni)->GetObjectClass(jni, object);
    jmethodID method = klass == NULL ? NULL : (*jni)->GetMethodID(jni, klass, name, signature);
    jobject result = method == NULL ? NULL : (*jni)->CallObjectMethod(jni, object, method);
    return (*jni)->ExceptionCheck(jni) ? NULL : result;
}

static bool
is_true(JNIEnv *jni, jobject object, const char *name, const char *signature, jobject argument)
{
    jclass klass = object == NULL ? NULL : (*jni)->GetObjectClass(jni, object);
    jmethodID method = klass == NULL ? NULL : (*jni)->GetMethodID(jni, klass, name, signature);
    bool result = method != NULL && (*jni)->CallBooleanMethod(jni, object, method, argument);
    return result && !(*jni)->ExceptionCheck(jni);
}

// --- A module

static bool
is_of_module(JNIEnv *jni, jclass klass)
{
    jobject module = call(jni, klass, "getModule", "()Ljava/lang/Module;");
    return is_true(jni, module, "isNamed", "()Z", NULL);
}

// Returns the text that identifies the build of a copy; NULL if that fails.
static jobject
get_layout(JNIEnv *jni, jclass layout)
{
    jfieldID all =
        layout == NULL ? NULL : (*jni)->GetStaticFieldID(jni, layout, "ALL", "Ljava/lang/String;");
    return all == NULL ? NULL : (*jni)->GetStaticObjectField(jni, layout, all);
}

// Uses the copy of the application's loader if it is of the agent's build.
static void
use_module(JNIEnv *jni, jclass theirs)
{
    jobject own = get_layout(jni, jvmti_classes_find(jni, "dev.loupe.internal.ring.RingLayout"));
    jobject other = own == NULL ? NULL : get_layout(jni, (*jni)->FindClass(jni, LAYOUT));
    bool is_same = is_true(jni, own, "equals", "(Ljava/lang/Object;)Z", other);
    jobject loader =
        is_same ? call(jni, theirs, "getClassLoader", "()Ljava/lang/ClassLoader;") : NULL;
    (*jni)->ExceptionClear(jni);
    if (loader != NULL) {
        jvmti_classes_set_loader((*jni)->NewGlobalRef(jni, loader));
    } else {
        lp_log(LP_LOG_WARN, "contexts of the application are not recorded: its module dev.loupe "
                            "has another version "
                            "than the agent");
    }
}

// --- A class archive

// Makes the JVM ignore the archive for classes of the application, as after each change of the boot
// class path. Every Java runtime has this jar; it adds no class that the boot loader lacks.
static jvmtiError
end_archive(jvmtiEnv *jvmti)
{
    char *home = NULL;
    jvmtiError error = (*jvmti)->GetSystemProperty(jvmti, "java.home", &home);
    if (error != JVMTI_ERROR_NONE) {
        return error;
    }
    char path[PATH_BYTES_MAX];
    (void)snprintf(path, sizeof(path), "%s/lib/jrt-fs.jar", home);
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)home);
    return (*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, path);
}

static void
leave_archive(jvmtiEnv *jvmti)
{
    jvmtiError error = end_archive(jvmti);
    if (error == JVMTI_ERROR_NONE) {
        lp_log(LP_LOG_WARN,
            "the application's class archive is not used: its list of classes was written with the "
            "agent; write the list without the agent");
    } else {
        lp_log(LP_LOG_WARN,
            "contexts of the application are not recorded: its class archive contains the agent's "
            "classes, because its list of classes was written with the agent; write the list "
            "without the agent (JVMTI error %d)",
            (int)error);
    }
}

// --- Resources

// Writes the path of the loupe.jar beside this library, or in the folder above it (the library for
// musl is in a subfolder). Returns false if there is none.
static bool
find_jar(char *path, size_t bytes)
{
    static const char *const places[] = {"loupe.jar", "../loupe.jar"};
    Dl_info info;
    if (dladdr((const void *)&jvmti_copies_settle, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    int folder = slash == NULL ? 0 : (int)(slash - info.dli_fname) + 1;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        int len = snprintf(path, bytes, "%.*s%s", folder, info.dli_fname, places[i]);
        if (len > 0 && (size_t)len < bytes && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

// Returns the JDK's class path object for one jar; NULL if that fails.
static jobject
make_class_path(JNIEnv *jni, jstring jar)
{
    jclass klass = (*jni)->FindClass(jni, "jdk/internal/loader/URLClassPath");
    jmethodID make =
        klass == NULL ? NULL : (*jni)->GetMethodID(jni, klass, "<init>", "(Ljava/lang/String;Z)V");
    return make == NULL ? NULL : (*jni)->NewObject(jni, klass, make, jar, JNI_FALSE);
}

// Makes the boot loader find the files of a jar. The JVM and its class archives do not see this: no
// classes are loaded from there.
static bool
add_resources(JNIEnv *jni, const char *path)
{
    jobject boot = jvmti_classes_find_boot_loader(jni);
    jclass klass =
        boot == NULL ? NULL : (*jni)->FindClass(jni, "jdk/internal/loader/BuiltinClassLoader");
    jfieldID ucp =
        klass == NULL ? NULL
                      : (*jni)->GetFieldID(jni, klass, "ucp", "Ljdk/internal/loader/URLClassPath;");
    if (ucp == NULL || (*jni)->GetObjectField(jni, boot, ucp) != NULL) {
        return ucp != NULL; // -Xbootclasspath/a has the classes, and their files
    }
    jstring jar = (*jni)->NewStringUTF(jni, path);
    jobject class_path = jar == NULL ? NULL : make_class_path(jni, jar);
    if (class_path == NULL || (*jni)->ExceptionCheck(jni)) {
        return false;
    }
    (*jni)->SetObjectField(jni, boot, ucp, class_path);
    return true;
}

static void
show_resources(JNIEnv *jni)
{
    char path[PATH_BYTES_MAX];
    if (!find_jar(path, sizeof(path))) {
        lp_log(LP_LOG_INFO, "there is no loupe.jar beside libloupe.so: contexts of applications in "
                            "Tomcat that have one in WEB-INF/lib are not recorded");
    } else if (!add_resources(jni, path)) {
        lp_log(LP_LOG_WARN,
            "this JVM cannot find the files of %s: contexts of applications in Tomcat that have a "
            "loupe.jar in WEB-INF/lib are not recorded",
            path);
    }
    (*jni)->ExceptionClear(jni);
}

// --- All

static void
settle(jvmtiEnv *jvmti, JNIEnv *jni)
{
    show_resources(jni);
    jclass own = jvmti_classes_find(jni, "dev.loupe.internal.agent.Handover");
    (*jni)->ExceptionClear(jni);
    jclass theirs = (*jni)->FindClass(jni, HANDOVER);
    (*jni)->ExceptionClear(jni);
    if (own == NULL || theirs == NULL || (*jni)->IsSameObject(jni, own, theirs)) {
        return;
    }
    if (is_of_module(jni, theirs)) {
        use_module(jni, theirs);
    } else {
        leave_archive(jvmti);
    }
    (*jni)->ExceptionClear(jni);
}

void
jvmti_copies_settle(jvmtiEnv *jvmti, JNIEnv *jni)
{
    if ((*jni)->PushLocalFrame(jni, REFERENCES_MAX) != JNI_OK) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    settle(jvmti, jni);
    (void)(*jni)->PopLocalFrame(jni, NULL);
}
