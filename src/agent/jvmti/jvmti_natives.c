// SPDX-License-Identifier: Apache-2.0

#include "agent/jvmti/jvmti_natives.h"

#include "agent/context/ctx_layout.h"
#include "agent/jvmti/jvmti_events.h"
#include "agent/jvmti/jvmti_texts.h"
#include "agent/jvmti/jvmti_waits.h"
#include "common/base/lp_log.h"
#include "common/context/ctx_type.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TYPE_TEXTS = 3,   // name, label and description, of a type or an attribute
    FILTER_TEXTS = 2, // an event type and its terms, of each rule
    PACKED_ENTRY_BYTES = 2 * (sizeof(int32_t) + 1), // minimum of an entry of a packed map
    ENTRIES_HERE = 128,                             // of a map that needs no allocation
};

static jvmti_natives_config agent; // written before any of the methods can be called

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
    lp_err err = is_complete ? ctx_registry_add(agent.registry, type, &id) : LP_ENOMEM;
    return err == LP_OK ? (jint)id : err == LP_ELIMIT ? 0 : -1;
}

// Native.registerType
static jint
native_register_type(JNIEnv *jni, jclass klass, jobjectArray texts, jintArray kinds, jint completes,
    jboolean is_root)
{
    JVMTI_GUARD(-1);
    jsize count = (*jni)->GetArrayLength(jni, kinds);
    LP_REQUIRE(count <= CTX_TYPE_ATTRIBUTES_MAX, 0);
    jint values[CTX_TYPE_ATTRIBUTES_MAX] = {0};
    (*jni)->GetIntArrayRegion(jni, kinds, 0, count, values);
    ctx_type type = {
        .name = jvmti_texts_copy_element(jni, texts, 0),
        .label = jvmti_texts_copy_element(jni, texts, 1),
        .description = jvmti_texts_copy_element(jni, texts, 2),
        .is_root = is_root != JNI_FALSE,
        .completes = (uint16_t)completes,
        .attribute_count = (size_t)count,
    };
    for (jsize i = 0; i < count; i++) {
        type.attributes[i] = (ctx_attribute){
            .kind = (ctx_kind)(values[i] & ~CTX_LAYOUT_ROOT_KEY),
            .name = jvmti_texts_copy_element(jni, texts, (i + 1) * TYPE_TEXTS),
            .label = jvmti_texts_copy_element(jni, texts, (i + 1) * TYPE_TEXTS + 1),
            .description = jvmti_texts_copy_element(jni, texts, (i + 1) * TYPE_TEXTS + 2),
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
    JVMTI_GUARD(0);
    return (jint)ctx_registry_get_left(agent.registry);
}

// Adds a type of two numbers that have no labels.
static jint
add_pair(ctx_type type)
{
    static char none[] = "";
    type.description = none;
    type.attribute_count = 2;
    for (size_t i = 0; i < type.attribute_count; i++) {
        ctx_attribute *attribute = &type.attributes[i];
        *attribute = (ctx_attribute){CTX_LONG, attribute->name, none, none, false};
    }
    return add_type(&type);
}

// Native.registerRecordingType
static jint
native_register_recording_type(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD(-1);
    return add_pair((ctx_type){.name = (char[]){"loupe.RecordingContext"},
        .label = (char[]){"Recording Context"},
        .is_recording = true,
        .attributes = {{.name = (char[]){"recording"}}, {.name = (char[]){CTX_ROOT_API}}}});
}

// Native.registerHandOverType
static jint
native_register_hand_over_type(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD(-1);
    return add_pair((ctx_type){.name = (char[]){"loupe.HandOver"},
        .label = (char[]){"Hand-over"},
        .is_hand_over = true,
        .attributes = {{.name = (char[]){"thread"}}, {.name = (char[]){"ticks"}}}});
}

// Reads the next text of a packed map, which ends with a 0. Returns false if it is NULL.
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

// Adds the packed map and returns its id; 0 if it is not recorded. entries has room for all
// entries.
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
    return ctx_recordings_add(agent.recordings, &map, &id) == LP_OK ? id : 0;
}

// Native.addRecording
static jlong
native_add_recording(JNIEnv *jni, jclass klass, jbyteArray packed)
{
    JVMTI_GUARD(0);
    size_t size = (size_t)(*jni)->GetArrayLength(jni, packed);
    size_t count_max = size / PACKED_ENTRY_BYTES;
    ctx_entry here[ENTRIES_HERE]; // the entries, and the bytes behind them
    size_t bytes = count_max * sizeof(ctx_entry) + size;
    ctx_entry *entries = bytes <= sizeof(here) ? here : malloc(bytes);
    if (entries == NULL) {
        ctx_recordings_count_refused(agent.recordings);
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
    JVMTI_GUARD();
    ctx_recordings_release(agent.recordings, (uint64_t)id);
}

// Native.countMisclosed
static void
native_count_misclosed(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD();
    ctx_recordings_count_misclosed(agent.recordings);
}

// Native.setFilter
static void
native_set_filter(JNIEnv *jni, jclass klass, jlong ticks, jobjectArray texts)
{
    JVMTI_GUARD();
    size_t count = (size_t)(*jni)->GetArrayLength(jni, texts) / FILTER_TEXTS;
    ctx_filter_rule *rules = calloc(count + 1, sizeof(*rules));
    bool is_complete = rules != NULL;
    for (size_t i = 0; i < count && rules != NULL; i++) {
        rules[i].type = jvmti_texts_copy_element(jni, texts, (jsize)i * FILTER_TEXTS);
        rules[i].terms = jvmti_texts_copy_element(jni, texts, (jsize)i * FILTER_TEXTS + 1);
        is_complete = is_complete && rules[i].type != NULL && rules[i].terms != NULL;
    }
    // Without memory it sets an empty filter: that is safer than the previous one.
    const ctx_filter filter = {
        .begin_ticks = ticks, .rule_count = is_complete ? count : 0, .rules = rules};
    ctx_filters_set(agent.filters, &filter);
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
    JVMTI_GUARD();
    char *text = jvmti_texts_copy(jni, bytes);
    if (text != NULL) {
        lp_log((lp_log_level)level, "%s", text);
    }
    free(text);
}

// Native.moveRepository
static void
native_move_repository(JNIEnv *jni, jclass klass, jbyteArray bytes)
{
    JVMTI_GUARD();
    char *directory = jvmti_texts_copy(jni, bytes);
    if (directory != NULL) {
        ship_move(*agent.ship, directory);
    }
    free(directory);
}

// Native.countRestart
static void
native_count_restart(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD();
    ship_count_restart(*agent.ship);
}

// Native.drainSoon
static void
native_drain_soon(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD();
    ship_drain_soon(*agent.ship);
}

// Native.isChunkFull
static jboolean
native_is_chunk_full(JNIEnv *jni, jclass klass)
{
    (void)jni;
    (void)klass;
    return !agent_fuse_is_blown() && ship_is_chunk_full(*agent.ship);
}

// Native.openThreads
static jlongArray
native_open_threads(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD(NULL);
    lp_buf threads = {0};
    jlongArray array = NULL;
    if (ctx_rings_list_open(agent.rings, &threads) == LP_OK) {
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
        jvmti_texts_throw_no_memory(jni, "event classes cannot be rewritten yet");
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
    JVMTI_GUARD(NULL);
    jsize size = (*jni)->GetArrayLength(jni, file);
    char *bytes = jvmti_texts_copy(jni, file);
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
    JVMTI_TEXTS_NATIVE("isOff", "()Z", native_is_off),
    JVMTI_TEXTS_NATIVE("registerType", "([[B[IIZ)I", native_register_type),
    JVMTI_TEXTS_NATIVE("attributesLeft", "()I", native_attributes_left),
    JVMTI_TEXTS_NATIVE("registerRecordingType", "()I", native_register_recording_type),
    JVMTI_TEXTS_NATIVE("registerHandOverType", "()I", native_register_hand_over_type),
    JVMTI_TEXTS_NATIVE("addRecording", "([B)J", native_add_recording),
    JVMTI_TEXTS_NATIVE("releaseRecording", "(J)V", native_release_recording),
    JVMTI_TEXTS_NATIVE("countMisclosed", "()V", native_count_misclosed),
    JVMTI_TEXTS_NATIVE("setFilter", "(J[[B)V", native_set_filter),
    JVMTI_TEXTS_NATIVE("moveRepository", "([B)V", native_move_repository),
    JVMTI_TEXTS_NATIVE("countRestart", "()V", native_count_restart),
    JVMTI_TEXTS_NATIVE("drainSoon", "()V", native_drain_soon),
    JVMTI_TEXTS_NATIVE("isChunkFull", "()Z", native_is_chunk_full),
    JVMTI_TEXTS_NATIVE("openThreads", "()[J", native_open_threads),
    JVMTI_TEXTS_NATIVE("hasLockWaits", "()Z", native_has_lock_waits),
    JVMTI_TEXTS_NATIVE("startLockWaits", "()Z", native_start_lock_waits),
    JVMTI_TEXTS_NATIVE("enableLockWaits", "(Z)V", native_enable_lock_waits),
    JVMTI_TEXTS_NATIVE("startEvents", "()Z", native_start_events),
    JVMTI_TEXTS_NATIVE("listEvents", "()[Ljava/lang/Class;", native_list_events),
    JVMTI_TEXTS_NATIVE("rewriteEvent", "([B)[B", native_rewrite_event),
    JVMTI_TEXTS_NATIVE("log", "(I[B)V", native_log),
};

bool
jvmti_natives_bind(JNIEnv *jni, jclass native, const jvmti_natives_config *config)
{
    agent = *config;
    jint count = sizeof(natives) / sizeof(natives[0]);
    return (*jni)->RegisterNatives(jni, native, natives, count) == JNI_OK;
}
