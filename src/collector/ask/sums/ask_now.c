// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/ask_now.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "common/rollup/rollup_bytes.h"

#include <string.h>

typedef struct listing {
    ask_now *now;
    const ask_query *query;
} listing;

static void
note_recording(void *arg, const catalog_session *row)
{
    const listing *l = arg;
    ask_now *now = l->now;
    if (row->is_ended || !ask_query_selects(&l->query->asked.selection, row) ||
        !ask_query_may_read(l->query, row->service)) {
        return;
    }
    if (now->items.count == ASK_NOW_RECORDINGS_MAX) {
        now->left_out++;
        return;
    }
    const ask_pending item = {.session_id = lp_arena_text(&now->arena, row->id)};
    LP_ARENA_PUSH_BESIDE(&now->arena, &now->items, item);
}

static lp_err
list_recordings(listing *l, catalog *from, const query_selection *selection)
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
            .from_wall_ns = now_wall_ns - ASK_NOW_REACH_S * (int64_t)1000000000,
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

lp_err
ask_now_get(ask_now *now, const ask_work *work, catalog *from)
{
    LP_ASSERT(work->query->wants_pending);
    *now = (ask_now){0};
    listing l = {.now = now, .query = work->query};
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

void
ask_now_fini(ask_now *now)
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

bool
ask_now_has(const ask_now *now, const char *session_id, int64_t middle_wall_ns)
{
    for (size_t i = 0; i < now->items.count; i++) {
        if (strcmp(now->items.items[i].session_id, session_id) == 0) {
            return has_at(now->items.items[i].snapshot, middle_wall_ns);
        }
    }
    return false;
}

static lp_err
add_chunk(const snapshot *snap, size_t index, const char *session_id,
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

lp_err
ask_now_each(const ask_now *now,
    lp_err (*on_chunk)(void *arg, int64_t middle_wall_ns, int64_t length_ns, const rollup *found),
    void *arg)
{
    LP_ASSERT(on_chunk != NULL);
    lp_err err = LP_OK;
    for (size_t i = 0; i < now->items.count && err == LP_OK; i++) {
        const snapshot *snap = now->items.items[i].snapshot;
        for (size_t k = 0; k < snap->chunks.count && err == LP_OK; k++) {
            if (snap->chunks.items[k].statistics_bytes > 0) {
                err = add_chunk(snap, k, now->items.items[i].session_id, on_chunk, arg);
            }
        }
    }
    return err;
}
