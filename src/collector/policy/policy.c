// SPDX-License-Identifier: Apache-2.0
#include "collector/policy/policy.h"

#include "collector/policy/policy_jfc.h"
#include "collector/policy/policy_setting.h"
#include "common/base/lp_log.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

typedef struct named_event {
    char *name;
    policy_event event;
    atomic_bool is_reported; // by policy_check_type; stands alone, so relaxed order will do
} named_event;

struct policy {
    named_event *events; // by name
    size_t count;
    size_t capacity;
    char *path; // of the last file read, or NULL
};

policy *
policy_create(void)
{
    return calloc(1, sizeof(policy));
}

void
policy_destroy(policy *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        free(self->events[i].name);
        policy_setting_free(&self->events[i].event);
    }
    free(self->events);
    free(self->path);
    free(self);
}

// find_index tells where name is, or where it belongs.
static size_t
find_index(const policy *self, const char *name, bool *out_is_there)
{
    size_t begin = 0;
    size_t end = self->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = strcmp(self->events[middle].name, name);
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
grow(policy *self)
{
    size_t capacity = self->capacity == 0 ? FIRST_CAPACITY : 2 * self->capacity;
    named_event *events = realloc(self->events, capacity * sizeof(*events));
    if (events == NULL) {
        return LP_ENOMEM;
    }
    self->events = events;
    self->capacity = capacity;
    return LP_OK;
}

lp_err
policy_jfc_add_event(policy *self, const char *name, policy_event **out_event)
{
    bool is_there;
    size_t index = find_index(self, name, &is_there);
    if (!is_there) {
        if (self->count == POLICY_EVENTS_MAX) {
            return LP_ELIMIT;
        }
        lp_err err = self->count == self->capacity ? grow(self) : LP_OK;
        if (err != LP_OK) {
            return err;
        }
        char *copy = strdup(name);
        if (copy == NULL) {
            return LP_ENOMEM;
        }
        named_event *at = &self->events[index];
        memmove(at + 1, at, (self->count - index) * sizeof(*at));
        *at = (named_event){.name = copy};
        self->count++;
    }
    *out_event = &self->events[index].event;
    return LP_OK;
}

lp_err
policy_jfc_set_path(policy *self, const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL) {
        return LP_ENOMEM;
    }
    free(self->path);
    self->path = copy;
    return LP_OK;
}

policy_event
policy_find(const policy *self, const char *event_type_name)
{
    bool is_there = false;
    size_t index = self == NULL ? 0 : find_index(self, event_type_name, &is_there);
    return is_there ? self->events[index].event : (policy_event){0};
}

bool
policy_selects_by_context(const policy *self)
{
    for (size_t i = 0; self != NULL && i < self->count; i++) {
        if (self->events[i].event.select == POLICY_SELECT_IF_CONTEXT) {
            return true;
        }
    }
    return false;
}

void
policy_check_type(policy *self, const char *event_type_name, bool is_contextual)
{
    bool is_there = false;
    size_t index = self == NULL ? 0 : find_index(self, event_type_name, &is_there);
    if (!is_there) {
        return;
    }
    named_event *at = &self->events[index];
    policy_select invalid = is_contextual ? POLICY_SELECT_IF_CONTEXT : POLICY_SELECT_IF_TRIGGERED;
    bool is_filtered = is_contextual && at->event.filter != NULL;
    if (at->event.select != invalid && !is_filtered) {
        return;
    }
    if (is_filtered && !atomic_load_explicit(&at->is_reported, memory_order_relaxed)) {
        lp_log(LP_LOG_WARN,
            "%s: event type %s, setting filter is not for a type that is contextual; none is used",
            self->path == NULL ? "policy" : self->path, event_type_name);
    }
    bool is_first = !atomic_exchange_explicit(&at->is_reported, true, memory_order_relaxed);
    if (at->event.select == invalid && is_first) {
        lp_log(LP_LOG_WARN,
            "%s: event type %s, setting select: '%s' is not for a type that is%s contextual; "
            "all is used",
            self->path == NULL ? "policy" : self->path, event_type_name,
            is_contextual ? "if-context" : "if-triggered", is_contextual ? "" : " not");
    }
}
