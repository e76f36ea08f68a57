// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_carry.h"

#include "agent/agent_fuse.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/rewrite/rewrite_class.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <string.h>

enum { REFUSED_MAX = 512 }; // classes

typedef enum place_state { PLACE_WAITS, PLACE_IS_FOUND, PLACE_IS_REFUSED } place_state;

static jvmtiEnv *carry_jvmti; // NULL: the JVM rejected the capabilities
static long carry_java;

// Written before the event is enabled.
static rewrite_place places[REWRITE_PLACES_MAX];
static size_t place_count;
static jclass main_class;
static jmethodID on_thread_start; // NULL: without platform threads

static _Atomic int states[REWRITE_PLACES_MAX]; // place_state; they order nothing

// The loaded classes that the JVM refused to rewrite. When another agent retransforms such a class,
// the JVM asks for the edits again. It would refuse the result again, and the other agent's edits
// with it.
static jweak refused[REFUSED_MAX];
static _Atomic size_t refused_count; // remember_refused publishes a class with it

void
jvmti_carry_open(jvmtiEnv *jvmti, long java)
{
    const jvmtiCapabilities needed = {.can_retransform_classes = 1};
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &needed);
    if (error != JVMTI_ERROR_NONE) {
        lp_log(LP_LOG_WARN,
            "contexts are not carried with tasks: the JVM cannot rewrite classes (JVMTI error %d)",
            (int)error);
        return;
    }
    carry_jvmti = jvmti;
    carry_java = java;
}

static size_t
count_places(place_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < place_count; i++) {
        count += atomic_load_explicit(&states[i], memory_order_relaxed) == (int)state;
    }
    return count;
}

// Returns the index of the place of a class; place_count if there is none.
static size_t
find_place(const char *class_name, bool is_boot)
{
    size_t i = 0;
    while (i < place_count &&
           (strcmp(places[i].class_name, class_name) != 0 || places[i].is_library == is_boot)) {
        i++;
    }
    return i;
}

static void
refuse(size_t index, lp_err err)
{
    if (atomic_exchange(&states[index], PLACE_IS_REFUSED) != PLACE_IS_REFUSED) {
        lp_log(LP_LOG_WARN,
            "contexts are not carried with tasks of %s: the class has another shape than expected "
            "(%s); such classes: %zu, rewritten: %zu",
            places[index].class_name, lp_err_text(err), count_places(PLACE_IS_REFUSED),
            count_places(PLACE_IS_FOUND));
    }
}

// Returns false if memory ran out, or REFUSED_MAX classes are remembered.
static bool
remember_refused(JNIEnv *jni, jclass klass)
{
    size_t count = atomic_load_explicit(&refused_count, memory_order_relaxed);
    LP_REQUIRE(count != REFUSED_MAX, false);
    refused[count] = (*jni)->NewWeakGlobalRef(jni, klass);
    if (refused[count] == NULL) {
        (*jni)->ExceptionClear(jni);
        return false;
    }
    atomic_store_explicit(&refused_count, count + 1, memory_order_release);
    return true;
}

// Threads: any; klass may be NULL.
static bool
was_refused(JNIEnv *jni, jclass klass)
{
    size_t count = atomic_load_explicit(&refused_count, memory_order_acquire);
    return klass != NULL && LP_ANY(refused, count, (*jni)->IsSameObject(jni, *at, klass));
}

void JNICALL
jvmti_carry_on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
    const char *name, jobject domain, jint size, const unsigned char *bytes, jint *out_size,
    unsigned char **out_bytes)
{
    (void)domain;
    size_t index = name == NULL ? place_count : find_place(name, loader == NULL);
    if (index == place_count || agent_fuse_is_blown() || was_refused(jni, redefined)) {
        return;
    }
    lp_buf rewritten = {0};
    lp_err err = rewrite_class((lp_slice){bytes, (size_t)size}, rewrite_places_helper,
        places[index].edits, places[index].edit_count, &rewritten);
    if (err == LP_OK && rewritten.len > 0) {
        err = jvmti_classes_give(jvmti, lp_buf_slice(&rewritten), out_size, out_bytes);
    }
    lp_buf_fini(&rewritten);
    if (err == LP_OK) {
        atomic_store(&states[index], PLACE_IS_FOUND);
    } else {
        refuse(index, err);
    }
}

void JNICALL
jvmti_carry_on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    if (agent_fuse_is_blown()) {
        return;
    }
    (*jni)->CallStaticVoidMethod(jni, main_class, on_thread_start);
    (*jni)->ExceptionClear(jni); // a StackOverflowError, for example
}

// Prepares the Java side. Returns false, and logs why, if the agent must rewrite nothing.
static bool
start_java(JNIEnv *jni, bool with_threads)
{
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.carry.CarryMain");
    jmethodID start = main == NULL ? NULL : (*jni)->GetStaticMethodID(jni, main, "start", "(Z)Z");
    jboolean is_on =
        start != NULL && (*jni)->CallStaticBooleanMethod(jni, main, start, (jboolean)with_threads);
    if (start == NULL || (*jni)->ExceptionCheck(jni)) {
        lp_log(LP_LOG_WARN, "contexts are not carried with tasks: CarryMain did not start");
        is_on = JNI_FALSE;
    }
    if (is_on && with_threads) {
        on_thread_start = (*jni)->GetStaticMethodID(jni, main, "onThreadStart", "()V");
        main_class = (*jni)->NewGlobalRef(jni, main);
        is_on = on_thread_start != NULL && main_class != NULL;
        if (!is_on) {
            lp_log(LP_LOG_WARN, "contexts are not carried with tasks: out of memory");
        }
    }
    (*jni)->ExceptionClear(jni);
    return is_on;
}

// Returns the index of the place of a loaded class; place_count if there is none.
static size_t
find_place_of(jclass klass)
{
    char *signature = NULL;
    jobject loader = NULL;
    if ((*carry_jvmti)->GetClassSignature(carry_jvmti, klass, &signature, NULL) !=
        JVMTI_ERROR_NONE) {
        return place_count;
    }
    size_t len = strlen(signature); // Lname;
    size_t index = place_count;
    if (len > 2 && signature[0] == 'L') {
        signature[len - 1] = '\0';
        if ((find_place(signature + 1, true) < place_count ||
                find_place(signature + 1, false) < place_count) &&
            (*carry_jvmti)->GetClassLoader(carry_jvmti, klass, &loader) == JVMTI_ERROR_NONE) {
            index = find_place(signature + 1, loader == NULL);
        }
    }
    (void)(*carry_jvmti)->Deallocate(carry_jvmti, (unsigned char *)signature);
    return index;
}

// Rewrites one class. If the JVM refuses, the class stays as it is from then on; this is logged.
static void
rewrite_one(JNIEnv *jni, jclass klass)
{
    jvmtiError error = (*carry_jvmti)->RetransformClasses(carry_jvmti, 1, &klass);
    if (error == JVMTI_ERROR_NONE) {
        return;
    }
    size_t index = find_place_of(klass);
    if (index < place_count) {
        bool is_remembered = remember_refused(jni, klass);
        atomic_store(&states[index], PLACE_IS_REFUSED);
        lp_log(LP_LOG_WARN,
            "contexts are not carried with tasks of %s: the JVM does not rewrite it (JVMTI error "
            "%d)%s",
            places[index].class_name, (int)error,
            is_remembered ? "" : "; other agents may fail to rewrite it, too");
    }
}

// Rewrites the loaded classes that have a place: all together or, if the JVM refuses, one by one.
static void
rewrite_loaded(JNIEnv *jni)
{
    enum { CLASSES_MAX = 4 * REWRITE_PLACES_MAX }; // several loaders may have a library's class
    jclass found[CLASSES_MAX];
    jint count = 0;
    jint class_count = 0;
    jclass *classes = NULL;
    if ((*carry_jvmti)->GetLoadedClasses(carry_jvmti, &class_count, &classes) != JVMTI_ERROR_NONE) {
        return;
    }
    for (jint i = 0; i < class_count; i++) {
        if (count < CLASSES_MAX && find_place_of(classes[i]) < place_count) {
            found[count++] = classes[i];
        } else {
            (*jni)->DeleteLocalRef(jni, classes[i]);
        }
    }
    (void)(*carry_jvmti)->Deallocate(carry_jvmti, (unsigned char *)classes);
    if (count > 0 &&
        (*carry_jvmti)->RetransformClasses(carry_jvmti, count, found) != JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++) {
            rewrite_one(jni, found[i]);
        }
    }
    for (jint i = 0; i < count; i++) {
        (*jni)->DeleteLocalRef(jni, found[i]);
    }
}

static bool
switch_event(jvmtiEvent event, jvmtiEventMode mode)
{
    return (*carry_jvmti)->SetEventNotificationMode(carry_jvmti, mode, event, NULL) ==
           JVMTI_ERROR_NONE;
}

// Enables the events of classes and, with_threads, of threads: all or none. Classes come last: from
// then on they are rewritten.
static bool
enable_events(bool with_threads)
{
    if (with_threads && !switch_event(JVMTI_EVENT_THREAD_START, JVMTI_ENABLE)) {
        return false;
    }
    if (switch_event(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_ENABLE)) {
        return true;
    }
    if (with_threads) {
        (void)switch_event(JVMTI_EVENT_THREAD_START, JVMTI_DISABLE);
    }
    return false;
}

void
jvmti_carry_start(jvmtiEnv *jvmti, JNIEnv *jni, lp_slice helpers, bool with_threads)
{
    if (carry_jvmti != jvmti) {
        return;
    }
    lp_problem problem;
    if (jvmti_classes_define_helpers(jvmti, jni, helpers, &problem) != LP_OK) {
        lp_log(LP_LOG_WARN, "contexts are not carried with tasks: %s", problem.text);
        (*jni)->ExceptionClear(jni);
        return;
    }
    if (!start_java(jni, with_threads)) {
        return;
    }
    place_count = rewrite_places_list(carry_java, with_threads, places);
    if (!enable_events(with_threads)) {
        lp_log(
            LP_LOG_WARN, "contexts are not carried with tasks: the JVM does not enable the events");
        return;
    }
    rewrite_loaded(jni);
    lp_log(LP_LOG_INFO,
        "contexts are carried with tasks: %zu classes are rewritten, %zu are not loaded yet",
        count_places(PLACE_IS_FOUND), count_places(PLACE_WAITS));
}
