// SPDX-License-Identifier: Apache-2.0
// What the sender keeps, and makes again, without NNG: the test is the collector, and the clock.
// test_ship.c has the rest, over real connections.

#include "support/chunk_writer.h"
#include "support/temp_dir.h"

#include "agent/ship/batch/ship_sender.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    STEP_MS = 1000,         // longer than anything of a source waits
    SPOOL_BYTES_MAX = 4000, // some hundred records
    RECORDS = 100,          // with each flush
};

typedef struct fixture {
    temp_dir dir;
    uint8_t session[WIRE_SESSION_BYTES];
    Loupe__Wire__Hello hello;
    ctx_rings *rings;
    ship_known known;
    ship_source source;
    ship_window window;
    ship_sender sender;
    int64_t now_ms;
    int64_t ticks;
    uint64_t durable_sequence; // of the collector
    uint32_t lacking_chunk;    // of its next answer to a Hello
    bool is_forgetful;         // it does not know the session, until it says Hello
    // Of the batches that it took.
    char again[100];     // "CHUNK " for each that began it again
    uint64_t jfr_bytes;  // since the last of those
    uint64_t records;    // the same
    uint64_t not_resent; // as the last one has it
} fixture;

static ctx_registry *registry; // of all tests; in a JVM it stays

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->hello = (Loupe__Wire__Hello)LOUPE__WIRE__HELLO__INIT;
    f->hello.session = (ProtobufCBinaryData){sizeof(f->session), f->session};
    f->known = (ship_known){.registry = registry,
        .recordings = ctx_recordings_create(),
        .filters = ctx_filters_create()};
    assert_int_equal(ship_source_open(&f->source, f->dir.path, f->rings, &f->known, NULL), LP_OK);
    f->source.spool.bytes_max = SPOOL_BYTES_MAX;
    ship_window_init(&f->window, &f->hello);
    f->sender = (ship_sender){
        .session = f->session, .source = &f->source, .known = &f->known, .window = &f->window};
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    ship_window_fini(&f->window);
    LP_VEC_FINI(&f->sender.kept);
    lp_buf_fini(&f->sender.jfr);
    lp_buf_fini(&f->sender.jfr_zstd);
    wire_compressor_free(f->sender.compressor);
    ship_source_close(&f->source);
    ship_spool_fini(&f->source.spool);
    LP_VEC_FINI(&f->known.next_recordings);
    LP_VEC_FINI(&f->known.next_filters);
    LP_VEC_FINI(&f->known.kept_filter_chunks);
    ctx_recordings_destroy(f->known.recordings);
    ctx_filters_destroy(f->known.filters);
    temp_dir_remove(&f->dir);
    ctx_rings_destroy(f->rings);
    free(f);
    return 0;
}

// put_record writes a record that packs badly, as times of different threads do.
static void
put_record(fixture *f)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(f->rings);
    ctx_rings_control *control = &layout->controls[0];
    f->ticks = (int64_t)((uint64_t)f->ticks * 6364136223846793005u + 1442695040888963407u);
    const ctx_record_header record = {
        .size_bytes = sizeof(record),
        .type_id = 1,
        .kind = CTX_RECORD_SET,
        .thread_id = 7,
        .time_ticks = f->ticks,
    };
    uint32_t head = atomic_load(&control->head);
    memcpy(control->ring + head % CTX_RINGS_RING_BYTES, &record, sizeof(record));
    atomic_store(&control->head, head + (uint32_t)sizeof(record));
}

static void
take_batch(fixture *f, const Loupe__Wire__Batch *batch)
{
    if (batch->begins_again) {
        size_t len = strlen(f->again);
        assert_int_equal(batch->chunk_offset, 0);
        (void)snprintf(f->again + len, sizeof(f->again) - len, "%u ", (unsigned)batch->chunk);
        f->jfr_bytes = 0;
        f->records = 0;
    }
    assert_int_equal(batch->jfr_size > 0 ? batch->chunk_offset : f->jfr_bytes, f->jfr_bytes);
    f->jfr_bytes += batch->jfr_size;
    f->records += batch->contexts_size / CTX_RECORD_HEADER_BYTES;
    f->not_resent = batch->counters->chunks_not_resent;
}

static void
answer(fixture *f, const ship_sending *sending)
{
    ship_reply reply = {.status = SHIP_OK};
    Loupe__Wire__Request *request =
        loupe__wire__request__unpack(NULL, sending->bytes.len, sending->bytes.ptr);
    assert_non_null(request);
    if (sending->slot == SHIP_WINDOW_HELLO_SLOT) {
        f->is_forgetful = false;
        reply.lacking_chunk = f->lacking_chunk;
        f->lacking_chunk = 0;
    } else if (f->is_forgetful) {
        reply.status = SHIP_UNKNOWN_SESSION;
    } else {
        take_batch(f, request->batch);
    }
    reply.durable_sequence = f->durable_sequence;
    loupe__wire__request__free_unpacked(request, NULL);
    ship_window_note_reply(&f->window, sending->slot, &reply, f->now_ms);
}

// step_after is what ship.c does in a round, so much later.
static void
step_after(fixture *f, int64_t ms)
{
    f->now_ms += ms;
    for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
        answer(f, &next);
    }
    uint32_t lacking;
    if (ship_window_take_forgotten(&f->window)) {
        ship_known_forget(&f->known);
    }
    if (ship_window_take_lacking(&f->window, &lacking)) {
        ship_sender_go_back(&f->sender, lacking);
    }
    ship_source_step(&f->source, false, f->now_ms);
    while (ship_sender_step(&f->sender, 0, f->now_ms)) {
    }
}

static void
step(fixture *f)
{
    step_after(f, STEP_MS);
}

static void
settle(fixture *f)
{
    for (int i = 0; i < 4; i++) {
        step(f);
    }
}

static chunk_writer
begin(fixture *f, unsigned number)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "%u.jfr", number);
    chunk_writer chunk = chunk_writer_create(f->dir.path, name, number, 1000 + number);
    chunk_writer_begin(&chunk);
    f->jfr_bytes = 0;
    f->records = 0;
    return chunk;
}

// flush has JFR flush some bytes, and threads write records before that.
static void
flush(fixture *f, chunk_writer *chunk)
{
    for (int i = 0; i < RECORDS; i++) {
        put_record(f);
    }
    chunk_writer_append(chunk, 1000);
    chunk_writer_flush(chunk);
    settle(f);
}

// ask_again has the collector lose the session, and ask for this chunk.
static void
ask_again(fixture *f, chunk_writer *chunk, uint32_t number)
{
    f->is_forgetful = true;
    f->lacking_chunk = number + 1;
    flush(f, chunk);
    settle(f);
    assert_false(f->is_forgetful);
}

static void
test_a_chunk_that_is_whole_begins_again(void **state)
{
    fixture *f = *state;
    settle(f);
    chunk_writer chunk = begin(f, 0);
    flush(f, &chunk);
    ask_again(f, &chunk, 0);
    assert_string_equal(f->again, "0 ");
    assert_int_equal(f->jfr_bytes, chunk.published);
    assert_int_equal(f->records, 2 * RECORDS);
    assert_int_equal(f->not_resent, 0);
    (void)close(chunk.fd);
}

// What is left of it takes no room for what waits.
static void
test_a_chunk_that_is_not_whole_is_not_kept(void **state)
{
    fixture *f = *state;
    settle(f);
    chunk_writer chunk = begin(f, 0);
    for (int i = 0; i < 10; i++) {
        flush(f, &chunk);
    }
    assert_int_equal(f->source.spool.whole_from, 1);
    assert_int_equal(f->source.spool.bytes, 0);
    assert_int_equal(f->records, 10 * RECORDS); // all was sent, once
    ask_again(f, &chunk, 0);
    flush(f, &chunk); // a batch that was made since
    assert_string_equal(f->again, "");
    assert_int_equal(f->jfr_bytes, chunk.published);
    assert_int_equal(f->not_resent, 1);
    chunk_writer_finish(&chunk);
    settle(f);
    chunk = begin(f, 1);
    flush(f, &chunk);
    ask_again(f, &chunk, 0);
    assert_string_equal(f->again, "1 ");
    assert_int_equal(f->jfr_bytes, chunk.published);
    assert_int_equal(f->records, 2 * RECORDS);
    assert_int_equal(f->not_resent, 1); // once for each chunk
    (void)close(chunk.fd);
}

static void
test_what_is_durable_is_not_kept_but_the_current_chunk(void **state)
{
    fixture *f = *state;
    f->durable_sequence = UINT64_MAX;
    settle(f);
    chunk_writer chunk = begin(f, 0);
    flush(f, &chunk);
    chunk_writer_finish(&chunk);
    settle(f);
    assert_true(f->source.spool.bytes > 0);
    chunk = begin(f, 1);
    flush(f, &chunk);
    ask_again(f, &chunk, 0);
    assert_string_equal(f->again, "1 ");
    assert_int_equal(f->records, 2 * RECORDS);
    assert_int_equal(f->not_resent, 0);
    (void)close(chunk.fd);
}

// The disk of a collector that takes batches may fail for days.
static void
test_chunks_that_never_are_durable_are_forgotten(void **state)
{
    fixture *f = *state;
    settle(f);
    for (unsigned i = 0; i < SHIP_SENDER_CHUNKS_MAX + 3; i++) {
        chunk_writer chunk = begin(f, i);
        chunk_writer_append(&chunk, 100);
        chunk_writer_finish(&chunk);
        settle(f);
    }
    assert_int_equal(f->sender.kept.count, SHIP_SENDER_CHUNKS_MAX);
    assert_int_equal(f->sender.kept.items[0].number, 3);
    chunk_writer last = begin(f, SHIP_SENDER_CHUNKS_MAX + 3);
    flush(f, &last);
    f->durable_sequence = UINT64_MAX;
    flush(f, &last);
    assert_int_equal(f->sender.kept.count, 1);
    ask_again(f, &last, 0);
    assert_int_equal(f->not_resent, 0); // all of them are on the disk in the end
    assert_int_equal(f->jfr_bytes, last.published);
    (void)close(last.fd);
}

// It asks for a chunk that is about to come again: those before it, and their records, come first,
// each with its own chunk.
static void
test_what_comes_again_is_not_left_out(void **state)
{
    fixture *f = *state;
    settle(f);
    for (unsigned i = 0; i < 3; i++) {
        chunk_writer chunk = begin(f, i);
        flush(f, &chunk);
        chunk_writer_finish(&chunk);
        settle(f);
    }
    ship_sender_go_back(&f->sender, 0);
    assert_true(ship_sender_step(&f->sender, 0, f->now_ms));
    ship_sender_go_back(&f->sender, 2);
    settle(f);
    assert_string_equal(f->again, "0 1 2 ");
    assert_int_equal(f->records, RECORDS);
    assert_int_equal(f->not_resent, 0);
}

// The agent moves while a chunk comes again, whose first batch the former collector has. The other
// one asks for a chunk behind that: it gets the one before, too, from its begin, and nothing of it
// before that.
static void
test_what_was_under_way_comes_again_from_its_begin(void **state)
{
    fixture *f = *state;
    settle(f);
    chunk_writer chunk = begin(f, 0);
    flush(f, &chunk);
    flush(f, &chunk);
    chunk_writer_finish(&chunk);
    settle(f);
    chunk = begin(f, 1);
    chunk_writer_append(&chunk, 1000);
    chunk_writer_finish(&chunk);
    settle(f);
    ship_sender_go_back(&f->sender, 0);
    assert_true(ship_sender_step(&f->sender, 0, f->now_ms));
    ship_sending first;
    assert_true(ship_window_take_due(&f->window, f->now_ms, &first));
    answer(f, &first);
    assert_string_equal(f->again, "0 ");
    while (ship_sender_step(&f->sender, 0, f->now_ms)) { // and none of it is sent
    }
    assert_int_equal(ship_window_find_lowest(&f->window), 0);
    f->again[0] = '\0';
    f->jfr_bytes = f->records = 0;
    f->lacking_chunk = 1 + 1;
    ship_window_note_moved(&f->window, f->now_ms);
    for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
        answer(f, &next); // to Hello
    }
    step(f);
    assert_int_equal(f->records, 0); // of those that were under way
    settle(f);
    assert_string_equal(f->again, "0 1 ");
    assert_int_equal(f->not_resent, 0);
}

// Chunks come again and are on their way when the collector is left; the next one asks for the same
// ones, which have not begun again once more. They come once, from the first on.
static void
test_what_was_on_its_way_comes_again_once(void **state)
{
    fixture *f = *state;
    ship_sending sent[SHIP_WINDOW_BATCHES_MAX];
    settle(f);
    for (unsigned i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) {
        chunk_writer chunk = begin(f, i); // without records: all are kept
        chunk_writer_append(&chunk, 1000);
        chunk_writer_finish(&chunk);
        settle(f);
    }
    ship_sender_go_back(&f->sender, 0);
    for (size_t i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) {
        assert_true(ship_sender_step(&f->sender, 0, f->now_ms));
        assert_true(ship_window_take_due(&f->window, f->now_ms, &sent[i]));
    }
    ship_sender_go_back(&f->sender, 0);
    assert_false(ship_sender_step(&f->sender, 0, f->now_ms));
    for (size_t i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) {
        ship_window_note_dropped(&f->window, sent[i].slot, f->now_ms);
    }
    ship_window_note_moved(&f->window, f->now_ms);
    f->lacking_chunk = 1 + 0;
    settle(f);
    assert_string_equal(f->again, "0 1 2 3 4 5 6 ");
    assert_int_equal(f->not_resent, 0);
}

// It asks for all there is, again and again: that comes to what is allowed, and the rest when it
// is.
static void
test_chunks_are_sent_again_so_often_only(void **state)
{
    fixture *f = *state;
    settle(f);
    chunk_writer chunk = begin(f, 0);
    flush(f, &chunk);
    int64_t times = 0;
    for (int i = 0; i < 5000; i++) {
        f->again[0] = '\0';
        ship_sender_go_back(&f->sender, 0);
        step_after(f, 0);
        step_after(f, 0);
        times += f->again[0] != '\0';
    }
    int64_t size = (64 << 10) + (int64_t)chunk.published; // and its records
    assert_in_range(times, 800, SHIP_SENDER_AGAIN.at_once / size + 1);
    assert_int_equal(f->sender.again.reached_count, 1);
    f->again[0] = '\0';
    settle(f);
    assert_string_equal(f->again, "0 "); // what it asked for last
    assert_int_equal(f->not_resent, 0);
    (void)close(chunk.fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_chunk_that_is_whole_begins_again),
        TEST(test_a_chunk_that_is_not_whole_is_not_kept),
        TEST(test_what_is_durable_is_not_kept_but_the_current_chunk),
        TEST(test_chunks_that_never_are_durable_are_forgotten),
        TEST(test_what_comes_again_is_not_left_out),
        TEST(test_what_was_under_way_comes_again_from_its_begin),
        TEST(test_what_was_on_its_way_comes_again_once),
        TEST(test_chunks_are_sent_again_so_often_only),
    };
    registry = ctx_registry_create();
    assert_non_null(registry);
    return cmocka_run_group_tests_name("ship_sender", tests, NULL, NULL);
}
