// SPDX-License-Identifier: Apache-2.0
// Tests: tests/e2e/policy_dir.py, tests/e2e/first_second.py

#include "agent/jvmti/jvmti_natives.h"
#include "agent/jvmti/jvmti_texts.h"
#include "common/base/lp_log.h"
#include "policy/policy_jvm.h"
#include "policy/policy_requests.h"
#include "policy/policy_setting.h"
#include "policy/policy_value.h"
#include "policy/policy_waits.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTING_TEXTS = 3 }; // an event type or pattern, setting and value

static const double NS_PER_S = 1e9;

static ship *const *agent_ship; // written before any of the methods can be called
static ship_policy next_policy; // taken and not given to Java yet, if has_next_policy
static bool has_next_policy;

// Puts text at index of a byte[][]. Returns false if memory ran out.
static bool
add_text(JNIEnv *jni, jobjectArray array, jsize index, const char *text)
{
    jsize len = (jsize)strlen(text);
    jbyteArray bytes = (*jni)->NewByteArray(jni, len);
    LP_REQUIRE(bytes != NULL, false);
    (*jni)->SetByteArrayRegion(jni, bytes, 0, len, (const jbyte *)text);
    (*jni)->SetObjectArrayElement(jni, array, index, bytes);
    (*jni)->DeleteLocalRef(jni, bytes);
    return true;
}

// Puts the three texts of a setting at index of a byte[][]. Returns false if memory ran out.
static bool
add_setting(JNIEnv *jni, jobjectArray array, jsize index, const policy_jvm_setting *setting)
{
    return add_text(jni, array, index, setting->event) &&
           add_text(jni, array, index + 1, setting->setting) &&
           add_text(jni, array, index + 2, setting->value);
}

// Returns the result of Native.takePolicy; NULL if memory ran out.
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
        const policy_jvm_setting line = {setting->event, setting->setting, setting->value};
        is_complete = add_setting(jni, array, 1 + (jsize)i * SETTING_TEXTS, &line);
    }
    return is_complete ? array : NULL;
}

// Native.takePolicy
static jobjectArray
native_take_policy(JNIEnv *jni, jclass klass)
{
    JVMTI_GUARD(NULL);
    ship_policy newer;
    if (ship_take_policy(*agent_ship, &newer)) {
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

// Adds the settings that Java has as texts to own. Errors: as policy_jvm_add
static lp_err
take_lines(JNIEnv *jni, jobjectArray texts, policy *own)
{
    lp_err err = LP_OK;
    jsize length = (*jni)->GetArrayLength(jni, texts);
    for (jsize i = 0; i + SETTING_TEXTS <= length && err == LP_OK; i += SETTING_TEXTS) {
        char *event = jvmti_texts_copy_element(jni, texts, i);
        char *setting = jvmti_texts_copy_element(jni, texts, i + 1);
        char *value = jvmti_texts_copy_element(jni, texts, i + 2);
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
    LP_THEN(err, policy_jvm_list(own, &list));
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
    JVMTI_GUARD(JNI_TRUE); // nothing is sent any more
    char *text = jvmti_texts_copy(jni, bytes);
    bool is_set = text != NULL && ship_set_own_policy(*agent_ship, from_wall_ns, text);
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
    ship_watch_events(*agent_ship, types, (size_t)count);
}

// Native.countEvents
static void
native_count_events(JNIEnv *jni, jclass klass, jlongArray out)
{
    JVMTI_GUARD();
    tail_events_counts counts = ship_count_events(*agent_ship);
    const jlong values[] = {
        (jlong)counts.events,
        counts.recorded_ns,
        counts.until_wall_ns,
    };
    (*jni)->SetLongArrayRegion(jni, out, 0, sizeof(values) / sizeof(values[0]), values);
}

// Copies the value of a setting. Returns NULL and throws an OutOfMemoryError if memory ran out: the
// setting must not look as if it had no value.
static char *
copy_value(JNIEnv *jni, jbyteArray bytes)
{
    char *text = jvmti_texts_copy(jni, bytes);
    if (text == NULL) {
        jvmti_texts_throw_no_memory(jni, "a setting cannot be read yet");
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

// Equal to Native.KIND_...
typedef enum setting_kind { KIND_UNKNOWN, KIND_PLAIN, KIND_CONTEXTUAL } setting_kind;

static void
warn_misplaced(const char *event, const char *value, size_t index, bool is_contextual)
{
    const policy_setting *setting = policy_setting_get(index);
    lp_log(LP_LOG_WARN,
        "event type %s, setting %s: invalid value '%.200s' for a %s, expected %s; using %s", event,
        setting->name, value, is_contextual ? "contextual type" : "type that is not contextual",
        policy_setting_allowed(index, is_contextual), setting->stand_in);
}

static void
warn_invalid(const char *event, const char *setting, const char *value, policy_invalid invalid)
{
    lp_log(LP_LOG_WARN, "event type %s, setting %s: invalid value '%.200s', expected %s; using %s",
        event, setting, value, invalid.valid, invalid.stand_in);
}

static void
check_of_requests(const char *event, const policy_requests_setting *setting, const char *value)
{
    policy_requests requests = {0};
    if (!policy_requests_apply(setting, &requests, value)) {
        warn_invalid(
            event, setting->name, value, (policy_invalid){setting->valid, setting->stand_in});
    }
    policy_requests_fini(&requests);
}

// Warns of mistakes in Loupe's settings of this JVM, with the collector's texts: of an invalid
// value while the kind of the event type is unknown, then of a valid value that does not fit the
// kind. Ignores JFR's settings.
static void
check_setting(const char *event, const char *setting, const char *value, setting_kind kind)
{
    const policy_requests_setting *of_requests = policy_requests_find(event, setting);
    if (of_requests != NULL && kind == KIND_UNKNOWN) {
        check_of_requests(event, of_requests, value);
    }
    policy_invalid of_waits = policy_waits_check(event, setting, value);
    if (of_waits.valid != NULL && kind == KIND_UNKNOWN) {
        warn_invalid(event, setting, value, of_waits);
    }
    size_t index = policy_setting_find(event, setting);
    if (index == POLICY_SETTING_COUNT || policy_setting_get(index)->is_jvm) {
        return;
    }
    policy_event settings = {0};
    bool is_contextual = kind == KIND_CONTEXTUAL;
    const policy_setting *known = policy_setting_get(index);
    bool is_valid = policy_setting_apply(index, &settings, value);
    if (!is_valid && kind == KIND_UNKNOWN) {
        warn_invalid(event, known->name, value, (policy_invalid){known->valid, known->stand_in});
    } else if (is_valid && kind != KIND_UNKNOWN &&
               policy_setting_is_misplaced(index, &settings, is_contextual)) {
        warn_misplaced(event, value, index, is_contextual);
    }
    policy_setting_free(&settings);
}

// Native.checkSetting
static void
native_check_setting(JNIEnv *jni, jclass klass, jobjectArray texts, jint kind)
{
    JVMTI_GUARD();
    char *event = jvmti_texts_copy_element(jni, texts, 0);
    char *setting = jvmti_texts_copy_element(jni, texts, 1);
    char *value = jvmti_texts_copy_element(jni, texts, 2);
    if (event != NULL && setting != NULL && value != NULL) {
        check_setting(event, setting, value, (setting_kind)kind);
    }
    free(event);
    free(setting);
    free(value);
}

static const JNINativeMethod natives[] = {
    JVMTI_TEXTS_NATIVE("takePolicy", "()[[B", native_take_policy),
    JVMTI_TEXTS_NATIVE("listSettings", "([[B)[[B", native_list_settings),
    JVMTI_TEXTS_NATIVE("setOwnPolicy", "(J[B)Z", native_set_own_policy),
    JVMTI_TEXTS_NATIVE("watchEvents", "([J)V", native_watch_events),
    JVMTI_TEXTS_NATIVE("countEvents", "([J)V", native_count_events),
    JVMTI_TEXTS_NATIVE("parseRate", "([B)D", native_parse_rate),
    JVMTI_TEXTS_NATIVE("parseTimespan", "([B)J", native_parse_timespan),
    JVMTI_TEXTS_NATIVE("checkSetting", "([[BI)V", native_check_setting),
};

bool
jvmti_policy_bind(JNIEnv *jni, jclass native, ship *const *used)
{
    agent_ship = used;
    jint count = sizeof(natives) / sizeof(natives[0]);
    return (*jni)->RegisterNatives(jni, native, natives, count) == JNI_OK;
}
