// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/threads: what threads did, by pool (pools.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/pools.h"

enum {
    LIMIT = 100, // where none is given
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
    return query_pools_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    query_pools pools = {.names = &work->names};
    query_question question = {.on_context = on_context, .arg = &pools};
    query_pools_prepare(&question);
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK) {
        query_pools_finish(&pools);
        size_t limit = own->limit == 0 ? LIMIT : (size_t)own->limit;
        err = ask_work_answer(work, query_pools_json(&pools, limit, &work->outcome), out_answer);
    }
    query_pools_fini(&pools);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"limit", set_limit},
    {NULL, NULL},
};

const ask_route ask_threads_route = {
    .path = "threads",
    .unit = QUERY_UNIT_THREADS,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
