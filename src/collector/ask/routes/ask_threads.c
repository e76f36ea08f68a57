// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/threads: what threads did, by pool (pools.h).
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/pools.h"

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_threads_route);
    const int64_t *limit = ASK_OWN(work->query, int64_t);
    query_pools pools = {.names = &work->names};
    query_question question = {.on_context = query_pools_add, .arg = &pools};
    query_pools_prepare(&question);
    lp_err err = ask_work_run(work, &question);
    query_pools_finish(&pools);
    LP_THEN(err, ask_work_answer(
                     work, query_pools_json(&pools, (size_t)*limit, &work->outcome), out_answer));
    query_pools_fini(&pools);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"limit", ASK_NUMBER, .min = 1, .max = 1000, .preset = 100}, {0}};

const ask_route ask_threads_route = {
    .path = "threads",
    .unit = QUERY_UNIT_THREADS,
    .parameters = own_parameters,
    .own_bytes = sizeof(int64_t),
    .answer = answer,
};
