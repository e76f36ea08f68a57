// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_events.h"

#include "agent/agent_fuse.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/jvmti/jvmti_helpers.h"
#include "agent/jvmti/jvmti_noted.h"
#include "agent/rewrite/rewrite_class.h"
#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static lp_slice helper_classes;

// Written before the event is enabled.
static jvmtiEnv *events_jvmti; // NULL: not started yet
static jclass event_class;     // jdk.jfr.Event
static jclass outside_class;
static atomic_bool is_jfr_rewritten;

static const char helper[] = "java/util/concurrent/LoupeEvents";
static const char annotation[] = "Contextual;";
static const char event_superclass[] = "jdk/jfr/Event";
static const char dynamic_class[] = "jdk/jfr/DynamicEvent"; // and a number, by jdk.jfr.EventFactory

// The calls that generate event classes, at loading and again later.
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

static bool
contains(lp_slice file, const char *text)
{
    return memmem(file.ptr, file.len, text, strlen(text)) != NULL;
}

// Notes a class that may be an event type with contexts: it names an annotation in its file, or JFR
// makes it at run time, with metadata that only JFR has.
static void
note_if_contextual(JNIEnv *jni, bool is_boot, lp_slice file)
{
    bool is_annotated = contains(file, annotation);
    if (!is_annotated && !(is_boot && contains(file, dynamic_class))) {
        return;
    }
    rewrite_class_names names = {0};
    lp_err err = rewrite_class_look(file, &names);
    if (err == LP_OK && is_boot && begins(names.name, "jdk/")) {
        if (begins(names.name, dynamic_class)) {
            jvmti_noted_add(jni, names.name);
        }
    } else if (err == LP_ENOMEM || (is_annotated && is(names.superclass, event_superclass))) {
        jvmti_noted_set(jni, names.name);
    } else if (err == LP_OK && is_annotated && !is(names.superclass, "java/lang/Object")) {
        jvmti_noted_add(jni, names.name);
    }
}

// Makes JFR pass on the event classes that it generates.
static void
rewrite_jfr(jvmtiEnv *jvmti, lp_slice file, jint *out_size, unsigned char **out_bytes)
{
    lp_buf rewritten = {0};
    lp_err err = rewrite_class(
        file, helper, jfr_edits, sizeof(jfr_edits) / sizeof(jfr_edits[0]), &rewritten);
    if (err == LP_OK && rewritten.len > 0) {
        err = jvmti_helpers_give(jvmti, lp_buf_slice(&rewritten), out_size, out_bytes);
    }
    lp_buf_fini(&rewritten);
    if (err == LP_OK) {
        atomic_store(&is_jfr_rewritten, true);
    } else {
        lp_log(LP_LOG_WARN, "the class %s has another shape than expected (%s)", jfr_class,
            lp_err_text(err));
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
    if (redefined == NULL) {
        note_if_contextual(jni, loader == NULL, file);
    }
    if (loader == NULL && name != NULL && strcmp(name, jfr_class) == 0) {
        rewrite_jfr(jvmti, file, out_size, out_bytes);
    }
}

// Returns a global reference to a class of Java's, which it finds once.
static jclass
find_for_good(JNIEnv *jni, jclass known, const char *name)
{
    jclass local = known == NULL ? jvmti_classes_find(jni, name) : NULL;
    jclass found = local == NULL ? known : (*jni)->NewGlobalRef(jni, local);
    (*jni)->DeleteLocalRef(jni, local);
    return found;
}

static bool
find_classes(JNIEnv *jni)
{
    event_class = find_for_good(jni, event_class, "jdk.jfr.Event");
    outside_class = find_for_good(jni, outside_class, "dev.loupe.internal.outside.Outside");
    return event_class != NULL && outside_class != NULL && jvmti_noted_open(jni, outside_class);
}

// Returns whether memory or stack were short, and clears the pending exception.
static bool
was_short(JNIEnv *jni)
{
    jthrowable thrown = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    jclass error = thrown == NULL ? NULL : (*jni)->FindClass(jni, "java/lang/VirtualMachineError");
    bool is_so = thrown != NULL && (error == NULL || (*jni)->IsInstanceOf(jni, thrown, error));
    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, error);
    (*jni)->DeleteLocalRef(jni, thrown);
    return is_so;
}

// Initialises the class that JFR will call, before it does.
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

// Creates an environment that comes after that of JFR, which has started.
static lp_err
open_env(JNIEnv *jni, lp_problem *out_problem)
{
    static const jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class};
    const jvmtiCapabilities needed = {.can_retransform_classes = 1};
    JavaVM *vm = NULL;
    jvmtiEnv *jvmti = NULL;
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK ||
        (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_9) != JNI_OK) {
        return lp_problem_set(out_problem, LP_EIO, "the JVM has no JVMTI environment");
    }
    lp_err err = jvmti_helpers_define(jvmti, jni, helper_classes, out_problem);
    if (err == LP_OK && !find_classes(jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "a class of the agent is missing");
    }
    LP_THEN(err, jvmti_env_open_package(jvmti, jni, outside_class, &jfr_package, out_problem));
    if (err == LP_OK && !is_initialized(jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "this JDK's JFR is unknown to the agent");
    }
    if (err == LP_OK &&
        ((*jvmti)->AddCapabilities(jvmti, &needed) != JVMTI_ERROR_NONE ||
            (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) != JVMTI_ERROR_NONE ||
            (*jvmti)->SetEventNotificationMode(
                jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) != JVMTI_ERROR_NONE)) {
        err = lp_problem_set(out_problem, LP_EIO, "the JVM cannot rewrite classes");
    }
    if (err == LP_OK && !has_jfr_rewritten(jvmti, jni)) {
        err = lp_problem_set(out_problem, LP_EIO, "the JVM refuses to rewrite JFR's classes");
    }
    if (err != LP_OK) {
        err = was_short(jni) ? LP_ENOMEM : err;
        (void)(*jvmti)->DisposeEnvironment(jvmti);
        return err;
    }
    events_jvmti = jvmti;
    return LP_OK;
}

lp_err
jvmti_events_start(JNIEnv *jni)
{
    lp_problem problem = {0};
    lp_err err = events_jvmti == NULL ? open_env(jni, &problem) : LP_OK;
    if (err != LP_OK && err != LP_ENOMEM) {
        lp_log(LP_LOG_WARN, "the JVM also records events outside of contexts: %s", problem.text);
    }
    return err;
}

// Moves the event classes to the front of classes, deletes the references to the others, and
// returns the number of event classes.
static jsize
keep_events(JNIEnv *jni, jclass *classes, jint class_count)
{
    jsize count = 0;
    for (jint i = 0; i < class_count; i++) {
        if ((*jni)->IsAssignableFrom(jni, classes[i], event_class)) {
            classes[count++] = classes[i];
        } else {
            (*jni)->DeleteLocalRef(jni, classes[i]);
        }
    }
    return count;
}

jobjectArray
jvmti_events_list(JNIEnv *jni)
{
    jint class_count = 0;
    jclass *classes = NULL;
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    if (class_class == NULL ||
        (*events_jvmti)->GetLoadedClasses(events_jvmti, &class_count, &classes) !=
            JVMTI_ERROR_NONE) {
        return NULL;
    }
    bool are_loaded = jvmti_noted_are_loaded(events_jvmti, classes, (size_t)class_count);
    jsize count = keep_events(jni, classes, class_count);
    jobjectArray array = are_loaded ? (*jni)->NewObjectArray(jni, count, class_class, NULL) : NULL;
    for (jsize i = 0; i < count; i++) {
        if (array != NULL) {
            (*jni)->SetObjectArrayElement(jni, array, i, classes[i]);
        }
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (void)(*events_jvmti)->Deallocate(events_jvmti, (unsigned char *)classes);
    return array;
}

lp_err
jvmti_events_rewrite(lp_slice file, lp_buf *out)
{
    rewrite_class_names names;
    lp_err err = rewrite_class_look(file, &names);
    if (err == LP_OK && (begins(names.name, "jdk/") || begins(names.name, "dev/loupe/internal/"))) {
        return LP_ENOENT;
    }
    LP_THEN(err, rewrite_class_made(file, helper, &event_edit, 1, out));
    if (err != LP_OK && err != LP_ENOENT) {
        lp_log(LP_LOG_WARN,
            "the JVM also records events of a type outside of contexts: its class has another "
            "shape than expected (%s)",
            lp_err_text(err));
    }
    return err;
}
