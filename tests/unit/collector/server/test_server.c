// SPDX-License-Identifier: Apache-2.0

// The collector over a real connection: every batch that was acknowledged is in the result once,
// whatever comes twice, out of order, or around a restart; and what is wrong is refused.
//
// The result is looked at in the compacted chunks, by the numbers of their events.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "collector/server/agent_protocol.h"
#include "collector/server/session.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    OK = LOUPE__WIRE__REPLY__STATUS__OK,
    UNKNOWN_SESSION = LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION,
    REFUSED = LOUPE__WIRE__REPLY__STATUS__REFUSED,
    BUSY = LOUPE__WIRE__REPLY__STATUS__BUSY,
    NUMBERS_MAX = 4000,
};

static const int64_t START_NS = 1700000000000000000;
static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    collector_rig rig;
    wire_client client;
    char id[33];
    tick_chunk ticks;  // the chunk that is being sent
    uint32_t chunk;    // its ordinal
    size_t sent;       // of its bytes
    uint64_t sequence; // of the next batch
    uint64_t number;   // of the next event
    unsigned counts[NUMBERS_MAX];
} fixture;

static int
set_up_without_server(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    tick_chunk_init(&f->ticks, START_NS);
    *state = f;
    return 0;
}

static void
connect_client(fixture *f)
{
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
}

static int
set_up(void **state)
{
    (void)set_up_without_server(state);
    fixture *f = *state;
    collector_rig_start(&f->rig);
    connect_client(f);
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    tick_chunk_fini(&f->ticks);
    free(f);
    return 0;
}

// next_piece adds count events to the chunk and makes the batch that carries them.
static wire_piece
next_piece(fixture *f, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tick_chunk_add(&f->ticks, f->number++);
    }
    wire_piece piece = {
        .sequence = f->sequence++,
        .chunk = f->chunk,
        .ticks = &f->ticks,
        .from = f->sent,
        .duration_ns = SECOND_NS,
    };
    f->sent = f->ticks.bytes.len;
    return piece;
}

static void
rotate(fixture *f)
{
    tick_chunk_fini(&f->ticks);
    f->chunk++;
    f->sent = 0;
    tick_chunk_init(&f->ticks, START_NS + f->chunk * SECOND_NS);
}

static void
send_ok(fixture *f, const wire_piece *piece)
{
    wire_answer answer = wire_client_send(&f->client, piece);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
}

static void
hello_ok(fixture *f, uint64_t next_sequence)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.version, WIRE_VERSION);
    assert_int_equal(answer.next_sequence, next_sequence);
}

// assert_each_once checks that events 0 to number - 1 were counted once each.
static void
assert_each_once(const fixture *f)
{
    for (uint64_t i = 0; i < f->number; i++) {
        if (f->counts[i] != 1) {
            fail_msg(
                "event %u of %u is there %u times", (unsigned)i, (unsigned)f->number, f->counts[i]);
        }
    }
}

static void
copy_losses(void *arg, const catalog_session *row)
{
    memcpy(arg, row->losses, sizeof(row->losses));
}

// assert_lost expects that the catalog has so much of one loss, and none of the others.
static void
assert_lost(const fixture *f, catalog_loss loss, uint64_t amount)
{
    uint64_t losses[CATALOG_LOSS_COUNT];
    char path[300];
    catalog *reader;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &reader, NULL), LP_OK);
    assert_int_equal(catalog_find(reader, f->id, copy_losses, losses), LP_OK);
    catalog_close(reader);
    for (catalog_loss i = 0; i < CATALOG_LOSS_COUNT; i++) {
        if (losses[i] != (i == loss ? amount : 0)) {
            fail_msg("%s: %u", catalog_loss_name(i), (unsigned)losses[i]);
        }
    }
}

// end_and_check sends the last batch and checks that all is in the compacted chunks.
static void
end_and_check(fixture *f)
{
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    uint32_t chunk_count = f->sent > 0 ? f->chunk + 1 : f->chunk; // an empty one is none
    send_ok(f, &last);
    collector_rig_await(&f->rig, f->id, chunk_count, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, chunk_count, f->counts, NUMBERS_MAX), 0);
    assert_each_once(f);
}

static void
test_a_session_is_compacted_when_it_ends(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    for (int i = 0; i < 10; i++) {
        wire_piece piece = next_piece(f, 5);
        send_ok(f, &piece);
        if (i % 3 == 2) {
            rotate(f);
        }
    }
    end_and_check(f);
}

static void
test_a_chunk_is_compacted_once_its_successor_is_long_enough(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 3);
    send_ok(f, &piece);
    rotate(f);
    piece = next_piece(f, 3);
    piece.duration_ns = SESSION_LOOK_AHEAD_NS - 1;
    send_ok(f, &piece);
    snapshot *before = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(before->next_chunk, 0);
    snapshot_unref(before);

    piece = next_piece(f, 3);
    piece.duration_ns = SESSION_LOOK_AHEAD_NS;
    send_ok(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, false);
    end_and_check(f);
}

static void
test_a_batch_that_comes_again_counts_once(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    for (int i = 0; i < 5; i++) {
        wire_piece piece = next_piece(f, 4);
        for (int again = 0; again < 3; again++) {
            wire_answer answer = wire_client_send(&f->client, &piece);
            assert_int_equal(answer.status, OK);
            assert_int_equal(answer.next_sequence, i + 1);
        }
    }
    end_and_check(f);
}

// start_big sends a batch with a payload that nobody looks into before it is compacted.
static wire_pending
start_big(wire_client *client, uint64_t sequence, const lp_buf *payload)
{
    lp_buf packed = {0};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(client->session), client->session};
    batch.sequence = sequence;
    batch.jfr_zstd = (ProtobufCBinaryData){payload->len, payload->ptr};
    batch.jfr_size = 1;
    wire_client_pack_batch(&batch, &packed);
    wire_pending pending = wire_client_start(client, packed.ptr, packed.len);
    lp_buf_fini(&packed);
    return pending;
}

static void
test_batches_out_of_order_are_put_in_order(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    lp_buf messages[WIRE_WINDOW_MAX] = {{0}};
    wire_pending pending[WIRE_WINDOW_MAX];
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        wire_piece piece = next_piece(f, 7);
        wire_client_pack(&f->client, &piece, &messages[i]);
    }
    for (size_t i = WIRE_WINDOW_MAX; i-- > 0;) { // the last first
        pending[i] = wire_client_start(&f->client, messages[i].ptr, messages[i].len);
    }
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        assert_int_equal(wire_client_finish(&pending[i]).status, OK);
        lp_buf_fini(&messages[i]);
    }
    end_and_check(f);
}

// Agents that keep the collector waiting for a batch cannot have it keep all that come after.
static void
test_batches_that_came_early_have_a_limit(void **state)
{
    enum {
        BYTES = 1 << 20,
        EARLY_BYTES_MAX = MEMORY_PLAN_BYTES_LEAST / 16, // as the server of the tests has it
        SESSIONS = EARLY_BYTES_MAX / BYTES / (WIRE_WINDOW_MAX - 1) + 1
    };
    fixture *f = *state;
    wire_pending pending[SESSIONS][WIRE_WINDOW_MAX];
    lp_buf payload = {0};
    assert_non_null(lp_buf_extend(&payload, BYTES));
    memset(payload.ptr, 0, payload.len);
    for (size_t i = 0; i < SESSIONS; i++) {
        f->client.session[0] = (uint8_t)i;
        hello_ok(f, 0);
        for (uint64_t sequence = WIRE_WINDOW_MAX - 1; sequence > 0; sequence--) {
            pending[i][sequence] = start_big(&f->client, sequence, &payload);
        }
    }
    int busy_count = 0;
    wire_answer last = wire_client_finish(&pending[SESSIONS - 1][1]);
    assert_int_equal(last.status, BUSY);
    for (size_t i = 0; i < SESSIONS; i++) {
        f->client.session[0] = (uint8_t)i;
        pending[i][0] = start_big(&f->client, 0, &payload);
        for (size_t j = 0; j < WIRE_WINDOW_MAX; j++) {
            if (i < SESSIONS - 1 || j != 1) {
                busy_count += wire_client_finish(&pending[i][j]).status == BUSY;
            }
        }
    }
    // All but those that fill the limit, and more on a slow machine, where NNG sends them again.
    assert_true(busy_count + 1 >= SESSIONS * (WIRE_WINDOW_MAX - 1) - EARLY_BYTES_MAX / BYTES);
    lp_buf_fini(&payload);
}

static void
test_a_batch_far_ahead_asks_for_a_hello(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece ahead = {.sequence = WIRE_WINDOW_MAX};
    wire_answer answer = wire_client_send(&f->client, &ahead);
    assert_int_equal(answer.status, UNKNOWN_SESSION);
    assert_int_equal(answer.next_sequence, 0);

    // The agent says that what comes before was acknowledged, so it will never come: on from there.
    f->sequence = WIRE_WINDOW_MAX;
    uint64_t before = metrics_get(METRICS_losses_BATCHES_LOST);
    hello_ok(f, WIRE_WINDOW_MAX);
    assert_lost(f, CATALOG_LOSS_BATCHES_LOST, WIRE_WINDOW_MAX);
    hello_ok(f, WIRE_WINDOW_MAX); // again: it is counted already
    end_and_check(f);
    assert_lost(f, CATALOG_LOSS_BATCHES_LOST, WIRE_WINDOW_MAX);
    assert_int_equal(metrics_get(METRICS_losses_BATCHES_LOST) - before, WIRE_WINDOW_MAX);
}

static void
test_an_unknown_session_is_told_so(void **state)
{
    fixture *f = *state;
    wire_piece piece = next_piece(f, 1);
    assert_int_equal(wire_client_send(&f->client, &piece).status, UNKNOWN_SESSION);
    f->sequence = 0;
    hello_ok(f, 0);
    f->sequence = 1;
    send_ok(f, &piece);
    end_and_check(f);
}

static void
test_a_restart_between_any_two_batches_loses_nothing(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    for (int i = 0; i < 8; i++) {
        wire_piece piece = next_piece(f, 6);
        send_ok(f, &piece);
        collector_rig_stop(&f->rig);
        collector_rig_start(&f->rig);
        assert_int_equal(wire_client_send(&f->client, &piece).status, UNKNOWN_SESSION);
        hello_ok(f, f->sequence);
        send_ok(f, &piece); // a duplicate
        if (i % 3 == 1) {
            rotate(f);
        }
    }
    end_and_check(f);
}

static void
test_a_restart_after_the_last_batch_compacts_the_rest(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 6);
    send_ok(f, &piece);
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    send_ok(f, &last);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, NUMBERS_MAX), 0);
    assert_each_once(f);

    // The agent has not seen the answer: it asks again, and is told that all is there.
    hello_ok(f, f->sequence);
    send_ok(f, &last);
}

// put_before writes count bytes before those that the first journal of the session has.
static void
put_before(const fixture *f, const uint8_t *bytes, size_t count)
{
    char path[300];
    uint8_t rest[64 * 1024];
    (void)snprintf(path, sizeof(path), "%s/journal/%s/0.log", f->rig.dir.path, f->id);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    size_t size = fread(rest, 1, sizeof(rest), file);
    assert_true(size > 0 && size < sizeof(rest));
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fwrite(rest, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void
test_a_journal_whose_first_record_is_empty_is_recovered(void **state)
{
    static const uint8_t empty[] = {'L', 'P', 'J', '1', 0, 0, 0, 0, 0x1c, 0xdf, 0x44, 0x21};
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 6);
    send_ok(f, &piece);
    collector_rig_stop(&f->rig);
    put_before(f, empty, sizeof(empty));
    collector_rig_start(&f->rig);
    hello_ok(f, f->sequence);
    end_and_check(f);
}

// With the shortest idle limit the session may end between hello and batch: then it is once more,
// as an agent does it.
static void
hello_and_send(fixture *f, const wire_piece *piece)
{
    wire_answer answer;
    do {
        assert_int_equal(wire_client_hello(&f->client, piece->sequence).status, OK);
        answer = wire_client_send(&f->client, piece);
    } while (answer.status == UNKNOWN_SESSION);
    assert_int_equal(answer.status, OK);
}

static void
test_a_silent_session_ends(void **state)
{
    fixture *f = *state;
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    connect_client(f);
    wire_piece piece = next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, NUMBERS_MAX), 0);
    assert_each_once(f);
}

static void
remember(void *arg, const catalog_session *row)
{
    *(catalog_ended *)arg = row->ended_how;
}

static catalog_ended
ended_how(const fixture *f)
{
    char path[300];
    catalog *opened;
    catalog_ended how;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &opened, NULL), LP_OK);
    assert_int_equal(catalog_find(opened, f->id, remember, &how), LP_OK);
    catalog_close(opened);
    return how;
}

// Its JVM was suspended, or its network away, for longer than the idle limit: the rest of its chunk
// is not late, whether it comes over the same connection or another.
static void
test_a_session_that_timed_out_goes_on_without_a_loss(void **state)
{
    fixture *f = *state;
    f->rig.idle_ms_max = 1;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    collector_rig_start(&f->rig);
    connect_client(f);
    hello_ok(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = next_piece(f, 6);
        send_ok(f, &piece);
        collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_TIMED_OUT);
    }
    collector_rig_stop(&f->rig); // the next collector knows as much
    assert_int_equal(ended_how(f), CATALOG_ENDED_TIMED_OUT);
    collector_rig_start(&f->rig);
    hello_ok(f, f->sequence);
    wire_piece piece = next_piece(f, 6);
    send_ok(f, &piece);
    end_and_check(f);
    assert_int_equal(ended_how(f), CATALOG_ENDED_CLOSED);
}

static void
test_a_session_whose_connection_is_gone_counts_as_killed(void **state)
{
    fixture *f = *state;
    f->rig.killed_ms_max = 0;
    f->rig.linger_ms_max = SERVER_LINGER_MS_MAX;
    f->rig.presence = presence_create();
    collector_rig_start(&f->rig);
    connect_client(f);
    hello_ok(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = next_piece(f, 6);
        send_ok(f, &piece);
        assert_true(presence_has(f->rig.presence, f->id));
        assert_int_equal(ended_how(f), CATALOG_ENDED_UNKNOWN);
        wire_client_close(&f->client);
        collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_KILLED);
        assert_false(presence_has(f->rig.presence, f->id));
        connect_client(f); // it was not: it goes on
        hello_ok(f, f->sequence);
    }
    end_and_check(f);
    assert_int_equal(ended_how(f), CATALOG_ENDED_CLOSED);
    collector_rig_stop(&f->rig);
    presence_destroy(f->rig.presence);
}

// An agent that was cut off for longer than the idle limit comes back with the rest of its chunk.
static void
test_a_session_that_ended_in_silence_goes_on(void **state)
{
    fixture *f = *state;
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    connect_client(f);
    wire_piece piece = next_piece(f, 6);
    hello_and_send(f, &piece);
    collector_rig_await(&f->rig, f->id, 1, true);
    collector_rig_stop(&f->rig);
    f->rig.idle_ms_max = SERVER_IDLE_MS_MAX;
    collector_rig_start(&f->rig);

    hello_ok(f, f->sequence);
    uint64_t late_before = metrics_get(METRICS_batches_late);
    uint64_t number = f->number;
    piece = next_piece(f, 6); // of chunk 0, which is compacted: its events are put aside
    send_ok(f, &piece);
    assert_int_equal(metrics_get(METRICS_batches_late) - late_before, 1);
    f->number = number;
    rotate(f);
    piece = next_piece(f, 6);
    send_ok(f, &piece);
    end_and_check(f);
    assert_lost(f, CATALOG_LOSS_BATCHES_LATE, 1);
    tick_losses told = {0}; // in the next chunk, and only there
    collector_rig_list_losses(&f->rig, f->id, &told);
    assert_int_equal(told.count, 1);
    assert_string_equal(told.items[0].kind, "batches_late");
    assert_int_equal(told.items[0].amount, 1);
}

// As where the data directory is another one: what came before is not there.
static void
test_batches_that_another_collector_had_are_lost_here(void **state)
{
    fixture *f = *state;
    f->sequence = 5;
    hello_ok(f, 5);
    end_and_check(f);
    assert_lost(f, CATALOG_LOSS_BATCHES_LOST, 5);
}

static void
test_a_session_without_events_ends(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece last = {.is_last = true};
    send_ok(f, &last);
    collector_rig_await(&f->rig, f->id, 0, true);
}

static void
test_a_snapshot_follows_what_is_compacted(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    for (int i = 0; i < 12; i++) {
        wire_piece piece = next_piece(f, 5);
        send_ok(f, &piece);
        if (i % 3 == 2) {
            rotate(f);
        }
        memset(f->counts, 0, sizeof(f->counts));
        snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
        assert_int_equal(taken->err, LP_OK);
        assert_int_equal(
            collector_rig_count(&f->rig, f->id, taken->next_chunk, f->counts, NUMBERS_MAX), 0);
        assert_int_equal(collector_rig_count_pending(taken, f->counts, NUMBERS_MAX), 0);
        assert_each_once(f);
        snapshot_unref(taken);
    }
    memset(f->counts, 0, sizeof(f->counts));
    end_and_check(f);
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(taken->next_chunk, f->chunk);
    assert_int_equal(taken->chunks.count, 0);
    assert_int_equal(taken->totals.events_out, f->number);
    snapshot_unref(taken);

    taken = collector_rig_snapshot(&f->rig, "00000000000000000000000000000000", SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_ENOENT);
    snapshot_unref(taken);
}

static size_t
count_files(const char *parent, const char *name)
{
    char path[300];
    size_t count = 0;
    (void)snprintf(path, sizeof(path), "%s/%s", parent, name);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(dir);
    return count;
}

static void
test_a_damaged_chunk_does_not_stop_its_session(void **state)
{
    fixture *f = *state;
    uint64_t damaged_before = metrics_get(METRICS_chunks_damaged);
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 5);
    send_ok(f, &piece);
    rotate(f);

    // A chunk whose first event says that it has no size.
    tick_chunk broken;
    tick_chunk_init(&broken, START_NS + SECOND_NS);
    memset(broken.bytes.ptr + TICK_HEADER_BYTES, 0, 8);
    wire_piece bad = {.sequence = f->sequence++, .chunk = f->chunk, .ticks = &broken};
    send_ok(f, &bad);
    tick_chunk_fini(&broken);
    rotate(f);

    piece = next_piece(f, 5);
    send_ok(f, &piece);
    end_and_check(f);
    assert_int_equal(metrics_get(METRICS_chunks_damaged) - damaged_before, 1);
    assert_lost(f, CATALOG_LOSS_CHUNKS_UNREADABLE, 1);
    collector_rig_stop(&f->rig); // the catalog knows of a chunk before its journal goes
    assert_int_equal(count_files(f->rig.dir.path, "damaged"), 1);
    assert_int_equal(count_files(f->rig.dir.path, "journal"), 0);
    collector_rig_start(&f->rig);
}

// As after a step back to an older collector, which cannot read what the newer one wrote.
static void
test_a_carry_over_that_cannot_be_read_costs_no_events(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    for (int i = 0; i < 2; i++) {
        wire_piece piece = next_piece(f, 5);
        piece.duration_ns = SESSION_LOOK_AHEAD_NS;
        send_ok(f, &piece);
        if (i == 0) {
            rotate(f);
        }
    }
    collector_rig_await(&f->rig, f->id, 1, false);
    collector_rig_stop(&f->rig);
    char path[300];
    sqlite3 *db;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE carry SET bytes = 'of tomorrow'", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);

    collector_rig_start(&f->rig);
    hello_ok(f, f->sequence);
    snapshot *taken = collector_rig_snapshot(&f->rig, f->id, SNAPSHOT_JFR);
    assert_int_equal(taken->err, LP_OK);
    assert_int_equal(collector_rig_count_pending(taken, f->counts, NUMBERS_MAX), 0);
    snapshot_unref(taken);
    assert_int_equal(f->counts[f->number - 1], 1);
    memset(f->counts, 0, sizeof(f->counts));
    end_and_check(f);
    assert_lost(f, CATALOG_LOSS_CARRIES_LOST, 1);
}

// Of an agent of the version before nobody knows where an event begins in the batch behind a gap:
// it goes up to the next header.
static void
test_what_is_before_and_behind_a_gap_is_used(void **state)
{
    fixture *f = *state;
    for (int has_begin = 0; has_begin < 2; has_begin++) {
        f->client.session[0] = (uint8_t)has_begin;
        wire_client_id(&f->client, f->id);
        f->sequence = 0;
        hello_ok(f, 0);
        uint64_t first = f->number;
        size_t begin[5]; // of the batches: the second does not come
        for (size_t i = 0; i < 5; i++) {
            wire_piece piece = next_piece(f, 5);
            begin[i] = piece.from;
            piece.begins_event = has_begin != 0;
            f->sequence -= i == 1 ? 1 : 0;
            if (i != 1) {
                send_ok(f, &piece);
            }
        }
        const wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
        send_ok(f, &last);
        collector_rig_await(&f->rig, f->id, 1, true);
        memset(f->counts, 0, sizeof(f->counts));
        assert_int_equal(collector_rig_count(&f->rig, f->id, 1, f->counts, NUMBERS_MAX), 0);
        uint64_t lost_end = has_begin ? 10 : 15;
        for (uint64_t i = 0; i < 25; i++) {
            assert_int_equal(f->counts[first + i], i < 5 || i >= lost_end);
        }
        assert_lost(f, CATALOG_LOSS_GAP_BYTES, begin[has_begin ? 2 : 3] - begin[1]);
        tick_chunk_fini(&f->ticks);
        tick_chunk_init(&f->ticks, START_NS);
        f->sent = 0;
    }
}

static void
test_garbage_is_refused(void **state)
{
    fixture *f = *state;
    uint8_t noise[300];
    uint32_t seed = 1;
    for (size_t size = 0; size < sizeof(noise); size++) {
        seed = seed * 1664525 + 1013904223;
        noise[size] = (uint8_t)(seed >> 24);
        assert_int_equal(wire_client_ask(&f->client, noise, size).status, REFUSED);
    }
    // A good message, cut off anywhere or with any byte changed, is answered somehow.
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 1);
    lp_buf message = {0};
    wire_client_pack(&f->client, &piece, &message);
    for (size_t i = 0; i < message.len; i++) {
        assert_int_equal(wire_client_ask(&f->client, message.ptr, i).status, REFUSED);
    }
    lp_buf_fini(&message);
    send_ok(f, &piece);
    end_and_check(f);
}

static wire_answer
ask(fixture *f, Loupe__Wire__Request *request)
{
    lp_buf bytes = {0};
    uint8_t *at = lp_buf_extend(&bytes, loupe__wire__request__get_packed_size(request));
    assert_non_null(at);
    (void)loupe__wire__request__pack(request, at);
    wire_answer answer = wire_client_ask(&f->client, bytes.ptr, bytes.len);
    lp_buf_fini(&bytes);
    return answer;
}

static void
test_other_versions_are_refused(void **state)
{
    fixture *f = *state;
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = 77;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    wire_answer answer = ask(f, &request);
    assert_int_equal(answer.status, REFUSED);
    assert_string_equal(
        answer.message, "this collector speaks protocol version 2, the agent speaks 77");
}

static void
test_the_version_before_is_served(void **state)
{
    fixture *f = *state;
    f->client.version = WIRE_VERSION_MIN;
    wire_answer answer = wire_client_hello(&f->client, 0);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.version, WIRE_VERSION_MIN);
    uint64_t sequence = f->sequence;
    wire_piece piece = next_piece(f, 10);
    answer = wire_client_send(&f->client, &piece);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.version, WIRE_VERSION_MIN);
    assert_int_equal(answer.next_sequence, sequence + 1);
    end_and_check(f);
}

static void
test_wrong_fields_are_refused(void **state)
{
    fixture *f = *state;
    uint8_t id[WIRE_SESSION_BYTES] = {1};
    uint8_t bytes[100] = {0};
    char latin[] = "caf\xe9";
    char line[] = "two\nlines";
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    assert_int_equal(ask(f, &request).status, REFUSED); // no body

    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    hello.session = (ProtobufCBinaryData){sizeof(id) - 1, id};
    assert_int_equal(ask(f, &request).status, REFUSED);
    hello.session.len = sizeof(id);
    hello.service = latin;
    assert_int_equal(ask(f, &request).status, REFUSED);
    hello.service = line;
    assert_int_equal(ask(f, &request).status, REFUSED);
    line[3] = ' ';
    assert_int_equal(ask(f, &request).status, OK);

    Loupe__Wire__Batch good = LOUPE__WIRE__BATCH__INIT;
    good.session = hello.session;
    Loupe__Wire__Batch batch;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    batch = good;
    batch.session.len = 3;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.jfr_size = 1; // and no bytes
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.contexts_packed = (ProtobufCBinaryData){4, bytes}; // and no size
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch.contexts_size = WIRE_BULK_BYTES_MAX + 1;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    batch.chunk_header = (ProtobufCBinaryData){67, bytes};
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch = good;
    assert_int_equal(ask(f, &request).status, OK);
}

// Each of them takes 4 bytes of a message and much more than that of the collector's memory.
static void
test_more_filters_than_an_agent_keeps_are_refused(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    Loupe__Wire__ContextFilter filter = LOUPE__WIRE__CONTEXT_FILTER__INIT;
    Loupe__Wire__ContextFilter *filters[CTX_FILTERS_UNSENT_MAX + 1];
    for (size_t i = 0; i <= CTX_FILTERS_UNSENT_MAX; i++) {
        filters[i] = &filter;
    }
    filter.id = 1;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){WIRE_SESSION_BYTES, f->client.session};
    batch.context_filters = filters;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    batch.n_context_filters = CTX_FILTERS_UNSENT_MAX + 1;
    assert_int_equal(ask(f, &request).status, REFUSED);
    batch.n_context_filters = CTX_FILTERS_UNSENT_MAX;
    assert_int_equal(ask(f, &request).status, OK);
}

// What keeps a start from its end is found when the sessions of the run before are there already.
static void
test_a_start_that_fails_costs_nothing(void **state)
{
    fixture *f = *state;
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 6);
    send_ok(f, &piece);
    collector_rig_stop(&f->rig);
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/running.tmp", f->rig.dir.path);
    assert_int_equal(mkdir(path, 0700), 0); // where the mark of a run is written
    const server_config config = {
        .data_dir = f->rig.dir.path,
        .sync = SYNC_SECOND,
        .memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST),
    };
    server *failed = NULL;
    lp_problem problem;
    assert_int_equal(server_create(&config, &failed, &problem), LP_EIO);
    assert_null(failed);
    assert_int_equal(rmdir(path), 0);
    collector_rig_start(&f->rig);
    hello_ok(f, f->sequence);
    end_and_check(f);
}

static void
test_a_second_collector_on_the_same_directory_is_refused(void **state)
{
    const fixture *f = *state;
    const server_config config = {
        .agents_url = "tcp://127.0.0.1:0",
        .data_dir = f->rig.dir.path,
    };
    server *second;
    lp_problem problem;
    assert_int_equal(server_create(&config, &second, &problem), LP_ELIMIT);
    assert_non_null(strstr(problem.text, "another collector is running"));
}

// A limit on the size of files stands for a full disk.
static void
test_a_full_disk_puts_batches_off(void **state)
{
    fixture *f = *state;
    collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
    connect_client(f);
    hello_ok(f, 0);
    wire_piece piece = next_piece(f, 10);
    send_ok(f, &piece);

    struct rlimit before;
    struct rlimit full = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, NULL, &before), 0);
    full.rlim_max = before.rlim_max;
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, &full, NULL), 0);
    piece = next_piece(f, 10);
    for (int i = 0; i < 3; i++) {
        wire_answer answer = wire_client_send(&f->client, &piece);
        assert_int_equal(answer.status, BUSY);
        assert_int_equal(answer.next_sequence, 1);
    }
    assert_int_equal(prlimit(f->rig.pid, RLIMIT_FSIZE, &before, NULL), 0);
    send_ok(f, &piece);
    end_and_check(f);
}

// The real program is killed while a batch is on its way, again and again, and started again.
static void
test_killed_in_mid_stream_it_loses_nothing(void **state)
{
    fixture *f = *state;
    collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
    connect_client(f);
    hello_ok(f, 0);
    for (int kills = 0; kills < 12; kills++) {
        for (int i = 0; i < 5 + kills; i++) {
            wire_piece piece = next_piece(f, 8);
            send_ok(f, &piece);
        }
        if (kills % 4 == 3) {
            rotate(f);
        }
        wire_piece piece = next_piece(f, 8);
        piece.duration_ns = SESSION_LOOK_AHEAD_NS; // the chunk before is compacted while we kill
        lp_buf message = {0};
        wire_client_pack(&f->client, &piece, &message);
        wire_pending pending = wire_client_start(&f->client, message.ptr, message.len);
        int status = collector_rig_signal(&f->rig, SIGKILL);
        assert_true(WIFSIGNALED(status));
        collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
        wire_answer answer = wire_client_finish(&pending); // resent, if it did not get through
        if (answer.status != OK) {
            assert_int_equal(answer.status, UNKNOWN_SESSION);
            wire_answer hello = wire_client_hello(&f->client, piece.sequence);
            assert_int_equal(hello.status, OK);
            assert_true(
                hello.next_sequence == piece.sequence || hello.next_sequence == piece.sequence + 1);
            send_ok(f, &piece);
        } else {
            hello_ok(f, f->sequence);
        }
        lp_buf_fini(&message);
    }
    end_and_check(f);
    int status = collector_rig_signal(&f->rig, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SERVER(test_a_session_is_compacted_when_it_ends),
        WITH_SERVER(test_a_chunk_is_compacted_once_its_successor_is_long_enough),
        WITH_SERVER(test_a_batch_that_comes_again_counts_once),
        WITH_SERVER(test_batches_out_of_order_are_put_in_order),
        WITH_SERVER(test_batches_that_came_early_have_a_limit),
        WITH_SERVER(test_a_batch_far_ahead_asks_for_a_hello),
        WITH_SERVER(test_batches_that_another_collector_had_are_lost_here),
        WITH_SERVER(test_an_unknown_session_is_told_so),
        WITH_SERVER(test_a_restart_between_any_two_batches_loses_nothing),
        WITH_SERVER(test_a_restart_after_the_last_batch_compacts_the_rest),
        WITH_SERVER(test_a_journal_whose_first_record_is_empty_is_recovered),
        WITH_SERVER(test_a_session_without_events_ends),
        WITH_SERVER(test_a_snapshot_follows_what_is_compacted),
        WITH_SERVER(test_a_damaged_chunk_does_not_stop_its_session),
        WITH_SERVER(test_a_carry_over_that_cannot_be_read_costs_no_events),
        WITH_SERVER(test_what_is_before_and_behind_a_gap_is_used),
        WITH_SERVER(test_garbage_is_refused),
        WITH_SERVER(test_other_versions_are_refused),
        WITH_SERVER(test_the_version_before_is_served),
        WITH_SERVER(test_wrong_fields_are_refused),
        WITH_SERVER(test_more_filters_than_an_agent_keeps_are_refused),
        WITH_SERVER(test_a_start_that_fails_costs_nothing),
        WITH_SERVER(test_a_second_collector_on_the_same_directory_is_refused),
        cmocka_unit_test_setup_teardown(
            test_a_silent_session_ends, set_up_without_server, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_session_that_timed_out_goes_on_without_a_loss, set_up_without_server, tear_down),
        cmocka_unit_test_setup_teardown(test_a_session_whose_connection_is_gone_counts_as_killed,
            set_up_without_server, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_session_that_ended_in_silence_goes_on, set_up_without_server, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_full_disk_puts_batches_off, set_up_without_server, tear_down),
        cmocka_unit_test_setup_teardown(
            test_killed_in_mid_stream_it_loses_nothing, set_up_without_server, tear_down),
    };
    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
