// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_classes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { REFERENCES_MAX = 16 }; // local references of a call

#define TEXT "Ljava/lang/String;"

static jobject lookup_loader; // a global reference; NULL: the boot loader

void
jvmti_classes_set_loader(jobject loader)
{
    lookup_loader = loader;
}

bool
jvmti_classes_has_loader(void)
{
    return lookup_loader != NULL;
}

static jclass
find_locally(JNIEnv *jni, const char *name)
{
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    jmethodID for_name = class_class == NULL
                             ? NULL
                             : (*jni)->GetStaticMethodID(jni, class_class, "forName",
                                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    jstring text = for_name == NULL ? NULL : (*jni)->NewStringUTF(jni, name);
    if (text == NULL) {
        return NULL;
    }
    jclass found =
        (*jni)->CallStaticObjectMethod(jni, class_class, for_name, text, JNI_FALSE, lookup_loader);
    return (*jni)->ExceptionCheck(jni) ? NULL : found;
}

jclass
jvmti_classes_find(JNIEnv *jni, const char *name)
{
    if ((*jni)->PushLocalFrame(jni, REFERENCES_MAX) != JNI_OK) {
        return NULL;
    }
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
    if (klass == NULL) {
        return refuse(jni, name, out_problem);
    }
    (*jni)->DeleteLocalRef(jni, klass);
    return LP_OK;
}

jobject
jvmti_classes_find_boot_loader(JNIEnv *jni)
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
    jobject boot = jvmti_classes_find_boot_loader(jni);
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
lp_err
jvmti_classes_add(JNIEnv *jni, lp_slice classes, lp_problem *out_problem)
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
        err = jvmti_classes_add(jni, classes, out_problem);
        define_package(jni);
    }
    (void)(*jni)->PopLocalFrame(jni, NULL);
    return err;
}
