// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.h"

#include "policy/policy_store.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

policy *
policy_create(void)
{
    return calloc(1, sizeof(policy));
}

void
policy_set_told(policy *self)
{
    self->is_told = true;
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
    policy_entry *entry;
    for (size_t i = 0; (entry = policy_store_get(self, i)) != NULL; i++) {
        free(entry->name);
        free(entry->spelled);
        policy_setting_free(&entry->event);
    }
    LP_VEC_FINI(&self->lines);
    LP_VEC_FINI(&self->types);
    LP_VEC_FINI(&self->patterns);
    policy_requests_fini(&self->requests);
    free(self->path);
    free(self);
}

// --- Lookups

const char *
policy_get_path(const policy *self)
{
    return self == NULL ? NULL : self->path;
}

static void
copy_set(const policy_entry *from, bool is_contextual, policy_event *to)
{
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (policy_store_has_for(from, i, is_contextual)) {
            policy_setting_copy(i, &from->event, to);
        }
    }
}

static bool
is_contextual_by(const policy *self, const policy_name *name, bool is_annotated)
{
    size_t setting = policy_setting_find(name->given, "contextual");
    const policy_entry *source = policy_store_find_source(self, name, is_annotated, setting);
    if (source == NULL) {
        return is_annotated;
    }
    policy_contextual said = source->event.contextual;
    return said == POLICY_CONTEXTUAL_YES || (is_annotated && said == POLICY_CONTEXTUAL_UNSAID);
}

bool
policy_is_contextual(const policy *self, const char *event_type_name, bool is_annotated)
{
    if (self == NULL) {
        return is_annotated;
    }
    policy_name name;
    policy_name_init(&name, event_type_name);
    return is_contextual_by(self, &name, is_annotated);
}

policy_event
policy_find(const policy *self, const char *event_type_name, bool is_contextual)
{
    policy_event event = {0};
    if (self == NULL) {
        return event;
    }
    policy_name name;
    policy_name_init(&name, event_type_name);
    is_contextual = is_contextual || is_contextual_by(self, &name, false);
    for (size_t i = 0; i < self->patterns.count; i++) {
        if (policy_store_matches(&self->patterns.items[i], &name)) {
            copy_set(&self->patterns.items[i], is_contextual, &event);
        }
    }
    const policy_entry *type = policy_store_find_type(self, &name);
    if (type != NULL) {
        copy_set(type, is_contextual, &event);
    }
    return event;
}

bool
policy_has_misplaced(const policy_event *settings, bool is_contextual)
{
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (policy_setting_is_misplaced(i, settings, is_contextual)) {
            return true;
        }
    }
    return false;
}

bool
policy_has_of_events(const policy_event *settings)
{
    for (size_t i = 0; i < POLICY_SETTING_COUNT; i++) {
        if (policy_setting_is_of_events(i, settings)) {
            return true;
        }
    }
    return false;
}

void
policy_each_own(const policy *self, const char *event_type_name, bool is_contextual,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg)
{
    policy_name name;
    policy_name_init(&name, event_type_name);
    for (size_t i = 0; self != NULL && i < POLICY_SETTING_COUNT; i++) {
        const policy_setting *setting = policy_setting_get(i);
        const policy_entry *source = policy_store_find_source(self, &name, is_contextual, i);
        bool is_own = !setting->is_jvm || strcmp(setting->name, "throttle") == 0;
        if (source != NULL && is_own && policy_setting_find(event_type_name, setting->name) == i) {
            bool is_misplaced = policy_setting_is_misplaced(i, &source->event, is_contextual);
            const char *value = self->lines.items[source->lines[i] - 1].value;
            on_setting(arg, setting->name, is_misplaced ? setting->stand_in : value);
        }
    }
}

const policy_requests *
policy_get_requests(const policy *self)
{
    static const policy_requests none;
    return self == NULL ? &none : &self->requests;
}

// find_line returns the last line with an event type's own name and a setting; NULL: none.
static const policy_line *
find_line(const policy *self, const char *event, const char *setting)
{
    for (size_t i = self->lines.count; i-- > 0;) {
        const policy_line *line = &self->lines.items[i];
        if (strcmp(line->event, event) == 0 && strcmp(line->setting, setting) == 0) {
            return line;
        }
    }
    return NULL;
}

void
policy_each_of_requests(const policy *self,
    void (*on_setting)(void *arg, const char *setting, const char *value), void *arg)
{
    const policy_requests_setting *setting;
    for (size_t i = 0; self != NULL && (setting = policy_requests_get(i)) != NULL; i++) {
        const policy_line *line = find_line(self, POLICY_REQUESTS_EVENT, setting->name);
        if (line != NULL) {
            on_setting(arg, setting->name, line->value);
        }
    }
}

bool
policy_enables(const policy *self, const char *event_type_name)
{
    size_t setting = policy_setting_find(event_type_name, "enabled");
    policy_name name;
    policy_name_init(&name, event_type_name);
    const policy_entry *source =
        self == NULL ? NULL : policy_store_find_source(self, &name, false, setting);
    return source != NULL && !source->event.is_disabled;
}

void
policy_note_type(const policy *self, const char *event_type_name)
{
    if (self == NULL) {
        return;
    }
    policy_name name;
    policy_name_init(&name, event_type_name);
    policy_entry *type = policy_store_find_type(self, &name);
    if (type != NULL) {
        atomic_store_explicit(&type->is_met, true, memory_order_relaxed);
    }
    for (size_t i = 0; i < self->patterns.count; i++) {
        policy_entry *pattern = &self->patterns.items[i];
        if (!atomic_load_explicit(&pattern->is_met, memory_order_relaxed) &&
            policy_store_matches(pattern, &name)) {
            atomic_store_explicit(&pattern->is_met, true, memory_order_relaxed);
        }
    }
}

// HAS_ANY returns whether is_so is true for the settings of any type or pattern: an expression of a
// pointer `at` to them.
#define HAS_ANY(self, is_so)                                                                       \
    ({                                                                                             \
        bool has_any = false;                                                                      \
        const policy_entry *entry;                                                                 \
        for (size_t i = 0; !has_any && (entry = policy_store_get(self, i)) != NULL; i++) {         \
            const policy_event *at = &entry->event;                                                \
            has_any = (is_so);                                                                     \
        }                                                                                          \
        has_any;                                                                                   \
    })

bool
policy_selects_by_context(const policy *self)
{
    return self != NULL && HAS_ANY(self, at->select == POLICY_SELECT_IF_CONTEXT);
}

bool
policy_filters(const policy *self)
{
    return self != NULL && HAS_ANY(self, at->filter != NULL);
}

bool
policy_samples(const policy *self)
{
    return self != NULL &&
           HAS_ANY(self, at->throttle.per_ns > 0 || at->context_throttle.per_ns > 0);
}

bool
policy_samples_contexts(const policy *self)
{
    return self != NULL && HAS_ANY(self, at->context_throttle.per_ns > 0);
}

bool
policy_waits(const policy *self)
{
    return self != NULL &&
           HAS_ANY(self, at->select == POLICY_SELECT_IF_CONTEXT || at->context_threshold_ns > 0 ||
                             at->context_throttle.per_ns > 0);
}
