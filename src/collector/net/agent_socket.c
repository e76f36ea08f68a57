// SPDX-License-Identifier: Apache-2.0

#include "collector/net/agent_socket.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "collector/net/agent_connection.h"
#include "collector/net/agent_listener.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

// The number of a connection: its place in the lower bits, a serial number above them.
enum { PLACE_BITS = 20, PLACES_MAX = 1 << PLACE_BITS, NO_PLACE = UINT32_MAX };

struct agent_socket_request {
    agent_socket *socket;
    uint64_t connection; // may be closed
    sp_message message;  // bytes NULL: freed
    size_t header_bytes;
    uint8_t header[SP_HEADER_BYTES_MAX]; // the answer begins with it
};

typedef struct place {
    agent_connection *connection; // NULL: free
    uint32_t next_free;
} place;

struct agent_socket {
    uv_loop_t *loop;
    agent_listener listener;
    uv_timer_t tick;
    agent_connection_owner owner; // the connections' callbacks
    void (*on_request)(void *arg, agent_socket_request *request);
    void *arg;
    LP_VEC(place) places;
    uint32_t first_free;
    uint64_t last_serial;
    peers peers;            // counts their connections
    agent_end peer_limit;   // the reason to refuse connections over a peer's limit
    size_t connections_max; // SIZE_MAX without TLS
    size_t descriptors_max; // for connections
    size_t connection_count;
    TAILQ_HEAD(, agent_connection) waiting; // for room, oldest first
    TAILQ_HEAD(, agent_connection) shaking; // handshakes that are not done, oldest first
    size_t shaking_count;
    size_t shaking_bytes; // received of these handshakes
    uint64_t shakes_ms;   // loop time of the last step of a handshake
    unsigned shakes;      // steps in that millisecond
    size_t bytes_max;
    size_t incoming_bytes; // of messages that are being received
    size_t taken_bytes;
    uint64_t log_ms; // loop time of the next line about closed connections, at the earliest
    bool is_stopped;
    bool is_closed;
};

// --- Room

static bool
has_room_for(const agent_socket *self, const agent_connection *connection)
{
    return self->incoming_bytes + connection->reader.message.size_bytes <= self->bytes_max;
}

static void
take_room(agent_socket *self, agent_connection *connection)
{
    LP_ASSERT(connection->room_bytes == 0);
    connection->room_bytes = connection->reader.message.size_bytes;
    self->incoming_bytes += connection->room_bytes;
    metrics_add(METRICS_ingest_queue_bytes, connection->room_bytes);
    LP_ASSERT(self->incoming_bytes <= self->bytes_max);
}

// give_room_back frees the room of connection's message, and admits waiting messages.
static void
give_room_back(agent_socket *self, agent_connection *connection)
{
    LP_ASSERT(self->incoming_bytes >= connection->room_bytes);
    self->incoming_bytes -= connection->room_bytes;
    metrics_sub(METRICS_ingest_queue_bytes, connection->room_bytes);
    connection->room_bytes = 0;
    agent_connection *first;
    while ((first = TAILQ_FIRST(&self->waiting)) != NULL && has_room_for(self, first)) {
        TAILQ_REMOVE(&self->waiting, first, waiting);
        take_room(self, first);
        agent_connection_admit(first);
    }
}

static bool
has_room(void *arg, agent_connection *connection)
{
    agent_socket *self = arg;
    if (TAILQ_EMPTY(&self->waiting) && has_room_for(self, connection)) {
        take_room(self, connection);
        return true;
    }
    metrics_add(METRICS_ingest_queue_full, 1);
    TAILQ_INSERT_TAIL(&self->waiting, connection, waiting);
    return false;
}

// --- Connections

static agent_connection *
find_connection(const agent_socket *self, uint64_t id)
{
    size_t at = id % PLACES_MAX;
    agent_connection *found = at < self->places.count ? self->places.items[at].connection : NULL;
    return found != NULL && found->id == id ? found : NULL;
}

// log_cut logs a closed connection, at most one in AGENT_SOCKET_LOG_MS. problem may be NULL.
static void
log_cut(agent_socket *self, int fd, agent_end why, const char *problem)
{
    LP_ASSERT(why != AGENT_END_NONE);
    struct sockaddr_storage address;
    char host[PEERS_ADDRESS_BYTES] = "a disconnected peer";
    if (uv_now(self->loop) < self->log_ms) {
        return;
    }
    self->log_ms = uv_now(self->loop) + AGENT_SOCKET_LOG_MS;
    if (peers_find_address(fd, &address)) {
        peers_format_address((const struct sockaddr *)&address, host);
    }
    const metrics_info *info = metrics_describe(agent_end_find_metric(why));
    lp_log(LP_LOG_WARN, "closed a connection from %s (%s%s)%s%s", host, info->name, info->label,
        problem == NULL ? "" : ": ", problem == NULL ? "" : problem);
}

static void
end_shaking(agent_socket *self, agent_connection *connection)
{
    LP_ASSERT(connection->awaits_shake && self->shaking_count > 0);
    TAILQ_REMOVE(&self->shaking, connection, waiting);
    self->shaking_count--;
    connection->awaits_shake = false;
    LP_ASSERT(self->shaking_bytes >= connection->shaken_bytes);
    self->shaking_bytes -= connection->shaken_bytes;
}

static bool
has_shaking_room(void *arg, agent_connection *connection)
{
    agent_socket *self = arg;
    size_t bytes = agent_stream_get_shaken_bytes(&connection->stream);
    LP_ASSERT(bytes >= connection->shaken_bytes);
    self->shaking_bytes += bytes - connection->shaken_bytes;
    connection->shaken_bytes = bytes;
    return self->shaking_bytes <= AGENT_SOCKET_SHAKING_BYTES_MAX ||
           bytes <= AGENT_SOCKET_SHAKING_BYTES_EACH;
}

static void
on_shaken(void *arg, agent_connection *connection)
{
    end_shaking(arg, connection);
}

static bool
may_shake(void *arg)
{
    agent_socket *self = arg;
    if (self->shakes_ms != uv_now(self->loop)) {
        self->shakes_ms = uv_now(self->loop);
        self->shakes = 0;
    }
    return self->shakes++ < AGENT_SOCKET_SHAKES_PER_MS;
}

static void
on_closing(void *arg, agent_connection *connection, agent_end why)
{
    agent_socket *self = arg;
    if (why != AGENT_END_NONE) {
        log_cut(self, connection->stream.fd, why, agent_stream_get_problem(&connection->stream));
    }
    uint32_t at = connection->id % PLACES_MAX;
    LP_ASSERT(self->places.items[at].connection == connection);
    self->places.items[at] = (place){.next_free = self->first_free};
    self->first_free = at;
    metrics_sub(METRICS_agent_connections, 1);
    LP_ASSERT(self->connection_count > 0);
    self->connection_count--;
    peers_release(&self->peers, connection->peer);
    if (connection->awaits_shake) { // even if its stream has finished the handshake
        end_shaking(self, connection);
    } else if (connection->awaits_room) {
        TAILQ_REMOVE(&self->waiting, connection, waiting);
    }
    give_room_back(self, connection);
}

static uint32_t
find_place(agent_socket *self)
{
    LP_ASSERT(self->places.count <= PLACES_MAX);
    if (self->first_free != NO_PLACE) {
        return self->first_free;
    }
    place *added = self->places.count < PLACES_MAX ? LP_VEC_PUSH(&self->places) : NULL;
    LP_REQUIRE(added != NULL, NO_PLACE);
    added->next_free = NO_PLACE;
    self->first_free = (uint32_t)(self->places.count - 1);
    LP_ASSERT(self->first_free < self->places.count);
    return self->first_free;
}

static void
begin_shaking(agent_socket *self, agent_connection *connection)
{
    LP_ASSERT(!connection->awaits_shake && self->shaking_count <= AGENT_SOCKET_SHAKING_MAX);
    if (!agent_stream_is_shaking(&connection->stream)) {
        return;
    }
    if (self->shaking_count == AGENT_SOCKET_SHAKING_MAX) {
        agent_connection_close(TAILQ_FIRST(&self->shaking), AGENT_END_TLS);
    }
    TAILQ_INSERT_TAIL(&self->shaking, connection, waiting);
    self->shaking_count++;
    connection->awaits_shake = true;
}

static void
refuse(agent_socket *self, int fd, agent_end why)
{
    metrics_add(agent_end_find_metric(why), 1);
    log_cut(self, fd, why, NULL);
    (void)close(fd);
}

// make_room returns whether one more connection is allowed; it may close an older one for it.
static bool
make_room(agent_socket *self)
{
    LP_ASSERT(self->connection_count <= self->connections_max);
    if (self->connection_count < self->connections_max) {
        return true;
    }
    agent_connection *oldest = TAILQ_FIRST(&self->shaking);
    LP_REQUIRE(oldest != NULL, false);
    agent_connection_close(oldest, AGENT_END_TLS_CONNECTIONS);
    return true;
}

static void
add_connection(agent_socket *self, int fd, uint64_t peer)
{
    LP_ASSERT(self->connection_count < self->connections_max);
    uint32_t at = find_place(self);
    uint64_t id = ++self->last_serial << PLACE_BITS | at;
    agent_connection *added;
    if (at == NO_PLACE) {
        refuse(self, fd, AGENT_END_NO_MEMORY);
    } else if (agent_connection_start(&self->owner, fd,
                   agent_listener_get_transport(&self->listener), id, &added) != LP_OK) {
        metrics_add(METRICS_agent_connections_cut_no_memory, 1);
    } else {
        self->first_free = self->places.items[at].next_free;
        self->places.items[at].connection = added;
        added->peer = peer;
        peers_hold(&self->peers, peer);
        metrics_add(METRICS_agent_connections, 1);
        self->connection_count++;
        begin_shaking(self, added);
        agent_connection_greet(added);
    }
}

static bool
on_accepted(void *arg, int fd, uint64_t peer)
{
    agent_socket *self = arg;
    LP_ASSERT(!self->is_stopped);
    if (self->connection_count >= self->descriptors_max) {
        (void)close(fd);
        return false;
    }
    if (!peers_has_room(&self->peers, peer)) {
        refuse(self, fd, self->peer_limit);
    } else if (!make_room(self)) {
        refuse(self, fd, AGENT_END_TLS_CONNECTIONS);
    } else {
        add_connection(self, fd, peer);
    }
    return true;
}

static void
on_tick(uv_timer_t *tick)
{
    agent_socket *self = tick->data;
    peers_forget(&self->peers, uv_now(self->loop));
    for (size_t i = 0; i < self->places.count; i++) {
        if (self->places.items[i].connection != NULL) {
            agent_connection_expire(self->places.items[i].connection, !TAILQ_EMPTY(&self->waiting));
        }
    }
}

// --- Requests

static void
on_message(void *arg, agent_connection *connection, sp_message message)
{
    agent_socket *self = arg;
    give_room_back(self, connection);
    LP_ASSERT(connection->room_bytes == 0);
    metrics_add(METRICS_received_bytes, message.size_bytes);
    size_t header_bytes = sp_find_header((lp_slice){message.bytes, message.size_bytes});
    if (header_bytes == 0) {
        free(message.bytes);
        agent_connection_close(connection, AGENT_END_FOREIGN);
        return;
    }
    agent_socket_request *request = malloc(sizeof(*request));
    if (request == NULL) {
        free(message.bytes);
        agent_connection_close(connection, AGENT_END_NO_MEMORY);
        return;
    }
    request->socket = self;
    request->connection = connection->id;
    request->message = message;
    request->header_bytes = header_bytes;
    memcpy(request->header, message.bytes, header_bytes);
    self->taken_bytes += message.size_bytes;
    self->on_request(self->arg, request);
}

size_t
agent_socket_get_taken_bytes(const agent_socket *self)
{
    return self->taken_bytes;
}

lp_slice
agent_socket_get_bytes(const agent_socket_request *request)
{
    LP_ASSERT(request->header_bytes <= request->message.size_bytes);
    return (lp_slice){request->message.bytes + request->header_bytes,
        request->message.size_bytes - request->header_bytes};
}

void
agent_socket_forget_bytes(agent_socket_request *request)
{
    LP_ASSERT(request->socket->taken_bytes >= request->message.size_bytes);
    request->socket->taken_bytes -= request->message.size_bytes;
    free(request->message.bytes);
    request->message = (sp_message){0};
}

uint64_t
agent_socket_get_connection(const agent_socket_request *request)
{
    return request->connection;
}

uint64_t
agent_socket_get_peer(const agent_socket_request *request)
{
    const agent_connection *connection = find_connection(request->socket, request->connection);
    return connection == NULL ? PEERS_NONE : connection->peer;
}

const char *
agent_socket_get_peer_name(const agent_socket_request *request)
{
    const agent_connection *connection = find_connection(request->socket, request->connection);
    return connection == NULL ? NULL : agent_stream_get_peer_name(&connection->stream);
}

bool
agent_socket_is_sender_there(const agent_socket_request *request)
{
    const agent_connection *connection = find_connection(request->socket, request->connection);
    LP_REQUIRE(connection != NULL, false);
    struct pollfd end = {.fd = connection->stream.fd, .events = POLLRDHUP};
    return poll(&end, 1, 0) == 0;
}

bool
agent_socket_is_connected(const agent_socket *self, uint64_t connection)
{
    return find_connection(self, connection) != NULL;
}

void
agent_socket_answer(agent_socket *self, agent_socket_request *request, lp_slice reply)
{
    LP_ASSERT(request->socket == self);
    agent_connection *connection = find_connection(self, request->connection);
    if (connection != NULL) {
        agent_connection_answer(
            connection, (lp_slice){request->header, request->header_bytes}, reply);
    }
    agent_socket_drop(request);
}

void
agent_socket_drop(agent_socket_request *request)
{
    if (request == NULL) {
        return;
    }
    agent_connection *connection = find_connection(request->socket, request->connection);
    if (connection != NULL) {
        agent_connection_end_request(connection);
    }
    agent_socket_forget_bytes(request);
    free(request);
}

// --- The beginning and the end

static uint64_t
agents_descriptors(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? descriptor_plan_make(limit.rlim_cur).agents
                                                 : UINT64_MAX;
}

static void
set_limits(agent_socket *self, const agent_socket_config *config, bool is_tls)
{
    self->bytes_max = config->bytes_max;
    self->connections_max = is_tls ? config->tls_connections_max : SIZE_MAX;
    self->descriptors_max = agents_descriptors();
    self->peers.held_max = self->descriptors_max / 2;
    self->peer_limit = AGENT_END_PEER;
    if (self->connections_max / 2 < self->peers.held_max) {
        self->peers.held_max = self->connections_max / 2;
        self->peer_limit = AGENT_END_TLS_CONNECTIONS;
    }
    LP_ASSERT(self->peers.held_max <= self->descriptors_max);
}

lp_err
agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem)
{
    bool is_tls = agent_listener_is_tls(config->url);
    LP_REQUIRE(!is_tls || config->tls != NULL,
        lp_problem_set(out_problem, LP_ECORRUPT,
            "'%s' needs a certificate and its key: --tls-cert and --tls-key", config->url));
    agent_socket *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    const agent_listener_config listen = {
        .loop = config->loop,
        .url = config->url,
        .is_local = config->is_local,
        .on_accepted = on_accepted,
        .arg = self,
    };
    lp_err err = agent_listener_start(&self->listener, &listen, out_problem);
    if (err != LP_OK) {
        free(self);
        return err;
    }
    self->loop = config->loop;
    self->owner = (agent_connection_owner){
        .loop = config->loop,
        .tls = is_tls ? config->tls : NULL,
        .may_shake = may_shake,
        .has_shaking_room = has_shaking_room,
        .on_shaken = on_shaken,
        .has_room = has_room,
        .on_message = on_message,
        .on_closing = on_closing,
        .arg = self,
    };
    set_limits(self, config, is_tls);
    self->on_request = config->on_request;
    self->arg = config->arg;
    self->first_free = NO_PLACE;
    TAILQ_INIT(&self->waiting);
    TAILQ_INIT(&self->shaking);
    // libuv: these cannot fail on a new timer with a callback.
    (void)uv_timer_init(config->loop, &self->tick);
    (void)uv_timer_start(&self->tick, on_tick, AGENT_SOCKET_TICK_MS, AGENT_SOCKET_TICK_MS);
    uv_unref((uv_handle_t *)&self->tick); // it does not keep the loop running
    self->tick.data = self;
    *out_socket = self;
    return LP_OK;
}

const char *
agent_socket_get_url(const agent_socket *self)
{
    return self->listener.url;
}

static void
close_connections(agent_socket *self)
{
    LP_ASSERT(self->is_closed);
    for (size_t i = 0; i < self->places.count; i++) {
        if (self->places.items[i].connection != NULL) {
            agent_connection_close(self->places.items[i].connection, AGENT_END_NONE);
        }
    }
}

void
agent_socket_stop(agent_socket *self)
{
    if (self->is_stopped) {
        return;
    }
    self->is_stopped = true;
    agent_listener_stop(&self->listener);
    for (size_t i = 0; i < self->places.count; i++) {
        if (self->places.items[i].connection != NULL) {
            agent_connection_stop(self->places.items[i].connection);
        }
    }
}

void
agent_socket_close(agent_socket *self)
{
    if (self == NULL || self->is_closed) {
        return;
    }
    agent_socket_stop(self);
    self->is_closed = true;
    close_connections(self);
    uv_close((uv_handle_t *)&self->tick, NULL);
}

void
agent_socket_destroy(agent_socket *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(self->is_closed && self->taken_bytes == 0 && self->shaking_count == 0 &&
              self->shaking_bytes == 0);
    LP_ASSERT(self->connection_count == 0);
    agent_listener_fini(&self->listener);
    LP_VEC_FINI(&self->places);
    peers_fini(&self->peers);
    free(self);
}
