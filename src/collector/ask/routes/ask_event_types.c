// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/events/types: how many events there are of each type (events.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/events/events.h"

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_event_types_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    query_event_types types = {0};
    query_question question = {.on_context = on_context, .arg = &types};
    ask_work_prepare(work, &question);
    bool has_contexts = query_events_has_contexts(question.selection);
    lp_err err = has_contexts ? query_run(&question, &work->names, &work->outcome)
                              : query_events_scan(&question, &work->names,
                                    query_event_types_add_event, &types, &work->outcome);
    work->outcome.is_truncated |= work->sources.is_truncated;
    LP_THEN(err, ask_work_answer(work,
                     query_event_types_json(&types, &work->names, &work->outcome, has_contexts),
                     out_answer));
    query_event_types_fini(&types);
    return err;
}

const ask_route ask_event_types_route = {.path = "events/types", .answer = answer};
