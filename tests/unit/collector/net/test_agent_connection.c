// SPDX-License-Identifier: Apache-2.0

// The limits of time of a connection. The test turns its clock back.

#include "unit/collector/net/sp_client.h"

#include "collector/net/agent_connection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    uv_loop_t loop;
    agent_connection_owner owner;
    agent_connection *connection;
    int peer;
    bool is_full; // there is no room for messages
    size_t messages;
    bool is_closed;
    agent_end limit; // that was exceeded
} fixture;

static bool
has_room(void *arg, agent_connection *connection)
{
    const fixture *f = arg;
    (void)connection;
    return !f->is_full;
}

static void
on_message(void *arg, agent_connection *connection, sp_message message)
{
    fixture *f = arg;
    (void)connection;
    free(message.bytes);
    f->messages++;
}

static void
on_closing(void *arg, agent_connection *connection, agent_end limit)
{
    fixture *f = arg;
    (void)connection;
    f->is_closed = true;
    f->limit = limit;
}

static int
set_up(void **state)
{
    int fds[2];
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(uv_loop_init(&f->loop), 0);
    f->owner = (agent_connection_owner){.loop = &f->loop,
        .has_room = has_room,
        .on_message = on_message,
        .on_closing = on_closing,
        .arg = f};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds), 0);
    assert_int_equal(agent_connection_start(&f->owner, fds[0], SP_TCP, 1, &f->connection), LP_OK);
    agent_connection_greet(f->connection);
    f->peer = fds[1];
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    if (!f->is_closed) {
        agent_connection_close(f->connection, AGENT_END_NONE);
    }
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    (void)close(f->peer);
    free(f);
    return 0;
}

static void
send_bytes(fixture *f, const void *bytes, size_t size)
{
    sp_client_send(&f->loop, f->peer, bytes, size);
    sp_client_turn(&f->loop);
}

static void
greet(fixture *f)
{
    send_bytes(f, SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING));
    assert_true(f->connection->reader.is_greeted);
}

// assert_lasts checks that the connection is closed after limit_ms by the clock at since_ms, and
// not before.
static void
assert_lasts(fixture *f, uint64_t *since_ms, uint64_t limit_ms, bool is_crowded, agent_end limit)
{
    uint64_t count = metrics_get(agent_end_find_metric(limit));
    *since_ms = uv_now(&f->loop) - limit_ms;
    agent_connection_expire(f->connection, is_crowded);
    assert_false(f->is_closed);
    *since_ms -= 1;
    agent_connection_expire(f->connection, is_crowded);
    assert_true(f->is_closed);
    assert_int_equal(f->limit, limit);
    assert_int_equal(metrics_get(agent_end_find_metric(limit)), count + 1);
}

// The loop's clock starts with the machine, far enough from 0 to be turned back.
static void
assert_is_endless(fixture *f, uint64_t *since_ms)
{
    *since_ms = 0;
    agent_connection_expire(f->connection, true);
    assert_false(f->is_closed);
}

static void
test_a_greeting(void **state)
{
    fixture *f = *state;
    send_bytes(f, SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING) - 1);
    assert_lasts(f, &f->connection->begun_ms, AGENT_CONNECTION_GREETING_MS_MAX, true,
        AGENT_END_GREETING_SLOW);
}

static void
test_silence(void **state)
{
    fixture *f = *state;
    greet(f);
    assert_lasts(f, &f->connection->heard_ms, AGENT_CONNECTION_IDLE_MS_MAX, true, AGENT_END_IDLE);
}

static const uint8_t message[] = {0, 0, 0, 0, 0, 0, 0, 8, 0x80, 0, 0, 1, 'a', 'b', 'c', 'd'};

static void
test_a_message(void **state)
{
    fixture *f = *state;
    greet(f);
    send_bytes(f, message, sizeof(message) - 1);
    assert_lasts(f, &f->connection->begun_ms, AGENT_CONNECTION_MESSAGE_MS_MAX, false,
        AGENT_END_MESSAGE_SLOW);
}

static void
test_a_message_in_the_way_of_others(void **state)
{
    fixture *f = *state;
    greet(f);
    send_bytes(f, message, sizeof(message) - 1);
    assert_lasts(
        f, &f->connection->begun_ms, AGENT_CONNECTION_CROWDED_MS, true, AGENT_END_MESSAGE_SLOW);
}

// A line of 16 KB a second: it is slow, but it comes.
static void
test_a_slow_message_in_the_way_of_others(void **state)
{
    fixture *f = *state;
    greet(f);
    enum { BYTES = 48 * 1000 };
    static uint8_t long_message[8 + BYTES] = {0, 0, 0, 0, 0, 1, 0, 0, 0x80, 0, 0, 1}; // of 65536
    send_bytes(f, long_message, sizeof(long_message));
    assert_lasts(f, &f->connection->begun_ms, BYTES / AGENT_CONNECTION_CROWDED_BYTES_MIN, true,
        AGENT_END_MESSAGE_SLOW);
}

static void
test_the_size_of_a_message(void **state)
{
    fixture *f = *state;
    greet(f);
    send_bytes(f, message, 7); // it takes no room from others
    assert_lasts(
        f, &f->connection->begun_ms, AGENT_CONNECTION_MESSAGE_MS_MAX, true, AGENT_END_MESSAGE_SLOW);
}

static void
test_who_waits_for_us_has_time(void **state)
{
    fixture *f = *state;
    greet(f);
    send_bytes(f, message, sizeof(message));
    assert_int_equal(f->messages, 1);
    assert_is_endless(f, &f->connection->heard_ms); // it is not answered
    agent_connection_end_request(f->connection);

    f->is_full = true;
    send_bytes(f, message, sizeof(message));
    assert_int_equal(f->messages, 1);
    assert_true(f->connection->awaits_room);
    assert_is_endless(f, &f->connection->begun_ms);
    assert_is_endless(f, &f->connection->heard_ms);
    f->is_full = false;
    agent_connection_admit(f->connection);
    sp_client_turn(&f->loop);
    assert_int_equal(f->messages, 2);
}

static void
test_answers(void **state)
{
    fixture *f = *state;
    static uint8_t large[AGENT_CONNECTION_ANSWERS_BYTES_MAX];
    greet(f);
    agent_connection_answer(f->connection, (lp_slice){large, 4}, (lp_slice){large, 1 << 20});
    assert_true(f->connection->answers.len > 0);
    assert_lasts(f, &f->connection->answering_ms, AGENT_CONNECTION_ANSWERS_MS_MAX, false,
        AGENT_END_ANSWERS_SLOW);
}

static void
test_who_is_not_read_from_may_leave(void **state)
{
    fixture *f = *state;
    greet(f);
    f->is_full = true;
    send_bytes(f, message, sizeof(message));
    assert_false(f->is_closed);
    assert_int_equal(shutdown(f->peer, SHUT_RDWR), 0);
    SP_CLIENT_AWAIT(&f->loop, f->is_closed);
    assert_int_equal(f->limit, AGENT_END_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_greeting),
        TEST(test_silence),
        TEST(test_a_message),
        TEST(test_a_message_in_the_way_of_others),
        TEST(test_a_slow_message_in_the_way_of_others),
        TEST(test_the_size_of_a_message),
        TEST(test_who_waits_for_us_has_time),
        TEST(test_answers),
        TEST(test_who_is_not_read_from_may_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
