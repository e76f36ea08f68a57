// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_query.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "query/frames/application.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Parameters of a route

lp_err
ask_query_choice(const char *name, const char *value, const char *const *words, size_t count,
    size_t *out_index, lp_problem *problem)
{
    LP_ASSERT(count > 0);
    lp_err err = lp_problem_set(
        problem, LP_ECORRUPT, "%s '%s': not one of", name, lp_quote_text(value).text);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out_index = i;
            return LP_OK;
        }
        size_t len = strlen(problem->text);
        (void)snprintf(
            problem->text + len, sizeof(problem->text) - len, "%s %s", i == 0 ? "" : ",", words[i]);
    }
    return err;
}

lp_err
ask_query_set_packages(void *out_value, const char *name, const char *value, lp_problem *problem)
{
    lp_err err = query_application_check(name, value, problem);
    *(const char **)out_value = err == LP_OK ? value : NULL;
    return err;
}

const ask_parameter ask_query_packages[] = {{"app", ASK_OTHER, .set = ask_query_set_packages}, {0}};

static lp_err
read_number(const ask_parameter *p, const char *value, int64_t *out_number, lp_problem *problem)
{
    LP_ASSERT(p->min <= p->max && p->min >= 0);
    char *end;
    bool is_number = value[0] != '\0' && value[strspn(value, "0123456789")] == '\0' &&
                     strlen(value) < sizeof("9223372036854775807");
    int64_t number = is_number ? strtoll(value, &end, 10) : 0; // INT64_MAX if it is larger
    if (!is_number || number < p->min || number > p->max) {
        return lp_problem_set(problem, LP_ECORRUPT,
            "%s '%s': not a whole number from %" PRId64 " to %" PRId64, p->name,
            lp_quote_text(value).text, p->min, p->max);
    }
    *out_number = number;
    return LP_OK;
}

static lp_err
read_flag(const char *name, const char *value, bool *out_flag, lp_problem *problem)
{
    static const char *const words[] = {"0", "1"};
    size_t index = 0;
    lp_err err = ask_query_choice(name, value, words, 2, &index, problem);
    *out_flag = err == LP_OK && index == 1;
    return err;
}

static lp_err
read_value(const ask_parameter *p, void *own, const char *value, lp_problem *problem)
{
    void *out_value = (uint8_t *)own + p->offset;
    switch (p->kind) {
    case ASK_TEXT:
        *(const char **)out_value = value;
        return LP_OK;
    case ASK_NUMBER:
        return read_number(p, value, out_value, problem);
    case ASK_FLAG:
        return read_flag(p->name, value, out_value, problem);
    case ASK_CHOICE:
        return ask_query_choice(p->name, value, p->words, p->word_count, out_value, problem);
    case ASK_OTHER:
        break;
    }
    return p->set(out_value, p->name, value, problem);
}

// preset sets the values of parameters that are not given.
static void
preset(const ask_route *route, void *own)
{
    for (const ask_parameter *p = route->parameters; p != NULL && p->name != NULL; p++) {
        void *value = (uint8_t *)own + p->offset;
        LP_ASSERT(p->offset < route->own_bytes);
        if (p->kind == ASK_NUMBER) {
            *(int64_t *)value = p->preset;
        } else if (p->kind == ASK_FLAG) {
            *(bool *)value = p->preset != 0;
        }
    }
}

// --- The question

static void
query_check(const ask_query *query)
{
    LP_ASSERT(query->route != NULL && query->route->answer != NULL);
    LP_ASSERT(query->route->has_base || !query->asked.has_base);
    LP_ASSERT(query->route->has_pending || !query->wants_pending);
}

const void *
ask_query_get_own(const ask_query *query, size_t size_bytes)
{
    LP_ASSERT(query->route->own_bytes == size_bytes);
    return query->own;
}

static void
set_unit_of(ask_query *query, query_unit unit)
{
    query->asked.selection.unit = unit;
    query->asked.base.unit = unit;
}

lp_err
ask_query_create(const ask_route *route, const char *rest, bool is_of_options,
    ask_query **out_query, lp_problem *out_problem)
{
    LP_ASSERT((route->parameters == NULL) == (route->own_bytes == 0));
    LP_ASSERT((route->path[strlen(route->path) - 1] == '/') == (route->set_rest != NULL));
    ask_query *query = calloc(1, sizeof(*query));
    LP_REQUIRE(query != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    query->route = route;
    query->asked = query_comparison_begin(is_of_options);
    set_unit_of(query, route->unit);
    query->own = lp_arena_array(&query->arena, 1, route->own_bytes, alignof(max_align_t));
    const char *copy = lp_arena_text(&query->arena, rest);
    lp_err err = lp_arena_err(&query->arena);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "out of memory");
    } else {
        preset(route, query->own);
        err = route->set_rest == NULL ? LP_OK : route->set_rest(query, copy, out_problem);
    }
    if (err != LP_OK) {
        ask_query_destroy(query);
        return err;
    }
    *out_query = query;
    return LP_OK;
}

void
ask_query_destroy(ask_query *query)
{
    if (query != NULL) {
        lp_arena_fini(&query->arena);
        access_caller_fini(&query->caller);
        free(query);
    }
}

bool
ask_query_may_read(const ask_query *query, const char *service)
{
    query_check(query);
    return access_caller_may(&query->caller, ACCESS_READ, service);
}

bool
ask_query_selects(const query_selection *selection, const catalog_session *row)
{
    return (selection->service == NULL || strcmp(selection->service, row->service) == 0) &&
           (selection->instance == NULL || strcmp(selection->instance, row->instance) == 0) &&
           (selection->version == NULL || strcmp(selection->version, row->version) == 0);
}

// add_own_names appends the names of the route's parameters to a problem, which ends with the names
// of the selection's.
static void
add_own_names(const ask_route *route, lp_problem *problem)
{
    if (route->has_unit) {
        size_t len = strlen(problem->text);
        (void)snprintf(problem->text + len, sizeof(problem->text) - len, ", unit");
    }
    for (const ask_parameter *p = route->parameters; p != NULL && p->name != NULL; p++) {
        size_t len = strlen(problem->text);
        (void)snprintf(problem->text + len, sizeof(problem->text) - len, ", %s", p->name);
    }
}

static lp_err
set_unit(ask_query *query, const char *value, lp_problem *problem)
{
    static const query_unit units[] = {
        QUERY_UNIT_CONTEXTS, QUERY_UNIT_REQUESTS, QUERY_UNIT_THREADS};
    const char *const words[] = {
        query_unit_name(units[0]), query_unit_name(units[1]), query_unit_name(units[2])};
    size_t index;
    LP_REQUIRE(!query->has_unit, lp_problem_set(problem, LP_ECORRUPT, "unit: given twice"));
    lp_err err =
        ask_query_choice("unit", value, words, query->route->has_threads ? 3 : 2, &index, problem);
    if (err == LP_OK) {
        query->has_unit = true;
        set_unit_of(query, units[index]);
    }
    return err;
}

lp_err
ask_query_set(ask_query *query, const char *name, const char *value, lp_problem *out_problem)
{
    query_check(query);
    const ask_parameter *own = query->route->parameters;
    const char *copy = lp_arena_text(&query->arena, value);
    LP_REQUIRE(lp_arena_err(&query->arena) == LP_OK,
        lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    for (size_t i = 0; own != NULL && own[i].name != NULL; i++) {
        LP_ASSERT(i < ASK_PARAMETERS_MAX);
        uint32_t bit = (uint32_t)1 << i;
        if (strcmp(name, own[i].name) == 0) {
            LP_REQUIRE((query->given & bit) == 0,
                lp_problem_set(out_problem, LP_ECORRUPT, "%s: given twice", name));
            query->given |= bit;
            return read_value(&own[i], query->own, copy, out_problem);
        }
    }
    if (query->route->has_unit && strcmp(name, "unit") == 0) {
        return set_unit(query, copy, out_problem);
    }
    if (query->route->has_pending && strcmp(name, "pending") == 0) {
        return read_flag(name, copy, &query->wants_pending, out_problem);
    }
    lp_err err = query->route->has_base
                     ? query_comparison_set(&query->asked, name, copy, out_problem)
                     : query_selection_set(&query->asked.selection, name, copy, out_problem);
    if (err == LP_ENOENT) {
        add_own_names(query->route, out_problem);
    }
    return err;
}

static lp_err
check_recording(const query_selection *selection, lp_problem *problem)
{
    const char *recording = selection->recording;
    return recording == NULL || catalog_id_is_valid(recording)
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT,
                     "%s '%s': not an id of %d characters of 0-9 and a-f",
                     query_selection_show_name(selection, "recording").text,
                     lp_quote_text(recording).text, CATALOG_ID_CHARS);
}

lp_err
ask_query_finish(ask_query *query, lp_problem *out_problem)
{
    query_check(query);
    query_comparison *asked = &query->asked;
    lp_err err = query_comparison_finish(asked, out_problem);
    LP_THEN(err, check_recording(&asked->selection, out_problem));
    LP_THEN(err, asked->has_base ? check_recording(&asked->base, out_problem) : LP_OK);
    return err == LP_OK && query->route->finish != NULL
               ? query->route->finish(query->own, out_problem)
               : err;
}
