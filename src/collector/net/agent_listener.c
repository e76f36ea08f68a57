// SPDX-License-Identifier: Apache-2.0

#include "collector/net/agent_listener.h"

#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "collector/base/tcp_listen.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    ACCEPTS_PER_TURN_MAX = 16, // before existing connections get their turn
    BACKLOG = 512,             // connections that wait to be accepted
    // TCP probes a silent connection after 15 s, and closes it after three unanswered probes.
    KEEP_IDLE_S = 15,
    KEEP_INTERVAL_S = 10,
    KEEP_COUNT = 3,
};
_Static_assert(
    (KEEP_IDLE_S + KEEP_INTERVAL_S * KEEP_COUNT) * 1000 == (int)AGENT_LISTENER_GONE_MS_MAX,
    "keep-alive and TCP_USER_TIMEOUT take the same time");

static const char tls_tcp[] = "tls+tcp://";

// --- Accepting

static void on_readable(uv_poll_t *poll, int status, int events);

static void
resume(uv_timer_t *timer)
{
    agent_listener *self = timer->data;
    LP_ASSERT(self->is_open && self->fd >= 0);
    (void)uv_poll_start(&self->poll, UV_READABLE, on_readable); // fails only on a closed handle
}

static void
pause_accepting(agent_listener *self, const char *reason)
{
    LP_ASSERT(self->is_open && reason[0] != '\0');
    metrics_add(METRICS_agent_accepts_paused, 1);
    if (uv_now(self->pause.loop) >= self->log_ms) {
        self->log_ms = uv_now(self->pause.loop) + TCP_LISTEN_PAUSE_LOG_MS;
        lp_log(LP_LOG_ERROR,
            "no more agents can connect for now: %s; raise the limit of open files (ulimit -n)",
            reason);
    }
    (void)uv_poll_stop(&self->poll);
    (void)uv_timer_start(&self->pause, resume, TCP_LISTEN_PAUSE_MS, 0);
}

// accept_one returns whether another connection may be waiting.
static bool
accept_one(agent_listener *self)
{
    LP_ASSERT(self->is_open && self->fd >= 0);
    struct sockaddr_storage address = {0};
    socklen_t size;
    int fd;
    switch (tcp_listen_accept(self->fd, &address, &size, &fd)) {
    case TCP_ACCEPTED_ONE:
        break;
    case TCP_ACCEPTED_NO_ROOM:
        pause_accepting(self, strerror(errno));
        return false;
    case TCP_ACCEPTED_NONE:
        return false;
    case TCP_ACCEPTED_GONE:
        return true;
    }
    if (!self->on_accepted(self->arg, fd, peers_of_address((const struct sockaddr *)&address))) {
        pause_accepting(self, "the remaining descriptors are reserved for HTTP and files");
        return false;
    }
    return true;
}

static void
on_readable(uv_poll_t *poll, int status, int events)
{
    agent_listener *self = poll->data;
    (void)status; // accept4 returns the error, too
    (void)events;
    for (int i = 0; i < ACCEPTS_PER_TURN_MAX && self->is_open && accept_one(self); i++) {
    }
}

// --- The end

static void
close_socket(agent_listener *self)
{
    if (self->fd >= 0) {
        (void)close(self->fd);
        self->fd = -1;
    }
    if (self->path != NULL) {
        (void)unlink(self->path);
    }
    LP_ASSERT(self->fd < 0);
}

void
agent_listener_stop(agent_listener *self)
{
    if (self->is_open) {
        self->is_open = false;
        uv_close((uv_handle_t *)&self->poll, NULL);
        uv_close((uv_handle_t *)&self->pause, NULL);
        close_socket(self);
    }
}

void
agent_listener_fini(agent_listener *self)
{
    LP_ASSERT(!self->is_open && self->fd < 0);
    free(self->url);
    free(self->path);
    self->url = NULL;
    self->path = NULL;
}

// --- Listening

// set_options sets options of the listening socket, which every accepted connection inherits.
static int
set_options(int fd)
{
    static const struct {
        int level;
        int name;
        int value;
    } options[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE_S},
        {IPPROTO_TCP, TCP_KEEPINTVL, KEEP_INTERVAL_S},
        {IPPROTO_TCP, TCP_KEEPCNT, KEEP_COUNT},
        {IPPROTO_TCP, TCP_USER_TIMEOUT, AGENT_LISTENER_GONE_MS_MAX},
    };
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        LP_REQUIRE(setsockopt(fd, options[i].level, options[i].name, &options[i].value,
                       sizeof(options[i].value)) == 0,
            -1);
    }
    return 0;
}

static lp_err
listen_tcp(agent_listener *self, const agent_listener_config *config, const char *address,
    lp_problem *out_problem)
{
    LP_ASSERT(self->fd < 0 && self->path == NULL);
    const char *url = config->url;
    uint16_t port;
    bool is_any = strncmp(address, "*:", 2) == 0;
    const tcp_listen_config at = {
        .address = is_any ? address + 1 : address,
        .name = url,
        // As NNG does: skip addresses of a family that the machine has no address of. So both
        // sides choose the same address of localhost.
        .name_flags = AI_ADDRCONFIG,
        .is_local = config->is_local,
    };
    LP_TRY(tcp_listen_open(&at, &self->fd, &port, out_problem));
    LP_REQUIRE(set_options(self->fd) == 0,
        lp_problem_set(out_problem, LP_EIO, "cannot listen on '%s': %s", url, strerror(errno)));
    if (asprintf(&self->url, "%.*s:%u", (int)(strrchr(url, ':') - url), url, port) < 0) {
        self->url = NULL;
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    return LP_OK;
}

static bool
is_stale(const struct sockaddr_un *address)
{
    struct stat info;
    LP_REQUIRE(lstat(address->sun_path, &info) == 0 && S_ISSOCK(info.st_mode), false);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_refused = fd >= 0 &&
                      connect(fd, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
                      errno == ECONNREFUSED;
    if (fd >= 0) {
        (void)close(fd);
    }
    return is_refused;
}

static int
bind_unix(int fd, const struct sockaddr_un *address)
{
    if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) == 0) {
        return 0;
    }
    LP_REQUIRE(errno == EADDRINUSE, -1);
    if (!is_stale(address)) {
        errno = EADDRINUSE;
        return -1;
    }
    (void)unlink(address->sun_path);
    return bind(fd, (const struct sockaddr *)address, sizeof(*address));
}

static lp_err
listen_unix(agent_listener *self, const char *url, const char *path, lp_problem *out_problem)
{
    LP_ASSERT(self->fd < 0 && self->path == NULL);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strlen(path);
    LP_REQUIRE(size != 0 && size < sizeof(address.sun_path),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "'%s': the path of a Unix socket has 1 to %zu bytes", url,
            sizeof(address.sun_path) - 1));
    memcpy(address.sun_path, path, size);
    self->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    LP_REQUIRE(self->fd >= 0 && bind_unix(self->fd, &address) == 0,
        lp_problem_set(out_problem, LP_EIO, "cannot listen on '%s': %s", url, strerror(errno)));
    self->path = strdup(path);
    self->url = strdup(url);
    LP_REQUIRE(self->path != NULL && self->url != NULL,
        lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    LP_REQUIRE(listen(self->fd, BACKLOG) == 0,
        lp_problem_set(out_problem, LP_EIO, "cannot listen on '%s': %s", url, strerror(errno)));
    return LP_OK;
}

static lp_err
listen_on(agent_listener *self, const agent_listener_config *config, lp_problem *out_problem)
{
    const char *url = config->url;
    static const char tcp[] = "tcp://";
    static const char ipc[] = "ipc://";
    if (strncmp(url, tcp, strlen(tcp)) == 0) {
        return listen_tcp(self, config, url + strlen(tcp), out_problem);
    }
    if (agent_listener_is_tls(url)) {
        return listen_tcp(self, config, url + strlen(tls_tcp), out_problem);
    }
    if (strncmp(url, ipc, strlen(ipc)) == 0) {
        return listen_unix(self, url, url + strlen(ipc), out_problem);
    }
    return lp_problem_set(out_problem, LP_ECORRUPT,
        "'%s' is not an address for agents: use tcp://HOST:PORT, tls+tcp://HOST:PORT or "
        "ipc://PATH",
        url);
}

static lp_err
open_socket(agent_listener *self, const agent_listener_config *config, lp_problem *out_problem)
{
    LP_TRY(listen_on(self, config, out_problem));
    LP_ASSERT(self->fd >= 0 && self->url != NULL);
    int failure = uv_poll_init(config->loop, &self->poll, self->fd);
    return failure == 0 ? LP_OK
                        : lp_problem_set(out_problem, LP_EIO, "cannot listen on '%s': %s",
                              config->url, uv_strerror(failure));
}

lp_err
agent_listener_start(
    agent_listener *self, const agent_listener_config *config, lp_problem *out_problem)
{
    LP_ASSERT(config->on_accepted != NULL);
    *self = (agent_listener){.fd = -1, .on_accepted = config->on_accepted, .arg = config->arg};
    lp_err err = open_socket(self, config, out_problem);
    if (err != LP_OK) {
        close_socket(self);
        agent_listener_fini(self);
        return err;
    }
    (void)uv_timer_init(config->loop, &self->pause); // cannot fail
    self->poll.data = self;
    self->pause.data = self;
    self->is_open = true;
    resume(&self->pause);
    return LP_OK;
}

sp_transport
agent_listener_get_transport(const agent_listener *self)
{
    LP_ASSERT(self->is_open);
    return self->path != NULL ? SP_UNIX : SP_TCP;
}

bool
agent_listener_is_tls(const char *url)
{
    return strncmp(url, tls_tcp, strlen(tls_tcp)) == 0;
}
