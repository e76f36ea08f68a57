// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_waits.h"

#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

// The storage of a virtual thread that is not waiting is NULL, that of one that waits has JFR's
// time when it began to. RECORDING: the agent is committing an event. Monitors that JFR waits for
// meanwhile are ignored.
#define RECORDING ((void *)(uintptr_t)1)

// The callbacks for one wait of a thread that stays are called from one function of the JVM's.
enum { SAME_FRAME_BYTES = 4096 };

enum {
    FRAMES_MAX = 64,   // that the JVM is asked for at a time
    DEPTH_MAX = 2048,  // frames that are looked at; what is below holds no carrier
    ACC_STATIC = 0x8,  // of the JVM specification
    ACC_NATIVE = 0x100 // of the JVM specification
};

_Static_assert(sizeof(void *) >= sizeof(jlong), "a pointer holds JFR's time");

static jvmtiEnv *waits_jvmti; // written by open; NULL: the JVM has no events of lock waits

// Written by start, before the events are enabled.
static jclass virtual_class;
static jclass jfr_class;
static jmethodID counter_time; // of jfr_class
static jclass event_class;
static jfieldID event_start; // JFR adds it to every event class
static jfieldID event_monitor_class;
static jmethodID event_commit;

// Waits that began before this tick are ignored: their Enter may not have been reported.
static _Atomic jlong enabled_since; // pairs with itself: any order will do

// Stack address and time of this carrier's last Enter callback: see is_pinned.
static _Thread_local struct {
    jlong start_ticks;
    uintptr_t frame;
} last_enter;

// A capability that JDK 17's header has no name for is the bit behind this one.
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
        return; // JFR records them itself
    }
    const jvmtiCapabilities needed = needed_capabilities();
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &needed);
    if (error != JVMTI_ERROR_NONE) {
        lp_log(LP_LOG_WARN,
            "lock waits of virtual threads are not recorded: the JVM does not tell them "
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

// find_class finds a class that is never unloaded, once.
static bool
find_class(JNIEnv *jni, const char *name, jclass *klass)
{
    if (*klass == NULL) {
        jclass local = (*jni)->FindClass(jni, name);
        *klass = local == NULL ? NULL : (*jni)->NewGlobalRef(jni, local);
    }
    return *klass != NULL;
}

// Each call needs what those before it gave.
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
    if (waits_jvmti == NULL) {
        return lp_problem_set(out_problem, LP_EIO, "this JVM does not tell of lock waits");
    }
    if (!find_all(jni)) {
        (*jni)->ExceptionClear(jni);
        return lp_problem_set(out_problem, LP_EIO,
            "lock waits of virtual threads are not recorded: this JDK's JFR is unknown");
    }
    return LP_OK;
}

// now_ticks returns JFR's time; 0 where the stack has no room to ask for it.
static jlong
now_ticks(JNIEnv *jni)
{
    jlong ticks = (*jni)->CallStaticLongMethod(jni, jfr_class, counter_time);
    if ((*jni)->ExceptionCheck(jni)) { // or the application would get it
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
        // With the capability that was given it does not fail.
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
    // Where there is no memory for it or no time, this wait is not recorded.
    (void)(*jvmti)->SetThreadLocalStorage(jvmti, NULL, (void *)(uintptr_t)last_enter.start_ticks);
}

// holds_carrier returns whether a method keeps a virtual thread from unmounting while it runs: one
// that is native, or that initialises a class, which the JVM calls. Both stay where they are on the
// stack of the carrier. Continuation.enterSpecial is the bottom of the stack of every virtual
// thread. A name costs memory, and this thread has the application's monitor: so most methods are
// not asked for theirs.
static bool
holds_carrier(jvmtiEnv *jvmti, jmethodID method)
{
    char *name = NULL;
    jint modifiers = 0;
    if ((*jvmti)->GetMethodModifiers(jvmti, method, &modifiers) != JVMTI_ERROR_NONE ||
        (modifiers & (ACC_NATIVE | ACC_STATIC)) == 0 ||
        (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE) {
        return false; // neither, or of a class that was unloaded
    }
    bool is_native = (modifiers & ACC_NATIVE) != 0;
    bool is_holding = is_native ? strcmp(name, "enterSpecial") != 0 : strcmp(name, "<clinit>") == 0;
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return is_holding;
}

// is_pinned returns whether the current thread, which waited since start_ticks, could not unmount.
// JFR has recorded that wait itself. Such a thread comes back to where it was on the same stack, so
// that others are not looked at.
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

// record commits the event, without a frame of Loupe's on the stack.
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
    (*jni)->ExceptionClear(jni); // no memory or stack: then this one is not recorded
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
