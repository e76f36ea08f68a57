// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/compare: the requests, or contexts, of a selection beside those of a base, by type
// and attribute (route_comparison.h), out of rollups alone.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/route_comparison.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

enum { COLUMNS = 60 }; // at most: sums that are read are no longer than one

typedef struct parameters {
    bool is_of_contexts;
} parameters;

static lp_err
set_unit(void *own, const char *name, const char *value, lp_problem *problem)
{
    static const char *const words[] = {"requests", "contexts"};
    size_t index = 0;
    lp_err err = ask_query_choice(name, value, words, 2, &index, problem);
    ((parameters *)own)->is_of_contexts = index == 1;
    return err;
}

typedef struct reading {
    route_side side;
    rollup_unit unit;
} reading;

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    reading *r = arg;
    bool is_sum = place->session_id[0] == '\0';
    int64_t begin_wall_ns =
        is_sum ? place->wall_ns : lp_time_add(place->wall_ns, -(place->length_ns / 2));
    return route_side_add(&r->side, r->unit, begin_wall_ns, place->length_ns, found);
}

// begin makes an empty side. Errors: LP_ECORRUPT with the reason in *problem
static lp_err
begin(reading *r, const query_selection *selection, rollup_unit unit, lp_problem *problem)
{
    time_columns columns;
    lp_err err = ask_rollups_check(selection, ASK_ROLLUPS_CONTEXT, problem);
    LP_THEN(err, time_columns_of(selection, lp_time_now(), COLUMNS, &columns, problem));
    if (err == LP_OK) {
        r->unit = unit;
        route_side_init(&r->side, selection, &columns);
    }
    return err;
}

static lp_err
read_side(ask_work *work, catalog *from, reading *r, uint64_t *left_out)
{
    const query_selection *selection = r->side.selection;
    const catalog_rollup_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = r->side.columns.from_wall_ns,
        .to_wall_ns = r->side.columns.to_wall_ns,
        .step_ns = r->side.columns.sum_ns,
        .has_attributes = true,
        .has_lengths = true,
    };
    uint64_t here = 0;
    lp_err err = ask_rollups_read(work, from, &query, on_rollup, r, &here);
    *left_out += here;
    return err;
}

static lp_err
read_both(ask_work *work, reading *here, reading *base, uint64_t *left_out)
{
    catalog *from;
    lp_err err = catalog_open_reader(work->store->catalog_path, &from, NULL);
    if (err == LP_OK) {
        err = read_side(work, from, here, left_out);
        LP_THEN(err, read_side(work, from, base, left_out));
        catalog_close(from);
    }
    return err;
}

static lp_err
check(const query_comparison *asked, lp_problem *problem)
{
    if (asked->base.is_rest) {
        return lp_problem_set(problem, LP_ECORRUPT,
            "base: not here; base_from, base_version and "
            "so on are");
    }
    return asked->has_base
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT,
                     "there is nothing to compare with: base_service, base_instance, "
                     "base_version, base_recording, base_from, base_to or base_context is needed");
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(work->query->route->is_of_catalog && work->chunks.count == 0);
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const query_comparison *asked = &work->query->asked;
    const parameters *own = work->query->own;
    rollup_unit unit = own->is_of_contexts ? ROLLUP_CONTEXTS : ROLLUP_REQUESTS;
    reading here = {0};
    reading base = {0};
    uint64_t left_out = 0;
    lp_err err = check(asked, &out_answer->problem);
    LP_THEN(err, begin(&here, &asked->selection, unit, &out_answer->problem));
    LP_THEN(err, begin(&base, &asked->base, unit, &out_answer->problem));
    LP_THEN(err, read_both(work, &here, &base, &left_out));
    LP_THEN(err, ask_answer_set_json(out_answer,
                     route_comparison_json(&here.side, &base.side, unit, left_out > 0)));
    route_side_fini(&here.side);
    route_side_fini(&base.side);
    return err;
}

const ask_route ask_compare_route = {
    .path = "compare",
    .has_base = true,
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"unit", set_unit}, {0}},
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
