// SPDX-License-Identifier: Apache-2.0

// What comes of a session that counted as ended, of a chunk that was compacted meanwhile: it is put
// aside and counted, or is there once, and is no loss of another kind. The test is the agent.

#include "support/ctx_packing.h"
#include "unit/collector/server/again_rig.h"

#include "collector/chunks/assembly.h"
#include "collector/journal/journal.h"
#include "collector/session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// send_record sends a batch of a chunk with nothing but a record, which begins a context.
static void
send_record(again_rig *f, uint32_t chunk)
{
    ctx_record_header set = {.size_bytes = sizeof(set),
        .type_id = 1,
        .kind = CTX_RECORD_SET,
        .thread_id = 7,
        .time_ticks = 1000};
    const lp_slice record = {(const uint8_t *)&set, sizeof(set)};
    ctx_packer packer = {.run_bytes = SIZE_MAX};
    lp_buf message = {0};
    uint8_t id[WIRE_SESSION_BYTES];
    memcpy(id, f->client.session, sizeof(id));
    assert_int_equal(ctx_packing_pack(record, &packer), LP_OK);
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(id), id};
    batch.sequence = f->sequence++;
    batch.chunk = chunk;
    batch.contexts_packed = (ProtobufCBinaryData){packer.packed.len, packer.packed.ptr};
    batch.contexts_size = sizeof(set);
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(again_rig_ask(f, &message).status, OK);
    lp_buf_fini(&message);
    ctx_packer_fini(&packer);
}

// assemble puts together what a file of the data directory has of a chunk.
static void
assemble(const again_rig *f, const char *name, uint32_t chunk, assembly *whole)
{
    char path[300];
    journal *file;
    (void)snprintf(path, sizeof(path), "%s/%s", f->rig.dir.path, name);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(journal_open(path, &file), LP_OK);
    const assembly_part part = {
        .journal = file, .end_bytes = journal_get_size(file), .ordinal = chunk, .has_jfr = true};
    *whole = (assembly){.jfr_bytes_max = 1 << 20, .record_bytes_max = 1 << 20};
    assert_int_equal(assembly_add(whole, &part), LP_OK);
    assert_int_equal(assembly_finish(whole, NULL), LP_OK);
    journal_unref(file);
}

// count_records counts the records of a kind.
static unsigned
count_records(const assembly *whole, ctx_record_kind kind)
{
    unsigned count = 0;
    ctx_record_header header;
    for (size_t at = 0; at < whole->records.len; at += header.size_bytes) {
        memcpy(&header, whole->records.ptr + at, sizeof(header));
        count += header.kind == kind;
    }
    return count;
}

// sum_of returns how much of a kind was told.
static uint64_t
sum_of(const tick_losses *told, catalog_loss loss)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < told->count; i++) {
        sum += again_rig_is_kind(told, i, loss) ? told->items[i].amount : 0;
    }
    return sum;
}

// go_silent has the session count as ended, and its chunk 0 be compacted. The collector that
// follows waits longer.
static void
go_silent(again_rig *f)
{
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    collector_rig_await(&f->rig, f->id, 1, true);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = SERVER_IDLE_MS_MAX;
    collector_rig_start(&f->rig);
}

// come_back_late sends the first piece of chunk 0, and comes back when its session counts as ended.
static void
come_back_late(again_rig *f)
{
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, 1, false);
    go_silent(f);
    again_rig_hello(f, 0);
}

// name_late names the file of what came too late of chunk 0.
static const char *
name_late(const again_rig *f)
{
    static char name[100];
    (void)snprintf(name, sizeof(name), "damaged/%s-0.late", f->id);
    return name;
}

// count_late returns how many batches are in the file of what came too late of chunk 0.
static unsigned
count_late(const again_rig *f)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->rig.dir.path, name_late(f));
    return collector_rig_count_messages(path);
}

// Its session counted as ended, so chunk 0 was compacted as it was. When it begins again it has
// grown. What of it is new nobody knows: all of it is put aside, and counted.
static void
test_what_a_chunk_grew_by_after_it_was_compacted_is_put_aside(void **state)
{
    again_rig *f = *state;
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, 2, false);
    go_silent(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, false);
    collector_rig_await(&f->rig, f->id, 1, false);

    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = AGAIN_RIG_PIECES};
    collector_rig_check_losses(&f->rig, f->id, losses);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, AGAIN_RIG_NUMBERS), 0);
    for (unsigned i = 0; i < AGAIN_RIG_PIECES * AGAIN_RIG_EVENTS; i++) {
        assert_int_equal(f->counts[i], i < 2 * AGAIN_RIG_EVENTS ? 1 : 0);
        f->counts[i] = 0;
    }
    assembly late;
    assemble(f, name_late(f), 0, &late);
    assert_int_equal(tick_chunk_count(late.jfr.ptr, late.jfr.len, f->counts, AGAIN_RIG_NUMBERS), 0);
    for (unsigned i = 0; i < AGAIN_RIG_PIECES * AGAIN_RIG_EVENTS; i++) {
        assert_int_equal(f->counts[i], 1);
    }
    assembly_fini(&late);
}

// It comes again for the first time while the agent is at a later chunk: it is whole, and here.
static void
test_a_chunk_is_whole_once_its_agent_has_left_it(void **state)
{
    again_rig *f = *state;
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, false);
    go_silent(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 1, 0, 1, false);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 0);
}

// The session counted as ended when chunk 0 was coming again. Its record is in what was compacted,
// and comes once more: it does not count for chunk 1.
static void
test_records_do_not_count_twice_after_their_chunk_was_compacted(void **state)
{
    again_rig *f = *state;
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, 2, false);
    send_record(f, 0);
    again_rig_send_pieces(f, 0, 0, 1, true);
    go_silent(f);
    again_rig_hello(f, 0);
    send_record(f, 0);
    again_rig_send_pieces(f, 1, 0, 1, false);
    send_record(f, 1);

    assembly whole;
    char name[100];
    (void)snprintf(name, sizeof(name), "journal/%s/1.log", f->id);
    assemble(f, name, 1, &whole);
    assert_int_equal(count_records(&whole, CTX_RECORD_SET), 1);
    assert_int_equal(count_records(&whole, CTX_RECORD_THREAD_END), 1); // an end may be aside
    assembly_fini(&whole);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
}

// come_back_without_bytes has the session count as ended before there are bytes of chunk 1, and
// says Hello again: what came of that chunk was discarded.
static void
come_back_without_bytes(again_rig *f)
{
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, AGAIN_RIG_PIECES, false);
    send_record(f, 1);
    go_silent(f);
    again_rig_hello(f, 2);
}

static void
test_a_chunk_without_events_comes_again_after_a_silence(void **state)
{
    again_rig *f = *state;
    come_back_without_bytes(f);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 0);
}

// The collector was started again between the agent's Hello and what comes again.
static void
test_what_was_discarded_comes_again_after_another_start(void **state)
{
    again_rig *f = *state;
    come_back_without_bytes(f);
    again_rig_start(f);
    again_rig_hello(f, 2);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 0);
}

// No journal says what was late. So the next chunk does.
static void
test_what_is_late_is_told_by_the_next_chunk(void **state)
{
    again_rig *f = *state;
    come_back_late(f);
    again_rig_send_pieces(f, 0, 1, AGAIN_RIG_PIECES, false);
    again_rig_send_whole(f, 1, false);
    again_rig_send_whole(f, 2, false);
    again_rig_end(f);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LATE), AGAIN_RIG_PIECES - 1);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LOST), 0);
}

// What was late is in damaged/, and counted. A second silence, with which the rest of it is
// discarded, makes it no loss of another kind. Types may have been there, so they are asked for.
static void
test_what_is_late_is_not_lost_after_another_silence(void **state)
{
    again_rig *f = *state;
    come_back_late(f);
    again_rig_send_pieces(f, 0, 1, 3, false);
    go_silent(f);
    again_rig_hello(f, 2);
    again_rig_send_pieces(f, 0, 3, AGAIN_RIG_PIECES, false);
    again_rig_send_whole(f, 1, false);
    again_rig_send_whole(f, 2, false);
    again_rig_end(f);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LATE] = AGAIN_RIG_PIECES - 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    for (size_t i = 0; i < told.count; i++) {
        assert_true(again_rig_is_kind(&told, i, CATALOG_LOSS_END_UNKNOWN) ||
                    again_rig_is_kind(&told, i, CATALOG_LOSS_BATCHES_LATE));
    }
}

// The same of batches that were discarded and are lost: they alone are.
static void
test_what_is_late_and_what_is_lost_are_apart(void **state)
{
    again_rig *f = *state;
    come_back_late(f);
    again_rig_send_pieces(f, 0, 1, AGAIN_RIG_PIECES, false);
    send_record(f, 1);
    go_silent(f);
    again_rig_hello(f, 2);
    again_rig_start(f);
    again_rig_hello(f, 2);
    uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LATE] = AGAIN_RIG_PIECES - 1, [CATALOG_LOSS_BATCHES_LOST] = 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, true);
    again_rig_send_whole(f, 2, false);
    again_rig_end(f);
    losses[CATALOG_LOSS_BATCHES_LOST] = 0;
    collector_rig_check_losses(&f->rig, f->id, losses);
}

// lose_first has four batches be lost of chunk 0, with which its agent goes on.
static void
lose_first(again_rig *f)
{
    f->sequence = 4;
    again_rig_hello(f, 1);
    again_rig_send_pieces(f, 0, 0, 1, false);
    again_rig_send_empty(f, 0, WIRE_WINDOW_MAX);
}

// check_four_lost ends the session, and expects that those four are lost, and nothing else but what
// was late; and that its chunks say the same.
static void
check_four_lost(again_rig *f, uint64_t late)
{
    again_rig_end(f);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LOST] = 4, [CATALOG_LOSS_BATCHES_LATE] = late};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LOST), 4);
}

// send_late sends pieces of chunk 0 once its session counted as ended, and lets it end again.
static void
send_late(again_rig *f, unsigned first, unsigned end)
{
    go_silent(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, first, end, false);
    go_silent(f);
}

// More was lost before than is late. What comes again is not what was late: it takes nothing back
// of that loss, also where the collector was started again in between.
static void
test_what_is_late_takes_no_loss_back_after_a_start(void **state)
{
    again_rig *f = *state;
    lose_first(f);
    send_late(f, 1, 3);
    again_rig_hello(f, 2);
    again_rig_send_pieces(f, 1, 0, 1, false); // or the session is compacted to its end
    again_rig_start(f);
    again_rig_hello(f, 2);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, false);
    check_four_lost(f, 2);
}

// Nor does a chunk tell of late batches as lost, that are fewer than those that are.
static void
test_what_is_late_is_told_apart_from_an_earlier_loss(void **state)
{
    again_rig *f = *state;
    lose_first(f);
    send_late(f, 1, 3);
    again_rig_hello(f, 2);
    again_rig_send_whole(f, 1, false);
    again_rig_send_empty(f, 1, WIRE_WINDOW_MAX);
    again_rig_send_whole(f, 2, false);
    check_four_lost(f, 2);
}

// Batches that wait for chunks to be compacted are asked for again and again: what is late is put
// aside once.
static void
test_what_is_late_is_put_aside_once_where_it_is_put_off(void **state)
{
    again_rig *f = *state;
    come_back_late(f);
    for (uint32_t i = 0; i < SESSION_CHUNKS_MAX; i++) { // not the next one
        const wire_piece empty = {.sequence = f->sequence++, .chunk = 2 + i};
        again_rig_send(f, &empty);
    }
    tick_chunk ticks;
    tick_chunk_init(&ticks, again_rig_start_ns);
    wire_piece late = wire_piece_take(&ticks, 0, AGAIN_RIG_EVENTS);
    late.sequence = f->sequence;
    for (unsigned refused = 0; refused < 3;) { // at first as the disk does not have it yet
        wire_answer answer = wire_client_send(&f->client, &late);
        assert_int_equal(answer.status, BUSY);
        refused += strstr(answer.message, "wait for compaction") != NULL;
    }
    tick_chunk_fini(&ticks);
    assert_int_equal(count_late(f), 1);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
}

// Chunk 0 was cut, which the next collector knows as well: what comes of it is late, though its
// agent is at the next one.
static void
test_a_chunk_of_which_something_was_late_is_not_whole_after_a_start(void **state)
{
    again_rig *f = *state;
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 0, 2, false);
    go_silent(f);
    again_rig_hello(f, 0);
    again_rig_send_pieces(f, 0, 2, 3, false);
    again_rig_send_pieces(f, 1, 0, 1, false);
    again_rig_start(f);
    again_rig_hello(f, 0);
    again_rig_send_whole(f, 0, true);
    again_rig_send_whole(f, 1, true);
    again_rig_send_whole(f, 2, false);
    collector_rig_await(&f->rig, f->id, 2, false);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LATE] = 1 + AGAIN_RIG_PIECES};
    collector_rig_check_losses(&f->rig, f->id, losses);
}

static void
test_a_chunk_without_events_that_does_not_come_again_is_lost(void **state)
{
    again_rig *f = *state;
    come_back_without_bytes(f);
    again_rig_send_pieces(f, 1, 0, AGAIN_RIG_PIECES, false);
    again_rig_send_empty(f, 1, AGAIN_RIG_PIECES);
    again_rig_send_pieces(f, 2, 0, AGAIN_RIG_PIECES, false);
    again_rig_end_and_check(f, 0, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, again_rig_set_up, again_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_a_chunk_grew_by_after_it_was_compacted_is_put_aside),
        TEST(test_a_chunk_is_whole_once_its_agent_has_left_it),
        TEST(test_records_do_not_count_twice_after_their_chunk_was_compacted),
        TEST(test_a_chunk_without_events_comes_again_after_a_silence),
        TEST(test_what_was_discarded_comes_again_after_another_start),
        TEST(test_what_is_late_is_told_by_the_next_chunk),
        TEST(test_what_is_late_is_not_lost_after_another_silence),
        TEST(test_what_is_late_and_what_is_lost_are_apart),
        TEST(test_what_is_late_takes_no_loss_back_after_a_start),
        TEST(test_what_is_late_is_told_apart_from_an_earlier_loss),
        TEST(test_what_is_late_is_put_aside_once_where_it_is_put_off),
        TEST(test_a_chunk_of_which_something_was_late_is_not_whole_after_a_start),
        TEST(test_a_chunk_without_events_that_does_not_come_again_is_lost),
    };
    return cmocka_run_group_tests_name("server_late", tests, NULL, NULL);
}
