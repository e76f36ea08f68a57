// SPDX-License-Identifier: Apache-2.0
// The probe calls an HTTP server what begins its answer as HTTP says, and nothing else: not a
// collector, not one that hangs up, not an address at which nobody is. It can be used again.

#include "agent/ship/dial/ship_absence.h"
#include "agent/ship/ship_thread.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 60 * 1000 };

static uint16_t port;
static int listener;
static int wake_fd;

// bind_listener takes a port at which nobody answers yet.
static void
bind_listener(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    port = ntohs(address.sin_port);
}

static void
open_listener(void)
{
    bind_listener();
    assert_int_equal(listen(listener, 8), 0);
}

// step_until_asked steps at each wake until the question lies on the connection. A wake may be for
// nothing, so one step need not be enough.
static void
step_until_asked(ship_probe *probe, int connection)
{
    struct pollfd asked[] = {{connection, POLLIN, 0}, {wake_fd, POLLIN, 0}};
    while (asked[0].revents == 0) {
        uint64_t count;
        assert_true(poll(asked, 2, LONG_MS) > 0);
        if (asked[1].revents != 0) {
            assert_int_equal(read(wake_fd, &count, sizeof(count)), sizeof(count));
            assert_int_equal(ship_probe_step(probe), SHIP_PROBE_BUSY);
        }
    }
}

// serve takes the question and gives an answer.
static void
serve(ship_probe *probe, const void *answer, size_t size)
{
    char question[64] = "";
    struct pollfd dialled = {listener, POLLIN, 0};
    assert_int_equal(poll(&dialled, 1, LONG_MS), 1);
    int connection = accept(listener, NULL, NULL);
    assert_true(connection >= 0);
    if (size > 0) {
        step_until_asked(probe, connection);
        assert_true(read(connection, question, sizeof(question) - 1) > 0);
        assert_memory_equal(question, "HEAD / HTTP/1.", 14);
        assert_int_equal(send(connection, answer, size, MSG_NOSIGNAL), size);
    }
    assert_int_equal(close(connection), 0);
}

static ship_probe_state
step_to_end(ship_probe *probe)
{
    ship_probe_state found;
    while ((found = ship_probe_step(probe)) == SHIP_PROBE_BUSY) {
        struct pollfd woken = {wake_fd, POLLIN, 0};
        uint64_t count;
        assert_int_equal(poll(&woken, 1, LONG_MS), 1);
        assert_int_equal(read(wake_fd, &count, sizeof(count)), sizeof(count));
    }
    return found;
}

// ask begins with a wake for nothing: the last one of the answer before may come as late as this.
static void
ask(ship_probe *probe)
{
    char url[64];
    ship_wake(wake_fd);
    (void)snprintf(url, sizeof(url), "tcp://127.0.0.1:%d", port);
    ship_probe_start(probe, url, wake_fd);
    ship_probe_start(probe, url, wake_fd); // it asks already
}

static void
test_only_http_is_http(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        size_t size;
        ship_probe_state found;
    } cases[] = {
        {"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", 47, SHIP_PROBE_HTTP},
        {"\0SP\0\0\x31\0\0", 8, SHIP_PROBE_OTHER},
        {"", 0, SHIP_PROBE_OTHER},
        {"HTTP", 4, SHIP_PROBE_OTHER},
        {"http/1.1", 8, SHIP_PROBE_OTHER},
        {"HTTP/1.0 404 Not Found\r\n\r\n", 26, SHIP_PROBE_HTTP},
    };
    static ship_probe probe;
    open_listener();
    assert_int_equal(ship_probe_step(&probe), SHIP_PROBE_IDLE);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ask(&probe);
        serve(&probe, cases[i].answer, cases[i].size);
        assert_int_equal(step_to_end(&probe), cases[i].found);
        assert_int_equal(ship_probe_step(&probe), SHIP_PROBE_IDLE);
    }
    (void)close(listener);
}

static void
test_nobody_is_not_http(void **state)
{
    (void)state;
    static ship_probe probe;
    bind_listener();
    ask(&probe);
    assert_int_equal(step_to_end(&probe), SHIP_PROBE_OTHER);
    (void)close(listener);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_http_is_http),
        cmocka_unit_test(test_nobody_is_not_http),
    };
    wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return cmocka_run_group_tests_name("ship_probe", tests, NULL, NULL);
}
