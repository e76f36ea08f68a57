// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/ask_offline.h"

#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>

static bool
is_here(void *arg)
{
    (void)arg;
    return false;
}

// check_catalog looks whether the catalog can be read, as what a route says of that is for who asks
// over HTTP: nothing.
static lp_err
check_catalog(const char *path, lp_problem *out_problem)
{
    catalog *there = NULL;
    lp_err err = catalog_open_reader(path, &there, out_problem);
    catalog_close(there);
    return err;
}

// explain says why there is no answer: a password may be in the place of a catalog that is no file.
static lp_err
explain(const char *catalog_path, lp_err err, const ask_answer *answer, lp_problem *out_problem)
{
    *out_problem = answer->problem;
    return out_problem->text[0] != '\0'
               ? err
               : lp_problem_set(out_problem, err, "%s cannot be read: %s",
                     catalog_is_file(catalog_path) ? catalog_path : "the catalog",
                     lp_err_reason(err));
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
    lp_err err = check_catalog(catalog_path, out_problem);
    if (err != LP_OK) {
        ask_answer_destroy(answer);
        return err;
    }
    ask_cancel_begin(&cancel, INT64_MAX / 2); // for ever
    err = ask_work_open(&work, &store, NULL, query, &cancel);
    LP_THEN(err, query->route->answer(&work, answer));
    ask_work_close(&work);
    if (err != LP_OK) {
        err = explain(catalog_path, err, answer, out_problem);
        ask_answer_destroy(answer);
        return err;
    }
    *out_answer = answer;
    return LP_OK;
}
