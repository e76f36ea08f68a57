// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_classes.h"

#include "agent/jvmti/jvmti_env.h"
#include "common/base/lp_log.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES_MAX = 4096,
    REFERENCES_MAX = 32, // local references of a call
};

#define TEXT "Ljava/lang/String;"

static jobject lookup_loader; // a global reference; NULL: the boot loader

static jclass
find_locally(JNIEnv *jni, const char *name)
{
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    jmethodID for_name = class_class == NULL
                             ? NULL
                             : (*jni)->GetStaticMethodID(jni, class_class, "forName",
                                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    jstring text = for_name == NULL ? NULL : (*jni)->NewStringUTF(jni, name);
    LP_REQUIRE(text != NULL, NULL);
    jclass found =
        (*jni)->CallStaticObjectMethod(jni, class_class, for_name, text, JNI_FALSE, lookup_loader);
    return (*jni)->ExceptionCheck(jni) ? NULL : found;
}

jclass
jvmti_classes_find(JNIEnv *jni, const char *name)
{
    LP_REQUIRE((*jni)->PushLocalFrame(jni, REFERENCES_MAX) == JNI_OK, NULL);
    return (*jni)->PopLocalFrame(jni, find_locally(jni, name));
}

// Returns whether the boot loader has a loupe.jar: -Xbootclasspath/a, or another agent's.
static bool
is_there(JNIEnv *jni)
{
    jclass found = jvmti_classes_find(jni, "dev.loupe.Loupe");
    (*jni)->ExceptionClear(jni);
    return found != NULL;
}

// Clears the exception that says why the JVM rejected a class, and reports it.
static lp_err
refuse(JNIEnv *jni, const char *name, lp_problem *out_problem)
{
    jthrowable exception = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    jclass klass = exception == NULL ? NULL : (*jni)->GetObjectClass(jni, exception);
    jmethodID to_string =
        klass == NULL ? NULL : (*jni)->GetMethodID(jni, klass, "toString", "()Ljava/lang/String;");
    jstring text = to_string == NULL ? NULL : (*jni)->CallObjectMethod(jni, exception, to_string);
    const char *why = text == NULL || (*jni)->ExceptionCheck(jni)
                          ? NULL
                          : (*jni)->GetStringUTFChars(jni, text, NULL);
    (*jni)->ExceptionClear(jni);
    lp_err err = lp_problem_set(out_problem, LP_EIO, "the JVM rejects the class %s: %s", name,
        why == NULL ? "unknown reason" : why);
    if (why != NULL) {
        (*jni)->ReleaseStringUTFChars(jni, text, why);
    }
    (*jni)->DeleteLocalRef(jni, text);
    (*jni)->DeleteLocalRef(jni, klass);
    (*jni)->DeleteLocalRef(jni, exception);
    return err;
}

// Defines the class at *offset, and advances *offset to the next one.
static lp_err
define_next(JNIEnv *jni, lp_slice classes, size_t *offset, lp_problem *out_problem)
{
    const char *name = (const char *)classes.ptr + *offset;
    const uint8_t *size = classes.ptr + *offset + strlen(name) + 1;
    const uint8_t *file = size + 4;
    jsize file_bytes = size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3];
    *offset = (size_t)(file + file_bytes - classes.ptr);
    jclass klass = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)file, file_bytes);
    LP_REQUIRE(klass != NULL, refuse(jni, name, out_problem));
    (*jni)->DeleteLocalRef(jni, klass);
    return LP_OK;
}

static jobject
find_boot_loader(JNIEnv *jni)
{
    jclass loaders = (*jni)->FindClass(jni, "jdk/internal/loader/ClassLoaders");
    jmethodID get = loaders == NULL ? NULL
                                    : (*jni)->GetStaticMethodID(jni, loaders, "bootLoader",
                                          "()Ljdk/internal/loader/BuiltinClassLoader;");
    jobject boot = get == NULL ? NULL : (*jni)->CallStaticObjectMethod(jni, loaders, get);
    return (*jni)->ExceptionCheck(jni) ? NULL : boot;
}

// Makes Class.getPackage of the API's classes return the same as for classes from a jar. Otherwise
// it returns null, which code of the application may not expect.
static void
define_package(JNIEnv *jni)
{
    jobject boot = find_boot_loader(jni);
    jclass loader = boot == NULL ? NULL : (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jmethodID define = loader == NULL ? NULL
                                      : (*jni)->GetMethodID(jni, loader, "definePackage",
                                            "(" TEXT TEXT TEXT TEXT TEXT TEXT TEXT
                                            "Ljava/net/URL;)Ljava/lang/Package;");
    jstring name = define == NULL ? NULL : (*jni)->NewStringUTF(jni, "dev.loupe");
    jstring version = name == NULL ? NULL : (*jni)->NewStringUTF(jni, LOUPE_VERSION);
    if (version != NULL) {
        const jvalue values[] = {
            {.l = name}, {0}, {0}, {0}, {0}, {.l = version}, {0}, {0}}; // of the implementation
        (void)(*jni)->CallObjectMethodA(jni, boot, define, values);
    }
    (*jni)->ExceptionClear(jni);
}

// It continues after an error: the application may find the defined classes instead of its own, and
// these need one another.
static lp_err
add_classes(JNIEnv *jni, lp_slice classes, lp_problem *out_problem)
{
    lp_err first = LP_OK;
    for (size_t offset = 0; offset < classes.len;) {
        lp_err err = define_next(jni, classes, &offset, first == LP_OK ? out_problem : NULL);
        first = first == LP_OK ? err : first;
    }
    return first;
}

lp_err
jvmti_classes_define(JNIEnv *jni, lp_slice classes, lp_problem *out_problem)
{
    if ((*jni)->PushLocalFrame(jni, REFERENCES_MAX) != JNI_OK) {
        (*jni)->ExceptionClear(jni);
        return lp_problem_set(out_problem, LP_ENOMEM, "no memory for the agent's Java classes");
    }
    lp_err err = LP_OK;
    if (!is_there(jni)) {
        err = add_classes(jni, classes, out_problem);
        define_package(jni);
    }
    (void)(*jni)->PopLocalFrame(jni, NULL);
    return err;
}

// --- Helper classes

lp_err
jvmti_classes_define_helpers(
    jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, lp_problem *out_problem)
{
    static const jvmti_env_package base = {"java/lang", "java.base"};
    LP_REQUIRE(lookup_loader == NULL,
        lp_problem_set(out_problem, LP_ENOENT,
            "loupe.jar is a module of the application, and the JDK's classes cannot call it"));
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.carry.CarryMain");
    if (main == NULL) {
        return lp_problem_set(out_problem, LP_EIO, "a class of the agent is missing");
    }
    LP_TRY(jvmti_env_read(jvmti, jni, main, &base, out_problem));
    jclass there = jvmti_classes_find(jni, "java.util.concurrent.LoupeTasks");
    (*jni)->ExceptionClear(jni);
    return there == NULL ? add_classes(jni, helpers, out_problem) : LP_OK;
}

lp_err
jvmti_classes_give(jvmtiEnv *jvmti, lp_slice rewritten, jint *out_size, unsigned char **out_bytes)
{
    unsigned char *copy = NULL;
    LP_REQUIRE(
        (*jvmti)->Allocate(jvmti, (jlong)rewritten.len, &copy) == JVMTI_ERROR_NONE, LP_ENOMEM);
    memcpy(copy, rewritten.ptr, rewritten.len);
    *out_size = (jint)rewritten.len;
    *out_bytes = copy;
    return LP_OK;
}

// --- The copy that the application uses

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
    jobject other =
        own == NULL ? NULL
                    : get_layout(jni, (*jni)->FindClass(jni, "dev/loupe/internal/ring/RingLayout"));
    bool is_same = is_true(jni, own, "equals", "(Ljava/lang/Object;)Z", other);
    jobject loader =
        is_same ? call(jni, theirs, "getClassLoader", "()Ljava/lang/ClassLoader;") : NULL;
    (*jni)->ExceptionClear(jni);
    if (loader != NULL) {
        lookup_loader = (*jni)->NewGlobalRef(jni, loader);
    } else {
        lp_log(LP_LOG_WARN, "contexts of the application are not recorded: its module dev.loupe "
                            "has another version "
                            "than the agent");
    }
}

// Makes the JVM ignore the archive for classes of the application, as after each change of the boot
// class path. Every Java runtime has this jar; it adds no class that the boot loader lacks.
static jvmtiError
end_archive(jvmtiEnv *jvmti)
{
    char *home = NULL;
    jvmtiError error = (*jvmti)->GetSystemProperty(jvmti, "java.home", &home);
    LP_REQUIRE(error == JVMTI_ERROR_NONE, error);
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

// Writes the path of the loupe.jar beside this library, or in the folder above it (the library for
// musl is in a subfolder). Returns false if there is none.
static bool
find_jar(char *path, size_t bytes)
{
    static const char *const places[] = {"loupe.jar", "../loupe.jar"};
    Dl_info info;
    LP_REQUIRE(
        dladdr((const void *)&jvmti_classes_settle, &info) != 0 && info.dli_fname != NULL, false);
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
    jobject boot = find_boot_loader(jni);
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

static void
select_copy(jvmtiEnv *jvmti, JNIEnv *jni)
{
    show_resources(jni);
    jclass own = jvmti_classes_find(jni, "dev.loupe.internal.agent.Handover");
    (*jni)->ExceptionClear(jni);
    jclass theirs = (*jni)->FindClass(jni, "dev/loupe/internal/agent/Handover");
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
jvmti_classes_settle(jvmtiEnv *jvmti, JNIEnv *jni)
{
    if ((*jni)->PushLocalFrame(jni, REFERENCES_MAX) != JNI_OK) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    select_copy(jvmti, jni);
    (void)(*jni)->PopLocalFrame(jni, NULL);
}
