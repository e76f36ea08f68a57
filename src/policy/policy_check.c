// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_check.h"

#include "common/base/lp_log.h"
#include "policy/policy_jfc.h"
#include "policy/policy_store.h"

#include <stdio.h>

enum { TEXT_BYTES = 2048 };

// find_misplaced looks for the next setting, from *index on, that is not for that kind of type,
// writes a warning of it to text and returns its entry; NULL: there is none.
static policy_entry *
find_misplaced(const policy *self, const char *event_type_name, bool is_contextual, size_t *index,
    char text[TEXT_BYTES])
{
    policy_event event = policy_find(self, event_type_name, is_contextual);
    while (*index < POLICY_SETTING_COUNT &&
           !policy_setting_is_misplaced(*index, &event, is_contextual)) {
        (*index)++;
    }
    if (*index == POLICY_SETTING_COUNT) {
        return NULL;
    }
    policy_entry *source = policy_store_find_source(self, event_type_name, is_contextual, *index);
    const policy_line *line = &self->lines.items[source->lines[*index] - 1];
    (void)snprintf(text, TEXT_BYTES,
        "line %lu: event type %s, setting %s: '%.200s' is not for a type that is%s contextual; %s "
        "is used",
        line->number, event_type_name, line->setting, line->value, is_contextual ? "" : " not",
        policy_setting_get(*index)->stand_in);
    return source;
}

// is_first returns whether a setting of an entry is reported for the first time.
static bool
is_first(policy_entry *source, size_t setting)
{
    unsigned bit = 1U << setting;
    return (atomic_fetch_or_explicit(&source->reported, bit, memory_order_relaxed) & bit) == 0;
}

void
policy_check_type(policy *self, const char *event_type_name, bool is_contextual)
{
    if (self == NULL) {
        return;
    }
    char text[TEXT_BYTES];
    policy_entry *source;
    for (size_t i = 0;
         (source = find_misplaced(self, event_type_name, is_contextual, &i, text)) != NULL; i++) {
        if (is_first(source, i)) {
            lp_log(LP_LOG_WARN, "%s: %s", self->path, text);
        }
    }
}

// --- Checking a file.

typedef struct checker {
    void (*on_problem)(void *arg, const char *text);
    void *arg;
    size_t problems;
} checker;

static void
on_warning(void *arg, const char *text)
{
    checker *c = arg;
    c->problems++;
    c->on_problem(c->arg, text);
}

// check_contextual checks what the file itself makes contextual: a type, or those of a pattern.
static void
check_contextual(const policy *rules, const char *name, checker *c)
{
    char text[TEXT_BYTES];
    policy_entry *source;
    bool is_contextual = policy_find(rules, name, false).contextual == POLICY_CONTEXTUAL_YES;
    for (size_t i = 0;
         is_contextual && (source = find_misplaced(rules, name, is_contextual, &i, text)) != NULL;
         i++) {
        if (is_first(source, i)) {
            on_warning(c, text);
        }
    }
}

static void
check_kinds(const policy *rules, checker *c)
{
    for (size_t i = 0; i < rules->types.count; i++) {
        check_contextual(rules, rules->types.items[i].name, c);
    }
    for (size_t i = 0; i < rules->patterns.count; i++) {
        check_contextual(rules, rules->patterns.items[i].name, c);
    }
}

lp_err
policy_check(const char *path, void (*on_problem)(void *arg, const char *text), void *arg,
    policy_check_counts *out_counts, lp_problem *out_problem)
{
    checker c = {.on_problem = on_problem, .arg = arg};
    const policy_jfc_listener listener = {.on_warning = on_warning, .arg = &c, .is_thorough = true};
    policy *rules = policy_create();
    if (rules == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    }
    lp_err err = policy_jfc_read(rules, path, &listener, out_problem);
    if (err == LP_OK) {
        check_kinds(rules, &c);
        *out_counts = (policy_check_counts){.settings = rules->lines.count, .problems = c.problems};
    }
    policy_destroy(rules);
    return err;
}
