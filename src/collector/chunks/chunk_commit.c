// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/chunk_commit.h"

#include "collector/base/metrics.h"
#include "collector/session/session_settle.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdio.h>
#include <string.h>

enum { BATCHES_TEXT_BYTES = 160 };

bool
chunk_commit_is_grown(const chunk_task *task, const session *s, size_t begin)
{
    LP_ASSERT(begin <= s->chunk_count);
    size_t count = chunk_task_unit_end(task, 0);
    for (size_t i = 0; i < count; i++) {
        const assembly_part *part = &task->parts[i];
        const session_chunk *chunk = &s->chunks[begin + i];
        if (begin + i >= s->chunk_count || chunk->journal != part->journal ||
            journal_get_size(chunk->journal) != part->end_bytes) {
            return true;
        }
    }
    return false;
}

_Static_assert(COMPACT_BY_WITHHELD == 0, "the metrics of reasons begin with it, as the reasons do");

static void
count_dropped(const compact_stats *stats)
{
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        metrics_add(METRICS_events_dropped_WITHHELD + (metrics_id)i, stats->events_dropped.by[i]);
        metrics_add(
            METRICS_contexts_dropped_WITHHELD + (metrics_id)i, stats->contexts_dropped.by[i]);
    }
}

_Static_assert(COMPACT_REQUEST_KEPT_PARTS == 1 && COMPACT_REQUEST_DROPPED_BUDGET == 1,
    "the metrics of requests by reason begin with these");

static void
count_request_reasons(const compact_request_reasons *reasons)
{
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        metrics_add(METRICS_requests_kept_PARTS + (metrics_id)(i - 1), reasons->kept[i]);
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        metrics_add(METRICS_requests_dropped_BUDGET + (metrics_id)(i - 1), reasons->dropped[i]);
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
    count_request_reasons(&output->stats.request_reasons);
}

static chunk_losses
losses_of(const session *s, const chunk_task_output *output, const lp_ranges *lost)
{
    chunk_losses losses = {{0}};
    losses.by[CATALOG_LOSS_CARRIES_LOST] = output->carry_problem.text[0] != '\0';
    losses.by[CATALOG_LOSS_GAP_BYTES] = output->gap_bytes;
    losses.by[CATALOG_LOSS_CONSTANTS_LEFT_OUT] = output->unprintable;
    losses.by[CATALOG_LOSS_BATCHES_LOST] = lp_ranges_count(lost);
    uint64_t known_bytes = 0; // of damage in the journals, counted when it was found
    for (size_t i = 0; i < output->part_count; i++) {
        losses.by[CATALOG_LOSS_CHUNKS_UNREADABLE] += s->chunks[i].is_damaged ? 1 : 0;
        known_bytes += s->chunks[i].damaged_bytes;
    }
    losses.by[CATALOG_LOSS_JOURNAL_BYTES_LOST] =
        output->damaged_bytes > known_bytes ? output->damaged_bytes - known_bytes : 0;
    return losses;
}

static void
commit_check(const chunk_commit *self)
{
    LP_ASSERT(self->session != NULL && self->task != NULL && self->output != NULL);
    LP_ASSERT(self->chunk.ordinal == self->output->ordinal);
}

// report_losses logs and counts the committed losses.
static void
report_losses(const chunk_commit *self)
{
    commit_check(self);
    const session *s = self->session;
    const chunk_task_output *output = self->output;
    const chunk_losses *losses = &self->losses;
    char batches[BATCHES_TEXT_BYTES] =
        "the agent resent only a part, the chunk is used as before: ";
    size_t len = strlen(batches);
    lp_ranges_format(&self->lost, batches + len, sizeof(batches) - len);
    const char *const why[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_CARRIES_LOST] = output->carry_problem.text,
        [CATALOG_LOSS_JOURNAL_BYTES_LOST] = "its journal was damaged after it was written",
        [CATALOG_LOSS_GAP_BYTES] = output->gap.text,
        [CATALOG_LOSS_CONSTANTS_LEFT_OUT] =
            "they refer to missing constants, and no tool prints them",
        [CATALOG_LOSS_BATCHES_LOST] = batches,
        [CATALOG_LOSS_CHUNKS_UNREADABLE] = "chunks before it are put aside",
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

void
chunk_commit_init(chunk_commit *self, const chunk_commit_to *to, session *s, const chunk_task *task,
    chunk_task_output *output, const blob_place *place)
{
    LP_ASSERT(output->part_count > 0 && output->part_count <= s->chunk_count);
    LP_ASSERT(s->chunks[output->part_count - 1].ordinal == output->ordinal);
    const compact_stats *stats = &output->stats;
    *self = (chunk_commit){.session = s, .task = task, .output = output, .row = s->row};
    catalog_session *row = &self->row; // shares the strings
    row->next_chunk = output->ordinal + 1;
    row->is_ended = session_has_ended(s) && s->chunk_count == output->part_count;
    chunk_task_add_totals(stats, &row->totals);
    self->lost = lp_ranges_copy(&output->unhealed);
    lp_ranges_intersect(&self->lost, &s->made_good);
    self->losses = losses_of(s, output, &self->lost);
    row->settled = lp_ranges_copy(&s->row.settled);
    row->lost = lp_ranges_copy(&s->row.lost);
    row->late = lp_ranges_copy(&s->row.late);
    lp_ranges_unite(&row->lost, &self->lost);
    session_settle(s, output->part_count, row);
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        row->losses[i] += self->losses.by[i];
    }
    self->chunk = (catalog_chunk){
        .ordinal = output->ordinal,
        .start_wall_ns = stats->start_wall_ns,
        .duration_ns = stats->duration_ns,
        .size_bytes = output->size_bytes,
        .stored_bytes = output->stored.stored_bytes,
        .place = *place,
        .content_hash = output->stored.content_hash,
        .types_json = output->types_json,
        .rollup = &output->contexts,
        .ids = id_index_note(to->ids, stats->start_wall_ns, &output->ids, lp_time_now()),
    };
}

bool
chunk_seal_wants(const chunk_seal *seal, const session *of)
{
    return seal->wants != NULL && seal->wants(seal->arg, of);
}

void
chunk_commit_fini(chunk_commit *self)
{
    catalog_session_fini(&self->row);
    lp_ranges_fini(&self->lost);
}

static void
feed(chunk_feed *to, const session *s, const chunk_task_output *output)
{
    chunk_feed_item item = {
        .ordinal = output->ordinal, .longest_ns = output->contexts.longest_ns[ROLLUP_REQUESTS]};
    (void)snprintf(item.session_id, sizeof(item.session_id), "%s", s->row.id);
    metrics_add(METRICS_otlp_chunks_waiting, 1); // first: the reader subtracts it
    if (!chunk_feed_push(to, &item)) {
        metrics_sub(METRICS_otlp_chunks_waiting, 1);
        metrics_add(METRICS_otlp_chunks_left_out, 1);
    }
}

void
chunk_commit_finish(chunk_commit *self, const chunk_commit_to *to)
{
    commit_check(self);
    LP_ASSERT(self->row.next_chunk > self->session->row.next_chunk);
    session *s = self->session;
    chunk_task_output *output = self->output;
    catalog_session_fini(&s->row);
    s->row = self->row; // moves
    session_note_stored(s);
    s->is_unsaved = false;
    s->cut_chunk = output->ordinal == s->at_chunk ? output->ordinal + 1 : s->cut_chunk;
    lp_ranges_subtract(&s->rest, &s->row.settled);
    lp_ranges_subtract(&s->made_good, &self->lost);
    report_losses(self);
    lp_ranges_fini(&self->lost);
    lp_buf_fini(&s->carry);
    s->carry = output->carry; // moves
    output->carry = (lp_buf){0};
    if (chunk_seal_wants(&to->seal, s)) {
        to->seal.write(to->seal.arg, self);
    }
    sessions_discard_chunks(to->sessions, s, output->part_count);
    count_output(output);
    metrics_add(METRICS_index_chunks_left_out, self->chunk.ids.is_left_out);
    retention_note(to->retention, s->row.service, &self->chunk, lp_time_now());
    if (to->services != NULL) {
        service_metrics_add(
            to->services, s->row.service, s->row.id, &output->stats, &output->contexts);
    }
    if (to->feed != NULL) {
        feed(to->feed, s, output);
    }
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        s->untold[i] -= self->task->untold[i]; // the chunk reports it now
    }
    policy *rules = chunk_task_get_policy(self->task, output->part_count);
    compact_stats_check(&output->stats, rules);
    policy_check_unmet(rules, session_has_ended(s) && s->chunk_count == 0, lp_time_now(),
        chunk_task_get_source(self->task, output->part_count), to->unmet);
}
