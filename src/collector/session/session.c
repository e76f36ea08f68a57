// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_COUNT = 5 };

static void
get_texts(catalog_session *row, char **out_texts[TEXT_COUNT])
{
    char **const texts[TEXT_COUNT] = {
        &row->service, &row->instance, &row->jvm_name, &row->jvm_version, &row->version};
    memcpy(out_texts, texts, sizeof(texts));
}

lp_err
session_own_row(catalog_session *row)
{
    char **texts[TEXT_COUNT];
    lp_err err = LP_OK;
    row->settled = lp_ranges_copy(&row->settled);
    row->lost = lp_ranges_copy(&row->lost);
    row->late = lp_ranges_copy(&row->late);
    get_texts(row, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        *texts[i] = strdup(*texts[i] == NULL ? "" : *texts[i]);
        err = *texts[i] == NULL ? LP_ENOMEM : err;
    }
    return err;
}

void
session_free_row(catalog_session *row)
{
    char **texts[TEXT_COUNT];
    lp_ranges_fini(&row->settled);
    lp_ranges_fini(&row->lost);
    lp_ranges_fini(&row->late);
    get_texts(row, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        free(*texts[i]);
    }
}

session *
session_create(const catalog_session *row)
{
    session *s = calloc(1, sizeof(*s));
    if (s != NULL) {
        s->row = *row;
        if (session_own_row(&s->row) != LP_OK) {
            session_destroy(s);
            return NULL;
        }
    }
    return s;
}

void
session_destroy(session *self)
{
    if (self == NULL) {
        return;
    }
    session_remove_chunks(self, self->chunk_count);
    lp_ranges_fini(&self->lack.batches);
    lp_ranges_fini(&self->made_good);
    lp_ranges_fini(&self->rest);
    lp_buf_fini(&self->carry);
    snapshot_unref(self->kept);
    session_free_row(&self->row);
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

void
session_enter(session *self, session_phase phase)
{
    LP_ASSERT(phase != SESSION_LEFT || self->phase == SESSION_RUNNING);
    self->phase = phase;
}

void
session_withdraw(session *self, session_standing standing)
{
    LP_ASSERT(standing >= self->standing);
    self->standing = standing;
}

bool
session_has_ended(const session *self)
{
    return self->phase == SESSION_ENDED;
}

session_verdict
session_judge(const session_silence *of, const session_patience *most)
{
    session_verdict found = {.ended_how = of->ended_how};
    if (of->ended_how == CATALOG_ENDED_UNKNOWN && of->is_gone && of->gone_ms > most->gone_ms) {
        found.ended_how = CATALOG_ENDED_KILLED;
    } else if (of->ended_how == CATALOG_ENDED_UNKNOWN && of->silent_ms > most->silent_ms) {
        found.ended_how = CATALOG_ENDED_TIMED_OUT;
    }
    found.is_over = found.ended_how != CATALOG_ENDED_UNKNOWN &&
                    of->silent_ms > most->silent_ms + most->linger_ms;
    return found;
}

lp_err
session_rename(char **field, const char *text)
{
    char *copy = strdup(text == NULL ? "" : text);
    LP_REQUIRE(copy != NULL, LP_ENOMEM);
    free(*field);
    *field = copy;
    return LP_OK;
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
    LP_REQUIRE(self->chunk_count != SESSION_CHUNKS_MAX, LP_ELIMIT);
    size_t index = self->chunk_count++;
    while (index > 0 && self->chunks[index - 1].ordinal > ordinal) {
        self->chunks[index] = self->chunks[index - 1];
        index--;
    }
    self->chunks[index] = (session_chunk){.ordinal = ordinal, .journal = file};
    session_check(self);
    return LP_OK;
}

static void
chunk_fini(session_chunk *chunk)
{
    LP_ASSERT(chunk->journal != NULL);
    journal_unref(chunk->journal);
    policy_file_unref(chunk->policy);
    lp_ranges_fini(&chunk->batches);
}

void
session_remove_chunks(session *self, size_t count)
{
    LP_ASSERT(count <= self->chunk_count);
    for (size_t i = 0; i < count; i++) {
        chunk_fini(&self->chunks[i]);
    }
    self->chunk_count -= count;
    memmove(self->chunks, self->chunks + count, self->chunk_count * sizeof(self->chunks[0]));
}

void
session_forget_chunk(session *self, uint32_t ordinal)
{
    session_chunk *chunk = session_find_chunk(self, ordinal);
    LP_ASSERT(chunk != NULL);
    chunk_fini(chunk);
    size_t behind = (size_t)(self->chunks + self->chunk_count - chunk) - 1;
    self->chunk_count--;
    memmove(chunk, chunk + 1, behind * sizeof(*chunk));
    session_check(self);
}

bool
session_hear(session *self, uint64_t now_ms, uint64_t connection)
{
    LP_ASSERT(self->standing != SESSION_LEAVING);
    catalog_session *row = &self->row;
    self->heard_ms = now_ms;
    self->connection = connection;
    if (self->phase == SESSION_LEFT) {
        session_enter(self, SESSION_RUNNING);
    }
    row->heard_wall_ns = lp_time_now();
    LP_REQUIRE(catalog_is_end_unknown(row->ended_how), false);
    lp_log(LP_LOG_INFO, "session %s: it continues", row->id);
    row->ended_how = CATALOG_ENDED_UNKNOWN;
    self->is_unsaved = true;
    return true;
}

session_lateness
session_get_lateness(const session *self, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk >= self->row.next_chunk) {
        return SESSION_IN_TIME;
    }
    bool is_again = batch->begins_again || batch->chunk + 1 == self->again_chunk;
    // The agent has written to a chunk behind the compacted ones.
    bool has_left = LP_ANY(self->chunks, self->chunk_count, at->has_own);
    bool is_whole = has_left && batch->chunk + 1 != self->cut_chunk;
    bool is_empty = batch->jfr_size == 0 && batch->contexts_size == 0;
    return is_empty || (is_again && is_whole) ? SESSION_HERE : SESSION_LATE;
}

void
session_note_stored(session *self)
{
    if (self->row.term != 0 && !self->row.is_remade) {
        self->durable_sequence = lp_ranges_first_gap(&self->row.settled, 0);
    }
}

void
session_note_lost(session *self)
{
    if (self->standing == SESSION_OURS) {
        session_withdraw(self, SESSION_LOST);
        self->is_unsaved = false;
    }
    if (!self->is_lost_counted) {
        self->is_lost_counted = true;
        metrics_add(METRICS_sessions_lost, 1);
        lp_log(LP_LOG_WARN, "session %s: another collector owns it now", self->row.id);
    }
}

uint32_t
session_get_lacking(const session *self)
{
    return self->lack.is_given_up ? 0 : self->lack.chunk;
}

uint64_t
session_get_ignored_from(const session_chunk *chunk)
{
    return chunk->came_bytes < chunk->before_bytes ? chunk->before_end : 0;
}

void
session_forget_before(session_chunk *chunk)
{
    LP_ASSERT(chunk->journal != NULL);
    chunk->before_bytes = 0;
}

enum { LOSS_TEXT_BYTES = 256 };

static void __attribute__((format(printf, 4, 0))) report_loss(
    const session *self, catalog_loss loss, uint64_t amount, const char *format, va_list args)
{
    LP_ASSERT(loss < CATALOG_LOSS_COUNT && amount > 0);
    char where[LOSS_TEXT_BYTES];
    (void)vsnprintf(where, sizeof(where), format, args);
    metrics_add(METRICS_losses_BATCHES_LOST + (metrics_id)loss, amount);
    lp_log(LP_LOG_WARN, "session %s: loss: %s %" PRIu64 ": %s", self->row.id,
        catalog_loss_name(loss), amount, where);
}

// note_loss counts a loss in the row, and in untold if no journal shows it.
static void
note_loss(session *self, catalog_loss loss, uint64_t amount)
{
    LP_ASSERT(amount > 0);
    bool is_in_journals =
        loss == CATALOG_LOSS_BATCHES_LOST || loss == CATALOG_LOSS_JOURNAL_BYTES_LOST ||
        loss == CATALOG_LOSS_GAP_BYTES || loss == CATALOG_LOSS_CHUNKS_UNREADABLE ||
        loss == CATALOG_LOSS_CARRIES_LOST;
    self->row.losses[loss] += amount;
    self->untold[loss] += is_in_journals ? 0 : amount;
    self->is_unsaved = true;
}

void
session_lose(session *self, catalog_loss loss, uint64_t amount, const char *format, ...)
{
    note_loss(self, loss, amount);
    va_list args;
    va_start(args, format);
    report_loss(self, loss, amount, format, args);
    va_end(args);
}

void
session_lose_more(session *self, catalog_loss loss, uint64_t amount)
{
    note_loss(self, loss, amount);
    metrics_add(METRICS_losses_BATCHES_LOST + (metrics_id)loss, amount);
}

void
session_report_loss(
    const session *self, catalog_loss loss, uint64_t amount, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_loss(self, loss, amount, format, args);
    va_end(args);
}

static bool
has_events(const session_chunk *chunk)
{
    return chunk->has_jfr && !chunk->is_damaged;
}

session_unit
session_get_unit(const session *self, size_t begin)
{
    LP_ASSERT(begin <= self->chunk_count);
    session_unit unit = {.begin = begin, .end = begin};
    while (unit.end < self->chunk_count && !unit.has_jfr) {
        unit.has_jfr = has_events(&self->chunks[unit.end++]);
    }
    return unit;
}

session_unit
session_next_unit(const session *self)
{
    return session_get_unit(self, session_get_begin(self));
}

size_t
session_get_begin(const session *self)
{
    LP_ASSERT(self->packed_end == 0 || self->packed_end > self->row.next_chunk);
    size_t begin = 0;
    while (begin < self->chunk_count && self->chunks[begin].ordinal < self->packed_end) {
        begin++;
    }
    return begin;
}

uint64_t
session_count_missing(const session *self, uint64_t rows)
{
    uint64_t known = rows + self->row.expired_chunks;
    return self->row.next_chunk > known ? self->row.next_chunk - known : 0;
}

snapshot_waiting
session_get_waiting(const session *self)
{
    session_check(self);
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

// may_come_again returns whether bytes of the unit that ends at end may still arrive: the agent
// still writes it, or may resend it.
static bool
may_come_again(const session *self, size_t end)
{
    LP_ASSERT(end > 0 && end <= self->chunk_count);
    uint32_t last = self->chunks[end - 1].ordinal;
    uint32_t lacking = session_get_lacking(self);
    return (lacking != 0 && last + 1 >= lacking) ||
           (!session_has_ended(self) && last >= self->at_chunk);
}

// is_reached returns whether the agent has come to a chunk. An agent that resends chunks goes
// through the later ones once more: their begin may be missing here, so their length says nothing.
static bool
is_reached(const session *self, size_t index)
{
    LP_ASSERT(index < self->chunk_count);
    return session_has_ended(self) || self->chunks[index].ordinal <= self->at_chunk;
}

bool
session_is_due(const session *self, session_unit unit, int64_t wait_ns)
{
    session_check(self);
    if (!unit.has_jfr || may_come_again(self, unit.end)) {
        return false;
    }
    int64_t later_ns = 0;
    size_t later_end = unit.end;
    while (later_end < self->chunk_count && later_ns < wait_ns && is_reached(self, later_end)) {
        int64_t duration_ns = self->chunks[later_end++].duration_ns;
        later_ns += duration_ns < 0 ? 0 : duration_ns < wait_ns ? duration_ns : wait_ns;
    }
    bool is_held = later_ns < wait_ns && later_end - unit.end <= SESSION_CHUNKS_HELD_MAX;
    return session_has_ended(self) || !is_held;
}
