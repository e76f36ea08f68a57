// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/why: where the time of contexts went.
//
// Tests: tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py

#include "collector/ask/ask_routes.h"
#include "collector/ask/ask_work.h"
#include "query/why_json.h"

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_why_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    query_why why = {0};
    query_question question = {.wants_frames = true, .on_context = on_context, .arg = &why};
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK) {
        query_why_finish(&why, &work->names);
        err = ask_work_answer(work, query_why_json(&why, &work->names, &work->outcome), out_answer);
    }
    query_why_fini(&why);
    return err;
}

const ask_route ask_why_route = {.path = "why", .answer = answer};
