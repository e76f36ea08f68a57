// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/requests/series: how long requests took over time, by type and by the values of an
// attribute (value_series.h), out of rollups alone.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/value_series.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

enum { COLUMNS = 30 };

static lp_err
set_key(void *own, const char *name, const char *value, lp_problem *problem)
{
    (void)name;
    (void)problem;
    *(const char **)own = value;
    return LP_OK;
}

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    value_series *all = arg;
    return value_series_add(all, time_columns_find(&all->columns, place->wall_ns), found);
}

static lp_err
read_all(ask_work *work, value_series *all, uint64_t *out_left_out)
{
    const query_selection *selection = &work->query->asked.selection;
    const catalog_rollup_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = all->columns.from_wall_ns,
        .to_wall_ns = all->columns.to_wall_ns,
        .step_ns = all->columns.sum_ns,
        .has_attributes = all->key != NULL,
    };
    catalog *from;
    lp_err err = catalog_open_reader(work->store->catalog_path, &from, NULL);
    if (err == LP_OK) {
        err = ask_rollups_read(work, from, &query, on_rollup, all, out_left_out);
        catalog_close(from);
    }
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(work->query->route->is_of_catalog && work->chunks.count == 0);
    LP_ASSERT(work->query->route->own_bytes == sizeof(const char *));
    const query_selection *selection = &work->query->asked.selection;
    time_columns columns;
    lp_err err = ask_rollups_check(selection, ASK_ROLLUPS_CONTEXT, &out_answer->problem);
    LP_THEN(
        err, time_columns_of(selection, lp_time_now(), COLUMNS, &columns, &out_answer->problem));
    if (err != LP_OK) {
        return err;
    }
    time_columns_coarsen(&columns);
    value_series all = value_series_begin(&columns, selection, *(const char **)work->query->own);
    uint64_t left_out = 0;
    err = read_all(work, &all, &left_out);
    LP_THEN(err, ask_answer_set_json(out_answer, value_series_json(&all, left_out > 0)));
    value_series_fini(&all);
    return err;
}

const ask_route ask_series_route = {
    .path = "requests/series",
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"key", set_key}, {0}},
    .own_bytes = sizeof(const char *),
    .answer = answer,
};
