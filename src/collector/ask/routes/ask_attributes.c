// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/attributes: the values of the attributes of contexts (facets.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/facets.h"

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_attributes_route);
    const int64_t *limit = ASK_OWN(work->query, int64_t);
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    query_question question = {.contexts_only = true,
        .attributes = &attributes,
        .on_context = query_facets_add,
        .arg = &facets};
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err,
        ask_work_answer(work,
            query_facets_json(&facets, (size_t)*limit, work->query->asked.has_base, &work->outcome),
            out_answer));
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"limit", ASK_NUMBER, .min = 1, .max = 1000, .preset = 10}, {0}};

const ask_route ask_attributes_route = {
    .path = "attributes",
    .has_unit = true,
    .has_base = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(int64_t),
    .answer = answer,
};
