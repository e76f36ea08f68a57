// SPDX-License-Identifier: Apache-2.0

#include "collector/server/chunk_queue.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/server/chunk_task.h"
#include "collector/server/session_lack.h"
#include "collector/server/session_settle.h"
#include "collector/store/catalog_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    uv_work_t work;
    memory_room_user memory;
    chunk_queue *queue;
    session *session; // which is not dropped before
    chunk_task task;
    chunk_task_output output;
    lp_err err;
    lp_problem problem;
} job;

// put_off makes the session wait before the next try.
static void
put_off(chunk_queue *self, session *s, const char *why)
{
    metrics_add(METRICS_jobs_failed, 1);
    s->retry_ms = uv_now(self->loop) + CHUNK_QUEUE_RETRY_MS;
    lp_log(LP_LOG_ERROR, "session %s: chunk %u: %s; trying again in %d s", s->row.id,
        s->chunks[0].ordinal, why, CHUNK_QUEUE_RETRY_MS / 1000);
}

// is_grown returns whether batches have come for the job's unit since the job was made.
static bool
is_grown(const job *j, const session *s)
{
    size_t end = chunk_task_unit_end(&j->task, 0);
    for (size_t i = 0; i < end; i++) {
        if (s->chunks[i].journal != j->task.parts[i].journal ||
            journal_get_size(s->chunks[i].journal) != j->task.parts[i].end_bytes) {
            return true;
        }
    }
    return false;
}

static void
count_dropped(const compact_stats *stats)
{
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        metrics_add(METRICS_events_dropped_ENABLED + (metrics_id)i, stats->events_dropped.by[i]);
        metrics_add(
            METRICS_contexts_dropped_ENABLED + (metrics_id)i, stats->contexts_dropped.by[i]);
    }
}

static void
count_output(const chunk_task_output *output)
{
    metrics_add(METRICS_jobs_done, 1);
    metrics_add(METRICS_chunk_bytes_over_limit, output->over_bytes);
#define LOUPE_CHUNK_METRIC(id, field) metrics_add(METRICS_##id, output->stats.field);
#include "collector/base/chunk_metrics.def"
#undef LOUPE_CHUNK_METRIC
    count_dropped(&output->stats);
}

// What the recording lacks since the commit of a chunk.
typedef struct chunk_losses {
    uint64_t by[CATALOG_LOSS_COUNT];
} chunk_losses;

static chunk_losses
losses_of(const session *s, const chunk_task_output *output)
{
    chunk_losses losses = {{0}};
    losses.by[CATALOG_LOSS_CARRIES_LOST] = output->is_carry_lost ? 1 : 0;
    losses.by[CATALOG_LOSS_GAP_BYTES] = output->gap_bytes;
    losses.by[CATALOG_LOSS_BATCHES_LOST] =
        output->unhealed < s->batches_made_good ? output->unhealed : s->batches_made_good;
    uint64_t known_bytes = 0; // of damage in the journals: it was counted when it was found
    for (size_t i = 0; i < output->part_count; i++) {
        losses.by[CATALOG_LOSS_CHUNKS_UNREADABLE] += s->chunks[i].is_damaged ? 1 : 0;
        known_bytes += s->chunks[i].damaged_bytes;
    }
    losses.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] =
        output->damaged_bytes > known_bytes ? output->damaged_bytes - known_bytes : 0;
    return losses;
}

// report_losses is for those that were committed.
static void
report_losses(const session *s, const chunk_task_output *output, const chunk_losses *losses)
{
    const char *const why[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_CARRIES_LOST] =
            "what the chunk before left, with open contexts, is unreadable",
        [CATALOG_LOSS_JOURNAL_BYTES_LOST] = "its journal was damaged since it was written",
        [CATALOG_LOSS_GAP_BYTES] = output->gap.text,
        [CATALOG_LOSS_BATCHES_LOST] = "it came again in part, and is used as it was before",
        [CATALOG_LOSS_CHUNKS_UNREADABLE] = "before it, they are put aside",
    };
    for (catalog_loss loss = 0; loss < CATALOG_LOSS_COUNT; loss++) {
        if (losses->by[loss] > 0) {
            session_report_loss(
                s, loss, losses->by[loss], "chunk %u: %s", output->ordinal, why[loss]);
        }
    }
    metrics_add(METRICS_carries_lost, losses->by[CATALOG_LOSS_CARRIES_LOST]);
    metrics_add(METRICS_chunk_gaps, losses->by[CATALOG_LOSS_GAP_BYTES] > 0 ? 1 : 0);
}

// commit puts the chunk into the catalog; from then on its journals are superfluous.
static lp_err
commit(chunk_queue *self, session *s, chunk_task_output *output)
{
    LP_ASSERT(output->part_count > 0 && output->part_count <= s->chunk_count);
    LP_ASSERT(s->chunks[output->part_count - 1].ordinal == output->ordinal);

    const compact_stats *stats = &output->stats;
    catalog_session row = s->row; // shares the strings
    row.next_chunk = output->ordinal + 1;
    row.is_ended = s->has_ended && s->chunk_count == output->part_count;
    chunk_task_add_totals(stats, &row.totals);
    session_settle(s, output->part_count, &row);
    const chunk_losses losses = losses_of(s, output);
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        row.losses[i] += losses.by[i];
    }
    const catalog_chunk chunk = {
        .ordinal = output->ordinal,
        .start_wall_ns = stats->start_wall_ns,
        .duration_ns = stats->duration_ns,
        .size_bytes = output->size_bytes,
        .stored_bytes = output->stored.stored_bytes,
        .content_hash = output->stored.content_hash,
        .types_json = output->types_json,
        .rollup = &output->contexts,
    };
    // Before the chunk is there: the index may name one that is not, but should not miss one.
    id_store_add(self->ids, row.id, output->ordinal, stats->start_wall_ns, &output->ids);
    catalog *to = sessions_get_catalog(self->sessions);
    uint64_t left_out = catalog_rollups_left_out(to);
    lp_err err = catalog_add_chunk(to, &row, &chunk, lp_buf_slice(&output->carry));
    if (err != LP_OK) {
        return err;
    }
    metrics_add(METRICS_rollups_left_out, catalog_rollups_left_out(to) - left_out);
    s->row = row;
    s->is_unsaved = false;
    s->cut_chunk = output->ordinal == s->at_chunk ? output->ordinal + 1 : s->cut_chunk;
    s->batches_made_good -= losses.by[CATALOG_LOSS_BATCHES_LOST];
    session_forget_made_good(s);
    report_losses(s, output, &losses);
    lp_buf_fini(&s->carry);
    s->carry = output->carry; // moves
    output->carry = (lp_buf){0};
    sessions_discard_chunks(self->sessions, s, output->part_count);
    count_output(output);
    retention_note(self->retention, s->row.service, &chunk, lp_time_now());
    if (self->services != NULL) {
        service_metrics_add(self->services, s->row.service, s->row.id, stats, &output->contexts);
    }
    return LP_OK;
}

// mark_damaged makes the chunk count for its context records alone; its journal is put aside when
// those are compacted with the next chunk. One that came again in part counts for that part
// instead.
static void
mark_damaged(const job *j, session *s)
{
    session_chunk *chunk = &s->chunks[chunk_task_unit_end(&j->task, 0) - 1];
    LP_ASSERT(chunk->has_jfr && !chunk->is_damaged); // or it would not have been compacted
    if (session_get_ignored_from(chunk) > 0 && chunk->came_bytes > 0) { // what came again may do
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

static void
finish_job(job *j, session *s)
{
    if (j->err == LP_ECLOSED || s->is_leaving) {
        return; // the next start does it, or another collector
    }
    bool is_damaged = j->err == LP_ECORRUPT || j->err == LP_EVERSION;
    if (j->err != LP_OK && !is_damaged) {
        put_off(j->queue, s, j->problem.text);
        return;
    }
    if (is_grown(j, s)) {
        return; // once more, with all of it
    }
    if (is_damaged) {
        mark_damaged(j, s);
        return;
    }
    lp_err err = commit(j->queue, s, &j->output);
    if (err != LP_OK) {
        char why[160];
        (void)snprintf(why, sizeof(why), "cannot write the catalog: %s", lp_err_reason(err));
        put_off(j->queue, s, why);
        return;
    }
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        s->untold[i] -= j->task.untold[i]; // the chunk says it now
    }
    compact_stats_check(&j->output.stats, chunk_task_get_policy(&j->task, j->output.part_count));
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
        workers_lower(WORKERS_BEHIND); // than the loop, and whoever is asked and waited for
    }
    j->err = is_stopping(j->queue)
                 ? LP_ECLOSED
                 : chunk_task_run(&j->task, j->queue->blobs, &j->output, &j->problem);
}

// end_job gives back the room of a job, and ends it.
static void
end_job(job *j)
{
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
    chunk_queue_consider(self, s);
}

// wait_ns returns how long those behind the session's first unit have to be.
static int64_t
wait_ns(const chunk_queue *self, const session *s)
{
    size_t end = session_unit_end(s, 0);
    const policy_file *own = end == 0 ? NULL : s->chunks[end - 1].policy;
    const policy *rules = own == NULL ? self->policy : policy_file_get_rules(own);
    bool is_held = self->context_hold_ns > SESSION_LOOK_AHEAD_NS && policy_waits(rules);
    return is_held ? self->context_hold_ns : SESSION_LOOK_AHEAD_NS;
}

// run runs a job that has its room in memory.
static void
run(void *arg)
{
    job *j = arg;
    chunk_queue *self = j->queue;
    lp_err err = LP_ECLOSED;
    // While the job waited for its room, the chunk may have begun again.
    if (!is_stopping(self) && !j->session->is_leaving &&
        session_is_due(j->session, wait_ns(self, j->session))) {
        err = sessions_load_carry(self->sessions, j->session);
    }
    if (err == LP_OK) {
        uint64_t bytes = chunk_task_estimate(j->session, wait_ns(self, j->session));
        bool suffices = memory_room_suffices(self->memory, &j->memory, bytes);
        err = chunk_task_init(&j->task, j->session, self->policy, self->context_hold_ns,
            suffices ? -1 : blobs_get_directory(self->blobs));
    }
    if (err != LP_OK) {
        if (err != LP_ECLOSED) {
            put_off(self, j->session, lp_err_reason(err));
        }
        end_job(j);
        return;
    }
    metrics_add(METRICS_jobs_running, 1);
    int failure = uv_queue_work(self->loop, &j->work, run_job, on_job_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

// start_job has the session's first unit compacted as soon as there is room in memory.
static void
start_job(chunk_queue *self, session *s)
{
    job *j = calloc(1, sizeof(*j));
    if (j == NULL) {
        put_off(self, s, lp_err_text(LP_ENOMEM));
        return;
    }
    j->work.data = j;
    j->queue = self;
    j->session = s;
    j->memory = (memory_room_user){
        .bytes = chunk_task_estimate(s, wait_ns(self, s)),
        .rank = MEMORY_ROOM_COMPACTION,
        .on_room = run,
        .arg = j,
    };
    s->has_job = true;
    memory_room_ask(self->memory, &j->memory);
}

// end_session ends a session that has nothing left to compact.
static void
end_session(chunk_queue *self, session *s)
{
    size_t damaged = 0;
    for (size_t i = 0; i < s->chunk_count && !s->row.is_ended; i++) {
        damaged += s->chunks[i].is_damaged ? 1 : 0;
    }
    if (damaged > 0) {
        session_lose(s, CATALOG_LOSS_CHUNKS_UNREADABLE, damaged, "the last of it is put aside");
    }
    s->is_unsaved = s->is_unsaved || !s->row.is_ended;
    s->row.is_ended = true;
    bool is_over = s->row.ended_how == CATALOG_ENDED_CLOSED; // or what is discarded may lack
    if (is_over) {
        session_settle(s, s->chunk_count, &s->row);
    } else {
        session_settle_end(s);
    }
    sessions_save(self->sessions, s);
    if (!s->is_unsaved) {
        lp_log(LP_LOG_INFO, "session %s has ended", s->row.id);
        sessions_discard_chunks(self->sessions, s, s->chunk_count);
        sessions_drop(self->sessions, s);
    }
}

void
chunk_queue_consider(chunk_queue *self, session *s)
{
    LP_ASSERT(sessions_find(self->sessions, s->row.id) == s);
    session_check(s);

    if (is_stopping(self) || s->has_job) {
        return;
    }
    if (s->is_leaving) {
        sessions_leave(self->sessions, s);
        return;
    }
    if (uv_now(self->loop) < s->retry_ms) {
        return;
    }
    if (s->has_ended && s->lack.chunk == 0 && !session_unit_has_jfr(s, 0)) {
        end_session(self, s);
    } else if (session_is_due(s, wait_ns(self, s))) {
        start_job(self, s);
    }
}
