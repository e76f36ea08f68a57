// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_store.h"

#include "common/base/lp_bisect.h"
#include "policy/policy_pattern.h"
#include "policy/policy_waits.h"

#include <stdlib.h>
#include <string.h>

// --- Adding

// find_index returns the index of a type by its spelled name, or where to insert it.
static size_t
find_index(const policy *self, const char *spelled, bool *out_is_there)
{
    size_t count = self->types.count;
    size_t index = LP_BISECT(self->types.items, 0, count, strcmp(at->spelled, spelled) < 0);
    *out_is_there = index < count && strcmp(self->types.items[index].spelled, spelled) == 0;
    return index;
}

// make_entry makes the entry of a name or pattern, whose first line is the next one.
static lp_err
make_entry(const policy *self, const char *name, policy_entry *out_entry)
{
    *out_entry = (policy_entry){
        .name = strdup(name),
        .spelled = policy_name_spell(name),
        .first_line = (uint32_t)self->lines.count,
    };
    if (out_entry->name == NULL || out_entry->spelled == NULL) {
        free(out_entry->name);
        free(out_entry->spelled);
        return LP_ENOMEM;
    }
    return LP_OK;
}

static lp_err
add_type(policy *self, const char *name, policy_entry **out_entry)
{
    policy_name wanted;
    policy_name_init(&wanted, name);
    bool is_there;
    size_t index = find_index(self, wanted.spelled, &is_there);
    if (!is_there) {
        policy_entry new;
        if (self->types.count == (self->is_told ? POLICY_TOLD_EVENTS_MAX : POLICY_EVENTS_MAX)) {
            return LP_ELIMIT;
        }
        LP_REQUIRE(LP_VEC_ROOM(&self->types) && make_entry(self, name, &new) == LP_OK, LP_ENOMEM);
        policy_entry *at = &self->types.items[index];
        memmove(at + 1, at, (self->types.count++ - index) * sizeof(*at));
        *at = new;
    }
    *out_entry = &self->types.items[index];
    return LP_OK;
}

// add_pattern adds a pattern, unless it is the last one. A pattern that comes again after others is
// a new entry, as the last one that matches counts.
static lp_err
add_pattern(policy *self, const char *name, policy_entry **out_entry)
{
    size_t count = self->patterns.count;
    if (count == 0 || strcmp(self->patterns.items[count - 1].name, name) != 0) {
        bool is_full = count == (self->is_told ? POLICY_TOLD_PATTERNS_MAX : POLICY_PATTERNS_MAX);
        if (is_full || (self->is_told && strlen(name) > POLICY_TOLD_PATTERN_BYTES_MAX)) {
            return LP_ELIMIT;
        }
        policy_entry new;
        LP_REQUIRE(
            LP_VEC_ROOM(&self->patterns) && make_entry(self, name, &new) == LP_OK, LP_ENOMEM);
        self->patterns.items[self->patterns.count++] = new;
    }
    *out_entry = &self->patterns.items[self->patterns.count - 1];
    return LP_OK;
}

// keep_line copies a line, with its texts in one allocation.
static lp_err
keep_line(policy *self, const policy_line *line, const char *value)
{
    size_t event_bytes = strlen(line->event) + 1;
    size_t setting_bytes = strlen(line->setting) + 1;
    size_t value_bytes = strlen(value) + 1;
    char *texts =
        LP_VEC_ROOM(&self->lines) ? malloc(event_bytes + setting_bytes + value_bytes) : NULL;
    LP_REQUIRE(texts != NULL, LP_ENOMEM);
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

static policy_invalid
apply(policy *self, policy_entry *entry, const policy_line *line)
{
    const policy_requests_setting *of_requests = policy_requests_find(line->event, line->setting);
    if (of_requests != NULL) {
        bool is_valid = policy_requests_apply(of_requests, &self->requests, line->value);
        return is_valid ? (policy_invalid){0}
                        : (policy_invalid){of_requests->valid, of_requests->stand_in};
    }
    size_t index = policy_setting_find(line->event, line->setting);
    if (index == POLICY_SETTING_COUNT) {
        return policy_waits_check(line->event, line->setting, line->value);
    }
    entry->lines[index] = (uint32_t)self->lines.count + 1;
    const policy_setting *setting = policy_setting_get(index);
    bool is_valid = policy_setting_apply(index, &entry->event, line->value);
    return is_valid ? (policy_invalid){0} : (policy_invalid){setting->valid, setting->stand_in};
}

lp_err
policy_store_add(policy *self, const policy_line *line, policy_invalid *out_invalid)
{
    policy_entry *entry;
    LP_TRY(policy_pattern_is(line->event) ? add_pattern(self, line->event, &entry)
                                          : add_type(self, line->event, &entry));
    *out_invalid = apply(self, entry, line);
    return keep_line(self, line, out_invalid->valid == NULL ? line->value : out_invalid->stand_in);
}

lp_err
policy_store_set_path(policy *self, const char *path)
{
    char *copy = strdup(path);
    LP_REQUIRE(copy != NULL, LP_ENOMEM);
    free(self->path);
    self->path = copy;
    return LP_OK;
}

// --- Each entry

policy_entry *
policy_store_get(const policy *self, size_t index)
{
    size_t types = self->types.count;
    return index < types                          ? &self->types.items[index]
           : index - types < self->patterns.count ? &self->patterns.items[index - types]
                                                  : NULL;
}

// Of a value that is also kept in parsed form (policy_filter.h), for each byte of its text.
enum { VALUE_BYTES_EACH = 8 };

size_t
policy_store_measure(const policy *self)
{
    size_t bytes = sizeof(*self) + self->lines.capacity * sizeof(policy_line) +
                   (self->types.capacity + self->patterns.capacity) * sizeof(policy_entry);
    for (size_t i = 0; i < self->lines.count; i++) {
        const policy_line *line = &self->lines.items[i];
        size_t index = policy_setting_find(line->event, line->setting);
        bool is_ours = (index < POLICY_SETTING_COUNT && !policy_setting_get(index)->is_jvm) ||
                       policy_requests_find(line->event, line->setting) != NULL;
        bytes += strlen(line->event) + strlen(line->setting) + 3;
        bytes += strlen(line->value) * (is_ours ? VALUE_BYTES_EACH : 1);
    }
    const policy_entry *entry;
    for (size_t i = 0; (entry = policy_store_get(self, i)) != NULL; i++) {
        bytes += strlen(entry->name) + strlen(entry->spelled) + 2;
    }
    return bytes;
}

// --- Finding

policy_entry *
policy_store_find_type(const policy *self, const policy_name *name)
{
    bool is_there;
    size_t index = find_index(self, name->spelled, &is_there);
    return is_there ? &self->types.items[index] : NULL;
}

bool
policy_store_matches(const policy_entry *pattern, const policy_name *name)
{
    return policy_name_matches(pattern->name, pattern->spelled, name);
}

bool
policy_store_has_for(const policy_entry *entry, size_t setting, bool is_contextual)
{
    return entry->lines[setting] != 0 &&
           !(policy_pattern_is_all(entry->name) &&
               policy_setting_is_misplaced(setting, &entry->event, is_contextual));
}

policy_entry *
policy_store_find_source(
    const policy *self, const policy_name *name, bool is_contextual, size_t setting)
{
    policy_entry *type = policy_store_find_type(self, name);
    if (type != NULL && type->lines[setting] != 0) {
        return type;
    }
    for (size_t i = self->patterns.count; i-- > 0;) {
        policy_entry *pattern = &self->patterns.items[i];
        if (policy_store_has_for(pattern, setting, is_contextual) &&
            policy_store_matches(pattern, name)) {
            return pattern;
        }
    }
    return NULL;
}
