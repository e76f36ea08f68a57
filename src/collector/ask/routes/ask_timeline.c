// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timeline: contexts and what happened in them, as boxes to draw (timeline.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/timeline.h"

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_timeline_route);
    const int64_t *width = ASK_OWN(work->query, int64_t);
    query_timeline timeline = {0};
    query_question question = {.on_context = query_timeline_add, .arg = &timeline};
    json_t *json = NULL;
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err, query_timeline_json(&timeline, (uint64_t)*width, &work->chunks, &work->names,
                     &work->outcome, &work->cancel->is_cancelled, ask_work_recording, work, &json));
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_timeline_fini(&timeline);
    return err;
}

static const ask_parameter own_parameters[] = {
    {"width", ASK_NUMBER, .min = 1, .max = 16384, .preset = 1600}, {0}};

const ask_route ask_timeline_route = {
    .path = "timeline",
    .parameters = own_parameters,
    .own_bytes = sizeof(int64_t),
    .answer = answer,
};
