// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/chunk_queue.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/chunks/chunk_task.h"
#include "collector/session/session_log.h"
#include "collector/session/session_settle.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    uv_work_t work;
    memory_room_user memory;
    chunk_queue *queue;
    session *session;    // not dropped before the job ends
    uint32_t next_chunk; // of the session, when the task was made
    chunk_task task;
    chunk_task_output output;
    lp_err err;
    lp_problem problem;
} job;

static void
job_check(const job *j)
{
    LP_ASSERT(j->queue != NULL && j->session != NULL);
    LP_ASSERT(j->session->has_job);
}

// next_chunk returns the ordinal behind the compacted chunks, committed or not.
static uint32_t
next_chunk(const session *s)
{
    return s->packed_end != 0 ? s->packed_end : s->row.next_chunk;
}

// retry_later delays the session's next try.
static void
retry_later(chunk_queue *self, session *s, const char *why)
{
    metrics_add(METRICS_jobs_failed, 1);
    s->retry_ms = uv_now(self->loop) + lp_time_scale_ms(CHUNK_QUEUE_RETRY_MS);
    lp_log(LP_LOG_ERROR, "session %s: chunk %u: %s; trying again in %d s", s->row.id,
        s->chunks[session_get_begin(s)].ordinal, why, CHUNK_QUEUE_RETRY_MS / 1000);
}

// commit puts the chunk into the catalog, which makes its journals superfluous.
static lp_err
commit(chunk_queue *self, session *s, const chunk_task *task, chunk_task_output *output)
{
    chunk_commit c;
    chunk_commit_init(&c, &self->to, s, task, output, &(blob_place){.object = ""});
    catalog *to = self->to.sessions->catalog;
    uint64_t left_out = catalog_rollups_left_out(to);
    lp_err err = catalog_add_chunk(to, &c.row, &c.chunk, lp_buf_slice(&output->carry));
    if (err == LP_OK) {
        metrics_add(METRICS_rollups_left_out, catalog_rollups_left_out(to) - left_out);
        chunk_commit_finish(&c, &self->to);
    } else {
        chunk_commit_fini(&c);
    }
    return err;
}

// mark_damaged puts a chunk aside: only its context records count, and its journal is put aside
// when the next chunk is compacted. If the agent resent a part of it, only the resent part counts
// from now on.
static void
mark_damaged(const job *j, session *s)
{
    job_check(j);
    size_t end = session_get_begin(s) + chunk_task_unit_end(&j->task, 0);
    session_chunk *chunk = &s->chunks[end - 1];
    LP_ASSERT(chunk->has_jfr && !chunk->is_damaged); // or it would not have been compacted
    if (session_get_ignored_from(chunk) > 0 &&
        chunk->came_bytes > 0) { // the resent part may be readable
        session_forget_before(chunk);
        return;
    }
    chunk->is_damaged = true;
    metrics_add(METRICS_chunks_damaged, 1);
    char where[40] = "";
    if (j->problem.has_offset) {
        (void)snprintf(where, sizeof(where), " at offset %" PRIu64, j->problem.offset);
    }
    lp_log(LP_LOG_ERROR, "session %s: chunk %u cannot be compacted and is put aside: %s%s",
        s->row.id, chunk->ordinal, j->problem.text, where);
}

// is_outdated returns whether the session's chunks changed since the job began.
static bool
is_outdated(const job *j, const session *s)
{
    return j->next_chunk != next_chunk(s) ||
           chunk_commit_is_grown(&j->task, s, session_get_begin(s));
}

// commit_or_pack commits the job's chunk, or adds it to a pack.
static lp_err
commit_or_pack(job *j, session *s)
{
    job_check(j);
    return j->queue->packs == NULL ? commit(j->queue, s, &j->task, &j->output)
                                   : packs_add(j->queue->packs, s, &j->task, &j->output);
}

static void
finish_job(job *j, session *s)
{
    job_check(j);
    if (j->err == LP_ECLOSED || s->standing == SESSION_LEAVING) {
        return; // the next start compacts it, or another collector
    }
    bool is_damaged = j->err == LP_ECORRUPT || j->err == LP_EVERSION;
    if (j->err != LP_OK && !is_damaged) {
        retry_later(j->queue, s, j->problem.text);
        return;
    }
    if (is_outdated(j, s)) {
        return; // compact again, with the new batches
    }
    if (is_damaged) {
        mark_damaged(j, s);
        return;
    }
    lp_err err = commit_or_pack(j, s);
    if (err == LP_ECLOSED) {
        session_note_lost(s);
        return;
    }
    if (err != LP_OK) {
        char why[160];
        (void)snprintf(why, sizeof(why), "cannot write the catalog: %s", lp_err_reason(err));
        retry_later(j->queue, s, why);
    }
}

static bool
is_stopping(const chunk_queue *self)
{
    return atomic_load_explicit(&self->is_stopping, memory_order_relaxed);
}

static void
run_job(uv_work_t *work)
{
    static _Thread_local bool is_lowered;
    job *j = work->data;
    if (!is_lowered) {
        is_lowered = true;
        workers_lower(WORKERS_BEHIND); // below the loop, and threads that answer requests
    }
    j->err = is_stopping(j->queue)
                 ? LP_ECLOSED
                 : chunk_task_run(&j->task, j->queue->blobs,
                       j->queue->packs == NULL ? NULL : packs_get_files(j->queue->packs),
                       &j->output, &j->problem);
}

// end_job returns the job's memory, and frees it.
static void
end_job(job *j)
{
    job_check(j);
    j->session->has_job = false;
    memory_room_leave(j->queue->memory, &j->memory);
    free(j);
}

static void
on_job_done(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    job *j = work->data;
    chunk_queue *self = j->queue;
    session *s = j->session;

    metrics_sub(METRICS_jobs_running, 1);
    finish_job(j, s);
    chunk_task_output_fini(&j->output);
    chunk_task_fini(&j->task);
    end_job(j);
    if (self->packs != NULL) {
        packs_tick(self->packs);
    }
    chunk_queue_consider(self, s);
}

// wait_ns returns how much must follow a unit of the session before it is due.
static int64_t
wait_ns(const chunk_queue *self, const session *s, session_unit unit)
{
    const policy_file *own = unit.end == 0 ? NULL : s->chunks[unit.end - 1].policy;
    const policy *rules = own == NULL ? self->policy : policy_file_get_rules(own);
    bool is_held = self->context_hold_ns > SESSION_LOOK_AHEAD_NS && policy_waits(rules);
    return is_held ? self->context_hold_ns : SESSION_LOOK_AHEAD_NS;
}

static void
run(void *arg)
{
    job *j = arg;
    chunk_queue *self = j->queue;
    job_check(j);
    lp_err err = LP_ECLOSED;
    // While the job waited for its room, the chunk may have begun again.
    const session_unit unit = session_next_unit(j->session);
    int64_t reach_ns = wait_ns(self, j->session, unit);
    if (!is_stopping(self) && j->session->standing != SESSION_LEAVING &&
        session_is_due(j->session, unit, reach_ns)) {
        err = sessions_load_carry(self->to.sessions, j->session);
    }
    if (err == LP_OK) {
        uint64_t bytes = chunk_task_estimate(j->session, unit, reach_ns);
        bool suffices = memory_room_suffices(self->memory, &j->memory, bytes);
        j->next_chunk = next_chunk(j->session);
        err = chunk_task_init(&j->task, j->session, unit.begin, self->policy, self->context_hold_ns,
            suffices ? -1 : blobs_get_directory(self->blobs));
    }
    if (err != LP_OK) {
        if (err != LP_ECLOSED) {
            retry_later(self, j->session, lp_err_reason(err));
        }
        end_job(j);
        return;
    }
    const chunk_seal *seal = &self->to.seal;
    j->task.wants_traces = seal->wants_traces != NULL && seal->wants_traces(seal->arg);
    metrics_add(METRICS_jobs_running, 1);
    int failure = uv_queue_work(self->loop, &j->work, run_job, on_job_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

// start_job queues a unit that is due until there is room in memory.
static void
start_job(chunk_queue *self, session *s, session_unit unit, int64_t reach_ns)
{
    LP_ASSERT(!s->has_job);
    job *j = calloc(1, sizeof(*j));
    if (j == NULL) {
        retry_later(self, s, lp_err_text(LP_ENOMEM));
        return;
    }
    j->work.data = j;
    j->queue = self;
    j->session = s;
    j->memory = (memory_room_user){
        .bytes = chunk_task_estimate(s, unit, reach_ns),
        .rank = MEMORY_ROOM_COMPACTION,
        .on_room = run,
        .arg = j,
    };
    s->has_job = true;
    memory_room_ask(self->memory, &j->memory);
}

// end_session ends a session without anything left to compact, and drops it once that is saved.
static void
end_session(chunk_queue *self, session *s)
{
    LP_ASSERT(!s->has_job);
    session_end(s);
    sessions_save(self->to.sessions, s);
    if (!s->is_unsaved && s->standing != SESSION_LOST) {
        lp_log(session_log_get_level(&self->to.sessions->log, SESSION_LOG_END),
            "session %s has ended", s->row.id);
        sessions_leave(self->to.sessions, s);
    }
}

// withdraw drops a session that another collector owns, or will own.
static void
withdraw(chunk_queue *self, session *s)
{
    LP_ASSERT(s->standing != SESSION_OURS);
    if (s->standing == SESSION_LOST && self->keeps_lost) {
        return;
    }
    if (self->packs != NULL) {
        packs_drop(self->packs, s);
    }
    if (s->standing == SESSION_LEAVING) {
        sessions_leave(self->to.sessions, s);
    } else {
        (void)sessions_remove(self->to.sessions, s); // else the next time
    }
}

void
chunk_queue_consider(chunk_queue *self, session *s)
{
    LP_ASSERT(sessions_has(self->to.sessions, s));
    session_check(s);
    if (is_stopping(self) || s->has_job) {
        return;
    }
    if (s->standing != SESSION_OURS) {
        withdraw(self, s);
        return;
    }
    if (uv_now(self->loop) < s->retry_ms) {
        return;
    }
    bool is_full = self->packs != NULL && packs_is_full(self->packs);
    const session_unit unit = session_next_unit(s);
    int64_t reach_ns = wait_ns(self, s, unit);
    if (s->packed_end == 0 && session_has_ended(s) && session_get_lacking(s) == 0 &&
        !unit.has_jfr) {
        end_session(self, s);
    } else if (!is_full && session_is_due(s, unit, reach_ns)) {
        start_job(self, s, unit, reach_ns);
    }
}
