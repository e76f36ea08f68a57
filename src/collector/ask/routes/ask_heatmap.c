// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/contexts/heatmap: how many contexts, or requests, of each length there were when
// (heatmap.h), from rollups only: those of stored chunks, and with `pending` those of what is not
// compacted yet.
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

typedef struct parameters {
    int64_t columns;
    bool has_exemplars; // more than half of the work is for them
    bool is_fine;       // columns may be shorter than a minute
    size_t unit;        // rollup_unit
} parameters;

// may_have_exemplars returns whether there are exemplars: of a value they are not known, and those
// of all services are too many to be read.
static bool
may_have_exemplars(const query_selection *selection)
{
    bool is_of_some = selection->service != NULL || selection->instance != NULL ||
                      selection->version != NULL || selection->recording != NULL;
    return is_of_some && selection->where_count == 0;
}

// --- What is not compacted yet

// The statistics of what running JVMs have sent and is not compacted yet: the last minute. They
// come with snapshots (snapshot.h), which are made on demand, and shared with all other questions
// of a second.
enum {
    // The newest running recordings that are asked; metric heatmap_recordings_left_out counts
    // others, and those without statistics.
    NOW_RECORDINGS_MAX = 128,
    // Ranges that end earlier have nothing of what is not compacted: a chunk waits for batches that
    // are late, or for a JVM that may come back.
    NOW_REACH_S = 900,
};

typedef struct now_chunks {
    LP_VEC(ask_pending) items; // with their snapshots
    lp_arena arena;            // has their ids
    size_t left_out;           // recordings
} now_chunks;

typedef struct now_search {
    now_chunks *now;
    const ask_query *query;
} now_search;

static void
note_recording(void *arg, const catalog_session *row)
{
    const now_search *l = arg;
    now_chunks *now = l->now;
    if (row->is_ended || !ask_query_selects(&l->query->asked.selection, row) ||
        !ask_query_may_read(l->query, row->service)) {
        return;
    }
    if (now->items.count == NOW_RECORDINGS_MAX) {
        now->left_out++;
        return;
    }
    const ask_pending item = {.session_id = lp_arena_text(&now->arena, row->id)};
    LP_ARENA_PUSH_BESIDE(&now->arena, &now->items, item);
}

static lp_err
list_recordings(now_search *l, catalog *from, const query_selection *selection)
{
    lp_err err;
    if (selection->recording != NULL) {
        err = catalog_find(from, selection->recording, note_recording, l);
        err = err == LP_ENOENT ? LP_OK : err;
    } else {
        int64_t now_wall_ns = lp_time_now();
        const catalog_query query = {
            .service = selection->service,
            .instance = selection->instance,
            .version = selection->version,
            .from_wall_ns = now_wall_ns - NOW_REACH_S * (int64_t)1000000000,
            .now_wall_ns = now_wall_ns,
        };
        err = catalog_list(from, &query, note_recording, l);
    }
    return err == LP_OK ? lp_arena_err(&l->now->arena) : err;
}

// has_statistics returns whether all of a snapshot is counted: one of another collector is not.
static bool
has_statistics(const snapshot *snap)
{
    bool has = snap->err == LP_OK || snap->err == LP_ENOENT; // which says that all is stored
    for (size_t i = 0; i < snap->chunks.count && has; i++) {
        has = snap->chunks.items[i].statistics_bytes > 0;
    }
    return has;
}

// get_now gets the snapshots of the recordings that a query is about, and those that it may
// read. Either way end_now ends it. Errors: LP_ECLOSED cancelled; LP_ENOMEM; those of a
// catalog
static lp_err
get_now(now_chunks *now, const ask_work *work, catalog *from)
{
    LP_ASSERT(work->query->wants_pending);
    *now = (now_chunks){0};
    now_search l = {.now = now, .query = work->query};
    lp_err err = list_recordings(&l, from, &work->query->asked.selection);
    if (err == LP_OK && now->items.count > 0) {
        err = ask_pending_get(
            work->store->snapshots, now->items.items, now->items.count, work->cancel);
    }
    for (size_t i = 0; i < now->items.count && err == LP_OK; i++) {
        now->left_out += !has_statistics(now->items.items[i].snapshot);
    }
    metrics_add(METRICS_heatmap_recordings_left_out, now->left_out);
    return err;
}

static void
end_now(now_chunks *now)
{
    for (size_t i = 0; i < now->items.count; i++) {
        snapshot_unref(now->items.items[i].snapshot);
    }
    LP_VEC_FINI(&now->items);
    lp_arena_fini(&now->arena);
}

// has_at returns whether the chunk in which a point in time lies has statistics. The last one goes
// on: it may be longer where it is stored.
static bool
has_at(const snapshot *snap, int64_t wall_ns)
{
    bool has = false;
    for (size_t i = 0; i < snap->chunks.count && snap->chunks.items[i].start_wall_ns <= wall_ns;
         i++) {
        has = snap->chunks.items[i].statistics_bytes > 0;
    }
    return has;
}

// now_has returns whether a stored chunk is among them, as it was stored after they were made: by
// its recording and its middle. One whose statistics they lack is not.
static bool
now_has(const now_chunks *now, const char *session_id, int64_t middle_wall_ns)
{
    for (size_t i = 0; i < now->items.count; i++) {
        if (strcmp(now->items.items[i].session_id, session_id) == 0) {
            return has_at(now->items.items[i].snapshot, middle_wall_ns);
        }
    }
    return false;
}

static lp_err
add_now(const snapshot *snap, size_t index, const char *session_id,
    lp_err (*on_chunk)(void *arg, int64_t middle_wall_ns, int64_t length_ns, const rollup *found),
    void *arg)
{
    LP_ASSERT(snap->err == LP_OK);
    const snapshot_chunk *chunk = &snap->chunks.items[index];
    lp_buf bytes = {0};
    rollup found;
    rollup_init(&found);
    lp_err err = snapshot_read_statistics(snap, index, &bytes);
    LP_THEN(err, rollup_bytes_read(&found, lp_buf_slice(&bytes), session_id));
    LP_THEN(err, on_chunk(arg, lp_time_add(chunk->start_wall_ns, chunk->duration_ns / 2),
                     chunk->duration_ns, &found));
    rollup_fini(&found);
    lp_buf_fini(&bytes);
    return err;
}

// each_now calls on_chunk for the statistics of each chunk, with its place. They are lent until it
// returns. Errors: LP_ENOMEM; what on_chunk returns
static lp_err
each_now(const now_chunks *now,
    lp_err (*on_chunk)(void *arg, int64_t middle_wall_ns, int64_t length_ns, const rollup *found),
    void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    lp_err err = LP_OK;
    for (size_t i = 0; i < now->items.count && err == LP_OK; i++) {
        const snapshot *snap = now->items.items[i].snapshot;
        for (size_t k = 0; k < snap->chunks.count && err == LP_OK; k++) {
            if (snap->chunks.items[k].statistics_bytes > 0) {
                err = add_now(snap, k, now->items.items[i].session_id, on_chunk, arg);
            }
        }
    }
    return err;
}

// --- The map

// A heat map while it is made.
typedef struct making {
    ask_work *work;
    now_chunks now;
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
    return own->has_exemplars && may_have_exemplars(&m->work->query->asked.selection);
}

// query_of returns which rollups columns are made of. Slices of chunks whose middle is beside the
// columns lie in them.
static catalog_rollup_query
query_of(const making *m)
{
    const int64_t reach_ns =
        m->has_slices ? (int64_t)ROLLUP_SLICES_MAX * ROLLUP_SLICE_S * 1000000000 / 2 : 0;
    const query_selection *selection = &m->work->query->asked.selection;
    catalog_rollup_query query = ask_rollups_query(selection, &m->columns);
    query.from_wall_ns = lp_time_add(query.from_wall_ns, -reach_ns);
    query.to_wall_ns = lp_time_add(query.to_wall_ns, reach_ns);
    query.has_exemplars = m->has_slices || has_exemplars(m); // slices are stored with them
    query.has_attributes = selection->where_count > 0;
    query.has_lengths = true;
    return query;
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
    return now_has(&m->now, place->session_id, place->wall_ns)
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
    lp_err err = heatmap_init(
        &m->map, &m->columns, &m->work->query->asked.selection, (rollup_unit)own->unit);
    m->map.has_no_exemplars = !has_exemplars(m);
    LP_THEN(err, ask_rollups_read(m->work, from, &query, on_rollup, m, &m->left_out));
    return err == LP_OK ? each_now(&m->now, add_chunk, m) : err;
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
    int64_t since_ns = lp_time_now() - NOW_REACH_S * (int64_t)1000000000;
    bool wants =
        m->work->query->wants_pending && m->columns.sum_ns == 0 && m->columns.to_wall_ns > since_ns;
    return wants ? get_now(&m->now, m->work, from) : LP_OK;
}

static json_t *
json_of(const making *m)
{
    json_t *pending = json_pack("{s:I, s:I}", "recordings", (json_int_t)m->now.items.count,
        "left_out", (json_int_t)m->now.left_out);
    return query_json_set(
        heatmap_json(&m->map, m->left_out > 0 || m->now.left_out > 0), "pending", pending);
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
    LP_ASSERT(work->query->route->own_bytes == sizeof(parameters));
    const parameters *own = work->query->own;
    making m = {.work = work};
    catalog *from;
    LP_TRY(ask_rollups_columns(&work->query->asked.selection, ASK_ROLLUPS_VALUE, lp_time_now(),
        (size_t)own->columns, &m.columns, &out_answer->problem));
    LP_TRY(catalog_open_reader(work->store->catalog_path, &from, NULL));
    lp_err err = make(&m, from);
    LP_THEN(err, ask_answer_set_json(out_answer, json_of(&m)));
    heatmap_fini(&m.map);
    end_now(&m.now);
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
