// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include "common/base/lp_log.h"
#include "policy/policy_jfc.h"
#include "policy/policy_pattern.h"
#include "policy/policy_store.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

policy *
policy_create(void)
{
    return calloc(1, sizeof(policy));
}

static void
fini_entry(policy_entry *entry)
{
    free(entry->name);
    policy_setting_free(&entry->event);
}

void
policy_destroy(policy *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->lines.count; i++) {
        free(self->lines.items[i].event);
    }
    for (size_t i = 0; i < self->types.count; i++) {
        fini_entry(&self->types.items[i]);
    }
    for (size_t i = 0; i < self->patterns.count; i++) {
        fini_entry(&self->patterns.items[i]);
    }
    LP_VEC_FINI(&self->lines);
    LP_VEC_FINI(&self->types);
    LP_VEC_FINI(&self->patterns);
    free(self->path);
    free(self);
}

// --- Adding.

// find_index tells where a type's name is, or where it belongs.
static size_t
find_index(const policy *self, const char *name, bool *out_is_there)
{
    size_t begin = 0;
    size_t end = self->types.count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = strcmp(self->types.items[middle].name, name);
        if (order == 0) {
            *out_is_there = true;
            return middle;
        }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    *out_is_there = false;
    return begin;
}

static lp_err
add_type(policy *self, const char *name, policy_entry **out_entry)
{
    bool is_there;
    size_t index = find_index(self, name, &is_there);
    if (!is_there) {
        if (self->types.count == POLICY_EVENTS_MAX) {
            return LP_ELIMIT;
        }
        char *copy = LP_VEC_ROOM(&self->types) ? strdup(name) : NULL;
        if (copy == NULL) {
            return LP_ENOMEM;
        }
        policy_entry *at = &self->types.items[index];
        memmove(at + 1, at, (self->types.count++ - index) * sizeof(*at));
        *at = (policy_entry){.name = copy};
    }
    *out_entry = &self->types.items[index];
    return LP_OK;
}

// add_pattern gives the last pattern if it is this one. One that comes again after others begins
// anew, as the later one counts.
static lp_err
add_pattern(policy *self, const char *name, policy_entry **out_entry)
{
    size_t count = self->patterns.count;
    if (count == 0 || strcmp(self->patterns.items[count - 1].name, name) != 0) {
        if (count == POLICY_PATTERNS_MAX) {
            return LP_ELIMIT;
        }
        char *copy = LP_VEC_ROOM(&self->patterns) ? strdup(name) : NULL;
        if (copy == NULL) {
            return LP_ENOMEM;
        }
        self->patterns.items[self->patterns.count++] = (policy_entry){.name = copy};
    }
    *out_entry = &self->patterns.items[self->patterns.count - 1];
    return LP_OK;
}

// keep_line copies a line; its texts lie one behind the other.
static lp_err
keep_line(policy *self, const policy_line *line, const char *value)
{
    size_t event_bytes = strlen(line->event) + 1;
    size_t setting_bytes = strlen(line->setting) + 1;
    size_t value_bytes = strlen(value) + 1;
    char *texts =
        LP_VEC_ROOM(&self->lines) ? malloc(event_bytes + setting_bytes + value_bytes) : NULL;
    if (texts == NULL) {
        return LP_ENOMEM;
    }
    memcpy(texts, line->event, event_bytes);
    memcpy(texts + event_bytes, line->setting, setting_bytes);
    memcpy(texts + event_bytes + setting_bytes, value, value_bytes);
    self->lines.items[self->lines.count++] = (policy_line){
        .event = texts,
        .setting = texts + event_bytes,
        .value = texts + event_bytes + setting_bytes,
        .number = line->number,
    };
    return LP_OK;
}

lp_err
policy_store_add(policy *self, const policy_line *line, const policy_setting **out_invalid)
{
    *out_invalid = NULL;
    size_t index = policy_setting_find(line->event, line->setting);
    if (index == POLICY_SETTING_COUNT) {
        return keep_line(self, line, line->value);
    }
    policy_entry *entry;
    lp_err err = policy_pattern_is(line->event) ? add_pattern(self, line->event, &entry)
                                                : add_type(self, line->event, &entry);
    if (err != LP_OK) {
        return err;
    }
    const policy_setting *setting = policy_setting_get(index);
    if (!setting->apply(&entry->event, line->value)) {
        *out_invalid = setting;
    }
    entry->lines[index] = (uint32_t)self->lines.count + 1;
    return keep_line(self, line, *out_invalid == NULL ? line->value : setting->stand_in);
}

lp_err
policy_store_set_path(policy *self, const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL) {
        return LP_ENOMEM;
    }
    free(self->path);
    self->path = copy;
    return LP_OK;
}

static void
log_warning(void *arg, const char *text)
{
    lp_log(LP_LOG_WARN, "%s: %s", (const char *)arg, text);
}

lp_err
policy_parse(policy *self, const char *path, lp_slice text, lp_problem *out_problem)
{
    const policy_jfc_listener listener = {
        .on_warning = log_warning, .arg = (void *)(uintptr_t)path};
    return policy_jfc_parse(self, path, text, &listener, out_problem);
}

lp_err
policy_read(policy *self, const char *path, lp_problem *out_problem)
{
    const policy_jfc_listener listener = {
        .on_warning = log_warning, .arg = (void *)(uintptr_t)path};
    return policy_jfc_read(self, path, &listener, out_problem);
}

// --- Asking.

static policy_entry *
find_type(const policy *self, const char *name)
{
    bool is_there;
    size_t index = find_index(self, name, &is_there);
    return is_there ? &self->types.items[index] : NULL;
}

// has_setting_for returns whether the entry sets this for contextual (or plain) types.
static bool
has_setting_for(const policy_entry *entry, size_t setting, bool is_contextual)
{
    return entry->lines[setting] != 0 &&
           !(policy_pattern_is_all(entry->name) &&
               policy_setting_is_misplaced(setting, &entry->event, is_contextual));
}

static void
copy_set(const policy_entry *from, bool is_contextual, policy_event *to)
{
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (has_setting_for(from, i, is_contextual)) {
            policy_setting_copy(i, &from->event, to);
        }
    }
}

bool
policy_is_contextual(const policy *self, const char *event_type_name, bool is_annotated)
{
    size_t setting = policy_setting_find(event_type_name, "contextual");
    const policy_entry *source =
        self == NULL ? NULL
                     : policy_store_find_source(self, event_type_name, is_annotated, setting);
    if (source == NULL) {
        return is_annotated;
    }
    policy_contextual said = source->event.contextual;
    return said == POLICY_CONTEXTUAL_YES || (is_annotated && said == POLICY_CONTEXTUAL_UNSAID);
}

policy_event
policy_find(const policy *self, const char *event_type_name, bool is_contextual)
{
    policy_event event = {0};
    if (self == NULL) {
        return event;
    }
    is_contextual = is_contextual || policy_is_contextual(self, event_type_name, false);
    for (size_t i = 0; i < self->patterns.count; i++) {
        if (policy_pattern_matches(self->patterns.items[i].name, event_type_name)) {
            copy_set(&self->patterns.items[i], is_contextual, &event);
        }
    }
    const policy_entry *type = find_type(self, event_type_name);
    if (type != NULL) {
        copy_set(type, is_contextual, &event);
    }
    return event;
}

void
policy_each_own(const policy *self, const char *event_type_name, bool is_contextual,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg)
{
    for (size_t i = 0; self != NULL && i < POLICY_SETTING_COUNT; i++) {
        const policy_setting *setting = policy_setting_get(i);
        const policy_entry *source =
            policy_store_find_source(self, event_type_name, is_contextual, i);
        bool is_own = !setting->is_jvm || strcmp(setting->name, "throttle") == 0;
        if (source != NULL && is_own && policy_setting_find(event_type_name, setting->name) == i) {
            bool is_misplaced = policy_setting_is_misplaced(i, &source->event, is_contextual);
            const char *value = self->lines.items[source->lines[i] - 1].value;
            on_setting(arg, setting->name, is_misplaced ? setting->stand_in : value);
        }
    }
}

bool
policy_enables(const policy *self, const char *event_type_name)
{
    size_t setting = policy_setting_find(event_type_name, "enabled");
    const policy_entry *source =
        self == NULL ? NULL : policy_store_find_source(self, event_type_name, false, setting);
    return source != NULL && !source->event.is_disabled;
}

// has_any returns whether the settings of any type or pattern satisfy is_so.
static bool
has_any(const policy *self, bool (*is_so)(const policy_event *event))
{
    for (size_t i = 0; self != NULL && i < self->types.count; i++) {
        if (is_so(&self->types.items[i].event)) {
            return true;
        }
    }
    for (size_t i = 0; self != NULL && i < self->patterns.count; i++) {
        if (is_so(&self->patterns.items[i].event)) {
            return true;
        }
    }
    return false;
}

static bool
is_selected_by_context(const policy_event *event)
{
    return event->select == POLICY_SELECT_IF_CONTEXT;
}

static bool
is_filtered(const policy_event *event)
{
    return event->filter != NULL;
}

bool
policy_selects_by_context(const policy *self)
{
    return has_any(self, is_selected_by_context);
}

bool
policy_filters(const policy *self)
{
    return has_any(self, is_filtered);
}

policy_entry *
policy_store_find_source(
    const policy *self, const char *event_type_name, bool is_contextual, size_t setting)
{
    policy_entry *type = find_type(self, event_type_name);
    if (type != NULL && type->lines[setting] != 0) {
        return type;
    }
    for (size_t i = self->patterns.count; i-- > 0;) {
        policy_entry *pattern = &self->patterns.items[i];
        if (has_setting_for(pattern, setting, is_contextual) &&
            policy_pattern_matches(pattern->name, event_type_name)) {
            return pattern;
        }
    }
    return NULL;
}
