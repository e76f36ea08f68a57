// SPDX-License-Identifier: Apache-2.0
// Promised: classes are defined in their order, by the names and bytes that they have, the others
// too where one is refused; and none where the boot loader has a loupe.jar. No exception is left,
// and no local reference. The JVM is a table of functions here.
#include "agent/jvmti/jvmti_classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Two classes, of 3 and of 258 bytes.
enum { FIRST_BYTES = 3, SECOND_BYTES = 258 };
static uint8_t two[] = {
    'a', '/', 'A', 0, 0, 0, 0, 3, 1, 2, 3, 'b', 0, 0, 0, 1, 2, [17 ... 17 + SECOND_BYTES - 1] = 9};

static struct jvm {
    char defined[64]; // the names and sizes
    const char *refused;
    bool is_there;
    bool has_exception;
    int frames;
} jvm;

static int some_object; // what stands for every object

static jobject
any(void)
{
    return (jobject)(void *)&some_object;
}

static jclass JNICALL
fake_define(JNIEnv *jni, const char *name, jobject loader, const jbyte *bytes, jsize size)
{
    (void)jni;
    assert_null(loader);
    if (jvm.refused != NULL && strcmp(name, jvm.refused) == 0) {
        jvm.has_exception = true;
        return NULL;
    }
    size_t len = strlen(jvm.defined);
    (void)snprintf(jvm.defined + len, sizeof(jvm.defined) - len, "%s:%d:%d,%d ", name, (int)size,
        bytes[0], bytes[size - 1]);
    return any();
}

static jclass JNICALL
fake_find(JNIEnv *jni, const char *name)
{
    (void)jni;
    (void)name;
    return any();
}

static jmethodID JNICALL
fake_method(JNIEnv *jni, jclass klass, const char *name, const char *signature)
{
    (void)jni;
    (void)klass;
    (void)name;
    (void)signature;
    return (jmethodID)(void *)&some_object;
}

// Class.forName, or the boot loader.
static jobject JNICALL
fake_call_static(JNIEnv *jni, jclass klass, jmethodID method, ...)
{
    (void)jni;
    (void)klass;
    (void)method;
    jvm.has_exception = !jvm.is_there;
    return jvm.is_there ? any() : NULL;
}

static jobject JNICALL
fake_call(JNIEnv *jni, jobject object, jmethodID method, ...)
{
    (void)jni;
    (void)object;
    (void)method;
    return any();
}

static jobject JNICALL
fake_call_array(JNIEnv *jni, jobject object, jmethodID method, const jvalue *values)
{
    (void)values;
    return fake_call(jni, object, method);
}

static jstring JNICALL
fake_new_text(JNIEnv *jni, const char *text)
{
    (void)jni;
    (void)text;
    return any();
}

static const char *JNICALL
fake_get_text(JNIEnv *jni, jstring text, jboolean *is_copy)
{
    (void)jni;
    (void)text;
    (void)is_copy;
    return "java.lang.LinkageError: twice";
}

static void JNICALL
fake_release_text(JNIEnv *jni, jstring text, const char *chars)
{
    (void)jni;
    (void)text;
    (void)chars;
}

static jclass JNICALL
fake_class_of(JNIEnv *jni, jobject object)
{
    (void)jni;
    (void)object;
    return any();
}

static void JNICALL
fake_delete(JNIEnv *jni, jobject object)
{
    (void)jni;
    (void)object;
}

static jthrowable JNICALL
fake_exception(JNIEnv *jni)
{
    (void)jni;
    return jvm.has_exception ? any() : NULL;
}

static void JNICALL
fake_clear(JNIEnv *jni)
{
    (void)jni;
    jvm.has_exception = false;
}

static jboolean JNICALL
fake_check(JNIEnv *jni)
{
    (void)jni;
    return jvm.has_exception;
}

static jint JNICALL
fake_push(JNIEnv *jni, jint capacity)
{
    (void)jni;
    assert_true(capacity > 0);
    jvm.frames++;
    return JNI_OK;
}

static jobject JNICALL
fake_pop(JNIEnv *jni, jobject result)
{
    (void)jni;
    jvm.frames--;
    return result;
}

static const struct JNINativeInterface_ functions = {
    .PushLocalFrame = fake_push,
    .PopLocalFrame = fake_pop,
    .DefineClass = fake_define,
    .FindClass = fake_find,
    .GetMethodID = fake_method,
    .GetStaticMethodID = fake_method,
    .CallStaticObjectMethod = fake_call_static,
    .CallObjectMethod = fake_call,
    .CallObjectMethodA = fake_call_array,
    .NewStringUTF = fake_new_text,
    .GetStringUTFChars = fake_get_text,
    .ReleaseStringUTFChars = fake_release_text,
    .GetObjectClass = fake_class_of,
    .DeleteLocalRef = fake_delete,
    .ExceptionOccurred = fake_exception,
    .ExceptionClear = fake_clear,
    .ExceptionCheck = fake_check,
};

static lp_err
define(lp_problem *out_problem)
{
    JNIEnv jni = &functions;
    const lp_slice classes = {two, sizeof(two)};
    lp_err err = jvmti_classes_define(&jni, classes, out_problem);
    assert_false(jvm.has_exception); // it would hit the application
    assert_int_equal(jvm.frames, 0);
    return err;
}

static void
test_classes_are_defined_in_their_order(void **state)
{
    (void)state;
    jvm = (struct jvm){0};
    assert_int_equal(define(NULL), LP_OK);
    assert_string_equal(jvm.defined, "a/A:3:1,3 b:258:9,9 ");
}

static void
test_a_jar_on_the_boot_class_path_is_used(void **state)
{
    (void)state;
    jvm = (struct jvm){.is_there = true};
    assert_int_equal(define(NULL), LP_OK);
    assert_string_equal(jvm.defined, "");
}

static void
test_a_refused_class_is_named_and_the_others_are_defined(void **state)
{
    (void)state;
    lp_problem problem;
    jvm = (struct jvm){.refused = "a/A"};
    assert_int_equal(define(&problem), LP_EIO);
    assert_string_equal(jvm.defined, "b:258:9,9 ");
    assert_string_equal(
        problem.text, "the JVM rejects the class a/A: java.lang.LinkageError: twice");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_are_defined_in_their_order),
        cmocka_unit_test(test_a_jar_on_the_boot_class_path_is_used),
        cmocka_unit_test(test_a_refused_class_is_named_and_the_others_are_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
