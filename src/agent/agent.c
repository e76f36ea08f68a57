// SPDX-License-Identifier: Apache-2.0
// The functions that the JVM calls: they load, wire up, start and end the agent.
//
// If the start fails, the agent logs one line and does nothing more: the JVM runs as if it were not
// there. Once the agent runs, it frees nothing before the JVM ends.
//
// Tests:   tests/agent/rings.py, tests/e2e/attach.py, tests/e2e/copies.py

#include "agent/agent_claim.h"
#include "agent/agent_fuse.h"
#include "agent/agent_options.h"
#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_recordings.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"
#include "agent/jvmti/jvmti_carry.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/jvmti/jvmti_events.h"
#include "agent/jvmti/jvmti_java.h"
#include "agent/jvmti/jvmti_waits.h"
#include "agent/ship/dial/ship_names.h"
#include "agent/ship/ship.h"
#include "common/base/lp_log.h"

#include <stdbool.h>

// The classes of loupe.jar (CMakeLists.txt), as jvmti_classes.h has them.
extern const unsigned char boot_classes[];
extern const size_t boot_classes_bytes;
// The helper classes of rewritten classes (jvmti_classes.h), in the same form.
extern const unsigned char task_classes[];
extern const size_t task_classes_bytes;

enum { FINISH_WAIT_MS = 5000 }; // the end of the JVM waits for the collector, see ship.h

// A JVM has one agent: the copy of this library that holds the claim.
static struct agent {
    agent_options options;
    jvmtiEnv *jvmti;
    bool lacks_classes; // the JVM rejected one of the Java classes at its start
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    ship *ship;
} agent;

// Keeps the objects that a failed start has left.
static lp_err
create_contexts(lp_problem *out_problem)
{
    agent.registry = agent.registry == NULL ? ctx_registry_create() : agent.registry;
    agent.recordings = agent.recordings == NULL ? ctx_recordings_create() : agent.recordings;
    agent.filters = agent.filters == NULL ? ctx_filters_create() : agent.filters;
    bool has_all = agent.registry != NULL && agent.recordings != NULL && agent.filters != NULL;
    lp_err err = !has_all              ? LP_ENOMEM
                 : agent.rings == NULL ? ctx_rings_create(&agent.rings)
                                       : LP_OK;
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "no memory for the context rings (%s)", lp_err_text(err)));
    return LP_OK;
}

_Static_assert((int)AGENT_COLLECTORS_MAX == (int)SHIP_NAMES_MAX, "all of them are dialled");

static lp_err
define_classes(JNIEnv *jni, lp_problem *out_problem)
{
    const lp_slice classes = {boot_classes, boot_classes_bytes};
    return jvmti_classes_define(jni, classes, out_problem);
}

static lp_err
start_ship(const jvmti_java_info *info, lp_problem *out_problem)
{
    const agent_options *options = &agent.options;
    const ship_tls tls = {
        .ca = options->ca,
        .cert = options->cert[0] == '\0' ? NULL : options->cert,
        .key = options->key[0] == '\0' ? NULL : options->key,
    };
    const char *collectors[AGENT_COLLECTORS_MAX];
    for (size_t i = 0; i < options->collector_count; i++) {
        collectors[i] = options->collectors[i];
    }
    const ship_config config = {
        .collectors = collectors,
        .collector_count = options->collector_count,
        .tls = ship_tls_is_url(options->collectors[0]) ? &tls : NULL,
        .service = agent.options.service,
        .instance = agent.options.instance,
        .version = options->version[0] == '\0' ? info->version : options->version,
        .token = agent.options.token,
        .jvm_name = info->jvm_name,
        .jvm_version = info->jvm_version,
        .repository = info->repository,
        .rings = agent.rings,
        .registry = agent.registry,
        .recordings = agent.recordings,
        .filters = agent.filters,
        .own_policy = info->own_policy,
    };
    return ship_start(&config, &agent.ship, out_problem);
}

static lp_err
enable_events(const jvmtiEvent *events, size_t count, lp_problem *out_problem)
{
    for (size_t i = 0; i < count; i++) {
        if ((*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, events[i], NULL) !=
            JVMTI_ERROR_NONE) {
            return lp_problem_set(
                out_problem, LP_EIO, "the JVM does not enable the events that the agent needs");
        }
    }
    return LP_OK;
}

// The steps after the recording has started.
static lp_err
start_rest(JNIEnv *jni, const jvmti_java_info *info, lp_problem *out_problem)
{
    const jvmtiEvent events[] = {JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH};
    jvmti_events_open((lp_slice){task_classes, task_classes_bytes});
    lp_err err = start_ship(info, out_problem);
    LP_THEN(err, enable_events(events, sizeof(events) / sizeof(events[0]), out_problem));
    LP_THEN(err, jvmti_java_activate(agent.jvmti, jni, out_problem));
    if (err == LP_OK && agent.options.propagation != AGENT_PROPAGATE_OFF) {
        jvmti_carry_start(agent.jvmti, jni, (lp_slice){task_classes, task_classes_bytes},
            agent.options.propagation == AGENT_PROPAGATE_THREADS);
    }
    return err;
}

// Starts everything. When it returns, contexts and the recording are live.
static lp_err
start(JNIEnv *jni, lp_problem *out_problem)
{
    lp_err err = jvmti_java_check(agent.jvmti, jni, out_problem);
    LP_THEN(err, define_classes(jni, out_problem));
    if (err == LP_OK) {
        jvmti_classes_settle(agent.jvmti, jni);
        err = create_contexts(out_problem);
    }
    LP_REQUIRE(err == LP_OK, err);
    const jvmti_java_config config = {
        .natives =
            {
                .rings = agent.rings,
                .registry = agent.registry,
                .recordings = agent.recordings,
                .filters = agent.filters,
                .ship = &agent.ship,
            },
        .policy = agent.options.policy,
        .denied = agent.options.denied,
        .has_all_fields = agent.options.has_all_fields,
        .segment_s = agent.options.segment_s,
    };
    jvmti_java_info info;
    LP_TRY(jvmti_java_start(agent.jvmti, jni, &config, &info, out_problem));
    err = start_rest(jni, &info, out_problem);
    if (err != LP_OK) {
        jvmti_java_stop(jni);
    }
    jvmti_java_info_fini(&info);
    return err;
}

// Logs why there is no agent. Releases the claim, so that the agent can be loaded again with other
// options, unless one of its threads runs.
static void
give_up(const lp_problem *problem)
{
    lp_log(LP_LOG_ERROR, "%s; this agent does nothing", problem->text);
    if (agent.ship == NULL) {
        agent_claim_release();
    }
}

// Defines the Java classes before the first premain of other agents, which may use them: the JVM
// sends VMInit to agents in the order of the command line. In a Java runtime without JFR it defines
// nothing, and start reports why.
static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    jclass recorder = jvmti_classes_find(jni, "jdk.jfr.FlightRecorder");
    (*jni)->ExceptionClear(jni);
    if (recorder == NULL) {
        return;
    }
    (*jni)->DeleteLocalRef(jni, recorder);
    lp_problem problem;
    if (define_classes(jni, &problem) != LP_OK) {
        agent.lacks_classes = true;
        give_up(&problem);
    }
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    lp_problem problem;
    if (!agent.lacks_classes && start(jni, &problem) != LP_OK) {
        give_up(&problem);
    }
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    jvmti_java_on_thread_end(jni);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    ship_finish(agent.ship, FINISH_WAIT_MS);
}

static lp_err
open_env(JavaVM *vm, lp_problem *out_problem)
{
    static const jvmtiEventCallbacks callbacks = {
        .VMStart = on_vm_start,
        .VMInit = on_vm_init,
        .VMDeath = on_vm_death,
        .ThreadStart = jvmti_carry_on_thread,
        .ThreadEnd = on_thread_end,
        .ClassFileLoadHook = jvmti_carry_on_class,
        .MonitorContendedEnter = jvmti_waits_on_enter,
        .MonitorContendedEntered = jvmti_waits_on_entered,
    };
    jvmtiEnv *jvmti;
    LP_TRY(jvmti_env_open(vm, &jvmti, out_problem));
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof(callbacks)) != JVMTI_ERROR_NONE) {
        (void)(*jvmti)->DisposeEnvironment(jvmti);
        return lp_problem_set(out_problem, LP_EIO, "the JVM rejects the agent's callbacks");
    }
    agent.jvmti = jvmti;
    jvmti_waits_open(jvmti, jvmti_env_get_java(jvmti));
    if (agent.options.propagation != AGENT_PROPAGATE_OFF) {
        jvmti_carry_open(jvmti, jvmti_env_get_java(jvmti));
    }
    return LP_OK;
}

// The steps before the JVM runs Java code.
static lp_err
load(JavaVM *vm, const char *text, lp_problem *out_problem)
{
    lp_log_init("loupe-agent", LP_LOG_INFO);
    agent_fuse_init();
    LP_TRY(agent_options_parse(text, &agent.options, out_problem));
    lp_log_init("loupe-agent", agent.options.log_level);
    if (agent_options_show_token(&agent.options)) {
        lp_log(LP_LOG_WARN,
            "the option token contains the token itself, which the process list and the recording "
            "(jvmArguments of jdk.JVMInformation) show: use token=@FILE");
    }
    return agent.jvmti == NULL ? open_env(vm, out_problem) : LP_OK;
}

// Makes the JVM call on_vm_start and on_vm_init.
static lp_err
load_at_start(JavaVM *vm, const char *text, lp_problem *out_problem)
{
    lp_err err = load(vm, text, out_problem);
    const jvmtiEvent events[] = {JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT};
    return err == LP_OK ? enable_events(events, sizeof(events) / sizeof(events[0]), out_problem)
                        : err;
}

static lp_err
load_and_start(JavaVM *vm, const char *text, lp_problem *out_problem)
{
    JNIEnv *jni = NULL;
    lp_err err = load(vm, text, out_problem);
    if (err == LP_OK && (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_10) != JNI_OK) {
        err = lp_problem_set(out_problem, LP_EIO, "this thread is not one of the JVM's");
    }
    return err == LP_OK ? start(jni, out_problem) : err;
}

// Rejects a second agent in the same JVM, also one from another file.
static void
load_once(JavaVM *vm, const char *text, lp_err (*load_it)(JavaVM *, const char *, lp_problem *))
{
    const char *holder = agent_claim_take();
    const char *own = agent_claim_get_name();
    if (holder != NULL) {
        if (holder != own) { // this copy has not logged yet
            lp_log_init("loupe-agent", LP_LOG_INFO);
        }
        lp_log(
            LP_LOG_ERROR, "the agent is there already: %s; this one does nothing: %s", holder, own);
        return;
    }
    lp_problem problem;
    if (load_it(vm, text, &problem) != LP_OK) {
        give_up(&problem);
    }
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *text, void *reserved)
{
    (void)reserved;
    load_once(vm, text, load_at_start);
    return JNI_OK; // anything else would end the JVM
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    (void)reserved;
    load_once(vm, text, load_and_start);
    // Anything else makes the JVM unload this library, whose threads may run by then; and JDK 25
    // reads freed memory when it records that (jdk.NativeLibraryUnload).
    return JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    // on_vm_death has ended the agent; threads that still run use the memory.
    (void)vm;
}
