// SPDX-License-Identifier: Apache-2.0

// Addresses that agents can and cannot connect to, the options of TCP, and what happens without
// descriptors: connections wait, the loop is idle, the rest of the program has descriptors, and
// accepting resumes by itself.

#include "support/temp_dir.h"
#include "unit/collector/net/sp_client.h"

#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "collector/net/agent_listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

enum { ACCEPTED_MAX = 100 };

typedef struct fixture {
    uv_loop_t loop;
    agent_listener listener;
    int accepted[ACCEPTED_MAX];
    size_t count;
    bool is_full; // accepts no more
} fixture;

static bool
on_accepted(void *arg, int fd, uint64_t peer)
{
    assert_true(peer != PEERS_NONE);
    fixture *f = arg;
    if (f->is_full) {
        assert_int_equal(close(fd), 0);
        return false;
    }
    assert_true(f->count < ACCEPTED_MAX);
    f->accepted[f->count++] = fd;
    return true;
}

static lp_err
start(fixture *f, const char *url, lp_problem *out_problem)
{
    const agent_listener_config config = {
        .loop = &f->loop, .url = url, .on_accepted = on_accepted, .arg = f};
    return agent_listener_start(&f->listener, &config, out_problem);
}

static void
start_ok(fixture *f, const char *url)
{
    lp_problem problem;
    if (start(f, url, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
}

static void
close_accepted(fixture *f)
{
    while (f->count > 0) {
        assert_int_equal(close(f->accepted[--f->count]), 0);
    }
}

static void
stop(fixture *f)
{
    agent_listener_stop(&f->listener);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    agent_listener_fini(&f->listener);
    close_accepted(f);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(uv_loop_init(&f->loop), 0);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    assert_int_equal(uv_loop_close(&f->loop), 0);
    free(f);
    return 0;
}

static void
test_addresses(void **state)
{
    // Port 0 is replaced by the actual port.
    static const char *const good[] = {
        "tcp://127.0.0.1:", "tcp://localhost:", "tcp://*:", "tcp://:", "tcp://0.0.0.0:"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char url[100];
        (void)snprintf(url, sizeof(url), "%s0", good[i]);
        start_ok(f, url);
        assert_int_equal(strncmp(f->listener.url, good[i], strlen(good[i])), 0);
        unsigned long port = strtoul(f->listener.url + strlen(good[i]), NULL, 10);
        assert_in_range(port, 1, 65535);
        assert_int_equal(agent_listener_get_transport(&f->listener), SP_TCP);
        stop(f);
    }
}

static void
test_ipv6(void **state)
{
    static const char *const urls[] = {"tcp://[::1]:0", "tcp://[::]:0"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        lp_problem problem;
        if (start(f, urls[i], &problem) != LP_OK) {
            print_message("no IPv6 here: %s\n", problem.text);
            skip();
        }
        struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
        address.sin6_port = htons((uint16_t)strtoul(strrchr(f->listener.url, ':') + 1, NULL, 10));
        int fd = socket(AF_INET6, SOCK_STREAM, 0);
        assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
        SP_CLIENT_AWAIT(&f->loop, f->count == 1);
        assert_int_equal(close(fd), 0);
        if (i == 1) { // all addresses, IPv4 included
            fd = sp_client_connect(f->listener.url);
            SP_CLIENT_AWAIT(&f->loop, f->count == 2);
            assert_int_equal(close(fd), 0);
        }
        stop(f);
    }
}

static void
test_addresses_that_are_none(void **state)
{
    static const char *const bad[] = {"", "nonsense", "127.0.0.1:7411", "tcp://", "tcp://localhost",
        "tcp://127.0.0.1:", "tcp://127.0.0.1:65536", "tcp://::1:7411", "tcp://300.0.0.1:1",
        "ws://127.0.0.1:7411", "wss://127.0.0.1:7411", "tls+tcp://", "tls+ws://127.0.0.1:7411",
        "inproc://x", "abstract://x", "ipc://"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lp_problem problem;
        assert_int_equal(start(f, bad[i], &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, bad[i]));
    }
    start_ok(f, "tcp://127.0.0.1:0");
    fixture other = {.loop = f->loop};
    lp_problem problem;
    assert_int_equal(start(&other, f->listener.url, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "Address already in use"));
    stop(f);
}

static void
test_unix_sockets(void **state)
{
    fixture *f = *state;
    temp_dir dir = temp_dir_make();
    char path[300];
    char url[400];
    lp_problem problem;
    (void)snprintf(path, sizeof(path), "%s/agents", dir.path);
    (void)snprintf(url, sizeof(url), "ipc://%s", path);

    // A socket that a killed collector has left is replaced.
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    int left = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(left, (const struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(close(left), 0);
    start_ok(f, url);
    assert_string_equal(f->listener.url, url);
    assert_int_equal(agent_listener_get_transport(&f->listener), SP_UNIX);

    fixture other = {.loop = f->loop}; // one with a listener is not
    assert_int_equal(start(&other, url, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "Address already in use"));
    int fd = sp_client_connect(url);
    SP_CLIENT_AWAIT(&f->loop, f->count == 2); // with the probe of is_stale
    assert_int_equal(close(fd), 0);
    stop(f);
    assert_int_not_equal(access(path, F_OK), 0);

    FILE *file = fopen(path, "w"); // a file is not a socket
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(start(f, url, &problem), LP_EIO);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(start(f, "ipc:///nowhere/at/all", &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "No such file or directory"));
    temp_dir_remove(&dir);
}

static int
get_option(int fd, int level, int name)
{
    int value = -1;
    socklen_t size = sizeof(value);
    assert_int_equal(getsockopt(fd, level, name, &value, &size), 0);
    return value;
}

static void
test_tcp_looks_after_connections(void **state)
{
    fixture *f = *state;
    start_ok(f, "tcp://127.0.0.1:0");
    int peer = sp_client_connect(f->listener.url);
    SP_CLIENT_AWAIT(&f->loop, f->count == 1);
    int fd = f->accepted[0];
    assert_int_not_equal(get_option(fd, SOL_SOCKET, SO_KEEPALIVE), 0);
    assert_int_not_equal(get_option(fd, IPPROTO_TCP, TCP_NODELAY), 0);
    int gone_s =
        get_option(fd, IPPROTO_TCP, TCP_KEEPIDLE) +
        get_option(fd, IPPROTO_TCP, TCP_KEEPINTVL) * get_option(fd, IPPROTO_TCP, TCP_KEEPCNT);
    assert_in_range(gone_s, 10, 59); // within a minute
    assert_in_range(get_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT), 10000, 59000);
    assert_int_equal(close(peer), 0);
    stop(f);
}

static void
test_without_descriptors_it_waits(void **state)
{
    fixture *f = *state;
    start_ok(f, "tcp://127.0.0.1:0");
    uint64_t paused_before = metrics_get(METRICS_agent_accepts_paused);
    f->is_full = true;
    int peer = sp_client_connect(f->listener.url);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_accepts_paused) == paused_before + 1);
    assert_int_equal(f->count, 0);
    sp_client_await_end(&f->loop, peer);

    // Only its timer wakes the loop, however many want to connect.
    peer = sp_client_connect(f->listener.url);
    assert_false(uv_is_active((const uv_handle_t *)&f->listener.poll));
    assert_true(uv_is_active((const uv_handle_t *)&f->listener.pause));
    int fd = dup(STDIN_FILENO); // and others get descriptors
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);

    f->is_full = false;
    SP_CLIENT_AWAIT(&f->loop, f->count == 1);
    assert_int_equal(close(peer), 0);
    stop(f);
}

static void
test_without_any_descriptor_it_waits(void **state)
{
    fixture *f = *state;
    start_ok(f, "tcp://127.0.0.1:0");
    uint64_t paused_before = metrics_get(METRICS_agent_accepts_paused);
    int peer = sp_client_connect(f->listener.url);
    rlim_t before = sp_client_limit_descriptors(3);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_accepts_paused) == paused_before + 1);
    assert_false(uv_is_active((const uv_handle_t *)&f->listener.poll));
    (void)sp_client_limit_descriptors(before);
    SP_CLIENT_AWAIT(&f->loop, f->count == 1); // it waited in the kernel's queue
    assert_int_equal(close(peer), 0);
    stop(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_addresses),
        TEST(test_ipv6),
        TEST(test_addresses_that_are_none),
        TEST(test_unix_sockets),
        TEST(test_tcp_looks_after_connections),
        TEST(test_without_descriptors_it_waits),
        TEST(test_without_any_descriptor_it_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
