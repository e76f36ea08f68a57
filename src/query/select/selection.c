// SPDX-License-Identifier: Apache-2.0
#include "query/select/selection.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "common/jfr/jfr_name.h"
#include "common/rollup/rollup_id.h"
#include "policy/policy_pattern.h"
#include "policy/policy_value.h"
#include "query/select/pool_name.h"
#include "query/select/request_id.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_THREADS = 1 << QUERY_UNIT_CONTEXTS | 1 << QUERY_UNIT_REQUESTS };

enum { NUMBER_BYTES = 64, TYPE_NAME_BYTES = 1024 };

typedef enum kind {
    KIND_TEXT,
    KIND_NAME, // may be empty
    KIND_TIME,
    KIND_TIMESPAN,
    KIND_NS,
    KIND_ID,
    KIND_REQUEST,
    KIND_WHERE,
} kind;

typedef enum of { OF_BOTH, OF_OPTIONS, OF_HTTP } of;

static const struct parameter {
    const char *name;
    kind kind;
    size_t offset; // of its value in a selection
    of of;
    uint8_t units; // to which it applies, by bit; 0: all
} parameters[] = {
    {"service", KIND_NAME, offsetof(query_selection, service), OF_BOTH},
    {"instance", KIND_TEXT, offsetof(query_selection, instance), OF_BOTH},
    {"version", KIND_NAME, offsetof(query_selection, version), OF_HTTP},
    {"service_version", KIND_NAME, offsetof(query_selection, version), OF_OPTIONS},
    {"recording", KIND_TEXT, offsetof(query_selection, recording), OF_BOTH},
    {"from", KIND_TIME, offsetof(query_selection, from_wall_ns), OF_BOTH},
    {"to", KIND_TIME, offsetof(query_selection, to_wall_ns), OF_BOTH},
    {"context", KIND_TEXT, offsetof(query_selection, context), OF_BOTH, NO_THREADS},
    {"where", KIND_WHERE, 0, OF_BOTH, NO_THREADS},
    {"min_duration", KIND_TIMESPAN, offsetof(query_selection, min_duration_ns), OF_OPTIONS,
        NO_THREADS},
    {"max_duration", KIND_TIMESPAN, offsetof(query_selection, max_duration_ns), OF_OPTIONS,
        NO_THREADS},
    {"min_duration_ns", KIND_NS, offsetof(query_selection, min_duration_ns), OF_HTTP, NO_THREADS},
    {"max_duration_ns", KIND_NS, offsetof(query_selection, max_duration_ns), OF_HTTP, NO_THREADS},
    {"trace", KIND_TEXT, offsetof(query_selection, trace), OF_BOTH, NO_THREADS},
    {"thread", KIND_TEXT, offsetof(query_selection, thread), OF_BOTH},
    {"pool", KIND_NAME, offsetof(query_selection, pool), OF_BOTH},
    {"id", KIND_ID, offsetof(query_selection, id), OF_HTTP, 1 << QUERY_UNIT_CONTEXTS},
    {"request", KIND_REQUEST, offsetof(query_selection, request), OF_BOTH,
        1 << QUERY_UNIT_REQUESTS},
};

enum { PARAMETER_COUNT = sizeof(parameters) / sizeof(parameters[0]) };

static_assert(PARAMETER_COUNT < 32, "`given` has a bit for each");

query_shown_name
query_selection_show_name(const query_selection *selection, const char *name)
{
    query_shown_name shown;
    (void)snprintf(shown.text, sizeof(shown.text), "%s%s%s", selection->is_of_options ? "--" : "",
        selection->is_base ? "base_" : "", name);
    for (char *c = shown.text; *c != '\0' && selection->is_of_options; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    return shown;
}

const char *
query_unit_name(query_unit unit)
{
    LP_ASSERT(unit < QUERY_UNITS);
    static const char *const names[QUERY_UNITS] = {"contexts", "threads", "requests"};
    return names[unit];
}

query_selection
query_selection_begin(bool is_of_options)
{
    return (query_selection){
        .is_of_options = is_of_options,
        .now_wall_ns = lp_time_now(),
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .max_duration_ns = INT64_MAX,
        .ended_wall_ns = INT64_MIN,
    };
}

// --- Reading

static lp_slice
without_blanks(const char *begin, const char *end)
{
    while (begin < end && *begin == ' ') {
        begin++;
    }
    while (begin < end && end[-1] == ' ') {
        end--;
    }
    return (lp_slice){(const uint8_t *)begin, (size_t)(end - begin)};
}

static bool
parse_number(lp_slice text, long double *out_number)
{
    char copy[NUMBER_BYTES];
    char *end;
    LP_REQUIRE(text.len != 0 && text.len < sizeof(copy) && !isspace(text.ptr[0]), false);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    if (strspn(copy, "+-.0123456789eE") != text.len) { // no hexadecimal, no names
        return false;
    }
    *out_number = strtold(copy, &end);
    return *end == '\0';
}

static const char *
find_op(const char *text, query_op *out_op, size_t *out_size)
{
    static const char signs[] = {[QUERY_OP_IS_NOT] = '!',
        [QUERY_OP_BEGINS] = '^',
        [QUERY_OP_AT_LEAST] = '>',
        [QUERY_OP_AT_MOST] = '<'};
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '=') {
            *out_op = QUERY_OP_IS;
            *out_size = 1;
            return at;
        }
        for (query_op op = QUERY_OP_IS_NOT; op <= QUERY_OP_AT_MOST; op++) {
            if (*at == signs[op] && at[1] == '=') {
                *out_op = op;
                *out_size = 2;
                return at;
            }
        }
    }
    return NULL;
}

static lp_err
set_where(query_selection *selection, const char *name, const char *text, lp_problem *problem)
{
    LP_ASSERT(selection->where_count <= QUERY_WHERE_MAX);
    LP_REQUIRE(selection->where_count != QUERY_WHERE_MAX,
        lp_problem_set(problem, LP_ECORRUPT, "%s: more than %d conditions", name, QUERY_WHERE_MAX));
    query_where *where = &selection->where[selection->where_count];
    size_t size;
    const char *op = find_op(text, &where->op, &size);
    if (op != NULL) {
        where->key = without_blanks(text, op);
        where->value = without_blanks(op + size, op + strlen(op));
    }
    const lp_quote quote = lp_quote_text(text);
    LP_REQUIRE(op != NULL && where->key.len != 0,
        lp_problem_set(problem, LP_ECORRUPT,
            "%s '%s': not KEY OP VALUE, with one of = != ^= >= <= as OP", name, quote.text));
    bool is_order = where->op == QUERY_OP_AT_LEAST || where->op == QUERY_OP_AT_MOST;
    LP_REQUIRE(!is_order || parse_number(where->value, &where->number),
        lp_problem_set(
            problem, LP_ECORRUPT, "%s '%s': >= and <= compare with a number", name, quote.text));
    selection->where_count++;
    return LP_OK;
}

static bool
parse_ns(const char *text, int64_t *out_ns)
{
    size_t len = strspn(text, "0123456789");
    errno = 0;
    *out_ns = strtoll(text, NULL, 10);
    return len > 0 && text[len] == '\0' && errno == 0;
}

// parse_value writes a value that has a form. Returns false if value does not have it.
static bool
parse_value(query_selection *selection, const struct parameter *p, const char *value)
{
    void *out = (char *)selection + p->offset;
    switch (p->kind) {
    case KIND_TIME:
        return policy_value_time(value, selection->now_wall_ns, out);
    case KIND_TIMESPAN:
        return policy_value_timespan(value, out);
    case KIND_NS:
        return parse_ns(value, out);
    case KIND_ID:
        selection->has_id = true;
        return ctx_ref_parse(value, out);
    case KIND_REQUEST:
        selection->has_request = true;
        return query_request_id_parse((lp_slice){(const uint8_t *)value, strlen(value)}, out);
    case KIND_TEXT:
    case KIND_NAME:
    case KIND_WHERE:
        break;
    }
    return false;
}

static lp_err
set_value(query_selection *selection, const struct parameter *p, const char *name,
    const char *value, lp_problem *problem)
{
    LP_ASSERT(p->offset < sizeof(*selection));
    static const char *const forms[] = {
        [KIND_TIME] = (POLICY_VALUE_TIMES),
        [KIND_TIMESPAN] = POLICY_VALUE_TIMESPANS,
        [KIND_NS] = "a whole number of nanoseconds",
        [KIND_ID] = "the id of a context",
        [KIND_REQUEST] = "the id of a request",
    };
    if (p->kind == KIND_WHERE) {
        return set_where(selection, name, value, problem);
    }
    if (p->kind == KIND_NAME || p->kind == KIND_TEXT) {
        *(const char **)((char *)selection + p->offset) = value;
        return p->kind == KIND_NAME || value[0] != '\0'
                   ? LP_OK
                   : lp_problem_set(problem, LP_ECORRUPT, "%s: a text is needed", name);
    }
    return parse_value(selection, p, value)
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT, "%s '%s': not %s", name,
                     lp_quote_text(value).text, forms[p->kind]);
}

static bool
is_there(const query_selection *selection, const struct parameter *p)
{
    return p->of == OF_BOTH || (p->of == OF_OPTIONS) == selection->is_of_options;
}

static lp_err
refuse_unknown(const query_selection *selection, const char *name, lp_problem *problem)
{
    char names[PARAMETER_COUNT * QUERY_NAME_BYTES] = "";
    size_t len = 0;
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        query_shown_name shown = query_selection_show_name(selection, parameters[i].name);
        len += is_there(selection, &parameters[i])
                   ? (size_t)snprintf(
                         names + len, sizeof(names) - len, "%s%s", i == 0 ? "" : ", ", shown.text)
                   : 0;
    }
    return lp_problem_set(problem, LP_ENOENT, "%s%s: not one of %s",
        selection->is_base ? "base_" : "", lp_quote_text(name).text, names);
}

lp_err
query_selection_set(
    query_selection *selection, const char *name, const char *value, lp_problem *out_problem)
{
    LP_ASSERT(selection->where_count <= QUERY_WHERE_MAX);
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        const struct parameter *p = &parameters[i];
        if (strcmp(name, p->name) != 0 || !is_there(selection, p)) {
            continue;
        }
        query_shown_name shown = query_selection_show_name(selection, name);
        uint32_t bit = (uint32_t)1 << i;
        LP_REQUIRE((selection->given & bit) == 0 || p->kind == KIND_WHERE,
            lp_problem_set(out_problem, LP_ECORRUPT, "%s: given twice", shown.text));
        selection->given |= bit;
        return set_value(selection, p, shown.text, value, out_problem);
    }
    return refuse_unknown(selection, name, out_problem);
}

static bool
is_same(lp_slice a, lp_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static bool
contradicts(const query_where *a, const query_where *b)
{
    LP_REQUIRE(is_same(a->key, b->key), false);
    if (a->op == QUERY_OP_AT_LEAST && b->op == QUERY_OP_AT_MOST) {
        return a->number > b->number;
    }
    bool is_other =
        b->op == QUERY_OP_IS_NOT ? is_same(a->value, b->value) : !is_same(a->value, b->value);
    return a->op == QUERY_OP_IS && (b->op == QUERY_OP_IS || b->op == QUERY_OP_IS_NOT) && is_other;
}

static lp_err
check_where(const query_selection *selection, lp_problem *problem)
{
    query_shown_name shown = query_selection_show_name(selection, "where");
    for (size_t i = 0; i < selection->where_count; i++) {
        for (size_t k = 0; k < selection->where_count; k++) {
            const query_where *where = &selection->where[i];
            if (i != k && contradicts(where, &selection->where[k])) {
                return lp_problem_set(problem, LP_ECORRUPT,
                    "%s: two conditions on %s that no value satisfies", shown.text,
                    lp_quote_bytes(where->key).text);
            }
        }
    }
    return LP_OK;
}

const char *
query_selection_given(const query_selection *selection)
{
    LP_ASSERT(selection->given < (uint32_t)1 << PARAMETER_COUNT);
    return selection->given == 0 ? NULL : parameters[__builtin_ctz(selection->given)].name;
}

// find_of_others returns a parameter that was set and does not apply to the unit; NULL if there is
// none.
static const struct parameter *
find_of_others(const query_selection *selection)
{
    return LP_FIND(parameters, LP_COUNT(parameters),
        (selection->given >> (at - parameters) & 1) != 0 && at->units != 0 &&
            (at->units & 1 << selection->unit) == 0);
}

lp_err
query_selection_check(const query_selection *selection, lp_problem *out_problem)
{
    LP_ASSERT(selection->where_count <= QUERY_WHERE_MAX);
    LP_ASSERT(selection->unit < QUERY_UNITS);
    const struct parameter *other = find_of_others(selection);
    if (other != NULL) {
        bool is_of_contexts = (other->units & 1 << QUERY_UNIT_CONTEXTS) != 0;
        return lp_problem_set(out_problem, LP_ECORRUPT, "%s: only of %s, not of %s",
            query_selection_show_name(selection, other->name).text,
            query_unit_name(is_of_contexts ? QUERY_UNIT_CONTEXTS : QUERY_UNIT_REQUESTS),
            query_unit_name(selection->unit));
    }
    LP_REQUIRE(selection->from_wall_ns < selection->to_wall_ns,
        lp_problem_set(out_problem, LP_ECORRUPT, "%s: not before %s",
            query_selection_show_name(selection, "from").text,
            query_selection_show_name(selection, "to").text));
    if (selection->min_duration_ns > selection->max_duration_ns) {
        bool is_of_options = selection->is_of_options;
        const char *min = is_of_options ? "min_duration" : "min_duration_ns";
        const char *max = is_of_options ? "max_duration" : "max_duration_ns";
        return lp_problem_set(out_problem, LP_ECORRUPT, "%s: longer than %s",
            query_selection_show_name(selection, min).text,
            query_selection_show_name(selection, max).text);
    }
    return check_where(selection, out_problem);
}

// --- Matching

// is_name returns whether a type has a name, which may have the spelling of recordings or of Java.
static bool
is_name(const char *name, const char *type_name)
{
    char spelled[TYPE_NAME_BYTES]; // a longer name is cut, and matches no type
    if (strcmp(name, type_name) == 0) {
        return true;
    }
    jfr_type_name_copy(spelled, sizeof(spelled), name);
    return strcmp(spelled, type_name) == 0;
}

bool
query_selection_has_type(const query_selection *selection, const char *type_name)
{
    const char *dot = strrchr(type_name, '.');
    return selection->context == NULL || is_name(selection->context, type_name) ||
           (dot != NULL && is_name(selection->context, dot + 1));
}

bool
query_selection_needs_thread(const query_selection *selection)
{
    return selection->thread != NULL || selection->pool != NULL;
}

static bool
is_of_pool(const query_selection *selection, const char *thread_name)
{
    char pool[QUERY_POOL_NAME_BYTES];
    if (selection->pool == NULL) {
        return true;
    }
    query_pool_name(thread_name, pool);
    return strcmp(selection->pool, pool) == 0;
}

bool
query_selection_has_thread(
    const query_selection *selection, const char *thread_name, int64_t java_id)
{
    LP_REQUIRE(is_of_pool(selection, thread_name), false);
    if (selection->thread == NULL || policy_pattern_matches(selection->thread, thread_name)) {
        return true;
    }
    char number[NUMBER_BYTES];
    (void)snprintf(number, sizeof(number), "%lld", (long long)java_id);
    return java_id != 0 && strcmp(selection->thread, number) == 0;
}

bool
query_selection_has_times(
    const query_selection *selection, int64_t begin_wall_ns, int64_t duration_ns)
{
    int64_t end_wall_ns;
    if (__builtin_add_overflow(begin_wall_ns, duration_ns, &end_wall_ns)) {
        end_wall_ns = duration_ns < 0 ? INT64_MIN : INT64_MAX;
    }
    return begin_wall_ns >= selection->from_wall_ns && begin_wall_ns < selection->to_wall_ns &&
           end_wall_ns >= selection->ended_wall_ns && duration_ns >= selection->min_duration_ns &&
           duration_ns <= selection->max_duration_ns;
}

bool
query_selection_needs_attributes(const query_selection *selection)
{
    return selection->where_count > 0 || selection->trace != NULL || selection->any_id != NULL;
}

static bool
is_named(const query_attribute *attribute, lp_slice key)
{
    const lp_slice name = {(const uint8_t *)attribute->name, strlen(attribute->name)};
    const lp_slice label = {(const uint8_t *)attribute->label, strlen(attribute->label)};
    return is_same(name, key) || (label.len > 0 && is_same(label, key));
}

// holds returns whether an attribute meets a condition. attribute: NULL if it is missing.
static bool
holds(const query_where *where, const query_attribute *attribute)
{
    long double number;
    if (attribute == NULL || attribute->is_null) {
        return where->op == QUERY_OP_IS_NOT;
    }
    lp_slice value = attribute->value;
    switch (where->op) {
    case QUERY_OP_IS:
        return is_same(value, where->value);
    case QUERY_OP_IS_NOT:
        return !is_same(value, where->value);
    case QUERY_OP_BEGINS:
        return value.len >= where->value.len &&
               is_same((lp_slice){value.ptr, where->value.len}, where->value);
    case QUERY_OP_AT_LEAST:
        return parse_number(value, &number) && number >= where->number;
    case QUERY_OP_AT_MOST:
        break;
    }
    return parse_number(value, &number) && number <= where->number;
}

bool
query_attribute_has_id(const query_attribute *attribute, const char *id)
{
    return !attribute->is_null && attribute->value.len == strlen(id) &&
           strncasecmp((const char *)attribute->value.ptr, id, attribute->value.len) == 0;
}

static bool
has_ids(const query_selection *selection, const query_attribute *attributes, size_t count)
{
    bool is_traced = selection->trace == NULL;
    bool has_any = selection->any_id == NULL;
    for (size_t i = 0; i < count && !(is_traced && has_any); i++) {
        const query_attribute *a = &attributes[i];
        is_traced = is_traced ||
                    (rollup_id_is_trace(a->name) && query_attribute_has_id(a, selection->trace));
        has_any = has_any || (a->is_id && query_attribute_has_id(a, selection->any_id));
    }
    return is_traced && has_any;
}

bool
query_selection_has_attributes(
    const query_selection *selection, const query_attribute *attributes, size_t count)
{
    LP_ASSERT(selection->where_count <= QUERY_WHERE_MAX);
    for (size_t i = 0; i < selection->where_count; i++) {
        const query_where *where = &selection->where[i];
        size_t k = 0;
        while (k < count && !is_named(&attributes[k], where->key)) {
            k++;
        }
        if (!holds(where, k < count ? &attributes[k] : NULL)) {
            return false;
        }
    }
    return has_ids(selection, attributes, count);
}
