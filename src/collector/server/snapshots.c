// SPDX-License-Identifier: Apache-2.0

#include "collector/server/snapshots.h"

#include "collector/base/metrics.h"
#include "collector/server/chunk_task.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>

typedef struct job {
    uv_work_t work;
    snapshots *owner;
    chunk_task task;
    session_extent extent; // of the session when task was made
    snapshot_kind kind;
    snapshot *snapshot;
    snapshot_receiver *on_snapshot;
    void *arg;
} job;

static bool
is_same(const session_extent *a, const session_extent *b)
{
    return a->next_chunk == b->next_chunk && a->damaged_count == b->damaged_count &&
           a->journal_bytes == b->journal_bytes;
}

// keep_counts keeps a copy of a finished job's counts with its session, for the next reader.
// Without memory for the copy, none is kept.
static void
keep_counts(const job *j)
{
    session *s = sessions_find(j->owner->sessions, j->task.session_id);
    if (s == NULL || j->snapshot->err != LP_OK) {
        return;
    }
    snapshot_destroy(s->counted);
    s->counted = snapshot_copy_counts(j->snapshot);
    s->counted_extent = j->extent;
}

static void
run_job(uv_work_t *work)
{
    job *j = work->data;
    if (atomic_load_explicit(&j->owner->is_stopping, memory_order_relaxed)) {
        j->snapshot->err = LP_ECLOSED;
        return;
    }
    chunk_task_run_all(&j->task, j->kind, j->snapshot);
}

static void
on_job_done(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    job *j = work->data;
    metrics_sub(METRICS_jobs_running, 1);
    keep_counts(j);
    chunk_task_fini(&j->task);
    snapshot_check(j->snapshot);
    j->on_snapshot(j->arg, j->snapshot);
    free(j);
}

static void
note_row(void *arg, const catalog_session *row)
{
    snapshot *snap = arg;
    snap->next_chunk = row->next_chunk;
    snap->totals = row->totals;
}

// make_task fills in the snapshot's part that is known on the loop. The task has parts if there is
// something to compact.
static lp_err
make_task(snapshots *self, const char *session_id, session *s, job *j)
{
    if (s == NULL) {
        return catalog_find(
            sessions_get_catalog(self->sessions), session_id, note_row, j->snapshot);
    }
    note_row(j->snapshot, &s->row);
    if (!session_unit_has_jfr(s, 0)) {
        return LP_OK;
    }
    lp_err err = sessions_load_carry(self->sessions, s);
    if (err != LP_OK) {
        return err;
    }
    j->extent = session_get_extent(s);
    return chunk_task_init(&j->task, s, self->policy, self->context_hold_ns);
}

static void
start_job(snapshots *self, job *j)
{
    j->work.data = j;
    metrics_add(METRICS_snapshots, 1);
    metrics_add(METRICS_jobs_running, 1);
    int failure = uv_queue_work(self->loop, &j->work, run_job, on_job_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

// find_counts returns the session's counts if nothing came since they were made; else NULL.
static const snapshot *
find_counts(const session *s)
{
    if (s == NULL || s->counted == NULL) {
        return NULL;
    }
    session_extent extent = session_get_extent(s);
    return is_same(&extent, &s->counted_extent) ? s->counted : NULL;
}

void
snapshots_make(snapshots *self, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg)
{
    session *s = sessions_find(self->sessions, session_id);
    const snapshot *counts = kind == SNAPSHOT_COUNTS ? find_counts(s) : NULL;
    if (counts != NULL) {
        on_snapshot(arg, snapshot_copy_counts(counts));
        return;
    }
    job *j = calloc(1, sizeof(*j));
    snapshot *snap = calloc(1, sizeof(*snap));
    if (j == NULL || snap == NULL) {
        free(j);
        free(snap);
        on_snapshot(arg, NULL);
        return;
    }
    j->owner = self;
    j->kind = kind;
    j->snapshot = snap;
    j->on_snapshot = on_snapshot;
    j->arg = arg;
    snap->err = make_task(self, session_id, s, j);
    if (j->task.part_count > 0) {
        start_job(self, j);
    } else {
        free(j);
        on_snapshot(arg, snap);
    }
}
