// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_hello.h"

#include "collector/base/disk_reason.h"
#include "collector/base/metrics.h"
#include "collector/net/agent_gate.h"
#include "collector/session/hello_file.h"
#include "collector/session/session_log.h"
#include "collector/session/session_note.h"
#include "collector/session/session_owner.h"
#include "collector/session/session_settle.h"
#include "collector/session/session_take.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_utf8.h"

#include <inttypes.h>
#include <string.h>

static bool
is_name(const char *text)
{
    size_t length = strlen(text);
    LP_REQUIRE(length <= SESSION_NAME_BYTES_MAX, false);
    return !LP_ANY(text, length, (unsigned char)*at < 0x20 || *at == 0x7f) && lp_utf8_is_text(text);
}

// --- Hello

typedef struct row_check {
    const catalog_session *claim;
    const char *fault; // NULL: none
} row_check;

static void
check_row(void *arg, const catalog_session *row)
{
    row_check *check = arg;
    LP_ASSERT(check->claim != NULL);
    check->fault = session_owner_compare(row, check->claim);
}

lp_err
agent_hello_compare_owner(
    sessions *all, const char *id, const catalog_session *claim, const char **out_fault)
{
    LP_ASSERT(strlen(id) == CATALOG_ID_CHARS);
    row_check check = {.claim = claim};
    const session *s = sessions_find(all, id);
    lp_err err = LP_OK;
    if (s != NULL) {
        check_row(&check, &s->row);
    } else {
        err = catalog_find(all->catalog, id, check_row, &check);
    }
    *out_fault = check.fault;
    return err == LP_ENOENT ? LP_OK : err;
}

// load_or_add finds the session, or begins one. Errors: LP_ELIMIT if it is new and the disk nearly
// full; as session_take and sessions_add
static lp_err
load_or_add(const agent_hello_env *self, const char *id, const Loupe__Wire__Hello *hello,
    session **out_session)
{
    uint64_t term;
    lp_err err = self->take == NULL ? session_take(self->sessions, id, out_session, &term)
                                    : self->take(self->arg, id, out_session, &term);
    LP_REQUIRE(err == LP_ENOENT, err); // on a full disk, batches of known sessions are put off
    LP_REQUIRE(
        disk_reserve_admit(self->reserve, loupe__wire__hello__get_packed_size(hello)), LP_ELIMIT);
    catalog_session row = {
        .service = hello->service,
        .instance = hello->instance,
        .jvm_name = hello->jvm_name,
        .jvm_version = hello->jvm_version,
        .version = hello->version,
        .start_wall_ns = hello->start_wall_ns,
        .end_wall_ns = hello->start_wall_ns,
        .term = term,
    };
    memcpy(row.id, id, sizeof(row.id));
    return sessions_add(self->sessions, &row, out_session);
}

// note_missing counts acknowledged batches, those below next_sequence, that are not here: the
// journal was damaged or cut, or the data directory is another one.
static void
note_missing(session *s, uint64_t next_sequence)
{
    catalog_session *row = &s->row;
    if (next_sequence <= row->next_sequence) {
        return;
    }
    if (row->next_sequence == 0 && row->next_chunk > 0) {
        // The row was rebuilt from chunks, which do not tell their batches.
        lp_ranges_add(&row->settled, 0, next_sequence);
    }
    row->next_sequence = next_sequence;
    lp_ranges fresh =
        session_lose_missing(s, "they were acknowledged, but are not in this data directory");
    session_lack_chunk(s, s->at_chunk < row->next_chunk ? row->next_chunk : s->at_chunk);
    if (!row->is_ended) { // else its last chunk was compacted without them
        lp_ranges_unite(&s->lack.batches, &fresh);
    }
    lp_ranges_fini(&fresh);
}

static lp_err
describe(session *s, const Loupe__Wire__Hello *hello)
{
    catalog_session *row = &s->row;
    lp_err err = session_rename(&row->service, hello->service);
    LP_THEN(err, session_rename(&row->instance, hello->instance));
    LP_THEN(err, session_rename(&row->jvm_name, hello->jvm_name));
    LP_THEN(err, session_rename(&row->jvm_version, hello->jvm_version));
    LP_THEN(err, session_rename(&row->version, hello->version));
    row->pid = hello->pid;
    row->start_wall_ns = hello->start_wall_ns;
    s->is_unsaved = true;
    return err;
}

static void
resume(session *s, const Loupe__Wire__Hello *hello)
{
    if (s->row.is_ended) {
        session_go_on(s);
    }
    note_missing(s, hello->next_sequence);
    session_lack_again(s);
    s->lack.until_sequence = hello->next_sequence + WIRE_WINDOW_MAX;
    s->is_unsaved = true;
    LP_ASSERT(s->row.next_sequence >= hello->next_sequence);
}

// keep_ended decides after resume whether the row, which other collectors read, still says that the
// session has ended. It does if the session was closed and is complete: then the Hello came late,
// or its agent lost an answer.
static void
keep_ended(session *s)
{
    if (s->row.term != 0 &&
        (s->row.ended_how != CATALOG_ENDED_CLOSED || session_get_lacking(s) != 0)) {
        s->row.is_ended = false;
    }
}

// put_hello stores the session's description beside its chunks, if it has changed.
static lp_err
put_hello(const agent_hello_env *self, session *s, const Loupe__Wire__Hello *hello)
{
    LP_ASSERT(s->row.id[0] != '\0');
    Loupe__Wire__Hello kept = *hello; // shallow
    kept.next_sequence = 0;           // the journals have it
    kept.last_counters = NULL;        // the row has them
    kept.base.n_unknown_fields = 0;   // unbounded and unchecked
    kept.base.unknown_fields = NULL;
    hello_file_set_owner(&kept, &s->row);
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&kept.base, &packed);
    if (err == LP_OK) {
        uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&packed));
        err = hash == s->hello_hash
                  ? LP_OK
                  : sync_rounds_put_hello(self->rounds, s->row.id, lp_buf_slice(&packed));
        s->hello_hash = err == LP_OK ? hash : s->hello_hash;
    }
    lp_buf_fini(&packed);
    return err;
}

static void
log_hello(const agent_hello_env *self, session *s, const Loupe__Wire__Hello *hello)
{
    if (s->logged_ms != 0 && self->now_ms < s->logged_ms + AGENT_HELLO_LOG_MS) {
        return;
    }
    s->logged_ms = self->now_ms;
    lp_log_level level = session_log_get_level(&self->sessions->log, SESSION_LOG_HELLO);
    lp_log(level, "session %s: %s %s, pid %" PRIu64 ", %s %s, from batch %" PRIu64, s->row.id,
        hello->service, hello->instance, hello->pid, hello->jvm_name, hello->jvm_version,
        s->row.next_sequence);
}

// evict ends a session without batches; its agent sends a new Hello before its first batch. Returns
// false if the catalog cannot record the end.
static bool
evict(const agent_hello_env *self, session *empty)
{
    LP_ASSERT(!empty->has_job && empty->chunk_count == 0 && empty->row.next_sequence == 0);
    char id[CATALOG_ID_CHARS + 1];
    memcpy(id, empty->row.id, sizeof(id));
    session_enter(empty, SESSION_ENDED);
    empty->row.ended_how = CATALOG_ENDED_TIMED_OUT;
    self->on_empty(self->arg, empty);
    bool is_gone = sessions_find(self->sessions, id) == NULL;
    metrics_add(METRICS_sessions_evicted, is_gone ? 1 : 0);
    return is_gone;
}

// has_place returns whether there is a place for a session of the holder; PEERS_NONE: of anybody.
static bool
has_place(const agent_hello_env *self, uint64_t holder)
{
    return holder == PEERS_NONE ? !sessions_are_full(self->sessions)
                                : peers_has_room(&self->sessions->peers, holder);
}

static metrics_id
limit_of(uint64_t holder)
{
    return holder == PEERS_NONE ? METRICS_sessions_put_off_all : METRICS_sessions_put_off_peer;
}

// is_freed returns whether the end of `going` (NULL: none) frees a place of the holder.
static bool
is_freed(const session *going, uint64_t holder)
{
    return going != NULL && sessions_is_of(going, holder);
}

static bool
is_waiting(const void *arg, const char *session_id)
{
    const agent_place *place = agent_places_find(arg, session_id);
    return place != NULL && agent_place_is_waiting(place);
}

// find_room makes room for a session that is not in memory. It evicts others only if that suffices.
// Returns the metric of the limit that is exceeded, METRICS_COUNT if none is.
static metrics_id
find_room(const agent_hello_env *self, const uint64_t holders[2])
{
    LP_ASSERT(self->places != NULL);
    enum { PLACES = 3 }; // of the address, of the token, of all
    const uint64_t whose[PLACES] = {holders[0], holders[1], PEERS_NONE};
    session *going[PLACES] = {NULL};
    for (size_t i = 0; i < 2; i++) {
        LP_REQUIRE(peers_may_begin(&self->sessions->peers, holders[i], self->now_ms),
            METRICS_sessions_put_off_rate);
    }
    for (size_t i = 0; i < PLACES; i++) {
        if (has_place(self, whose[i]) || is_freed(going[0], whose[i]) ||
            is_freed(going[1], whose[i])) {
            continue;
        }
        going[i] =
            sessions_find_empty(self->sessions, whose[i], self->now_ms, is_waiting, self->places);
        if (going[i] == NULL) {
            return limit_of(whose[i]);
        }
    }
    for (size_t i = 0; i < PLACES; i++) {
        if (going[i] != NULL && !evict(self, going[i])) {
            return limit_of(whose[i]);
        }
    }
    return METRICS_COUNT;
}

static metrics_id
reserve_place(const agent_hello_env *self, const char *id, const uint64_t holders[2])
{
    LP_ASSERT(strlen(id) == CATALOG_ID_CHARS);
    LP_REQUIRE(sessions_find(self->sessions, id) == NULL, METRICS_COUNT);
    metrics_id limit = find_room(self, holders);
    for (size_t i = 0; i < 2 && limit == METRICS_COUNT; i++) {
        peers_note_begin(&self->sessions->peers, holders[i], self->now_ms);
    }
    return limit;
}

agent_verdict
agent_hello_check(const Loupe__Wire__Hello *hello, char out_id[CATALOG_ID_CHARS + 1])
{
    LP_REQUIRE(agent_verdict_format_id(&hello->session, out_id),
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "hello: a session id has %d bytes, not %zu",
            WIRE_SESSION_BYTES, hello->session.len));
    LP_REQUIRE(is_name(hello->service) && is_name(hello->instance) && is_name(hello->jvm_name) &&
                   is_name(hello->jvm_version) && is_name(hello->agent_version) &&
                   is_name(hello->version),
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
            "hello: service, instance, version, jvm_name, jvm_version and agent_version must be "
            "UTF-8 without control characters, of at most %d bytes",
            SESSION_NAME_BYTES_MAX));
    LP_REQUIRE(hello->secret.len == 0 || hello->secret.len == WIRE_SECRET_BYTES,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "hello: a secret has %d bytes, not %zu",
            WIRE_SECRET_BYTES, hello->secret.len));
    LP_REQUIRE(hello->next_sequence <= WIRE_SEQUENCE_MAX,
        agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
            "hello: next_sequence %" PRIu64 " is over the limit", hello->next_sequence));
    return agent_verdict_accept(0);
}

agent_verdict
agent_hello_judge(const retention *removed, access_file *access, agent_socket_request *request,
    const Loupe__Wire__Hello *hello, agent_greeting *out_greeting)
{
    agent_greeting greeting = {.hello = hello, .request = request};
    agent_verdict judged = agent_hello_check(hello, greeting.id);
    LP_REQUIRE(judged.status == AGENT_VERDICT_OK, judged);
    LP_REQUIRE(agent_socket_is_sender_there(request),
        agent_verdict_busy(greeting.id, 0, "its agent has closed the connection"));
    LP_REQUIRE(!retention_is_removing(removed, greeting.id),
        agent_verdict_busy(greeting.id, 0, "it is being removed"));
    lp_problem problem;
    LP_REQUIRE(agent_gate_admit(access, hello, agent_socket_get_peer_name(request), &greeting.pass,
                   &problem) == LP_OK,
        agent_verdict_make(
            AGENT_VERDICT_NOT_ALLOWED, 0, "session %s: %s", greeting.id, problem.text));
    greeting.holders[0] = agent_socket_get_peer(request);
    greeting.holders[1] = peers_of_name(greeting.pass.identity);
    greeting.connection = agent_socket_get_connection(request);
    *out_greeting = greeting;
    return judged;
}

agent_verdict
agent_hello_take(const agent_hello_env *self, const Loupe__Wire__Hello *hello,
    const catalog_session *claim, uint64_t connection, session **out_session)
{
    char id[CATALOG_ID_CHARS + 1];
    lp_problem problem;
    session *s;
    const char *fault = NULL;
    bool has_id = agent_verdict_format_id(&hello->session, id);
    LP_ASSERT(has_id); // it was checked
    lp_err err = LP_OK;
    if (catalog_is_shared(self->sessions->catalog)) { // before this collector owns it
        err = agent_hello_compare_owner(self->sessions, id, claim, &fault);
    }
    LP_THEN(err, fault == NULL ? load_or_add(self, id, hello, &s) : LP_OK);
    if (err == LP_OK) {
        fault = fault == NULL ? session_owner_compare(&s->row, claim) : fault;
        LP_REQUIRE(fault == NULL,
            agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "session %s: %s", id, fault));
        session_owner_take(&s->row, claim);
        err = describe(s, hello);
    }
    if (err == LP_OK) {
        resume(s, hello);
        keep_ended(s);
    }
    LP_THEN(err, put_hello(self, s, hello));
    LP_REQUIRE(err != LP_ELIMIT || !disk_reserve_explain(self->reserve, &problem),
        agent_verdict_busy(id, 0, "%s", problem.text));
    LP_REQUIRE(
        err == LP_OK, agent_verdict_busy(id, 0, "%s", disk_reason(self->reserve->path, err)));
    sessions_hear(self->sessions, s, connection, self->now_ms);
    if (hello->last_counters != NULL) {
        session_note_end(s, hello->last_counters);
    }
    sessions_save(self->sessions, s);
    LP_REQUIRE(
        s->standing != SESSION_LOST, agent_verdict_busy(id, 0, "another collector owns it now"));
    LP_REQUIRE(!s->is_unsaved,
        agent_verdict_busy(id, 0, "cannot write the catalog: %s", strerror(self->sessions->fault)));
    log_hello(self, s, hello);
    *out_session = s;
    return agent_verdict_accept(s->row.next_sequence);
}

agent_verdict
agent_hello_greet(
    const agent_hello_env *self, const agent_greeting *greeting, session **out_session)
{
    LP_ASSERT(greeting->hello != NULL && greeting->request != NULL);
    metrics_id limit = reserve_place(self, greeting->id, greeting->holders);
    LP_REQUIRE(limit == METRICS_COUNT, agent_verdict_limit(greeting->id, limit));
    catalog_session claim;
    session *s = NULL;
    session_owner_of(greeting->hello, greeting->pass.identity, &claim);
    agent_verdict reply = agent_hello_take(self, greeting->hello, &claim, greeting->connection, &s);
    session *there = sessions_find(self->sessions, greeting->id);
    if (there != NULL && reply.status != AGENT_VERDICT_REFUSED) { // refused: it is another agent's
        sessions_set_holders(self->sessions, there, greeting->holders);
        if (!there->is_greeted) {
            sessions_note_begun(self->sessions, there, self->now_ms);
        }
    }
    if (s != NULL) {
        reply.lacking_chunk = session_get_lacking(s);
        agent_verdict_await(&reply, self->rounds);
        *out_session = s;
    }
    LP_ASSERT((s != NULL) == (reply.status == AGENT_VERDICT_OK));
    return reply;
}
