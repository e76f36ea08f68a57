// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/types: the types of contexts and the values of their attributes
// (rollup_json_types), from rollups only.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/rollup_json.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    (void)place;
    rollup *total = arg;
    rollup_add(total, found, "");
    return rollup_err(total);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    const query_selection *selection = &work->query->asked.selection;
    time_columns column;
    LP_TRY(ask_rollups_columns(
        selection, ASK_ROLLUPS_CONTEXT, lp_time_now(), 1, &column, &out_answer->problem));
    catalog_rollup_query query = ask_rollups_query(selection, &column);
    query.step_ns = CATALOG_LONG_SUM_NS;
    query.has_attributes = true;
    rollup total;
    uint64_t left_out = 0;
    rollup_init(&total);
    lp_err err = ask_rollups_read_all(work, &query, NULL, on_rollup, &total, &left_out);
    LP_THEN(
        err, ask_answer_set_json(out_answer, rollup_json_types(&total, selection, left_out > 0)));
    rollup_fini(&total);
    return err;
}

const ask_route ask_context_types_route = {
    .path = "contexts/types", .is_of_catalog = true, .answer = answer};
