// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_protocol.h"

#include "collector/base/metrics.h"
#include "collector/intake/agent_request.h"
#include "collector/intake/policy_message.h"
#include "collector/net/agent_gate.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time_scale.h"
#include "common/wire/wire.h"

#include <inttypes.h>
#include <string.h>

// --- Answers

// count counts a rejection, and logs one in AGENT_PROTOCOL_LOG_MS: agents retry.
static void
count(agent_protocol *self, const agent_verdict *reply)
{
    static const struct {
        metrics_id metric;
        const char *line; // NULL: none
    } kinds[] = {
        [AGENT_VERDICT_OK] = {METRICS_COUNT, NULL},
        [AGENT_VERDICT_UNKNOWN_SESSION] = {METRICS_requests_unknown_session, NULL},
        [AGENT_VERDICT_REFUSED] = {METRICS_requests_refused, "refused a request"},
        [AGENT_VERDICT_BUSY] = {METRICS_requests_busy, "put off a request"},
        [AGENT_VERDICT_NOT_ALLOWED] = {METRICS_logins_failed_agents, "refused an agent"},
    };
    LP_ASSERT((size_t)reply->status < sizeof(kinds) / sizeof(kinds[0]));
    if (reply->status == AGENT_VERDICT_OK) {
        return;
    }
    metrics_add(kinds[reply->status].metric, 1);
    const char *line = kinds[reply->status].line;
    if (line != NULL && !reply->is_logged && self->now_ms >= self->log_ms) {
        self->log_ms = self->now_ms + AGENT_PROTOCOL_LOG_MS;
        lp_log(LP_LOG_WARN, "%s: %s", line, reply->text);
    }
}

// pack serializes the answer to an agent. Errors: LP_ENOMEM, also if only the settings do not fit:
// an answer without them would make the JVM drop its settings
static lp_err
pack(const agent_protocol *self, const agent_place *place, const agent_verdict *reply, lp_buf *out)
{
    LP_ASSERT(reply->lacking_chunk == 0 || place != NULL);
    Loupe__Wire__Reply message = LOUPE__WIRE__REPLY__INIT;
    message.version = WIRE_VERSION;
    message.status = reply->status;
    message.message = (char *)(uintptr_t)reply->text; // protobuf-c has no const
    message.next_sequence = reply->next_sequence;
    message.again_after_ms = reply->again_after_ms;
    message.go_elsewhere = atomic_load_explicit(&self->is_drained, memory_order_relaxed);
    policy_file *file = NULL;
    if (place != NULL) {
        message.lacking_chunk = reply->lacking_chunk;
        message.durable_sequence = self->sink.get_durable == NULL
                                       ? place->acknowledged
                                       : self->sink.get_durable(self->sink.arg, place, reply);
        file = policy_dir_find(self->policies, place->service);
    }
    message.policy_id = policy_file_get_id(file);
    policy_message settings = {0};
    lp_err err = LP_OK;
    if (file != NULL && reply->is_with_policy) {
        err = policy_message_init(&settings, file);
        message.jvm_policy = &settings.message;
    }
    *out = (lp_buf){0};
    LP_THEN(err, lp_proto_append(&message.base, out));
    policy_message_fini(&settings);
    policy_file_unref(file);
    return err;
}

// compact_waiting moves the waiting answers to the front of their array when less than half is
// used.
static void
compact_waiting(agent_protocol *self)
{
    size_t left = self->waiting.count - self->first_waiting;
    if (self->first_waiting > left) {
        memmove(self->waiting.items, self->waiting.items + self->first_waiting,
            left * sizeof(self->waiting.items[0]));
        self->waiting.count = left;
        self->first_waiting = 0;
    }
}

// hold_answer keeps an answer until the end of its round. It takes request; it takes reply unless
// it returns false, if memory ran out.
static bool
hold_answer(agent_protocol *self, agent_socket_request *request, const agent_place *place,
    uint64_t round, const lp_buf *reply)
{
    LP_ASSERT(place != NULL);
    LP_ASSERT(self->waiting.count == self->first_waiting ||
              self->waiting.items[self->waiting.count - 1].round <= round);
    compact_waiting(self);
    agent_answer *held = LP_VEC_PUSH(&self->waiting);
    if (held == NULL) {
        agent_socket_drop(request);
        return false;
    }
    *held = (agent_answer){.request = request, .reply = *reply, .round = round};
    memcpy(held->session_id, place->id, sizeof(held->session_id));
    metrics_add(METRICS_answers_waiting, 1);
    agent_socket_forget_bytes(request);
    sync_rounds_hurry(self->rounds);
    return true;
}

// If memory runs out, the request is dropped: its agent resends it.
void
agent_protocol_answer(agent_protocol *self, agent_socket_request *request, const agent_place *place,
    agent_verdict reply)
{
    if (request == NULL) {
        return;
    }
    count(self, &reply);
    LP_ASSERT(self->sink.greet != NULL);
    lp_buf packed;
    bool is_held = false;
    if (pack(self, place, &reply, &packed) != LP_OK) {
        agent_socket_drop(request);
    } else if (!sync_rounds_is_over(self->rounds, reply.round)) {
        is_held = hold_answer(self, request, place, reply.round, &packed);
    } else {
        agent_socket_answer(self->socket, request, lp_buf_slice(&packed));
    }
    if (!is_held) {
        lp_buf_fini(&packed);
    }
}

// is_crowded returns whether too many answers wait for the disk to add those to a request and to
// the early batches behind it. *out_reply is written with true.
static bool
is_crowded(const agent_protocol *self, const char *id, uint64_t next, agent_verdict *out_reply)
{
    size_t held = self->waiting.count - self->first_waiting;
    LP_REQUIRE(sync_rounds_is_late(self->rounds) &&
                   held + WIRE_WINDOW_MAX + 1 > AGENT_PROTOCOL_ANSWERS_MAX,
        false);
    *out_reply = agent_verdict_busy(id, next, "too many answers wait for the disk");
    return true;
}

// take_answer removes the oldest waiting answer. The caller owns its request and reply.
static agent_answer
take_answer(agent_protocol *self)
{
    LP_ASSERT(self->first_waiting < self->waiting.count);
    metrics_sub(METRICS_answers_waiting, 1);
    return self->waiting.items[self->first_waiting++];
}

void
agent_protocol_release(agent_protocol *self)
{
    while (self->first_waiting < self->waiting.count &&
           sync_rounds_is_over(self->rounds, self->waiting.items[self->first_waiting].round)) {
        agent_answer held = take_answer(self);
        if (sync_rounds_has_failed(self->rounds, held.session_id)) {
            agent_protocol_answer(self, held.request, NULL,
                agent_verdict_busy(held.session_id, 0, "cannot sync its journal"));
        } else {
            agent_socket_answer(self->socket, held.request, lp_buf_slice(&held.reply));
        }
        lp_buf_fini(&held.reply);
    }
}

// --- Places

void
agent_protocol_begin_again(agent_protocol *self, agent_place *place, const agent_verdict *reply)
{
    LP_ASSERT(reply->status != AGENT_VERDICT_OK);
    place->run = ++self->places.last_run;
    place->is_greeted = false;
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_request *request = place->slots[i].request;
        place->slots[i] = (agent_slot){0};
        agent_protocol_answer(self, request, place, *reply);
    }
}

agent_place *
agent_protocol_open_place(agent_protocol *self, const agent_greeting *greeting)
{
    LP_ASSERT(greeting->connection != 0);
    agent_place *place = agent_places_find(&self->places, greeting->id);
    if (place == NULL) {
        place = agent_places_add(&self->places, greeting->id, greeting->holders, self->now_ms);
    }
    LP_REQUIRE(
        place != NULL && session_rename(&place->service, greeting->hello->service) == LP_OK, NULL);
    if (!place->is_greeted || place->connection != greeting->connection) {
        const agent_verdict reply =
            agent_verdict_busy(place->id, place->acknowledged, "its agent has sent a new hello");
        agent_protocol_begin_again(self, place, &reply);
        place->connection = greeting->connection;
        place->acknowledged = place->next = greeting->hello->next_sequence;
    }
    agent_places_set_holders(&self->places, place, greeting->holders);
    place->pass = greeting->pass;
    place->heard_ms = self->now_ms;
    LP_ASSERT(place->acknowledged <= place->next);
    return place;
}

void
agent_protocol_greeted(agent_place *place)
{
    metrics_add(METRICS_hellos, 1);
    place->is_greeted = true;
}

void
agent_protocol_look(agent_protocol *self, uint64_t now_ms)
{
    self->now_ms = now_ms;
    for (size_t i = self->places.all.count; i-- > 0;) { // backwards: a drop moves the last one
        agent_place *place = self->places.all.items[i];
        if (!agent_socket_is_connected(self->socket, place->connection) ||
            (self->sink.has != NULL && !self->sink.has(self->sink.arg, place))) {
            agent_places_drop(&self->places, place);
        }
    }
    peers_forget(&self->places.peers, now_ms);
}

void
agent_protocol_drain(agent_protocol *self, bool is_drained)
{
    atomic_store_explicit(&self->is_drained, is_drained, memory_order_relaxed);
}

void
agent_protocol_fini(agent_protocol *self)
{
    while (self->first_waiting < self->waiting.count) {
        agent_answer held = take_answer(self);
        agent_socket_drop(held.request);
        lp_buf_fini(&held.reply);
    }
    LP_ASSERT(self->first_waiting == self->waiting.count);
    LP_VEC_FINI(&self->waiting);
    agent_places_fini(&self->places);
}

// --- Hello

static void
handle_hello(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Hello *hello)
{
    agent_greeting greeting;
    agent_place *place = NULL;
    agent_verdict reply =
        agent_hello_judge(self->retention, self->access, request, hello, &greeting);
    if (reply.status == AGENT_VERDICT_OK && !is_crowded(self, greeting.id, 0, &reply)) {
        greeting.now_ms = self->now_ms;
        reply = self->sink.greet(self->sink.arg, &greeting, &place);
    }
    LP_ASSERT(reply.status != AGENT_VERDICT_OK || place != NULL);
    if (reply.is_later) {
        agent_socket_forget_bytes(request);
        return;
    }
    reply.is_with_policy = hello->takes_policy && reply.status == AGENT_VERDICT_OK;
    agent_protocol_answer(self, request, place, reply);
    if (place != NULL && hello->last_counters != NULL && self->sink.settle != NULL) {
        self->sink.settle(self->sink.arg, place); // the session is complete
    }
}

// --- Batches

// is_put_off returns whether the service's quota is used up. *out_reply is written with true.
static bool
is_put_off(agent_protocol *self, const agent_place *place, agent_verdict *out_reply)
{
    lp_problem problem;
    LP_REQUIRE(!day_quotas_admit(self->quotas, place->service, &problem), false);
    *out_reply = agent_verdict_busy(place->id, place->next, "%s", problem.text);
    out_reply->is_logged = true; // by day_quotas
    out_reply->again_after_ms = (uint32_t)lp_time_scale_ms(DAY_QUOTAS_AGAIN_AFTER_MS);
    return true;
}

static void
note_taken(agent_protocol *self, const agent_place *place, size_t bytes)
{
    metrics_add(METRICS_batches_acked, 1);
    metrics_add(METRICS_acked_bytes, bytes);
    day_quotas_note(self->quotas, place->service, bytes);
}

// take passes the next batch to the sink. It answers, or keeps the request in its slot until the
// sink does. Returns whether the sink took the batch.
static bool
take(agent_protocol *self, agent_place *place, agent_socket_request *request,
    const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(batch->sequence == place->next && place->is_greeted);
    agent_slot *at = agent_place_find_slot(place, batch->sequence);
    LP_ASSERT(!at->is_sent);
    agent_socket_drop(at->request); // an earlier copy
    *at = (agent_slot){0};
    const lp_slice message = agent_socket_get_bytes(request);
    agent_verdict reply;
    if (!is_put_off(self, place, &reply)) {
        reply = self->sink.append(self->sink.arg, place, batch, message);
    }
    if (reply.is_later) {
        *at = (agent_slot){request, batch->sequence, message.len, true};
        place->next++;
        agent_socket_forget_bytes(request);
        return true;
    }
    if (reply.status == AGENT_VERDICT_OK) {
        note_taken(self, place, message.len);
    }
    agent_protocol_answer(self, request, place, reply);
    return reply.status == AGENT_VERDICT_OK;
}

// take_early passes held batches on, now that those before them are taken. They were unpacked
// before, so only memory can run out: then the request is dropped, and its agent resends it.
static void
take_early(agent_protocol *self, agent_place *place)
{
    for (bool is_taken = true; is_taken;) {
        agent_slot *at = &place->slots[place->next % WIRE_WINDOW_MAX];
        if (at->request == NULL || at->is_sent || at->sequence != place->next) {
            return;
        }
        agent_socket_request *request = at->request;
        at->request = NULL;
        Loupe__Wire__Request *message;
        if (agent_request_unpack(agent_socket_get_bytes(request), &message) != LP_OK) {
            agent_socket_drop(request);
            return;
        }
        is_taken = take(self, place, request, message->batch);
        loupe__wire__request__free_unpacked(message, NULL);
    }
}

// hold_early keeps a batch of the window in its slot, and replaces an earlier copy.
static void
hold_early(
    agent_protocol *self, agent_place *place, agent_socket_request *request, uint64_t sequence)
{
    LP_ASSERT(sequence != place->next && place->is_greeted);
    agent_slot *at = agent_place_find_slot(place, sequence);
    agent_verdict reply;
    if (!at->is_sent) {
        if (is_put_off(self, place, &reply)) { // it might take room all day
            agent_protocol_answer(self, request, place, reply);
            return;
        }
        if (agent_socket_get_taken_bytes(self->socket) > self->early_bytes_max) {
            agent_protocol_answer(self, request, place,
                agent_verdict_busy(
                    place->id, place->acknowledged, "too many early batches are held"));
            return;
        }
        metrics_add(METRICS_batches_held, 1);
    } else {
        agent_socket_forget_bytes(request);
    }
    agent_socket_drop(at->request);
    at->request = request;
    at->sequence = sequence;
}

// find_place finds the place of a batch that may be taken. *out_place is NULL, or valid also with
// other verdicts than AGENT_VERDICT_OK.
static agent_verdict
find_place(agent_protocol *self, const agent_socket_request *request,
    const Loupe__Wire__Batch *batch, agent_place **out_place)
{
    char id[CATALOG_ID_CHARS + 1];
    *out_place = NULL;
    LP_REQUIRE(agent_verdict_format_id(&batch->session, id),
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "batch: a session id has %d bytes, not %zu",
            WIRE_SESSION_BYTES, batch->session.len));
    const char *fault = agent_request_find_fault(batch);
    LP_REQUIRE(fault == NULL, agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
                                  "session %s: batch %" PRIu64 ": %s", id, batch->sequence, fault));
    agent_place *place = agent_places_find(&self->places, id);
    if (place == NULL || !place->is_greeted ||
        place->connection != agent_socket_get_connection(request) || // only the greeted connection
        !agent_gate_renew(self->access, &place->pass, place->service) ||
        !self->sink.hear(self->sink.arg, place, self->now_ms)) {
        return agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, 0, "session %s needs a hello", id);
    }
    *out_place = place;
    agent_verdict reply;
    LP_REQUIRE(!is_crowded(self, id, place->next, &reply), reply);
    LP_REQUIRE(batch->sequence < place->acknowledged + WIRE_WINDOW_MAX,
        agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, place->acknowledged,
            "session %s: batch %" PRIu64 " is more than a window ahead of %" PRIu64, id,
            batch->sequence, place->acknowledged));
    LP_ASSERT(place->acknowledged <= place->next);
    return agent_verdict_accept(place->acknowledged);
}

// handle_batch takes ownership of request.
static void
handle_batch(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Batch *batch)
{
    metrics_add(METRICS_batches_received, 1);
    agent_place *place;
    agent_verdict reply = find_place(self, request, batch, &place);
    bool is_taken = false;
    if (reply.status != AGENT_VERDICT_OK) {
        agent_protocol_answer(self, request, place, reply);
    } else if (batch->sequence < place->acknowledged) {
        metrics_add(METRICS_batches_duplicate, 1);
        reply = self->sink.repeat == NULL ? agent_verdict_accept(place->acknowledged)
                                          : self->sink.repeat(self->sink.arg, place, batch);
        agent_protocol_answer(self, request, place, reply);
        is_taken = true;
    } else if (batch->sequence == place->next) {
        is_taken = take(self, place, request, batch);
    } else {
        hold_early(self, place, request, batch->sequence);
    }
    if (is_taken) {
        take_early(self, place);
        if (self->sink.settle != NULL) {
            self->sink.settle(self->sink.arg, place);
        }
    }
}

bool
agent_protocol_end_batch(agent_protocol *self, agent_place *place, uint64_t sequence)
{
    agent_slot *at = &place->slots[sequence % WIRE_WINDOW_MAX];
    LP_REQUIRE(sequence == place->acknowledged && at->is_sent, false);
    agent_slot ended = *at;
    *at = (agent_slot){0};
    place->acknowledged++;
    LP_ASSERT(place->acknowledged <= place->next);
    note_taken(self, place, ended.bytes);
    agent_protocol_answer(self, ended.request, place, agent_verdict_accept(place->acknowledged));
    return true;
}

void
agent_protocol_handle(agent_protocol *self, agent_socket_request *request, uint64_t now_ms)
{
    self->now_ms = now_ms;
    Loupe__Wire__Request *message;
    agent_verdict judged = agent_request_open(agent_socket_get_bytes(request), &message);
    if (judged.status != AGENT_VERDICT_OK) {
        agent_protocol_answer(self, request, NULL, judged);
        return;
    }
    if (message->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        handle_hello(self, request, message->hello);
    } else {
        handle_batch(self, request, message->batch);
    }
    loupe__wire__request__free_unpacked(message, NULL);
}
