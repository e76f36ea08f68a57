// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/server/again_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

const int64_t again_rig_start_ns = 1700000000000000000;
const int64_t again_rig_chunk_ns = 600 * (int64_t)1000000000;

int
again_rig_set_up(void **state)
{
    again_rig *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    f->duration_ns = again_rig_chunk_ns;
    *state = f;
    return 0;
}

int
again_rig_tear_down(void **state)
{
    again_rig *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

void
again_rig_hello(again_rig *f, uint32_t lacking_chunk)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
    assert_int_equal(answer.lacking_chunk, lacking_chunk);
}

wire_answer
again_rig_ask(again_rig *f, const lp_buf *message)
{
    wire_answer answer;
    time_t end = time(NULL) + WIRE_CLIENT_TIMEOUT_MS / 1000;
    do {
        answer = wire_client_ask(&f->client, message->ptr, message->len);
    } while (answer.status == BUSY && time(NULL) < end);
    return answer;
}

void
again_rig_send(again_rig *f, const wire_piece *piece)
{
    lp_buf message = {0};
    wire_client_pack(&f->client, piece, &message);
    wire_answer answer = again_rig_ask(f, &message);
    lp_buf_fini(&message);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
}

void
again_rig_send_pieces(again_rig *f, uint32_t chunk, unsigned first, unsigned end, bool is_again)
{
    tick_chunk ticks;
    tick_chunk_init(&ticks, again_rig_start_ns + chunk * again_rig_chunk_ns);
    for (unsigned piece = 0; piece < end; piece++) {
        wire_piece next = wire_piece_take(
            &ticks, (chunk * AGAIN_RIG_PIECES + piece) * AGAIN_RIG_EVENTS, AGAIN_RIG_EVENTS);
        if (piece >= first) {
            next.sequence = f->sequence++;
            next.chunk = chunk;
            next.duration_ns = f->duration_ns;
            next.begins_again = is_again && piece == first;
            again_rig_send(f, &next);
        }
    }
    tick_chunk_fini(&ticks);
}

void
again_rig_send_whole(again_rig *f, uint32_t chunk, bool is_again)
{
    again_rig_send_pieces(f, chunk, 0, AGAIN_RIG_PIECES, is_again);
}

void
again_rig_send_empty(again_rig *f, uint32_t chunk, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const wire_piece empty = {.sequence = f->sequence++, .chunk = chunk};
        again_rig_send(f, &empty);
    }
}

void
again_rig_start(again_rig *f)
{
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
}

bool
again_rig_is_kind(const tick_losses *told, size_t index, catalog_loss loss)
{
    return strcmp(told->items[index].kind, catalog_loss_name(loss)) == 0;
}

void
again_rig_end(again_rig *f)
{
    const wire_piece last = {
        .sequence = f->sequence++, .chunk = AGAIN_RIG_CHUNKS - 1, .is_last = true};
    again_rig_send(f, &last);
    collector_rig_await(&f->rig, f->id, AGAIN_RIG_CHUNKS, true);
}

void
again_rig_end_and_check(again_rig *f, uint32_t first, uint64_t batches_lost)
{
    again_rig_end(f);
    assert_int_equal(
        collector_rig_count(&f->rig, f->id, AGAIN_RIG_CHUNKS, f->counts, AGAIN_RIG_NUMBERS), 0);
    for (unsigned i = 0; i < AGAIN_RIG_NUMBERS; i++) {
        assert_int_equal(f->counts[i], i < first * AGAIN_RIG_PIECES * AGAIN_RIG_EVENTS ? 0 : 1);
    }
    uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LOST] = batches_lost};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0}; // and so the chunks say
    uint64_t told_batches = 0;
    collector_rig_list_losses(&f->rig, f->id, &told);
    for (size_t i = 0; i < told.count; i++) {
        bool is_end = again_rig_is_kind(
            &told, i, CATALOG_LOSS_END_UNKNOWN); // of a chunk that was the last for a while
        assert_true(is_end || again_rig_is_kind(&told, i, CATALOG_LOSS_BATCHES_LOST));
        told_batches += is_end ? 0 : told.items[i].amount;
    }
    assert_int_equal(told_batches, batches_lost);
}
