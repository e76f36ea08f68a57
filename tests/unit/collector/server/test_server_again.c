// SPDX-License-Identifier: Apache-2.0

// A collector that lacks what was acknowledged asks for it, and takes chunks that begin again: each
// event is there once, and what came again is no loss. The test is the agent.

#include "support/ctx_packing.h"
#include "support/files.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/server/assembly.h"
#include "collector/server/journal.h"
#include "collector/server/session.h"
#include "collector/store/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    CHUNKS = 3,
    PIECES = 4, // of each chunk
    EVENTS = 5, // of each piece
    NUMBERS = CHUNKS * PIECES * EVENTS,
};

static const int64_t START_NS = 1700000000000000000;
static const int64_t CHUNK_NS = 600 * (int64_t)1000000000; // longer than any look-ahead

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    uint64_t sequence;   // of the next batch
    int64_t duration_ns; // of a chunk, by its header
    unsigned counts[NUMBERS];
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    collector_rig_start(&f->rig);
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
    f->duration_ns = CHUNK_NS;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

// hello says that all batches so far were acknowledged.
static void
hello(fixture *f, uint32_t lacking_chunk)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
    assert_int_equal(answer.lacking_chunk, lacking_chunk);
}

// ask sends a message until it is not put off any more: a late batch is, until the disk has it.
static wire_answer
ask(fixture *f, const lp_buf *message)
{
    wire_answer answer;
    time_t end = time(NULL) + WIRE_CLIENT_TIMEOUT_MS / 1000;
    do {
        answer = wire_client_ask(&f->client, message->ptr, message->len);
    } while (answer.status == BUSY && time(NULL) < end);
    return answer;
}

static void
send_ok(fixture *f, const wire_piece *piece)
{
    lp_buf message = {0};
    wire_client_pack(&f->client, piece, &message);
    wire_answer answer = ask(f, &message);
    lp_buf_fini(&message);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
}

// send_pieces sends the pieces of a chunk from first up to end.
static void
send_pieces(fixture *f, uint32_t chunk, unsigned first, unsigned end, bool is_again)
{
    tick_chunk ticks;
    tick_chunk_init(&ticks, START_NS + chunk * CHUNK_NS);
    for (unsigned piece = 0; piece < end; piece++) {
        wire_piece next = wire_piece_take(&ticks, (chunk * PIECES + piece) * EVENTS, EVENTS);
        if (piece >= first) {
            next.sequence = f->sequence++;
            next.chunk = chunk;
            next.duration_ns = f->duration_ns;
            next.begins_again = is_again && piece == first;
            send_ok(f, &next);
        }
    }
    tick_chunk_fini(&ticks);
}

// send_record sends a batch of a chunk with nothing but a record, which begins a context.
static void
send_record(fixture *f, uint32_t chunk)
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
    assert_int_equal(ask(f, &message).status, OK);
    lp_buf_fini(&message);
    ctx_packer_fini(&packer);
}

// assemble puts together what a file of the data directory has of a chunk.
static void
assemble(const fixture *f, const char *name, uint32_t chunk, assembly *whole)
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

static bool
is_kind(const tick_losses *told, size_t index, catalog_loss loss)
{
    return strcmp(told->items[index].kind, catalog_loss_name(loss)) == 0;
}

// sum_of returns how much of a kind was told.
static uint64_t
sum_of(const tick_losses *told, catalog_loss loss)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < told->count; i++) {
        sum += is_kind(told, i, loss) ? told->items[i].amount : 0;
    }
    return sum;
}

// send_empty sends batches of a chunk without anything in them: after WIRE_WINDOW_MAX of them what
// lacks is not waited for any more.
static void
send_empty(fixture *f, uint32_t chunk, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const wire_piece empty = {.sequence = f->sequence++, .chunk = chunk};
        send_ok(f, &empty);
    }
}

// end_session has the agent say that it ends, and waits until all chunks are compacted.
static void
end_session(fixture *f)
{
    const wire_piece last = {.sequence = f->sequence++, .chunk = CHUNKS - 1, .is_last = true};
    send_ok(f, &last);
    collector_rig_await(&f->rig, f->id, CHUNKS, true);
}

// end_and_check ends the session, and checks that of all chunks from first on each event is there
// once, and what is lost.
static void
end_and_check(fixture *f, uint32_t first, uint64_t batches_lost)
{
    end_session(f);
    assert_int_equal(collector_rig_count(&f->rig, f->id, CHUNKS, f->counts, NUMBERS), 0);
    for (unsigned i = 0; i < NUMBERS; i++) {
        assert_int_equal(f->counts[i], i < first * PIECES * EVENTS ? 0 : 1);
    }
    uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LOST] = batches_lost};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0}; // and so the chunks say
    uint64_t told_batches = 0;
    collector_rig_list_losses(&f->rig, f->id, &told);
    for (size_t i = 0; i < told.count; i++) {
        bool is_end =
            is_kind(&told, i, CATALOG_LOSS_END_UNKNOWN); // of a chunk that was the last for a while
        assert_true(is_end || is_kind(&told, i, CATALOG_LOSS_BATCHES_LOST));
        told_batches += is_end ? 0 : told.items[i].amount;
    }
    assert_int_equal(told_batches, batches_lost);
}

static void
start_again(fixture *f)
{
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
}

static void
send_whole(fixture *f, uint32_t chunk, bool is_again)
{
    send_pieces(f, chunk, 0, PIECES, is_again);
}

// send_first_two sends the chunks 0 and 1 to a collector that lacks nothing.
static void
send_first_two(fixture *f)
{
    hello(f, 0);
    send_whole(f, 0, false);
    send_whole(f, 1, false);
}

// What the agent had on its way when it changed over comes first.
static void
test_a_new_collector_gets_the_chunk_from_its_start(void **state)
{
    fixture *f = *state;
    f->sequence = 2;
    hello(f, 1);
    send_pieces(f, 0, 2, 3, false);
    send_whole(f, 0, true);
    send_whole(f, 1, false);
    send_whole(f, 2, false);
    end_and_check(f, 0, 0);
}

// A collector that is killed right after that, and finds the batch in a journal, could not tell.
static void
test_that_it_is_no_loss_is_in_the_catalog_when_it_is_answered(void **state)
{
    fixture *f = *state;
    f->sequence = 2;
    hello(f, 1);
    const uint64_t lost[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LOST] = 2};
    collector_rig_check_losses(&f->rig, f->id, lost);
    send_pieces(f, 0, 0, 1, true);
    const uint64_t none[CATALOG_LOSS_COUNT] = {0};
    collector_rig_check_losses(&f->rig, f->id, none);
}

// Nobody can say how many of the batches are of the chunks that do not come.
static void
test_what_only_another_collector_has_is_lost_here(void **state)
{
    fixture *f = *state;
    f->sequence = 7;
    hello(f, 1);
    send_pieces(f, 1, 3, 4, false);
    send_whole(f, 1, true);
    send_whole(f, 2, true);
    end_and_check(f, 1, 7);
}

// stop_at_journal stops the collector, and names the journal of chunk 1.
static void
stop_at_journal(fixture *f, char out_path[300])
{
    collector_rig_stop(&f->rig);
    (void)snprintf(out_path, 300, "%s/journal/%s/1.log", f->rig.dir.path, f->id);
}

// stop_amid_chunks stops the collector while the agent is at chunk 2, and names the journal of
// chunk
// 1. No chunk is long enough to be compacted.
static void
stop_amid_chunks(fixture *f, char out_path[300])
{
    f->duration_ns = 1;
    send_first_two(f);
    send_pieces(f, 2, 0, 1, false);
    stop_at_journal(f, out_path);
}

// As after a power failure: the ends of two journals are gone. Chunk 1 is not compacted before it
// has come again, though the one behind it is long.
static void
test_what_was_cut_off_comes_again(void **state)
{
    fixture *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(truncate(path, files_size(path) - 10), 0);
    collector_rig_start(&f->rig);
    f->duration_ns = CHUNK_NS;
    hello(f, 2);
    send_pieces(f, 2, 1, 2, false);
    collector_rig_await(&f->rig, f->id, 1, false);
    send_whole(f, 1, true);
    send_whole(f, 2, true);
    end_and_check(f, 0, 0);
}

// A collector that was started again, before the agent heard of it and after, still knows what
// lacks. What came again does not lack any more.
static void
test_what_lacks_is_known_after_each_start(void **state)
{
    fixture *f = *state;
    send_first_two(f);
    f->duration_ns = 1;
    send_pieces(f, 2, 0, 1, false);
    collector_rig_await(&f->rig, f->id, 1, false);
    char path[300];
    stop_at_journal(f, path);
    assert_int_equal(remove(path), 0);
    collector_rig_start(&f->rig);
    start_again(f);
    hello(f, 2);
    start_again(f);
    hello(f, 2);
    f->duration_ns = CHUNK_NS;
    send_whole(f, 1, true);
    send_pieces(f, 2, 0, 1, true);
    start_again(f);
    hello(f, 0);
    send_pieces(f, 2, 1, PIECES, false);
    end_and_check(f, 0, 0);
}

// The same of damage, which each start finds.
static void
test_damage_that_came_again_is_no_loss_after_each_start(void **state)
{
    fixture *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    files_flip(path, 100, 0x10);
    collector_rig_start(&f->rig);
    start_again(f);
    f->duration_ns = CHUNK_NS;
    hello(f, 1); // of which chunk the numbers are that the damage took nobody knows
    send_whole(f, 0, true);
    send_whole(f, 1, true);
    send_pieces(f, 2, 0, 1, true);
    start_again(f);
    hello(f, 0);
    send_pieces(f, 2, 1, PIECES, false);
    end_and_check(f, 0, 0);
}

// A journal that cannot be read at all is a chunk that is lost, until that comes again.
static void
test_a_journal_that_cannot_be_read_comes_again(void **state)
{
    fixture *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    collector_rig_start(&f->rig);
    f->duration_ns = CHUNK_NS;
    hello(f, 1); // of which chunk the numbers are nobody knows
    send_pieces(f, 0, 0, PIECES, true);
    send_pieces(f, 1, 0, PIECES, true);
    send_pieces(f, 2, 0, PIECES, true);
    end_and_check(f, 0, 0);
}

// The same, where the collector is started again before that comes, and another time behind it.
static void
test_a_journal_that_cannot_be_read_is_no_loss_after_each_start(void **state)
{
    fixture *f = *state;
    char path[300];
    stop_amid_chunks(f, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    collector_rig_start(&f->rig);
    collector_rig_stop(&f->rig);
    (void)snprintf(path, sizeof(path), "%s/damaged/%s-1.unread.log", f->rig.dir.path, f->id);
    assert_int_equal(rmdir(path), 0); // what the disk did not return is a file
    files_write(path, "", 0);
    collector_rig_start(&f->rig);
    start_again(f);
    f->duration_ns = CHUNK_NS;
    hello(f, 1);
    send_pieces(f, 0, 0, PIECES, true);
    start_again(f);
    hello(f, 0);
    send_pieces(f, 1, 0, PIECES, true);
    send_pieces(f, 2, 0, PIECES, true);
    end_and_check(f, 0, 0);
}

// The data directory is an older copy: the session is there, but not the last batches.
static void
test_an_older_copy_asks_from_where_it_ends(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_whole(f, 0, false);
    send_pieces(f, 1, 0, 1, false);
    f->sequence += 3;
    start_again(f);
    hello(f, 2);
    send_whole(f, 1, true);
    send_whole(f, 2, false);
    end_and_check(f, 0, 0);
}

// The JVM died while it sent a chunk again: what came of that before counts, and lacks what it
// lacked.
static void
test_a_chunk_that_came_again_in_part_is_what_it_was(void **state)
{
    fixture *f = *state;
    send_first_two(f);
    send_whole(f, 2, false);
    f->sequence += 2;
    start_again(f);
    hello(f, 3);
    send_pieces(f, 2, 0, 1, true);
    send_pieces(f, 2, 0, 2, true); // and once more
    end_and_check(f, 0, 2);
}

// Chunk 0 was compacted meanwhile: it is there, and nothing of it is late.
static void
test_a_compacted_chunk_that_begins_again_is_there_once(void **state)
{
    fixture *f = *state;
    send_first_two(f);
    collector_rig_await(&f->rig, f->id, 1, false);
    send_pieces(f, 0, 0, PIECES - 1, true);
    start_again(f); // in the middle of it
    hello(f, 0);
    send_pieces(f, 0, PIECES - 1, PIECES, false);
    send_whole(f, 1, true);
    send_whole(f, 2, false);
    end_and_check(f, 0, 0);
}

// go_silent has the session count as ended, and its chunk 0 be compacted. The collector that
// follows waits longer.
static void
go_silent(fixture *f)
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
come_back_late(fixture *f)
{
    hello(f, 0);
    send_pieces(f, 0, 0, 1, false);
    go_silent(f);
    hello(f, 0);
}

// name_late names the file of what came too late of chunk 0.
static const char *
name_late(const fixture *f)
{
    static char name[100];
    (void)snprintf(name, sizeof(name), "damaged/%s-0.late", f->id);
    return name;
}

// count_late returns how many batches are in the file of what came too late of chunk 0.
static unsigned
count_late(const fixture *f)
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
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, 2, false);
    go_silent(f);
    hello(f, 0);
    send_pieces(f, 0, 0, PIECES, true);
    send_pieces(f, 1, 0, PIECES, false);
    collector_rig_await(&f->rig, f->id, 1, false);

    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = PIECES};
    collector_rig_check_losses(&f->rig, f->id, losses);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, NUMBERS), 0);
    for (unsigned i = 0; i < PIECES * EVENTS; i++) {
        assert_int_equal(f->counts[i], i < 2 * EVENTS ? 1 : 0);
        f->counts[i] = 0;
    }
    assembly late;
    assemble(f, name_late(f), 0, &late);
    assert_int_equal(tick_chunk_count(late.jfr.ptr, late.jfr.len, f->counts, NUMBERS), 0);
    for (unsigned i = 0; i < PIECES * EVENTS; i++) {
        assert_int_equal(f->counts[i], 1);
    }
    assembly_fini(&late);
}

// It comes again for the first time while the agent is at a later chunk: it is whole, and here.
static void
test_a_chunk_is_whole_once_its_agent_has_left_it(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, PIECES, false);
    go_silent(f);
    hello(f, 0);
    send_pieces(f, 1, 0, 1, false);
    send_pieces(f, 0, 0, PIECES, true);
    send_pieces(f, 1, 0, PIECES, true);
    send_pieces(f, 2, 0, PIECES, false);
    end_and_check(f, 0, 0);
}

// The session counted as ended when chunk 0 was coming again. Its record is in what was compacted,
// and comes once more: it does not count for chunk 1.
static void
test_records_do_not_count_twice_after_their_chunk_was_compacted(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, 2, false);
    send_record(f, 0);
    send_pieces(f, 0, 0, 1, true);
    go_silent(f);
    hello(f, 0);
    send_record(f, 0);
    send_pieces(f, 1, 0, 1, false);
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

// The session counted as ended before there were bytes of chunk 1. What came of that was discarded,
// and comes again.
static void
test_a_chunk_without_events_comes_again_after_a_silence(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, PIECES, false);
    send_record(f, 1);
    go_silent(f);
    hello(f, 2);
    send_pieces(f, 1, 0, PIECES, true);
    send_pieces(f, 2, 0, PIECES, false);
    end_and_check(f, 0, 0);
}

// The collector was started again between the agent's Hello and what comes again.
static void
test_what_was_discarded_comes_again_after_another_start(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, PIECES, false);
    send_record(f, 1);
    go_silent(f);
    hello(f, 2);
    start_again(f);
    hello(f, 2);
    send_pieces(f, 1, 0, PIECES, true);
    send_pieces(f, 2, 0, PIECES, false);
    end_and_check(f, 0, 0);
}

// No journal says what was late. So the next chunk does.
static void
test_what_is_late_is_told_by_the_next_chunk(void **state)
{
    fixture *f = *state;
    come_back_late(f);
    send_pieces(f, 0, 1, PIECES, false);
    send_whole(f, 1, false);
    send_whole(f, 2, false);
    end_session(f);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LATE), PIECES - 1);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LOST), 0);
}

// What was late is in damaged/, and counted. A second silence, with which the rest of it is
// discarded, makes it no loss of another kind. Types may have been there, so they are asked for.
static void
test_what_is_late_is_not_lost_after_another_silence(void **state)
{
    fixture *f = *state;
    come_back_late(f);
    send_pieces(f, 0, 1, 3, false);
    go_silent(f);
    hello(f, 2);
    send_pieces(f, 0, 3, PIECES, false);
    send_whole(f, 1, false);
    send_whole(f, 2, false);
    end_session(f);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = PIECES - 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    for (size_t i = 0; i < told.count; i++) {
        assert_true(is_kind(&told, i, CATALOG_LOSS_END_UNKNOWN) ||
                    is_kind(&told, i, CATALOG_LOSS_BATCHES_LATE));
    }
}

// The same of batches that were discarded and are lost: they alone are.
static void
test_what_is_late_and_what_is_lost_are_apart(void **state)
{
    fixture *f = *state;
    come_back_late(f);
    send_pieces(f, 0, 1, PIECES, false);
    send_record(f, 1);
    go_silent(f);
    hello(f, 2);
    start_again(f);
    hello(f, 2);
    uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LATE] = PIECES - 1, [CATALOG_LOSS_BATCHES_LOST] = 1};
    collector_rig_check_losses(&f->rig, f->id, losses);
    send_pieces(f, 1, 0, PIECES, true);
    send_whole(f, 2, false);
    end_session(f);
    losses[CATALOG_LOSS_BATCHES_LOST] = 0;
    collector_rig_check_losses(&f->rig, f->id, losses);
}

// lose_first has four batches be lost of chunk 0, with which its agent goes on.
static void
lose_first(fixture *f)
{
    f->sequence = 4;
    hello(f, 1);
    send_pieces(f, 0, 0, 1, false);
    send_empty(f, 0, WIRE_WINDOW_MAX);
}

// check_four_lost ends the session, and expects that those four are lost, and nothing else but what
// was late; and that its chunks say the same.
static void
check_four_lost(fixture *f, uint64_t late)
{
    end_session(f);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {
        [CATALOG_LOSS_BATCHES_LOST] = 4, [CATALOG_LOSS_BATCHES_LATE] = late};
    collector_rig_check_losses(&f->rig, f->id, losses);
    tick_losses told = {0};
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(sum_of(&told, CATALOG_LOSS_BATCHES_LOST), 4);
}

// send_late sends pieces of chunk 0 once its session counted as ended, and lets it end again.
static void
send_late(fixture *f, unsigned first, unsigned end)
{
    go_silent(f);
    hello(f, 0);
    send_pieces(f, 0, first, end, false);
    go_silent(f);
}

// More was lost before than is late. What comes again is not what was late: it takes nothing back
// of that loss, also where the collector was started again in between.
static void
test_what_is_late_takes_no_loss_back_after_a_start(void **state)
{
    fixture *f = *state;
    lose_first(f);
    send_late(f, 1, 3);
    hello(f, 2);
    send_pieces(f, 1, 0, 1, false); // or the session is compacted to its end
    start_again(f);
    hello(f, 2);
    send_whole(f, 1, true);
    send_whole(f, 2, false);
    check_four_lost(f, 2);
}

// Nor does a chunk tell of late batches as lost, that are fewer than those that are.
static void
test_what_is_late_is_told_apart_from_an_earlier_loss(void **state)
{
    fixture *f = *state;
    lose_first(f);
    send_late(f, 1, 3);
    hello(f, 2);
    send_whole(f, 1, false);
    send_empty(f, 1, WIRE_WINDOW_MAX);
    send_whole(f, 2, false);
    check_four_lost(f, 2);
}

// Batches that wait for chunks to be compacted are asked for again and again: what is late is put
// aside once.
static void
test_what_is_late_is_put_aside_once_where_it_is_put_off(void **state)
{
    fixture *f = *state;
    come_back_late(f);
    for (uint32_t i = 0; i < SESSION_CHUNKS_MAX; i++) { // not the next one
        const wire_piece empty = {.sequence = f->sequence++, .chunk = 2 + i};
        send_ok(f, &empty);
    }
    tick_chunk ticks;
    tick_chunk_init(&ticks, START_NS);
    wire_piece late = wire_piece_take(&ticks, 0, EVENTS);
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
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, 2, false);
    go_silent(f);
    hello(f, 0);
    send_pieces(f, 0, 2, 3, false);
    send_pieces(f, 1, 0, 1, false);
    start_again(f);
    hello(f, 0);
    send_whole(f, 0, true);
    send_whole(f, 1, true);
    send_whole(f, 2, false);
    collector_rig_await(&f->rig, f->id, 2, false);
    const uint64_t losses[CATALOG_LOSS_COUNT] = {[CATALOG_LOSS_BATCHES_LATE] = 1 + PIECES};
    collector_rig_check_losses(&f->rig, f->id, losses);
}

static void
test_a_chunk_without_events_that_does_not_come_again_is_lost(void **state)
{
    fixture *f = *state;
    hello(f, 0);
    send_pieces(f, 0, 0, PIECES, false);
    send_record(f, 1);
    go_silent(f);
    hello(f, 2);
    send_pieces(f, 1, 0, PIECES, false);
    send_empty(f, 1, PIECES);
    send_pieces(f, 2, 0, PIECES, false);
    end_and_check(f, 0, 1);
}

// Of an agent that goes on without what lacks, what came is compacted.
static void
test_what_does_not_come_again_is_lost(void **state)
{
    fixture *f = *state;
    f->sequence = 4;
    hello(f, 1);
    send_whole(f, 1, false);
    send_whole(f, 2, false);
    send_empty(f, 2, 1);
    end_and_check(f, 1, 4);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_new_collector_gets_the_chunk_from_its_start),
        TEST(test_that_it_is_no_loss_is_in_the_catalog_when_it_is_answered),
        TEST(test_what_only_another_collector_has_is_lost_here),
        TEST(test_what_was_cut_off_comes_again),
        TEST(test_what_lacks_is_known_after_each_start),
        TEST(test_damage_that_came_again_is_no_loss_after_each_start),
        TEST(test_a_journal_that_cannot_be_read_comes_again),
        TEST(test_a_journal_that_cannot_be_read_is_no_loss_after_each_start),
        TEST(test_an_older_copy_asks_from_where_it_ends),
        TEST(test_a_chunk_that_came_again_in_part_is_what_it_was),
        TEST(test_a_compacted_chunk_that_begins_again_is_there_once),
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
        TEST(test_what_does_not_come_again_is_lost),
    };
    return cmocka_run_group_tests_name("server_again", tests, NULL, NULL);
}
