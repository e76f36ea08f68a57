// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/batch/ship_sender.h"

#include "agent/ship/link/ship_message.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <string.h>

enum {
    JFR_PIECE_BYTES = 256 << 10, // of a chunk in one batch, before compression
    GO_BACK_BYTES = 64 << 10,    // charged for each time of going back
};

_Static_assert((int)JFR_PIECE_BYTES <= (int)WIRE_BULK_BYTES_MAX, "the wire's limit");
_Static_assert((int)SHIP_BLOCK_BYTES + (int)CTX_RECORD_BYTES_MAX <= (int)WIRE_BULK_BYTES_MAX,
    "a block ends with the record that fills it");

static Loupe__Wire__Counters
get_counters(const ship_sender *sender)
{
    ctx_rings_counts counts = ctx_rings_get_counts(sender->source->rings);
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    counters.contexts_dropped = counts.contexts_dropped;
    counters.context_values_cut = counts.values_cut;
    counters.context_ends_lost = counts.ends_lost;
    counters.context_bytes_dropped = sender->source->spool.dropped_bytes;
    counters.chunk_bytes_dropped = tail_get_counts(sender->source->tail).dropped_bytes;
    ctx_recordings_counts maps = ctx_recordings_get_counts(sender->known->recordings);
    counters.context_values_cut += maps.texts_cut;
    counters.contexts_misclosed = maps.misclosed;
    counters.recording_contexts_refused = maps.refused;
    counters.recording_entries_dropped = maps.entries_dropped;
    counters.jfr_restarts = sender->jfr_restarts;
    counters.context_filters_refused = ctx_filters_get_refused(sender->known->filters);
    counters.chunks_not_resent = sender->not_resent;
    counters.collector_moves = sender->window->moves;
    return counters;
}

// Adds a chunk to the kept ones; drops the oldest if there are SHIP_SENDER_CHUNKS_MAX. There is
// room for it.
static void
add_kept(ship_sender *sender)
{
    ship_sent_chunk *items = sender->kept.items;
    if (sender->kept.count == SHIP_SENDER_CHUNKS_MAX) {
        memmove(items, items + 1, (SHIP_SENDER_CHUNKS_MAX - 1) * sizeof(*items));
    } else {
        sender->kept.count++;
    }
}

// Charges a batch that is sent again to its allowance.
static void
charge(ship_sender *sender, const ship_batch *batch)
{
    const tail_place *place = &batch->piece->place;
    if (place->chunk < sender->furthest_chunk ||
        (place->chunk == sender->furthest_chunk && place->offset < sender->furthest_offset)) {
        int64_t size = (int64_t)(batch->piece->size + batch->contexts_size);
        ship_allowance_take(&sender->again, &SHIP_SENDER_AGAIN, size, sender->now_ms);
    } else {
        sender->furthest_chunk = place->chunk;
        sender->furthest_offset = place->offset + batch->piece->size;
    }
}

// Notes that the batch was sent. There is room for its chunk.
static void
note_sent(ship_sender *sender, const ship_batch *batch)
{
    uint32_t chunk = batch->piece->place.chunk;
    size_t count = sender->kept.count;
    LP_ASSERT(count == 0 || sender->kept.items[count - 1].number <= chunk);
    if (count == 0 || sender->kept.items[count - 1].number < chunk) {
        add_kept(sender);
    }
    LP_ASSERT(sender->kept.count <= SHIP_SENDER_CHUNKS_MAX);
    sender->kept.items[sender->kept.count - 1] =
        (ship_sent_chunk){.number = chunk, .last_sequence = batch->sequence};
    if (batch->begins_again) {
        sender->again_next = chunk + 1;
    }
    charge(sender, batch);
    ship_known_note_sent(sender->known, batch);
    sender->place = batch->piece->place;
    sender->place.offset += batch->piece->size;
}

// Sends a batch of everything that the collector does not have, of piece, whose bytes are in
// sender->jfr, and of block (NULL: none). Errors: LP_ENOMEM: nothing was sent
static lp_err
push(ship_sender *sender, const tail_piece *piece, const ship_block *block, bool is_last)
{
    LP_ASSERT(!sender->is_last_pushed);
    LP_ASSERT(piece->size == 0 || piece->size == sender->jfr.len);
    lp_buf_clear(&sender->jfr_zstd);
    lp_err err = piece->size == 0 ? LP_OK
                                  : wire_compress_often(&sender->compressor,
                                        lp_buf_slice(&sender->jfr), &sender->jfr_zstd);
    LP_REQUIRE(err == LP_OK, err);
    ship_batch batch = {
        .session = sender->session,
        .sequence = sender->window->next_sequence,
        .piece = piece,
        .jfr_zstd = lp_buf_slice(&sender->jfr_zstd),
        .contexts_packed =
            block == NULL ? (lp_slice){0} : (lp_slice){block->packed, block->packed_bytes},
        .contexts_size = block == NULL ? 0 : block->size_bytes,
        .counters = get_counters(sender),
        .is_last = is_last,
        .begins_again =
            piece->place.chunk >= sender->again_next && piece->place.chunk < sender->again_end,
    };
    lp_buf packed = ship_window_take_spare(sender->window);
    uint64_t sent_blocks = sender->source->spool.sent_count + (block != NULL);
    err = LP_VEC_ROOM(&sender->kept) ? LP_OK : LP_ENOMEM;
    err = err != LP_OK ? err : ship_known_add_to(sender->known, sent_blocks, &batch);
    err = err != LP_OK ? err : ship_message_pack_batch(&batch, &packed);
    if (err != LP_OK) {
        lp_buf_fini(&packed);
        return err;
    }
    ship_window_push(sender->window, &packed, sender->now_ms);
    if (block != NULL) {
        ship_spool_note_sent(&sender->source->spool, piece->place.chunk);
    }
    note_sent(sender, &batch);
    return LP_OK;
}

// Sends a batch without events and records, as part of the chunk at place.
static lp_err
push_nothing(ship_sender *sender, const tail_place *place, bool is_last)
{
    const tail_piece nothing = {.place = *place};
    return push(sender, &nothing, NULL, is_last);
}

// Sends a batch of block alone, as part of the chunk at place.
static lp_err
push_contexts(ship_sender *sender, const tail_place *place, const ship_block *block)
{
    const tail_piece nothing = {.place = *place};
    return push(sender, &nothing, block, false);
}

// Sends the next batch up to sender->piece: all blocks up to its chunk go first, the last of them
// together with the piece.
static lp_err
push_piece(ship_sender *sender)
{
    const tail_piece *piece = &sender->piece;
    bool is_all;
    lp_err err = ship_known_list_recordings(sender->known, &is_all);
    if (err != LP_OK || !is_all) {
        return err != LP_OK ? err : push_nothing(sender, &piece->place, false);
    }
    if (sender->source->drain_rank <= piece->place.rank) {
        ship_source_seal(sender->source);
    }
    const ship_block *block = ship_spool_find(&sender->source->spool);
    if (block != NULL && block->rank > piece->place.rank) {
        block = NULL;
    }
    if (block != NULL && block->next != NULL && block->next->rank <= piece->place.rank) {
        return push_contexts(sender, &piece->place, block);
    }
    err = push(sender, piece, block, false);
    if (err == LP_OK) {
        sender->has_piece = false;
    }
    return err;
}

// Sends a batch that belongs to no piece: blocks that are full while JFR has not flushed and, at
// the end, all blocks and then the last batch.
static lp_err
push_rest(ship_sender *sender)
{
    tail_place place = sender->place;
    bool has_place = tail_find_place(sender->source->tail, &place);
    if (sender->source->is_all_read) {
        ship_source_seal(sender->source);
    }
    const ship_block *block = ship_spool_find(&sender->source->spool);
    bool has_block =
        block != NULL && (sender->source->is_all_read || (has_place && block->rank <= place.rank));
    if (!has_block && (!sender->source->is_all_read || sender->is_last_pushed)) {
        return LP_EEND;
    }
    bool is_all;
    lp_err err = ship_known_list_recordings(sender->known, &is_all);
    if (err != LP_OK || !is_all) {
        return err != LP_OK ? err : push_nothing(sender, &place, false);
    }
    if (has_block) {
        return push_contexts(sender, &place, block);
    }
    err = push_nothing(sender, &place, true);
    sender->is_last_pushed = err == LP_OK;
    return err;
}

static uint32_t
max_chunk(uint32_t left, uint32_t right)
{
    return left > right ? left : right;
}

// Returns the lowest chunk of which all sent data is kept.
static uint32_t
find_whole(const ship_sender *sender)
{
    return max_chunk(sender->source->spool.whole_from, sender->known->whole_from);
}

// Drops the chunks that are on the collector's disk.
static void
note_durable(ship_sender *sender)
{
    uint64_t durable = sender->window->durable_sequence;
    size_t count = 0;
    while (count + 1 < sender->kept.count && sender->kept.items[count].last_sequence < durable) {
        count++;
    }
    if (count > 0) {
        sender->released_end = sender->kept.items[count].number;
        sender->kept.count -= count;
        memmove(sender->kept.items, sender->kept.items + count,
            sender->kept.count * sizeof(sender->kept.items[0]));
    }
}

// Frees data that cannot or need not be sent again: of chunks that are on the collector's disk, and
// of incomplete chunks.
static void
release(ship_sender *sender)
{
    note_durable(sender);
    uint32_t end = max_chunk(sender->released_end, find_whole(sender));
    tail_release(sender->source->tail, end);
    ship_spool_release(&sender->source->spool, end);
    ship_known_release(sender->known, end);
}

// Counts the chunks from asked up to begin, which the collector asked for and does not get, except
// for those that it, or another collector, had on its disk.
static void
count_not_resent(ship_sender *sender, uint32_t asked, uint32_t begin)
{
    uint32_t from = max_chunk(asked, sender->released_end);
    if (begin <= from) {
        return;
    }
    if (sender->not_resent == 0) {
        lp_log(LP_LOG_WARN,
            "the collector lacks chunk %" PRIu32
            " of the recording, which is no longer complete here; further ones are only counted",
            from);
    }
    sender->not_resent += begin - from;
    sender->released_end = begin; // once
}

// Sends this chunk and the later ones again, if they are kept.
static void
go_back(ship_sender *sender, uint32_t chunk)
{
    uint32_t waiting = ship_window_find_lowest(sender->window);
    uint32_t from = max_chunk(chunk < waiting ? chunk : waiting, find_whole(sender));
    uint32_t begin = sender->again_next;
    ship_known_go_back(sender->known);
    if (from >= begin && from < sender->again_end) { // it is being sent again already
        ship_window_go_on(sender->window, begin);
        count_not_resent(sender, chunk, begin);
        return;
    }
    bool is_here = tail_go_back(sender->source->tail, from, &begin);
    begin = is_here ? begin : sender->place.chunk + 1;
    ship_window_go_on(sender->window, is_here ? begin : UINT32_MAX);
    count_not_resent(sender, chunk, begin);
    if (!is_here) {
        return;
    }
    lp_log(LP_LOG_INFO,
        "the collector lacks a part of the recording: resending from chunk %" PRIu32, begin);
    ship_spool_go_back(&sender->source->spool, begin);
    sender->again_next = begin;
    sender->again_end = max_chunk(sender->again_end, sender->place.chunk + 1);
    sender->has_piece = false;
    sender->is_last_pushed = false;
    while (sender->kept.count > 0 && sender->kept.items[sender->kept.count - 1].number >= begin) {
        sender->kept.count--;
    }
}

void
ship_sender_go_back(ship_sender *sender, uint32_t chunk)
{
    sender->lacking = sender->is_lacking && sender->lacking < chunk ? sender->lacking : chunk;
    sender->is_lacking = true;
}

bool
ship_sender_step(ship_sender *sender, uint64_t jfr_restarts, int64_t now_ms)
{
    sender->jfr_restarts = jfr_restarts;
    sender->now_ms = now_ms;
    if (sender->is_lacking && ship_allowance_is_open(&sender->again, &SHIP_SENDER_AGAIN, now_ms)) {
        sender->is_lacking = false;
        ship_allowance_take(&sender->again, &SHIP_SENDER_AGAIN, GO_BACK_BYTES, now_ms);
        go_back(sender, sender->lacking);
    }
    release(sender);
    if (!ship_window_has_room(sender->window) || sender->source->is_drain_overdue) {
        return false;
    }
    lp_err err = LP_OK;
    if (!sender->has_piece) {
        lp_buf_clear(&sender->jfr);
        err = tail_next(sender->source->tail, JFR_PIECE_BYTES, &sender->jfr, &sender->piece);
        sender->has_piece = err == LP_OK;
        if (sender->has_piece) {
            lp_slice bytes = lp_buf_slice(&sender->jfr);
            tail_events_feed(sender->source->events, &sender->piece, bytes);
        }
    }
    if (sender->has_piece) {
        err = push_piece(sender);
    } else if (err == LP_EEND) {
        err = push_rest(sender);
    }
    sender->is_short = err != LP_OK && err != LP_EEND;
    return err == LP_OK;
}

// Returns the number of JFR bytes that are in no batch.
static uint64_t
get_unread(const ship_sender *sender)
{
    return tail_get_unread(sender->source->tail) + (sender->has_piece ? sender->piece.size : 0);
}

bool
ship_sender_is_done(const ship_sender *sender)
{
    return sender->is_last_pushed && !sender->is_lacking &&
           ship_window_get_unanswered(sender->window) == 0;
}

void
ship_sender_leave(ship_sender *sender, int64_t now_ms, int64_t by_ms)
{
    if (!ship_window_is_put_off(sender->window, by_ms)) {
        return;
    }
    sender->last = get_counters(sender);
    ship_window_sum_put_off(
        sender->window, &sender->last.chunk_bytes_dropped, &sender->last.context_bytes_dropped);
    sender->last.chunk_bytes_dropped += get_unread(sender);
    sender->last.context_bytes_dropped += ship_spool_get_unsent(&sender->source->spool);
    ship_window_leave(sender->window, &sender->last, now_ms);
}

void
ship_sender_report(const ship_sender *sender, bool was_connected)
{
    if (ship_sender_is_done(sender)) {
        lp_log(LP_LOG_DEBUG, "everything was delivered");
        return;
    }
    lp_log(LP_LOG_WARN,
        "not delivered: %" PRIu64 " unacknowledged batches, %" PRIu64
        " bytes of JFR, %zu bytes of contexts%s",
        ship_window_get_unanswered(sender->window), get_unread(sender),
        ship_spool_get_unsent(&sender->source->spool),
        was_connected ? "" : " (the collector was never reached)");
}
