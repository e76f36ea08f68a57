// SPDX-License-Identifier: Apache-2.0

#include "collector/server/agent_protocol.h"

#include "collector/base/disk_reason.h"
#include "collector/base/metrics.h"
#include "collector/server/hello_file.h"
#include "collector/server/policy_message.h"
#include "collector/server/session_owner.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_utf8.h"
#include "common/context/ctx_pack.h"
#include "common/jfr/jfr_chunk.h"
#include "common/wire/wire.h"
#include "common/wire/wire_scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef Loupe__Wire__Reply__Status reply_status;

#define STATUS_OK              LOUPE__WIRE__REPLY__STATUS__OK
#define STATUS_UNKNOWN_SESSION LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION
#define STATUS_REFUSED         LOUPE__WIRE__REPLY__STATUS__REFUSED
#define STATUS_BUSY            LOUPE__WIRE__REPLY__STATUS__BUSY
#define STATUS_NOT_ALLOWED     LOUPE__WIRE__REPLY__STATUS__NOT_ALLOWED

// The answer to a request, as the functions that judge it make it.
typedef struct verdict {
    reply_status status;
    uint64_t next_sequence;
    uint64_t round;         // of sync_rounds, after which it is sent; 0: at once
    uint32_t lacking_chunk; // as of Reply
    bool is_with_policy;    // with the settings for the JVM
    char text[256];         // for people
} verdict;

static verdict say(reply_status status, uint64_t next_sequence, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static verdict
say(reply_status status, uint64_t next_sequence, const char *format, ...)
{
    verdict reply = {.status = status, .next_sequence = next_sequence};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reply.text, sizeof(reply.text), format, args);
    va_end(args);
    return reply;
}

// log_verdict logs why a request was refused or put off. Agents try again and again, and the
// metrics count them, so only some are logged.
static void
log_verdict(agent_protocol *self, const char *what, const verdict *reply)
{
    if (self->now_ms >= self->log_ms) {
        self->log_ms = self->now_ms + AGENT_PROTOCOL_LOG_MS;
        lp_log(LP_LOG_WARN, "%s: %s", what, reply->text);
    }
}

// hold has an answer wait for the end of its round. It takes request and reply.
static void
hold(agent_protocol *self, agent_socket_request *request, const session *s, uint64_t round,
    const lp_buf *reply)
{
    LP_ASSERT(s != NULL);

    held_answer held = {.request = request, .reply = *reply, .round = round};
    memcpy(held.session_id, s->row.id, sizeof(held.session_id));
    if (held_answers_push(&self->held, &held) != LP_OK) {
        agent_socket_drop(request);
        lp_buf_fini(&held.reply);
        return;
    }
    agent_socket_forget_bytes(request);
    sync_rounds_hurry(self->rounds);
}

// send_reply packs an answer and sends it, at once or after the end of a round; s is NULL where it
// need not wait. Without memory the request ends without an answer and comes again.
static void
send_reply(agent_protocol *self, agent_socket_request *request, const session *s, uint64_t round,
    const Loupe__Wire__Reply *message)
{
    lp_buf packed = {0};
    uint8_t *bytes = lp_buf_extend(&packed, loupe__wire__reply__get_packed_size(message));
    if (bytes == NULL) {
        agent_socket_drop(request);
        lp_buf_fini(&packed);
        return;
    }
    (void)loupe__wire__reply__pack(message, bytes);
    if (!sync_rounds_is_over(self->rounds, round)) {
        hold(self, request, s, round, &packed);
        return;
    }
    agent_socket_answer(self->socket, request, lp_buf_slice(&packed));
    lp_buf_fini(&packed);
}

// count_verdict counts and logs an answer that refuses or puts off.
static void
count_verdict(agent_protocol *self, const verdict *reply)
{
    if (reply->status == STATUS_REFUSED) {
        metrics_add(METRICS_requests_refused, 1);
        log_verdict(self, "refused a request", reply);
    } else if (reply->status == STATUS_NOT_ALLOWED) {
        metrics_add(METRICS_logins_failed_agents, 1);
        log_verdict(self, "let nobody in", reply);
    } else if (reply->status == STATUS_BUSY) {
        metrics_add(METRICS_requests_busy, 1);
        log_verdict(self, "put off a request", reply);
    } else if (reply->status == STATUS_UNKNOWN_SESSION) {
        metrics_add(METRICS_requests_unknown_session, 1);
    }
}

// answer sends the reply with the id of the service's policy; s is NULL where there is no session.
static void
answer(agent_protocol *self, agent_socket_request *request, const session *s, verdict reply)
{
    count_verdict(self, &reply);
    Loupe__Wire__Reply message = LOUPE__WIRE__REPLY__INIT;
    message.version = s != NULL ? s->wire_version : self->version;
    message.status = reply.status;
    message.message = reply.text;
    message.next_sequence = reply.next_sequence;
    if (s != NULL) { // what waits for its round is on the disk when it is sent
        message.lacking_chunk = reply.lacking_chunk;
        message.durable_sequence = s->lack.chunk != 0 ? 0 // the agent keeps what is lacking
                                   : reply.round != 0 ? reply.next_sequence
                                                      : s->durable_sequence;
    }
    policy_file *file = s == NULL ? NULL : policy_dir_find(self->policies, s->row.service);
    message.policy_id = policy_file_get_id(file);
    policy_message settings = {0};
    lp_err err = LP_OK;
    if (file != NULL && reply.is_with_policy) {
        err = policy_message_init(&settings, file);
        message.jvm_policy = &settings.message;
    }
    if (err == LP_OK) {
        send_reply(self, request, s, reply.round, &message);
    } else { // an answer without settings would have the JVM drop the ones that it has
        agent_socket_drop(request);
    }
    policy_message_fini(&settings);
    policy_file_unref(file);
}

// round_to_await returns the round that the answer to what was written just now waits for; 0: none.
static uint64_t
round_to_await(const agent_protocol *self)
{
    return sync_rounds_is_late(self->rounds) ? sync_rounds_get_coming(self->rounds) : 0;
}

// has_room returns whether the answers to a request, and to all batches that waited for it, can
// wait for the disk if they have to.
static bool
has_room(const agent_protocol *self)
{
    return !sync_rounds_is_late(self->rounds) ||
           held_answers_has_room(&self->held, WIRE_WINDOW_MAX + 1);
}

// format_id writes the session id of a message as hex, and returns false if the id is not 16 bytes.
static bool
format_id(const ProtobufCBinaryData *id, char out_id[CATALOG_ID_CHARS + 1])
{
    if (id->len != WIRE_SESSION_BYTES) {
        return false;
    }
    for (size_t i = 0; i < id->len; i++) {
        (void)snprintf(out_id + 2 * i, 3, "%02x", id->data[i]);
    }
    return true;
}

// is_name returns whether text can be shown anywhere: UTF-8, not too long, no control characters.
static bool
is_name(const char *text)
{
    size_t length = strlen(text);
    if (length > SESSION_NAME_BYTES_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return false;
        }
    }
    return lp_utf8_is_text(text);
}

// hear notes that the session is there, and where.
static void
hear(agent_protocol *self, session *s, const agent_socket_request *request)
{
    bool is_back = session_hear(s, self->now_ms, agent_socket_get_connection(request));
    sessions_note_connected(self->sessions, s, true);
    if (is_back) {
        sessions_save(self->sessions, s);
    }
}

// --- Hello

// load_or_add finds the session, or begins one. Errors: LP_ELIMIT where the disk is nearly full,
// and it would be a new one; those of sessions_load and sessions_add
static lp_err
load_or_add(
    agent_protocol *self, const char *id, const Loupe__Wire__Hello *hello, session **out_session)
{
    lp_err err = sessions_load(self->sessions, id, out_session);
    if (err != LP_ENOENT) {
        return err; // one that is known goes on: its batches are put off
    }
    if (!disk_reserve_admit(self->reserve, loupe__wire__hello__get_packed_size(hello))) {
        return LP_ELIMIT;
    }
    catalog_session row = {
        .service = hello->service,
        .instance = hello->instance,
        .jvm_name = hello->jvm_name,
        .jvm_version = hello->jvm_version,
        .start_wall_ns = hello->start_wall_ns,
        .end_wall_ns = hello->start_wall_ns,
    };
    memcpy(row.id, id, sizeof(row.id));
    return sessions_add(self->sessions, &row, out_session);
}

// note_missing counts the batches below next_sequence, which were acknowledged, that are not here:
// the journal was damaged or cut, or the data directory is another one.
static void
note_missing(session *s, uint64_t next_sequence)
{
    catalog_session *row = &s->row;
    if (next_sequence <= row->next_sequence) {
        return;
    }
    // A row that was made again of its chunks does not know which batches these are of.
    if (row->next_sequence > 0 || row->next_chunk == 0) {
        uint64_t missing = next_sequence - row->next_sequence;
        row->batches_missing += missing;
        session_lose(s, CATALOG_LOSS_BATCHES_LOST, missing,
            "batches %" PRIu64 " to %" PRIu64 " were acknowledged, but they are not here",
            row->next_sequence, next_sequence - 1);
        if (!row->is_ended) { // or it was compacted to the end, with a part of its last chunk
            s->lack.batches += missing;
        }
    }
    row->next_sequence = next_sequence;
    session_lack_chunk(s, s->at_chunk < row->next_chunk ? row->next_chunk : s->at_chunk);
}

// copy_hello copies the agent's own description into the session's row.
static lp_err
copy_hello(session *s, const Loupe__Wire__Hello *hello)
{
    catalog_session *row = &s->row;
    lp_err err = session_rename(&row->service, hello->service);
    err = err != LP_OK ? err : session_rename(&row->instance, hello->instance);
    err = err != LP_OK ? err : session_rename(&row->jvm_name, hello->jvm_name);
    err = err != LP_OK ? err : session_rename(&row->jvm_version, hello->jvm_version);
    row->pid = hello->pid;
    row->start_wall_ns = hello->start_wall_ns;
    if (row->is_ended) {
        session_go_on(s);
    }
    note_missing(s, hello->next_sequence);
    s->lack.until_sequence = hello->next_sequence + WIRE_WINDOW_MAX;
    s->is_unsaved = true;
    return err;
}

// put_hello keeps what the session is called beside its chunks, once for each change.
static lp_err
put_hello(agent_protocol *self, session *s, const Loupe__Wire__Hello *hello)
{
    Loupe__Wire__Hello kept = *hello; // shares what it points to
    kept.next_sequence = 0;           // the journals know
    kept.base.n_unknown_fields = 0;   // of any size, and nobody says what is in them
    kept.base.unknown_fields = NULL;
    hello_file_set_owner(&kept, &s->row);
    lp_buf packed = {0};
    uint8_t *bytes = lp_buf_extend(&packed, loupe__wire__hello__get_packed_size(&kept));
    lp_err err = LP_ENOMEM;
    if (bytes != NULL) {
        (void)loupe__wire__hello__pack(&kept, bytes);
        uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&packed));
        err = hash == s->hello_hash
                  ? LP_OK
                  : sync_rounds_put_hello(self->rounds, s->row.id, lp_buf_slice(&packed));
        s->hello_hash = err == LP_OK ? hash : s->hello_hash;
    }
    lp_buf_fini(&packed);
    return err;
}

// log_hello logs the Hellos of a session, but for those that come close together.
static void
log_hello(const agent_protocol *self, session *s, const Loupe__Wire__Hello *hello)
{
    if (s->logged_ms != 0 && self->now_ms < s->logged_ms + AGENT_PROTOCOL_LOG_MS) {
        return;
    }
    s->logged_ms = self->now_ms;
    lp_log(LP_LOG_INFO, "session %s: %s %s, pid %" PRIu64 ", %s %s, from batch %" PRIu64, s->row.id,
        hello->service, hello->instance, hello->pid, hello->jvm_name, hello->jvm_version,
        s->row.next_sequence);
}

// evict ends a session of which nothing came but its Hello; its agent says Hello again with its
// first batch. Returns whether it is gone: it stays where the catalog does not take that.
static bool
evict(agent_protocol *self, session *empty)
{
    char id[CATALOG_ID_CHARS + 1];
    memcpy(id, empty->row.id, sizeof(id));
    empty->has_ended = true;
    empty->row.ended_how = CATALOG_ENDED_TIMED_OUT;
    self->on_batch(self->arg, empty); // it has nothing that waits
    bool is_gone = sessions_find(self->sessions, id) == NULL;
    metrics_add(METRICS_sessions_evicted, is_gone ? 1 : 0);
    return is_gone;
}

// has_place returns whether one more session has a place: of a holder, or of all with PEERS_NONE.
static bool
has_place(const agent_protocol *self, uint64_t holder)
{
    return holder == PEERS_NONE ? !sessions_are_full(self->sessions)
                                : peers_has_room(sessions_get_peers(self->sessions), holder);
}

static metrics_id
limit_of(uint64_t holder)
{
    return holder == PEERS_NONE ? METRICS_sessions_put_off_all : METRICS_sessions_put_off_peer;
}

// is_freed returns whether a place is, once a session goes; NULL: none does.
static bool
is_freed(const session *going, uint64_t holder)
{
    return going != NULL && sessions_is_of(going, holder);
}

// find_room makes room for a session that is not in memory: others go only if there is room then.
// Returns the metric of the limit that is in the way; METRICS_COUNT: none.
static metrics_id
find_room(agent_protocol *self, const uint64_t holders[2])
{
    enum { PLACES = 3 }; // those of an address, of a token and of all
    const uint64_t whose[PLACES] = {holders[0], holders[1], PEERS_NONE};
    session *going[PLACES] = {NULL};
    for (size_t i = 0; i < 2; i++) {
        if (!peers_may_begin(sessions_get_peers(self->sessions), holders[i], self->now_ms)) {
            return METRICS_sessions_put_off_rate;
        }
    }
    for (size_t i = 0; i < PLACES; i++) {
        if (has_place(self, whose[i]) || is_freed(going[0], whose[i]) ||
            is_freed(going[1], whose[i])) {
            continue;
        }
        going[i] = sessions_find_empty(self->sessions, whose[i], self->now_ms);
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

// begin brings a session into memory for the holders. Returns the limit that is in the way.
static metrics_id
begin(agent_protocol *self, const char *id, const uint64_t holders[2])
{
    if (sessions_find(self->sessions, id) != NULL) {
        return METRICS_COUNT;
    }
    metrics_id limit = find_room(self, holders);
    if (limit != METRICS_COUNT) {
        metrics_add(limit, 1);
        return limit;
    }
    for (size_t i = 0; i < 2; i++) {
        peers_note_begin(sessions_get_peers(self->sessions), holders[i], self->now_ms);
    }
    return METRICS_COUNT;
}

// check_hello judges a Hello by itself: STATUS_OK, or why it is refused.
static verdict
check_hello(const Loupe__Wire__Hello *hello)
{
    if (!is_name(hello->service) || !is_name(hello->instance) || !is_name(hello->jvm_name) ||
        !is_name(hello->jvm_version) || !is_name(hello->agent_version)) {
        return say(STATUS_REFUSED, 0,
            "hello: service, instance, jvm_name, jvm_version and agent_version must be UTF-8 "
            "without control characters, of at most %d bytes",
            SESSION_NAME_BYTES_MAX);
    }
    if (hello->secret.len != 0 && hello->secret.len != WIRE_SECRET_BYTES) {
        return say(STATUS_REFUSED, 0, "hello: a secret has %d bytes, not %zu", WIRE_SECRET_BYTES,
            hello->secret.len);
    }
    if (hello->next_sequence > WIRE_SEQUENCE_MAX) {
        return say(STATUS_REFUSED, 0, "hello: next_sequence %" PRIu64 " is over the limit",
            hello->next_sequence);
    }
    return say(STATUS_OK, 0, "%s", "");
}

// greet admits a session; *out_session is written only with STATUS_OK.
static verdict
greet(agent_protocol *self, const agent_socket_request *request, const Loupe__Wire__Hello *hello,
    session **out_session)
{
    char id[CATALOG_ID_CHARS + 1];
    if (!format_id(&hello->session, id)) {
        return say(STATUS_REFUSED, 0, "hello: a session id has %d bytes, not %zu",
            WIRE_SESSION_BYTES, hello->session.len);
    }
    verdict judged = check_hello(hello);
    if (judged.status != STATUS_OK) {
        return judged;
    }
    if (!has_room(self)) {
        return say(STATUS_BUSY, 0, "session %s: too many answers wait for the disk", id);
    }
    if (retention_is_removing(self->retention, id)) {
        return say(STATUS_BUSY, 0, "session %s: it is being removed", id);
    }
    agent_pass pass;
    lp_problem problem;
    if (agent_gate_admit(
            self->access, hello, agent_socket_get_peer_name(request), &pass, &problem) != LP_OK) {
        return say(STATUS_NOT_ALLOWED, 0, "session %s: %s", id, problem.text);
    }
    const uint64_t holders[2] = {agent_socket_get_peer(request), peers_of_name(pass.identity)};
    metrics_id limit = begin(self, id, holders);
    if (limit != METRICS_COUNT) {
        return say(STATUS_BUSY, 0, "session %s: one more of %s%s", id,
            metrics_describe(limit)->name, metrics_describe(limit)->label);
    }
    session *s;
    lp_err err = load_or_add(self, id, hello, &s);
    if (err == LP_OK) {
        const char *fault = session_owner_check(&s->row, hello, pass.identity);
        if (fault != NULL) {
            return say(STATUS_REFUSED, 0, "session %s: %s", id, fault);
        }
        session_owner_note(&s->row, hello, pass.identity);
        sessions_set_holders(self->sessions, s, holders);
        if (!s->is_greeted) {
            sessions_note_begun(self->sessions, s, self->now_ms);
        }
        s->pass = pass;
        err = copy_hello(s, hello);
    }
    if (err == LP_OK) {
        err = put_hello(self, s, hello);
    }
    if (err == LP_ELIMIT && disk_reserve_explain(self->reserve, &problem)) {
        return say(STATUS_BUSY, 0, "session %s: %s", id, problem.text);
    }
    if (err != LP_OK) {
        return say(STATUS_BUSY, 0, "session %s: %s", id, disk_reason(self->reserve->path, err));
    }
    hear(self, s, request);
    s->wire_version = self->version;
    if (s->wire_version < WIRE_VERSION) {
        session_forget_lack(s);
    }
    sessions_save(self->sessions, s);
    if (s->is_unsaved) {
        return say(STATUS_BUSY, 0, "session %s: cannot write the catalog: %s", id,
            strerror(sessions_get_fault(self->sessions)));
    }
    s->is_greeted = true;
    metrics_add(METRICS_hellos, 1);
    log_hello(self, s, hello);
    *out_session = s;
    verdict reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
    reply.is_with_policy = hello->takes_policy;
    reply.lacking_chunk = s->lack.chunk;
    reply.round = round_to_await(self);
    return reply;
}

static void
handle_hello(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Hello *hello)
{
    session *s = NULL;
    verdict reply = greet(self, request, hello, &s);
    answer(self, request, s, reply);
}

// --- Batch

static const char *
find_fault(const Loupe__Wire__Batch *batch)
{
    if (batch->jfr_size > WIRE_BULK_BYTES_MAX || batch->contexts_size > WIRE_BULK_BYTES_MAX) {
        return "jfr_size or contexts_size is over the limit";
    }
    if ((batch->jfr_size == 0) != (batch->jfr_zstd.len == 0) ||
        (batch->contexts_size == 0) != (batch->contexts_packed.len == 0)) {
        return "a size does not match its field";
    }
    if (batch->contexts_size / CTX_PACK_RATIO_MAX > batch->contexts_packed.len) {
        return "contexts_size is more than its bytes can hold";
    }
    if (batch->chunk_header.len != 0 && batch->chunk_header.len != JFR_CHUNK_HEADER_SIZE) {
        return "chunk_header has not the size of a chunk header";
    }
    if (batch->chunk == UINT32_MAX) {
        return "chunk is over the limit"; // there is none after it
    }
    if (batch->sequence >= WIRE_SEQUENCE_MAX) {
        return "its number is over the limit";
    }
    if (batch->n_context_types > CTX_TYPES_MAX) {
        return "too many context types";
    }
    if (batch->n_recording_contexts > CTX_RECORDINGS_LIVE_MAX ||
        batch->n_recording_contexts_ended > CTX_RECORDINGS_LIVE_MAX) {
        return "too many recording contexts";
    }
    if (batch->n_context_filters > CTX_FILTERS_BATCH_MAX) {
        return "too many context filters";
    }
    return NULL;
}

// open_late opens the journal at a path, or the one that is on its way to the disk.
static lp_err
open_late(const agent_protocol *self, const char *path, journal **out_file)
{
    journal *noted = sync_rounds_find_journal(self->rounds, path);
    if (noted == NULL) {
        return journal_open(path, out_file);
    }
    *out_file = journal_ref(noted);
    return LP_OK;
}

// put_aside_late keeps a batch that came too late.
static lp_err
put_aside_late(
    agent_protocol *self, const session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    char *path = data_dir_late_path(sessions_get_dir(self->sessions), s->row.id, batch->chunk);
    journal *file = NULL;
    lp_err err = path == NULL ? LP_ENOMEM : sync_rounds_admit(self->rounds);
    if (err == LP_OK) {
        err = open_late(self, path, &file);
    }
    if (err == LP_OK) {
        err = journal_append(file, message);
    }
    if (err == LP_OK) {
        sync_rounds_note(self->rounds, file, s->row.id, s->row.next_sequence);
    }
    int saved_errno = errno;
    journal_unref(file);
    free(path);
    errno = saved_errno;
    return err;
}

// count_late counts a late batch, and returns whether the disk has that, and what was compacted
// before: then no power cut takes it back. Where the disk takes the catalog no more, it is not
// waited for. A batch that comes again after a restart counts again.
static bool
count_late(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch)
{
    if (s->late_end != batch->sequence + 1) {
        s->late_end = batch->sequence + 1;
        s->late_round = UINT64_MAX;
        metrics_add(METRICS_batches_late, 1);
        session_lose(s, CATALOG_LOSS_BATCHES_LATE, 1,
            "chunk %u: batch %" PRIu64 " came after it was compacted: what it has is put aside",
            batch->chunk, batch->sequence);
    }
    if (s->late_round == UINT64_MAX) {
        sessions_save(self->sessions, s);
        s->late_round = s->is_unsaved ? UINT64_MAX : sync_rounds_get_coming(self->rounds);
        sync_rounds_hurry(self->rounds);
    }
    return sync_rounds_get_problem(self->rounds) != 0 ||
           sync_rounds_is_committed(self->rounds, s->late_round);
}

// note_cut has the session know that something of the batch's chunk was late, before a restart of
// the collector perhaps: nobody knows what of it the chunk has, so all that comes of it is late.
static void
note_cut(const agent_protocol *self, session *s, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk >= s->row.next_chunk || s->cut_chunk == batch->chunk + 1) {
        return;
    }
    char *path = data_dir_late_path(sessions_get_dir(self->sessions), s->row.id, batch->chunk);
    if (path == NULL || access(path, F_OK) == 0 || errno != ENOENT) {
        s->cut_chunk = batch->chunk + 1;
    }
    free(path);
}

// keep_policy journals the policy that is in force, as that of a chunk whose first batch this is.
static lp_err
keep_policy(agent_protocol *self, const session *s, session_chunk *chunk)
{
    policy_file *file = policy_dir_find(self->policies, s->row.service);
    if (file == NULL) {
        return LP_OK;
    }
    lp_err err = policy_message_append(file, chunk->journal);
    if (err != LP_OK) {
        policy_file_unref(file);
        return err;
    }
    chunk->policy = file; // moves
    return LP_OK;
}

// append_rest journals a batch of a chunk that is compacted, without its bytes and records. Of
// records that are put aside the size stays: the assembly ends contexts there.
static lp_err
append_rest(journal *file, const Loupe__Wire__Batch *batch, session_lateness lateness)
{
    Loupe__Wire__Batch rest = *batch; // shares what it points to
    rest.jfr_zstd = rest.chunk_header = rest.contexts_packed = (ProtobufCBinaryData){0};
    rest.jfr_size = 0;
    rest.contexts_size = lateness == SESSION_LATE ? batch->contexts_size : 0;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &rest;
    lp_buf packed = {0};
    uint8_t *bytes = lp_buf_extend(&packed, loupe__wire__request__get_packed_size(&request));
    lp_err err = LP_ENOMEM;
    if (bytes != NULL) {
        (void)loupe__wire__request__pack(&request, bytes);
        err = journal_append(file, lp_buf_slice(&packed));
    }
    lp_buf_fini(&packed);
    return err;
}

static lp_err
journal_batch(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    session_lateness lateness = session_get_lateness(s, batch);
    lp_err err = lateness == SESSION_LATE ? put_aside_late(self, s, batch, message) : LP_OK;
    if (err != LP_OK) {
        return err;
    }
    // What a late one has besides is for what follows.
    uint32_t ordinal = lateness == SESSION_IN_TIME ? batch->chunk : s->row.next_chunk;
    session_chunk *chunk;
    err = sync_rounds_admit(self->rounds);
    if (err == LP_OK) {
        err = sessions_open_chunk(self->sessions, s, ordinal, &chunk);
    }
    if (err == LP_OK && journal_get_size(chunk->journal) == 0) {
        err = keep_policy(self, s, chunk);
    }
    if (err == LP_OK) {
        err = lateness == SESSION_IN_TIME ? journal_append(chunk->journal, message)
                                          : append_rest(chunk->journal, batch, lateness);
    }
    if (err == LP_OK) {
        session_note(s, chunk, batch);
        sync_rounds_note(self->rounds, chunk->journal, s->row.id, s->row.next_sequence);
    }
    return err;
}

// accept_next journals the batch whose turn it is.
static verdict
accept_next(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    lp_problem problem;
    if (!disk_reserve_admit(self->reserve, message.len) &&
        disk_reserve_explain(self->reserve, &problem)) {
        return say(STATUS_BUSY, s->row.next_sequence, "session %s: %s", s->row.id, problem.text);
    }
    note_cut(self, s, batch);
    if (session_get_lateness(s, batch) == SESSION_LATE && !count_late(self, s, batch)) {
        return say(STATUS_BUSY, s->row.next_sequence,
            "session %s: batch %" PRIu64 " is late, which the disk does not have yet", s->row.id,
            batch->sequence);
    }
    lp_err err = journal_batch(self, s, batch, message);
    if (err == LP_ELIMIT) {
        return say(STATUS_BUSY, s->row.next_sequence, "session %s: %d chunks wait for compaction",
            s->row.id, SESSION_CHUNKS_MAX);
    }
    if (err != LP_OK) {
        int error = errno;
        metrics_add(METRICS_journal_write_errors, 1);
        if (lp_io_lacks_descriptors(error)) { // journals keep theirs until the disk has them
            sync_rounds_hurry(self->rounds);
        }
        errno = error;
        return say(STATUS_BUSY, s->row.next_sequence, "session %s: cannot write the journal: %s",
            s->row.id, disk_reason(self->reserve->path, err));
    }
    metrics_add(METRICS_batches_acked, 1);
    metrics_add(METRICS_acked_bytes, message.len);
    verdict reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
    reply.round = round_to_await(self);
    return reply;
}

// accept_duplicate answers a batch that is here already, though perhaps not on the disk.
static verdict
accept_duplicate(const agent_protocol *self, session *s, const Loupe__Wire__Batch *batch)
{
    verdict reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
    if (batch->sequence >= s->durable_sequence) {
        reply.round = round_to_await(self);
    }
    if (batch->is_last && batch->sequence + 1 == s->row.next_sequence) {
        s->has_ended = true; // a Hello after its answer was lost has said otherwise
        s->row.ended_how = CATALOG_ENDED_CLOSED;
    }
    return reply;
}

// unpack reads a request, which the caller frees. Errors: LP_ECORRUPT if the bytes are no message
// of the protocol; LP_ELIMIT if they would be one of too many parts; LP_ENOMEM
static lp_err
unpack(const agent_socket_request *request, Loupe__Wire__Request **out_message)
{
    lp_slice bytes = agent_socket_get_bytes(request);
    if (bytes.len > WIRE_MESSAGE_BYTES_MAX) {
        return LP_ECORRUPT;
    }
    wire_counts counts;
    lp_err err = wire_scan(&loupe__wire__request__descriptor, bytes, &counts);
    if (err == LP_ELIMIT) {
        metrics_add(counts.submessages > WIRE_SUBMESSAGES_MAX
                        ? METRICS_agent_messages_refused_submessages
                        : METRICS_agent_messages_refused_fields,
            1);
    }
    if (err != LP_OK) {
        return err;
    }
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    *out_message = loupe__wire__request__unpack(&allocator, bytes.len, bytes.ptr);
    return *out_message != NULL ? LP_OK : lp_proto_err(is_short);
}

// accept_held goes on with batches that came early, now that those before them are there. They were
// unpacked once already, so only memory can be missing: they are then dropped and come again.
static void
accept_held(agent_protocol *self, session *s)
{
    for (agent_socket_request *held; (held = session_take_held(s)) != NULL;) {
        Loupe__Wire__Request *message;
        if (unpack(held, &message) != LP_OK) {
            agent_socket_drop(held);
            return;
        }
        verdict reply;
        if (session_admit(s, message->batch->sequence) == SESSION_NEXT) {
            reply = accept_next(self, s, message->batch, agent_socket_get_bytes(held));
        } else {
            reply = accept_duplicate(self, s, message->batch);
        }
        loupe__wire__request__free_unpacked(message, NULL);
        answer(self, held, s, reply);
        if (reply.status != STATUS_OK) {
            return;
        }
    }
}

// handle_batch takes request, as it may have to be held.
static void
handle_batch(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Batch *batch)
{
    metrics_add(METRICS_batches_received, 1);
    char id[CATALOG_ID_CHARS + 1];
    if (!format_id(&batch->session, id)) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "batch: a session id has %d bytes, not %zu", WIRE_SESSION_BYTES,
                batch->session.len));
        return;
    }
    const char *fault = find_fault(batch);
    if (fault != NULL) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "session %s: batch %" PRIu64 ": %s", id, batch->sequence,
                fault));
        return;
    }
    session *s = sessions_find(self->sessions, id);
    if (s == NULL || !s->is_greeted ||
        s->connection != agent_socket_get_connection(request) || // or anybody could send it
        !agent_gate_renew(self->access, &s->pass, s->row.service)) {
        answer(self, request, NULL, say(STATUS_UNKNOWN_SESSION, 0, "session %s needs a hello", id));
        return;
    }
    hear(self, s, request);
    if (!has_room(self)) {
        answer(self, request, s,
            say(STATUS_BUSY, s->row.next_sequence, "session %s: too many answers wait for the disk",
                id));
        return;
    }
    verdict reply;
    switch (session_admit(s, batch->sequence)) {
    case SESSION_NEXT:
        reply = accept_next(self, s, batch, agent_socket_get_bytes(request));
        break;
    case SESSION_DUPLICATE:
        metrics_add(METRICS_batches_duplicate, 1);
        reply = accept_duplicate(self, s, batch);
        break;
    case SESSION_EARLY:
        if (agent_socket_get_taken_bytes(self->socket) <= self->early_bytes_max) {
            metrics_add(METRICS_batches_held, 1);
            session_hold(s, batch->sequence, request);
            return;
        }
        reply = say(STATUS_BUSY, s->row.next_sequence,
            "session %s: too many batches that came early are held", id);
        break;
    case SESSION_TOO_EARLY:
        reply = say(STATUS_UNKNOWN_SESSION, s->row.next_sequence,
            "session %s: batch %" PRIu64 " is more than a window ahead of %" PRIu64, id,
            batch->sequence, s->row.next_sequence);
        break;
    }
    answer(self, request, s, reply);
    if (reply.status == STATUS_OK) {
        accept_held(self, s);
        self->on_batch(self->arg, s);
    }
}

void
agent_protocol_handle(agent_protocol *self, agent_socket_request *request, uint64_t now_ms)
{
    self->now_ms = now_ms;
    self->version = WIRE_VERSION;
    Loupe__Wire__Request *message;
    lp_err err = unpack(request, &message);
    if (err == LP_ENOMEM) { // to refuse it would end its session
        answer(self, request, NULL, say(STATUS_BUSY, 0, "out of memory"));
        return;
    }
    if (err == LP_ELIMIT) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0,
                "a message of more than %d messages, or of more than %d fields in all",
                WIRE_SUBMESSAGES_MAX, WIRE_FIELDS_MAX));
        return;
    }
    if (err != LP_OK) {
        answer(self, request, NULL, say(STATUS_REFUSED, 0, "not a message of this protocol"));
        return;
    }
    bool is_served = message->version >= WIRE_VERSION_MIN && message->version <= WIRE_VERSION;
    self->version = is_served ? message->version : WIRE_VERSION;
    if (!is_served) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "this collector speaks protocol version %d, the agent speaks %u",
                WIRE_VERSION, message->version));
    } else if (message->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        handle_hello(self, request, message->hello);
    } else if (message->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        handle_batch(self, request, message->batch);
    } else {
        answer(self, request, NULL, say(STATUS_REFUSED, 0, "a request of an unknown kind"));
    }
    loupe__wire__request__free_unpacked(message, NULL);
}

void
agent_protocol_release(agent_protocol *self)
{
    const held_answer *first;
    while ((first = held_answers_first(&self->held)) != NULL &&
           sync_rounds_is_over(self->rounds, first->round)) {
        held_answer held = held_answers_pop(&self->held);
        if (sync_rounds_has_failed(self->rounds, held.session_id)) {
            answer(self, held.request, NULL,
                say(STATUS_BUSY, 0, "session %s: the disk does not take its journal",
                    held.session_id));
        } else {
            agent_socket_answer(self->socket, held.request, lp_buf_slice(&held.reply));
        }
        lp_buf_fini(&held.reply);
    }
}

void
agent_protocol_fini(agent_protocol *self)
{
    held_answers_fini(&self->held);
}
