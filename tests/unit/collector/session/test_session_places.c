// SPDX-License-Identifier: Apache-2.0
// Who says Hello more often than may be, for sessions in which nothing follows, keeps nobody else
// out: an address has half of the places, and begins so many sessions a second; and where places
// are taken, the oldest session without a batch gives its own. One that has a batch never does.

#include "fuzz/fuzz_collector.h"
#include "fuzz/fuzz_rounds.h"

#include "collector/base/metrics.h"
#include "collector/intake/journal_sink.h"
#include "collector/keep/retention.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <uv.h>

#include <cmocka.h>

enum {
    ATTACKER = 1,
    HONEST = 2,
    OK = LOUPE__WIRE__REPLY__STATUS__OK,
    BUSY = LOUPE__WIRE__REPLY__STATUS__BUSY,
    NONE = -1
};

// Of the token of all Hellos.
#define HASH "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"

// --- The socket, of which the test is the other side

struct agent_socket_request {
    lp_buf bytes;
    uint64_t peer;
    int status;    // of the answer
    bool has_left; // its sender has ended the connection
};

lp_slice
agent_socket_get_bytes(const agent_socket_request *request)
{
    return lp_buf_slice(&request->bytes);
}

size_t
agent_socket_get_taken_bytes(const agent_socket *socket)
{
    (void)socket;
    return 0;
}

uint64_t
agent_socket_get_connection(const agent_socket_request *request)
{
    return request->peer;
}

uint64_t
agent_socket_get_peer(const agent_socket_request *request)
{
    return request->peer;
}

bool
agent_socket_is_sender_there(const agent_socket_request *request)
{
    return !request->has_left;
}

const char *
agent_socket_get_peer_name(const agent_socket_request *request)
{
    (void)request;
    return NULL;
}

bool
agent_socket_is_connected(const agent_socket *socket, uint64_t connection)
{
    (void)socket;
    (void)connection;
    return true;
}

void
agent_socket_drop(agent_socket_request *request)
{
    (void)request;
}

void
agent_socket_forget_bytes(agent_socket_request *request)
{
    (void)request;
}

void
agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply)
{
    (void)socket;
    Loupe__Wire__Reply *message = loupe__wire__reply__unpack(NULL, reply.len, reply.ptr);
    assert_non_null(message);
    request->status = (int)message->status;
    loupe__wire__reply__free_unpacked(message, NULL);
}

// --- The collector

typedef struct fixture {
    fuzz_collector c;
    uv_loop_t loop;
    blobs *files;
    sync_rounds *rounds;
    retention *kept;
    disk_reserve reserve;
    day_quotas *quotas;
    agent_protocol protocol;
    journal_sink journals;
    uint64_t now_ms;
    bool is_keeping; // the catalog takes no ends
} fixture;

static void
on_batch(void *arg, session *s)
{
    fixture *f = arg;
    if (session_has_ended(s) && !f->is_keeping) {
        assert_int_equal(s->row.next_sequence, 0);
        sessions_drop(f->c.sessions, s);
    }
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->c = fuzz_collector_begin();
    f->rounds = fuzz_rounds_make(&f->c, &f->loop, &f->files);
    f->c.sessions->rounds = f->rounds;
    const retention_config keep_all = {.dir = f->c.dir,
        .catalog = f->c.catalog,
        .blobs = f->files,
        .sessions = f->c.sessions,
        .rounds = f->rounds};
    assert_int_equal(retention_create(&keep_all, &f->kept), LP_OK);
    f->reserve = (disk_reserve){.path = fuzz_collector_root.path};
    assert_int_equal(day_quotas_create(f->c.catalog, NULL, 0, &f->quotas), LP_OK);
    f->protocol = (agent_protocol){.rounds = f->rounds, .retention = f->kept, .quotas = f->quotas};
    f->journals = (journal_sink){.sessions = f->c.sessions,
        .rounds = f->rounds,
        .reserve = &f->reserve,
        .on_batch = on_batch,
        .arg = f};
    journal_sink_bind(&f->journals, &f->protocol);
    f->now_ms = 1000000;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    agent_protocol_fini(&f->protocol);
    access_file_close(f->protocol.access);
    day_quotas_destroy(f->quotas);
    retention_destroy(f->kept);
    sync_rounds_stop(f->rounds);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    sync_rounds_destroy(f->rounds);
    fuzz_collector_end(&f->c);
    blobs_close(f->files);
    (void)uv_loop_close(&f->loop);
    free(f);
    return 0;
}

// send_it has the collector take a request, which may be answered later; asked is the caller's.
static void
send_it(fixture *f, agent_socket_request *asked, Loupe__Wire__Request *request)
{
    asked->status = NONE;
    request->version = WIRE_VERSION;
    uint8_t *bytes = lp_buf_extend(&asked->bytes, loupe__wire__request__get_packed_size(request));
    assert_non_null(bytes);
    (void)loupe__wire__request__pack(request, bytes);
    agent_protocol_handle(&f->protocol, asked, f->now_ms);
}

static int
hello_of(fixture *f, agent_socket_request *asked, uint32_t number)
{
    uint8_t id[WIRE_SESSION_BYTES] = {0};
    memcpy(id, &number, sizeof(number));
    uint8_t token[] = "0123456789abcdef";
    Loupe__Wire__Hello message = LOUPE__WIRE__HELLO__INIT;
    message.session = (ProtobufCBinaryData){sizeof(id), id};
    message.token = (ProtobufCBinaryData){sizeof(token) - 1, token};
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &message;
    send_it(f, asked, &request);
    lp_buf_fini(&asked->bytes);
    return asked->status;
}

static int
hello(fixture *f, uint64_t peer, uint32_t number)
{
    agent_socket_request asked = {.peer = peer};
    return hello_of(f, &asked, number);
}

static void
send_batch(fixture *f, agent_socket_request *asked, uint32_t number, uint64_t sequence)
{
    uint8_t id[WIRE_SESSION_BYTES] = {0};
    memcpy(id, &number, sizeof(number));
    Loupe__Wire__Batch message = LOUPE__WIRE__BATCH__INIT;
    message.session = (ProtobufCBinaryData){sizeof(id), id};
    message.sequence = sequence;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &message;
    send_it(f, asked, &request);
}

static int
batch(fixture *f, uint64_t peer, uint32_t number, uint64_t sequence)
{
    agent_socket_request asked = {.peer = peer};
    send_batch(f, &asked, number, sequence);
    lp_buf_fini(&asked.bytes);
    return asked.status;
}

// fill puts count sessions of a peer into memory, as their Hellos would; with_batches as if some
// came.
static void
fill(fixture *f, uint64_t peer, uint32_t from, size_t count, bool with_batches)
{
    char empty[] = "";
    const uint64_t holders[2] = {peer, PEERS_NONE};
    for (size_t i = 0; i < count; i++) {
        catalog_session row = {.service = empty,
            .instance = empty,
            .jvm_name = empty,
            .jvm_version = empty,
            .next_sequence = with_batches ? 1 : 0};
        session *s;
        (void)snprintf(row.id, sizeof(row.id), "%024x%08zx", 0xffffffff, from + i);
        assert_int_equal(sessions_add(f->c.sessions, &row, &s), LP_OK);
        s->begun_ms = f->now_ms;
        sessions_set_holders(f->c.sessions, s, holders);
    }
}

static session *
find_filled(fixture *f, uint32_t number)
{
    char id[CATALOG_ID_CHARS + 1];
    (void)snprintf(id, sizeof(id), "%024x%08x", 0xffffffff, number);
    return sessions_find(f->c.sessions, id);
}

static void
test_an_address_has_half_of_the_places(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_put_off_peer);
    fill(f, ATTACKER, 0, SESSIONS_PEER_MAX, true);
    f->now_ms += 3600000;
    assert_int_equal(hello(f, ATTACKER, 1), BUSY);
    assert_int_equal(metrics_get(METRICS_sessions_put_off_peer), before + 1);
    assert_int_equal(hello(f, HONEST, 2), OK);
    assert_int_equal(batch(f, HONEST, 2, 0), OK);
}

// It was read after its sender had gone, to another collector perhaps.
static void
test_a_hello_of_one_who_has_gone_begins_nothing(void **state)
{
    fixture *f = *state;
    agent_socket_request asked = {.peer = HONEST, .has_left = true};
    assert_int_equal(hello_of(f, &asked, 1), BUSY);
    assert_int_equal(batch(f, HONEST, 1, 0), LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    assert_int_equal(hello(f, HONEST, 1), OK);
}

static void
test_an_address_has_as_many_places_as_is_said(void **state)
{
    fixture *f = *state;
    f->c.sessions->peers.held_max = SESSIONS_PEER_MAX + 1;
    fill(f, ATTACKER, 0, SESSIONS_PEER_MAX, true);
    assert_int_equal(hello(f, ATTACKER, 1), OK);
    assert_int_equal(batch(f, ATTACKER, 1, 0), OK);
    f->now_ms += 3600000;
    assert_int_equal(hello(f, ATTACKER, 2), BUSY);
    assert_int_equal(hello(f, HONEST, 3), OK);
}

static void
test_sessions_without_a_batch_make_room(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_evicted);
    fill(f, ATTACKER, 0, SESSIONS_PEER_MAX, false);
    fill(f, 3, SESSIONS_PEER_MAX, SESSIONS_MAX - SESSIONS_PEER_MAX - 1, false);
    assert_int_equal(hello(f, HONEST, 1), OK);
    assert_int_equal(batch(f, HONEST, 1, 0), OK);
    assert_int_equal(hello(f, HONEST, 2), BUSY); // all are as new as may be
    f->now_ms += SESSIONS_EMPTY_MS;
    for (uint32_t number = 2; number < 100; number++) {
        assert_int_equal(hello(f, HONEST, number), OK);
        assert_int_equal(batch(f, HONEST, number, 0), OK);
    }
    assert_int_equal(metrics_get(METRICS_sessions_evicted), before + 98);
    for (uint32_t number = 1; number < 100; number++) {
        assert_int_equal(batch(f, HONEST, number, 1), OK);
    }
}

// The agent of one that had to go says Hello again, as it would to a collector that was restarted.
static void
test_a_session_that_made_room_goes_on(void **state)
{
    fixture *f = *state;
    assert_int_equal(hello(f, HONEST, 1), OK);
    fill(f, ATTACKER, 0, SESSIONS_PEER_MAX, false);
    fill(f, 3, SESSIONS_PEER_MAX, SESSIONS_MAX - SESSIONS_PEER_MAX - 1, false);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 2), OK); // in place of the oldest
    assert_int_equal(batch(f, HONEST, 1, 0), LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    assert_int_equal(hello(f, HONEST, 1), OK);
    assert_int_equal(batch(f, HONEST, 1, 0), OK);
}

static void
test_an_address_begins_so_many_a_second(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_put_off_rate);
    for (size_t i = 0; i < SESSIONS_BEGUN_MAX; i++) {
        peers_note_begin(&f->c.sessions->peers, ATTACKER, f->now_ms);
    }
    uint32_t begun = 0;
    for (uint32_t ms = 1; ms <= 1000; ms++) {
        f->now_ms++;
        begun += hello(f, ATTACKER, 1 + ms) == OK ? 1 : 0;
    }
    assert_int_equal(begun, SESSIONS_BEGUN_PER_S);
    assert_true(metrics_get(METRICS_sessions_put_off_rate) > before);
    assert_int_equal(hello(f, HONEST, 1), OK);
}

// Sessions of others with batches, and one without before them all, are in nobody's way.
static void
test_sessions_with_batches_are_not_looked_at(void **state)
{
    enum { BUSY_ONES = SESSIONS_LOOKED_AT_MAX + 10, FIRST = 10 };
    fixture *f = *state;
    assert_int_equal(hello(f, 3, 1), OK);
    for (uint32_t number = FIRST; number < FIRST + BUSY_ONES; number++) {
        assert_int_equal(hello(f, HONEST, number), OK);
        assert_int_equal(batch(f, HONEST, number, 0), OK);
    }
    assert_int_equal(hello(f, 4, 2), OK);
    fill(f, 4, 0, SESSIONS_PEER_MAX - 1, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 3), OK);
    assert_int_equal(batch(f, 4, 2, 0), LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
}

static bool
is_never_waiting(const void *arg, const char *session_id)
{
    (void)arg;
    (void)session_id;
    return false;
}

// A Hello that is put off costs no more the more sessions there are.
static void
test_so_many_sessions_are_looked_at(void **state)
{
    fixture *f = *state;
    fill(f, 3, 0, SESSIONS_LOOKED_AT_MAX, false);
    assert_int_equal(hello(f, 4, 1), OK);
    fill(f, 4, SESSIONS_LOOKED_AT_MAX, SESSIONS_PEER_MAX - 1, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 2), BUSY);
    sessions_drop(
        f->c.sessions, sessions_find_empty(f->c.sessions, 3, f->now_ms, is_never_waiting, NULL));
    assert_int_equal(hello(f, 4, 2), OK);
}

// Where one limit has nobody who makes room, nobody has to go for another one.
static void
test_nobody_goes_in_vain(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_evicted);
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/tokens", fuzz_collector_root.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("team ingest * " HASH "\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(access_file_open(path, false, &f->protocol.access, NULL), LP_OK);
    fill(f, 4, 0, SESSIONS_PEER_MAX, false);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 2), OK); // in place of the oldest, with a token that may
    assert_int_equal(metrics_get(METRICS_sessions_evicted), before + 1);
    for (size_t i = 0; i < SESSIONS_BEGUN_MAX; i++) {
        peers_note_begin(&f->c.sessions->peers, peers_of_name("team"), f->now_ms);
    }
    assert_int_equal(hello(f, 4, 3), BUSY);
    assert_int_equal(metrics_get(METRICS_sessions_evicted), before + 1);
}

// The agent that is back has as long as a new one to send its first batch.
static void
test_a_session_that_is_back_is_not_old(void **state)
{
    fixture *f = *state;
    assert_int_equal(hello(f, HONEST, 1), OK);
    fill(f, ATTACKER, 0, SESSIONS_PEER_MAX, true);
    fill(f, 3, SESSIONS_PEER_MAX, SESSIONS_MAX - SESSIONS_PEER_MAX - 1, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 2), OK); // in place of the first
    assert_int_equal(batch(f, 4, 2, 0), OK);
    sessions_drop(f->c.sessions, find_filled(f, 0));
    assert_int_equal(hello(f, HONEST, 1), OK);
    assert_int_equal(hello(f, 4, 3), BUSY);
    assert_int_equal(batch(f, HONEST, 1, 0), OK);
}

static void
test_a_session_that_stays_is_not_counted(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_evicted);
    assert_int_equal(hello(f, 4, 1), OK);
    fill(f, 4, 0, SESSIONS_PEER_MAX - 1, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    f->is_keeping = true;
    assert_int_equal(hello(f, 4, 2), BUSY);
    assert_int_equal(metrics_get(METRICS_sessions_evicted), before);
    f->is_keeping = false;
    assert_int_equal(hello(f, 4, 2), OK);
    assert_int_equal(metrics_get(METRICS_sessions_evicted), before + 1);
}

static void
test_a_session_with_an_early_batch_stays(void **state)
{
    fixture *f = *state;
    agent_socket_request early = {.peer = 4};
    assert_int_equal(hello(f, 4, 1), OK);
    send_batch(f, &early, 1, 1);
    assert_int_equal(early.status, NONE);
    fill(f, 4, 0, SESSIONS_PEER_MAX - 1, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 2), BUSY);
    assert_int_equal(batch(f, 4, 1, 0), OK);
    assert_int_equal(early.status, OK);
    lp_buf_fini(&early.bytes);
}

// The window has so many batches: the last one of it waits, and none behind it.
static void
test_a_batch_that_is_a_window_ahead_is_not_held(void **state)
{
    fixture *f = *state;
    agent_socket_request early = {.peer = 4};
    assert_int_equal(hello(f, 4, 1), OK);
    send_batch(f, &early, 1, WIRE_WINDOW_MAX - 1);
    assert_int_equal(early.status, NONE);
    assert_int_equal(batch(f, 4, 1, WIRE_WINDOW_MAX), LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    assert_int_equal(
        batch(f, 4, 1, WIRE_SEQUENCE_MAX - 1), LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION);
    for (uint64_t i = 0; i < WIRE_WINDOW_MAX - 1; i++) {
        assert_int_equal(early.status, NONE);
        assert_int_equal(batch(f, 4, 1, i), OK);
    }
    assert_int_equal(early.status, OK);
    assert_int_equal(batch(f, 4, 1, 0), OK); // again
    lp_buf_fini(&early.bytes);
}

// A place goes with its session: a connection may begin any number of them.
static void
test_a_place_goes_with_its_session(void **state)
{
    fixture *f = *state;
    assert_int_equal(hello(f, 4, 1), OK);
    assert_int_equal(hello(f, 4, 2), OK);
    agent_protocol_look(&f->protocol, f->now_ms);
    assert_int_equal(f->protocol.places.all.count, 2);
    fill(f, 4, 2, SESSIONS_PEER_MAX - 2, true);
    f->now_ms += SESSIONS_EMPTY_MS;
    assert_int_equal(hello(f, 4, 3), OK); // the first one made room for it
    agent_protocol_look(&f->protocol, f->now_ms);
    assert_int_equal(f->protocol.places.all.count, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_an_address_has_half_of_the_places),
        TEST(test_a_hello_of_one_who_has_gone_begins_nothing),
        TEST(test_an_address_has_as_many_places_as_is_said),
        TEST(test_sessions_without_a_batch_make_room),
        TEST(test_a_session_that_made_room_goes_on),
        TEST(test_an_address_begins_so_many_a_second),
        TEST(test_sessions_with_batches_are_not_looked_at),
        TEST(test_so_many_sessions_are_looked_at),
        TEST(test_nobody_goes_in_vain),
        TEST(test_a_session_that_is_back_is_not_old),
        TEST(test_a_session_that_stays_is_not_counted),
        TEST(test_a_session_with_an_early_batch_stays),
        TEST(test_a_batch_that_is_a_window_ahead_is_not_held),
        TEST(test_a_place_goes_with_its_session),
    };
    return cmocka_run_group_tests_name("session_places", tests, NULL, NULL);
}
