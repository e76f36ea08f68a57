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
    rollup_unit unit;
} parameters;

static lp_err
set_columns(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_number(
        name, value, 1, TIME_COLUMNS_MAX, &((parameters *)own)->columns, problem);
}

static lp_err
set_exemplars(void *own, const char *name, const char *value, lp_problem *problem)
{
    static const char *const words[] = {"0", "1"};
    size_t index = 0;
    lp_err err = ask_query_choice(name, value, words, 2, &index, problem);
    ((parameters *)own)->has_no_exemplars = err == LP_OK && index == 0;
    return err;
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
    bool is_of_some =
        selection->service != NULL || selection->instance != NULL || selection->recording != NULL;
    return is_of_some && selection->where_count == 0;
}

static lp_err
read_map(ask_work *work, heatmap *map, uint64_t *out_left_out)
{
    const query_selection *selection = map->selection;
    const parameters *own = work->query->own;
    const catalog_rollup_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .session_id = selection->recording,
        .from_wall_ns = map->columns.from_wall_ns,
        .to_wall_ns = map->columns.to_wall_ns,
        .step_ns = map->columns.sum_ns,
        .has_exemplars = !own->has_no_exemplars && may_have_exemplars(selection),
        .has_attributes = selection->where_count > 0,
    };
    catalog *from;
    lp_err err = catalog_open_reader(work->store->catalog_path, &from, NULL);
    if (err == LP_OK) {
        err = ask_rollups_read(work, from, &query, on_rollup, map, out_left_out);
        catalog_close(from);
    }
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    const query_selection *selection = &work->query->asked.selection;
    const parameters *own = work->query->own;
    size_t count_max = own->columns == 0 ? COLUMNS : (size_t)own->columns;
    time_columns columns;
    lp_err err = ask_rollups_check(selection, ASK_ROLLUPS_VALUE, &out_answer->problem);
    if (err == LP_OK) {
        err = time_columns_of(selection, lp_time_now(), count_max, &columns, &out_answer->problem);
    }
    if (err != LP_OK) {
        return err;
    }
    heatmap map;
    uint64_t left_out = 0;
    err = heatmap_init(&map, &columns, selection, own->unit);
    if (err == LP_OK) {
        err = read_map(work, &map, &left_out);
    }
    if (err == LP_OK) {
        err = ask_answer_set_json(out_answer, heatmap_json(&map, left_out > 0));
    }
    heatmap_fini(&map);
    return err;
}

const ask_route ask_heatmap_route = {
    .path = "contexts/heatmap",
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"columns", set_columns}, {"exemplars", set_exemplars},
        {"unit", set_unit}, {0}},
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
