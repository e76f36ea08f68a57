// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_lack.h"

#include "collector/base/metrics.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

void
session_lack_chunk(session *self, uint32_t ordinal)
{
    if (self->lack.chunk == 0 || ordinal < self->lack.chunk - 1) {
        self->lack.chunk = ordinal + 1;
    }
    self->lack.until_sequence = UINT64_MAX; // the next Hello says
}

void
session_note_damage(session *self, const journal *file, uint64_t damaged_bytes)
{
    for (size_t i = 0; i < self->chunk_count; i++) {
        session_chunk *chunk = &self->chunks[i];
        if (chunk->journal != file || damaged_bytes <= chunk->damaged_bytes) {
            continue;
        }
        uint64_t more = damaged_bytes - chunk->damaged_bytes;
        chunk->damaged_bytes = damaged_bytes;
        self->row.journal_bytes_missing += more;
        self->lack.journal_bytes += more;
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST, more,
            "chunk %" PRIu32 ": its journal was refused by the disk and could not be read again",
            chunk->ordinal);
        session_lack_chunk(self, chunk->ordinal);
        self->is_greeted = false;
    }
}

void
session_go_on(session *self)
{
    catalog_session *row = &self->row;
    self->has_ended = false;
    if (row->compacted_sequence >= row->next_sequence || self->chunk_count > 0) {
        return;
    }
    uint64_t missing = row->next_sequence - row->compacted_sequence;
    if (missing > row->batches_missing) { // or a start before this one has counted them
        uint64_t discarded = missing - row->batches_missing;
        row->batches_missing = missing;
        row->is_ended = false; // so that the next start knows what lacks, if it comes before that
        self->lack.batches += discarded;
        session_lose(self, CATALOG_LOSS_BATCHES_LOST, discarded,
            "batches up to %" PRIu64 " came before it counted as ended, without events",
            row->next_sequence - 1);
    }
    session_lack_chunk(self, row->next_chunk);
}

void
session_forget_lack(session *self)
{
    self->lack = (session_lack){0};
}

// add_lack adds what lacks to a sum, where not all of its chunks are compacted.
static void
add_lack(const session *self, const session_lack *lack, session_lack *sum)
{
    if (lack->chunk > self->row.next_chunk) {
        sum->chunk = sum->chunk == 0 || lack->chunk < sum->chunk ? lack->chunk : sum->chunk;
        sum->batches += lack->batches;
        sum->journal_bytes += lack->journal_bytes;
        sum->chunks += lack->chunks;
    }
}

void
session_give_up_lack(session *self)
{
    session_lack both = {0};
    add_lack(self, &self->given_up, &both);
    add_lack(self, &self->lack, &both);
    self->given_up = both;
    session_forget_lack(self);
}

void
session_lack_again(session *self)
{
    session_lack both = {0};
    add_lack(self, &self->given_up, &both);
    if (both.chunk != 0) {
        add_lack(self, &self->lack, &both);
        self->lack = both;
        self->given_up = (session_lack){0};
    }
}

// last_chunk returns the highest chunk of which something has come, in this process or before, or
// that may have lacked before.
static uint32_t
last_chunk(const session *self)
{
    uint32_t last = self->good_end > 0 ? self->good_end - 1 : 0;
    last = self->at_chunk > last ? self->at_chunk : last;
    const session_chunk *waiting =
        self->chunk_count > 0 ? &self->chunks[self->chunk_count - 1] : NULL;
    return waiting != NULL && waiting->ordinal > last ? waiting->ordinal : last;
}

void
session_forget_made_good(session *self)
{
    if (self->row.next_chunk >= self->good_end) {
        self->batches_made_good = 0;
    }
}

void
session_make_good(session *self, uint32_t chunk)
{
    session_lack coming = {0};
    const session_lack *const lacks[] = {&self->given_up, &self->lack};
    for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
        if (chunk < lacks[i]->chunk) {
            add_lack(self, lacks[i], &coming);
        }
    }
    if (coming.chunk == 0) {
        return;
    }
    self->given_up = (session_lack){0};
    session_forget_lack(self);
    uint64_t *losses = self->row.losses;
    catalog_loss_take_back(&losses[CATALOG_LOSS_BATCHES_LOST], coming.batches);
    catalog_loss_take_back(&losses[CATALOG_LOSS_JOURNAL_BYTES_LOST], coming.journal_bytes);
    catalog_loss_take_back(&losses[CATALOG_LOSS_CHUNKS_UNREADABLE], coming.chunks);
    self->batches_made_good += coming.batches;
    self->good_end = last_chunk(self) + 1; // an agent that sends again goes through to the last
    metrics_add(METRICS_batches_made_good, coming.batches);
    lp_log(LP_LOG_INFO,
        "session %s: chunk %" PRIu32 " and those behind it come again: %" PRIu64
        " batches and %" PRIu64 " damaged bytes are not lost",
        self->row.id, coming.chunk - 1, coming.batches, coming.journal_bytes);
}
