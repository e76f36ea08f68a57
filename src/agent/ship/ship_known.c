// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_known.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <string.h>

enum {
    ENDED_WAIT_MS = 1000,           // after which every record that had been written was drained
    RECORDINGS_MAX = 1024,          // of RecordingContexts in one batch
    RECORDINGS_BYTES_MAX = 1 << 20, // of those, about
};

void
ship_known_forget(ship_known *known)
{
    known->types_sent = 0;
    known->recordings_sent = 0;
    known->filters_sent = 0;
}

// The RecordingContexts that were taken at the last call are named by no record behind last_block.
// Those that were released since are taken now. Where memory is short, a later call does as well.
void
ship_known_note_drained(ship_known *known, uint64_t last_block, int64_t now_ms)
{
    LP_ASSERT(known->ended_after.count <= known->ended.count);
    if (now_ms < known->ended_at_ms) {
        return;
    }
    known->ended_at_ms = now_ms + ENDED_WAIT_MS;
    while (known->ended_after.count < known->ended.count && LP_VEC_ROOM(&known->ended_after)) {
        known->ended_after.items[known->ended_after.count++] = last_block;
    }
    if (ctx_recordings_take_released(known->recordings, &known->ended) != LP_OK) {
        lp_log(LP_LOG_DEBUG, "no memory for what was released; it is taken later");
    }
}

lp_err
ship_known_list_recordings(ship_known *known, bool *out_is_all)
{
    lp_err err = ctx_recordings_list(known->recordings, known->recordings_sent, RECORDINGS_MAX,
        RECORDINGS_BYTES_MAX, &known->next_recordings, &known->are_all_recordings);
    if (err == LP_OK) {
        *out_is_all = known->are_all_recordings;
    }
    return err;
}

static size_t
count_types(const ship_known *known)
{
    size_t count = known->types_sent;
    while (ctx_registry_find(known->registry, count) != NULL) {
        count++;
    }
    return count;
}

// count_ended returns how many of known->ended are named by no record after these blocks.
static size_t
count_ended(const ship_known *known, uint64_t sent_blocks)
{
    size_t count = 0;
    while (known->are_all_recordings && count < known->ended_after.count &&
           known->ended_after.items[count] <= sent_blocks) {
        count++;
    }
    return count;
}

lp_err
ship_known_add_to(ship_known *known, uint64_t sent_blocks, ship_batch *batch)
{
    lp_err err = ctx_filters_list(known->filters, known->filters_sent, &known->next_filters);
    if (err != LP_OK) {
        return err;
    }
    batch->registry = known->registry;
    batch->first_type = known->types_sent;
    batch->end_type = count_types(known);
    batch->recordings = known->next_recordings.items;
    batch->recording_count = known->next_recordings.count;
    batch->recordings_ended = known->ended.items;
    batch->recordings_ended_count = count_ended(known, sent_blocks);
    batch->filters = known->next_filters.items;
    batch->filter_count = known->next_filters.count;
    return LP_OK;
}

static void
note_recordings_sent(ship_known *known, size_t ended_count)
{
    if (known->next_recordings.count > 0) {
        known->recordings_sent = known->next_recordings.items[known->next_recordings.count - 1].id;
        known->next_recordings.count = 0;
    }
    if (ended_count > 0) {
        ctx_recordings_forget(known->recordings, known->ended.items, ended_count);
        known->ended.count -= ended_count;
        known->ended_after.count -= ended_count;
        memmove(known->ended.items, known->ended.items + ended_count,
            known->ended.count * sizeof(*known->ended.items));
        memmove(known->ended_after.items, known->ended_after.items + ended_count,
            known->ended_after.count * sizeof(*known->ended_after.items));
    }
}

// note_filters_sent leaves the last filter in the list, for a collector that loses the session.
static void
note_filters_sent(ship_known *known)
{
    if (known->next_filters.count > 0) {
        known->filters_sent = known->next_filters.items[known->next_filters.count - 1].id;
        ctx_filters_forget(known->filters, known->filters_sent);
        known->next_filters.count = 0;
    }
}

void
ship_known_note_sent(ship_known *known, const ship_batch *batch)
{
    LP_ASSERT(known->types_sent <= batch->end_type);
    LP_ASSERT(batch->recordings_ended_count <= known->ended_after.count);
    known->types_sent = batch->end_type;
    note_recordings_sent(known, batch->recordings_ended_count);
    note_filters_sent(known);
}
