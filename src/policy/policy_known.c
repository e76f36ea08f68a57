// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_known.h"

#include "common/base/lp_assert.h"
#include "policy/policy_jdk.h"
#include "policy/policy_pattern.h"
#include "policy/policy_requests.h"
#include "policy/policy_setting.h"
#include "policy/policy_value.h"
#include "policy/policy_waits.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum {
    NAME_BYTES_MAX = 48, // of a known setting or event type, with a NUL
    MISTAKES_MAX = 2,    // in a similar name
};

static const char jdk[] = "jdk.";

// --- JFR's settings

static bool
is_bool(const char *value)
{
    bool ignored;
    return policy_value_bool(value, &ignored);
}

static bool
is_timespan(const char *value)
{
    int64_t ignored;
    return policy_value_timespan(value, &ignored);
}

static bool
is_period(const char *value)
{
    return strcmp(value, "everyChunk") == 0 || strcmp(value, "beginChunk") == 0 ||
           strcmp(value, "endChunk") == 0 || is_timespan(value);
}

static bool
is_sampling(const char *value)
{
    policy_throttle ignored;
    return policy_value_throttle(value, &ignored) || is_timespan(value);
}

static bool
is_level(const char *value)
{
    return strcmp(value, "all") == 0 || strcmp(value, "forRemoval") == 0;
}

static bool
is_anything(const char *value)
{
    (void)value;
    return true;
}

static const struct {
    const char *event; // NULL: any
    const char *name;
    bool (*is_valid)(const char *value);
    const char *valid;
} jvm_settings[] = {
    {NULL, "stackTrace", is_bool, POLICY_VALUE_BOOLS},
    {NULL, "period", is_period, "everyChunk, beginChunk, endChunk or " POLICY_VALUE_TIMESPANS},
    {NULL, "cutoff", is_timespan, POLICY_VALUE_TIMESPANS},
    {"jdk.CPUTimeSample", "throttle", is_sampling, "a timespan, or " POLICY_VALUE_THROTTLES},
    {"jdk.DeprecatedInvocation", "level", is_level, "all or forRemoval"},
    {"jdk.MethodTiming", "filter", is_anything, ""},
    {"jdk.MethodTrace", "filter", is_anything, ""},
};

enum { JVM_SETTING_COUNT = sizeof(jvm_settings) / sizeof(jvm_settings[0]) };

const char *
policy_known_invalid(const char *event, const char *setting, const char *value)
{
    for (size_t i = 0; i < JVM_SETTING_COUNT; i++) {
        bool is_it = strcmp(setting, jvm_settings[i].name) == 0 &&
                     (jvm_settings[i].event == NULL || strcmp(event, jvm_settings[i].event) == 0);
        if (is_it && policy_setting_find(event, setting) == POLICY_SETTING_COUNT) {
            return jvm_settings[i].is_valid(value) ? NULL : jvm_settings[i].valid;
        }
    }
    return NULL;
}

// --- Unknown settings and event types

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// distance_of returns how many characters have to be added, removed or changed to turn one name
// into the other, ignoring case.
static size_t
distance_of(const char *name, const char *known)
{
    size_t known_len = strlen(known);
    LP_ASSERT(known_len < NAME_BYTES_MAX);
    size_t row[NAME_BYTES_MAX]; // from the beginning of name so far to each beginning of known
    for (size_t k = 0; k <= known_len; k++) {
        row[k] = k;
    }
    for (size_t i = 0; name[i] != '\0'; i++) {
        size_t diagonal = row[0]++;
        for (size_t k = 0; k < known_len; k++) {
            bool is_same = tolower((unsigned char)name[i]) == tolower((unsigned char)known[k]);
            size_t changed = diagonal + !is_same;
            diagonal = row[k + 1];
            row[k + 1] = least(changed, least(row[k], row[k + 1]) + 1);
        }
    }
    return row[known_len];
}

// known_name returns a known name by its index; NULL after the last. So do the next two functions.
static const char *
known_name(size_t index)
{
    if (index < POLICY_SETTING_COUNT) {
        return policy_setting_get(index)->name;
    }
    index -= POLICY_SETTING_COUNT;
    return index < JVM_SETTING_COUNT ? jvm_settings[index].name : NULL;
}

static const char *
known_name_of_requests(size_t index)
{
    const policy_requests_setting *setting = policy_requests_get(index);
    return setting == NULL ? NULL : setting->name;
}

static const char *
known_name_of_waits(size_t index)
{
    return index == 0 ? POLICY_WAITS_SETTING : NULL;
}

// find_nearest returns the known name that is most similar to a name; NULL: none is.
static const char *
find_nearest(const char *name, const char *(*known_at)(size_t index))
{
    const char *nearest = NULL;
    size_t nearest_distance = MISTAKES_MAX + 1;
    const char *known;
    for (size_t i = 0; (known = known_at(i)) != NULL; i++) {
        size_t distance = distance_of(name, known);
        if (distance < nearest_distance && distance <= strlen(known) / 3) {
            nearest = known;
            nearest_distance = distance;
        }
    }
    return nearest;
}

static bool
is_known(const char *name, const char *(*known_at)(size_t index))
{
    const char *known;
    for (size_t i = 0; (known = known_at(i)) != NULL; i++) {
        if (strcmp(name, known) == 0) {
            return true;
        }
    }
    return false;
}

const char *
policy_known_owner(const char *event, const char *setting)
{
    static const struct {
        const char *event;
        const char *(*known_at)(size_t index);
    } owners[] = {
        {POLICY_REQUESTS_EVENT, known_name_of_requests},
        {POLICY_WAITS_EVENT, known_name_of_waits},
    };
    for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
        if (policy_pattern_is(event) && policy_pattern_matches(event, owners[i].event) &&
            is_known(setting, owners[i].known_at)) {
            return owners[i].event;
        }
    }
    return NULL;
}

bool
policy_known_is_mistaken(const char *event, const char *setting, const char **out_meant)
{
    bool is_of_requests = strcmp(event, POLICY_REQUESTS_EVENT) == 0;
    bool is_of_waits = strcmp(event, POLICY_WAITS_EVENT) == 0;
    const char *nearest = find_nearest(setting, known_name);
    if (nearest == NULL && (is_of_requests || is_of_waits)) {
        nearest =
            find_nearest(setting, is_of_requests ? known_name_of_requests : known_name_of_waits);
    }
    if (nearest != NULL && strcmp(setting, nearest) == 0) {
        return false;
    }
    *out_meant = nearest;
    return nearest != NULL || is_of_requests || is_of_waits ||
           strncmp(event, jdk, sizeof(jdk) - 1) == 0;
}

static bool
is_of_jdk(const char *event)
{
    const char *known;
    for (size_t i = 0; (known = policy_jdk_name(i)) != NULL; i++) {
        if (policy_pattern_matches(event, known)) {
            return true;
        }
    }
    return false;
}

bool
policy_known_has_event(const char *event)
{
    static const char *const own[] = {
        "dev.loupe.Accounting",
        "dev.loupe.Loss",
        POLICY_REQUESTS_EVENT,
        POLICY_WAITS_EVENT,
        "dev.loupe.RequestAccounting",
        "dev.loupe.VirtualThreadMonitorEnter",
        "loupe.RecordingContext",
    };
    bool is_own = false;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        is_own |= policy_pattern_matches(event, own[i]);
    }
    return is_own || is_of_jdk(event);
}

bool
policy_known_is_no_event(const char *event, const char **out_meant)
{
    if (strncmp(event, jdk, sizeof(jdk) - 1) != 0 || is_of_jdk(event)) {
        return false;
    }
    *out_meant = policy_pattern_is(event) ? NULL : find_nearest(event, policy_jdk_name);
    return true;
}
