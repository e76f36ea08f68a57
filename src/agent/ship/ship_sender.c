// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_sender.h"

#include "agent/ship/ship_message.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

enum { JFR_PIECE_BYTES = 256 << 10 }; // of a chunk in one batch, before compression

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
    counters.context_bytes_dropped = sender->source->spool.dropped_bytes;
    counters.chunk_bytes_dropped = tail_get_counts(sender->source->tail).dropped_bytes;
    ctx_recordings_counts maps = ctx_recordings_get_counts(sender->known->recordings);
    counters.context_values_cut += maps.texts_cut;
    counters.contexts_misclosed = maps.misclosed;
    counters.recording_contexts_refused = maps.refused;
    counters.recording_entries_dropped = maps.entries_dropped;
    counters.jfr_restarts = sender->jfr_restarts;
    counters.context_filters_refused = ctx_filters_get_refused(sender->known->filters);
    return counters;
}

// push makes a batch of what the collector does not know yet, piece, whose bytes are in
// sender->jfr, and block (NULL: none), and sends it. Errors: LP_ENOMEM: nothing was sent
static lp_err
push(ship_sender *sender, const tail_piece *piece, const ship_block *block, bool is_last)
{
    lp_buf_clear(&sender->jfr_zstd);
    lp_err err =
        piece->size == 0 ? LP_OK : wire_compress(lp_buf_slice(&sender->jfr), &sender->jfr_zstd);
    if (err != LP_OK) {
        return err;
    }
    ship_batch batch = {
        .session = sender->session,
        .sequence = ship_link_get_sequence(sender->link),
        .piece = piece,
        .jfr_zstd = lp_buf_slice(&sender->jfr_zstd),
        .contexts_packed =
            block == NULL ? (lp_slice){0} : (lp_slice){block->packed, block->packed_bytes},
        .contexts_size = block == NULL ? 0 : block->size_bytes,
        .counters = get_counters(sender),
        .is_last = is_last,
    };
    lp_buf packed = {0};
    uint64_t sent_blocks = sender->source->spool.popped_count + (block != NULL);
    err = ship_known_add_to(sender->known, sent_blocks, &batch);
    err = err != LP_OK ? err : ship_message_pack_batch(&batch, &packed);
    if (err != LP_OK) {
        lp_buf_fini(&packed);
        return err;
    }
    ship_link_push(sender->link, &packed, sender->now_ms);
    ship_known_note_sent(sender->known, &batch);
    sender->place = piece->place;
    sender->place.offset += piece->size;
    return LP_OK;
}

// push_nothing sends what the collector does not know yet alone, as part of the chunk at place.
static lp_err
push_nothing(ship_sender *sender, const tail_place *place, bool is_last)
{
    const tail_piece nothing = {.place = *place};
    return push(sender, &nothing, NULL, is_last);
}

// push_contexts sends block alone, as part of the chunk at place, and removes it.
static lp_err
push_contexts(ship_sender *sender, const tail_place *place, const ship_block *block)
{
    const tail_piece nothing = {.place = *place};
    lp_err err = push(sender, &nothing, block, false);
    if (err == LP_OK) {
        ship_spool_pop(&sender->source->spool);
    }
    return err;
}

// push_piece sends the next batch of those that end with sender->piece: all blocks up to its chunk
// go first, the last of them together with it.
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
        if (block != NULL) {
            ship_spool_pop(&sender->source->spool);
        }
    }
    return err;
}

// push_rest sends the batches that belong to no piece: blocks that are full while JFR has not
// flushed, and at the end all blocks and then the last batch.
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

void
ship_sender_step(ship_sender *sender, uint64_t jfr_restarts, int64_t now_ms)
{
    sender->jfr_restarts = jfr_restarts;
    sender->now_ms = now_ms;
    lp_err err = LP_OK;
    while (err == LP_OK && ship_link_has_room(sender->link) && !sender->source->is_drain_overdue) {
        if (!sender->has_piece) {
            lp_buf_clear(&sender->jfr);
            err = tail_next(sender->source->tail, JFR_PIECE_BYTES, &sender->jfr, &sender->piece);
            sender->has_piece = err == LP_OK;
        }
        if (sender->has_piece) {
            err = push_piece(sender);
        } else if (err == LP_EEND) {
            err = push_rest(sender);
        }
    }
}

bool
ship_sender_is_done(const ship_sender *sender)
{
    return sender->is_last_pushed && ship_link_get_unanswered(sender->link) == 0;
}

void
ship_sender_report(const ship_sender *sender)
{
    if (ship_sender_is_done(sender)) {
        lp_log(LP_LOG_DEBUG, "everything was delivered");
        return;
    }
    const ship_spool *spool = &sender->source->spool;
    uint64_t jfr_bytes =
        tail_get_unread(sender->source->tail) + (sender->has_piece ? sender->piece.size : 0);
    lp_log(LP_LOG_WARN,
        "not delivered: %" PRIu64 " batches without an acknowledgement, %" PRIu64
        " bytes of JFR, %zu bytes of contexts%s",
        ship_link_get_unanswered(sender->link), jfr_bytes, spool->bytes + spool->pending.packed.len,
        ship_link_was_connected(sender->link) ? "" : " (the collector was never reached)");
}
