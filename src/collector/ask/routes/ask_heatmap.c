// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/heatmap: the number of contexts, or requests, by duration and time
// (heatmap.h), from the rollups of stored chunks, and with `pending` from the statistics that
// running JVMs have sent since.
//
// Tests: tests/unit/collector/ask/test_ask_rollups.c, tests/e2e/ask_now.py

#include "collector/ask/routes/ask_routes.h"
#include "collector/ask/sums/ask_rollups.h"
#include "collector/ask/sums/heatmap.h"
#include "collector/ask/work/ask_pending.h"
#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "common/rollup/rollup_bytes.h"
#include "query/select/json_parts.h"

#include <stddef.h>
#include <string.h>

static const int64_t NS_PER_S = 1000000000;

typedef struct parameters {
    int64_t columns;
    bool has_exemplars; // more than half of the work is for them
    bool is_fine;       // columns may be shorter than a minute
    size_t unit;        // rollup_unit
} parameters;

// The statistics of running recordings that are not compacted yet, about the last minute. They come
// with snapshots (snapshot.h), which all questions within a second share.
enum {
    // The newest running recordings; metric heatmap_recordings_left_out counts others, and those
    // without statistics.
    NOW_RECORDINGS_MAX = 128,
    // Statistics are not older: compaction waits for late batches, or for a JVM to come back.
    NOW_REACH_S = 900,
};

// A heat map in progress.
typedef struct making {
    ask_work *work;
    LP_VEC(ask_pending) now; // running recordings, with their snapshots
    lp_arena arena;          // owns their ids
    size_t now_left_out;     // recordings
    time_columns columns;
    heatmap map;
    bool has_slices;     // add the slices of chunks that have some
    int64_t coarsest_ns; // the longest slice, or chunk without slices, that was added
    uint64_t left_out;
} making;

// has_exemplars returns whether the map has exemplars. The exemplars of a value are unknown, and
// all services have too many to read.
static bool
has_exemplars(const making *m)
{
    const parameters *own = m->work->query->own;
    const query_selection *selection = &m->work->query->asked.selection;
    bool is_of_some = selection->service != NULL || selection->instance != NULL ||
                      selection->version != NULL || selection->recording != NULL;
    return own->has_exemplars && is_of_some && selection->where_count == 0;
}

static lp_err
add_chunk(making *m, int64_t middle_wall_ns, int64_t length_ns, const rollup *found)
{
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

// --- Pending statistics

static void
note_recording(void *arg, const catalog_session *row)
{
    making *m = arg;
    const ask_query *query = m->work->query;
    if (row->is_ended || !ask_query_selects(&query->asked.selection, row) ||
        !ask_query_may_read(query, row->service)) {
        return;
    }
    if (m->now.count == NOW_RECORDINGS_MAX) {
        m->now_left_out++;
        return;
    }
    const ask_pending item = {.session_id = lp_arena_text(&m->arena, row->id)};
    LP_ARENA_PUSH_BESIDE(&m->arena, &m->now, item);
}

static lp_err
list_recordings(making *m, catalog *from)
{
    const query_selection *selection = &m->work->query->asked.selection;
    int64_t now_wall_ns = lp_time_now();
    const catalog_query query = {
        .service = selection->service,
        .instance = selection->instance,
        .version = selection->version,
        .from_wall_ns = now_wall_ns - NOW_REACH_S * NS_PER_S,
        .now_wall_ns = now_wall_ns,
    };
    lp_err err = selection->recording == NULL
                     ? catalog_list(from, &query, note_recording, m)
                     : catalog_find(from, selection->recording, note_recording, m);
    return err == LP_OK || err == LP_ENOENT ? lp_arena_err(&m->arena) : err;
}

// has_statistics returns whether a snapshot has all statistics. Other collectors send none.
// none.
static bool
has_statistics(const snapshot *snap)
{
    bool has = snap->err == LP_OK || snap->err == LP_ENOENT; // LP_ENOENT: all is stored
    for (size_t i = 0; i < snap->chunks.count && has; i++) {
        has = snap->chunks.items[i].statistics_bytes > 0;
    }
    return has;
}

// get_pending gets the snapshots if they are wanted and may lie in the columns.
static lp_err
get_pending(making *m, catalog *from)
{
    const ask_work *work = m->work;
    bool is_recent = m->columns.to_wall_ns > lp_time_now() - NOW_REACH_S * NS_PER_S;
    if (!work->query->wants_pending || m->columns.sum_ns != 0 || !is_recent) {
        return LP_OK;
    }
    lp_err err = list_recordings(m, from);
    if (err == LP_OK && m->now.count > 0) {
        err = ask_pending_get(work->store->snapshots, m->now.items, m->now.count, work->cancel);
    }
    for (size_t i = 0; i < m->now.count && err == LP_OK; i++) {
        m->now_left_out += !has_statistics(m->now.items[i].snapshot);
    }
    metrics_add(METRICS_heatmap_recordings_left_out, m->now_left_out);
    return err;
}

static void
end_pending(making *m)
{
    LP_VEC_FINI_EACH(&m->now, snapshot_unref(at->snapshot));
    lp_arena_fini(&m->arena);
}

// is_pending returns whether the snapshots have the statistics of a chunk, which was stored after
// they were made. The last chunk of a snapshot may be longer once it is stored.
static bool
is_pending(const making *m, const char *session_id, int64_t middle_wall_ns)
{
    const snapshot *snap = NULL;
    bool has = false;
    for (size_t i = 0; i < m->now.count && snap == NULL; i++) {
        bool is_it = strcmp(m->now.items[i].session_id, session_id) == 0;
        snap = is_it ? m->now.items[i].snapshot : NULL;
    }
    for (size_t i = 0; snap != NULL && i < snap->chunks.count &&
                       snap->chunks.items[i].start_wall_ns <= middle_wall_ns;
         i++) {
        has = snap->chunks.items[i].statistics_bytes > 0;
    }
    return has;
}

static lp_err
add_pending_chunk(making *m, const ask_pending *item, size_t index)
{
    LP_ASSERT(item->snapshot->err == LP_OK); // others have no chunks
    const snapshot_chunk *chunk = &item->snapshot->chunks.items[index];
    lp_buf bytes = {0};
    rollup found;
    rollup_init(&found);
    lp_err err = snapshot_read_statistics(item->snapshot, index, &bytes);
    LP_THEN(err, rollup_bytes_read(&found, lp_buf_slice(&bytes), item->session_id));
    LP_THEN(err, add_chunk(m, lp_time_add(chunk->start_wall_ns, chunk->duration_ns / 2),
                     chunk->duration_ns, &found));
    rollup_fini(&found);
    lp_buf_fini(&bytes);
    return err;
}

static lp_err
add_pending(making *m)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < m->now.count; i++) {
        const snapshot *snap = m->now.items[i].snapshot;
        for (size_t k = 0; k < snap->chunks.count && err == LP_OK; k++) {
            bool has = snap->chunks.items[k].statistics_bytes > 0;
            err = has ? add_pending_chunk(m, &m->now.items[i], k) : LP_OK;
        }
    }
    return err;
}

// --- The map

// query_of returns the query for the rollups of the columns. Slices lie in them also if the middle
// of their chunk is beside them.
static catalog_rollup_query
query_of(const making *m)
{
    const int64_t reach_ns = m->has_slices ? NS_PER_S * ROLLUP_SLICES_MAX * ROLLUP_SLICE_S / 2 : 0;
    const query_selection *selection = &m->work->query->asked.selection;
    catalog_rollup_query query = ask_rollups_query(selection, &m->columns);
    query.from_wall_ns = lp_time_add(query.from_wall_ns, -reach_ns);
    query.to_wall_ns = lp_time_add(query.to_wall_ns, reach_ns);
    query.has_exemplars = m->has_slices || has_exemplars(m); // slices are stored with them
    query.has_attributes = selection->where_count > 0;
    query.has_lengths = true;
    return query;
}

// wanted_of returns what the map needs of each rollup.
static rollup_wanted
wanted_of(const making *m)
{
    const parameters *own = m->work->query->own;
    const query_selection *selection = &m->work->query->asked.selection;
    bool has_value = selection->where_count > 0;
    return (rollup_wanted){
        .has_unit = true,
        .unit = (rollup_unit)own->unit,
        .has_value = has_value,
        .value = has_value ? selection->where[0].value : (lp_slice){0},
    };
}

static lp_err
on_rollup(void *arg, const catalog_rollup *place, const rollup *found)
{
    making *m = arg;
    return is_pending(m, place->session_id, place->wall_ns)
               ? LP_OK
               : add_chunk(m, place->wall_ns, place->length_ns, found);
}

// add_all replaces the map by that of the columns.
static lp_err
add_all(making *m, catalog *from)
{
    const parameters *own = m->work->query->own;
    const catalog_rollup_query query = query_of(m);
    const rollup_wanted wanted = wanted_of(m);
    heatmap_fini(&m->map);
    m->coarsest_ns = 0;
    lp_err err = heatmap_init(
        &m->map, &m->columns, &m->work->query->asked.selection, (rollup_unit)own->unit);
    m->map.has_no_exemplars = !has_exemplars(m);
    LP_THEN(err, ask_rollups_read(m->work, from, &query, &wanted, on_rollup, m, &m->left_out));
    return err == LP_OK ? add_pending(m) : err;
}

// refine makes columns shorter than a minute if all slices, or else all chunks, are as short. Only
// reading shows whether all chunks have slices.
static lp_err
refine(making *m, catalog *from, size_t count_max)
{
    const time_columns minutes = m->columns;
    if (m->has_slices) {
        time_columns_refine(&m->columns, ROLLUP_SLICE_S * NS_PER_S, count_max);
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

static json_t *
json_of(const making *m)
{
    json_t *pending = json_pack("{s:I, s:I}", "recordings", (json_int_t)m->now.count, "left_out",
        (json_int_t)m->now_left_out);
    return query_json_set(
        heatmap_json(&m->map, m->left_out > 0 || m->now_left_out > 0), "pending", pending);
}

static lp_err
make(making *m, catalog *from)
{
    const parameters *own = m->work->query->own;
    LP_TRY(get_pending(m, from));
    bool is_fine = own->is_fine && time_columns_may_be_fine(&m->columns);
    m->has_slices = is_fine && m->work->query->asked.selection.where_count == 0;
    return is_fine ? refine(m, from, (size_t)own->columns) : add_all(m, from);
}

static lp_err
answer(ask_work *work, ask_answer *out_answer)
{
    ask_work_check(work);
    LP_ASSERT(work->query->route == &ask_heatmap_route);
    const parameters *own = ASK_OWN(work->query, parameters);
    making m = {.work = work};
    catalog *from;
    LP_TRY(ask_rollups_columns(&work->query->asked.selection, ASK_ROLLUPS_VALUE, lp_time_now(),
        (size_t)own->columns, &m.columns, &out_answer->problem));
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = make(&m, from);
    LP_THEN(err, ask_answer_set_json(out_answer, json_of(&m)));
    heatmap_fini(&m.map);
    end_pending(&m);
    catalog_close(from);
    return err;
}

static const char *const units[] = {[ROLLUP_CONTEXTS] = "contexts", [ROLLUP_REQUESTS] = "requests"};

static const ask_parameter own_parameters[] = {
    {"columns", ASK_NUMBER, offsetof(parameters, columns), .min = 1, .max = TIME_COLUMNS_MAX,
        .preset = 240},
    {"exemplars", ASK_FLAG, offsetof(parameters, has_exemplars), .preset = 1},
    {"fine", ASK_FLAG, offsetof(parameters, is_fine)},
    {"unit", ASK_CHOICE, offsetof(parameters, unit), .words = units, .word_count = ROLLUP_UNITS},
    {0},
};

const ask_route ask_heatmap_route = {
    .path = "contexts/heatmap",
    .has_pending = true,
    .is_of_catalog = true,
    .parameters = own_parameters,
    .own_bytes = sizeof(parameters),
    .answer = answer,
};
