// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/ask_offline.h"

#include "collector/ask/work/ask_work.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>

static bool
is_here(void *arg)
{
    (void)arg;
    return false;
}

lp_err
ask_offline_answer(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem)
{
    LP_ASSERT(query->route->is_of_catalog && !query->wants_pending);
    static const atomic_bool is_stopping = false;
    const ask_store store = {.catalog_path = catalog_path};
    ask_cancel cancel = {.is_stopping = &is_stopping, .is_gone = is_here};
    ask_work work = {0};
    ask_answer *answer = calloc(1, sizeof(*answer));
    if (answer == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    ask_cancel_begin(&cancel, INT64_MAX / 2); // for ever
    lp_err err = ask_work_open(&work, &store, NULL, query, &cancel);
    if (err == LP_OK) {
        err = query->route->answer(&work, answer);
    }
    ask_work_close(&work);
    if (err != LP_OK) {
        *out_problem = answer->problem;
        ask_answer_destroy(answer);
        return out_problem->text[0] != '\0'
                   ? err
                   : lp_problem_set(out_problem, err, "%s", lp_err_reason(err));
    }
    *out_answer = answer;
    return LP_OK;
}
