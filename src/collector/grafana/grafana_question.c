// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_question.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_BYTES = 24,
    NAME_BYTES = 48,
    CONDITION_BYTES = 2048, // of an attribute: KEY=VALUE
    PROFILE_BYTES = 128,
    REQUEST_ID_CHARS = 16,
    SPAN_CHARS = 16,
};

static const int64_t NS_PER_MS = 1000000;

#define ATTRIBUTE_ENDS "=!^<>" // they end the name of an attribute in a condition

// A label that is a parameter of questions.
typedef struct label {
    const char *name;
    const char *parameter; // NULL: the caller reads it
    bool is_of_jvms;       // lists of labels have it, too
    bool is_of_contexts;   // it selects contexts, not threads
} label;

static const label labels[] = {
    {"__profile_type__", NULL, true, false},
    {"service_name", "service", true, false},
    {"instance", "instance", true, false},
    {"version", "version", true, false},
    {"recording", "recording", true, false},
    {"context", "context", true, true},
    {"thread", "thread", false, false},
    {"pool", "pool", false, false},
};

static const label attribute = {"", "where", false, true};

static const label *
find_label(const char *name)
{
    const label *found = LP_FIND(labels, LP_COUNT(labels), strcmp(at->name, name) == 0);
    return found == NULL ? &attribute : found;
}

static void
question_check(const grafana_question *self)
{
    LP_ASSERT(self->problem != NULL && self->prefix != NULL);
    LP_ASSERT(self->err != LP_OK || self->query != NULL);
}

grafana_question
grafana_question_begin(const ask_route *route, lp_problem *problem)
{
    LP_ASSERT(route->set_rest == NULL && problem != NULL);
    grafana_question self = {.prefix = "", .problem = problem};
    self.err = ask_query_create(route, "", false, &self.query, problem);
    return self;
}

void
grafana_question_set(grafana_question *self, const char *name, const char *value)
{
    question_check(self);
    char whole[NAME_BYTES];
    (void)snprintf(whole, sizeof(whole), "%s%s", self->prefix, name);
    LP_THEN(self->err, ask_query_set(self->query, whole, value, self->problem));
}

void
grafana_question_set_whole(grafana_question *self, const char *name, int64_t value)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof(text), "%" PRId64, value);
    grafana_question_set(self, name, text);
}

void
grafana_question_set_time(grafana_question *self, int64_t start_ms, int64_t end_ms)
{
    question_check(self);
    if (start_ms == 0 && end_ms == 0) {
        return;
    }
    if (start_ms < 0 || end_ms <= start_ms || end_ms > GRAFANA_END_MS_MAX) {
        LP_THEN(self->err, lp_problem_set(self->problem, LP_ECORRUPT,
                               "start and end: not a range of milliseconds since 1970"));
        return;
    }
    grafana_question_set_whole(self, "from", start_ms * NS_PER_MS);
    grafana_question_set_whole(self, "to", end_ms * NS_PER_MS);
}

// is_text returns whether a condition means the same for Loupe and for Prometheus, where "" is also
// the value of a label that is missing. Conditions lose blanks at their ends.
static bool
is_text(const char *value)
{
    size_t len = strlen(value);
    return len > 0 && value[0] != ' ' && value[len - 1] != ' ';
}

bool
grafana_question_is_attribute(const char *name)
{
    return find_label(name) == &attribute;
}

bool
grafana_question_can_select(const char *name, const char *value)
{
    return !grafana_question_is_attribute(name) ||
           (is_text(value) && strpbrk(name, ATTRIBUTE_ENDS) == NULL &&
               strlen(name) + strlen(value) + 2 < CONDITION_BYTES);
}

// set_matcher sets the parameter of a label, or a condition on an attribute.
static void
set_matcher(grafana_question *self, const grafana_matcher *matcher)
{
    question_check(self);
    char condition[CONDITION_BYTES];
    const label *of = find_label(matcher->name);
    if (of->parameter == NULL) {
        return;
    }
    bool is_any = matcher->is_not && matcher->value[0] == '\0';
    if (is_any && of != &attribute && strcmp(of->name, "version") != 0) {
        return; // these labels always have a value
    }
    if (of != &attribute) {
        LP_THEN(self->err, matcher->is_not
                               ? lp_problem_set(self->problem, LP_ECORRUPT,
                                     "label selector: %s: only = is supported", of->name)
                               : LP_OK);
        grafana_question_set(self, of->parameter, matcher->value);
        return;
    }
    LP_THEN(
        self->err, is_text(matcher->value)
                       ? LP_OK
                       : lp_problem_set(self->problem, LP_EVERSION,
                             "label selector: %s: no value, or a blank at an end, is not supported",
                             lp_quote_text(matcher->name).text));
    int len = snprintf(condition, sizeof(condition), "%s%s%s", matcher->name,
        matcher->is_not ? "!=" : "=", matcher->value);
    LP_THEN(self->err, len >= CONDITION_BYTES || strpbrk(matcher->name, ATTRIBUTE_ENDS) != NULL
                           ? lp_problem_set(self->problem, LP_ECORRUPT,
                                 "label selector: %s: no attribute has this name or value",
                                 lp_quote_text(matcher->name).text)
                           : LP_OK);
    grafana_question_set(self, of->parameter, condition);
}

void
grafana_question_set_jvms(grafana_question *self, const grafana_selector *selector)
{
    question_check(self);
    for (size_t i = 0; i < selector->count; i++) {
        const grafana_matcher *matcher = &selector->matchers[i];
        if (find_label(matcher->name)->is_of_jvms) {
            set_matcher(self, matcher);
        }
    }
}

lp_err
grafana_question_find_type(
    const char *type_id, const grafana_type **out_type, lp_problem *out_problem)
{
    *out_type = grafana_types_find(type_id);
    return *out_type != NULL ? LP_OK
                             : lp_problem_set(out_problem, LP_ECORRUPT,
                                   "unknown profile type '%s': ProfileTypes lists the types",
                                   lp_quote_text(type_id).text);
}

// set_profile selects the context or the request of an exemplar. Returns its unit.
static const char *
set_profile(grafana_question *self, const char *profile)
{
    question_check(self);
    char recording[PROFILE_BYTES] = "";
    const char *slash = strchr(profile, '/');
    if (slash == NULL || slash - profile >= PROFILE_BYTES) {
        LP_THEN(self->err, lp_problem_set(self->problem, LP_ECORRUPT,
                               "profile id selector: not the profile id of an exemplar"));
        return "contexts";
    }
    bool is_request = strlen(slash + 1) == REQUEST_ID_CHARS && strchr(slash, '-') == NULL;
    memcpy(recording, profile, (size_t)(slash - profile));
    grafana_question_set(self, "recording", recording);
    grafana_question_set(self, is_request ? "request" : "id", slash + 1);
    return is_request ? "requests" : "contexts";
}

// set_span selects contexts by their local root, as contexts of OpenTelemetry have it.
static void
set_span(grafana_question *self, const char *span)
{
    question_check(self);
    char condition[NAME_BYTES] = "local_root_span_id=";
    size_t len = strlen(condition);
    bool is_id = strlen(span) == SPAN_CHARS && strspn(span, "0123456789abcdefABCDEF") == SPAN_CHARS;
    LP_THEN(self->err, is_id ? LP_OK
                             : lp_problem_set(self->problem, LP_ECORRUPT,
                                   "span selector: not %d hexadecimal digits", SPAN_CHARS));
    for (size_t i = 0; is_id && i <= SPAN_CHARS; i++) {
        condition[len + i] = (char)tolower(span[i]);
    }
    grafana_question_set(self, "where", condition);
}

// set_spans selects contexts by the ids of a wish. Returns the unit, or NULL if it has none.
static const char *
set_spans(grafana_question *self, const grafana_wish *wish)
{
    question_check(self);
    if (wish->trace != NULL) {
        grafana_question_set(self, "trace", wish->trace);
    }
    if (wish->span != NULL) {
        set_span(self, wish->span);
    }
    return wish->profile != NULL                       ? set_profile(self, wish->profile)
           : wish->trace != NULL || wish->span != NULL ? "contexts"
                                                       : NULL;
}

// set_wish sets the conditions of a wish. Returns the unit that they demand.
static const char *
set_wish(grafana_question *self, const char *prefix, const grafana_wish *wish)
{
    question_check(self);
    LP_ASSERT(self->prefix[0] == '\0');
    grafana_selector selector = {0};
    const grafana_type *type = NULL;
    self->prefix = prefix;
    LP_THEN(self->err, grafana_question_find_type(wish->type_id, &type, self->problem));
    LP_THEN(self->err,
        wish->end_ms > 0 ? LP_OK
                         : lp_problem_set(self->problem, LP_ECORRUPT, "start and end are needed"));
    LP_THEN(self->err, grafana_selector_read(&selector, wish->selector, self->problem));
    grafana_question_set_time(self, wish->start_ms, wish->end_ms);
    bool is_of_threads = type != NULL && type->is_of_threads;
    for (size_t i = 0; self->err == LP_OK && i < selector.count; i++) {
        is_of_threads &= !find_label(selector.matchers[i].name)->is_of_contexts;
        set_matcher(self, &selector.matchers[i]);
    }
    grafana_selector_fini(&selector);
    if (self->err == LP_OK && wish->group != NULL) {
        const grafana_matcher matcher = {.name = wish->group, .value = wish->group_value};
        is_of_threads &= !find_label(matcher.name)->is_of_contexts;
        set_matcher(self, &matcher);
    }
    const char *unit = set_spans(self, wish);
    self->prefix = "";
    return unit != NULL ? unit : is_of_threads ? "threads" : "contexts";
}

void
grafana_question_set_numbers(grafana_question *self, const grafana_wish *wish)
{
    (void)set_wish(self, "", wish);
}

void
grafana_question_set_graph(
    grafana_question *self, const grafana_wish *wish, const grafana_wish *base)
{
    question_check(self);
    const grafana_type *type = grafana_types_find(wish->type_id);
    const char *unit = set_wish(self, "", wish);
    const char *base_unit = base == NULL ? unit : set_wish(self, "base_", base);
    bool is_same = strcmp(unit, base_unit) == 0;
    LP_THEN(self->err, base == NULL || strcmp(wish->type_id, base->type_id) == 0
                           ? LP_OK
                           : lp_problem_set(self->problem, LP_ECORRUPT,
                                 "left and right have different profile types"));
    if (self->err == LP_OK) {
        LP_ASSERT(type->value != NULL);
        grafana_question_set(self, "value", type->value);
        grafana_question_set(self, "unit", is_same ? unit : "contexts");
    }
}

lp_err
grafana_question_finish(grafana_question *self, ask_query **out_query)
{
    question_check(self);
    LP_ASSERT(self->prefix[0] == '\0');
    LP_THEN(self->err, ask_query_finish(self->query, self->problem));
    if (self->err == LP_OK) {
        *out_query = self->query;
        return LP_OK;
    }
    ask_query_destroy(self->query);
    return self->err == LP_ENOENT ? LP_ECORRUPT : self->err; // an unknown parameter
}
