// SPDX-License-Identifier: Apache-2.0

#include "unit/collector/net/sp_client.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOMENT_MS = 10 };

const uint8_t SP_CLIENT_GREETING[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};

int
sp_client_connect_from(const char *url, const char *from)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    static const int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), 0);
    assert_int_equal(inet_pton(AF_INET, from, &address.sin_addr), 1);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)strtoul(strrchr(url, ':') + 1, NULL, 10));
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static int
connect_unix(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

int
sp_client_connect(const char *url)
{
    if (strncmp(url, "ipc://", 6) == 0) {
        return connect_unix(url + 6);
    }
    return sp_client_connect_from(url, "127.0.0.1");
}

rlim_t
sp_client_limit_descriptors(rlim_t count)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

static void
on_moment(uv_timer_t *timer)
{
    (void)timer;
}

static void
on_closed(uv_handle_t *timer)
{
    free(timer);
}

void
sp_client_turn(uv_loop_t *loop)
{
    uv_timer_t *moment = malloc(sizeof(*moment));
    assert_non_null(moment);
    (void)uv_timer_init(loop, moment);
    (void)uv_timer_start(moment, on_moment, MOMENT_MS, 0);
    (void)uv_run(loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)moment, on_closed);
    (void)uv_run(loop, UV_RUN_NOWAIT);
}

void
sp_client_send(uv_loop_t *loop, int fd, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    for (size_t sent = 0; sent < size;) {
        ssize_t count = send(fd, from + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0) {
            sent += (size_t)count;
        } else {
            assert_int_equal(errno, EAGAIN);
            sp_client_turn(loop);
        }
    }
}

bool
sp_client_receive(uv_loop_t *loop, int fd, void *out, size_t size)
{
    uint8_t *to = out;
    size_t got = 0;
    while (got < size) {
        ssize_t count;
        SP_CLIENT_AWAIT(
            loop, (count = recv(fd, to + got, size - got, MSG_DONTWAIT)) >= 0 || errno != EAGAIN);
        if (count <= 0) {
            return false;
        }
        got += (size_t)count;
    }
    return true;
}

int
sp_client_greet(uv_loop_t *loop, const char *url)
{
    static const uint8_t replier[] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};
    uint8_t greeting[sizeof(replier)];
    int fd = sp_client_connect(url);
    sp_client_send(loop, fd, SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING));
    assert_true(sp_client_receive(loop, fd, greeting, sizeof(greeting)));
    assert_memory_equal(greeting, replier, sizeof(replier));
    return fd;
}

void
sp_client_ask(uv_loop_t *loop, int fd, uint32_t id, uint8_t mark, size_t size_bytes)
{
    uint32_t size = htonl((uint32_t)(sizeof(id) + size_bytes));
    uint8_t *message = calloc(1, 12 + size_bytes);
    assert_non_null(message);
    id = htonl(id | UINT32_C(1) << 31);
    memcpy(message + 4, &size, sizeof(size));
    memcpy(message + 8, &id, sizeof(id));
    memset(message + 12, mark, size_bytes);
    sp_client_send(loop, fd, message, 12 + size_bytes);
    free(message);
}

void
sp_client_await_end(uv_loop_t *loop, int fd)
{
    uint8_t bytes[4096];
    ssize_t count;
    do {
        SP_CLIENT_AWAIT(
            loop, (count = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) >= 0 || errno != EAGAIN);
    } while (count > 0);
    assert_int_equal(close(fd), 0);
}

void
sp_client_reset(int fd)
{
    const struct linger at_once = {.l_onoff = 1};
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    assert_int_equal(close(fd), 0);
}

size_t
sp_client_count_descriptors(void)
{
    size_t count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL) {
        count++;
    }
    (void)closedir(dir);
    return count;
}
