// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_java.h"

#include "agent/agent_fuse.h"
#include "agent/context/ctx_layout.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/jvmti/jvmti_texts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    START_TEXTS = 5,       // returned by AgentMain.start on success
    AGENT_COPIES_MAX = 64, // of the API that an application has loaded by itself
};

static jclass rings_class; // these two are written once
static jmethodID end_current_thread;

// The packages of the JDK that the Java classes use although they are not public.
static const jvmti_env_package packages[] = {
    {"jdk/internal/misc", "java.base"},
    {"jdk/internal/vm", "java.base"},
    {"jdk/jfr/internal", "jdk.jfr"},
};

// Clears the pending exception, which the application would get otherwise.
static lp_err
fail_cleanly(JNIEnv *jni, lp_problem *out_problem, const char *what)
{
    (*jni)->ExceptionClear(jni);
    return lp_problem_set(out_problem, LP_EIO, "loupe.jar does not match this agent: %s", what);
}

// Returns whether the text is the layout of this library.
static bool
is_own_layout(JNIEnv *jni, jstring text)
{
    lp_buf own = {0};
    const char *theirs = (*jni)->GetStringUTFChars(jni, text, NULL);
    bool is_own = theirs != NULL && ctx_layout_put_text(&own) == LP_OK &&
                  strcmp(theirs, (const char *)own.ptr) == 0;
    if (theirs != NULL) {
        (*jni)->ReleaseStringUTFChars(jni, text, theirs);
    }
    lp_buf_fini(&own);
    return is_own;
}

// Compares the layout that the Java classes were compiled with.
static lp_err
check_layout(JNIEnv *jni, lp_problem *out_problem)
{
    jclass layout = jvmti_classes_find(jni, "dev.loupe.internal.ring.RingLayout");
    jfieldID all =
        layout == NULL ? NULL : (*jni)->GetStaticFieldID(jni, layout, "ALL", "Ljava/lang/String;");
    jstring text = all == NULL ? NULL : (*jni)->GetStaticObjectField(jni, layout, all);
    LP_REQUIRE(text != NULL && is_own_layout(jni, text),
        fail_cleanly(jni, out_problem, "the boot class path has a loupe.jar of another build"));
    return LP_OK;
}

// Hands the addresses of the rings to Java. Fails if another copy of the agent has done so: one
// that does not know the claim (agent_claim.h), or one that gave up later.
static lp_err
hand_over(JNIEnv *jni, jclass handover, const ctx_rings *rings, lp_problem *out_problem)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(rings);
    const jlong values[] = {
        (jlong)(uintptr_t)layout->controls,
        (jlong)(uintptr_t)layout->cells,
        (jlong)(uintptr_t)layout->common,
    };
    jsize count = sizeof(values) / sizeof(values[0]);
    jfieldID field = (*jni)->GetStaticFieldID(jni, handover, "rings", "[J");
    jlongArray array = field == NULL ? NULL : (*jni)->GetStaticObjectField(jni, handover, field);
    if (array != NULL) { // the first value identifies the copy
        jlong controls = 0;
        (*jni)->GetLongArrayRegion(jni, array, 0, 1, &controls);
        if (controls != values[0]) {
            (*jni)->ExceptionClear(jni);
            return lp_problem_set(
                out_problem, LP_ECLOSED, "another copy of the agent has begun to use this JVM");
        }
        return LP_OK;
    }
    array = field == NULL ? NULL : (*jni)->NewLongArray(jni, count);
    LP_REQUIRE(array != NULL, fail_cleanly(jni, out_problem, "Handover"));
    (*jni)->SetLongArrayRegion(jni, array, 0, count, values);
    (*jni)->SetStaticObjectField(jni, handover, field, array);
    return LP_OK;
}

static lp_err
bind_natives(JNIEnv *jni, const jvmti_java_config *config, lp_problem *out_problem)
{
    jclass native = jvmti_classes_find(jni, "dev.loupe.internal.agent.Native");
    if (native == NULL || !jvmti_natives_bind(jni, native, &config->natives) ||
        !jvmti_policy_bind(jni, native, config->natives.ship)) {
        return fail_cleanly(jni, out_problem, "Native");
    }
    return LP_OK;
}

static lp_err
find_rings(JNIEnv *jni, lp_problem *out_problem)
{
    if (end_current_thread != NULL) {
        return LP_OK; // found by a start that failed later
    }
    jclass local = jvmti_classes_find(jni, "dev.loupe.internal.Rings");
    rings_class = local == NULL ? NULL : (*jni)->NewGlobalRef(jni, local);
    // Finding the method initialises the class.
    end_current_thread = rings_class == NULL ? NULL
                                             : (*jni)->GetStaticMethodID(
                                                   jni, rings_class, "endCurrentThread", "()V");
    return end_current_thread == NULL ? fail_cleanly(jni, out_problem, "Rings") : LP_OK;
}

// Reads the result of AgentMain.start.
static lp_err
take_info(JNIEnv *jni, jobjectArray texts, jvmti_java_info *out_info, lp_problem *out_problem)
{
    char *first = jvmti_texts_copy_element(jni, texts, 0);
    if ((*jni)->GetArrayLength(jni, texts) != START_TEXTS) {
        lp_err err = lp_problem_set(out_problem, LP_EIO, "%s", first == NULL ? "?" : first);
        free(first);
        return err;
    }
    jvmti_java_info info = {
        .repository = first,
        .jvm_name = jvmti_texts_copy_element(jni, texts, 1),
        .jvm_version = jvmti_texts_copy_element(jni, texts, 2),
        .own_policy = jvmti_texts_copy_element(jni, texts, 3),
        .version = jvmti_texts_copy_element(jni, texts, 4),
    };
    if (info.repository == NULL || info.jvm_name == NULL || info.jvm_version == NULL ||
        info.own_policy == NULL || info.version == NULL) {
        jvmti_java_info_fini(&info);
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    *out_info = info;
    return LP_OK;
}

static lp_err
call_start(JNIEnv *jni, const jvmti_java_config *config, jvmti_java_info *out_info,
    lp_problem *out_problem)
{
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.recording.AgentMain");
    jmethodID start = main == NULL ? NULL
                                   : (*jni)->GetStaticMethodID(jni, main, "start",
                                         "(Ljava/lang/String;Ljava/lang/String;ZI)[[B");
    jstring chosen = start == NULL ? NULL : (*jni)->NewStringUTF(jni, config->policy);
    jstring denied = chosen == NULL ? NULL : (*jni)->NewStringUTF(jni, config->denied);
    LP_REQUIRE(denied != NULL, fail_cleanly(jni, out_problem, "AgentMain"));
    jobjectArray texts = (*jni)->CallStaticObjectMethod(jni, main, start, chosen, denied,
        (jboolean)config->has_all_fields, (jint)config->segment_s);
    LP_REQUIRE(!(*jni)->ExceptionCheck(jni) && texts != NULL,
        fail_cleanly(jni, out_problem, "AgentMain.start"));
    return take_info(jni, texts, out_info, out_problem);
}

lp_err
jvmti_java_check(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < sizeof(packages) / sizeof(packages[0]); i++) {
        jobject module = NULL;
        err = jvmti_env_find_module(jvmti, &packages[i], &module, out_problem);
        (*jni)->DeleteLocalRef(jni, module);
    }
    return err;
}

lp_err
jvmti_java_start(jvmtiEnv *jvmti, JNIEnv *jni, const jvmti_java_config *config,
    jvmti_java_info *out_info, lp_problem *out_problem)
{
    jclass handover = jvmti_classes_find(jni, "dev.loupe.internal.agent.Handover");
    LP_REQUIRE(handover != NULL, fail_cleanly(jni, out_problem, "Handover"));
    lp_err err = check_layout(jni, out_problem);
    LP_THEN(err, hand_over(jni, handover, config->natives.rings, out_problem));
    for (size_t i = 0; err == LP_OK && i < sizeof(packages) / sizeof(packages[0]); i++) {
        err = jvmti_env_export(jvmti, jni, handover, &packages[i], out_problem);
    }
    LP_THEN(err, bind_natives(jni, config, out_problem));
    LP_THEN(err, find_rings(jni, out_problem));
    return err == LP_OK ? call_start(jni, config, out_info, out_problem) : err;
}

static bool
is_agent_class(jvmtiEnv *jvmti, jclass klass)
{
    char *signature = NULL;
    LP_REQUIRE(
        (*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) == JVMTI_ERROR_NONE, false);
    bool is_agent = strcmp(signature, "Ldev/loupe/internal/Agent;") == 0;
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return is_agent;
}

// Returns an array of all copies of the class Agent: ours, and those that the application loaded
// before the agent started. NULL if that fails.
static jobjectArray
find_agents(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass agents[AGENT_COPIES_MAX];
    jsize count = 0;
    jint class_count = 0;
    jclass *classes = NULL;
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    // The application's loader takes its own copy from a class archive, although the boot loader
    // has the class. FindClass makes it load that copy now, so that the search below finds it.
    (*jni)->DeleteLocalRef(jni, (*jni)->FindClass(jni, "dev/loupe/internal/Agent"));
    (*jni)->ExceptionClear(jni);
    if (class_class == NULL ||
        (*jvmti)->GetLoadedClasses(jvmti, &class_count, &classes) != JVMTI_ERROR_NONE) {
        return NULL;
    }
    // That many local references exist; if the JVM refuses the capacity, they still do.
    if ((*jni)->EnsureLocalCapacity(jni, class_count + AGENT_COPIES_MAX) != JNI_OK) {
        (*jni)->ExceptionClear(jni);
    }
    for (jint i = 0; i < class_count; i++) {
        if (count < AGENT_COPIES_MAX && is_agent_class(jvmti, classes[i])) {
            agents[count++] = classes[i];
        } else {
            (*jni)->DeleteLocalRef(jni, classes[i]);
        }
    }
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    jobjectArray array = (*jni)->NewObjectArray(jni, count, class_class, NULL);
    for (jsize i = 0; array != NULL && i < count; i++) {
        (*jni)->SetObjectArrayElement(jni, array, i, agents[i]);
    }
    return array;
}

lp_err
jvmti_java_activate(jvmtiEnv *jvmti, JNIEnv *jni, lp_problem *out_problem)
{
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.recording.AgentMain");
    jmethodID activate =
        main == NULL ? NULL
                     : (*jni)->GetStaticMethodID(jni, main, "activate", "([Ljava/lang/Class;)V");
    jobjectArray agents = activate == NULL ? NULL : find_agents(jvmti, jni);
    LP_REQUIRE(agents != NULL, fail_cleanly(jni, out_problem, "Agent"));
    (*jni)->CallStaticVoidMethod(jni, main, activate, agents);
    return (*jni)->ExceptionCheck(jni) ? fail_cleanly(jni, out_problem, "AgentMain.activate")
                                       : LP_OK;
}

void
jvmti_java_stop(JNIEnv *jni)
{
    jclass main = jvmti_classes_find(jni, "dev.loupe.internal.recording.AgentMain");
    jmethodID stop = main == NULL ? NULL : (*jni)->GetStaticMethodID(jni, main, "stop", "()V");
    if (stop != NULL) {
        (*jni)->CallStaticVoidMethod(jni, main, stop);
    }
    (*jni)->ExceptionClear(jni);
}

void
jvmti_java_on_thread_end(JNIEnv *jni)
{
    if (agent_fuse_is_blown()) {
        return;
    }
    (*jni)->CallStaticVoidMethod(jni, rings_class, end_current_thread);
    (*jni)->ExceptionClear(jni); // a StackOverflowError, for example; the thread ends anyway
}

void
jvmti_java_info_fini(jvmti_java_info *info)
{
    free(info->repository);
    free(info->jvm_name);
    free(info->jvm_version);
    free(info->own_policy);
    free(info->version);
    memset(info, 0, sizeof(*info));
}
