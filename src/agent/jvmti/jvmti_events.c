// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_events.h"

#include "agent/agent_fuse.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/jvmti/jvmti_helpers.h"
#include "agent/rewrite/rewrite_class.h"
#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { EVENT_CLASSES_MAX = 4096 }; // that are loaded as this begins

static lp_slice helper_classes;

// Written before the event is enabled.
static jvmtiEnv *events_jvmti; // NULL: not started
static jclass event_class;     // jdk.jfr.Event
static jclass outside_class;
static jmethodID note_contextual;
static atomic_bool is_jfr_rewritten;
static jstring no_name; // of a class, where there is none or no memory for it

#define TEXT "Ljava/lang/String;"

static const char helper[] = "java/util/concurrent/LoupeEvents";
static const char annotation[] = "Contextual;";

// The calls that generate event classes: at loading, and again later.
static const char jfr_class[] = "jdk/jfr/internal/JVMUpcalls";
static const jvmti_env_package jfr_package = {"jdk/jfr/internal", "jdk.jfr"};

#define MADE_BY(name)                                                                              \
    {                                                                                              \
        .kind = REWRITE_CALL, .method = (name),                                                    \
        .called_class = "jdk/jfr/internal/EventInstrumentation", .called = "buildInstrumented",    \
        .called_descriptor = "()[B", .helper = "make",                                             \
        .helper_descriptor = "(Ljava/lang/Object;)[B"                                              \
    }
static const rewrite_edit jfr_edits[] = {
    MADE_BY("onRetransform"), MADE_BY("bytesForEagerInstrumentation")};

static const rewrite_edit event_edit = {
    .kind = REWRITE_CALL,
    .method = "commit",
    .descriptor = "()V",
    .called = "shouldCommit",
    .called_descriptor = "()Z",
    .helper = "shouldCommit",
    .helper_descriptor = "(Ljava/lang/Object;)Z",
};

static bool
is(lp_slice text, const char *name)
{
    return text.len == strlen(name) && memcmp(text.ptr, name, text.len) == 0;
}

static bool
begins(lp_slice text, const char *prefix)
{
    return text.len >= strlen(prefix) && memcmp(text.ptr, prefix, strlen(prefix)) == 0;
}

void
jvmti_events_open(lp_slice helpers)
{
    helper_classes = helpers;
}

// note_if_contextual tells Java of a class that may be an event type with contexts.
static void
note_if_contextual(JNIEnv *jni, const char *name, lp_slice file)
{
    rewrite_class_names names;
    if (memmem(file.ptr, file.len, annotation, sizeof(annotation) - 1) == NULL ||
        (rewrite_class_look(file, &names) == LP_OK && is(names.superclass, "java/lang/Object"))) {
        return;
    }
    jstring text = name == NULL ? NULL : (*jni)->NewStringUTF(jni, name);
    (*jni)->ExceptionClear(jni);
    (*jni)->CallStaticVoidMethod(
        jni, outside_class, note_contextual, text == NULL ? no_name : text);
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, text);
}

// rewrite_jfr has JFR pass on the event classes that it makes.
static void
rewrite_jfr(jvmtiEnv *jvmti, lp_slice file, jint *out_size, unsigned char **out_bytes)
{
    lp_buf rewritten = {0};
    lp_err err = rewrite_class(
        file, helper, jfr_edits, sizeof(jfr_edits) / sizeof(jfr_edits[0]), &rewritten);
    if (err == LP_OK) {
        err = jvmti_helpers_give(jvmti, lp_buf_slice(&rewritten), out_size, out_bytes);
    }
    lp_buf_fini(&rewritten);
    if (err == LP_OK || err == LP_EEND) {
        atomic_store(&is_jfr_rewritten, true);
    } else {
        lp_log(LP_LOG_WARN, "%s is not as expected (%s)", jfr_class, lp_err_text(err));
    }
}

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
    jobject domain, jint size, const unsigned char *bytes, jint *out_size,
    unsigned char **out_bytes)
{
    (void)domain;
    if (agent_fuse_is_blown()) {
        return;
    }
    const lp_slice file = {bytes, (size_t)size};
    if (loader != NULL && redefined == NULL) {
        note_if_contextual(jni, name, file);
    } else if (loader == NULL && name != NULL && strcmp(name, jfr_class) == 0) {
        rewrite_jfr(jvmti, file, out_size, out_bytes);
    }
}

static jclass
find_for_good(JNIEnv *jni, const char *name)
{
    jclass local = jvmti_classes_find(jni, name);
    jclass found = local == NULL ? NULL : (*jni)->NewGlobalRef(jni, local);
    (*jni)->DeleteLocalRef(jni, local);
    return found;
}

static bool
find_classes(JNIEnv *jni)
{
    event_class = find_for_good(jni, "jdk.jfr.Event");
    outside_class = find_for_good(jni, "dev.loupe.internal.outside.Outside");
    note_contextual = outside_class == NULL ? NULL
                                            : (*jni)->GetStaticMethodID(jni, outside_class,
                                                  "noteContextual", "(" TEXT ")V");
    jstring text = (*jni)->NewStringUTF(jni, "a class without a name");
    no_name = text == NULL ? NULL : (*jni)->NewGlobalRef(jni, text);
    return event_class != NULL && note_contextual != NULL && no_name != NULL;
}

// is_initialized initialises the class that JFR will call, before it does.
static bool
is_initialized(JNIEnv *jni)
{
    jclass klass = jvmti_classes_find(jni, "dev.loupe.internal.outside.EventClasses");
    bool is_so = klass != NULL &&
                 (*jni)->GetStaticMethodID(jni, klass, "make", "(Ljava/lang/Object;)[B") != NULL;
    (*jni)->DeleteLocalRef(jni, klass);
    return is_so;
}

static bool
has_jfr_rewritten(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass klass = jvmti_classes_find(jni, "jdk.jfr.internal.JVMUpcalls");
    bool is_done =
        klass != NULL && (*jvmti)->RetransformClasses(jvmti, 1, &klass) == JVMTI_ERROR_NONE;
    (*jni)->DeleteLocalRef(jni, klass);
    return is_done && atomic_load(&is_jfr_rewritten);
}

// open_env makes an environment that comes behind that of JFR, which has started.
static lp_err
open_env(JNIEnv *jni, lp_problem *out_problem)
{
    static const jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class};
    const jvmtiCapabilities needed = {.can_retransform_classes = 1};
    JavaVM *vm = NULL;
    jvmtiEnv *jvmti = NULL;
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK ||
        (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_9) != JNI_OK) {
        return lp_problem_set(out_problem, LP_EIO, "the JVM gives no JVMTI environment");
    }
    lp_err err = jvmti_helpers_define(jvmti, jni, helper_classes, out_problem);
    if (err == LP_OK && !find_classes(jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "a class of the agent is missing");
    }
    if (err == LP_OK) {
        err = jvmti_env_open_package(jvmti, jni, outside_class, &jfr_package, out_problem);
    }
    if (err == LP_OK && !is_initialized(jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "JFR has other methods than the agent knows");
    }
    if (err == LP_OK &&
        ((*jvmti)->AddCapabilities(jvmti, &needed) != JVMTI_ERROR_NONE ||
            (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) != JVMTI_ERROR_NONE ||
            (*jvmti)->SetEventNotificationMode(
                jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) != JVMTI_ERROR_NONE)) {
        err = lp_problem_set(out_problem, LP_EIO, "the JVM rewrites no classes");
    }
    if (err == LP_OK && !has_jfr_rewritten(jvmti, jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "JFR's classes cannot be rewritten");
    }
    if (err != LP_OK) {
        (*jni)->ExceptionClear(jni);
        (void)(*jvmti)->DisposeEnvironment(jvmti);
        return err;
    }
    events_jvmti = jvmti;
    return LP_OK;
}

// list_loaded returns an array of the event classes that are loaded; NULL if that fails.
static jobjectArray
list_loaded(JNIEnv *jni)
{
    jclass found[EVENT_CLASSES_MAX];
    jsize count = 0;
    jint class_count = 0;
    jclass *classes = NULL;
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    if (class_class == NULL ||
        (*events_jvmti)->GetLoadedClasses(events_jvmti, &class_count, &classes) !=
            JVMTI_ERROR_NONE) {
        return NULL;
    }
    bool is_over = false;
    for (jint i = 0; i < class_count; i++) {
        bool is_event = (*jni)->IsAssignableFrom(jni, classes[i], event_class);
        is_over |= is_event && count == EVENT_CLASSES_MAX;
        if (is_event && count < EVENT_CLASSES_MAX) {
            found[count++] = classes[i];
        } else {
            (*jni)->DeleteLocalRef(jni, classes[i]);
        }
    }
    (void)(*events_jvmti)->Deallocate(events_jvmti, (unsigned char *)classes);
    jobjectArray array = is_over ? NULL : (*jni)->NewObjectArray(jni, count, class_class, NULL);
    for (jsize i = 0; i < count; i++) {
        if (array != NULL) {
            (*jni)->SetObjectArrayElement(jni, array, i, found[i]);
        }
        (*jni)->DeleteLocalRef(jni, found[i]);
    }
    return array;
}

jobjectArray
jvmti_events_start(JNIEnv *jni)
{
    lp_problem problem;
    if (events_jvmti == NULL && open_env(jni, &problem) != LP_OK) {
        lp_log(LP_LOG_WARN, "the JVM records events outside of contexts, too: %s", problem.text);
        return NULL;
    }
    jobjectArray loaded = list_loaded(jni);
    if (loaded == NULL) {
        (*jni)->ExceptionClear(jni);
        lp_log(LP_LOG_WARN,
            "the JVM records events outside of contexts, too: it does not list its event classes, "
            "or has over %d",
            EVENT_CLASSES_MAX);
    }
    return loaded;
}

lp_err
jvmti_events_rewrite(lp_slice file, lp_buf *out)
{
    rewrite_class_names names;
    lp_err err = rewrite_class_look(file, &names);
    if (err == LP_OK && (begins(names.name, "jdk/") || begins(names.name, "dev/loupe/internal/"))) {
        return LP_ENOENT;
    }
    if (err == LP_OK) {
        err = rewrite_class(file, helper, &event_edit, 1, out);
    }
    if (err != LP_OK && err != LP_ENOENT && err != LP_EEND) {
        lp_log(LP_LOG_WARN,
            "the JVM records events of a type outside of contexts, too: its class is not as "
            "expected (%s)",
            lp_err_text(err));
    }
    return err;
}
