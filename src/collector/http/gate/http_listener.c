// SPDX-License-Identifier: Apache-2.0
#include "collector/http/gate/http_listener.h"

#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "collector/base/tcp_listen.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    ACCEPTS_PER_TURN_MAX = 64, // then other events get their turn
    EVENTS_MAX = 64,
    // Unsent bytes that the kernel buffers for a connection: the cost of a slow reader.
    UNSENT_BYTES_MAX = 256 * 1024,
};

// epoll ids that no connection has.
static const uint64_t id_listening = UINT64_MAX;
static const uint64_t id_stopping = UINT64_MAX - 1;

// The last cut to log. It is noted under the gate's lock, and logged by the listener's thread
// without that lock.
typedef struct cut_note {
    pthread_mutex_t mutex; // guards the rest
    bool is_due;
    http_gate_limit limit;
    char address[PEERS_ADDRESS_BYTES];
    int64_t next_ms; // earliest time of the next note
} cut_note;

struct http_listener {
    int fd;
    int poll_fd;
    int stop_fd;
    http_gate *gate;
    bool (*take)(void *arg, int fd, const struct sockaddr *address, socklen_t size);
    void *arg;
    pthread_t thread;
    bool has_thread;
    int64_t check_ms;  // next check of the gate
    int64_t resume_ms; // when to accept again; 0: accepting now
    int64_t pause_log_ms;
    cut_note note;
};

// --- The gate's operations

static void
note_cut(cut_note *note, int fd, http_gate_limit limit)
{
    LP_ASSERT(limit <= HTTP_GATE_ANSWER_SLOW);
    int64_t now_ms = lp_time_mono_ms();
    (void)pthread_mutex_lock(&note->mutex);
    if (limit != HTTP_GATE_IDLE && now_ms >= note->next_ms) { // browsers idle all the time
        struct sockaddr_storage address;
        note->is_due = true;
        note->limit = limit;
        note->next_ms = now_ms + HTTP_LISTENER_LOG_MS;
        peers_format_address(
            peers_find_address(fd, &address) ? (const struct sockaddr *)&address : NULL,
            note->address);
    }
    (void)pthread_mutex_unlock(&note->mutex);
}

// log_cut logs the noted cut, if there is one.
static void
log_cut(cut_note *note)
{
    static const char *const why[] = {
        [HTTP_GATE_ADDRESS] = "its address reached its limit of connections",
        [HTTP_GATE_CONNECTIONS] = "all connections are in use, most of them by its address",
        [HTTP_GATE_RESERVED] = "all connections are in use, including those reserved for /readyz",
        [HTTP_GATE_HEAD_SLOW] = "the head of its request took too long",
        [HTTP_GATE_BODY_SLOW] = "the body of its request took too long",
        [HTTP_GATE_IDLE] = "it was idle",
        [HTTP_GATE_ANSWER_SLOW] = "it takes its answer too slowly",
    };
    char address[PEERS_ADDRESS_BYTES];
    (void)pthread_mutex_lock(&note->mutex);
    bool is_due = note->is_due;
    http_gate_limit limit = note->limit;
    memcpy(address, note->address, sizeof(address));
    note->is_due = false;
    (void)pthread_mutex_unlock(&note->mutex);
    if (is_due) {
        lp_log(LP_LOG_WARN, "closed an HTTP connection of %s: %s", address, why[limit]);
    }
}

static void
cut(void *arg, int fd, http_gate_limit limit)
{
    LP_ASSERT(fd >= 0);
    http_listener *self = arg;
    note_cut(&self->note, fd, limit);
    // Unsent bytes are dropped instead of waiting in the kernel.
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (limit == HTTP_GATE_ANSWER_SLOW) {
        (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    }
    (void)shutdown(fd, SHUT_RDWR);
}

static bool
measure(void *arg, int fd, http_gate_bytes *out_bytes)
{
    (void)arg;
    struct tcp_info info = {0};
    socklen_t size = sizeof(info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
        size < offsetof(struct tcp_info, tcpi_notsent_bytes) + sizeof(info.tcpi_notsent_bytes)) {
        return false;
    }
    *out_bytes = (http_gate_bytes){.received = info.tcpi_bytes_received,
        .taken = info.tcpi_bytes_acked,
        .is_waiting = info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0};
    return true;
}

// --- The thread

// watch returns whether epoll watches fd. If not, errno says why: no memory, or
// fs.epoll.max_user_watches.
static bool
watch(const http_listener *self, int fd, uint32_t events, uint64_t id)
{
    LP_ASSERT(fd >= 0 && self->poll_fd >= 0);
    struct epoll_event event = {.events = events, .data.u64 = id};
    return epoll_ctl(self->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

// listen_for changes the watched events of the listening socket.
static void
listen_for(const http_listener *self, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = id_listening};
    int result = epoll_ctl(self->poll_fd, EPOLL_CTL_MOD, self->fd, &event);
    LP_ASSERT(result == 0); // the kernel allocates nothing for it
}

// put_off stops accepting for ms.
static void
put_off(http_listener *self, int64_t ms)
{
    LP_ASSERT(ms > 0);
    self->resume_ms = lp_time_mono_ms() + ms;
    listen_for(self, 0);
}

// log_refusal logs a fault and its reason, at most once in TCP_LISTEN_PAUSE_LOG_MS.
static void
log_refusal(http_listener *self, const char *fault, const char *reason)
{
    int64_t now_ms = lp_time_mono_ms();
    if (now_ms >= self->pause_log_ms) {
        self->pause_log_ms = now_ms + TCP_LISTEN_PAUSE_LOG_MS;
        lp_log(LP_LOG_ERROR, "%s: %s", fault, reason);
    }
}

static void
let_in(http_listener *self, int fd, const struct sockaddr *address, socklen_t size)
{
    LP_ASSERT(fd >= 0 && self->take != NULL);
    uint64_t id;
    if (!http_gate_admit(self->gate, fd, address, lp_time_mono_ms(), &id)) {
        (void)close(fd);
        return;
    }
    if (!watch(self, fd, EPOLLRDHUP | EPOLLET, id)) {
        log_refusal(self, "closed an HTTP connection: cannot watch it with epoll", strerror(errno));
        metrics_add(METRICS_http_connections_cut_no_memory, 1);
        http_gate_leave(self->gate, fd);
        (void)close(fd);
        return;
    }
    if (!self->take(self->arg, fd, address, size)) { // which closed fd
        http_gate_leave(self->gate, fd);
    }
}

static void
accept_some(http_listener *self)
{
    for (int i = 0; i < ACCEPTS_PER_TURN_MAX; i++) {
        if (http_gate_is_crowded(self->gate)) {
            put_off(self, HTTP_LISTENER_CROWD_MS);
            return;
        }
        struct sockaddr_storage address = {0};
        socklen_t size;
        int fd;
        switch (tcp_listen_accept(self->fd, &address, &size, &fd)) {
        case TCP_ACCEPTED_ONE:
            let_in(self, fd, (const struct sockaddr *)&address, size);
            break;
        case TCP_ACCEPTED_NO_ROOM:
            log_refusal(self, "not accepting HTTP connections for now", strerror(errno));
            metrics_add(METRICS_http_accepts_paused, 1);
            put_off(self, TCP_LISTEN_PAUSE_MS);
            return;
        case TCP_ACCEPTED_NONE:
            return;
        case TCP_ACCEPTED_GONE:
            break;
        }
    }
}

// look does the due work. Returns the ms until the next work, -1: none.
static int
look(http_listener *self)
{
    log_cut(&self->note);
    int64_t now_ms = lp_time_mono_ms();
    if (self->resume_ms > 0 && now_ms >= self->resume_ms) {
        self->resume_ms = 0;
        listen_for(self, EPOLLIN);
    }
    if (now_ms >= self->check_ms) {
        size_t count = http_gate_check(self->gate, now_ms);
        log_cut(&self->note);
        self->check_ms = now_ms + (int64_t)lp_time_scale_ms(HTTP_LISTENER_CHECK_MS);
        LP_REQUIRE(count != 0 || self->resume_ms != 0, -1);
    }
    bool is_next = self->resume_ms > 0 && self->resume_ms < self->check_ms;
    return (int)((is_next ? self->resume_ms : self->check_ms) - now_ms);
}

static void *
run(void *arg)
{
    http_listener *self = arg;
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int count = epoll_wait(self->poll_fd, events, EVENTS_MAX, look(self));
        bool is_asked = false;
        for (int i = 0; i < count; i++) {
            LP_REQUIRE(events[i].data.u64 != id_stopping, NULL);
            if (events[i].data.u64 == id_listening) {
                is_asked = true;
            } else {
                http_gate_note_gone(self->gate, events[i].data.u64);
            }
        }
        if (is_asked) {
            accept_some(self);
        }
    }
}

// --- Life

http_gate *
http_listener_get_gate(http_listener *self)
{
    LP_ASSERT(self->gate != NULL);
    return self->gate;
}

lp_err
http_listener_create(int fd, const http_gate_limits *limits, http_listener **out_listener)
{
    LP_ASSERT(fd >= 0);
    static const int unsent = UNSENT_BYTES_MAX;
    http_listener *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    (void)pthread_mutex_init(&self->note.mutex, NULL); // Linux's cannot fail
    self->fd = fd;
    self->gate =
        http_gate_create(limits, &(http_gate_ops){.cut = cut, .measure = measure, .arg = self});
    self->poll_fd = epoll_create1(EPOLL_CLOEXEC);
    self->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (self->gate == NULL || self->poll_fd < 0 || self->stop_fd < 0) {
        lp_err err = self->gate == NULL ? LP_ENOMEM : LP_EIO;
        http_listener_destroy(self);
        return err;
    }
    // Accepted connections inherit it. If setting it fails, connections only cost more memory.
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof(unsent));
    if (!watch(self, fd, EPOLLIN, id_listening) ||
        !watch(self, self->stop_fd, EPOLLIN, id_stopping)) {
        http_listener_destroy(self);
        return LP_EIO;
    }
    *out_listener = self;
    return LP_OK;
}

lp_err
http_listener_start(http_listener *self,
    bool (*take)(void *arg, int fd, const struct sockaddr *address, socklen_t size), void *arg)
{
    LP_ASSERT(!self->has_thread && self->fd >= 0 && take != NULL);
    self->take = take;
    self->arg = arg;
    self->has_thread = pthread_create(&self->thread, NULL, run, self) == 0;
    return self->has_thread ? LP_OK : LP_ENOMEM;
}

void
http_listener_stop(http_listener *self)
{
    if (self == NULL || !self->has_thread) {
        return;
    }
    static const uint64_t one = 1;
    ssize_t size = write(self->stop_fd, &one, sizeof(one));
    LP_ASSERT(size == (ssize_t)sizeof(one)); // it was 0
    (void)pthread_join(self->thread, NULL);
    self->has_thread = false;
    (void)close(self->fd); // connecting now fails at once
    self->fd = -1;
}

void
http_listener_destroy(http_listener *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(!self->has_thread);
    const int fds[] = {self->fd, self->poll_fd, self->stop_fd};
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        if (fds[i] >= 0) {
            (void)close(fds[i]);
        }
    }
    http_gate_destroy(self->gate);
    (void)pthread_mutex_destroy(&self->note.mutex);
    free(self);
}
