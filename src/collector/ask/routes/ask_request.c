// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/requests/{recording}/{id}: one request whole (request_detail.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/detail/request_detail.h"

#include <string.h>

static lp_err
set_rest(ask_query *query, const char *rest, lp_problem *problem)
{
    const char *slash = strchr(rest, '/');
    if (slash == NULL || strchr(slash + 1, '/') != NULL) {
        return lp_problem_set(problem, LP_ENOENT, "a request is at /api/v1/requests/RECORDING/ID");
    }
    const char *recording =
        lp_arena_string(&query->arena, (lp_slice){(const uint8_t *)rest, (size_t)(slash - rest)});
    lp_err err = ask_query_set(query, "recording", recording, problem);
    return err == LP_OK ? ask_query_set(query, "request", slash + 1, problem) : err;
}

static lp_err
on_request(void *arg, const query_answer *answer)
{
    return query_request_detail_add(arg, answer);
}

// refuse says why there is no answer. Returns LP_EIO or LP_ENOENT
static lp_err
refuse(const ask_work *work, ask_answer *out_answer)
{
    const query_selection *asked = &work->query->asked.selection;
    char id[QUERY_REQUEST_ID_BYTES];
    query_request_id_format(asked->request, id);
    return work->sources.left_out > 0
               ? lp_problem_set(&out_answer->problem, LP_EIO,
                     "chunks of recording %s cannot be read: request %s may be in them",
                     asked->recording, id)
               : lp_problem_set(&out_answer->problem, LP_ENOENT, "recording %s has no request %s",
                     asked->recording, id);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    const atomic_bool *is_cancelled = &work->cancel->is_cancelled;
    query_request_detail detail = query_request_detail_begin(&work->names);
    query_question question = {
        .packages = *(const char **)work->query->own,
        .on_context = on_request,
        .arg = &detail,
    };
    json_t *json = NULL;
    query_request_detail_prepare(&detail, &question);
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK && !detail.is_found) {
        err = refuse(work, out_answer);
    }
    LP_THEN(err, query_request_detail_read(&detail, &work->chunks, &work->names, is_cancelled));
    LP_THEN(err, query_request_detail_json(&detail, work->query->asked.selection.recording,
                     &work->chunks, &work->names, &work->outcome, is_cancelled, &json));
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_request_detail_fini(&detail);
    return err;
}

const ask_route ask_request_route = {
    .path = "requests/",
    .unit = QUERY_UNIT_REQUESTS,
    .parameters = ask_query_packages,
    .own_bytes = sizeof(const char *),
    .set_rest = set_rest,
    .answer = answer,
};
