// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_note.h"

#include "collector/base/metrics.h"
#include "collector/session/session_settle.h"
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"

static void
note_header(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    jfr_chunk_info info;
    lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
    if (header.len == 0 || jfr_chunk_parse(header, &info, NULL) != LP_OK) {
        return; // compaction reports damage
    }
    chunk->duration_ns = info.duration_ns;
    int64_t end_wall_ns;
    if (!__builtin_add_overflow(info.start_wall_ns, info.duration_ns, &end_wall_ns) &&
        end_wall_ns > self->row.end_wall_ns) {
        self->row.end_wall_ns = end_wall_ns;
    }
}

static void
note_total(uint64_t *noted, uint64_t total, metrics_id metric)
{
    if (total > *noted) {
        metrics_add(metric, total - *noted);
        *noted = total;
    }
}

// note_arrival counts an agent that comes from another collector.
static void
note_arrival(session *self, uint64_t moves)
{
    if (moves > self->collector_moves) {
        metrics_add(METRICS_agents_arrived, 1);
        self->collector_moves = moves;
    }
}

// note_not_resent counts the growth of an agent's total. The row has the part that was counted
// before.
static void
note_not_resent(session *self, uint64_t total)
{
    uint64_t noted = self->row.losses[CATALOG_LOSS_CHUNKS_NOT_RESENT];
    if (total > noted) {
        session_lose(self, CATALOG_LOSS_CHUNKS_NOT_RESENT, total - noted,
            "its agent no longer had them complete when it was asked to resend them");
    }
}

// note_refused does the same for a total that may grow with each batch, and logs it once.
static void
note_refused(session *self, uint64_t total)
{
    const catalog_loss loss = CATALOG_LOSS_RECORDING_CONTEXTS_REFUSED;
    uint64_t noted = self->row.losses[loss];
    if (noted == 0 && total > 0) {
        session_lose(
            self, loss, total, "its agent had no room for them; the next ones are only counted");
    } else if (total > noted) {
        session_lose_more(self, loss, total - noted);
    }
}

static void
raise_to(uint64_t *noted, uint64_t total)
{
    *noted = total > *noted ? total : *noted;
}

// note_counters notes an agent's totals, which only grow. A start may read older totals from a
// journal than those of the last message.
static void
note_counters(session *self, const Loupe__Wire__Counters *counters)
{
    raise_to(&self->row.contexts_dropped, counters->contexts_dropped);
    raise_to(&self->row.context_values_cut, counters->context_values_cut);
    raise_to(&self->row.context_bytes_dropped, counters->context_bytes_dropped);
    raise_to(&self->row.chunk_bytes_dropped, counters->chunk_bytes_dropped);
    raise_to(&self->row.jfr_restarts, counters->jfr_restarts);
    note_not_resent(self, counters->chunks_not_resent);
    note_refused(self, counters->recording_contexts_refused);
    note_arrival(self, counters->collector_moves);
    note_total(&self->jfr_restarts, counters->jfr_restarts, METRICS_jfr_restarts);
    note_total(&self->contexts_misclosed, counters->contexts_misclosed, METRICS_contexts_misclosed);
    note_total(&self->context_ends_lost, counters->context_ends_lost, METRICS_context_ends_lost);
    note_total(&self->entries_dropped, counters->recording_entries_dropped,
        METRICS_recording_entries_dropped);
    note_total(
        &self->filters_refused, counters->context_filters_refused, METRICS_context_filters_refused);
}

// note_latest is for the batch with the highest number. Recovery reads chunk by chunk, so this need
// not be the last batch it reads. If the row knows this batch already, the agent's last message
// came after it.
static void
note_latest(session *self, const Loupe__Wire__Batch *batch)
{
    bool is_known = batch->sequence + 1 == self->row.next_sequence;
    self->row.next_sequence = batch->sequence + 1;
    bool is_last = batch->is_last || (is_known && self->row.ended_how == CATALOG_ENDED_CLOSED);
    session_enter(self, is_last ? SESSION_ENDED : SESSION_RUNNING);
    self->row.ended_how = is_last ? CATALOG_ENDED_CLOSED : CATALOG_ENDED_UNKNOWN;
    self->at_chunk = batch->chunk;
    if (session_get_lacking(self) != 0 && batch->sequence >= self->lack.until_sequence) {
        session_give_up_lack(self);
    }
    if (batch->counters != NULL) {
        note_counters(self, batch->counters);
    }
}

// note_bytes counts the batch's bytes of its chunk; repeated bytes do not count again.
static void
note_bytes(session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    uint64_t end_bytes;
    if (__builtin_add_overflow(batch->chunk_offset, batch->jfr_size, &end_bytes)) {
        end_bytes = UINT64_MAX;
    }
    if (batch->jfr_size > 0 && end_bytes > chunk->jfr_bytes) {
        chunk->jfr_bytes = end_bytes;
    }
    if (batch->jfr_size > 0 && end_bytes > chunk->came_end) {
        uint64_t more = end_bytes - chunk->came_end;
        chunk->came_bytes += more < batch->jfr_size ? more : batch->jfr_size;
        chunk->came_end = end_bytes;
    }
}

// note_again notes that the agent resends the batch's chunk from its beginning. An agent that
// resends goes on to the last chunk, so all missing batches arrive as well, even if this chunk is
// before the first that lacks. If the agent resends only a later chunk, the collector cannot tell
// which part still lacks, and all of it stays noted.
static void
note_again(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk == chunk->ordinal) {
        if (!chunk->is_damaged && chunk->came_bytes >= chunk->before_bytes) {
            chunk->before_bytes = chunk->came_bytes;
            chunk->before_end = batch->sequence;
        }
        chunk->came_bytes = 0;
        chunk->came_end = 0;
        chunk->has_jfr = chunk->before_bytes > 0;
        chunk->is_damaged = false;
        chunk->duration_ns = 0;
        chunk->damaged_bytes = 0;
        chunk->has_begun_again = true;
        chunk->again_sequence = batch->sequence;
    } else {
        self->again_chunk = batch->chunk + 1;
    }
    session_make_good(self, batch->chunk);
}

void
session_note(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    session_check(self);
    LP_ASSERT(chunk >= self->chunks && chunk < self->chunks + self->chunk_count);
    if (batch->begins_again) {
        note_again(self, chunk, batch);
    }
    if (batch->sequence + 1 >= self->row.next_sequence) {
        note_latest(self, batch);
    }
    chunk->record_bytes += batch->contexts_size;
    chunk->map_bytes += wire_recordings_measure(batch);
    lp_ranges_add(&chunk->batches, batch->sequence, batch->sequence + 1);
    if (batch->chunk != chunk->ordinal) {
        lp_ranges_add(&self->rest, batch->sequence, batch->sequence + 1);
    } else {
        chunk->has_own = true;
        note_bytes(chunk, batch);
        chunk->has_jfr = chunk->has_jfr || batch->jfr_size > 0;
        note_header(self, chunk, batch);
    }
    self->row.is_ended = false; // until all its chunks are compacted
    self->is_unsaved = true;
}

void
session_note_end(session *self, const Loupe__Wire__Counters *counters)
{
    session_check(self);
    note_counters(self, counters);
    session_enter(self, SESSION_ENDED);
    self->row.ended_how = CATALOG_ENDED_CLOSED;
    self->is_unsaved = true;
}
