// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_front.h"

#include "collector/base/metrics.h"
#include "collector/intake/agent_hello.h"
#include "collector/intake/agent_reply.h"
#include "collector/intake/agent_request.h"
#include "collector/log/log_record.h"
#include "collector/session/hello_file.h"
#include "collector/session/session_owner.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The place of a batch that was not acknowledged, by its number modulo the window.
typedef struct slot {
    agent_socket_request *request; // NULL: the place is free, or nobody waits for the answer
    uint64_t sequence;
    size_t bytes;
    bool is_sent; // to the log; else it came before one with a lower number
} slot;

// A session whose agent is connected here.
typedef struct known {
    char id[CATALOG_ID_CHARS + 1];
    uint32_t place; // among all
    char *service;
    agent_pass pass;
    uint64_t holders[2];   // whose it is (peers.h)
    uint64_t connection;   // over which its Hello came
    uint64_t heard_ms;     // when that, or a batch, came last
    uint64_t run;          // changes when what is on its way counts no more
    bool is_greeted;       // its Hello is in the log
    uint64_t acknowledged; // batches below it are in the log
    uint64_t next;         // the next one that is appended
    slot slots[WIRE_WINDOW_MAX];
} known;

// What log_client has of a record that was appended.
typedef struct tag {
    char id[CATALOG_ID_CHARS + 1];
    uint64_t run;
    agent_socket_request *hello; // NULL: it is a batch
    bool takes_policy;           // of a Hello
    uint64_t sequence;           // of a batch
} tag;

struct log_front {
    log_front_config config;
    LP_VEC(known *) all; // by place
    lp_map by_id;        // hash of an id to a place
    peers peers;
    uint64_t last_run;
    uint64_t now_ms;
    agent_reply_log log;
};

log_front *
log_front_create(const log_front_config *config)
{
    log_front *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->config = *config;
        self->peers = (peers){.held_max = config->peer_max,
            .begin_max = SESSIONS_BEGUN_MAX,
            .begin_ms = 1000 / SESSIONS_BEGUN_PER_S};
    }
    return self;
}

// --- Sessions

static uint64_t
hash_of(const char *id)
{
    return lp_hash_text(lp_hash_seed(), id);
}

static known *
find(const log_front *self, const char *id)
{
    uint32_t place = lp_map_find(&self->by_id, hash_of(id));
    known *k = place == LP_MAP_NONE ? NULL : self->all.items[place];
    return k != NULL && strcmp(k->id, id) == 0 ? k : NULL;
}

static void
destroy(known *k)
{
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_drop(k->slots[i].request);
    }
    free(k->service);
    free(k);
}

static void
drop(log_front *self, known *k)
{
    for (size_t i = 0; i < 2; i++) {
        peers_release(&self->peers, k->holders[i]);
    }
    known *last = self->all.items[--self->all.count];
    last->place = k->place;
    self->all.items[k->place] = last;
    lp_err err = lp_map_put(&self->by_id, hash_of(last->id), last->place);
    LP_ASSERT(err == LP_OK); // its key is there
    lp_map_remove(&self->by_id, hash_of(k->id));
    destroy(k);
}

// add makes the place of a session. NULL: memory ran out, or its hash is another one's.
static known *
add(log_front *self, const char *id)
{
    uint64_t hash = hash_of(id);
    known *k = lp_map_find(&self->by_id, hash) == LP_MAP_NONE && LP_VEC_ROOM(&self->all)
                   ? calloc(1, sizeof(*k))
                   : NULL;
    if (k == NULL) {
        return NULL;
    }
    k->place = (uint32_t)self->all.count;
    memcpy(k->id, id, sizeof(k->id));
    if (lp_map_put(&self->by_id, hash, k->place) != LP_OK) {
        free(k);
        return NULL;
    }
    self->all.items[self->all.count++] = k;
    return k;
}

void
log_front_destroy(log_front *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->all.count; i++) {
        destroy(self->all.items[i]);
    }
    LP_VEC_FINI(&self->all);
    lp_map_fini(&self->by_id);
    peers_fini(&self->peers);
    free(self);
}

// --- Answers

// answer answers request, which NULL needs not; k is NULL where there is no session.
static void
answer(log_front *self, agent_socket_request *request, const known *k, agent_verdict reply)
{
    if (request == NULL) {
        return;
    }
    agent_reply_count(&self->log, &reply, self->now_ms);
    const agent_reply_facts facts = {
        .policies = self->config.policies,
        .service = k == NULL ? NULL : k->service,
        .durable_sequence = k == NULL ? 0 : k->acknowledged,
        .go_elsewhere = atomic_load_explicit(self->config.is_drained, memory_order_relaxed),
    };
    lp_buf packed;
    if (agent_reply_pack(&reply, &facts, &packed) != LP_OK) {
        agent_socket_drop(request);
        return;
    }
    agent_socket_answer(self->config.socket, request, lp_buf_slice(&packed));
    lp_buf_fini(&packed);
}

static void
answer_known(log_front *self, agent_socket_request *request, const known *k, agent_verdict reply)
{
    answer(self, request, k, reply);
}

static agent_verdict
say_away(const log_front *self, const char *id, uint64_t next)
{
    const char *fault = log_client_get_fault(self->config.log);
    agent_verdict reply = agent_verdict_make(AGENT_VERDICT_BUSY, next, "session %s: %s", id,
        fault == NULL ? "too much waits for the log" : fault);
    reply.is_told = fault != NULL; // in the log, once
    return reply;
}

// begin_again has what is on its way count no more: those who wait for it are put off.
static void
begin_again(log_front *self, known *k)
{
    k->run = ++self->last_run;
    k->is_greeted = false;
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_request *request = k->slots[i].request;
        k->slots[i] = (slot){0};
        answer_known(self, request, k, say_away(self, k->id, k->acknowledged));
    }
}

void
log_front_forget(log_front *self, const char *session_id)
{
    known *k = find(self, session_id);
    if (k != NULL) {
        begin_again(self, k);
    }
}

uint64_t
log_front_find_connection(const log_front *self, const char *session_id)
{
    const known *k = find(self, session_id);
    return k == NULL ? 0 : k->connection;
}

void
log_front_look(log_front *self, uint64_t now_ms)
{
    self->now_ms = now_ms;
    for (size_t i = self->all.count; i-- > 0;) { // where one is dropped, the last takes its place
        known *k = self->all.items[i];
        if (!agent_socket_is_connected(self->config.socket, k->connection)) {
            drop(self, k);
        }
    }
    peers_forget(&self->peers, now_ms);
}

// --- Appending

// append appends a message of a session. Errors: as log_client_append
static lp_err
append(log_front *self, const known *k, const tag *what, lp_slice message)
{
    uint8_t head[LOG_RECORD_HEAD_BYTES];
    log_record_write(k->acknowledged, head);
    tag *kept = malloc(sizeof(*kept));
    if (kept == NULL) {
        return LP_EAGAIN;
    }
    *kept = *what;
    memcpy(kept->id, k->id, sizeof(kept->id));
    kept->run = k->run;
    lp_err err =
        log_client_append(self->config.log, (lp_slice){(const uint8_t *)k->id, CATALOG_ID_CHARS},
            (lp_slice){head, sizeof(head)}, message, kept);
    if (err != LP_OK) {
        free(kept);
    }
    return err;
}

// --- Hello

typedef struct row_check {
    const catalog_session *claim;
    const char *fault;
} row_check;

static void
check_row(void *arg, const catalog_session *row)
{
    row_check *check = arg;
    check->fault = session_owner_compare(row, check->claim);
}

// check_owner returns AGENT_VERDICT_OK where the session is of who claims it, for all that the
// catalog knows: whoever reads the log asks again.
static agent_verdict
check_owner(const log_front *self, const char *id, const catalog_session *claim)
{
    row_check check = {.claim = claim};
    const session *s = sessions_find(self->config.sessions, id);
    lp_err err = LP_OK;
    if (s != NULL) {
        check_row(&check, &s->row);
    } else {
        err = catalog_find(sessions_get_catalog(self->config.sessions), id, check_row, &check);
    }
    if (err != LP_OK && err != LP_ENOENT) {
        return agent_verdict_make(AGENT_VERDICT_BUSY, 0, "session %s: cannot read the catalog: %s",
            id, lp_err_reason(err));
    }
    return check.fault == NULL
               ? agent_verdict_make(AGENT_VERDICT_OK, 0, "%s", "")
               : agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "session %s: %s", id, check.fault);
}

// find_limit returns the metric of the limit that keeps one more session from being known;
// METRICS_COUNT: none.
static metrics_id
find_limit(const log_front *self, const uint64_t holders[2])
{
    if (self->all.count >= SESSIONS_MAX) {
        return METRICS_sessions_put_off_all;
    }
    for (size_t i = 0; i < 2; i++) {
        if (!peers_has_room(&self->peers, holders[i])) {
            return METRICS_sessions_put_off_peer;
        }
        if (!peers_may_begin(&self->peers, holders[i], self->now_ms)) {
            return METRICS_sessions_put_off_rate;
        }
    }
    return METRICS_COUNT;
}

// make_place returns the place of the session of a Hello; NULL: it gets none, and *out_reply says
// why.
static known *
make_place(log_front *self, const char *id, const uint64_t holders[2], agent_verdict *out_reply)
{
    known *k = find(self, id);
    if (k != NULL) {
        return k;
    }
    metrics_id limit = find_limit(self, holders);
    if (limit != METRICS_COUNT) {
        metrics_add(limit, 1);
        *out_reply = agent_verdict_make(AGENT_VERDICT_BUSY, 0, "session %s: one more of %s%s", id,
            metrics_describe(limit)->name, metrics_describe(limit)->label);
        return NULL;
    }
    k = add(self, id);
    if (k == NULL) {
        *out_reply = agent_verdict_make(AGENT_VERDICT_BUSY, 0, "session %s: out of memory", id);
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        peers_note_begin(&self->peers, holders[i], self->now_ms);
        peers_hold(&self->peers, holders[i]);
        k->holders[i] = holders[i];
    }
    return k;
}

// note_hello notes what a Hello says. One over the connection of the Hello before, while all is
// well, asks for another policy: what is on its way goes on.
static lp_err
note_hello(log_front *self, known *k, uint64_t connection, const Loupe__Wire__Hello *hello)
{
    lp_err err = session_rename(&k->service, hello->service);
    if (err == LP_OK && !(k->is_greeted && k->connection == connection)) {
        begin_again(self, k);
        k->connection = connection;
        k->acknowledged = k->next = hello->next_sequence;
    }
    return err;
}

// append_hello appends a Hello without what nobody else may know.
static lp_err
append_hello(log_front *self, const known *k, const tag *what, const Loupe__Wire__Hello *hello,
    const catalog_session *claim)
{
    Loupe__Wire__Hello kept = *hello; // shares what it points to
    kept.base.n_unknown_fields = 0;
    kept.base.unknown_fields = NULL;
    hello_file_set_owner(&kept, claim);
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &kept;
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&request.base, &packed) == LP_OK
                     ? append(self, k, what, lp_buf_slice(&packed))
                     : LP_EAGAIN;
    lp_buf_fini(&packed);
    return err;
}

// admit returns the place of the session of a Hello; NULL: it gets none, and *out_reply says why.
static known *
admit(log_front *self, const agent_socket_request *request, const Loupe__Wire__Hello *hello,
    catalog_session *out_claim, agent_verdict *out_reply)
{
    const agent_hello_desk desk = {.sessions = self->config.sessions,
        .retention = self->config.retention,
        .access = self->config.access,
        .now_ms = self->now_ms,
        .has_room = true};
    char id[CATALOG_ID_CHARS + 1];
    agent_pass pass;
    *out_reply = agent_hello_judge(&desk, request, hello, id, &pass);
    if (out_reply->status != AGENT_VERDICT_OK) {
        return NULL;
    }
    session_owner_of(hello, pass.identity, out_claim);
    *out_reply = check_owner(self, id, out_claim);
    if (out_reply->status != AGENT_VERDICT_OK) {
        return NULL;
    }
    const uint64_t holders[2] = {agent_socket_get_peer(request), peers_of_name(pass.identity)};
    known *k = make_place(self, id, holders, out_reply);
    if (k == NULL) {
        return NULL;
    }
    if (note_hello(self, k, agent_socket_get_connection(request), hello) != LP_OK) {
        *out_reply = agent_verdict_make(AGENT_VERDICT_BUSY, 0, "session %s: out of memory", id);
        return NULL;
    }
    k->pass = pass;
    k->heard_ms = self->now_ms;
    return k;
}

static void
handle_hello(log_front *self, agent_socket_request *request, const Loupe__Wire__Hello *hello)
{
    catalog_session claim;
    agent_verdict reply;
    known *k = admit(self, request, hello, &claim, &reply);
    if (k == NULL) {
        answer(self, request, NULL, reply);
        return;
    }
    const tag what = {.hello = request, .takes_policy = hello->takes_policy};
    if (append_hello(self, k, &what, hello, &claim) != LP_OK) {
        answer_known(self, request, k, say_away(self, k->id, k->acknowledged));
        return;
    }
    agent_socket_forget_bytes(request);
}

// --- Batches

// append_batch appends the batch whose turn it is, of a request that is in its slot. Returns what
// it is answered with where it cannot be.
static agent_verdict
append_batch(log_front *self, known *k, slot *at)
{
    lp_problem problem;
    if (!day_quotas_admit(self->config.quotas, k->service, &problem)) {
        agent_verdict reply = agent_verdict_make(
            AGENT_VERDICT_BUSY, k->acknowledged, "session %s: %s", k->id, problem.text);
        reply.is_told = true; // it may take all day
        reply.again_after_ms = (uint32_t)lp_time_scale_ms(DAY_QUOTAS_AGAIN_AFTER_MS);
        return reply;
    }
    lp_slice message = agent_socket_get_bytes(at->request);
    lp_err err = append(self, k, &(tag){.sequence = at->sequence}, message);
    if (err == LP_ELIMIT) {
        return agent_verdict_make(AGENT_VERDICT_BUSY, k->acknowledged,
            "session %s: batch %" PRIu64 " is over message.max.bytes", k->id, at->sequence);
    }
    if (err != LP_OK) {
        return say_away(self, k->id, k->acknowledged);
    }
    at->bytes = message.len;
    at->is_sent = true;
    agent_socket_forget_bytes(at->request);
    k->next++;
    return agent_verdict_make(AGENT_VERDICT_OK, k->acknowledged, "%s", "");
}

// append_ready appends the batches whose turn it is by now.
static void
append_ready(log_front *self, known *k)
{
    for (;;) {
        slot *at = &k->slots[k->next % WIRE_WINDOW_MAX];
        if (at->request == NULL || at->is_sent || at->sequence != k->next) {
            return;
        }
        agent_verdict reply = append_batch(self, k, at);
        if (reply.status != AGENT_VERDICT_OK) {
            agent_socket_request *request = at->request;
            *at = (slot){0};
            answer_known(self, request, k, reply);
            return;
        }
    }
}

// put has a batch of the window wait in its slot, in place of the same one that came before.
static void
put(log_front *self, known *k, agent_socket_request *request, uint64_t sequence)
{
    slot *at = &k->slots[sequence % WIRE_WINDOW_MAX];
    bool is_early = sequence > k->next;
    if (is_early &&
        agent_socket_get_taken_bytes(self->config.socket) > self->config.early_bytes_max) {
        answer_known(self, request, k,
            agent_verdict_make(AGENT_VERDICT_BUSY, k->acknowledged,
                "session %s: too many batches that came early are held", k->id));
        return;
    }
    metrics_add(METRICS_batches_held, is_early ? 1 : 0);
    agent_socket_drop(at->request);
    at->request = request;
    if (at->is_sent) {
        agent_socket_forget_bytes(request);
        return;
    }
    at->sequence = sequence;
    append_ready(self, k);
}

static void
handle_batch(log_front *self, agent_socket_request *request, const Loupe__Wire__Batch *batch)
{
    metrics_add(METRICS_batches_received, 1);
    char id[CATALOG_ID_CHARS + 1];
    const char *fault = agent_verdict_format_id(&batch->session, id)
                            ? agent_request_find_fault(batch)
                            : "its session id has not the right size";
    if (fault != NULL) {
        answer(self, request, NULL,
            agent_verdict_make(
                AGENT_VERDICT_REFUSED, 0, "batch %" PRIu64 ": %s", batch->sequence, fault));
        return;
    }
    known *k = find(self, id);
    if (k != NULL && self->now_ms - k->heard_ms > LOG_FRONT_SILENT_MS) {
        begin_again(self, k);
    }
    if (k == NULL || !k->is_greeted ||
        k->connection != agent_socket_get_connection(request) || // or anybody could send it
        !agent_gate_renew(self->config.access, &k->pass, k->service)) {
        answer(self, request, NULL,
            agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, 0, "session %s needs a hello", id));
        return;
    }
    k->heard_ms = self->now_ms;
    session *s = sessions_find(self->config.sessions, id);
    if (s != NULL) {
        sessions_hear(self->config.sessions, s, k->connection, self->now_ms);
    }
    if (batch->sequence < k->acknowledged) {
        metrics_add(METRICS_batches_duplicate, 1);
        answer_known(
            self, request, k, agent_verdict_make(AGENT_VERDICT_OK, k->acknowledged, "%s", ""));
    } else if (batch->sequence - k->acknowledged >= WIRE_WINDOW_MAX) {
        answer_known(self, request, k,
            agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, k->acknowledged,
                "session %s: batch %" PRIu64 " is more than a window ahead of %" PRIu64, id,
                batch->sequence, k->acknowledged));
    } else {
        put(self, k, request, batch->sequence);
    }
}

void
log_front_handle(log_front *self, agent_socket_request *request, uint64_t now_ms)
{
    self->now_ms = now_ms;
    Loupe__Wire__Request *message;
    agent_verdict judged = agent_request_open(agent_socket_get_bytes(request), &message);
    if (judged.status != AGENT_VERDICT_OK) {
        answer(self, request, NULL, judged);
        return;
    }
    if (message->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        handle_hello(self, request, message->hello);
    } else {
        handle_batch(self, request, message->batch);
    }
    loupe__wire__request__free_unpacked(message, NULL);
}

// --- What became of it

static void
end_hello(log_front *self, known *k, const tag *what)
{
    metrics_add(METRICS_hellos, 1);
    k->is_greeted = true;
    agent_verdict reply = agent_verdict_make(AGENT_VERDICT_OK, k->acknowledged, "%s", "");
    reply.is_with_policy = what->takes_policy;
    answer_known(self, what->hello, k, reply);
}

static void
end_batch(log_front *self, known *k, const tag *what)
{
    slot *at = &k->slots[what->sequence % WIRE_WINDOW_MAX];
    if (what->sequence != k->acknowledged || !at->is_sent) { // not in order: nobody knows
        begin_again(self, k);
        return;
    }
    agent_socket_request *request = at->request;
    k->acknowledged++;
    metrics_add(METRICS_batches_acked, 1);
    metrics_add(METRICS_acked_bytes, at->bytes);
    day_quotas_note(self->config.quotas, k->service, at->bytes);
    *at = (slot){0};
    answer_known(self, request, k, agent_verdict_make(AGENT_VERDICT_OK, k->acknowledged, "%s", ""));
}

void
log_front_end(log_front *self, void *arg, const char *failure)
{
    tag *what = arg;
    known *k = find(self, what->id);
    if (k == NULL || k->run != what->run) {
        agent_socket_drop(what->hello);
    } else if (failure != NULL) {
        answer_known(self, what->hello, k, say_away(self, k->id, k->acknowledged));
        begin_again(self, k);
    } else if (what->hello != NULL) {
        end_hello(self, k, what);
    } else {
        end_batch(self, k, what);
    }
    free(what);
}
