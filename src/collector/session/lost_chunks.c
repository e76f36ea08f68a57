// SPDX-License-Identifier: Apache-2.0
#include "collector/session/lost_chunks.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
lost_chunks_init(lost_chunks *lost)
{
    pthread_mutex_init(&lost->mutex, NULL);
    lost->count = 0;
}

void
lost_chunks_fini(lost_chunks *lost)
{
    pthread_mutex_destroy(&lost->mutex);
}

bool
lost_chunks_add(lost_chunks *self, const char *session_id, uint32_t ordinal)
{
    pthread_mutex_lock(&self->mutex);
    LP_ASSERT(self->count <= LOST_CHUNKS_MAX);
    bool is_first = self->count == 0;
    if (self->count < LOST_CHUNKS_MAX) {
        lost_chunk *item = &self->items[self->count++];
        (void)snprintf(item->session_id, sizeof(item->session_id), "%s", session_id);
        item->ordinal = ordinal;
    }
    pthread_mutex_unlock(&self->mutex);
    return is_first;
}

// take moves the queue to `taken` and returns its length.
static size_t
take(lost_chunks *self)
{
    pthread_mutex_lock(&self->mutex);
    LP_ASSERT(self->count <= LOST_CHUNKS_MAX);
    size_t count = self->count;
    memcpy(self->taken, self->items, count * sizeof(*self->items));
    self->count = 0;
    pthread_mutex_unlock(&self->mutex);
    return count;
}

static void
note_count(void *arg, const catalog_session *row)
{
    session *s = arg;
    uint64_t *known = &s->row.losses[CATALOG_LOSS_CHUNKS_LOST];
    uint64_t found = row->losses[CATALOG_LOSS_CHUNKS_LOST];
    *known = found > *known ? found : *known;
}

static void
mark(sessions *all, const lost_chunk *chunk)
{
    bool is_new = false;
    lp_err err = catalog_lose_chunk(all->catalog, chunk->session_id, chunk->ordinal, true, &is_new);
    if (err != LP_OK) { // the next reader tries again
        lp_log(LP_LOG_WARN, "session %s: chunk %" PRIu32 " is lost; cannot write the catalog: %s",
            chunk->session_id, chunk->ordinal, lp_err_text(err));
        return;
    }
    session *s = sessions_find(all, chunk->session_id);
    if (!is_new && s != NULL) { // a mark that reported a failure may have been written
        err = catalog_find(all->catalog, s->row.id, note_count, s); // the next reader tries again
    } else if (is_new && s != NULL) {                               // whose row has the sum
        session_lose(s, CATALOG_LOSS_CHUNKS_LOST, 1,
            "chunk %" PRIu32 ": its file is lost or damaged", chunk->ordinal);
    } else if (is_new) {
        metrics_add(METRICS_losses_BATCHES_LOST + (metrics_id)CATALOG_LOSS_CHUNKS_LOST, 1);
        lp_log(LP_LOG_WARN,
            "session %s: loss: %s 1: chunk %" PRIu32 ": its file is lost or damaged",
            chunk->session_id, catalog_loss_name(CATALOG_LOSS_CHUNKS_LOST), chunk->ordinal);
    }
    (void)err;
}

void
lost_chunks_mark(lost_chunks *self, sessions *all)
{
    size_t count = take(self);
    for (size_t i = 0; i < count; i++) {
        mark(all, &self->taken[i]);
    }
}
