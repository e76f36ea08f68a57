// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_waits.h"

#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// The JVMTI storage of a virtual thread is NULL while it does not wait, and JFR's start time of the
// wait while it waits. RECORDING: the agent is committing an event, and ignores the monitors that
// JFR waits for meanwhile.
#define RECORDING ((void *)(uintptr_t)1)

// One function of the JVM calls both callbacks for a wait of a thread that stays on its stack.
enum { SAME_FRAME_BYTES = 4096 };

enum {
    FRAMES_MAX = 64,   // per call of GetStackTrace
    DEPTH_MAX = 2048,  // frames searched; deeper ones do not pin the carrier
    ACC_STATIC = 0x8,  // of the JVM specification
    ACC_NATIVE = 0x100 // of the JVM specification
};

_Static_assert(sizeof(void *) >= sizeof(jlong), "a pointer holds JFR's time");

static jvmtiEnv *waits_jvmti; // written by open; NULL: the JVM has no events for lock waits

// Written by start, before the events are enabled.
static jclass virtual_class;
static jclass jfr_class;
static jmethodID counter_time; // of jfr_class
static jclass event_class;
static jfieldID event_start; // JFR adds it to every event class
static jfieldID event_monitor_class;
static jmethodID event_commit;

// Waits that began before this tick are ignored: their Enter may not have been reported.
static _Atomic jlong enabled_since; // it orders nothing

// Stack address and time of this carrier's last Enter callback: see is_pinned.
static _Thread_local struct {
    jlong start_ticks;
    uintptr_t frame;
} last_enter;

// JDK 17's header has no name for the capability in the bit behind this one.
static jvmtiCapabilities
needed_capabilities(void)
{
    jvmtiCapabilities before = {.can_generate_sampled_object_alloc_events = 1};
    jvmtiCapabilities needed = {.can_generate_monitor_events = 1};
    uint64_t bits;
    uint64_t virtual_threads;
    memcpy(&virtual_threads, &before, sizeof(virtual_threads));
    memcpy(&bits, &needed, sizeof(bits));
    bits |= virtual_threads << 1;
    memcpy(&needed, &bits, sizeof(bits));
    return needed;
}

void
jvmti_waits_open(jvmtiEnv *jvmti, long java)
{
    if (java < JVMTI_WAITS_JAVA_MIN) {
        return; // JFR records lock waits itself
    }
    const jvmtiCapabilities needed = needed_capabilities();
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &needed);
    if (error != JVMTI_ERROR_NONE) {
        lp_log(LP_LOG_WARN,
            "lock waits of virtual threads are not recorded: the JVM does not report them "
            "(JVMTI error %d)",
            (int)error);
        return;
    }
    waits_jvmti = jvmti;
}

bool
jvmti_waits_is_open(void)
{
    return waits_jvmti != NULL;
}

// Finds a class that is never unloaded, once.
static bool
find_class(JNIEnv *jni, const char *name, jclass *klass)
{
    if (*klass == NULL) {
        jclass local = (*jni)->FindClass(jni, name);
        *klass = local == NULL ? NULL : (*jni)->NewGlobalRef(jni, local);
    }
    return *klass != NULL;
}

// The calls depend on one another, in this order.
static bool
find_all(JNIEnv *jni)
{
    return find_class(jni, "java/lang/VirtualThread", &virtual_class) &&
           find_class(jni, "jdk/jfr/internal/JVM", &jfr_class) &&
           (counter_time = (*jni)->GetStaticMethodID(jni, jfr_class, "counterTime", "()J")) !=
               NULL &&
           find_class(
               jni, "dev/loupe/internal/recording/VirtualThreadMonitorEnter", &event_class) &&
           (event_start = (*jni)->GetFieldID(jni, event_class, "startTime", "J")) != NULL &&
           (event_monitor_class = (*jni)->GetFieldID(
                jni, event_class, "monitorClass", "Ljava/lang/Class;")) != NULL &&
           (event_commit = (*jni)->GetMethodID(jni, event_class, "commit", "()V")) != NULL;
}

lp_err
jvmti_waits_start(JNIEnv *jni, lp_problem *out_problem)
{
    LP_REQUIRE(waits_jvmti != NULL,
        lp_problem_set(out_problem, LP_EIO, "this JVM does not report lock waits"));
    if (!find_all(jni)) {
        (*jni)->ExceptionClear(jni);
        return lp_problem_set(out_problem, LP_EIO,
            "lock waits of virtual threads are not recorded: this JDK's JFR is unknown");
    }
    return LP_OK;
}

// Returns JFR's time; 0 if the stack is too small for the call.
static jlong
now_ticks(JNIEnv *jni)
{
    jlong ticks = (*jni)->CallStaticLongMethod(jni, jfr_class, counter_time);
    if ((*jni)->ExceptionCheck(jni)) { // the application must not get it
        (*jni)->ExceptionClear(jni);
        return 0;
    }
    return ticks;
}

void
jvmti_waits_enable(JNIEnv *jni, bool is_on)
{
    atomic_store(&enabled_since, now_ticks(jni));
    const jvmtiEvent events[] = {
        JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED};
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        // It cannot fail with this capability.
        (void)(*waits_jvmti)
            ->SetEventNotificationMode(
                waits_jvmti, is_on ? JVMTI_ENABLE : JVMTI_DISABLE, events[i], NULL);
    }
}

static void *
get_storage(jvmtiEnv *jvmti)
{
    void *storage = NULL;
    return (*jvmti)->GetThreadLocalStorage(jvmti, NULL, &storage) == JVMTI_ERROR_NONE ? storage
                                                                                      : NULL;
}

void JNICALL
jvmti_waits_on_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor)
{
    (void)monitor;
    if (!(*jni)->IsInstanceOf(jni, thread, virtual_class) || get_storage(jvmti) == RECORDING) {
        return;
    }
    last_enter.start_ticks = now_ticks(jni);
    last_enter.frame = (uintptr_t)__builtin_frame_address(0);
    // Without memory or without a time, this wait is not recorded.
    (void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, (void *)(uintptr_t)last_enter.start_ticks);
}

// Returns whether a method keeps a virtual thread from unmounting while it runs: a native method,
// or a class initialiser, which the JVM calls. Both stay at their place on the carrier's stack.
// Continuation.enterSpecial is the bottom of every virtual thread's stack. A name costs memory, and
// this thread holds the application's monitor: so most methods are decided without their names.
static bool
holds_carrier(jvmtiEnv *jvmti, jmethodID method)
{
    char *name = NULL;
    jint modifiers = 0;
    if ((*jvmti)->GetMethodModifiers(jvmti, method, &modifiers) != JVMTI_ERROR_NONE ||
        (modifiers & (ACC_NATIVE | ACC_STATIC)) == 0 ||
        (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE) {
        return false; // neither, or its class was unloaded
    }
    bool is_native = (modifiers & ACC_NATIVE) != 0;
    bool is_holding = is_native ? strcmp(name, "enterSpecial") != 0 : strcmp(name, "<clinit>") == 0;
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return is_holding;
}

// Returns whether the current thread, which has waited since start_ticks, could not unmount. JFR
// has recorded such a wait itself. Such a thread resumes at the same place of the same stack, so
// the stacks of other threads are not searched.
static bool
is_pinned(jvmtiEnv *jvmti, jlong start_ticks)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t distance =
        frame < last_enter.frame ? last_enter.frame - frame : frame - last_enter.frame;
    if (last_enter.start_ticks != start_ticks || distance > SAME_FRAME_BYTES) {
        return false;
    }
    jvmtiFrameInfo frames[FRAMES_MAX];
    jint count = 0;
    bool is_held = false;
    for (jint from = 0; from < DEPTH_MAX && !is_held; from += count) {
        if ((*jvmti)->GetStackTrace(jvmti, NULL, from, FRAMES_MAX, frames, &count) !=
                JVMTI_ERROR_NONE ||
            count == 0) {
            break;
        }
        for (jint i = 0; i < count && !is_held; i++) {
            is_held = holds_carrier(jvmti, frames[i].method);
        }
    }
    return is_held;
}

// Commits the event, without a frame of Loupe's on the stack.
static void
record(JNIEnv *jni, jlong start_ticks, jobject monitor)
{
    jobject event = (*jni)->AllocObject(jni, event_class);
    if (event != NULL) {
        (*jni)->SetLongField(jni, event, event_start, start_ticks);
        (*jni)->SetObjectField(
            jni, event, event_monitor_class, (*jni)->GetObjectClass(jni, monitor));
        (*jni)->CallVoidMethod(jni, event, event_commit);
    }
    (*jni)->ExceptionClear(jni); // without memory or stack this wait is not recorded
}

void JNICALL
jvmti_waits_on_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject monitor)
{
    if (!(*jni)->IsInstanceOf(jni, thread, virtual_class)) {
        return;
    }
    void *storage = get_storage(jvmti);
    if (storage == NULL || storage == RECORDING) { // the event may come twice
        return;
    }
    (void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, RECORDING);
    jlong start_ticks = (jlong)(uintptr_t)storage;
    if (start_ticks >= atomic_load(&enabled_since) && !is_pinned(jvmti, start_ticks)) {
        record(jni, start_ticks, monitor);
    }
    (void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, NULL);
}
