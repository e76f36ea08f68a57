// SPDX-License-Identifier: Apache-2.0

#include "collector/server/chunk_queue.h"

#include "collector/base/metrics.h"
#include "collector/server/chunk_task.h"
#include "collector/store/catalog_rollups.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    uv_work_t work;
    chunk_queue *queue;
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
#define LOUPE_CHUNK_METRIC(id, field) metrics_add(METRICS_##id, output->stats.field);
#include "collector/base/chunk_metrics.def"
#undef LOUPE_CHUNK_METRIC
    count_dropped(&output->stats);
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
    const catalog_chunk chunk = {
        .ordinal = output->ordinal,
        .start_wall_ns = stats->start_wall_ns,
        .duration_ns = stats->duration_ns,
        .size_bytes = output->size_bytes,
        .content_hash = output->content_hash,
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
    lp_buf_fini(&s->carry);
    s->carry = output->carry; // moves
    output->carry = (lp_buf){0};
    sessions_discard_chunks(self->sessions, s, output->part_count);
    count_output(output);
    if (self->services != NULL) {
        service_metrics_add(self->services, s->row.service, s->row.id, stats, &output->contexts);
    }
    return LP_OK;
}

// mark_damaged makes the chunk count for its context records alone; its journal is put aside when
// those are compacted with the next chunk.
static void
mark_damaged(const job *j, session *s)
{
    session_chunk *chunk = &s->chunks[chunk_task_unit_end(&j->task, 0) - 1];
    LP_ASSERT(chunk->has_jfr && !chunk->is_damaged); // or it would not have been compacted
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
    if (j->err == LP_ECLOSED) {
        return; // the next start does it
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
    if (j->output.is_carry_lost) {
        metrics_add(METRICS_carries_lost, 1);
        lp_log(LP_LOG_WARN,
            "session %s: chunk %u: what the chunk before left cannot be read: contexts that were "
            "open then are lost",
            s->row.id, j->output.ordinal);
    }
    if (j->output.gap.text[0] != '\0') {
        metrics_add(METRICS_chunk_gaps, 1);
        lp_log(LP_LOG_WARN, "session %s: chunk %u: %s; what comes after is not used", s->row.id,
            j->output.ordinal, j->output.gap.text);
    }
    lp_err err = commit(j->queue, s, &j->output);
    if (err != LP_OK) {
        put_off(j->queue, s, "the catalog cannot be written");
        return;
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
    job *j = work->data;
    j->err = is_stopping(j->queue)
                 ? LP_ECLOSED
                 : chunk_task_run(&j->task, j->queue->blobs, &j->output, &j->problem);
}

static void
on_job_done(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    job *j = work->data;
    chunk_queue *self = j->queue;
    session *s = sessions_find(self->sessions, j->task.session_id);
    LP_ASSERT(s != NULL && s->has_job); // it is not dropped before

    metrics_sub(METRICS_jobs_running, 1);
    s->has_job = false;
    finish_job(j, s);
    chunk_task_output_fini(&j->output);
    chunk_task_fini(&j->task);
    free(j);
    chunk_queue_consider(self, s);
}

static lp_err
start_job(chunk_queue *self, session *s)
{
    lp_err err = sessions_load_carry(self->sessions, s);
    if (err != LP_OK) {
        return err;
    }
    job *j = calloc(1, sizeof(*j));
    if (j == NULL) {
        return LP_ENOMEM;
    }
    j->work.data = j;
    j->queue = self;
    err = chunk_task_init(&j->task, s, self->policy, self->context_hold_ns);
    if (err != LP_OK) {
        free(j);
        return err;
    }
    metrics_add(METRICS_jobs_running, 1);
    s->has_job = true;
    int failure = uv_queue_work(self->loop, &j->work, run_job, on_job_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
    return LP_OK;
}

// end_session ends a session that has nothing left to compact.
static void
end_session(chunk_queue *self, session *s)
{
    s->is_unsaved = s->is_unsaved || !s->row.is_ended;
    s->row.is_ended = true;
    sessions_save(self->sessions, s);
    if (!s->is_unsaved) {
        lp_log(LP_LOG_INFO, "session %s has ended", s->row.id);
        sessions_discard_chunks(self->sessions, s, s->chunk_count);
        sessions_drop(self->sessions, s);
    }
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

void
chunk_queue_consider(chunk_queue *self, session *s)
{
    LP_ASSERT(sessions_find(self->sessions, s->row.id) == s);
    session_check(s);

    if (is_stopping(self) || s->has_job || uv_now(self->loop) < s->retry_ms) {
        return;
    }
    if (s->has_ended && !session_unit_has_jfr(s, 0)) {
        end_session(self, s);
    } else if (session_is_due(s, wait_ns(self, s))) {
        lp_err err = start_job(self, s);
        if (err != LP_OK) {
            put_off(self, s, lp_err_text(err));
        }
    }
}
