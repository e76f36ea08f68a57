// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_java.h"

#include "agent/agent_fuse.h"
#include "agent/context/ctx_layout.h"
#include "agent/jvmti/jvmti_classes.h"
#include "agent/jvmti/jvmti_env.h"
#include "agent/jvmti/jvmti_events.h"
#include "agent/jvmti/jvmti_setting.h"
#include "agent/jvmti/jvmti_waits.h"
#include "common/base/lp_log.h"
#include "common/context/ctx_type.h"
#include "policy/policy_jvm.h"
#include "policy/policy_value.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE_TEXTS = 3,        // name, label and description, of a type or an attribute
    FILTER_TEXTS = 2,      // an event type and its terms, of each rule
    SETTING_TEXTS = 3,     // an event type or pattern, setting and value
    START_TEXTS = 4,       // that AgentMain.start returns when all is well
    AGENT_COPIES_MAX = 64, // of the API that an application has loaded by itself
    PACKED_ENTRY_BYTES = 2 * (sizeof(int32_t) + 1), // at least, of an entry of a packed map
    ENTRIES_HERE = 128, // of a map that needs no memory of its own on its way in
};

static const double NS_PER_S = 1e9;

// What the natives and events below need; written once, before any of them can be called.
static ctx_registry *java_registry;
static ctx_rings *java_rings;
static ctx_recordings *java_recordings;
static ctx_filters *java_filters;
static void (*java_on_repository)(const char *directory);
static void (*java_on_restart)(void);
static void (*java_on_full_ring)(void);
static bool (*java_is_chunk_full)(void);
static bool (*java_take_policy)(ship_policy *out_policy);
static bool (*java_on_own_policy)(int64_t from_wall_ns, const char *text);
static void (*java_watch_events)(const uint64_t *types, size_t count);
static tail_events_counts (*java_count_events)(void);
static ship_policy next_policy; // taken, and not given to Java yet, where has_next_policy
static bool has_next_policy;
static jclass rings_class;
static jmethodID end_current_thread;

// The packages of the JDK that the Java classes use although they are not public.
static const jvmti_env_package packages[] = {
    {"jdk/internal/misc", "java.base"},
    {"jdk/internal/vm", "java.base"},
    {"jdk/jfr/internal", "jdk.jfr"},
};

// copy_bytes makes a string of a byte[]; NULL if memory ran out.
static char *
copy_bytes(JNIEnv *jni, jbyteArray bytes)
{
    jsize len = (*jni)->GetArrayLength(jni, bytes);
    char *text = malloc((size_t)len + 1);
    if (text != NULL) {
        (*jni)->GetByteArrayRegion(jni, bytes, 0, len, (jbyte *)text);
        text[len] = '\0';
    }
    return text;
}

// throw_no_memory throws an OutOfMemoryError: Java tries again later.
static void
throw_no_memory(JNIEnv *jni, const char *what)
{
    jclass error = (*jni)->FindClass(jni, "java/lang/OutOfMemoryError");
    if (error != NULL) { // else FindClass has thrown
        (void)(*jni)->ThrowNew(jni, error, what);
    }
}

static char *
copy_element(JNIEnv *jni, jobjectArray texts, jsize index)
{
    jbyteArray bytes = (*jni)->GetObjectArrayElement(jni, texts, index);
    char *text = bytes == NULL ? NULL : copy_bytes(jni, bytes);
    (*jni)->DeleteLocalRef(jni, bytes);
    return text;
}

static jint
add_type(ctx_type *type)
{
    bool is_complete = type->name != NULL && type->label != NULL && type->description != NULL;
    for (size_t i = 0; i < type->attribute_count; i++) {
        const ctx_attribute *attribute = &type->attributes[i];
        is_complete = is_complete && attribute->name != NULL && attribute->label != NULL &&
                      attribute->description != NULL;
    }
    uint16_t id = 0;
    lp_err err = is_complete ? ctx_registry_add(java_registry, type, &id) : LP_ENOMEM;
    return err == LP_OK ? (jint)id : err == LP_ELIMIT ? 0 : -1;
}

// Native.registerType
static jint
native_register_type(JNIEnv *jni, jclass klass, jobjectArray texts, jintArray kinds, jint completes,
    jboolean is_root)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return -1;
    }
    jsize count = (*jni)->GetArrayLength(jni, kinds);
    if (count > CTX_TYPE_ATTRIBUTES_MAX) {
        return 0;
    }
    jint values[CTX_TYPE_ATTRIBUTES_MAX] = {0};
    (*jni)->GetIntArrayRegion(jni, kinds, 0, count, values);
    ctx_type type = {
        .name = copy_element(jni, texts, 0),
        .label = copy_element(jni, texts, 1),
        .description = copy_element(jni, texts, 2),
        .is_root = is_root != JNI_FALSE,
        .completes = (uint16_t)completes,
        .attribute_count = (size_t)count,
    };
    for (jsize i = 0; i < count; i++) {
        type.attributes[i] = (ctx_attribute){
            .kind = (ctx_kind)(values[i] & ~CTX_LAYOUT_ROOT_KEY),
            .name = copy_element(jni, texts, (i + 1) * TYPE_TEXTS),
            .label = copy_element(jni, texts, (i + 1) * TYPE_TEXTS + 1),
            .description = copy_element(jni, texts, (i + 1) * TYPE_TEXTS + 2),
            .is_root_key = (values[i] & CTX_LAYOUT_ROOT_KEY) != 0,
        };
    }
    jint id = add_type(&type);
    ctx_type_fini(&type);
    return id;
}

// Native.attributesLeft
static jint
native_attributes_left(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return 0;
    }
    return (jint)ctx_registry_get_left(java_registry);
}

// Native.registerRecordingType
static jint
native_register_recording_type(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return -1;
    }
    static char name[] = "loupe.RecordingContext";
    static char label[] = "Recording Context";
    static char map[] = "recording";
    static char request[] = CTX_ROOT_API;
    static char none[] = "";
    ctx_type type = {
        .name = name,
        .label = label,
        .description = none,
        .is_recording = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, map, none, none, false}, {CTX_LONG, request, none, none, false}},
    };
    return add_type(&type);
}

// Native.registerHandOverType
static jint
native_register_hand_over_type(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return -1;
    }
    static char name[] = "loupe.HandOver";
    static char label[] = "Hand-over";
    static char thread[] = "thread";
    static char ticks[] = "ticks";
    static char none[] = "";
    ctx_type type = {
        .name = name,
        .label = label,
        .description = none,
        .is_hand_over = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, thread, none, none, false}, {CTX_LONG, ticks, none, none, false}},
    };
    return add_type(&type);
}

// take_text takes the next text of a packed map, which is followed by a 0. False: it is NULL.
static bool
take_text(const uint8_t **at, lp_slice *out_text)
{
    int32_t size;
    memcpy(&size, *at, sizeof(size));
    size_t len = size < 0 ? 0 : (size_t)size;
    *out_text = (lp_slice){*at + sizeof(size), len};
    *at += sizeof(size) + len + 1;
    return size >= 0;
}

// add_recording adds the map that is packed in size bytes behind room for its entries. 0: it is not
// recorded.
static uint64_t
add_recording(ctx_entry *entries, const uint8_t *packed, size_t size)
{
    ctx_recording map = {.entries = entries};
    for (const uint8_t *at = packed; at < packed + size; map.entry_count++) {
        ctx_entry *entry = &entries[map.entry_count];
        lp_slice key;
        (void)take_text(&at, &key);
        entry->key = (const char *)key.ptr;
        entry->is_null = !take_text(&at, &entry->value);
    }
    uint64_t id;
    return ctx_recordings_add(java_recordings, &map, &id) == LP_OK ? id : 0;
}

// Native.addRecording
static jlong
native_add_recording(JNIEnv *jni, jclass klass, jbyteArray packed)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return 0;
    }
    size_t size = (size_t)(*jni)->GetArrayLength(jni, packed);
    size_t count_max = size / PACKED_ENTRY_BYTES;
    ctx_entry here[ENTRIES_HERE]; // and the bytes behind them, where there is room
    size_t bytes = count_max * sizeof(ctx_entry) + size;
    ctx_entry *entries = bytes <= sizeof(here) ? here : malloc(bytes);
    if (entries == NULL) {
        ctx_recordings_count_refused(java_recordings);
        return 0;
    }
    uint8_t *copy = (uint8_t *)(entries + count_max);
    (*jni)->GetByteArrayRegion(jni, packed, 0, (jsize)size, (jbyte *)copy);
    uint64_t id = add_recording(entries, copy, size);
    if (entries != here) {
        free(entries);
    }
    return (jlong)id;
}

// Native.releaseRecording
static void
native_release_recording(JNIEnv *jni, jclass klass, jlong id)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    ctx_recordings_release(java_recordings, (uint64_t)id);
}

// Native.countMisclosed
static void
native_count_misclosed(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    ctx_recordings_count_misclosed(java_recordings);
}

// Native.setFilter
static void
native_set_filter(JNIEnv *jni, jclass klass, jlong ticks, jobjectArray texts)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    size_t count = (size_t)(*jni)->GetArrayLength(jni, texts) / FILTER_TEXTS;
    ctx_filter_rule *rules = calloc(count + 1, sizeof(*rules));
    bool is_complete = rules != NULL;
    for (size_t i = 0; i < count && rules != NULL; i++) {
        rules[i].type = copy_element(jni, texts, (jsize)i * FILTER_TEXTS);
        rules[i].terms = copy_element(jni, texts, (jsize)i * FILTER_TEXTS + 1);
        is_complete = is_complete && rules[i].type != NULL && rules[i].terms != NULL;
    }
    // Without memory for it there is none: better that than the one before.
    const ctx_filter filter = {
        .begin_ticks = ticks, .rule_count = is_complete ? count : 0, .rules = rules};
    ctx_filters_set(java_filters, &filter);
    for (size_t i = 0; i < count && rules != NULL; i++) {
        free((char *)(uintptr_t)rules[i].type);
        free((char *)(uintptr_t)rules[i].terms);
    }
    free(rules);
}

// Native.log
static void
native_log(JNIEnv *jni, jclass klass, jint level, jbyteArray bytes)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    char *text = copy_bytes(jni, bytes);
    if (text != NULL) {
        lp_log((lp_log_level)level, "%s", text);
    }
    free(text);
}

// Native.moveRepository
static void
native_move_repository(JNIEnv *jni, jclass klass, jbyteArray bytes)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    char *directory = copy_bytes(jni, bytes);
    if (directory != NULL) {
        java_on_repository(directory);
    }
    free(directory);
}

// Native.countRestart
static void
native_count_restart(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    java_on_restart();
}

// Native.drainSoon
static void
native_drain_soon(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    java_on_full_ring();
}

// Native.isChunkFull
static jboolean
native_is_chunk_full(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    return !agent_fuse_is_blown() && java_is_chunk_full();
}

// add_text puts text at index of a byte[][]. False if memory ran out.
static bool
add_text(JNIEnv *jni, jobjectArray array, jsize index, const char *text)
{
    jsize len = (jsize)strlen(text);
    jbyteArray bytes = (*jni)->NewByteArray(jni, len);
    if (bytes == NULL) {
        return false;
    }
    (*jni)->SetByteArrayRegion(jni, bytes, 0, len, (const jbyte *)text);
    (*jni)->SetObjectArrayElement(jni, array, index, bytes);
    (*jni)->DeleteLocalRef(jni, bytes);
    return true;
}

// add_setting puts the three texts of a setting at index of a byte[][]. False if memory ran out.
static bool
add_setting(JNIEnv *jni, jobjectArray array, jsize index, const policy_jvm_setting *setting)
{
    return add_text(jni, array, index, setting->event) &&
           add_text(jni, array, index + 1, setting->setting) &&
           add_text(jni, array, index + 2, setting->value);
}

// make_policy returns the result of Native.takePolicy; NULL if memory ran out.
static jobjectArray
make_policy(JNIEnv *jni, const ship_policy *from)
{
    const Loupe__Wire__JvmPolicy *settings = from->settings;
    size_t count = settings == NULL ? 0 : settings->n_settings;
    jsize length = settings == NULL ? 0 : 1 + (jsize)count * SETTING_TEXTS;
    jclass bytes_class = (*jni)->FindClass(jni, "[B");
    jobjectArray array =
        bytes_class == NULL ? NULL : (*jni)->NewObjectArray(jni, length, bytes_class, NULL);
    char id[20];
    (void)snprintf(id, sizeof(id), "%016" PRIx64, from->id);
    bool is_complete = array != NULL && (length == 0 || add_text(jni, array, 0, id));
    for (size_t i = 0; i < count && is_complete; i++) {
        const Loupe__Wire__JvmPolicy__Setting *setting = settings->settings[i];
        const policy_jvm_setting told = {setting->event, setting->setting, setting->value};
        is_complete = add_setting(jni, array, 1 + (jsize)i * SETTING_TEXTS, &told);
    }
    return is_complete ? array : NULL;
}

// Native.takePolicy
static jobjectArray
native_take_policy(JNIEnv *jni, jclass klass)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return NULL;
    }
    ship_policy newer;
    if (java_take_policy(&newer)) {
        ship_policy_fini(&next_policy);
        next_policy = newer;
        has_next_policy = true;
    }
    jobjectArray array = has_next_policy ? make_policy(jni, &next_policy) : NULL;
    if (array != NULL) { // else there is none, or Java throws an OutOfMemoryError and calls again
        ship_policy_fini(&next_policy);
        has_next_policy = false;
    }
    return array;
}

// take_lines adds to own the settings that Java has as texts. Errors: as policy_jvm_add
static lp_err
take_lines(JNIEnv *jni, jobjectArray texts, policy *own)
{
    lp_err err = LP_OK;
    jsize length = (*jni)->GetArrayLength(jni, texts);
    for (jsize i = 0; i + SETTING_TEXTS <= length && err == LP_OK; i += SETTING_TEXTS) {
        char *event = copy_element(jni, texts, i);
        char *setting = copy_element(jni, texts, i + 1);
        char *value = copy_element(jni, texts, i + 2);
        const policy_jvm_setting line = {event, setting, value};
        bool is_complete = event != NULL && setting != NULL && value != NULL;
        err = is_complete ? policy_jvm_add(own, &line) : LP_ENOMEM;
        free(event);
        free(setting);
        free(value);
    }
    return err;
}

// Native.listSettings
static jobjectArray
native_list_settings(JNIEnv *jni, jclass klass, jobjectArray texts)
{
    (void)klass;
    policy_jvm_settings list = {0};
    policy *own = policy_create();
    lp_err err = own == NULL ? LP_ENOMEM : take_lines(jni, texts, own);
    err = err == LP_OK ? policy_jvm_list(own, &list) : err;
    jsize length = (jsize)list.items.count * SETTING_TEXTS;
    jclass bytes_class = err == LP_OK ? (*jni)->FindClass(jni, "[B") : NULL;
    jobjectArray array =
        bytes_class == NULL ? NULL : (*jni)->NewObjectArray(jni, length, bytes_class, NULL);
    bool is_complete = array != NULL;
    for (size_t i = 0; i < list.items.count && is_complete; i++) {
        is_complete = add_setting(jni, array, (jsize)i * SETTING_TEXTS, &list.items.items[i]);
    }
    policy_jvm_fini(&list);
    policy_destroy(own);
    return is_complete ? array : NULL;
}

// Native.setOwnPolicy
static jboolean
native_set_own_policy(JNIEnv *jni, jclass klass, jlong from_wall_ns, jbyteArray bytes)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return JNI_TRUE; // nothing is sent any more
    }
    char *text = copy_bytes(jni, bytes);
    bool is_set = text != NULL && java_on_own_policy(from_wall_ns, text);
    free(text);
    return is_set;
}

// Native.watchEvents
static void
native_watch_events(JNIEnv *jni, jclass klass, jlongArray ids)
{
    (void)klass;
    jsize count = (*jni)->GetArrayLength(jni, ids);
    if (agent_fuse_is_blown() || count > TAIL_EVENTS_TYPES_MAX) {
        return;
    }
    uint64_t types[TAIL_EVENTS_TYPES_MAX] = {0};
    (*jni)->GetLongArrayRegion(jni, ids, 0, count, (jlong *)types);
    java_watch_events(types, (size_t)count);
}

// Native.countEvents
static void
native_count_events(JNIEnv *jni, jclass klass, jlongArray out)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    tail_events_counts counts = java_count_events();
    const jlong values[] = {
        (jlong)counts.events,
        counts.recorded_ns,
        counts.until_wall_ns,
    };
    (*jni)->SetLongArrayRegion(jni, out, 0, sizeof(values) / sizeof(values[0]), values);
}

// copy_value copies the value of a setting; NULL where it has thrown an OutOfMemoryError: the
// setting must not look as if it had no value.
static char *
copy_value(JNIEnv *jni, jbyteArray bytes)
{
    char *text = copy_bytes(jni, bytes);
    if (text == NULL) {
        throw_no_memory(jni, "a setting cannot be read yet");
    }
    return text;
}

// Native.parseRate
static jdouble
native_parse_rate(JNIEnv *jni, jclass klass, jbyteArray bytes)
{
    (void)klass;
    policy_throttle rate = {0};
    char *text = copy_value(jni, bytes);
    bool is_rate = text != NULL && policy_value_throttle(text, &rate) && rate.per_ns > 0;
    free(text);
    return is_rate ? (double)rate.count * NS_PER_S / (double)rate.per_ns : -1;
}

// Native.parseTimespan
static jlong
native_parse_timespan(JNIEnv *jni, jclass klass, jbyteArray bytes)
{
    (void)klass;
    int64_t duration_ns = 0;
    char *text = copy_value(jni, bytes);
    bool is_timespan = text != NULL && policy_value_timespan(text, &duration_ns);
    free(text);
    return is_timespan ? duration_ns : -1;
}

// Native.checkSetting
static void
native_check_setting(JNIEnv *jni, jclass klass, jobjectArray texts, jint kind)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return;
    }
    char *event = copy_element(jni, texts, 0);
    char *setting = copy_element(jni, texts, 1);
    char *value = copy_element(jni, texts, 2);
    if (event != NULL && setting != NULL && value != NULL) {
        jvmti_setting_check(event, setting, value, (jvmti_setting_kind)kind);
    }
    free(event);
    free(setting);
    free(value);
}

// Native.openThreads
static jlongArray
native_open_threads(JNIEnv *jni, jclass klass)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return NULL;
    }
    lp_buf threads = {0};
    jlongArray array = NULL;
    if (ctx_rings_list_open(java_rings, &threads) == LP_OK) {
        jsize count = (jsize)(threads.len / sizeof(jlong));
        array = (*jni)->NewLongArray(jni, count);
        if (array != NULL && count > 0) {
            (*jni)->SetLongArrayRegion(jni, array, 0, count, (const jlong *)(void *)threads.ptr);
        }
    }
    lp_buf_fini(&threads);
    return array;
}

// Native.hasLockWaits
static jboolean
native_has_lock_waits(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    return jvmti_waits_is_open();
}

// Native.startLockWaits
static jboolean
native_start_lock_waits(JNIEnv *jni, jclass klass)
{
    (void)klass;
    lp_problem problem;
    lp_err err = jvmti_waits_start(jni, &problem);
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "%s", problem.text);
    }
    return err == LP_OK;
}

// Native.enableLockWaits
static void
native_enable_lock_waits(JNIEnv *jni, jclass klass, jboolean is_on)
{
    (void)klass;
    jvmti_waits_enable(jni, is_on);
}

// Native.startEvents
static jboolean
native_start_events(JNIEnv *jni, jclass klass)
{
    (void)klass;
    lp_err err = agent_fuse_is_blown() ? LP_ENOENT : jvmti_events_start(jni);
    if (err == LP_ENOMEM) {
        throw_no_memory(jni, "event classes cannot be rewritten yet");
    }
    return err == LP_OK;
}

// Native.listEvents
static jobjectArray
native_list_events(JNIEnv *jni, jclass klass)
{
    (void)klass;
    return agent_fuse_is_blown() ? NULL : jvmti_events_list(jni);
}

// Native.rewriteEvent
static jbyteArray
native_rewrite_event(JNIEnv *jni, jclass klass, jbyteArray file)
{
    (void)klass;
    if (agent_fuse_is_blown()) {
        return NULL;
    }
    jsize size = (*jni)->GetArrayLength(jni, file);
    char *bytes = copy_bytes(jni, file);
    lp_buf rewritten = {0};
    jbyteArray array = NULL;
    if (bytes != NULL &&
        jvmti_events_rewrite((lp_slice){(uint8_t *)bytes, (size_t)size}, &rewritten) == LP_OK) {
        array = (*jni)->NewByteArray(jni, (jsize)rewritten.len);
    }
    if (array != NULL) {
        (*jni)->SetByteArrayRegion(
            jni, array, 0, (jsize)rewritten.len, (const jbyte *)rewritten.ptr);
    }
    lp_buf_fini(&rewritten);
    free(bytes);
    return array;
}

// Native.isOff
static jboolean
native_is_off(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    return agent_fuse_is_blown();
}

static const JNINativeMethod natives[] = {
    {(char *)(uintptr_t) "isOff", (char *)(uintptr_t) "()Z", (void *)native_is_off},
    {(char *)(uintptr_t) "registerType", (char *)(uintptr_t) "([[B[IIZ)I",
        (void *)native_register_type},
    {(char *)(uintptr_t) "attributesLeft", (char *)(uintptr_t) "()I",
        (void *)native_attributes_left},
    {(char *)(uintptr_t) "registerRecordingType", (char *)(uintptr_t) "()I",
        (void *)native_register_recording_type},
    {(char *)(uintptr_t) "registerHandOverType", (char *)(uintptr_t) "()I",
        (void *)native_register_hand_over_type},
    {(char *)(uintptr_t) "addRecording", (char *)(uintptr_t) "([B)J", (void *)native_add_recording},
    {(char *)(uintptr_t) "releaseRecording", (char *)(uintptr_t) "(J)V",
        (void *)native_release_recording},
    {(char *)(uintptr_t) "countMisclosed", (char *)(uintptr_t) "()V",
        (void *)native_count_misclosed},
    {(char *)(uintptr_t) "setFilter", (char *)(uintptr_t) "(J[[B)V", (void *)native_set_filter},
    {(char *)(uintptr_t) "moveRepository", (char *)(uintptr_t) "([B)V",
        (void *)native_move_repository},
    {(char *)(uintptr_t) "countRestart", (char *)(uintptr_t) "()V", (void *)native_count_restart},
    {(char *)(uintptr_t) "drainSoon", (char *)(uintptr_t) "()V", (void *)native_drain_soon},
    {(char *)(uintptr_t) "isChunkFull", (char *)(uintptr_t) "()Z", (void *)native_is_chunk_full},
    {(char *)(uintptr_t) "takePolicy", (char *)(uintptr_t) "()[[B", (void *)native_take_policy},
    {(char *)(uintptr_t) "listSettings", (char *)(uintptr_t) "([[B)[[B",
        (void *)native_list_settings},
    {(char *)(uintptr_t) "setOwnPolicy", (char *)(uintptr_t) "(J[B)Z",
        (void *)native_set_own_policy},
    {(char *)(uintptr_t) "watchEvents", (char *)(uintptr_t) "([J)V", (void *)native_watch_events},
    {(char *)(uintptr_t) "countEvents", (char *)(uintptr_t) "([J)V", (void *)native_count_events},
    {(char *)(uintptr_t) "parseRate", (char *)(uintptr_t) "([B)D", (void *)native_parse_rate},
    {(char *)(uintptr_t) "parseTimespan", (char *)(uintptr_t) "([B)J",
        (void *)native_parse_timespan},
    {(char *)(uintptr_t) "checkSetting", (char *)(uintptr_t) "([[BI)V",
        (void *)native_check_setting},
    {(char *)(uintptr_t) "openThreads", (char *)(uintptr_t) "()[J", (void *)native_open_threads},
    {(char *)(uintptr_t) "hasLockWaits", (char *)(uintptr_t) "()Z", (void *)native_has_lock_waits},
    {(char *)(uintptr_t) "startLockWaits", (char *)(uintptr_t) "()Z",
        (void *)native_start_lock_waits},
    {(char *)(uintptr_t) "enableLockWaits", (char *)(uintptr_t) "(Z)V",
        (void *)native_enable_lock_waits},
    {(char *)(uintptr_t) "startEvents", (char *)(uintptr_t) "()Z", (void *)native_start_events},
    {(char *)(uintptr_t) "listEvents", (char *)(uintptr_t) "()[Ljava/lang/Class;",
        (void *)native_list_events},
    {(char *)(uintptr_t) "rewriteEvent", (char *)(uintptr_t) "([B)[B",
        (void *)native_rewrite_event},
    {(char *)(uintptr_t) "log", (char *)(uintptr_t) "(I[B)V", (void *)native_log},
};

// A pending exception would hit the application: it is taken away, and what failed is known anyway.
static lp_err
fail_cleanly(JNIEnv *jni, lp_problem *out_problem, const char *what)
{
    (*jni)->ExceptionClear(jni);
    return lp_problem_set(out_problem, LP_EIO, "loupe.jar does not fit: %s", what);
}

// is_own_layout returns whether the text is that of our own numbers.
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

// check_layout compares the layout that the Java classes were compiled with.
static lp_err
check_layout(JNIEnv *jni, lp_problem *out_problem)
{
    jclass layout = jvmti_classes_find(jni, "dev.loupe.internal.ring.RingLayout");
    jfieldID all =
        layout == NULL ? NULL : (*jni)->GetStaticFieldID(jni, layout, "ALL", "Ljava/lang/String;");
    jstring text = all == NULL ? NULL : (*jni)->GetStaticObjectField(jni, layout, all);
    if (text == NULL || !is_own_layout(jni, text)) {
        return fail_cleanly(
            jni, out_problem, "the boot class path has one of another build than libloupe.so");
    }
    return LP_OK;
}

// hand_over hands the addresses of the rings to the Java side. It fails if another copy of the
// agent has done so: one that knows no claim (agent_claim.h), or one that gave up later.
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
    if (array != NULL) { // one of the values tells whose they are
        jlong controls = 0;
        (*jni)->GetLongArrayRegion(jni, array, 0, 1, &controls);
        if (controls != values[0]) {
            (*jni)->ExceptionClear(jni);
            return lp_problem_set(out_problem, LP_ECLOSED,
                "another copy of the agent has begun to use this JVM, and only that one can go on");
        }
        return LP_OK;
    }
    array = field == NULL ? NULL : (*jni)->NewLongArray(jni, count);
    if (array == NULL) {
        return fail_cleanly(jni, out_problem, "Handover");
    }
    (*jni)->SetLongArrayRegion(jni, array, 0, count, values);
    (*jni)->SetStaticObjectField(jni, handover, field, array);
    return LP_OK;
}

static lp_err
bind_natives(JNIEnv *jni, lp_problem *out_problem)
{
    jclass native = jvmti_classes_find(jni, "dev.loupe.internal.agent.Native");
    if (native == NULL || (*jni)->RegisterNatives(jni, native, natives,
                              sizeof(natives) / sizeof(natives[0])) != JNI_OK) {
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

// take_info reads the result of AgentMain.start.
static lp_err
take_info(JNIEnv *jni, jobjectArray texts, jvmti_java_info *out_info, lp_problem *out_problem)
{
    char *first = copy_element(jni, texts, 0);
    if ((*jni)->GetArrayLength(jni, texts) != START_TEXTS) {
        lp_err err = lp_problem_set(out_problem, LP_EIO, "%s", first == NULL ? "?" : first);
        free(first);
        return err;
    }
    jvmti_java_info info = {
        .repository = first,
        .jvm_name = copy_element(jni, texts, 1),
        .jvm_version = copy_element(jni, texts, 2),
        .own_policy = copy_element(jni, texts, 3),
    };
    if (info.repository == NULL || info.jvm_name == NULL || info.jvm_version == NULL ||
        info.own_policy == NULL) {
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
    if (denied == NULL) {
        return fail_cleanly(jni, out_problem, "AgentMain");
    }
    jobjectArray texts = (*jni)->CallStaticObjectMethod(jni, main, start, chosen, denied,
        (jboolean)config->has_all_fields, (jint)config->segment_s);
    if ((*jni)->ExceptionCheck(jni) || texts == NULL) {
        return fail_cleanly(jni, out_problem, "AgentMain.start");
    }
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
    java_registry = config->registry;
    java_rings = config->rings;
    java_recordings = config->recordings;
    java_filters = config->filters;
    java_on_repository = config->on_repository;
    java_on_restart = config->on_restart;
    java_on_full_ring = config->on_full_ring;
    java_is_chunk_full = config->is_chunk_full;
    java_take_policy = config->take_policy;
    java_on_own_policy = config->on_own_policy;
    java_watch_events = config->watch_events;
    java_count_events = config->count_events;
    jclass handover = jvmti_classes_find(jni, "dev.loupe.internal.agent.Handover");
    if (handover == NULL) {
        return fail_cleanly(jni, out_problem, "Handover");
    }
    lp_err err = check_layout(jni, out_problem);
    if (err == LP_OK) {
        err = hand_over(jni, handover, config->rings, out_problem);
    }
    for (size_t i = 0; err == LP_OK && i < sizeof(packages) / sizeof(packages[0]); i++) {
        err = jvmti_env_export(jvmti, jni, handover, &packages[i], out_problem);
    }
    if (err == LP_OK) {
        err = bind_natives(jni, out_problem);
    }
    if (err == LP_OK) {
        err = find_rings(jni, out_problem);
    }
    return err == LP_OK ? call_start(jni, config, out_info, out_problem) : err;
}

static bool
is_agent_class(jvmtiEnv *jvmti, jclass klass)
{
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool is_agent = strcmp(signature, "Ldev/loupe/internal/Agent;") == 0;
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return is_agent;
}

// find_agents returns an array of all copies of the class Agent: ours, and those that the
// application loaded before the agent came. NULL if that fails.
static jobjectArray
find_agents(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass agents[AGENT_COPIES_MAX];
    jsize count = 0;
    jint class_count = 0;
    jclass *classes = NULL;
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    // The application's loader takes its own copy from a class archive, though the boot loader has
    // the class. Asked for it now, that copy is there to be found.
    (*jni)->DeleteLocalRef(jni, (*jni)->FindClass(jni, "dev/loupe/internal/Agent"));
    (*jni)->ExceptionClear(jni);
    if (class_class == NULL ||
        (*jvmti)->GetLoadedClasses(jvmti, &class_count, &classes) != JVMTI_ERROR_NONE) {
        return NULL;
    }
    // That many local references are there; if it is too many to ask for, they still are.
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
    if (agents == NULL) {
        return fail_cleanly(jni, out_problem, "Agent");
    }
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
    (*jni)->ExceptionClear(jni); // of the stack being too small, say; the thread ends anyway
}

void
jvmti_java_info_fini(jvmti_java_info *info)
{
    free(info->repository);
    free(info->jvm_name);
    free(info->jvm_version);
    free(info->own_policy);
    memset(info, 0, sizeof(*info));
}
