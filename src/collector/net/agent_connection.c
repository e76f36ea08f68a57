// SPDX-License-Identifier: Apache-2.0

#include "collector/net/agent_connection.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static void on_ready(uv_poll_t *poll, int status, int events);

static uint64_t
now(const agent_connection *self)
{
    return uv_now(self->owner->loop);
}

// find_events returns the events to poll for. A connection that is not read from is polled for its
// end, which reading would have shown. For bytes that TLS has read ahead it polls for UV_WRITABLE:
// the descriptor is mostly writable, so the loop calls again after the other connections.
static int
find_events(const agent_connection *self)
{
    LP_ASSERT(!self->is_closed);
    if (self->is_reading && agent_stream_is_shaking(&self->stream)) {
        return agent_stream_wants_write(&self->stream) ? UV_WRITABLE : UV_READABLE;
    }
    int events = self->answers.len > 0 ? UV_WRITABLE : 0;
    if (self->is_reading) {
        events |= UV_READABLE;
        if (agent_stream_has_more(&self->stream) || agent_stream_wants_write(&self->stream)) {
            events |= UV_WRITABLE;
        }
    } else if (!self->is_stopped) {
        events |= UV_DISCONNECT;
    }
    return events;
}

static void
connection_check(const agent_connection *self)
{
    LP_ASSERT(self->unanswered <= AGENT_CONNECTION_UNANSWERED_MAX);
    LP_ASSERT(self->answers_sent <= self->answers.len);
    LP_ASSERT(!self->is_reading || (!self->is_closed && !self->is_stopped));
    LP_ASSERT(!self->awaits_room || !self->is_reading || self->reader.is_greeted);
}

// update decides whether to read on, and polls for the next events.
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
    connection_check(self);
    int events = find_events(self);
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

// --- Closing

metrics_id
agent_end_find_metric(agent_end why)
{
    static const metrics_id metrics[] = {
        [AGENT_END_FOREIGN] = METRICS_agent_connections_cut_foreign,
        [AGENT_END_MESSAGE_LARGE] = METRICS_agent_connections_cut_message_large,
        [AGENT_END_MESSAGE_SLOW] = METRICS_agent_connections_cut_message_slow,
        [AGENT_END_GREETING_SLOW] = METRICS_agent_connections_cut_greeting_slow,
        [AGENT_END_ANSWERS_LARGE] = METRICS_agent_connections_cut_answers_large,
        [AGENT_END_ANSWERS_SLOW] = METRICS_agent_connections_cut_answers_slow,
        [AGENT_END_IDLE] = METRICS_agent_connections_cut_idle,
        [AGENT_END_NO_MEMORY] = METRICS_agent_connections_cut_no_memory,
        [AGENT_END_TLS] = METRICS_agent_connections_cut_tls,
        [AGENT_END_HANDSHAKE_LARGE] = METRICS_agent_connections_cut_handshake_large,
        [AGENT_END_PEER] = METRICS_agent_connections_cut_peer,
        [AGENT_END_TLS_CONNECTIONS] = METRICS_agent_connections_cut_tls_connections,
    };
    LP_ASSERT(why > AGENT_END_NONE && why < sizeof(metrics) / sizeof(metrics[0]));
    return metrics[why];
}

static void
on_closed(uv_handle_t *handle)
{
    agent_connection *self = handle->data;
    LP_ASSERT(self->is_closed);
    free(self);
}

void
agent_connection_close(agent_connection *self, agent_end why)
{
    if (self->is_closed) {
        return;
    }
    self->is_closed = true;
    self->is_reading = false;
    if (why != AGENT_END_NONE) {
        metrics_add(agent_end_find_metric(why), 1);
    }
    self->owner->on_closing(self->owner->arg, self, why);
    uv_close((uv_handle_t *)&self->poll, on_closed);
    agent_stream_close(&self->stream);
    sp_reader_fini(&self->reader);
    lp_buf_fini(&self->answers);
}

static void
close_ended(agent_connection *self)
{
    bool is_wrong = agent_stream_get_problem(&self->stream) != NULL;
    bool is_large =
        agent_stream_is_shaking(&self->stream) &&
        agent_stream_get_shaken_bytes(&self->stream) == AGENT_STREAM_HANDSHAKE_BYTES_MAX;
    agent_connection_close(self, !is_wrong  ? AGENT_END_NONE
                                 : is_large ? AGENT_END_HANDSHAKE_LARGE
                                            : AGENT_END_TLS);
}

void
agent_connection_stop(agent_connection *self)
{
    self->is_stopped = true;
    update(self);
}

// is_hogging returns whether a message occupies room but hardly arrives. The limit is a rate, not a
// time: if a shared line is slow, closing all connections would let no message through.
static bool
is_hogging(const agent_connection *self, uint64_t reading_ms)
{
    return self->reader.is_admitted && reading_ms > AGENT_CONNECTION_CROWDED_MS &&
           self->reader.count < AGENT_CONNECTION_CROWDED_BYTES_MIN * reading_ms;
}

// find_end returns which limit the connection exceeds, AGENT_END_NONE if none.
static agent_end
find_end(const agent_connection *self, bool is_crowded)
{
    uint64_t reading_ms = now(self) - self->begun_ms;
    if (self->answers.len > 0) {
        return now(self) - self->answering_ms > (self->is_stopped ? AGENT_CONNECTION_STOP_MS_MAX
                                                                  : AGENT_CONNECTION_ANSWERS_MS_MAX)
                   ? AGENT_END_ANSWERS_SLOW
                   : AGENT_END_NONE;
    }
    LP_REQUIRE(self->is_reading, AGENT_END_NONE); // the peer waits for us
    if (!self->reader.is_greeted) {
        return reading_ms <= AGENT_CONNECTION_GREETING_MS_MAX ? AGENT_END_NONE
               : agent_stream_is_shaking(&self->stream)       ? AGENT_END_TLS
                                                              : AGENT_END_GREETING_SLOW;
    }
    if (sp_reader_is_partial(&self->reader)) {
        bool is_slow = reading_ms > AGENT_CONNECTION_MESSAGE_MS_MAX ||
                       (is_crowded && is_hogging(self, reading_ms));
        return is_slow ? AGENT_END_MESSAGE_SLOW : AGENT_END_NONE;
    }
    return self->unanswered == 0 && now(self) - self->heard_ms > AGENT_CONNECTION_IDLE_MS_MAX
               ? AGENT_END_IDLE
               : AGENT_END_NONE;
}

void
agent_connection_expire(agent_connection *self, bool is_crowded)
{
    LP_ASSERT(!self->is_closed);
    agent_end why = find_end(self, is_crowded);
    if (why != AGENT_END_NONE) {
        agent_connection_close(self, why);
    }
}

// --- Reading

typedef struct turn {
    size_t messages;
    size_t bytes;
    bool is_drained; // no more bytes are available
} turn;

static void
admit(agent_connection *self)
{
    self->begun_ms = now(self);
    if (sp_reader_admit(&self->reader) != LP_OK) {
        agent_connection_close(self, AGENT_END_NO_MEMORY);
    }
}

void
agent_connection_admit(agent_connection *self)
{
    LP_ASSERT(self->awaits_room && !self->is_closed);
    self->awaits_room = false;
    admit(self);
    update(self);
}

static void
on_announced(agent_connection *self)
{
    LP_ASSERT(!self->awaits_room);
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
    LP_ASSERT(self->is_reading);
    done->messages++;
    self->unanswered++;
    self->heard_ms = now(self);
    self->begun_ms = self->heard_ms;
    update(self);
    self->owner->on_message(self->owner->arg, self, sp_reader_take(&self->reader));
}

static void
handle_events(agent_connection *self, turn *done)
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
            agent_connection_close(self, AGENT_END_FOREIGN);
            break;
        case SP_TOO_LARGE:
            agent_connection_close(self, AGENT_END_MESSAGE_LARGE);
            break;
        case SP_NO_MEMORY:
            agent_connection_close(self, AGENT_END_NO_MEMORY);
            break;
        }
    }
}

static void
read_some(agent_connection *self, turn *done)
{
    struct iovec pieces[SP_READER_PIECES];
    int count = sp_reader_get_room(&self->reader, pieces);
    LP_ASSERT(count > 0); // handle_events returned at SP_WAITS
    ssize_t got = agent_stream_read(&self->stream, pieces, count, &done->is_drained);
    if (got < 0) {
        close_ended(self);
        return;
    }
    if (got == 0) {
        return;
    }
    if (self->reader.is_greeted && !sp_reader_is_partial(&self->reader)) {
        self->begun_ms = now(self);
    }
    sp_reader_fill(&self->reader, (size_t)got);
    done->bytes += (size_t)got;
}

static void
take_turn(agent_connection *self)
{
    turn done = {0};
    handle_events(self, &done); // of bytes that were read before the connection had to wait
    while (self->is_reading && !done.is_drained && done.messages < AGENT_CONNECTION_TURN_MAX &&
           done.bytes < AGENT_CONNECTION_TURN_BYTES_MAX) {
        read_some(self, &done);
        handle_events(self, &done);
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

// keep_rest keeps the rest of a message, after sent_bytes of it, until the peer takes it.
static void
keep_rest(agent_connection *self, const struct iovec *pieces, int count, size_t sent_bytes)
{
    LP_ASSERT(!self->is_closed);
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
        agent_connection_close(self, AGENT_END_NO_MEMORY);
    } else if (self->answers.len - self->answers_sent > AGENT_CONNECTION_ANSWERS_BYTES_MAX) {
        agent_connection_close(self, AGENT_END_ANSWERS_LARGE);
    } else {
        update(self);
    }
}

static void
send_message(agent_connection *self, const struct iovec *pieces, int count)
{
    LP_ASSERT(count > 0 && !self->is_closed);
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        size += pieces[i].iov_len;
    }
    ssize_t sent = self->answers.len > 0 ? 0 : agent_stream_send(&self->stream, pieces, count);
    if (sent < 0) {
        close_ended(self);
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
    const struct iovec pieces[] = {
        {prefix, prefix_bytes},
        {(void *)(uintptr_t)header.ptr, header.len}, // is only read
        {(void *)(uintptr_t)body.ptr, body.len},
    };
    send_message(self, pieces, sizeof(pieces) / sizeof(pieces[0]));
}

static void
send_answers(agent_connection *self)
{
    LP_ASSERT(self->answers_sent < self->answers.len);
    struct iovec rest = {
        self->answers.ptr + self->answers_sent, self->answers.len - self->answers_sent};
    ssize_t sent = agent_stream_send(&self->stream, &rest, 1);
    if (sent < 0) {
        close_ended(self);
        return;
    }
    self->answers_sent += (size_t)sent;
    if (self->answers_sent == self->answers.len) {
        lp_buf_fini(&self->answers);
        self->answers_sent = 0;
        update(self);
    }
}

// --- Opening

static void
send_greeting(agent_connection *self)
{
    LP_ASSERT(!agent_stream_is_shaking(&self->stream));
    uint8_t greeting[SP_GREETING_BYTES];
    sp_greet(greeting);
    update(self);
    send_message(self, &(struct iovec){greeting, sizeof(greeting)}, 1);
}

// shake makes a step of the handshake if the owner allows one. If not, the descriptor stays
// readable, so the loop calls again.
static void
shake(agent_connection *self)
{
    LP_ASSERT(agent_stream_is_shaking(&self->stream));
    if (!self->owner->may_shake(self->owner->arg)) {
        return;
    }
    agent_stream_state state = agent_stream_shake(&self->stream);
    if (!self->owner->has_shaking_room(self->owner->arg, self)) {
        agent_connection_close(self, AGENT_END_HANDSHAKE_LARGE);
        return;
    }
    switch (state) {
    case AGENT_STREAM_READY:
        self->owner->on_shaken(self->owner->arg, self);
        send_greeting(self);
        break;
    case AGENT_STREAM_WAITS:
        update(self);
        break;
    case AGENT_STREAM_ENDED:
        close_ended(self);
        break;
    }
}

static void
on_ready(uv_poll_t *poll, int status, int events)
{
    agent_connection *self = poll->data;
    if (status < 0) {
        if (agent_stream_is_shaking(&self->stream)) {
            (void)agent_stream_shake(&self->stream); // sets the problem
        }
        close_ended(self);
        return;
    }
    if (self->is_reading && agent_stream_is_shaking(&self->stream)) {
        shake(self);
        return;
    }
    if ((events & UV_WRITABLE) != 0 && self->answers.len > 0) {
        send_answers(self);
    }
    if (self->is_reading && ((events & UV_READABLE) != 0 || agent_stream_has_more(&self->stream) ||
                                agent_stream_wants_write(&self->stream))) {
        take_turn(self);
        update(self); // TLS may have read ahead, or have to send
    }
    if ((events & UV_DISCONNECT) != 0 && !self->is_closed && !self->is_reading) {
        agent_connection_close(self, AGENT_END_NONE);
    }
}

lp_err
agent_connection_start(const agent_connection_owner *owner, int fd, sp_transport transport,
    uint64_t id, agent_connection **out_connection)
{
    LP_ASSERT(owner->on_message != NULL && owner->on_closing != NULL);
    agent_connection *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    lp_err err = agent_stream_open(&self->stream, fd, owner->tls);
    if (err == LP_OK && uv_poll_init(owner->loop, &self->poll, fd) != 0) {
        agent_stream_close(&self->stream);
        err = LP_EIO;
    }
    if (err != LP_OK) {
        free(self);
        return err;
    }
    self->poll.data = self;
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
    LP_ASSERT(!self->is_closed);
    if (agent_stream_is_shaking(&self->stream)) {
        update(self); // the peer begins the handshake
    } else {
        send_greeting(self);
    }
}
