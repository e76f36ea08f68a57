// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_route.h"

#include "collector/log/log_client.h"
#include "collector/log/log_record.h"
#include "collector/log/log_worker.h"
#include "collector/session/hello_file.h"
#include "collector/session/session_owner.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_proto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

struct log_route {
    uv_loop_t *loop;
    log_client *client;
    agent_protocol *door;
    log_worker worker;
};

// The tag of a record that was appended.
typedef struct tag {
    char id[CATALOG_ID_CHARS + 1];
    uint64_t run;                // of its place
    agent_socket_request *hello; // owned; NULL: a batch
    bool takes_policy;           // of a Hello
    uint64_t sequence;           // of a batch
} tag;

static agent_verdict
make_busy(const log_route *self, const agent_place *place)
{
    LP_ASSERT(place != NULL);
    const char *fault = log_client_get_fault(self->client);
    agent_verdict reply = agent_verdict_busy(place->id, place->acknowledged, "%s",
        fault == NULL ? "too much is unsent to the log" : fault);
    reply.is_logged = fault != NULL; // by log_client
    return reply;
}

static void
begin_again(const log_route *self, agent_place *place)
{
    const agent_verdict reply = make_busy(self, place);
    agent_protocol_begin_again(self->door, place, &reply);
}

// append appends a message of a session. With AGENT_VERDICT_OK, the answer follows later.
static agent_verdict
append(const log_route *self, const agent_place *place, tag what, lp_slice message)
{
    LP_ASSERT(place->run > 0);
    uint8_t head[LOG_RECORD_HEAD_BYTES];
    log_record_write(place->acknowledged, head);
    tag *kept = malloc(sizeof(*kept));
    if (kept == NULL) {
        return make_busy(self, place);
    }
    *kept = what;
    memcpy(kept->id, place->id, sizeof(kept->id));
    kept->run = place->run;
    lp_err err =
        log_client_append(self->client, (lp_slice){(const uint8_t *)place->id, CATALOG_ID_CHARS},
            (lp_slice){head, sizeof(head)}, message, kept);
    if (err != LP_OK) {
        free(kept);
        return err == LP_ELIMIT ? agent_verdict_busy(place->id, place->acknowledged,
                                      "batch %" PRIu64 " is over message.max.bytes", what.sequence)
                                : make_busy(self, place);
    }
    agent_verdict reply = agent_verdict_accept(place->acknowledged);
    reply.is_later = true;
    return reply;
}

// --- Hello

static agent_verdict
append_hello(const log_route *self, const agent_place *place, const agent_greeting *greeting,
    const catalog_session *claim)
{
    LP_ASSERT(greeting->request != NULL);
    Loupe__Wire__Hello kept = *greeting->hello; // shallow
    kept.base.n_unknown_fields = 0;
    kept.base.unknown_fields = NULL;
    hello_file_set_owner(&kept, claim);
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &kept;
    const tag what = {.hello = greeting->request, .takes_policy = greeting->hello->takes_policy};
    lp_buf packed = {0};
    agent_verdict reply = lp_proto_append(&request.base, &packed) == LP_OK
                              ? append(self, place, what, lp_buf_slice(&packed))
                              : make_busy(self, place);
    lp_buf_fini(&packed);
    return reply;
}

static agent_verdict
greet(void *arg, const agent_greeting *greeting, agent_place **out_place)
{
    const log_route *self = arg;
    const agent_places *places = &self->door->places;
    catalog_session claim;
    session_owner_of(greeting->hello, greeting->pass.identity, &claim);
    const char *fault; // by the catalog as it is now: the worker checks again
    lp_err err =
        agent_hello_compare_owner(self->worker.journals->sessions, greeting->id, &claim, &fault);
    LP_REQUIRE(err == LP_OK,
        agent_verdict_busy(greeting->id, 0, "cannot read the catalog: %s", lp_err_reason(err)));
    LP_REQUIRE(fault == NULL,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "session %s: %s", greeting->id, fault));
    metrics_id limit = agent_places_find(places, greeting->id) != NULL
                           ? METRICS_COUNT
                           : agent_places_find_limit(places, greeting->holders, greeting->now_ms);
    LP_REQUIRE(limit == METRICS_COUNT, agent_verdict_limit(greeting->id, limit));
    *out_place = agent_protocol_open_place(self->door, greeting);
    return *out_place != NULL ? append_hello(self, *out_place, greeting, &claim)
                              : agent_verdict_busy(greeting->id, 0, "out of memory");
}

// --- Batches

static bool
hear(void *arg, agent_place *place, uint64_t now_ms)
{
    LP_ASSERT(place->is_greeted && now_ms >= place->heard_ms);
    const log_route *self = arg;
    if (now_ms - place->heard_ms > LOG_ROUTE_SILENT_MS) {
        begin_again(self, place);
        return false;
    }
    place->heard_ms = now_ms;
    session *s = sessions_find(self->worker.journals->sessions, place->id);
    if (s != NULL && s->standing != SESSION_LEAVING) { // else another collector notes it
        sessions_hear(self->worker.journals->sessions, s, place->connection, now_ms);
    }
    return true;
}

static agent_verdict
append_batch(void *arg, agent_place *place, const Loupe__Wire__Batch *batch, lp_slice message)
{
    LP_ASSERT(batch->sequence == place->next);
    return append(arg, place, (tag){.sequence = batch->sequence}, message);
}

static const agent_sink sink = {.greet = greet, .hear = hear, .append = append_batch};

// --- Callbacks of the client

static void
on_delivered(void *arg, void *tag_arg, const char *failure)
{
    const log_route *self = arg;
    tag *what = tag_arg;
    LP_ASSERT(what != NULL);
    agent_place *place = agent_places_find(&self->door->places, what->id);
    if (place == NULL || place->run != what->run) {
        agent_socket_drop(what->hello);
    } else if (failure != NULL) {
        agent_protocol_answer(self->door, what->hello, place, make_busy(self, place));
        begin_again(self, place);
    } else if (what->hello != NULL) {
        agent_protocol_greeted(place);
        agent_verdict reply = agent_verdict_accept(place->acknowledged);
        reply.is_with_policy = what->takes_policy;
        agent_protocol_answer(self->door, what->hello, place, reply);
    } else if (!agent_protocol_end_batch(self->door, place, what->sequence)) {
        begin_again(self, place); // an earlier one is unknown
    }
    free(what);
}

static bool
on_record(void *arg, const log_client_record *record)
{
    log_route *self = arg;
    LP_ASSERT(self->client != NULL);
    return log_worker_take(&self->worker, record, uv_now(self->loop));
}

static void
on_assigned(void *arg, int32_t partition)
{
    log_route *self = arg;
    LP_ASSERT(self->client != NULL);
    log_worker_begin(&self->worker, partition);
}

static void
on_revoked(void *arg, int32_t partition)
{
    log_route *self = arg;
    LP_ASSERT(self->client != NULL);
    log_worker_end(&self->worker, partition);
}

// --- Callbacks of the worker

static uint64_t
find_connection(void *arg, const char *session_id)
{
    const log_route *self = arg;
    const agent_place *place = agent_places_find(&self->door->places, session_id);
    return place == NULL ? 0 : place->connection;
}

static void
on_unknown(void *arg, const char *session_id)
{
    const log_route *self = arg;
    agent_place *place = agent_places_find(&self->door->places, session_id);
    if (place != NULL) {
        begin_again(self, place);
    }
}

// --- The route

lp_err
log_route_check(lp_problem *out_problem)
{
    (void)out_problem;
    return LP_OK;
}

lp_err
log_route_open(const log_route_config *config, log_route **out_route, lp_problem *out_problem)
{
    LP_ASSERT(config->door->places.all.count == 0);

    log_route *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    const log_client_config client = {
        .loop = config->loop,
        .url = config->url,
        .bytes_max = config->bytes_max,
        .on_delivered = on_delivered,
        .on_record = on_record,
        .on_assigned = on_assigned,
        .on_revoked = on_revoked,
        .arg = self,
    };
    lp_err err = log_client_open(&client, &self->client, out_problem);
    if (err != LP_OK) {
        free(self);
        return err;
    }
    self->loop = config->loop;
    self->door = config->door;
    log_worker_init(&self->worker, config->journals, self->client);
    self->worker.find_connection = find_connection;
    self->worker.on_unknown = on_unknown;
    self->worker.arg = self;
    self->door->sink = sink;
    self->door->sink.arg = self;
    self->door->places.peers = (peers){.held_max = config->peer_max,
        .begin_max = SESSIONS_BEGUN_MAX,
        .begin_ms = 1000 / SESSIONS_BEGUN_PER_S};
    *out_route = self;
    return LP_OK;
}

void
log_route_look(log_route *self)
{
    LP_ASSERT(self->door->sink.arg == self);
    uint64_t now_ms = uv_now(self->loop);
    const atomic_bool *is_drained = &self->door->is_drained;
    log_client_set_member(self->client, !atomic_load_explicit(is_drained, memory_order_relaxed));
    log_worker_tick(&self->worker, now_ms);
    log_client_look(self->client);
}

const char *
log_route_get_fault(const log_route *self)
{
    return log_client_get_fault(self->client);
}

bool
log_route_is_current(const log_route *self, const session *s)
{
    return log_client_is_current(self->client, s->partition);
}

void
log_route_stop(log_route *self)
{
    if (self != NULL) {
        log_client_stop(self->client);
    }
}

void
log_route_close(log_route *self)
{
    if (self != NULL) {
        log_client_destroy(self->client);
        log_worker_fini(&self->worker);
        free(self);
    }
}
