// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_settle.h"

#include "collector/session/session_lack.h"

#include <inttypes.h>

// sequence_behind returns the number behind the batches of the first count chunks; 0: they have
// none.
static uint64_t
sequence_behind(const session *self, size_t count)
{
    uint64_t behind = 0;
    for (size_t i = 0; i < count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        if (chunk->batch_count > 0 && chunk->last_sequence >= behind) {
            behind = chunk->last_sequence + 1;
        }
    }
    return behind;
}

// Batches go to the journals in the order of their numbers, and chunks are compacted in order. So
// the journals of the chunks that wait have all batches from the lowest of theirs on, but those of
// a chunk that was sent again, and those that are lost.
void
session_settle(const session *self, size_t count, catalog_session *row)
{
    uint64_t first = row->next_sequence;
    uint64_t batches = 0;
    row->journal_bytes_missing = 0;
    for (size_t i = count; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        if (chunk->batch_count > 0 && chunk->first_sequence < first) {
            first = chunk->first_sequence;
        }
        batches += chunk->batch_count;
        row->journal_bytes_missing += chunk->damaged_bytes;
    }
    uint64_t behind = sequence_behind(self, count); // what is missing there is missing in the next
    first = behind > 0 && behind < first ? behind : first;
    uint64_t all = row->next_sequence - first;
    row->compacted_sequence = first;
    row->batches_missing = all > batches ? all - batches : 0;
    row->late_missing = 0; // first is behind them, or one of them
}

// What session_go_on counts as lost is the difference between what the row says is missing from
// compacted_sequence on, and all of that. Where batches of the waiting chunks themselves are among
// it, it has none but those; else it stays, as what is asked for then, and counts as missing
// already, though not as lost.
void
session_settle_end(session *self)
{
    catalog_session *row = &self->row;
    uint64_t batches = 0;
    uint64_t rest = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        batches += self->chunks[i].batch_count;
        rest += self->chunks[i].rest_count;
    }
    session_settle(self, 0, row);
    uint64_t known = row->next_sequence - row->compacted_sequence - row->batches_missing;
    rest = rest < known ? rest : known; // a journal may have a batch twice
    if (batches > rest) {
        row->compacted_sequence += rest;
    } else {
        row->batches_missing += rest;
        row->late_missing = rest;
    }
}

// add_lost_before counts the batches between those that are compacted and the first in a journal.
// Returns false if nobody knows which are compacted.
static bool
add_lost_before(const catalog_session *before, catalog_session *row)
{
    if (before->compacted_sequence > row->compacted_sequence) {
        return row->compacted_sequence == 0; // else it is unknown, too
    }
    if (before->compacted_sequence < row->compacted_sequence) {
        row->batches_missing += row->compacted_sequence - before->compacted_sequence;
        row->late_missing = before->late_missing; // those were the first
        row->compacted_sequence = before->compacted_sequence;
    }
    return true;
}

// begin_of returns the number of the first batch of a chunk, since it began again if it did.
static uint64_t
begin_of(const session_chunk *chunk)
{
    return chunk->again_count > 0 ? chunk->again_sequence : chunk->first_sequence;
}

// has_hole returns whether numbers are missing, or may be, between the first batch of the waiting
// chunk at index, since it began again if it did, and the next one in a later chunk. Of one whose
// journal has none nobody knows which were in it.
static bool
has_hole(const session *self, size_t index)
{
    const session_chunk *chunk = &self->chunks[index];
    uint64_t begin = begin_of(chunk);
    uint64_t end = self->row.next_sequence;
    for (size_t i = index + 1; i < self->chunk_count; i++) {
        const session_chunk *later = &self->chunks[i];
        const uint64_t begins[] = {later->first_sequence, begin_of(later)};
        for (size_t k = 0; k < 2 && later->batch_count > 0; k++) {
            end = begins[k] > begin && begins[k] < end ? begins[k] : end;
        }
    }
    uint64_t count = chunk->again_count > 0 ? chunk->again_count : chunk->batch_count;
    return chunk->batch_count == 0 || (end > begin && end - begin > count);
}

// lacks_start returns whether batches are missing before those of the first waiting chunk, which
// did not begin again with them.
static bool
lacks_start(const session *self)
{
    const session_chunk *first = &self->chunks[0];
    return first->again_count == 0 && first->first_sequence > self->row.compacted_sequence;
}

// lack_some notes the lowest chunk that the batches which are in no journal may be of: one that has
// no journal, or one with a hole; if there are none of those, any.
static void
lack_some(session *self)
{
    uint32_t ordinal = self->row.next_chunk;
    for (size_t i = 0; i < self->chunk_count; i++, ordinal++) {
        if (self->chunks[i].ordinal != ordinal || has_hole(self, i) ||
            (i == 0 && lacks_start(self))) {
            session_lack_chunk(self, ordinal);
            return;
        }
    }
    session_lack_chunk(self, self->row.next_chunk);
}

// count_lacking returns how many of the missing batches still lack: those behind the last batch
// with which a chunk began again. Those before it came with that, or the agent did not have them.
// *out_late is how many of these were late.
static uint64_t
count_lacking(const session *self, uint64_t *out_late)
{
    const session_chunk *again = NULL;
    for (size_t i = 0; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        bool is_later = again == NULL || chunk->again_sequence > again->again_sequence;
        again = chunk->again_count > 0 && is_later ? chunk : again;
    }
    *out_late = again == NULL ? self->row.late_missing : 0;
    if (again == NULL) {
        return self->row.batches_missing;
    }
    uint64_t all = self->row.next_sequence - again->again_sequence;
    uint64_t batches = again->again_count;
    for (const session_chunk *c = again + 1; c < self->chunks + self->chunk_count; c++) {
        batches += c->first_sequence > again->again_sequence ? c->batch_count : 0;
    }
    return all > batches ? all - batches : 0;
}

// recover_lack notes what lacks by the journals, counted now or by an earlier start. Where nobody
// knows which batches came before those in the journals, all that is not compacted may lack. What
// was late is asked for as well, and never counted as lost: nothing of that is taken back.
static void
recover_lack(session *self, bool is_known)
{
    uint64_t late;
    uint64_t lacking = count_lacking(self, &late);
    self->lack.batches = lacking > late ? lacking - late : 0;
    self->lack.journal_bytes += self->row.journal_bytes_missing;
    if (!is_known) {
        session_lack_chunk(self, self->row.next_chunk);
    } else if (lacking > 0) {
        lack_some(self);
    }
}

// count_more returns how many batches are missing that were not when the session's row was written.
// One that the catalog lost, and that is made again, does not know what came again before.
static uint64_t
count_more(const session *self, const catalog_session *before)
{
    uint64_t missing = self->row.batches_missing;
    uint64_t more = missing > before->batches_missing ? missing - before->batches_missing : 0;
    uint64_t late;
    uint64_t lacking = count_lacking(self, &late);
    bool is_lost = before->compacted_sequence == CATALOG_SEQUENCE_UNKNOWN;
    return is_lost && lacking < more ? lacking : more;
}

void
session_count_recovered(session *self)
{
    const catalog_session before = self->row;
    catalog_session *row = &self->row;
    session_settle(self, 0, row);
    bool is_known = add_lost_before(&before, row);
    uint64_t more = count_more(self, &before);
    if (more > 0) {
        session_lose(self, CATALOG_LOSS_BATCHES_LOST, more,
            "of batches %" PRIu64 " to %" PRIu64 ", which were acknowledged, some are in no "
            "journal",
            row->compacted_sequence, row->next_sequence - 1);
    }
    if (row->journal_bytes_missing > before.journal_bytes_missing) {
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST,
            row->journal_bytes_missing - before.journal_bytes_missing,
            "damaged records of journals, which are passed over");
    }
    recover_lack(self, is_known);
    if (!is_known) { // the next start asks as well, until a chunk is compacted
        row->compacted_sequence = before.compacted_sequence;
    }
    self->is_unsaved |= row->batches_missing != before.batches_missing ||
                        row->compacted_sequence != before.compacted_sequence ||
                        row->late_missing != before.late_missing ||
                        row->journal_bytes_missing != before.journal_bytes_missing;
    if (self->has_ended || self->lack.chunk == 0) { // its JVM has ended, or all came again
        session_forget_lack(self);
    }
}
