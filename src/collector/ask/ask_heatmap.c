// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/heatmap: how many contexts, or requests, of each length there were when
// (heatmap.h), out of rollups alone.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/ask_rollups.h"
#include "collector/ask/ask_routes.h"
#include "collector/ask/heatmap.h"
#include "common/base/lp_time.h"

enum { COLUMNS = 240 }; // where no number is given

typedef struct parameters {
    int64_t columns;       // 0: none was given
    bool has_no_exemplars; // as they are not wanted: more than half of the work is theirs
    bool is_fine;          // columns may be shorter than a minute
    rollup_unit unit;
} parameters;

static lp_err
set_columns(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(
        name, value, 1, TIME_COLUMNS_MAX, &((parameters *)own)->columns, problem);
}

static lp_err
set_flag(const char *name, const char *value, bool *out, lp_problem *problem)
{
    static const char *const words[] = {"0", "1"};
    size_t index = 0;
    lp_err err = ask_query_choice(name, value, words, 2, &index, problem);
    *out = err == LP_OK && index == 1;
    return err;
}

static lp_err
set_exemplars(void *own, const char *name, const char *value, lp_problem *problem)
{
    bool has_exemplars = true;
    lp_err err = set_flag(name, value, &has_exemplars, problem);
    ((parameters *)own)->has_no_exemplars = err == LP_OK && !has_exemplars;
    return err;
}

static lp_err
set_fine(void *own, const char *name, const char *value, lp_problem *problem)
{
    return set_flag(name, value, &((parameters *)own)->is_fine, problem);
}

static lp_err
set_unit(void *own, const char *name, const char *value, lp_problem *problem)
{
    static const char *const words[] = {
        [ROLLUP_CONTEXTS] = "contexts", [ROLLUP_REQUESTS] = "requests"};
    size_t index = 0;
    lp_err err = ask_query_choice(name, value, words, ROLLUP_UNITS, &index, problem);
    ((parameters *)own)->unit = (rollup_unit)index;
    return err;
}

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    heatmap *map = arg;
    return heatmap_add(map, time_columns_find(&map->columns, place->wall_ns), found);
}

// may_have_exemplars returns whether there are exemplars: of a value they are not known, and those
// of all services are too many to be read.
static bool
may_have_exemplars(const query_selection *selection)
{
    bool is_of_some = selection->service != NULL || selection->instance != NULL ||
                      selection->version != NULL || selection->recording != NULL;
    return is_of_some && selection->where_count == 0;
}

// query_of returns which rollups columns are made of.
static catalog_rollup_query
query_of(const ask_work *work, const time_columns *columns)
{
    const query_selection *selection = &work->query->asked.selection;
    const parameters *own = work->query->own;
    return (catalog_rollup_query){
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = columns->from_wall_ns,
        .to_wall_ns = columns->to_wall_ns,
        .step_ns = columns->sum_ns,
        .has_exemplars = !own->has_no_exemplars && may_have_exemplars(selection),
        .has_attributes = selection->where_count > 0,
    };
}

// set_columns_of sets the columns, which may depend on the chunks that there are.
static lp_err
set_columns_of(ask_work *work, catalog *from, time_columns *out_columns, lp_problem *problem)
{
    const parameters *own = work->query->own;
    size_t count_max = own->columns == 0 ? COLUMNS : (size_t)own->columns;
    lp_err err = time_columns_of(
        &work->query->asked.selection, lp_time_now(), count_max, out_columns, problem);
    if (err != LP_OK || !own->is_fine || !time_columns_may_be_fine(out_columns)) {
        return err;
    }
    const catalog_rollup_query query = query_of(work, out_columns);
    int64_t chunk_ns = 0;
    err = catalog_rollups_longest(from, &query, &chunk_ns);
    if (err == LP_OK) {
        time_columns_refine(out_columns, chunk_ns, count_max);
    }
    return err;
}

static lp_err
answer_from(ask_work *work, catalog *from, ask_answer *out_answer)
{
    time_columns columns;
    lp_err err = set_columns_of(work, from, &columns, &out_answer->problem);
    if (err != LP_OK) {
        return err;
    }
    const catalog_rollup_query query = query_of(work, &columns);
    const parameters *own = work->query->own;
    heatmap map;
    uint64_t left_out = 0;
    err = heatmap_init(&map, &columns, &work->query->asked.selection, own->unit);
    if (err == LP_OK) {
        err = ask_rollups_read(work, from, &query, on_rollup, &map, &left_out);
    }
    if (err == LP_OK) {
        err = ask_answer_set_json(out_answer, heatmap_json(&map, left_out > 0));
    }
    heatmap_fini(&map);
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    lp_err err =
        ask_rollups_check(&work->query->asked.selection, ASK_ROLLUPS_VALUE, &out_answer->problem);
    catalog *from = NULL;
    if (err == LP_OK) {
        err = catalog_open_reader(work->store->catalog_path, &from, NULL);
    }
    if (err == LP_OK) {
        err = answer_from(work, from, out_answer);
        catalog_close(from);
    }
    return err;
}

const ask_route ask_heatmap_route = {
    .path = "contexts/heatmap",
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"columns", set_columns}, {"exemplars", set_exemplars},
        {"fine", set_fine}, {"unit", set_unit}, {0}},
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
