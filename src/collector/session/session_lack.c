// SPDX-License-Identifier: Apache-2.0

#include "collector/session/session_lack.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

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
