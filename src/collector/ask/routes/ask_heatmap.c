// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/heatmap: how many contexts, or requests, of each length there were when
// (heatmap.h), out of rollups alone: of stored chunks, and with `pending` of what is not compacted.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_now.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/heatmap.h"
#include "common/base/lp_assert.h"
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
set_exemplars(void *own, const char *name, const char *value, lp_problem *problem)
{
    bool has_exemplars = true;
    lp_err err = ask_query_flag(name, value, &has_exemplars, problem);
    ((parameters *)own)->has_no_exemplars = err == LP_OK && !has_exemplars;
    return err;
}

static lp_err
set_fine(void *own, const char *name, const char *value, lp_problem *problem)
{
    return ask_query_flag(name, value, &((parameters *)own)->is_fine, problem);
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

// may_have_exemplars returns whether there are exemplars: of a value they are not known, and those
// of all services are too many to be read.
static bool
may_have_exemplars(const query_selection *selection)
{
    bool is_of_some = selection->service != NULL || selection->instance != NULL ||
                      selection->version != NULL || selection->recording != NULL;
    return is_of_some && selection->where_count == 0;
}

// A heat map while it is made.
typedef struct making {
    ask_work *work;
    ask_now now;
    time_columns columns;
    heatmap map;
    bool has_slices;     // those of chunks are added, where they have some
    int64_t coarsest_ns; // of what is added: the length of slices, or of a chunk without
    uint64_t left_out;
} making;

static bool
has_exemplars(const making *m)
{
    const parameters *own = m->work->query->own;
    return !own->has_no_exemplars && may_have_exemplars(&m->work->query->asked.selection);
}

// query_of returns which rollups columns are made of. Slices of chunks whose middle is beside the
// columns lie in them.
static catalog_rollup_query
query_of(const making *m)
{
    const int64_t reach_ns =
        m->has_slices ? (int64_t)ROLLUP_SLICES_MAX * ROLLUP_SLICE_S * 1000000000 / 2 : 0;
    const query_selection *selection = &m->work->query->asked.selection;
    return (catalog_rollup_query){
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .session_id = selection->recording,
        .from_wall_ns = lp_time_add(m->columns.from_wall_ns, -reach_ns),
        .to_wall_ns = lp_time_add(m->columns.to_wall_ns, reach_ns),
        .step_ns = m->columns.sum_ns,
        .has_exemplars = m->has_slices || has_exemplars(m), // slices are stored with them
        .has_attributes = selection->where_count > 0,
        .has_lengths = true,
    };
}

static lp_err
add_chunk(void *arg, int64_t middle_wall_ns, int64_t length_ns, const rollup *found)
{
    making *m = arg;
    if (m->has_slices && found->slice_ns > 0) {
        m->coarsest_ns = found->slice_ns > m->coarsest_ns ? found->slice_ns : m->coarsest_ns;
        return heatmap_add_slices(&m->map, found);
    }
    if (middle_wall_ns < m->columns.from_wall_ns || middle_wall_ns >= m->columns.to_wall_ns) {
        return LP_OK;
    }
    m->coarsest_ns = length_ns > m->coarsest_ns ? length_ns : m->coarsest_ns;
    return heatmap_add(&m->map, time_columns_find(&m->columns, middle_wall_ns), found);
}

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    making *m = arg;
    return ask_now_has(&m->now, place->session_id, place->wall_ns)
               ? LP_OK
               : add_chunk(m, place->wall_ns, place->length_ns, found);
}

// add_all makes the map of columns, in place of another.
static lp_err
add_all(making *m, catalog *from)
{
    const parameters *own = m->work->query->own;
    const catalog_rollup_query query = query_of(m);
    heatmap_fini(&m->map);
    m->coarsest_ns = 0;
    lp_err err = heatmap_init(&m->map, &m->columns, &m->work->query->asked.selection, own->unit);
    m->map.has_no_exemplars = !has_exemplars(m);
    LP_THEN(err, ask_rollups_read(m->work, from, &query, on_rollup, m, &m->left_out));
    return err == LP_OK ? ask_now_each(&m->now, add_chunk, m) : err;
}

// refine makes columns shorter than a minute where all of what they are made of is: slices, or else
// chunks. Whether chunks have slices is seen by reading them.
static lp_err
refine(making *m, catalog *from, size_t count_max)
{
    const time_columns minutes = m->columns;
    if (m->has_slices) {
        time_columns_refine(&m->columns, ROLLUP_SLICE_S * (int64_t)1000000000, count_max);
        lp_err err = add_all(m, from);
        bool is_fine = m->coarsest_ns > 0 && m->coarsest_ns <= m->columns.step_ns;
        if (err != LP_OK || is_fine) {
            return err;
        }
        m->columns = minutes;
    } else {
        const catalog_rollup_query query = query_of(m);
        LP_TRY(catalog_rollups_longest(from, &query, &m->coarsest_ns));
    }
    time_columns_refine(&m->columns, m->coarsest_ns, count_max);
    return add_all(m, from);
}

// get_pending gets what is not compacted yet, where it is asked for, and may lie in the columns.
static lp_err
get_pending(making *m, catalog *from)
{
    int64_t since_ns = lp_time_now() - ASK_NOW_REACH_S * (int64_t)1000000000;
    bool wants =
        m->work->query->wants_pending && m->columns.sum_ns == 0 && m->columns.to_wall_ns > since_ns;
    return wants ? ask_now_get(&m->now, m->work, from) : LP_OK;
}

static json_t *
json_of(const making *m)
{
    bool is_truncated = m->left_out > 0 || m->now.left_out > 0;
    json_t *json = heatmap_json(&m->map, is_truncated);
    json_t *pending = json_pack("{s:I, s:I}", "recordings", (json_int_t)m->now.items.count,
        "left_out", (json_int_t)m->now.left_out);
    if (json_object_set_new(json, "pending", pending) != 0) { // takes it in any case
        json_decref(json);
        return NULL;
    }
    return json;
}

static lp_err
make(making *m, catalog *from, lp_problem *problem)
{
    const parameters *own = m->work->query->own;
    const query_selection *selection = &m->work->query->asked.selection;
    size_t count_max = own->columns == 0 ? COLUMNS : (size_t)own->columns;
    lp_err err = time_columns_of(selection, lp_time_now(), count_max, &m->columns, problem);
    LP_THEN(err, get_pending(m, from));
    if (err != LP_OK) {
        return err;
    }
    bool is_fine = own->is_fine && time_columns_may_be_fine(&m->columns);
    m->has_slices = is_fine && selection->where_count == 0;
    return is_fine ? refine(m, from, count_max) : add_all(m, from);
}

static lp_err
answer_from(ask_work *work, catalog *from, ask_answer *out_answer)
{
    making m = {.work = work};
    lp_err err = make(&m, from, &out_answer->problem);
    LP_THEN(err, ask_answer_set_json(out_answer, json_of(&m)));
    heatmap_fini(&m.map);
    ask_now_fini(&m.now);
    return err;
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    LP_ASSERT(work->query->route->is_of_catalog && work->chunks.count == 0);
    lp_err err =
        ask_rollups_check(&work->query->asked.selection, ASK_ROLLUPS_VALUE, &out_answer->problem);
    catalog *from = NULL;
    LP_THEN(err, catalog_open_reader(work->store->catalog_path, &from, NULL));
    if (err == LP_OK) {
        err = answer_from(work, from, out_answer);
        catalog_close(from);
    }
    return err;
}

const ask_route ask_heatmap_route = {
    .path = "contexts/heatmap",
    .has_pending = true,
    .is_of_catalog = true,
    .parameters = (const ask_parameter[]){{"columns", set_columns}, {"exemplars", set_exemplars},
        {"fine", set_fine}, {"unit", set_unit}, {0}},
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
