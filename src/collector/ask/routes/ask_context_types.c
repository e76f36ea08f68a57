// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/types: the types of contexts and the values of their attributes
// (context_types.h), out of rollups alone.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/context_types.h"
#include "collector/ask/sums/time_columns.h"
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

// read_total adds all rollups in the one column.
static lp_err
read_total(ask_work *work, const time_columns *column, rollup *total, uint64_t *out_left_out)
{
    const query_selection *selection = &work->query->asked.selection;
    const catalog_rollup_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = column->from_wall_ns,
        .to_wall_ns = column->to_wall_ns,
        .step_ns = CATALOG_LONG_SUM_NS,
        .has_attributes = true,
    };
    catalog *from;
    lp_err err = catalog_open_reader(work->store->catalog_path, &from, NULL);
    if (err == LP_OK) {
        err = ask_rollups_read(work, from, &query, on_rollup, total, out_left_out);
        catalog_close(from);
    }
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(work->query->route->is_of_catalog && work->chunks.count == 0);
    const query_selection *selection = &work->query->asked.selection;
    time_columns column;
    lp_err err = ask_rollups_check(selection, ASK_ROLLUPS_CONTEXT, &out_answer->problem);
    LP_THEN(err, time_columns_of(selection, lp_time_now(), 1, &column, &out_answer->problem));
    if (err != LP_OK) {
        return err;
    }
    rollup total;
    uint64_t left_out = 0;
    rollup_init(&total);
    err = read_total(work, &column, &total, &left_out);
    LP_THEN(
        err, ask_answer_set_json(out_answer, context_types_json(&total, selection, left_out > 0)));
    rollup_fini(&total);
    return err;
}

const ask_route ask_context_types_route = {
    .path = "contexts/types", .is_of_catalog = true, .answer = answer};
