// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/events/types: the number of events of each type (events.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/events/events.h"

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    query_event_types types = {0};
    query_question question = {.on_context = query_event_types_add, .arg = &types};
    bool has_contexts = query_events_has_contexts(&work->query->asked.selection);
    lp_err err = has_contexts ? ask_work_run(work, &question)
                              : ask_work_scan(work, &question, query_event_types_add_event, &types);
    LP_THEN(err, ask_work_answer(work,
                     query_event_types_json(&types, &work->names, &work->outcome, has_contexts),
                     out_answer));
    query_event_types_fini(&types);
    return err;
}

const ask_route ask_event_types_route = {.path = "events/types", .answer = answer};
