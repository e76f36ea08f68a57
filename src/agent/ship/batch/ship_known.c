// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/batch/ship_known.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <string.h>

enum {
    ENDED_DRAINS = 3,               // after so many, all records written before were drained
    RECORDINGS_MAX = 1024,          // of RecordingContexts in one batch
    RECORDINGS_BYTES_MAX = 1 << 20, // of these, about
};

void
ship_known_forget(ship_known *known)
{
    known->types_sent = 0;
    known->recordings_sent = 0;
    known->filters_sent = 0;
    known->own_end = 0;
}

void
ship_known_go_back(ship_known *known)
{
    ship_known_forget(known);
    known->kept_sent = 0;
    known->ended_sent = 0;
    known->are_filters_due = true;
}

// Removes the first count items, each of item_bytes, from a list.
static void
drop_front(void *items, size_t *list_count, size_t count, size_t item_bytes)
{
    LP_ASSERT(count <= *list_count);
    *list_count -= count;
    memmove(items, (char *)items + count * item_bytes, *list_count * item_bytes);
}

#define DROP_FRONT(list, count_)                                                                   \
    drop_front((list)->items, &(list)->count, (count_), sizeof((list)->items[0]))

static size_t
measure(const ctx_recording *map)
{
    return sizeof(*map) + ctx_recording_measure(map);
}

// Frees the first count of the kept RecordingContexts.
static void
free_kept(ship_known *known, size_t count)
{
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        known->kept_bytes -= measure(&known->kept.items[i]);
        ctx_recording_fini(&known->kept.items[i]);
    }
    DROP_FRONT(&known->kept, count);
    DROP_FRONT(&known->kept_chunks, count);
    DROP_FRONT(&known->ended, count);
    DROP_FRONT(&known->ended_after, count);
    known->kept_sent -= count < known->kept_sent ? count : known->kept_sent;
    known->ended_sent -= count < known->ended_sent ? count : known->ended_sent;
    known->next_recordings.count = 0; // it may have lent them
}

static void
free_kept_filters(ship_known *known, size_t count)
{
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ctx_filter_fini(&known->kept_filters.items[i]);
    }
    DROP_FRONT(&known->kept_filters, count);
    DROP_FRONT(&known->kept_filter_chunks, count);
}

static size_t
count_below(const ship_chunks *chunks, uint32_t end)
{
    size_t count = 0;
    while (count < chunks->count && chunks->items[count] < end) {
        count++;
    }
    return count;
}

void
ship_known_release(ship_known *known, uint32_t end)
{
    free_kept(known, count_below(&known->kept_chunks, end));
    free_kept_filters(known, count_below(&known->kept_filter_chunks, end));
    if (known->own != NULL) {
        ship_own_release(known->own, known->own_sent, end);
    }
}

// No record behind last_block names the RecordingContexts that the last call took. This call takes
// those that were released since. Without memory a later call takes them.
void
ship_known_note_drained(ship_known *known, uint64_t last_block)
{
    LP_ASSERT(known->ended_after.count <= known->ended.count);
    if (++known->drains < ENDED_DRAINS) {
        return;
    }
    known->drains = 0;
    while (known->ended_after.count < known->ended.count && LP_VEC_ROOM(&known->ended_after)) {
        known->ended_after.items[known->ended_after.count++] = last_block;
    }
    if (ctx_recordings_take_released(known->recordings, &known->ended) != LP_OK) {
        lp_log(LP_LOG_DEBUG, "no memory for released RecordingContexts; retrying later");
    }
}

// Lists the ended RecordingContexts that are sent again.
static lp_err
list_kept(ship_known *known)
{
    size_t bytes = 0;
    known->next_recordings.count = 0;
    known->are_all_recordings = false;
    for (size_t i = known->kept_sent; i < known->kept.count && bytes < RECORDINGS_BYTES_MAX &&
                                      known->next_recordings.count < RECORDINGS_MAX;
         i++) {
        ctx_recording *slot = LP_VEC_PUSH(&known->next_recordings);
        LP_REQUIRE(slot != NULL, LP_ENOMEM);
        *slot = known->kept.items[i];
        bytes += measure(slot);
    }
    return LP_OK;
}

lp_err
ship_known_list_recordings(ship_known *known, bool *out_is_all)
{
    lp_err err =
        known->kept_sent < known->kept.count
            ? list_kept(known)
            : ctx_recordings_list(known->recordings, known->recordings_sent, RECORDINGS_MAX,
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

// Returns how many unsent RecordingContexts of known->ended no record after these blocks names.
static size_t
count_ended(const ship_known *known, uint64_t sent_blocks)
{
    size_t end = known->ended_sent;
    while (known->are_all_recordings && end < known->ended_after.count &&
           end - known->ended_sent < CTX_RECORDINGS_BATCH_MAX &&
           known->ended_after.items[end] <= sent_blocks) {
        end++;
    }
    return end - known->ended_sent;
}

// Lists the filters of the next batch, in the order of their ids.
static lp_err
list_filters(ship_known *known)
{
    ctx_filter_list *list = &known->next_filters;
    lp_err err = ctx_filters_list(known->filters, known->filters_sent, list);
    size_t count = known->are_filters_due ? known->kept_filters.count : 0;
    if (err != LP_OK || count == 0) {
        return err;
    }
    LP_REQUIRE(LP_VEC_RESERVE(list, count), LP_ENOMEM);
    memmove(list->items + count, list->items, list->count * sizeof(list->items[0]));
    memcpy(list->items, known->kept_filters.items, count * sizeof(list->items[0]));
    list->count += count;
    return LP_OK;
}

// Adds the settings of the batch's chunk, unless the collector has them.
static lp_err
add_own(ship_known *known, ship_batch *batch)
{
    const tail_place *place = &batch->piece->place;
    ship_own_settings *next = &known->own_next;
    LP_TRY(known->own == NULL ? LP_OK : ship_own_find(known->own, place->start_wall_ns, next));
    bool is_stated = known->own_end == place->chunk + 1;
    bool has_some = next->size > 0 || next->is_lost;
    batch->has_own_policy = is_stated ? next->id != known->own_sent : has_some;
    batch->own_policy_zstd = lp_buf_slice(&next->zstd);
    batch->own_policy_size = next->size;
    batch->is_own_policy_lost = next->is_lost;
    return LP_OK;
}

lp_err
ship_known_add_to(ship_known *known, uint64_t sent_blocks, ship_batch *batch)
{
    LP_ASSERT(known->ended_sent <= known->ended_after.count);
    LP_TRY(list_filters(known));
    batch->registry = known->registry;
    batch->first_type = known->types_sent;
    batch->end_type = count_types(known);
    batch->recordings = known->next_recordings.items;
    batch->recording_count = known->next_recordings.count;
    batch->recordings_ended_count = count_ended(known, sent_blocks);
    batch->recordings_ended =
        batch->recordings_ended_count == 0 ? NULL : known->ended.items + known->ended_sent;
    batch->filters = known->next_filters.items;
    batch->filter_count = known->next_filters.count;
    return add_own(known, batch);
}

// Keeps the first count unsent RecordingContexts, whose end was sent with chunk. Some may be kept
// already, and were sent again. Without memory their end is sent again.
static void
keep_ended(ship_known *known, size_t count, uint32_t chunk)
{
    if (!LP_VEC_RESERVE(&known->kept, count) || !LP_VEC_RESERVE(&known->kept_chunks, count)) {
        return;
    }
    for (size_t i = known->ended_sent; i < known->ended_sent + count; i++) {
        if (i < known->kept.count) {
            known->kept_chunks.items[i] = chunk;
            continue;
        }
        ctx_recording map = ctx_recordings_take(known->recordings, known->ended.items[i]);
        known->kept_bytes += measure(&map);
        known->kept.items[known->kept.count++] = map; // moves
        known->kept_chunks.items[known->kept_chunks.count++] = chunk;
        known->kept_sent++;
    }
    known->ended_sent += count;
}

// Notes that data for this chunk is no longer kept.
static void
lose_kept(ship_known *known, uint32_t chunk)
{
    known->whole_from = known->whole_from <= chunk ? chunk + 1 : known->whole_from;
}

// Returns how many of the oldest kept filters are over a limit.
static size_t
count_filters_over(const ship_known *known)
{
    const ctx_filter_list *kept = &known->kept_filters;
    size_t bytes = 0;
    size_t first = kept->count;
    while (first > 0 && kept->count - first < SHIP_KNOWN_KEPT_FILTERS_MAX) {
        bytes += ctx_filter_measure(&kept->items[first - 1]);
        if (bytes > SHIP_KNOWN_KEPT_FILTERS_BYTES_MAX) {
            break;
        }
        first--;
    }
    return first;
}

// Frees the oldest kept data over the limits, and all other kept data of these chunks.
static void
limit_kept(ship_known *known)
{
    if (known->kept_bytes > SHIP_KNOWN_KEPT_BYTES_MAX) {
        size_t over = 0;
        for (size_t bytes = known->kept_bytes; bytes > SHIP_KNOWN_KEPT_BYTES_MAX; over++) {
            bytes -= measure(&known->kept.items[over]);
        }
        lose_kept(known, known->kept_chunks.items[over - 1]);
        free_kept(known, count_below(&known->kept_chunks, known->whole_from));
    }
    size_t count = count_filters_over(known);
    if (count > 0) {
        lose_kept(known, known->kept_filter_chunks.items[count - 1]);
        free_kept_filters(known, count);
    }
}

static void
note_recordings_sent(ship_known *known)
{
    size_t count = known->next_recordings.count;
    if (known->kept_sent < known->kept.count) {
        known->kept_sent += count;
    } else if (count > 0) {
        known->recordings_sent = known->next_recordings.items[count - 1].id;
    }
    known->next_recordings.count = 0;
}

// Leaves the last filter in the list, for a collector that loses the session. Without memory the
// earlier ones stay, too.
static void
note_filters_sent(ship_known *known, uint32_t chunk)
{
    size_t count = known->next_filters.count;
    known->are_filters_due = false;
    if (count == 0) {
        return;
    }
    known->filters_sent = known->next_filters.items[count - 1].id;
    known->next_filters.count = 0;
    size_t before = known->kept_filters.count;
    if (LP_VEC_RESERVE(&known->kept_filter_chunks, CTX_FILTERS_UNSENT_MAX) &&
        ctx_filters_take(known->filters, known->filters_sent, &known->kept_filters) == LP_OK) {
        for (size_t i = before; i < known->kept_filters.count; i++) {
            known->kept_filter_chunks.items[known->kept_filter_chunks.count++] = chunk;
        }
    }
}

void
ship_known_note_sent(ship_known *known, const ship_batch *batch)
{
    LP_ASSERT(known->types_sent <= batch->end_type);
    LP_ASSERT(known->ended_sent + batch->recordings_ended_count <= known->ended_after.count);
    known->types_sent = batch->end_type;
    known->own_end = batch->piece->place.chunk + 1;
    known->own_sent = known->own_next.id;
    if (known->own != NULL) {
        ship_own_note_sent(known->own, known->own_sent, batch->piece->place.chunk);
    }
    note_recordings_sent(known);
    keep_ended(known, batch->recordings_ended_count, batch->piece->place.chunk);
    note_filters_sent(known, batch->piece->place.chunk);
    limit_kept(known);
}
