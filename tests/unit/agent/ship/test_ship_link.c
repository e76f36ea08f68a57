// SPDX-License-Identifier: Apache-2.0
// The link to the collector: a connection that ends is replaced, also where NNG does not do it.
//
// The collector is the test: a TCP socket on which it speaks NNG's framing by hand, so that it ends
// a connection where it likes and sees each that is made. The link's clock is the test's, too. It
// never goes on for as long as it takes to give up a connection that is only silent, so what the
// link does here it does because the connection is closed.
//
// In most of these tests NNG's thread that takes connections down waits for good. In
// NNG 1.5.2 it does when a connection is closed at a bad moment; here always, in a callback.

#include "support/held_port.h"

#include "agent/ship/dial/ship_dialer.h"
#include "agent/ship/link/ship_link.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LONG_S = 60,  // more than anything here takes
    WAIT_MS = 1,  // at most, for something to happen, after which comes a step
    STEP_MS = 50, // of the link's clock, which may run ahead
    AWAY_MS = 10 * 60 * 1000,
    CLOCK_MS_MAX = 20 * 1000, // for a connection; one that is only silent has 30 s
    RARELY_MS = 60 * 1000,    // between two attempts that cost a descriptor each, at most
    REQUEST_BYTES_MAX = 1000,
    PROTOCOL_BYTES = 8, // of NNG's: what each side says first
    LENGTH_BYTES = 8,   // before each message
    ID_BYTES = 4,       // of a request, at the beginning of its message; its answer begins with it
};

static const uint8_t REQ_SAYS[PROTOCOL_BYTES] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
static const uint8_t REP_SAYS[PROTOCOL_BYTES] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};

typedef struct fixture {
    held_port port;
    int listener;
    int connection; // -1: none; so with listener
    int wake_fd;
    Loupe__Wire__Hello hello;
    uint8_t session[WIRE_SESSION_BYTES];
    ship_link *link;
    int64_t now_ms;
    int64_t now_ms_max;
    int connections; // before the last one
    int64_t step_ms;
    int32_t pause_ms; // before the next connection, which is to be seen; 0: any
} fixture;

typedef struct message {
    uint8_t bytes[REQUEST_BYTES_MAX]; // with its id
    size_t size;
} message;

static sem_t reaper_waits;
static int failing_dialers; // how many of the next ones cannot be created
static nng_dialer last_dialer;
static int dialer_count;
static bool has_slept;       // what sleeps has slept already when it is given to NNG's thread
static bool answers_at_once; // NNG's thread has taken down what it is given when that returns

int __real_nng_dialer_create(nng_dialer *dialer, nng_socket socket, const char *url);
int __wrap_nng_dialer_create(nng_dialer *dialer, nng_socket socket, const char *url);

int
__wrap_nng_dialer_create(nng_dialer *dialer, nng_socket socket, const char *url)
{
    if (failing_dialers > 0) {
        failing_dialers--;
        return NNG_ENOMEM;
    }
    int error = __real_nng_dialer_create(dialer, socket, url);
    last_dialer = *dialer;
    dialer_count++;
    return error;
}

void __real_nng_sleep_aio(nng_duration duration_ms, nng_aio *aio);
void __wrap_nng_sleep_aio(nng_duration duration_ms, nng_aio *aio);

void
__wrap_nng_sleep_aio(nng_duration duration_ms, nng_aio *aio)
{
    __real_nng_sleep_aio(has_slept ? 0 : duration_ms, aio);
    if (has_slept) {
        nng_aio_wait(aio);
    }
}

void __real_nng_aio_reap(nng_aio *aio);
void __wrap_nng_aio_reap(nng_aio *aio);

void
__wrap_nng_aio_reap(nng_aio *aio)
{
    if (answers_at_once) {
        nng_aio_free(aio); // as NNG's thread does
    } else {
        __real_nng_aio_reap(aio);
    }
}

int __real_nng_pipe_notify(nng_socket socket, nng_pipe_ev event, nng_pipe_cb notify, void *arg);
int __wrap_nng_pipe_notify(nng_socket socket, nng_pipe_ev event, nng_pipe_cb notify, void *arg);

static _Atomic(nng_pipe_cb) notify_link; // the same for each link
static atomic_int connection_count;      // that the link was told of

static void
on_pipe(nng_pipe pipe, nng_pipe_ev event, void *arg)
{
    nng_pipe_cb notify = atomic_load(&notify_link);
    notify(pipe, event, arg);
    (void)atomic_fetch_add(&connection_count, event == NNG_PIPE_EV_ADD_POST);
}

int
__wrap_nng_pipe_notify(nng_socket socket, nng_pipe_ev event, nng_pipe_cb notify, void *arg)
{
    atomic_store(&notify_link, notify);
    return __real_nng_pipe_notify(socket, event, on_pipe, arg);
}

static void
on_added(nng_pipe pipe, nng_pipe_ev event, void *arg)
{
    (void)event;
    (void)arg;
    (void)nng_pipe_close(pipe);
}

static void
on_removed(nng_pipe pipe, nng_pipe_ev event, void *arg)
{
    (void)pipe;
    (void)event;
    (void)arg;
    (void)sem_post(&reaper_waits);
    for (;;) {
        (void)pause();
    }
}

// A connection between two sockets that are nobody's, whose end never ends.
static void
stop_reaper(void)
{
    nng_socket server;
    nng_socket client;
    assert_int_equal(sem_init(&reaper_waits, 0, 0), 0);
    assert_int_equal(nng_rep0_open(&server), 0);
    assert_int_equal(nng_req0_open(&client), 0);
    assert_int_equal(__real_nng_pipe_notify(server, NNG_PIPE_EV_ADD_POST, on_added, NULL), 0);
    assert_int_equal(__real_nng_pipe_notify(server, NNG_PIPE_EV_REM_POST, on_removed, NULL), 0);
    assert_int_equal(nng_listen(server, "inproc://reaper", NULL, 0), 0);
    assert_int_equal(nng_dial(client, "inproc://reaper", NULL, 0), 0);
    assert_int_equal(sem_wait(&reaper_waits), 0);
}

// open_listener opens f's listener at its port.
static void
open_listener(fixture *f)
{
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(f->port.number);
    int yes = 1;
    f->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(f->listener >= 0);
    assert_int_equal(setsockopt(f->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)), 0);
    assert_int_equal(bind(f->listener, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(listen(f->listener, 8), 0);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->port = held_port_take();
    open_listener(f);
    char url[64];
    (void)snprintf(url, sizeof(url), "tcp://127.0.0.1:%d", f->port.number);
    f->connection = -1;
    f->step_ms = STEP_MS;
    f->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    assert_true(f->wake_fd >= 0);
    f->hello = (Loupe__Wire__Hello)LOUPE__WIRE__HELLO__INIT;
    f->hello.session = (ProtobufCBinaryData){sizeof(f->session), f->session};
    dialer_count = 0;
    const char *const at = url;
    lp_problem problem;
    assert_int_equal(
        ship_link_open(&at, 1, NULL, &f->hello, f->wake_fd, &f->link, &problem), LP_OK);
    *state = f;
    return 0;
}

// What the link borrowed stays, and so does its port, which it dials: after its first step it is
// never closed.
static int
tear_down(void **state)
{
    fixture *f = *state;
    (void)close(f->listener);
    (void)close(f->connection);
    return 0;
}

static int64_t
read_clock_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

// step has the link take a step, and waits for a moment or until there is more to do.
static void
step(fixture *f)
{
    ship_link_step(f->link, f->now_ms);
    struct pollfd polls[] = {
        {f->wake_fd, POLLIN, 0}, {f->listener, POLLIN, 0}, {f->connection, POLLIN, 0}};
    (void)poll(polls, 3, WAIT_MS);
    uint64_t count;
    ssize_t size = read(f->wake_fd, &count, sizeof(count));
    (void)size; // nothing was there, or it was counted
    if (f->now_ms < f->now_ms_max) {
        f->now_ms += f->step_ms;
    }
}

static void
step_until(fixture *f, bool (*is_so)(const fixture *f), const char *what)
{
    for (int64_t end_s = read_clock_s() + LONG_S; !is_so(f);) {
        if (read_clock_s() >= end_s) {
            fail_msg("in vain: %s", what);
        }
        step(f);
    }
}

static bool
is_readable(int fd)
{
    struct pollfd wanted = {fd, POLLIN, 0};
    return poll(&wanted, 1, 0) == 1;
}

static bool
is_dialled(const fixture *f)
{
    return is_readable(f->listener);
}

static bool
is_told(const fixture *f)
{
    return is_readable(f->connection);
}

static bool
has_room(const fixture *f)
{
    return ship_window_has_room(ship_link_get_window(f->link));
}

static bool
is_delivered(const fixture *f)
{
    return ship_window_get_unanswered(ship_link_get_window(f->link)) == 0;
}

// get_rarest_ms is how far apart the attempts to connect of the last dialer come to be.
static int32_t
get_rarest_ms(void)
{
    int32_t rarest_ms;
    assert_int_equal(nng_dialer_get_ms(last_dialer, NNG_OPT_RECONNMAXT, &rarest_ms), 0);
    return rarest_ms;
}

static void
receive_bytes(fixture *f, uint8_t *out, size_t size)
{
    for (size_t got = 0; got < size;) {
        step_until(f, is_told, "a request");
        ssize_t more = read(f->connection, out + got, size - got);
        assert_true(more > 0);
        got += (size_t)more;
    }
}

static void
send_bytes(fixture *f, const uint8_t *bytes, size_t size)
{
    assert_int_equal(send(f->connection, bytes, size, MSG_NOSIGNAL), size);
}

static bool
is_noticed(const fixture *f)
{
    return atomic_load(&connection_count) > f->connections;
}

// connect_link waits for the link to connect and to notice that, and gives its clock as much time
// once more.
static void
connect_link(fixture *f)
{
    const int64_t step_ms = f->step_ms;
    f->connections = atomic_load(&connection_count);
    step_until(f, is_dialled, "a connection");
    f->step_ms = 0; // or it would run up to the time at which the link looks for HTTP there
    f->connection = accept(f->listener, NULL, NULL);
    assert_true(f->connection >= 0);
    uint8_t said[PROTOCOL_BYTES];
    send_bytes(f, REP_SAYS, sizeof(REP_SAYS));
    receive_bytes(f, said, sizeof(said));
    assert_memory_equal(said, REQ_SAYS, sizeof(said));
    step_until(f, is_noticed, "the link is told of its connection");
    step(f);
    f->step_ms = step_ms;
    f->now_ms_max = f->now_ms + CLOCK_MS_MAX;
}

static void
disconnect_link(fixture *f)
{
    assert_int_equal(close(f->connection), 0);
    f->connection = -1;
}

static message
receive(fixture *f)
{
    message m;
    uint8_t length[LENGTH_BYTES];
    receive_bytes(f, length, sizeof(length));
    m.size = (size_t)length[6] << 8 | length[7];
    assert_in_range(m.size, ID_BYTES, sizeof(m.bytes));
    receive_bytes(f, m.bytes, m.size);
    return m;
}

static void
answer(fixture *f, const message *m, Loupe__Wire__Reply__Status status, bool go_elsewhere)
{
    Loupe__Wire__Reply reply = LOUPE__WIRE__REPLY__INIT;
    reply.version = WIRE_VERSION;
    reply.status = status;
    reply.go_elsewhere = go_elsewhere;
    uint8_t bytes[LENGTH_BYTES + ID_BYTES + 100] = {0};
    size_t size = ID_BYTES + loupe__wire__reply__get_packed_size(&reply);
    assert_true(size < 100);
    bytes[LENGTH_BYTES - 1] = (uint8_t)size;
    memcpy(bytes + LENGTH_BYTES, m->bytes, ID_BYTES);
    (void)loupe__wire__reply__pack(&reply, bytes + LENGTH_BYTES + ID_BYTES);
    send_bytes(f, bytes, LENGTH_BYTES + size);
}

static void
acknowledge(fixture *f, const message *m)
{
    answer(f, m, LOUPE__WIRE__REPLY__STATUS__OK, false);
}

// push gives the link a batch, as soon as it has said Hello.
static void
push(fixture *f, const char *text)
{
    connect_link(f);
    message hello = receive(f);
    acknowledge(f, &hello);
    step_until(f, has_room, "Hello is answered");
    lp_buf batch = {0};
    lp_buf_append(&batch, text, strlen(text));
    ship_window_push(ship_link_get_window(f->link), &batch, f->now_ms);
    ship_link_send(f->link, f->now_ms);
}

static void
assert_received(fixture *f, const char *text)
{
    message m = receive(f);
    assert_int_equal(m.size, ID_BYTES + strlen(text));
    assert_memory_equal(m.bytes + ID_BYTES, text, strlen(text));
}

// deliver takes the batch and acknowledges it.
static void
deliver(fixture *f)
{
    message m = receive(f);
    acknowledge(f, &m);
    step_until(f, is_delivered, "the answer is taken");
}

static int32_t
get_pause_ms(void)
{
    int32_t pause_ms;
    assert_int_equal(nng_dialer_get_ms(last_dialer, NNG_OPT_RECONNMINT, &pause_ms), 0);
    return pause_ms;
}

static bool
is_paced(const fixture *f)
{
    return f->pause_ms == 0 || get_pause_ms() == f->pause_ms;
}

// end_now ends the connection, and waits until NNG has ended it, too, while the link's clock
// stands. That has as much time as to connect from then on.
static void
end_now(fixture *f)
{
    uint8_t rest[REQUEST_BYTES_MAX];
    const int64_t step_ms = f->step_ms;
    f->step_ms = 0;
    step_until(f, is_paced, "the pause before the next connection");
    assert_int_equal(shutdown(f->connection, SHUT_WR), 0);
    ssize_t size;
    do {
        step_until(f, is_told, "the end of the connection");
        size = read(f->connection, rest, sizeof(rest));
    } while (size > 0);
    disconnect_link(f);
    f->step_ms = step_ms;
    f->now_ms_max = f->now_ms + CLOCK_MS_MAX;
}

static void
test_connections_that_end_are_replaced(void **state)
{
    fixture *f = *state;
    stop_reaper();
    push(f, "a batch");
    for (int i = 0; i < 4; i++) {
        assert_received(f, "a batch");
        end_now(f);
        connect_link(f);
    }
    deliver(f);
    assert_int_equal(get_rarest_ms(), RARELY_MS);
}

// NNG's thread still waits; what it was asked to take down has ended by itself.
static void
test_the_end_of_all_time_is_no_answer(void **state)
{
    fixture *f = *state;
    has_slept = true;
    push(f, "a batch");
    assert_received(f, "a batch");
    end_now(f);
    connect_link(f);
    deliver(f);
    has_slept = false;
    assert_int_equal(get_rarest_ms(), RARELY_MS);
}

static void
test_replacing_is_tried_again(void **state)
{
    fixture *f = *state;
    push(f, "a batch");
    assert_received(f, "a batch");
    failing_dialers = 3;
    end_now(f);
    connect_link(f);
    assert_int_equal(failing_dialers, 0);
    deliver(f);
}

// go_on has the link's clock go on for so long, or until there is another dialer, and then stand.
static void
go_on(fixture *f, int64_t ms)
{
    int64_t end_ms = f->now_ms + ms;
    f->now_ms_max = end_ms;
    f->step_ms = ms / 100 > STEP_MS ? ms / 100 : STEP_MS;
    for (int count = dialer_count; f->now_ms < end_ms && dialer_count == count;) {
        step(f);
    }
    f->step_ms = 0;
}

// end_one waits for another connection and ends it.
static void
end_one(fixture *f)
{
    int count = dialer_count;
    go_on(f, 2 * SHIP_PACE_VAIN_MS_MAX);
    assert_int_equal(dialer_count, count + 1);
    connect_link(f);
    assert_received(f, "a batch");
    end_now(f);
}

static void
push_another(fixture *f)
{
    lp_buf batch = {0};
    lp_buf_append(&batch, "a batch", strlen("a batch"));
    ship_window_push(ship_link_get_window(f->link), &batch, f->now_ms);
}

// The collector is away, and NNG's thread is well: NNG dials again by itself.
static void
test_a_connection_that_nng_takes_down_is_not_replaced(void **state)
{
    fixture *f = *state;
    answers_at_once = true;
    push(f, "a batch");
    assert_received(f, "a batch");
    (void)close(f->listener);
    f->listener = -1;
    f->step_ms = 0;
    end_now(f);
    f->now_ms_max = f->now_ms + AWAY_MS;
    f->step_ms = AWAY_MS / 1000;
    while (f->now_ms < f->now_ms_max) {
        ship_link_step(f->link, f->now_ms);
        f->now_ms += f->step_ms;
    }
    open_listener(f);
    connect_link(f);
    deliver(f);
    answers_at_once = false;
    assert_int_equal(dialer_count, 1);
}

// NNG's thread waits, so only the link replaces connections, by the clock that it is given.
static void
test_connections_that_do_not_last_come_ever_more_rarely(void **state)
{
    fixture *f = *state;
    f->step_ms = 0;
    push(f, "a batch");
    assert_received(f, "a batch");
    f->pause_ms = SHIP_PACE_MS_MIN;
    end_now(f);
    for (int i = 0; i < 12; i++) {
        f->pause_ms =
            f->pause_ms < SHIP_PACE_VAIN_MS_MAX / 2 ? 2 * f->pause_ms : SHIP_PACE_VAIN_MS_MAX;
        int64_t begin_ms = f->now_ms;
        end_one(f);
        assert_true(f->now_ms - begin_ms >= f->pause_ms / 2); // the one before
    }
    assert_int_equal(f->pause_ms, SHIP_PACE_VAIN_MS_MAX);
    go_on(f, 2 * SHIP_PACE_VAIN_MS_MAX);
    connect_link(f);
    deliver(f);
    f->pause_ms = SHIP_PACE_TAKEN_MS_MAX;
    go_on(f, SHIP_PACE_TAKEN_MS_MAX + SHIP_PACE_LASTING_MS); // this one lasts
    push_another(f);
    assert_received(f, "a batch");
    end_now(f);
    f->pause_ms = SHIP_PACE_MS_MIN;
    end_one(f);
    f->pause_ms = 2 * SHIP_PACE_MS_MIN;
    end_one(f);
}

// Each connection ends right after an answer. NNG's thread waits, so the link replaces them.
static void
test_a_collector_that_restarts_often_is_dialled_soon(void **state)
{
    fixture *f = *state;
    f->step_ms = 0;
    push(f, "a batch");
    for (int i = 0; i < 10; i++) {
        deliver(f);
        push_another(f);
        assert_received(f, "a batch");
        assert_true(get_pause_ms() <= SHIP_PACE_TAKEN_MS_MAX);
        end_now(f);
        go_on(f, 100 * SHIP_PACE_TAKEN_MS_MAX); // in steps of that
        connect_link(f);
    }
    assert_int_equal(dialer_count, 11);
    deliver(f);
}

// Neither the link's clock goes on nor does NNG dial: what dials is the end of the JVM.
static void
test_the_end_of_the_jvm_dials_at_once(void **state)
{
    fixture *f = *state;
    push(f, "a batch");
    assert_received(f, "a batch");
    f->step_ms = 0;
    end_now(f);
    ship_link_hurry(f->link, f->now_ms);
    connect_link(f);
    deliver(f);
    assert_int_equal(dialer_count, 2);
    ship_link_hurry(f->link, f->now_ms); // once is enough
    assert_int_equal(dialer_count, 2);
}

// Pauses were long when the end came: that does not wait for one.
static void
test_the_end_of_the_jvm_dials_after_short_pauses(void **state)
{
    fixture *f = *state;
    f->step_ms = 0;
    push(f, "a batch");
    assert_received(f, "a batch");
    end_now(f);
    for (int i = 0; i < 9; i++) {
        end_one(f);
    }
    go_on(f, 2 * SHIP_PACE_VAIN_MS_MAX);
    connect_link(f);
    message m = receive(f);
    f->pause_ms = SHIP_PACE_VAIN_MS_MAX;
    step_until(f, is_paced, "the longest pause");
    ship_link_hurry(f->link, f->now_ms);
    assert_int_equal(get_pause_ms(), SHIP_PACE_MS_MIN);
    acknowledge(f, &m);
    step_until(f, is_delivered, "the answer is taken");
}

static void
test_connections_that_nng_keeps_are_replaced_so_often_only(void **state)
{
    fixture *f = *state;
    f->step_ms = 0;
    push(f, "a batch");
    assert_received(f, "a batch");
    end_now(f);
    const int at_once = (int)SHIP_DIALER_REPLACEMENTS.at_once / SHIP_DIALER_REPLACEMENT;
    for (int i = 0; i < at_once; i++) {
        end_one(f);
    }
    int64_t hour_ms = (int64_t)60 * 60 * 1000;
    int count = dialer_count;
    for (int64_t end_ms = f->now_ms + 10 * hour_ms; f->now_ms < end_ms;) {
        go_on(f, end_ms - f->now_ms);
        if (f->now_ms < end_ms) {
            connect_link(f);
            assert_received(f, "a batch");
            end_now(f);
        }
    }
    assert_in_range(dialer_count - count, 9, 11);
    f->step_ms = STEP_MS;
    f->now_ms += hour_ms;
    end_one(f);
    go_on(f, 2 * hour_ms);
    connect_link(f);
    deliver(f); // nothing is lost
}

// read_wakes is how often the link has woken its owner since the last call.
static uint64_t
read_wakes(const fixture *f)
{
    uint64_t count = 0;
    ssize_t size = read(f->wake_fd, &count, sizeof(count));
    return size == (ssize_t)sizeof(count) ? count : 0;
}

// send_another is the next batch, sent and with the collector, while the owner waits.
static message
send_another(fixture *f)
{
    push_another(f);
    ship_link_send(f->link, f->now_ms);
    message m = receive(f);
    (void)ship_link_get_due_ms(f->link);
    return m;
}

// wait_for_wake fails unless the answer wakes the owner, which takes no step meanwhile.
static void
wait_for_wake(const fixture *f)
{
    struct pollfd wanted = {f->wake_fd, POLLIN, 0};
    assert_int_equal(poll(&wanted, 1, LONG_S * 1000), 1);
}

// The owner looks for answers all the time here, so that it needs no wake-up. One may come late:
// that of Hello.
static void
test_an_ok_wakes_nobody_while_there_is_room(void **state)
{
    enum { BATCHES = 50 };
    fixture *f = *state;
    push(f, "a batch");
    deliver(f);
    (void)read_wakes(f);
    uint64_t wakes = 0;
    for (int i = 0; i < BATCHES; i++) {
        message m = send_another(f);
        acknowledge(f, &m);
        for (int64_t end_s = read_clock_s() + LONG_S; !is_delivered(f);) {
            assert_true(read_clock_s() < end_s);
            ship_link_step(f->link, f->now_ms);
        }
        wakes += read_wakes(f);
        assert_in_range(ship_link_get_due_ms(f->link), f->now_ms, INT64_MAX);
    }
    assert_in_range(wakes, 0, 2);
}

static void
test_other_answers_wake_the_owner(void **state)
{
    static const struct {
        Loupe__Wire__Reply__Status status;
        bool go_elsewhere;
    } cases[] = {
        {LOUPE__WIRE__REPLY__STATUS__OK, true},
        {LOUPE__WIRE__REPLY__STATUS__BUSY, false},
        {LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION, false},
    };
    fixture *f = *state;
    push(f, "a batch");
    deliver(f);
    f->step_ms = 0; // what got BUSY is not sent again here
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        message m = send_another(f);
        (void)read_wakes(f);
        answer(f, &m, cases[i].status, cases[i].go_elsewhere);
        wait_for_wake(f);
        step(f);
    }
    f->step_ms = STEP_MS; // the session is unknown
    message hello = receive(f);
    (void)ship_link_get_due_ms(f->link);
    (void)read_wakes(f);
    acknowledge(f, &hello);
    wait_for_wake(f);
}

// The first answer comes while there is room, or when there is none any more: the owner hears of it
// in any case.
static void
test_answers_wake_the_owner_of_a_full_window(void **state)
{
    fixture *f = *state;
    push(f, "a batch");
    deliver(f);
    f->step_ms = 0;
    message m = send_another(f);
    (void)read_wakes(f);
    acknowledge(f, &m);
    while (has_room(f)) {
        push_another(f);
    }
    ship_link_send(f->link, f->now_ms);
    for (int64_t end_s = read_clock_s() + LONG_S;
         ship_link_get_due_ms(f->link) > f->now_ms && !is_readable(f->wake_fd);) {
        assert_true(read_clock_s() < end_s);
    }
    step(f);
    assert_true(has_room(f));
}

static void
test_answers_wake_an_owner_that_ends(void **state)
{
    fixture *f = *state;
    push(f, "a batch");
    deliver(f);
    ship_link_hurry(f->link, f->now_ms);
    message m = send_another(f);
    (void)read_wakes(f);
    acknowledge(f, &m);
    wait_for_wake(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_connection_that_nng_takes_down_is_not_replaced),
        TEST(test_connections_that_end_are_replaced),
        TEST(test_the_end_of_all_time_is_no_answer),
        TEST(test_replacing_is_tried_again),
        TEST(test_connections_that_do_not_last_come_ever_more_rarely),
        TEST(test_a_collector_that_restarts_often_is_dialled_soon),
        TEST(test_the_end_of_the_jvm_dials_at_once),
        TEST(test_the_end_of_the_jvm_dials_after_short_pauses),
        TEST(test_connections_that_nng_keeps_are_replaced_so_often_only),
        TEST(test_an_ok_wakes_nobody_while_there_is_room),
        TEST(test_other_answers_wake_the_owner),
        TEST(test_answers_wake_the_owner_of_a_full_window),
        TEST(test_answers_wake_an_owner_that_ends),
    };
    return cmocka_run_group_tests_name("ship_link", tests, NULL, NULL);
}
