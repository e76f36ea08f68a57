// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/slice.otlp: requests or contexts and what happened in them, as OTLP profiles
// (otlp_profiles.h).
//
// Tests: tests/e2e/ask_requests.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/work/ask_facts.h"
#include "collector/ask/work/ask_work.h"
#include "query/otlp/otlp_profiles.h"

static lp_err
on_piece(void *arg, const query_otlp_piece *piece)
{
    return ask_answer_write(arg, piece->bytes);
}

// run answers the question. Errors: as ask_work_run; LP_ENOENT nothing matches
static lp_err
run(ask_work *work, query_otlp_profiles *profiles, ask_answer *out_answer)
{
    query_question question = {.on_context = query_otlp_profiles_add, .arg = profiles};
    query_otlp_profiles_prepare(profiles, &question);
    LP_TRY(ask_work_run(work, &question));
    LP_TRY(query_otlp_profiles_finish(profiles));
    query_otlp_counts counts = query_otlp_profiles_count(profiles);
    work->outcome.is_truncated |= counts.is_truncated;
    return counts.samples > 0 ? LP_OK
                              : lp_problem_set(&out_answer->problem, LP_ENOENT,
                                    work->query->asked.selection.unit == QUERY_UNIT_REQUESTS
                                        ? "no request matches: there is no profile; unit=contexts "
                                          "asks for contexts"
                                        : "no context matches: there is no profile");
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    const query_otlp_wish wish = {
        .describe = ask_facts_describe,
        .describe_arg = work,
        .on_piece = on_piece,
        .arg = out_answer,
        .is_file = true,
    };
    query_otlp_profiles *profiles = query_otlp_profiles_create(&wish, &work->names);
    lp_err err = profiles == NULL ? LP_ENOMEM : LP_OK;
    LP_THEN(err, ask_answer_begin_file(out_answer, work->files, work->store->blobs));
    LP_THEN(err, run(work, profiles, out_answer));
    query_otlp_profiles_destroy(profiles);
    out_answer->type = "application/x-protobuf";
    out_answer->file_name = work->query->route->path;
    return err == LP_OK ? ask_work_answer_file(work, out_answer) : err;
}

const ask_route ask_otlp_route = {
    .path = "slice.otlp",
    .unit = QUERY_UNIT_REQUESTS,
    .has_unit = true,
    .answer = answer,
};
