// SPDX-License-Identifier: Apache-2.0

// Requests of agents arrive whole and in order, and answers go to their senders. Whatever a peer
// does is bounded by its limits and does not affect others: it may drop the connection at any
// moment, send garbage, never end a message, or not take answers.
//
// Peers are sockets of this thread, which also runs the loop, and NNG's REQ sockets.

#include "support/temp_dir.h"
#include "unit/collector/net/sp_client.h"

#include "collector/base/metrics.h"
#include "collector/net/agent_connection.h"
#include "collector/net/agent_socket.h"
#include "common/wire/wire.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { REQUESTS_MAX = 4096, ANSWER_BYTES = 13, INCOMING_BYTES_MAX = 64 << 20 };

typedef struct fixture {
    uv_loop_t loop;
    agent_socket *socket;
    char *url;
    agent_socket_request *requests[REQUESTS_MAX]; // that came, in this order
    size_t count;
} fixture;

static void
on_request(void *arg, agent_socket_request *request)
{
    fixture *f = arg;
    assert_true(f->count < REQUESTS_MAX);
    f->requests[f->count++] = request;
}

static void
listen_at(fixture *f, const char *url)
{
    const agent_socket_config config = {.loop = &f->loop,
        .url = url,
        .bytes_max = INCOMING_BYTES_MAX,
        .on_request = on_request,
        .arg = f};
    lp_problem problem;
    if (agent_socket_start(&config, &f->socket, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    free(f->url);
    f->url = strdup(agent_socket_get_url(f->socket));
    f->count = 0;
}

static void
drop_requests(fixture *f)
{
    for (size_t i = 0; i < f->count; i++) {
        agent_socket_drop(f->requests[i]);
    }
    f->count = 0;
}

static void
close_socket(fixture *f)
{
    agent_socket_close(f->socket);
    drop_requests(f);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    agent_socket_destroy(f->socket);
    f->socket = NULL;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(uv_loop_init(&f->loop), 0);
    listen_at(f, "tcp://127.0.0.1:0");
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    close_socket(f);
    assert_int_equal(metrics_get(METRICS_agent_connections), 0);
    assert_int_equal(metrics_get(METRICS_ingest_queue_bytes), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    free(f->url);
    free(f);
    return 0;
}

static int
greet(fixture *f)
{
    return sp_client_greet(&f->loop, f->url);
}

static void
ask(fixture *f, int fd, uint32_t id, uint8_t mark, size_t size_bytes)
{
    sp_client_ask(&f->loop, fd, id, mark, size_bytes);
}

static void
await_requests(fixture *f, size_t count)
{
    SP_CLIENT_AWAIT(&f->loop, f->count >= count);
    assert_int_equal(f->count, count);
}

// answer answers a request with one byte.
static void
answer(fixture *f, size_t request, uint8_t mark)
{
    agent_socket_answer(f->socket, f->requests[request], (lp_slice){&mark, 1});
    f->requests[request] = NULL;
}

static void
assert_answer(fixture *f, int fd, uint32_t id, uint8_t mark)
{
    uint8_t bytes[ANSWER_BYTES];
    const uint8_t wanted[ANSWER_BYTES] = {0, 0, 0, 0, 0, 0, 0, 5, (uint8_t)(id >> 24 | 0x80),
        (uint8_t)(id >> 16), (uint8_t)(id >> 8), (uint8_t)id, mark};
    assert_true(sp_client_receive(&f->loop, fd, bytes, sizeof(bytes)));
    assert_memory_equal(bytes, wanted, sizeof(wanted));
}

static atomic_bool has_no_memory; // for a connection; other threads have their own sizes

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *
__wrap_calloc(size_t count, size_t size)
{
    bool is_refused = atomic_load(&has_no_memory) && size == sizeof(agent_connection);
    return is_refused ? NULL : __real_calloc(count, size);
}

static void
test_a_connection_without_memory_is_counted(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_agent_connections_cut_no_memory);
    atomic_store(&has_no_memory, true);
    sp_client_await_end(&f->loop, sp_client_connect(f->url));
    atomic_store(&has_no_memory, false);
    assert_int_equal(metrics_get(METRICS_agent_connections_cut_no_memory), before + 1);
    assert_int_equal(metrics_get(METRICS_agent_connections), 0);
    (void)close(greet(f));
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

static void
test_answers_go_to_who_asked_in_any_order(void **state)
{
    fixture *f = *state;
    int first = greet(f);
    int second = greet(f);
    ask(f, first, 7, 'a', 3);
    ask(f, first, 8, 'b', 0);
    await_requests(f, 2);
    ask(f, second, 7, 'c', 100000);
    await_requests(f, 3);
    lp_slice bytes = agent_socket_get_bytes(f->requests[0]);
    assert_int_equal(bytes.len, 3);
    assert_memory_equal(bytes.ptr, "aaa", 3);
    assert_int_equal(agent_socket_get_bytes(f->requests[1]).len, 0);
    assert_int_equal(agent_socket_get_bytes(f->requests[2]).len, 100000);
    assert_int_equal(agent_socket_get_taken_bytes(f->socket), 7 + 4 + 100004);
    agent_socket_forget_bytes(f->requests[2]);
    assert_int_equal(agent_socket_get_taken_bytes(f->socket), 7 + 4);

    uint64_t connection = agent_socket_get_connection(f->requests[0]);
    assert_int_not_equal(connection, 0);
    assert_int_equal(connection, agent_socket_get_connection(f->requests[1]));
    assert_int_not_equal(connection, agent_socket_get_connection(f->requests[2]));
    answer(f, 2, 'z');
    answer(f, 1, 'y');
    answer(f, 0, 'x');
    assert_answer(f, second, 7, 'z');
    assert_answer(f, first, 8, 'y');
    assert_answer(f, first, 7, 'x');
    assert_int_equal(agent_socket_get_taken_bytes(f->socket), 0);
    f->count = 0;

    assert_true(agent_socket_is_connected(f->socket, connection));
    assert_int_equal(close(first), 0);
    SP_CLIENT_AWAIT(&f->loop, !agent_socket_is_connected(f->socket, connection));
    int third = greet(f); // replaces the first
    assert_false(agent_socket_is_connected(f->socket, connection));
    assert_int_equal(close(second), 0);
    assert_int_equal(close(third), 0);
}

// The end of the connection is not read yet.
static void
test_that_a_sender_has_gone_is_known_at_once(void **state)
{
    fixture *f = *state;
    int first = greet(f);
    int second = greet(f);
    ask(f, first, 7, 'a', 3);
    await_requests(f, 1);
    ask(f, second, 8, 'b', 3);
    await_requests(f, 2);
    assert_true(agent_socket_is_sender_there(f->requests[0]));
    assert_int_equal(close(first), 0);
    SP_CLIENT_AWAIT(&f->loop, !agent_socket_is_sender_there(f->requests[0]));
    assert_true(agent_socket_is_sender_there(f->requests[1]));
    answer(f, 0, 'x');
    answer(f, 1, 'y');
    assert_answer(f, second, 8, 'y');
    assert_int_equal(close(second), 0);
}

static void
test_a_request_that_comes_byte_by_byte(void **state)
{
    static const uint8_t message[] = {0, 0, 0, 0, 0, 0, 0, 6, 0x80, 0, 0, 9, 'h', 'i'};
    fixture *f = *state;
    int fd = sp_client_connect(f->url);
    for (size_t i = 0; i < sizeof(SP_CLIENT_GREETING); i++) {
        sp_client_send(&f->loop, fd, &SP_CLIENT_GREETING[i], 1);
        sp_client_turn(&f->loop);
    }
    for (size_t i = 0; i < sizeof(message); i++) {
        assert_int_equal(f->count, 0);
        sp_client_send(&f->loop, fd, &message[i], 1);
        sp_client_turn(&f->loop);
    }
    await_requests(f, 1);
    assert_memory_equal(agent_socket_get_bytes(f->requests[0]).ptr, "hi", 2);
    answer(f, 0, '!');
    f->count = 0;
    uint8_t greeting[8];
    assert_true(sp_client_receive(&f->loop, fd, greeting, sizeof(greeting)));
    assert_answer(f, fd, 9, '!');
    assert_int_equal(close(fd), 0);
}

static void
test_what_no_agent_says_ends_the_connection(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        metrics_id limit;
    } table[] = {
        {"GET / HTTP/1.1\r\n\r\n", 18, METRICS_agent_connections_cut_foreign},
        {"\0SP\0\0\x31\0\0", 8, METRICS_agent_connections_cut_foreign},       // a replier
        {"\x16\x03\x01\2\0\1\0\1", 8, METRICS_agent_connections_cut_foreign}, // TLS
        {"\0SP\0\0\x30\0\0\0\0\0\0\0\0\0\0", 16, METRICS_agent_connections_cut_foreign},
        {"\0SP\0\0\x30\0\0\0\0\0\0\0\0\0\4\0\0\0\0", 20, METRICS_agent_connections_cut_foreign},
        {"\0SP\0\0\x30\0\0\0\0\0\0\0\x40\0\x41", 16, METRICS_agent_connections_cut_message_large},
        {"\0SP\0\0\x30\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16,
            METRICS_agent_connections_cut_message_large},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        uint64_t before = metrics_get(table[i].limit);
        int fd = sp_client_connect(f->url);
        sp_client_send(&f->loop, fd, table[i].bytes, table[i].size);
        sp_client_await_end(&f->loop, fd);
        assert_int_equal(metrics_get(table[i].limit), before + 1);
    }
    assert_int_equal(f->count, 0);
    int fd = greet(f); // others are served
    ask(f, fd, 1, 'a', WIRE_MESSAGE_BYTES_MAX);
    await_requests(f, 1);
    assert_int_equal(agent_socket_get_bytes(f->requests[0]).len, WIRE_MESSAGE_BYTES_MAX);
    assert_int_equal(close(fd), 0);
}

static void
test_what_is_unanswered_has_a_limit(void **state)
{
    enum { MORE = 5 };
    fixture *f = *state;
    int fd = greet(f);
    int other = greet(f);
    for (uint32_t i = 0; i < AGENT_CONNECTION_UNANSWERED_MAX + MORE; i++) {
        ask(f, fd, i, 'a', 1);
    }
    await_requests(f, AGENT_CONNECTION_UNANSWERED_MAX);
    ask(f, other, 1, 'b', 1);
    await_requests(f, AGENT_CONNECTION_UNANSWERED_MAX + 1); // the other's, not the first's
    for (uint32_t i = 0; i < MORE; i++) {
        answer(f, i, (uint8_t)i);
        assert_answer(f, fd, i, (uint8_t)i);
        await_requests(f, AGENT_CONNECTION_UNANSWERED_MAX + 2 + i);
    }
    assert_int_equal(close(fd), 0);
    assert_int_equal(close(other), 0);
}

// announce sends the first bytes of a message, without running the loop.
static void
announce(fixture *f, int fd, uint32_t size_bytes)
{
    uint8_t bytes[] = {0, 0, 0, 0, (uint8_t)(size_bytes >> 24), (uint8_t)(size_bytes >> 16),
        (uint8_t)(size_bytes >> 8), (uint8_t)size_bytes, 0x80, 0, 0, 1, 'a'};
    sp_client_send(&f->loop, fd, bytes, sizeof(bytes));
}

// Connections that hold others up are closed within seconds, on a slow machine maybe before the
// test expects it.
static void
test_what_comes_in_has_a_limit_for_all(void **state)
{
    enum { SIZE = 4 << 20, COUNT = INCOMING_BYTES_MAX / SIZE, WAITING = 3 };
    fixture *f = *state;
    int fds[COUNT + WAITING];
    uint64_t full_before = metrics_get(METRICS_ingest_queue_full);
    uint64_t slow_before = metrics_get(METRICS_agent_connections_cut_message_slow);
    for (size_t i = 0; i < COUNT + WAITING; i++) {
        fds[i] = greet(f);
    }
    for (size_t i = 0; i < COUNT; i++) {
        announce(f, fds[i], SIZE);
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_ingest_queue_bytes) == INCOMING_BYTES_MAX);
    assert_int_equal(metrics_get(METRICS_ingest_queue_full), full_before);
    announce(f, fds[COUNT], 5);     // all of it, and there is no room
    announce(f, fds[COUNT + 1], 5); // behind that
    SP_CLIENT_AWAIT(
        &f->loop, metrics_get(METRICS_ingest_queue_full) == full_before + 2 ||
                      metrics_get(METRICS_agent_connections_cut_message_slow) > slow_before);
    assert_true(
        f->count == 0 || metrics_get(METRICS_agent_connections_cut_message_slow) > slow_before);
    sp_client_reset(fds[0]); // a message without end is closed, and the others arrive
    await_requests(f, 2);

    fds[0] = greet(f); // the room is full again
    announce(f, fds[0], SIZE);
    announce(f, fds[COUNT + 2], 5);
    await_requests(f, 3);
    SP_CLIENT_AWAIT(
        &f->loop, metrics_get(METRICS_agent_connections_cut_message_slow) > slow_before);
    for (size_t i = 0; i < COUNT + WAITING; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
}

static void
test_answers_that_are_not_taken_have_a_limit(void **state)
{
    enum { REQUESTS = AGENT_CONNECTION_UNANSWERED_MAX };
    fixture *f = *state;
    static uint8_t large[WIRE_REPLY_BYTES_MAX];
    int fd = greet(f);
    int other = greet(f);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        ask(f, fd, i, 'a', 1);
    }
    await_requests(f, REQUESTS);
    uint64_t before = metrics_get(METRICS_agent_connections_cut_answers_large);
    uint64_t connection = agent_socket_get_connection(f->requests[0]);
    size_t answered = 0;
    while (agent_socket_is_connected(f->socket, connection)) {
        assert_true(answered < REQUESTS);
        agent_socket_answer(f->socket, f->requests[answered++], (lp_slice){large, sizeof(large)});
    }
    assert_int_equal(metrics_get(METRICS_agent_connections_cut_answers_large), before + 1);
    for (; answered < REQUESTS; answered++) {
        answer(f, answered, 'x'); // to nobody
    }
    f->count = 0;
    ask(f, other, 1, 'b', 1);
    await_requests(f, 1);
    assert_int_equal(close(fd), 0);
    assert_int_equal(close(other), 0);
}

static void
test_answers_that_are_taken_slowly_are_whole(void **state)
{
    enum { BODY = 1 << 20, PREFIX = 12, PIECE = 4096 };
    fixture *f = *state;
    uint8_t *body = malloc(BODY);
    uint8_t *got = malloc(BODY + PREFIX);
    for (size_t i = 0; i < BODY; i++) {
        body[i] = (uint8_t)(i * 7 + i / 251);
    }
    int fd = greet(f);
    for (uint32_t i = 0; i < 2; i++) {
        ask(f, fd, i, 'a', 1);
    }
    await_requests(f, 2);
    for (size_t i = 0; i < 2; i++) {
        agent_socket_answer(f->socket, f->requests[i], (lp_slice){body, BODY});
    }
    f->count = 0;
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; at < BODY + PREFIX; at += PIECE) {
            size_t left = BODY + PREFIX - at;
            assert_true(
                sp_client_receive(&f->loop, fd, got + at, left < PIECE ? left : (size_t)PIECE));
        }
        assert_memory_equal(got + PREFIX, body, BODY);
    }
    ask(f, fd, 3, 'a', 1); // it is read from again
    await_requests(f, 1);
    assert_int_equal(close(fd), 0);
    free(body);
    free(got);
}

// Each connection has unanswered requests, and is dropped in the middle of a message.
static void
test_a_thousand_aborted_connections_leave_nothing(void **state)
{
    enum { CONNECTIONS = 1000, UNANSWERED = 3 };
    fixture *f = *state;
    static const uint8_t half[] = {0, 0, 0, 0, 0, 1, 0, 0, 0x80, 0, 0, 1, 'a', 'b'};
    sp_client_turn(&f->loop);
    size_t before = sp_client_count_descriptors();
    for (size_t i = 0; i < CONNECTIONS; i++) {
        int fd = greet(f);
        for (uint32_t id = 0; id < UNANSWERED; id++) {
            ask(f, fd, id, 'a', 100);
        }
        sp_client_send(&f->loop, fd, half, i % sizeof(half));
        await_requests(f, UNANSWERED);
        if (i % 2 == 0) { // before or while it is answered
            sp_client_reset(fd);
        }
        for (size_t id = 0; id < UNANSWERED; id++) {
            answer(f, id, 'x');
        }
        if (i % 2 == 1) {
            sp_client_reset(fd);
        }
        f->count = 0;
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
    sp_client_turn(&f->loop);
    assert_int_equal(sp_client_count_descriptors(), before);
    assert_int_equal(agent_socket_get_taken_bytes(f->socket), 0);
}

static void
test_the_last_answers_are_sent_when_it_stops(void **state)
{
    fixture *f = *state;
    int fd = greet(f);
    int stuck = greet(f); // takes nothing, and does not keep the collector
    static uint8_t large[WIRE_REPLY_BYTES_MAX];
    ask(f, fd, 1, 'a', 1);
    await_requests(f, 1);
    ask(f, stuck, 1, 'a', 1);
    ask(f, stuck, 2, 'a', 1);
    await_requests(f, 3);
    agent_socket_stop(f->socket);
    ask(f, fd, 2, 'a', 1);
    sp_client_turn(&f->loop);
    assert_int_equal(f->count, 3); // nothing more comes
    agent_socket_answer(f->socket, f->requests[1], (lp_slice){large, sizeof(large)});
    agent_socket_answer(f->socket, f->requests[2], (lp_slice){large, sizeof(large)});
    answer(f, 0, 'x');
    f->count = 0;
    assert_answer(f, fd, 1, 'x');
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(close(stuck), 0);
    assert_int_equal(close(fd), 0);
}

static void
test_a_unix_socket(void **state)
{
    fixture *f = *state;
    temp_dir dir = temp_dir_make();
    char url[300];
    (void)snprintf(url, sizeof(url), "ipc://%s/agents", dir.path);
    for (int i = 0; i < 2; i++) {
        close_socket(f);
        listen_at(f, url);
        assert_string_equal(f->url, url);
        int fd = greet(f);
        static const uint8_t request[] = {1, 0, 0, 0, 0, 0, 0, 0, 6, 0x80, 0, 0, 9, 'h', 'i'};
        static const uint8_t wanted[] = {1, 0, 0, 0, 0, 0, 0, 0, 5, 0x80, 0, 0, 9, '!'};
        uint8_t got[sizeof(wanted)];
        sp_client_send(&f->loop, fd, request, sizeof(request));
        await_requests(f, 1);
        answer(f, 0, '!');
        f->count = 0;
        assert_true(sp_client_receive(&f->loop, fd, got, sizeof(got)));
        assert_memory_equal(got, wanted, sizeof(wanted));
        assert_int_equal(close(fd), 0);
    }
    temp_dir_remove(&dir);
}

// --- NNG's requesters

enum { CONTEXTS = 8 };

typedef struct requester {
    nng_socket socket;
    nng_ctx contexts[CONTEXTS];
    nng_aio *aios[CONTEXTS];
    atomic_bool is_done[CONTEXTS]; // on_done stores it (release), the test takes it (acquire)
} requester;

static void
on_done(void *is_done)
{
    atomic_store_explicit((atomic_bool *)is_done, true, memory_order_release);
}

static void
await_aio(fixture *f, requester *r, size_t i)
{
    SP_CLIENT_AWAIT(
        &f->loop, atomic_exchange_explicit(&r->is_done[i], false, memory_order_acquire));
    assert_int_equal(nng_aio_result(r->aios[i]), 0);
}

static void
requester_start(requester *r, const char *url)
{
    assert_int_equal(nng_req0_open(&r->socket), 0);
    assert_int_equal(nng_socket_set_ms(r->socket, NNG_OPT_RECONNMINT, 10), 0);
    assert_int_equal(nng_socket_set_ms(r->socket, NNG_OPT_RECONNMAXT, 50), 0);
    assert_int_equal(nng_dial(r->socket, url, NULL, NNG_FLAG_NONBLOCK), 0);
    for (size_t i = 0; i < CONTEXTS; i++) {
        assert_int_equal(nng_ctx_open(&r->contexts[i], r->socket), 0);
        assert_int_equal(nng_aio_alloc(&r->aios[i], on_done, &r->is_done[i]), 0);
    }
}

// requester_ask sends one byte over each context, its number, and begins to wait for the answers.
static void
requester_ask(fixture *f, requester *r)
{
    for (uint8_t i = 0; i < CONTEXTS; i++) {
        nng_msg *message;
        assert_int_equal(nng_msg_alloc(&message, 0), 0);
        assert_int_equal(nng_msg_append(message, &i, 1), 0);
        nng_aio_set_msg(r->aios[i], message);
        nng_ctx_send(r->contexts[i], r->aios[i]);
        await_aio(f, r, i);
        nng_ctx_recv(r->contexts[i], r->aios[i]);
    }
}

// requester_check takes the answers, each its question plus 100.
static void
requester_check(fixture *f, requester *r)
{
    for (uint8_t i = 0; i < CONTEXTS; i++) {
        await_aio(f, r, i);
        nng_msg *message = nng_aio_get_msg(r->aios[i]);
        assert_int_equal(nng_msg_len(message), 1);
        assert_int_equal(*(const uint8_t *)nng_msg_body(message), i + 100);
        nng_msg_free(message);
    }
}

static void
requester_stop(requester *r)
{
    for (size_t i = 0; i < CONTEXTS; i++) {
        nng_aio_free(r->aios[i]);
        assert_int_equal(nng_ctx_close(r->contexts[i]), 0);
    }
    assert_int_equal(nng_close(r->socket), 0);
}

// answer_backwards answers the requests, the last first.
static void
answer_backwards(fixture *f)
{
    await_requests(f, CONTEXTS);
    while (f->count > 0) {
        f->count--;
        answer(f, f->count, (uint8_t)(*agent_socket_get_bytes(f->requests[f->count]).ptr + 100));
    }
}

static void
ask_by_nng(fixture *f)
{
    requester r = {0};
    requester_start(&r, f->url);
    for (int round = 0; round < 20; round++) {
        requester_ask(f, &r);
        answer_backwards(f);
        requester_check(f, &r);
    }
    // The connections break before any answer: all requests are resent over others.
    requester_ask(f, &r);
    await_requests(f, CONTEXTS);
    char *url = strdup(f->url);
    close_socket(f);
    listen_at(f, url);
    free(url);
    answer_backwards(f);
    requester_check(f, &r);
    requester_stop(&r);
}

static void
test_requesters_of_nng(void **state)
{
    fixture *f = *state;
    ask_by_nng(f);
    temp_dir dir = temp_dir_make();
    char url[300];
    (void)snprintf(url, sizeof(url), "ipc://%s/agents", dir.path);
    close_socket(f);
    listen_at(f, url);
    ask_by_nng(f);
    close_socket(f);
    temp_dir_remove(&dir);
    listen_at(f, "tcp://127.0.0.1:0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

// Other descriptors do not count: neither files nor idle HTTP connections.
static void
test_others_take_no_descriptors_of_agents(void **state)
{
    enum { FEW = 256, OTHERS = FEW / 2, AGENTS = 20 };
    fixture *f = *state;
    int others[OTHERS];
    int agents[AGENTS];
    close_socket(f);
    rlim_t before = sp_client_limit_descriptors(FEW);
    listen_at(f, "tcp://127.0.0.1:0");
    for (unsigned i = 0; i < OTHERS; i++) {
        others[i] = dup(STDIN_FILENO);
        assert_true(others[i] >= 0);
    }
    for (unsigned i = 0; i < AGENTS; i++) {
        agents[i] = greet(f);
    }
    assert_int_equal(metrics_get(METRICS_agent_connections), AGENTS);
    for (unsigned i = 0; i < AGENTS; i++) {
        assert_int_equal(close(agents[i]), 0);
    }
    for (unsigned i = 0; i < OTHERS; i++) {
        assert_int_equal(close(others[i]), 0);
    }
    (void)sp_client_limit_descriptors(before);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

// If agents have all of their descriptors, no more are accepted, and the existing ones continue.
static void
test_over_the_share_of_agents_nobody_is_let_in(void **state)
{
    enum { FEW = 64, SHARE = FEW / 2 };
    fixture *f = *state;
    int agents[SHARE];
    close_socket(f);
    rlim_t before = sp_client_limit_descriptors(FEW);
    listen_at(f, "tcp://127.0.0.1:0");
    (void)sp_client_limit_descriptors(before);
    for (unsigned i = 0; i < SHARE; i++) { // of two addresses, as each may have half
        agents[i] = sp_client_connect_from(f->url, i % 2 == 0 ? "127.0.0.1" : "127.0.0.2");
        sp_client_send(&f->loop, agents[i], SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING));
        SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == i + 1);
    }
    uint64_t paused = metrics_get(METRICS_agent_accepts_paused);
    int one_more = sp_client_connect_from(f->url, "127.0.0.3");
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_accepts_paused) == paused + 1);
    sp_client_await_end(&f->loop, one_more);
    ask(f, agents[0], 1, 1, 1);
    await_requests(f, 1);
    for (unsigned i = 0; i < SHARE; i++) {
        assert_int_equal(close(agents[i]), 0);
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_connection_without_memory_is_counted),
        TEST(test_answers_go_to_who_asked_in_any_order),
        TEST(test_that_a_sender_has_gone_is_known_at_once),
        TEST(test_a_request_that_comes_byte_by_byte),
        TEST(test_what_no_agent_says_ends_the_connection),
        TEST(test_what_is_unanswered_has_a_limit),
        TEST(test_what_comes_in_has_a_limit_for_all),
        TEST(test_answers_that_are_not_taken_have_a_limit),
        TEST(test_answers_that_are_taken_slowly_are_whole),
        TEST(test_a_thousand_aborted_connections_leave_nothing),
        TEST(test_the_last_answers_are_sent_when_it_stops),
        TEST(test_a_unix_socket),
        TEST(test_requesters_of_nng),
        TEST(test_others_take_no_descriptors_of_agents),
        TEST(test_over_the_share_of_agents_nobody_is_let_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
