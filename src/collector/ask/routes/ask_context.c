// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/{recording}/{id}: one context whole (detail.h).
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
    const char *slash = strchr(rest, '/');
    if (slash == NULL || strchr(slash + 1, '/') != NULL) {
        return lp_problem_set(problem, LP_ENOENT, "a context is at /api/v1/contexts/RECORDING/ID");
    }
    const char *recording =
        lp_arena_string(&query->arena, (lp_slice){(const uint8_t *)rest, (size_t)(slash - rest)});
    lp_err err = ask_query_set(query, "recording", recording, problem);
    return err == LP_OK ? ask_query_set(query, "id", slash + 1, problem) : err;
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_detail_add(arg, answer);
}

static lp_err
on_context_around(void *arg, const query_answer *answer)
{
    return query_detail_add_around(arg, answer);
}

// find_around finds the contexts around the one that was found, and those in it.
static lp_err
find_around(ask_work *work, query_detail *detail)
{
    const query_selection all = query_detail_around(detail);
    query_outcome outcome;
    query_question question = {
        .contexts_only = true, .on_context = on_context_around, .arg = detail};
    ask_work_prepare(work, &question);
    question.selection = &all;
    question.on_unreadable = NULL; // they are counted already
    lp_err err = query_run(&question, &work->names, &outcome);
    work->outcome.is_truncated |= outcome.is_truncated;
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(!work->query->route->is_of_catalog && work->chunks.open != NULL);
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    const query_selection *asked = &work->query->asked.selection;
    query_detail detail = query_detail_begin(&work->names);
    query_question question = {.wants_frames = true,
        .packages = *(const char **)work->query->own,
        .on_context = on_context,
        .arg = &detail};
    json_t *json = NULL;
    lp_err err = ask_work_run(work, &question);
    if (err == LP_OK && !detail.is_found) {
        char id[CTX_REF_BYTES];
        ctx_ref_format(asked->id, id);
        err = work->sources.left_out > 0
                  ? lp_problem_set(&out_answer->problem, LP_EIO,
                        "chunks of recording %s cannot be read: nobody knows whether context %s is "
                        "in them",
                        asked->recording, id)
                  : lp_problem_set(&out_answer->problem, LP_ENOENT,
                        "no context %s is stored of recording %s", id, asked->recording);
    }
    LP_THEN(err, find_around(work, &detail));
    LP_THEN(err, query_detail_json(&detail, asked->recording, &work->chunks, &work->names,
                     &work->outcome, &work->cancel->is_cancelled, &json));
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
