// SPDX-License-Identifier: Apache-2.0

#include "collector/server/session.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"

#include <stdlib.h>
#include <string.h>

session *
session_create(const catalog_session *row)
{
    session *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return NULL;
    }
    s->row = *row;
    s->row.service = s->row.instance = s->row.jvm_name = s->row.jvm_version = NULL;
    if (session_rename(&s->row.service, row->service) != LP_OK ||
        session_rename(&s->row.instance, row->instance) != LP_OK ||
        session_rename(&s->row.jvm_name, row->jvm_name) != LP_OK ||
        session_rename(&s->row.jvm_version, row->jvm_version) != LP_OK) {
        session_destroy(s);
        return NULL;
    }
    return s;
}

void
session_destroy(session *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_drop(self->held[i].request);
    }
    session_remove_chunks(self, self->chunk_count);
    lp_buf_fini(&self->carry);
    snapshot_unref(self->kept);
    free(self->row.service);
    free(self->row.instance);
    free(self->row.jvm_name);
    free(self->row.jvm_version);
    free(self);
}

void
session_check(const session *self)
{
    LP_ASSERT(self->chunk_count <= SESSION_CHUNKS_MAX);
    uint64_t least = self->row.next_chunk;
    for (size_t i = 0; i < self->chunk_count; i++) {
        LP_ASSERT(self->chunks[i].journal != NULL);
        LP_ASSERT(self->chunks[i].ordinal >= least);
        least = (uint64_t)self->chunks[i].ordinal + 1;
    }
}

lp_err
session_rename(char **field, const char *text)
{
    char *copy = strdup(text == NULL ? "" : text);
    if (copy == NULL) {
        return LP_ENOMEM;
    }
    free(*field);
    *field = copy;
    return LP_OK;
}

session_admission
session_admit(const session *self, uint64_t sequence)
{
    uint64_t next = self->row.next_sequence;
    if (sequence == next) {
        return SESSION_NEXT;
    }
    if (sequence < next) {
        return SESSION_DUPLICATE;
    }
    return sequence - next < WIRE_WINDOW_MAX ? SESSION_EARLY : SESSION_TOO_EARLY;
}

void
session_hold(session *self, uint64_t sequence, agent_socket_request *request)
{
    LP_ASSERT(session_admit(self, sequence) == SESSION_EARLY);

    session_held *held = &self->held[sequence % WIRE_WINDOW_MAX];
    agent_socket_drop(held->request);
    *held = (session_held){.request = request, .sequence = sequence};
}

agent_socket_request *
session_take_held(session *self)
{
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        session_held *held = &self->held[i];
        if (held->request != NULL && held->sequence <= self->row.next_sequence) {
            agent_socket_request *request = held->request;
            held->request = NULL;
            return request;
        }
    }
    return NULL;
}

session_chunk *
session_find_chunk(session *self, uint32_t ordinal)
{
    for (size_t i = self->chunk_count; i > 0; i--) { // the last is nearly always the one
        if (self->chunks[i - 1].ordinal == ordinal) {
            return &self->chunks[i - 1];
        }
    }
    return NULL;
}

lp_err
session_add_chunk(session *self, uint32_t ordinal, journal *file)
{
    LP_ASSERT(session_find_chunk(self, ordinal) == NULL);

    if (self->chunk_count == SESSION_CHUNKS_MAX) {
        return LP_ELIMIT;
    }
    size_t index = self->chunk_count++;
    while (index > 0 && self->chunks[index - 1].ordinal > ordinal) {
        self->chunks[index] = self->chunks[index - 1];
        index--;
    }
    self->chunks[index] = (session_chunk){.ordinal = ordinal, .journal = file};
    session_check(self);
    return LP_OK;
}

void
session_remove_chunks(session *self, size_t count)
{
    LP_ASSERT(count <= self->chunk_count);

    for (size_t i = 0; i < count; i++) {
        journal_unref(self->chunks[i].journal);
        policy_file_unref(self->chunks[i].policy);
    }
    self->chunk_count -= count;
    memmove(self->chunks, self->chunks + count, self->chunk_count * sizeof(self->chunks[0]));
}

static void
note_header(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    jfr_chunk_info info;
    lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
    if (header.len == 0 || jfr_chunk_parse(header, &info, NULL) != LP_OK) {
        return; // compaction is where damage is reported
    }
    chunk->duration_ns = info.duration_ns;
    int64_t end_wall_ns;
    if (!__builtin_add_overflow(info.start_wall_ns, info.duration_ns, &end_wall_ns) &&
        end_wall_ns > self->row.end_wall_ns) {
        self->row.end_wall_ns = end_wall_ns;
    }
}

// note_total adds the growth of one of the agent's totals to its metric.
static void
note_total(uint64_t *noted, uint64_t total, metrics_id metric)
{
    if (total > *noted) {
        metrics_add(metric, total - *noted);
        *noted = total;
    }
}

// note_latest is for the batch with the highest number. That need not be the last one that recovery
// reads: journals are read chunk by chunk.
static void
note_latest(session *self, const Loupe__Wire__Batch *batch)
{
    self->row.next_sequence = batch->sequence + 1;
    self->has_ended = batch->is_last;
    if (batch->counters != NULL) {
        self->row.contexts_dropped = batch->counters->contexts_dropped;
        self->row.context_values_cut = batch->counters->context_values_cut;
        self->row.context_bytes_dropped = batch->counters->context_bytes_dropped;
        self->row.chunk_bytes_dropped = batch->counters->chunk_bytes_dropped;
        self->row.jfr_restarts = batch->counters->jfr_restarts;
        note_total(&self->jfr_restarts, batch->counters->jfr_restarts, METRICS_jfr_restarts);
        note_total(&self->contexts_misclosed, batch->counters->contexts_misclosed,
            METRICS_contexts_misclosed);
        note_total(&self->recordings_refused, batch->counters->recording_contexts_refused,
            METRICS_recording_contexts_refused);
        note_total(&self->entries_dropped, batch->counters->recording_entries_dropped,
            METRICS_recording_entries_dropped);
        note_total(&self->filters_refused, batch->counters->context_filters_refused,
            METRICS_context_filters_refused);
    }
}

void
session_note(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(chunk >= self->chunks && chunk < self->chunks + self->chunk_count);

    if (batch->sequence + 1 >= self->row.next_sequence) {
        note_latest(self, batch);
    }
    if (batch->chunk == chunk->ordinal) {
        chunk->has_jfr = chunk->has_jfr || batch->jfr_size > 0;
        note_header(self, chunk, batch);
    }
    self->row.is_ended = false; // until all of it is compacted
    self->is_unsaved = true;
}

size_t
session_unit_end(const session *self, size_t begin)
{
    LP_ASSERT(begin <= self->chunk_count);

    for (size_t i = begin; i < self->chunk_count; i++) {
        if (self->chunks[i].has_jfr && !self->chunks[i].is_damaged) {
            return i + 1;
        }
    }
    return self->chunk_count;
}

bool
session_unit_has_jfr(const session *self, size_t begin)
{
    size_t end = session_unit_end(self, begin);
    return end > begin && self->chunks[end - 1].has_jfr && !self->chunks[end - 1].is_damaged;
}

snapshot_waiting
session_get_waiting(const session *self)
{
    snapshot_waiting waiting = {.chunks = (uint32_t)self->chunk_count};
    for (size_t i = 0; i < self->chunk_count; i++) {
        waiting.journal_bytes += journal_get_size(self->chunks[i].journal);
        int64_t duration_ns = self->chunks[i].duration_ns;
        if (duration_ns > 0 &&
            __builtin_add_overflow(waiting.duration_ns, duration_ns, &waiting.duration_ns)) {
            waiting.duration_ns = INT64_MAX;
        }
    }
    return waiting;
}

bool
session_is_due(const session *self, int64_t wait_ns)
{
    if (self->chunk_count == 0) {
        return false;
    }
    size_t end = session_unit_end(self, 0);
    int64_t later_ns = 0;
    for (size_t i = end; i < self->chunk_count && later_ns < wait_ns; i++) {
        int64_t duration_ns = self->chunks[i].duration_ns;
        later_ns += duration_ns < 0 ? 0 : duration_ns < wait_ns ? duration_ns : wait_ns;
    }
    bool is_held = later_ns < wait_ns && self->chunk_count - end <= SESSION_CHUNKS_HELD_MAX;
    return self->has_ended || !is_held;
}
