// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/{recording}/{id} and /api/v1/requests/{recording}/{id}: the details of a
// context, or of a request (detail.h).
//
// Tests: tests/unit/collector/ask/test_ask.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"
#include "query/detail/detail.h"

#include <string.h>

static lp_err
set_rest(ask_query *query, const char *rest, lp_problem *problem)
{
    bool is_request = query->route->unit == QUERY_UNIT_REQUESTS;
    const char *slash = strchr(rest, '/');
    LP_REQUIRE(slash != NULL && strchr(slash + 1, '/') == NULL,
        lp_problem_set(problem, LP_ENOENT, "a %s is at /api/v1/%sRECORDING/ID",
            is_request ? "request" : "context", query->route->path));
    const char *recording =
        lp_arena_string(&query->arena, (lp_slice){(const uint8_t *)rest, (size_t)(slash - rest)});
    LP_TRY(ask_query_set(query, "recording", recording, problem));
    return ask_query_set(query, is_request ? "request" : "id", slash + 1, problem);
}

// find_around finds the contexts around the context that was found, and those in it.
static lp_err
find_around(ask_work *work, query_detail *detail)
{
    ask_work_check(work);
    const query_selection all = query_detail_around(detail);
    query_outcome outcome;
    query_question question = {.contexts_only = true,
        .on_context = query_detail_add_around,
        .arg = detail,
        .selection = &all};
    ask_work_prepare(work, &question);
    question.on_unreadable = NULL; // the first question counted them
    lp_err err = query_run(&question, &work->names, &outcome);
    work->outcome.is_truncated |= outcome.is_truncated;
    return err;
}

// refuse sets the problem: not found. Returns LP_EIO or LP_ENOENT
static lp_err
refuse(const ask_work *work, query_unit unit, lp_problem *problem)
{
    const query_selection *asked = &work->query->asked.selection;
    const char *what = unit == QUERY_UNIT_REQUESTS ? "request" : "context";
    char context_id[CTX_REF_BYTES];
    char request_id[QUERY_REQUEST_ID_BYTES];
    ctx_ref_format(asked->id, context_id);
    query_request_id_format(asked->request, request_id);
    const char *id = unit == QUERY_UNIT_REQUESTS ? request_id : context_id;
    return work->sources.left_out > 0
               ? lp_problem_set(problem, LP_EIO,
                     "chunks of recording %s cannot be read: %s %s may be in them",
                     asked->recording, what, id)
               : lp_problem_set(
                     problem, LP_ENOENT, "recording %s has no %s %s", asked->recording, what, id);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    const atomic_bool *is_cancelled = &work->cancel->is_cancelled;
    query_unit unit = work->query->route->unit;
    query_detail detail = query_detail_begin(unit, &work->names);
    query_question question = {.packages = *(const char **)work->query->own,
        .on_context = query_detail_add,
        .arg = &detail};
    json_t *json = NULL;
    query_detail_prepare(&detail, &question);
    lp_err err = ask_work_run(work, &question);
    LP_THEN(err, !detail.is_found ? refuse(work, unit, &out_answer->problem) : LP_OK);
    LP_THEN(err, unit == QUERY_UNIT_CONTEXTS ? find_around(work, &detail) : LP_OK);
    LP_THEN(err, query_detail_read(&detail, &work->chunks, &work->names, is_cancelled));
    LP_THEN(err, query_detail_json(&detail, work->query->asked.selection.recording, &work->chunks,
                     &work->names, &work->outcome, is_cancelled, &json));
    LP_THEN(err, ask_work_answer(work, json, out_answer));
    query_detail_fini(&detail);
    return err;
}

const ask_route ask_context_route = {
    .path = "contexts/",
    .parameters = ask_query_packages,
    .own_bytes = sizeof(const char *),
    .set_rest = set_rest,
    .answer = answer,
};

const ask_route ask_request_route = {
    .path = "requests/",
    .unit = QUERY_UNIT_REQUESTS,
    .parameters = ask_query_packages,
    .own_bytes = sizeof(const char *),
    .set_rest = set_rest,
    .answer = answer,
};
