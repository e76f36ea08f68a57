// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timeline: contexts and what is in them, as boxes to draw (timeline.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/list/timeline.h"

enum {
    WIDTH = 1600, // where none is given
    WIDTH_MAX = 16384,
};

typedef struct parameters {
    int64_t width; // 0: none was given
} parameters;

static lp_err
set_width(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(name, value, 1, WIDTH_MAX, &((parameters *)own)->width, problem);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_timeline_add(arg, answer);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    query_timeline timeline = {0};
    query_question question = {.on_context = on_context, .arg = &timeline};
    json_t *json = NULL;
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK) {
        uint64_t width = own->width == 0 ? WIDTH : (uint64_t)own->width;
        err = query_timeline_json(&timeline, width, &work->chunks, &work->names, &work->outcome,
            &work->cancel->is_cancelled, ask_work_recording, work, &json);
    }
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_timeline_fini(&timeline);
    return err;
}

static const ask_parameter own_parameters[] = {{"width", set_width}, {NULL, NULL}};

const ask_route ask_timeline_route = {
    .path = "timeline",
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
