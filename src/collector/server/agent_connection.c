// SPDX-License-Identifier: Apache-2.0

#include "collector/server/agent_connection.h"

#include "common/base/lp_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void on_ready(uv_poll_t *poll, int status, int events);

static uint64_t
now(const agent_connection *self)
{
    return uv_now(self->owner->loop);
}

// update has the loop wait for what can be done next. A connection that is not read from is watched
// for its end, which reading would have shown.
static void
update(agent_connection *self)
{
    if (self->is_closed) {
        return;
    }
    bool is_reading = !self->is_stopped && !self->awaits_room && self->answers.len == 0 &&
                      self->unanswered < AGENT_CONNECTION_UNANSWERED_MAX;
    if (is_reading && !self->is_reading) {
        self->begun_ms = now(self);
    }
    self->is_reading = is_reading;
    int events = self->answers.len > 0 ? UV_WRITABLE : 0;
    if (is_reading) {
        events |= UV_READABLE;
    } else if (!self->is_stopped) {
        events |= UV_DISCONNECT;
    }
    if (events == self->events) {
        return;
    }
    self->events = events;
    if (events == 0) {
        (void)uv_poll_stop(&self->poll);
    } else {
        (void)uv_poll_start(&self->poll, events, on_ready); // fails only on a closed handle
    }
}

// --- The end

static void
on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void
agent_connection_close(agent_connection *self, metrics_id limit)
{
    if (self->is_closed) {
        return;
    }
    self->is_closed = true;
    self->is_reading = false;
    if (limit != METRICS_COUNT) {
        metrics_add(limit, 1);
    }
    self->owner->on_closing(self->owner->arg, self, limit);
    uv_close((uv_handle_t *)&self->poll, on_closed);
    (void)close(self->fd);
    sp_reader_fini(&self->reader);
    lp_buf_fini(&self->answers);
}

void
agent_connection_stop(agent_connection *self)
{
    self->is_stopped = true;
    update(self);
}

// is_in_the_way returns whether a message keeps its room from others and hardly comes. Where a line
// that all share is what is slow, each of them goes on: to close them all would let none through.
static bool
is_in_the_way(const agent_connection *self, uint64_t reading_ms)
{
    return self->reader.is_admitted && reading_ms > AGENT_CONNECTION_CROWDED_MS &&
           self->reader.count < AGENT_CONNECTION_CROWDED_BYTES_MIN * reading_ms;
}

// find_limit returns the limit that the connection is over; METRICS_COUNT: none.
static metrics_id
find_limit(const agent_connection *self, bool is_crowded)
{
    uint64_t reading_ms = now(self) - self->begun_ms;
    if (self->answers.len > 0) {
        return now(self) - self->answering_ms > (self->is_stopped ? AGENT_CONNECTION_STOP_MS_MAX
                                                                  : AGENT_CONNECTION_ANSWERS_MS_MAX)
                   ? METRICS_agent_connections_cut_answers_slow
                   : METRICS_COUNT;
    }
    if (!self->is_reading) {
        return METRICS_COUNT; // it waits for us
    }
    if (!self->reader.is_greeted) {
        return reading_ms > AGENT_CONNECTION_GREETING_MS_MAX
                   ? METRICS_agent_connections_cut_greeting_slow
                   : METRICS_COUNT;
    }
    if (sp_reader_is_amid(&self->reader)) {
        bool is_slow = reading_ms > AGENT_CONNECTION_MESSAGE_MS_MAX ||
                       (is_crowded && is_in_the_way(self, reading_ms));
        return is_slow ? METRICS_agent_connections_cut_message_slow : METRICS_COUNT;
    }
    return self->unanswered == 0 && now(self) - self->heard_ms > AGENT_CONNECTION_IDLE_MS_MAX
               ? METRICS_agent_connections_cut_idle
               : METRICS_COUNT;
}

void
agent_connection_look(agent_connection *self, bool is_crowded)
{
    metrics_id limit = find_limit(self, is_crowded);
    if (limit != METRICS_COUNT) {
        agent_connection_close(self, limit);
    }
}

// --- Reading

// What a connection did while it had its turn.
typedef struct turn {
    size_t messages;
    size_t bytes;
    bool is_drained; // there was less to read than there was room for
} turn;

static void
admit(agent_connection *self)
{
    self->begun_ms = now(self);
    if (sp_reader_admit(&self->reader) != LP_OK) {
        agent_connection_close(self, METRICS_agent_connections_cut_no_memory);
    }
}

void
agent_connection_admit(agent_connection *self)
{
    self->awaits_room = false;
    admit(self);
    update(self);
}

static void
on_announced(agent_connection *self)
{
    if (self->owner->has_room(self->owner->arg, self)) {
        admit(self);
    } else {
        self->awaits_room = true;
        update(self);
    }
}

static void
on_message(agent_connection *self, turn *done)
{
    done->messages++;
    self->unanswered++;
    self->heard_ms = now(self);
    self->begun_ms = self->heard_ms;
    update(self);
    self->owner->on_message(self->owner->arg, self, sp_reader_take(&self->reader));
}

// digest handles what the bytes so far have become.
static void
digest(agent_connection *self, turn *done)
{
    while (self->is_reading) {
        switch (sp_reader_next(&self->reader)) {
        case SP_WAITS:
            return;
        case SP_ANNOUNCED:
            on_announced(self);
            break;
        case SP_MESSAGE:
            on_message(self, done);
            break;
        case SP_FOREIGN:
            agent_connection_close(self, METRICS_agent_connections_cut_foreign);
            break;
        case SP_TOO_LARGE:
            agent_connection_close(self, METRICS_agent_connections_cut_message_large);
            break;
        case SP_NO_MEMORY:
            agent_connection_close(self, METRICS_agent_connections_cut_no_memory);
            break;
        }
    }
}

static void
read_some(agent_connection *self, turn *done)
{
    struct iovec pieces[SP_READER_PIECES];
    size_t room = 0;
    int count = sp_reader_get_room(&self->reader, pieces);
    LP_ASSERT(count > 0); // digest has left a reader that waits for bytes
    for (int i = 0; i < count; i++) {
        room += pieces[i].iov_len;
    }
    ssize_t got = readv(self->fd, pieces, count);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        done->is_drained = true;
        return;
    }
    if (got <= 0) {
        agent_connection_close(self, METRICS_COUNT);
        return;
    }
    if (self->reader.is_greeted && !sp_reader_is_amid(&self->reader)) {
        self->begun_ms = now(self);
    }
    sp_reader_fill(&self->reader, (size_t)got);
    done->bytes += (size_t)got;
    done->is_drained = (size_t)got < room;
}

static void
take_turn(agent_connection *self)
{
    turn done = {0};
    digest(self, &done); // a size that was read before the connection had to wait
    while (self->is_reading && !done.is_drained && done.messages < AGENT_CONNECTION_TURN_MAX &&
           done.bytes < AGENT_CONNECTION_TURN_BYTES_MAX) {
        read_some(self, &done);
        digest(self, &done);
    }
}

// --- Answers

void
agent_connection_end_request(agent_connection *self)
{
    LP_ASSERT(self->unanswered > 0);
    self->unanswered--;
    update(self);
}

// keep_rest has what is left of a message, of which sent_bytes are taken, wait.
static void
keep_rest(agent_connection *self, const struct iovec *pieces, int count, size_t sent_bytes)
{
    if (self->answers.len == 0) {
        self->answering_ms = now(self);
    }
    for (int i = 0; i < count; i++) {
        size_t skipped = sent_bytes < pieces[i].iov_len ? sent_bytes : pieces[i].iov_len;
        sent_bytes -= skipped;
        lp_buf_append(&self->answers, (const uint8_t *)pieces[i].iov_base + skipped,
            pieces[i].iov_len - skipped);
    }
    if (lp_buf_check(&self->answers) != LP_OK) {
        agent_connection_close(self, METRICS_agent_connections_cut_no_memory);
    } else if (self->answers.len - self->answers_sent > AGENT_CONNECTION_ANSWERS_BYTES_MAX) {
        agent_connection_close(self, METRICS_agent_connections_cut_answers_large);
    } else {
        update(self);
    }
}

// send_pieces returns how many bytes the peer has room for, or -1, and errno.
static ssize_t
send_pieces(const agent_connection *self, struct iovec *pieces, size_t count)
{
    const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
    ssize_t sent = sendmsg(self->fd, &message, MSG_NOSIGNAL);
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

static void
send_message(agent_connection *self, struct iovec *pieces, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        size += pieces[i].iov_len;
    }
    ssize_t sent = self->answers.len > 0 ? 0 : send_pieces(self, pieces, (size_t)count);
    if (sent < 0) {
        agent_connection_close(self, METRICS_COUNT);
    } else if ((size_t)sent < size) {
        keep_rest(self, pieces, count, (size_t)sent);
    }
}

void
agent_connection_answer(agent_connection *self, lp_slice header, lp_slice body)
{
    if (self->is_closed) {
        return;
    }
    uint8_t prefix[SP_PREFIX_BYTES_MAX];
    size_t prefix_bytes = sp_encode_prefix(self->reader.transport, header.len + body.len, prefix);
    struct iovec pieces[] = {
        {prefix, prefix_bytes},
        {(void *)(uintptr_t)header.ptr, header.len}, // is only read
        {(void *)(uintptr_t)body.ptr, body.len},
    };
    send_message(self, pieces, sizeof(pieces) / sizeof(pieces[0]));
}

static void
send_answers(agent_connection *self)
{
    struct iovec rest = {
        self->answers.ptr + self->answers_sent, self->answers.len - self->answers_sent};
    ssize_t sent = send_pieces(self, &rest, 1);
    if (sent < 0) {
        agent_connection_close(self, METRICS_COUNT);
        return;
    }
    self->answers_sent += (size_t)sent;
    if (self->answers_sent == self->answers.len) {
        lp_buf_fini(&self->answers);
        self->answers_sent = 0;
        update(self);
    }
}

// --- The beginning

static void
on_ready(uv_poll_t *poll, int status, int events)
{
    agent_connection *self = poll->data;
    if (status < 0) {
        agent_connection_close(self, METRICS_COUNT);
        return;
    }
    if ((events & UV_WRITABLE) != 0 && self->answers.len > 0) {
        send_answers(self);
    }
    if ((events & UV_READABLE) != 0 && self->is_reading) {
        take_turn(self);
    }
    if ((events & UV_DISCONNECT) != 0 && !self->is_closed && !self->is_reading) {
        agent_connection_close(self, METRICS_COUNT);
    }
}

lp_err
agent_connection_start(const agent_connection_owner *owner, int fd, sp_transport transport,
    uint64_t id, agent_connection **out_connection)
{
    agent_connection *self = calloc(1, sizeof(*self));
    if (self == NULL || uv_poll_init(owner->loop, &self->poll, fd) != 0) {
        (void)close(fd);
        lp_err err = self == NULL ? LP_ENOMEM : LP_EIO;
        free(self);
        return err;
    }
    self->poll.data = self;
    self->fd = fd;
    self->id = id;
    self->owner = owner;
    self->reader = (sp_reader){
        .transport = transport, .message_bytes_max = WIRE_MESSAGE_BYTES_MAX + SP_HEADER_BYTES_MAX};
    self->heard_ms = now(self);
    *out_connection = self;
    return LP_OK;
}

void
agent_connection_greet(agent_connection *self)
{
    uint8_t greeting[SP_GREETING_BYTES];
    sp_greet(greeting);
    update(self);
    send_message(self, &(struct iovec){greeting, sizeof(greeting)}, 1);
}
