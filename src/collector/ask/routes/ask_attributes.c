// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/attributes: which values the attributes of contexts have (facets.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/facets.h"

enum {
    LIMIT = 10, // values of a key, where none is given
    LIMIT_MAX = 1000,
};

typedef struct parameters {
    int64_t limit; // 0: none was given
} parameters;

static lp_err
set_limit(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(name, value, 1, LIMIT_MAX, &((parameters *)own)->limit, problem);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_facets_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    size_t limit = own->limit == 0 ? LIMIT : (size_t)own->limit;
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    query_question question = {
        .contexts_only = true, .attributes = &attributes, .on_context = on_context, .arg = &facets};
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err, ask_work_answer(work,
                     query_facets_json(&facets, limit, work->query->asked.has_base, &work->outcome),
                     out_answer));
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
    return err;
}

static const ask_parameter own_parameters[] = {{"limit", set_limit}, {NULL, NULL}};

const ask_route ask_attributes_route = {
    .path = "attributes",
    .has_unit = true,
    .has_base = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
