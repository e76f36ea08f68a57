// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_settle.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

enum { BATCHES_TEXT_BYTES = 120 };

// --- Missing batches that may come

// is_compacted returns whether the lowest chunk that lacks is compacted: then it does not come.
static bool
is_compacted(const session *self)
{
    return self->lack.chunk <= self->row.next_chunk;
}

void
session_lack_chunk(session *self, uint32_t ordinal)
{
    session_check(self);
    if (self->lack.is_given_up && is_compacted(self)) {
        session_forget_lack(self);
    }
    if (self->lack.chunk == 0 || ordinal < self->lack.chunk - 1) {
        self->lack.chunk = ordinal + 1;
    }
    self->lack.is_given_up = false;
    self->lack.until_sequence = UINT64_MAX; // the next Hello sets it
}

void
session_lack_batches(session *self, uint32_t ordinal, const lp_ranges *batches)
{
    LP_ASSERT(batches != &self->lack.batches);
    session_lack_chunk(self, ordinal);
    lp_ranges_unite(&self->lack.batches, batches);
}

void
session_note_damage(session *self, const journal *file, uint64_t damaged_bytes)
{
    session_check(self);
    LP_ASSERT(damaged_bytes > 0);
    for (size_t i = 0; i < self->chunk_count; i++) {
        session_chunk *chunk = &self->chunks[i];
        if (chunk->journal != file || damaged_bytes <= chunk->damaged_bytes) {
            continue;
        }
        uint64_t more = damaged_bytes - chunk->damaged_bytes;
        chunk->damaged_bytes = damaged_bytes;
        self->row.journal_bytes_missing += more;
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST, more,
            "chunk %" PRIu32 ": the disk refused its journal, which could not be read back",
            chunk->ordinal);
        session_lack_chunk(self, chunk->ordinal);
        self->lack.journal_bytes += more;
        self->is_greeted = false;
    }
}

void
session_forget_lack(session *self)
{
    lp_ranges_fini(&self->lack.batches);
    self->lack = (session_lack){0};
}

void
session_give_up_lack(session *self)
{
    session_check(self);
    self->lack.is_given_up = true;
}

void
session_lack_again(session *self)
{
    session_check(self);
    if (self->lack.is_given_up && is_compacted(self)) {
        session_forget_lack(self);
    }
    self->lack.is_given_up = false;
}

void
session_make_good(session *self, uint32_t chunk)
{
    session_check(self);
    session_lack *coming = &self->lack;
    if (is_compacted(self) || chunk >= coming->chunk) {
        return;
    }
    uint64_t count = lp_ranges_count(&coming->batches);
    uint64_t *losses = self->row.losses;
    catalog_loss_take_back(&losses[CATALOG_LOSS_BATCHES_LOST], count);
    catalog_loss_take_back(&losses[CATALOG_LOSS_JOURNAL_BYTES_LOST], coming->journal_bytes);
    catalog_loss_take_back(&losses[CATALOG_LOSS_CHUNKS_UNREADABLE], coming->chunks);
    lp_ranges_subtract(&self->row.lost, &coming->batches);
    lp_ranges_unite(&self->row.settled, &coming->batches);
    lp_ranges_unite(&self->made_good, &coming->batches);
    metrics_add(METRICS_batches_made_good, count);
    lp_log(LP_LOG_INFO,
        "session %s: the agent resends chunk %" PRIu32 " and later ones: %" PRIu64
        " batches and %" PRIu64 " damaged bytes are not lost",
        self->row.id, coming->chunk - 1, count, coming->journal_bytes);
    session_forget_lack(self);
}

// --- Settled and lost batches

lp_ranges
session_find_missing(const session *self)
{
    session_check(self);
    lp_ranges missing = {0};
    lp_ranges_add(&missing, 0, self->row.next_sequence);
    lp_ranges_subtract(&missing, &self->row.settled);
    for (size_t i = 0; i < self->chunk_count; i++) {
        lp_ranges_subtract(&missing, &self->chunks[i].batches);
    }
    return missing;
}

lp_ranges
session_lose_missing(session *self, const char *why)
{
    lp_ranges fresh = session_find_missing(self);
    lp_ranges_subtract(&fresh, &self->row.lost);
    lp_ranges_subtract(&fresh, &self->row.late);
    if (!lp_ranges_is_empty(&fresh)) {
        char which[BATCHES_TEXT_BYTES];
        lp_ranges_format(&fresh, which, sizeof(which));
        lp_ranges_unite(&self->row.lost, &fresh);
        session_lose(
            self, CATALOG_LOSS_BATCHES_LOST, lp_ranges_count(&fresh), "batches %s: %s", which, why);
    }
    return fresh;
}

void
session_settle(const session *self, size_t count, catalog_session *row)
{
    session_check(self);
    LP_ASSERT(count <= self->chunk_count);
    uint64_t behind = 0; // the end of the compacted batches
    uint64_t next = row->next_sequence;
    row->journal_bytes_missing = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        if (i < count) {
            uint64_t end = lp_ranges_end(&chunk->batches);
            behind = end > behind ? end : behind;
            lp_ranges_unite(&row->settled, &chunk->batches);
        } else {
            uint64_t first = lp_ranges_first(&chunk->batches, next);
            next = first < next ? first : next;
            row->journal_bytes_missing += chunk->damaged_bytes;
        }
    }
    lp_ranges_add(&row->settled, 0, behind > 0 && behind < next ? behind : next);
    lp_ranges_subtract(&row->late, &row->settled);
    row->is_remade = false;
}

// lose_damaged counts the chunks that are put aside, once.
static void
lose_damaged(session *self)
{
    LP_ASSERT(!self->row.is_ended);
    size_t damaged = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        damaged += self->chunks[i].is_damaged ? 1 : 0;
    }
    if (damaged > 0) {
        session_lose(self, CATALOG_LOSS_CHUNKS_UNREADABLE, damaged, "the last of it is put aside");
    }
}

void
session_end(session *self)
{
    session_check(self);
    if (!self->row.is_ended) {
        lose_damaged(self);
        self->row.is_ended = true;
        self->is_unsaved = true;
    }
    if (self->row.ended_how == CATALOG_ENDED_CLOSED) {
        session_settle(self, self->chunk_count, &self->row);
    } else { // discarded batches may be missing
        lp_ranges_unite(&self->row.late, &self->rest);
        lp_ranges_subtract(&self->row.late, &self->row.settled);
    }
}

// last_again returns the last batch with which a waiting chunk began again; 0: none. Missing
// batches before it came with the resent chunks, or the agent did not have them.
static uint64_t
last_again(const session *self)
{
    uint64_t last = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        last =
            chunk->has_begun_again && chunk->again_sequence > last ? chunk->again_sequence : last;
    }
    return last;
}

void
session_settle_unknown(session *self)
{
    session_check(self);
    if (!self->row.is_remade) {
        return;
    }
    uint64_t first = self->row.next_sequence;
    for (size_t i = 0; i < self->chunk_count; i++) {
        uint64_t of = lp_ranges_first(&self->chunks[i].batches, first);
        first = of < first ? of : first;
    }
    uint64_t again = last_again(self);
    lp_ranges_add(&self->row.settled, 0, again > first ? again : first);
    self->row.is_remade = first > 0;
    self->is_unsaved = true;
}

void
session_go_on(session *self)
{
    session_check(self);
    LP_ASSERT(self->row.is_ended);
    session_enter(self, SESSION_RUNNING);
    session_settle_unknown(self);
    lp_ranges missing = session_find_missing(self);
    if (self->chunk_count == 0 && !lp_ranges_is_empty(&missing)) {
        // Unless an earlier start has counted them.
        lp_ranges fresh = session_lose_missing(
            self, "they had no events and were discarded when the session counted as ended");
        if (!lp_ranges_is_empty(&fresh)) {
            self->row.is_ended = false; // a start before the resend knows what lacks
        }
        session_lack_batches(self, self->row.next_chunk, &fresh);
        lp_ranges_fini(&fresh);
    }
    lp_ranges_fini(&missing);
}

// begin_of returns the first batch of a chunk, or the last one with which it began again.
static uint64_t
begin_of(const session_chunk *chunk)
{
    return chunk->has_begun_again ? chunk->again_sequence : lp_ranges_first(&chunk->batches, 0);
}

// has_hole returns whether batches are, or may be, missing between the begin of the waiting chunk
// at index and the next begin in a later chunk. For the first chunk this includes the batches
// before it, unless it began again. A journal without batches is a hole. Resent chunks count with
// both their begins, because a missing batch may be between these.
static bool
has_hole(const session *self, size_t index, const lp_ranges *missing)
{
    LP_ASSERT(index < self->chunk_count);
    const session_chunk *chunk = &self->chunks[index];
    uint64_t begin = begin_of(chunk);
    uint64_t end = self->row.next_sequence;
    for (size_t i = index + 1; i < self->chunk_count; i++) {
        const session_chunk *later = &self->chunks[i];
        const uint64_t begins[] = {lp_ranges_first(&later->batches, 0), begin_of(later)};
        for (size_t k = 0; k < 2; k++) {
            end = begins[k] > begin && begins[k] < end ? begins[k] : end;
        }
    }
    bool has_all = lp_ranges_count_in(&chunk->batches, begin, end) >= end - begin &&
                   !lp_ranges_is_empty(&chunk->batches);
    bool lacks_start =
        index == 0 && !chunk->has_begun_again && lp_ranges_overlaps(missing, 0, begin);
    return !has_all || lacks_start;
}

// lack_some notes the lowest chunk that the missing batches may belong to: one without a journal,
// or one with a hole; else the first one.
static void
lack_some(session *self, const lp_ranges *missing)
{
    session_check(self);
    uint32_t ordinal = self->row.next_chunk;
    for (size_t i = 0; i < self->chunk_count; i++, ordinal++) {
        if (self->chunks[i].ordinal != ordinal || has_hole(self, i, missing)) {
            session_lack_chunk(self, ordinal);
            return;
        }
    }
    session_lack_chunk(self, self->row.next_chunk);
}

// recover_lack notes what lacks by the journals, whichever start counted it as lost. In a rebuilt
// row the batches before those in the journals are unknown: all chunks that are not compacted may
// lack. Late batches are requested as well; they never counted as lost, so no loss is taken back
// for them.
static void
recover_lack(session *self)
{
    lp_ranges missing = session_find_missing(self);
    lp_ranges lacking = lp_ranges_copy(&missing);
    lp_ranges_remove(&lacking, 0, last_again(self));
    if (self->row.is_remade) {
        session_lack_chunk(self, self->row.next_chunk);
    } else if (!lp_ranges_is_empty(&lacking)) {
        lack_some(self, &missing);
    }
    lp_ranges_intersect(&lacking, &self->row.lost);
    lp_ranges_unite(&self->lack.batches, &lacking);
    self->lack.journal_bytes += self->row.journal_bytes_missing;
    lp_ranges_fini(&lacking);
    lp_ranges_fini(&missing);
}

void
session_count_recovered(session *self)
{
    session_check(self);
    catalog_session *row = &self->row;
    uint64_t damaged = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        damaged += self->chunks[i].damaged_bytes;
    }
    session_settle_unknown(self);
    lp_ranges fresh = session_lose_missing(self, "they were acknowledged and are in no journal");
    lp_ranges_fini(&fresh);
    if (damaged > row->journal_bytes_missing) {
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST, damaged - row->journal_bytes_missing,
            "damaged records of journals, which are skipped");
    }
    self->is_unsaved |= damaged != row->journal_bytes_missing;
    row->journal_bytes_missing = damaged;
    recover_lack(self);
    if (session_has_ended(self) || self->lack.chunk == 0) { // the JVM has ended, or all was resent
        session_forget_lack(self);
    }
}
