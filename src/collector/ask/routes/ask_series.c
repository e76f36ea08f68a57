// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/requests/series: how long requests took over time, by type and by the values of an
// attribute (value_series.h), from rollups only.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/value_series.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

enum { COLUMNS = 30 };

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    value_series *all = arg;
    return value_series_add(all, time_columns_find(&all->columns, place->wall_ns), found);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_series_route);
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    const query_selection *selection = &work->query->asked.selection;
    const char *key = *(const char **)work->query->own;
    time_columns columns;
    LP_TRY(ask_rollups_columns(
        selection, ASK_ROLLUPS_CONTEXT, lp_time_now(), COLUMNS, &columns, &out_answer->problem));
    time_columns_coarsen(&columns);
    value_series all = value_series_begin(&columns, selection, key);
    catalog_rollup_query query = ask_rollups_query(selection, &columns);
    query.has_attributes = key != NULL;
    const rollup_wanted wanted = {.has_unit = true, .unit = ROLLUP_REQUESTS, .key = key};
    uint64_t left_out = 0;
    lp_err err = ask_rollups_read_all(work, &query, &wanted, on_rollup, &all, &left_out);
    LP_THEN(err, ask_answer_set_json(out_answer, value_series_json(&all, left_out > 0)));
    value_series_fini(&all);
    return err;
}

const ask_route ask_series_route = {
    .path = "requests/series",
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"key", ASK_TEXT}, {0}},
    .own_bytes = sizeof(const char *),
    .answer = answer,
};
