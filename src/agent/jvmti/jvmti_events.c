// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_events.h"

#include "agent/agent_fuse.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/rewrite/rewrite_class.h"
#include "common/base/lp_log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

// --- Classes that may be event types with contexts
//
// Keeps their names from just before the JVM defines them, and writes two fields of Outside (Java):
// the name of a class that certainly is such an event type, and the number of classes that may be.
// Java withholds no event until it has examined these classes. No function here calls a Java
// method, so a small Java stack cannot make one fail.

enum {
    NOTED_MAX = 4096, // names at a time; further classes go to report_contextual
    NOTED_LOOKS = 60, // calls of are_noted_loaded, about one a second
};

typedef struct noted_class {
    char *name; // with slashes
    size_t len; // of the name
    unsigned looks;
    bool is_loaded;
} noted_class;

// Written by open_noted, before the others are called.
static jfieldID contextual_field; // a String
static jfieldID noted_field;      // an int, the number of classes ever noted
static jstring no_name;           // for a class whose name found no memory

static pthread_mutex_t noted_mutex = PTHREAD_MUTEX_INITIALIZER;
static noted_class noted_classes[NOTED_MAX];
static size_t noted_count;

#define TEXT "Ljava/lang/String;"

// Finds the fields of Outside for good. Returns false if one is missing or memory is short; an
// exception may be pending.
static bool
open_noted(JNIEnv *jni, jclass outside)
{
    if (no_name != NULL) {
        return true;
    }
    contextual_field = (*jni)->GetStaticFieldID(jni, outside, "contextual", TEXT);
    noted_field =
        contextual_field == NULL ? NULL : (*jni)->GetStaticFieldID(jni, outside, "noted", "I");
    jstring text = noted_field == NULL ? NULL : (*jni)->NewStringUTF(jni, "a class");
    no_name = text == NULL ? NULL : (*jni)->NewGlobalRef(jni, text);
    (*jni)->DeleteLocalRef(jni, text);
    return no_name != NULL;
}

static char *
copy_name(lp_slice name)
{
    char *copy = malloc(name.len + 1);
    if (copy != NULL) {
        memcpy(copy, name.ptr, name.len);
        copy[name.len] = '\0';
    }
    return copy;
}

// Tells Java, for good, that events of a class may be contexts. name: with slashes; empty if
// unknown.
static void
report_contextual(JNIEnv *jni, lp_slice name)
{
    char *copy = name.len == 0 ? NULL : copy_name(name);
    for (char *c = copy; c != NULL && *c != '\0'; c++) {
        *c = *c == '/' ? '.' : *c;
    }
    jstring text = copy == NULL ? NULL : (*jni)->NewStringUTF(jni, copy);
    (*jni)->ExceptionClear(jni);
    (*jni)->SetStaticObjectField(
        jni, outside_class, contextual_field, text == NULL ? no_name : text);
    (*jni)->DeleteLocalRef(jni, text);
    free(copy);
}

// Returns the index of a noted class; noted_count if there is none.
static size_t
find_noted(const char *name, size_t len)
{
    size_t i = 0;
    while (i < noted_count &&
           (noted_classes[i].len != len || memcmp(noted_classes[i].name, name, len) != 0)) {
        i++;
    }
    return i;
}

// Returns false if there is no room for a class.
static bool
keep_noted(lp_slice name)
{
    size_t index = find_noted((const char *)name.ptr, name.len);
    LP_REQUIRE(index != NOTED_MAX, false);
    if (index == noted_count) {
        char *copy = copy_name(name);
        LP_REQUIRE(copy != NULL, false);
        noted_classes[noted_count++] = (noted_class){.name = copy, .len = name.len};
    }
    // Another loader may have loaded one of that name.
    noted_classes[index].looks = 0;
    noted_classes[index].is_loaded = false;
    return true;
}

// Notes a class that may be an event type with contexts. Java examines the class when it is loaded.
// name: with slashes.
static void
note_class(JNIEnv *jni, lp_slice name)
{
    (void)pthread_mutex_lock(&noted_mutex);
    bool is_kept = keep_noted(name);
    jint count = (*jni)->GetStaticIntField(jni, outside_class, noted_field);
    (*jni)->SetStaticIntField(jni, outside_class, noted_field, (jint)((uint32_t)count + 1));
    (void)pthread_mutex_unlock(&noted_mutex);
    if (!is_kept) {
        report_contextual(jni, name);
    }
}

static void
mark_loaded(jvmtiEnv *jvmti, jclass klass)
{
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE) {
        return;
    }
    if (signature[0] == 'L') { // Lname; or Lname.number; of a hidden class
        size_t index = find_noted(signature + 1, strcspn(signature + 1, ".;"));
        if (index < noted_count) {
            noted_classes[index].is_loaded = true;
        }
    }
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void
forget_all(void)
{
    while (noted_count > 0) {
        free(noted_classes[--noted_count].name);
    }
}

// Returns whether all noted classes are among the given ones, and forgets them if so. A class that
// is missing in more than NOTED_LOOKS calls counts as loaded: its loading failed.
static bool
are_noted_loaded(jvmtiEnv *jvmti, const jclass *loaded, size_t count)
{
    (void)pthread_mutex_lock(&noted_mutex);
    for (size_t i = 0; i < count && noted_count > 0; i++) {
        mark_loaded(jvmti, loaded[i]);
    }
    bool are_loaded = true;
    for (size_t i = 0; i < noted_count; i++) {
        noted_classes[i].looks++;
        are_loaded &= noted_classes[i].is_loaded || noted_classes[i].looks > NOTED_LOOKS;
    }
    if (are_loaded) {
        forget_all();
    }
    (void)pthread_mutex_unlock(&noted_mutex);
    return are_loaded;
}

// --- Rewriting

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
            note_class(jni, names.name);
        }
    } else if (err == LP_ENOMEM || (is_annotated && is(names.superclass, event_superclass))) {
        report_contextual(jni, names.name);
    } else if (err == LP_OK && is_annotated && !is(names.superclass, "java/lang/Object")) {
        note_class(jni, names.name);
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
        err = jvmti_classes_give(jvmti, lp_buf_slice(&rewritten), out_size, out_bytes);
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
    return event_class != NULL && outside_class != NULL && open_noted(jni, outside_class);
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
    lp_err err = jvmti_classes_define_helpers(jvmti, jni, helper_classes, out_problem);
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
    bool are_loaded = are_noted_loaded(events_jvmti, classes, (size_t)class_count);
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
