// SPDX-License-Identifier: Apache-2.0
// The limits of HTTP connections, on real sockets: slow clients are cut, an address with too many
// connections loses one, /healthz and /readyz are always answered, and the wait of a client that
// leaves is cancelled. The choice of the connection is tested in test_http_gate.c.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"
#include "unit/collector/http/known_recording.h"

#include "collector/base/metrics.h"
#include "collector/http/gate/http_listener.h"
#include "common/base/lp_log.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static const char show[] = "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char download[] = "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr";

// Nobody is over any of these while a test runs.
static const http_gate_limits wide = {
    .connections = 6,
    .per_address = 4,
    .reserved = 2,
    .leaving = 64,
    .head_ms = 3600 * 1000,
    .body_ms = 3600 * 1000,
    .idle_ms = 3600 * 1000,
    .answer_ms = 3600 * 1000,
    .answer_bytes = 1,
};

static void
serve(http_fixture *f, const http_gate_limits *limits)
{
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    http_fixture_serve_within(f, limits);
}

// connect_from connects from one of the loopback addresses.
static int
connect_from(const http_fixture *f, const char *address)
{
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct sockaddr_in to = {.sin_family = AF_INET,
        .sin_port = htons(f->port),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    struct timeval limit = {.tv_sec = 60};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(inet_pton(AF_INET, address, &from.sin_addr), 1);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&from, sizeof(from)), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    return fd;
}

static unsigned
held_count(http_fixture *f)
{
    (void)pthread_mutex_lock(&f->server.mutex);
    unsigned count = f->server.held_count;
    (void)pthread_mutex_unlock(&f->server.mutex);
    return count;
}

static void
await_held(http_fixture *f, unsigned count)
{
    while (held_count(f) != count) { // ctest's time limit ends it
        (void)usleep(1000);
    }
}

static void
await_metric(metrics_id id, uint64_t value)
{
    while (metrics_get(id) < value) { // the same
        (void)usleep(1000);
    }
}

// expect_end expects that nothing more comes.
static void
expect_end(int fd)
{
    char byte;
    assert_true(recv(fd, &byte, 1, 0) <= 0);
    assert_int_equal(close(fd), 0);
}

static void
expect_answer(int fd, const char *path, int status)
{
    http_client_send_get(fd, path);
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
}

static void
test_a_client_that_leaves_is_not_waited_for(void **state)
{
    static const char *const methods[] = {"HEAD", "GET"};
    http_fixture *f = *state;
    serve(f, &wide);
    f->server.is_held = true;
    for (int i = 0; i < 8; i++) {
        uint64_t before = metrics_get(METRICS_http_clients_left);
        char request[200];
        (void)snprintf(request, sizeof(request), "%s %s HTTP/1.1\r\nHost: x\r\n\r\n",
            methods[i % 2], download);
        int fd = http_client_connect(f->port);
        http_client_send(fd, request);
        await_held(f, 1);
        // Closed, half closed, or reset.
        const struct linger at_once = {.l_onoff = i >= 6};
        assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
        assert_int_equal(i >= 4 ? 0 : shutdown(fd, SHUT_WR), 0);
        assert_int_equal(close(fd), 0);
        await_held(f, 0);
        await_metric(METRICS_http_clients_left, before + 1);
    }
    f->server.is_held = false;
    http_client_expect(f->port, "GET", show, 200);
}

static void
test_a_client_that_is_gone_before_it_is_heard(void **state)
{
    http_fixture *f = *state;
    serve(f, &wide);
    f->server.is_held = true;
    for (int i = 0; i < 200; i++) {
        int fd = http_client_connect(f->port);
        http_client_send_get(fd, download);
        assert_int_equal(close(fd), 0);
    }
    while (metrics_get(METRICS_http_connections) > 0) {
        (void)usleep(1000);
    }
    assert_int_equal(held_count(f), 0);
}

static void
test_a_removal_goes_on(void **state)
{
    http_fixture *f = *state;
    serve(f, &wide);
    f->server.is_held = true;
    f->server.err = LP_OK;
    int fd = http_client_connect(f->port);
    http_client_send(fd, "DELETE /api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\n"
                         "Host: localhost\r\n\r\n");
    await_held(f, 1);
    int other = http_client_connect(f->port);
    http_client_send_get(other, download);
    await_held(f, 2);
    assert_int_equal(close(fd), 0);
    assert_int_equal(close(other), 0);
    await_held(f, 1);
    http_fixture_release(f);
}

// expect_slow sends the beginning of a request, and expects that it is cut off for this reason.
// Beside a full load it may be cut off before anybody has read so far: then it is sent again.
static void
expect_slow(const http_fixture *f, const char *text, metrics_id id)
{
    for (uint64_t before = metrics_get(id); metrics_get(id) == before;) { // ctest's limit ends it
        int fd = http_client_connect(f->port);
        http_client_send(fd, text);
        expect_end(fd);
    }
}

static void
test_slow_heads_and_bodies_end(void **state)
{
    static const struct {
        const char *text;
        metrics_id id;
    } cases[] = {
        {"", METRICS_http_connections_cut_head_slow},
        {"GET", METRICS_http_connections_cut_head_slow},
        {"GET / HTTP/1.1\r\nHost: x\r\nX-A:", METRICS_http_connections_cut_head_slow},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell",
            METRICS_http_connections_cut_body_slow},
    };
    http_fixture *f = *state;
    http_gate_limits limits = wide;
    limits.head_ms = 1;
    limits.body_ms = 1;
    serve(f, &limits);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect_slow(f, cases[i].text, cases[i].id);
    }
}

static void
test_who_rests_too_long_ends(void **state)
{
    http_fixture *f = *state;
    uint64_t before = metrics_get(METRICS_http_connections_cut_idle);
    http_gate_limits limits = wide;
    limits.idle_ms = 1;
    serve(f, &limits);
    int fd = http_client_connect(f->port);
    expect_answer(fd, "/healthz", 200);
    expect_end(fd);
    assert_int_equal(metrics_get(METRICS_http_connections_cut_idle), before + 1);
}

static void
test_who_takes_an_answer_too_slowly_ends(void **state)
{
    static const size_t sizes[] = {4 << 20, 4 << 20, 4 << 20};
    http_fixture *f = *state;
    uint64_t before = metrics_get(METRICS_http_connections_cut_answer_slow);
    catalog_session session;
    known_recording content = known_recording_make(f, sizes, 3, &session);
    http_gate_limits limits = wide;
    limits.answer_ms = 1;
    limits.answer_bytes = UINT64_MAX;
    http_fixture_serve_within(f, &limits);
    int fd = http_client_ask_slowly(f->port, download);
    await_metric(METRICS_http_connections_cut_answer_slow, before + 1);
    assert_int_equal(close(fd), 0);
    // One whose client takes what there is.
    http_fixture_serve_within(f, &wide);
    http_answer answer = known_recording_ask(f, "");
    assert_int_equal(answer.status, 200);
    assert_true(answer.is_complete);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

// hold_all has connections of an address wait for an answer that does not come.
static void
hold_all(http_fixture *f, const char *address, int *fds, unsigned count)
{
    f->server.is_held = true;
    unsigned before = held_count(f);
    for (unsigned i = 0; i < count; i++) {
        fds[i] = connect_from(f, address);
        http_client_send_get(fds[i], download);
        await_held(f, before + i + 1);
    }
}

static void
test_readiness_is_told_whatever_others_hold(void **state)
{
    http_fixture *f = *state;
    int held[6];
    uint64_t before = metrics_get(METRICS_http_busy);
    serve(f, &wide);
    http_server_set_ready(f->http, true);
    hold_all(f, "127.0.0.2", held, 3);
    hold_all(f, "127.0.0.3", held + 3, 3);
    for (int i = 0; i < 20; i++) {
        // All connections are taken, and these come from where as many are held.
        static const char *const paths[] = {"/healthz", "/readyz"};
        int fd = connect_from(f, i < 10 ? "127.0.0.2" : "127.0.0.3");
        http_client_send_get(fd, paths[i % 2]);
        http_answer answer = http_client_receive(fd, false);
        assert_int_equal(answer.status, 200);
        assert_string_equal(http_client_find_header(&answer, "Connection"), "close");
        http_answer_fini(&answer);
        expect_end(fd);
        fd = connect_from(f, "127.0.0.2");
        http_client_send_get(fd, "/api/v1/recordings");
        answer = http_client_receive(fd, false);
        assert_int_equal(answer.status, 503);
        assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
        http_answer_fini(&answer);
        expect_end(fd);
    }
    assert_int_equal(metrics_get(METRICS_http_busy), before + 20);
    assert_int_equal(held_count(f), 6); // none of them was cut
    // Somebody else gets a place of one of them.
    int fd = connect_from(f, "127.0.0.4");
    expect_answer(fd, "/api/v1/recordings", 200);
    await_held(f, 5);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(close(held[i]), 0);
    }
    await_held(f, 0);
}

static void
test_silent_connections_keep_nobody_out(void **state)
{
    enum { SILENT = 40 };
    http_fixture *f = *state;
    int silent[SILENT];
    uint64_t before = metrics_get(METRICS_http_connections_cut_address);
    serve(f, &wide);
    for (int i = 0; i < SILENT; i++) {
        silent[i] = connect_from(f, "127.0.0.2");
    }
    int fd = connect_from(f, "127.0.0.2"); // even from there
    expect_answer(fd, "/api/v1/recordings", 200);
    assert_int_equal(close(fd), 0);
    await_metric(METRICS_http_connections_cut_address, before + SILENT - 3);
    for (int i = 0; i < SILENT - 3; i++) {
        expect_end(silent[i]);
    }
    for (int i = SILENT - 3; i < SILENT; i++) {
        assert_int_equal(close(silent[i]), 0);
    }
}

// --- The log, and a kernel that has no room to watch a descriptor

static atomic_int asked_in_log; // a connection on which the log asks; -1: none
static atomic_int answered_in_log;
static atomic_bool has_no_watches;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
int __wrap_epoll_ctl(int poll_fd, int operation, int fd, struct epoll_event *event);
int __real_epoll_ctl(int poll_fd, int operation, int fd, struct epoll_event *event);
void __wrap_lp_log(lp_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

int
__wrap_epoll_ctl(int poll_fd, int operation, int fd, struct epoll_event *event)
{
    if (operation == EPOLL_CTL_ADD && atomic_load(&has_no_watches)) {
        errno = ENOSPC;
        return -1;
    }
    return __real_epoll_ctl(poll_fd, operation, fd, event);
}

// A log that is slow: in it a request is made on a connection that is open, and answered.
void
__wrap_lp_log(lp_log_level level, const char *format, ...)
{
    (void)level;
    int fd = strncmp(format, "closed an HTTP", 14) == 0 ? atomic_exchange(&asked_in_log, -1) : -1;
    if (fd >= 0) {
        http_client_send_get(fd, "/healthz");
        http_answer answer = http_client_receive(fd, false);
        atomic_store(&answered_in_log, answer.status);
        http_answer_fini(&answer);
    }
}

static void
test_a_line_in_the_log_holds_nobody_up(void **state)
{
    enum { SILENT = 5 };
    http_fixture *f = *state;
    int silent[SILENT];
    serve(f, &wide);
    int fd = connect_from(f, "127.0.0.3");
    expect_answer(fd, "/healthz", 200);
    atomic_store(&asked_in_log, fd);
    for (int i = 0; i < SILENT; i++) {
        silent[i] = connect_from(f, "127.0.0.2");
    }
    while (atomic_load(&answered_in_log) == 0) { // ctest's time limit ends it
        (void)usleep(1000);
    }
    assert_int_equal(atomic_load(&answered_in_log), 200);
    assert_int_equal(close(fd), 0);
    for (int i = 0; i < SILENT; i++) {
        assert_int_equal(close(silent[i]), 0);
    }
}

static void
test_one_that_cannot_be_watched_is_not_let_in(void **state)
{
    http_fixture *f = *state;
    uint64_t before = metrics_get(METRICS_http_connections_cut_no_memory);
    http_listener *listener;
    serve(f, &wide);
    atomic_store(&has_no_watches, true);
    int fd = http_client_connect(f->port);
    expect_end(fd);
    assert_int_equal(metrics_get(METRICS_http_connections_cut_no_memory), before + 1);
    assert_int_equal(
        http_listener_create(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), &wide, &listener),
        LP_EIO);
    atomic_store(&has_no_watches, false);
    fd = http_client_connect(f->port);
    expect_answer(fd, "/healthz", 200);
    assert_int_equal(close(fd), 0);
}

int
main(void)
{
    atomic_store(&asked_in_log, -1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_client_that_leaves_is_not_waited_for),
        TEST(test_a_client_that_is_gone_before_it_is_heard),
        TEST(test_a_removal_goes_on),
        TEST(test_slow_heads_and_bodies_end),
        TEST(test_who_rests_too_long_ends),
        TEST(test_who_takes_an_answer_too_slowly_ends),
        TEST(test_readiness_is_told_whatever_others_hold),
        TEST(test_silent_connections_keep_nobody_out),
        TEST(test_a_line_in_the_log_holds_nobody_up),
        TEST(test_one_that_cannot_be_watched_is_not_let_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
