// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_check.h"

#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "policy/policy_jdk.h"
#include "policy/policy_jfc.h"
#include "policy/policy_known.h"
#include "policy/policy_pattern.h"
#include "policy/policy_store.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2048, PLACE_BYTES = 32 };

typedef struct place {
    char text[PLACE_BYTES];
} place;

// place_of returns the place of a line; "" if it is in no file (policy_add).
static place
place_of(const policy_line *line)
{
    place p = {.text = ""};
    if (line->number > 0) {
        (void)snprintf(p.text, sizeof(p.text), "line %lu: ", line->number);
    }
    return p;
}

// find_misplaced finds the next setting, from *index on, that is not valid for that kind of type,
// writes a warning to text, and returns its entry; NULL: there is none.
static policy_entry *
find_misplaced(const policy *self, const char *event_type_name, bool is_contextual, size_t *index,
    char text[TEXT_BYTES])
{
    is_contextual = is_contextual || policy_is_contextual(self, event_type_name, false);
    policy_event event = policy_find(self, event_type_name, is_contextual);
    while (*index < POLICY_SETTING_COUNT &&
           !policy_setting_is_misplaced(*index, &event, is_contextual)) {
        (*index)++;
    }
    LP_REQUIRE(*index != POLICY_SETTING_COUNT, NULL);
    policy_name name;
    policy_name_init(&name, event_type_name);
    policy_entry *source = policy_store_find_source(self, &name, is_contextual, *index);
    const policy_line *line = &self->lines.items[source->lines[*index] - 1];
    (void)snprintf(text, TEXT_BYTES,
        "%sevent type %s, setting %s: invalid value '%.200s' for a %s, expected %s; using %s",
        place_of(line).text, event_type_name, line->setting, line->value,
        is_contextual ? "contextual type" : "type that is not contextual",
        policy_setting_allowed(*index, is_contextual), policy_setting_get(*index)->stand_in);
    return source;
}

// is_first returns whether a setting of an entry is reported for the first time.
static bool
is_first(policy_entry *source, size_t setting)
{
    unsigned bit = 1U << setting;
    return (atomic_fetch_or_explicit(&source->reported, bit, memory_order_relaxed) & bit) == 0;
}

// check_type reports the settings that are not valid for that kind of type, each once.
static void
check_type(policy *self, const char *event_type_name, bool is_contextual,
    const policy_jfc_listener *listener)
{
    char text[TEXT_BYTES];
    policy_entry *source;
    for (size_t i = 0;
         (source = find_misplaced(self, event_type_name, is_contextual, &i, text)) != NULL; i++) {
        if (is_first(source, i)) {
            listener->on_warning(listener->arg, text);
        }
    }
}

static void
log_warning(void *arg, const char *text)
{
    const policy *self = arg;
    if (!self->is_told) {
        lp_log(LP_LOG_WARN, "%s: %s", self->path, text);
    }
}

void
policy_check_type(policy *self, const char *event_type_name, bool is_contextual)
{
    const policy_jfc_listener listener = {.on_warning = log_warning, .arg = self};
    if (self != NULL) {
        check_type(self, event_type_name, is_contextual, &listener);
    }
}

static void
warn_of_events(policy *self, const char *type_name, const policy_entry *source, size_t setting)
{
    char text[TEXT_BYTES];
    const policy_line *line = &self->lines.items[source->lines[setting] - 1];
    const char *used = policy_setting_of_contexts(setting);
    (void)snprintf(text, sizeof(text),
        "%sevent type %s, setting %s: invalid value '%.200s' for contexts of the Java API, "
        "expected %s; using %s",
        place_of(line).text, type_name, line->setting, line->value, used, used);
    log_warning(self, text);
}

void
policy_check_api_type(policy *self, const char *type_name)
{
    policy_name name;
    policy_name_init(&name, type_name);
    for (size_t i = 0; self != NULL && i < POLICY_SETTING_COUNT; i++) {
        policy_entry *source = policy_store_find_source(self, &name, true, i);
        if (source != NULL && !policy_pattern_is_all(source->name) &&
            policy_setting_is_of_events(i, &source->event) && is_first(source, i)) {
            warn_of_events(self, type_name, source, i);
        }
    }
}

void
policy_check_index(policy *self, const char *type_name, const char *attribute)
{
    char text[TEXT_BYTES];
    size_t setting = policy_setting_find(type_name, "context-index");
    policy_name name;
    policy_name_init(&name, type_name);
    policy_entry *source = self == NULL ? NULL : policy_store_find_type(self, &name);
    if (source == NULL || source->lines[setting] == 0 || !is_first(source, setting)) {
        return;
    }
    const policy_line *line = &self->lines.items[source->lines[setting] - 1];
    (void)snprintf(text, sizeof(text),
        "%sevent type %s, setting %s: '%.200s' names %.100s, which is not an attribute of the type",
        place_of(line).text, type_name, line->setting, line->value, attribute);
    log_warning(self, text);
}

// --- Names that no JVM has

enum { UNMET_LOGGED_MAX = 20 }; // names of a file; further ones are only counted

static const int64_t UNMET_AFTER_NS = 600 * (int64_t)1000000000;
static const int64_t UNMET_TOLD_EVERY_NS =
    60 * (int64_t)1000000000; // of policies from JVMs, at most

static void
warn_unmet(policy *self, const policy_entry *entry)
{
    char text[TEXT_BYTES];
    const char *meant = NULL;
    (void)policy_known_is_no_event(entry->name, &meant);
    (void)snprintf(text, sizeof(text),
        "%sevent type %s: not found in any JVM so far" POLICY_KNOWN_HINT,
        place_of(&self->lines.items[entry->first_line]).text, entry->name,
        POLICY_KNOWN_HINT_ARGS(meant));
    lp_log(LP_LOG_WARN, "%s: %s", self->path, text);
}

// is_unmet returns whether no JVM had the type of an entry, and it is not one that many JVMs lack.
static bool
is_unmet(const policy_entry *entry)
{
    return !atomic_load_explicit(&entry->is_met, memory_order_relaxed) &&
           !policy_known_has_event(entry->name);
}

// check_file logs a line for each name of a file.
static void
check_file(policy *self)
{
    size_t logged = 0;
    policy_entry *entry;
    for (size_t i = 0; (entry = policy_store_get(self, i)) != NULL; i++) {
        if (is_unmet(entry) && is_first(entry, POLICY_STORE_UNMET_BIT) &&
            logged++ < UNMET_LOGGED_MAX) {
            warn_unmet(self, entry);
        }
    }
    if (logged > UNMET_LOGGED_MAX) {
        lp_log(LP_LOG_WARN, "%s: %zu more event types not found in any JVM so far", self->path,
            logged - UNMET_LOGGED_MAX);
    }
}

// take_turn returns whether a line about a JVM's policy may be logged now, and notes that it is.
// A policy gets one line, even if it is parsed again.
static bool
take_turn(policy *self, policy_unmet_log *log, int64_t now_wall_ns)
{
    uint64_t id = lp_hash_text(LP_HASH_FIXED, self->path);
    for (size_t i = 0; i < self->lines.count; i++) {
        id = lp_hash_text(id, self->lines.items[i].event);
    }
    for (size_t i = 0; i < POLICY_UNMET_TOLD_MAX; i++) {
        if (log->told[i] == id) {
            self->is_unmet_over = true;
            return false;
        }
    }
    if (now_wall_ns < log->quiet_wall_ns &&
        log->quiet_wall_ns - now_wall_ns <= UNMET_TOLD_EVERY_NS) {
        return false; // a later chunk may log it
    }
    log->told[log->next] = id;
    log->next = (log->next + 1) % POLICY_UNMET_TOLD_MAX;
    log->quiet_wall_ns = now_wall_ns + UNMET_TOLD_EVERY_NS;
    self->is_unmet_over = true;
    return true;
}

// check_told logs one line for a policy from a JVM, since anybody may send many large ones.
static void
check_told(policy *self, int64_t now_wall_ns, const char *source, policy_unmet_log *log)
{
    const policy_entry *first = NULL;
    size_t count = 0;
    if (self->is_unmet_over) {
        return;
    }
    const policy_entry *entry;
    for (size_t i = 0; (entry = policy_store_get(self, i)) != NULL; i++) {
        if (is_unmet(entry)) {
            first = first == NULL ? entry : first;
            count++;
        }
    }
    if (count == 0 || !take_turn(self, log, now_wall_ns)) {
        return;
    }
    char more[64] = "";
    if (count > 1) {
        (void)snprintf(more, sizeof(more), ", nor are %zu more of its names", count - 1);
    }
    lp_log(LP_LOG_WARN, "%s: event type %.200s: not found in any JVM so far%s", source, first->name,
        more);
}

void
policy_check_unmet(
    policy *self, bool is_over, int64_t now_wall_ns, const char *source, policy_unmet_log *log)
{
    if (self == NULL) {
        return;
    }
    int_fast64_t since_ns = 0;
    if (atomic_compare_exchange_strong_explicit(&self->used_wall_ns, &since_ns, now_wall_ns,
            memory_order_relaxed, memory_order_relaxed)) {
        since_ns = now_wall_ns;
    }
    if (!is_over && now_wall_ns - since_ns < UNMET_AFTER_NS) {
        return;
    }
    if (self->is_told) {
        check_told(self, now_wall_ns, source, log);
    } else {
        check_file(self);
    }
}

// --- Reading

// check_said checks a type or pattern if the policy itself sets `contextual`.
static void
check_said(policy *self, const char *name, const policy_jfc_listener *listener)
{
    policy_contextual said = policy_find(self, name, false).contextual;
    if (said != POLICY_CONTEXTUAL_UNSAID) {
        check_type(self, name, said == POLICY_CONTEXTUAL_YES, listener);
    }
}

static void
check_all_said(policy *self, const policy_jfc_listener *listener)
{
    const policy_entry *entry;
    for (size_t i = 0; (entry = policy_store_get(self, i)) != NULL; i++) {
        check_said(self, entry->name, listener);
    }
}

lp_err
policy_parse(policy *self, const char *path, lp_slice text, lp_problem *out_problem)
{
    const policy_jfc_listener listener = {.on_warning = log_warning, .arg = self};
    lp_err err = policy_jfc_parse(self, path, text, &listener, out_problem);
    if (err == LP_OK && !self->is_told) {
        check_all_said(self, &listener);
    }
    return err;
}

lp_err
policy_read(policy *self, const char *path, lp_problem *out_problem)
{
    const policy_jfc_listener listener = {.on_warning = log_warning, .arg = self};
    lp_err err = policy_jfc_read(self, path, &listener, out_problem);
    if (err == LP_OK) {
        check_all_said(self, &listener);
    }
    return err;
}

lp_err
policy_add(
    policy *self, const char *origin, const char *event, const char *setting, const char *value)
{
    policy_invalid invalid;
    const policy_line line = {
        .event = (char *)(uintptr_t)event, // not written to
        .setting = setting,
        .value = value,
    };
    lp_err err = policy_store_set_path(self, origin);
    LP_THEN(err, policy_store_add(self, &line, &invalid));
    if (err == LP_OK && invalid.valid != NULL) {
        lp_log(LP_LOG_WARN,
            "%s: event type %s, setting %s: invalid value '%.200s', expected %s; using %s", origin,
            event, setting, value, invalid.valid, invalid.stand_in);
    }
    return err;
}

// --- Checking a file

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

// check_jdk checks the settings of the JDK's types, of which only jdk.MethodTrace is contextual.
static void
check_jdk(policy *rules, const policy_jfc_listener *listener)
{
    const char *name;
    for (size_t i = 0; (name = policy_jdk_name(i)) != NULL; i++) {
        if (strcmp(name, "jdk.MethodTrace") != 0) {
            check_type(rules, name, policy_is_contextual(rules, name, false), listener);
        }
    }
}

// check checks a text, or the file at path if text is NULL.
static lp_err
check(const char *path, const lp_slice *text, void (*on_problem)(void *arg, const char *text),
    void *arg, policy_check_counts *out_counts, lp_problem *out_problem)
{
    checker c = {.on_problem = on_problem, .arg = arg};
    const policy_jfc_listener listener = {.on_warning = on_warning, .arg = &c, .is_thorough = true};
    policy *rules = policy_create();
    LP_REQUIRE(rules != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path));
    lp_err err = text == NULL ? policy_jfc_read(rules, path, &listener, out_problem)
                              : policy_jfc_parse(rules, path, *text, &listener, out_problem);
    if (err == LP_OK) {
        check_all_said(rules, &listener);
        check_jdk(rules, &listener);
        *out_counts = (policy_check_counts){.settings = rules->lines.count, .problems = c.problems};
    }
    policy_destroy(rules);
    return err;
}

lp_err
policy_check(const char *path, void (*on_problem)(void *arg, const char *text), void *arg,
    policy_check_counts *out_counts, lp_problem *out_problem)
{
    return check(path, NULL, on_problem, arg, out_counts, out_problem);
}

lp_err
policy_check_text(const char *path, lp_slice text, void (*on_problem)(void *arg, const char *text),
    void *arg, policy_check_counts *out_counts, lp_problem *out_problem)
{
    return check(path, &text, on_problem, arg, out_counts, out_problem);
}
