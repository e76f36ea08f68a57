// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/compare: the requests, or contexts, of a selection and of a base, by type and
// attribute (route_comparison.h), from rollups only.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/route_comparison.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

enum { COLUMNS = 60 }; // at most: the sums that are read are no longer than one

static const char *const unit_names[] = {"requests", "contexts"};
static const rollup_unit units[] = {ROLLUP_REQUESTS, ROLLUP_CONTEXTS};

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
    LP_TRY(ask_rollups_columns(
        selection, ASK_ROLLUPS_CONTEXT, lp_time_now(), COLUMNS, &columns, problem));
    r->unit = unit;
    route_side_init(&r->side, selection, &columns);
    return LP_OK;
}

static lp_err
read_side(ask_work *work, reading *r, uint64_t *left_out)
{
    catalog_rollup_query query = ask_rollups_query(r->side.selection, &r->side.columns);
    query.has_attributes = true;
    query.has_lengths = true;
    const rollup_wanted wanted = {.has_unit = true, .unit = r->unit};
    uint64_t here = 0;
    lp_err err = ask_rollups_read_all(work, &query, &wanted, on_rollup, r, &here);
    *left_out += here;
    return err;
}

static lp_err
check(const query_comparison *asked, lp_problem *problem)
{
    if (asked->base.is_rest) {
        return lp_problem_set(
            problem, LP_ECORRUPT, "base: not allowed here; use base_from, base_version and so on");
    }
    return asked->has_base
               ? LP_OK
               : lp_problem_set(problem, LP_ECORRUPT,
                     "nothing to compare with: give base_service, base_instance, base_version, "
                     "base_recording, base_from, base_to or base_context");
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_compare_route);
    LP_ASSERT(work->query->route->own_bytes == sizeof(size_t));
    const query_comparison *asked = &work->query->asked;
    rollup_unit unit = units[*(const size_t *)work->query->own];
    reading here = {0};
    reading base = {0};
    uint64_t left_out = 0;
    lp_err err = check(asked, &out_answer->problem);
    LP_THEN(err, begin(&here, &asked->selection, unit, &out_answer->problem));
    LP_THEN(err, begin(&base, &asked->base, unit, &out_answer->problem));
    LP_THEN(err, read_side(work, &here, &left_out));
    LP_THEN(err, read_side(work, &base, &left_out));
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
    .parameters =
        (const ask_parameter[]){{"unit", ASK_CHOICE, .words = unit_names, .word_count = 2}, {0}},
    .own_bytes = sizeof(size_t),
    .answer = answer,
};
