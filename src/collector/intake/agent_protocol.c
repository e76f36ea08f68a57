// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_protocol.h"

#include "collector/base/disk_reason.h"
#include "collector/base/metrics.h"
#include "collector/intake/agent_hello.h"
#include "collector/intake/agent_request.h"
#include "collector/intake/policy_message.h"
#include "collector/session/session_note.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time_scale.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// answer sends the reply, at once or after the end of its round; s is NULL where there is no
// session. Without memory the request ends without an answer and comes again.
static void
answer(agent_protocol *self, agent_socket_request *request, const session *s, agent_verdict reply)
{
    agent_reply_count(&self->log, &reply, self->now_ms);
    agent_reply_facts facts = {.policies = self->policies,
        .go_elsewhere = atomic_load_explicit(&self->is_drained, memory_order_relaxed)};
    if (s != NULL) { // what waits for its round is on the disk when it is sent
        facts.service = s->row.service;
        bool is_here_alone = s->row.term == 0;          // else it is durable once it is stored
        facts.durable_sequence = s->lack.chunk != 0 ? 0 // the agent keeps what is lacking
                                 : reply.round != 0 && is_here_alone ? reply.next_sequence
                                                                     : s->durable_sequence;
    }
    lp_buf packed;
    if (agent_reply_pack(&reply, &facts, &packed) != LP_OK) {
        agent_socket_drop(request);
    } else if (!sync_rounds_is_over(self->rounds, reply.round)) {
        hold(self, request, s, reply.round, &packed);
    } else {
        agent_socket_answer(self->socket, request, lp_buf_slice(&packed));
        lp_buf_fini(&packed);
    }
}

// has_room returns whether the answers to a request, and to all batches that waited for it, can
// wait for the disk if they have to.
static bool
has_room(const agent_protocol *self)
{
    return !sync_rounds_is_late(self->rounds) ||
           held_answers_has_room(&self->held, WIRE_WINDOW_MAX + 1);
}

static void
handle_hello(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Hello *hello)
{
    const agent_hello_desk desk = {
        .sessions = self->sessions,
        .rounds = self->rounds,
        .reserve = self->reserve,
        .retention = self->retention,
        .access = self->access,
        .now_ms = self->now_ms,
        .has_room = has_room(self),
        .on_empty = self->on_batch,
        .arg = self->arg,
    };
    session *s = NULL;
    agent_verdict reply = agent_hello_greet(&desk, request, hello, &s);
    answer(self, request, s, reply);
    if (s != NULL && hello->last_counters != NULL) { // all that will come is here
        self->on_batch(self->arg, s);
    }
}

// --- Batch

// put_aside_late keeps a batch that came too late, once: it is put off, and comes again, where what
// it has besides cannot be journalled.
static lp_err
put_aside_late(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    if (s->late_kept == batch->sequence + 1) {
        return LP_OK;
    }
    char *path = data_dir_late_path(sessions_get_dir(self->sessions), s->row.id, batch->chunk);
    journal *file = NULL;
    lp_err err = path == NULL ? LP_ENOMEM : sync_rounds_admit(self->rounds);
    if (err == LP_OK) {
        err = late_journals_open(sessions_get_late(self->sessions), path, &file);
    }
    if (err == LP_OK) {
        err = journal_append(file, message);
    }
    if (err == LP_OK) {
        sync_rounds_note(self->rounds, file, s->row.id, s->row.next_sequence);
        s->late_kept = batch->sequence + 1;
    }
    int saved_errno = errno;
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

// refuse_own notes that the JVM's own settings of a chunk are not known.
static void
refuse_own(agent_protocol *self, const session *s, session_chunk *chunk, const char *why)
{
    metrics_add(METRICS_own_policies_refused, !chunk->is_own_refused); // a chunk once
    chunk->is_own_refused = true;
    if (self->now_ms >= self->own_quiet_ms) {
        self->own_quiet_ms = self->now_ms + AGENT_REPLY_LOG_MS;
        lp_log(LP_LOG_WARN, "session %s: %s; everything is kept", s->row.id, why);
    }
}

// find_own finds the policy of a JVM's own settings; NULL: it has none, or none that can be read.
// Errors: LP_ENOMEM
static lp_err
find_own(agent_protocol *self, const session *s, session_chunk *chunk,
    const Loupe__Wire__OwnPolicy *own, policy_file **out_file)
{
    *out_file = NULL;
    if (own->is_lost) {
        refuse_own(self, s, chunk, "the agent has forgotten which settings its JVM had");
        return LP_OK;
    }
    if (own->text_size == 0 && own->text_zstd.len == 0) {
        return LP_OK;
    }
    lp_problem problem;
    lp_err err = policy_message_decode_own(own, self->cache, out_file, &problem);
    if (err != LP_OK && err != LP_ENOMEM) {
        refuse_own(self, s, chunk, problem.text);
        err = LP_OK;
    }
    return err;
}

// set_policy journals the policy that decides a chunk, before a batch. Takes ownership of file;
// NULL: the JVM has no settings, after all.
static lp_err
set_policy(session_chunk *chunk, policy_file *file, bool is_own)
{
    lp_err err = policy_message_append(file, is_own, chunk->journal);
    if (err != LP_OK) {
        policy_file_unref(file);
        return err;
    }
    policy_file_unref(chunk->policy);
    chunk->policy = file; // moves
    chunk->is_policy_own = is_own;
    return LP_OK;
}

// keep_policy journals the policy that decides a chunk, before a batch: for a new chunk the one in
// force for the service. If the collector has none, the JVM's own decides, which comes with the
// chunk's first batch, and again with a later one if the agent knows better by then. own is NULL if
// this batch has none.
static lp_err
keep_policy(
    agent_protocol *self, const session *s, session_chunk *chunk, const Loupe__Wire__OwnPolicy *own)
{
    bool is_new = journal_get_size(chunk->journal) == 0;
    policy_file *file = is_new ? policy_dir_find(self->policies, s->row.service) : NULL;
    if (file != NULL) {
        return set_policy(chunk, file, false);
    }
    bool is_other = chunk->policy != NULL && !chunk->is_policy_own;
    if (own == NULL || self->has_policy || is_other) {
        return LP_OK;
    }
    lp_err err = find_own(self, s, chunk, own, &file);
    if (err == LP_OK && file == chunk->policy) { // the cache has a text once
        policy_file_unref(file);
        return LP_OK;
    }
    return err == LP_OK ? set_policy(chunk, file, true) : err;
}

// append_rest journals a batch of a chunk that is compacted, without its bytes and records. Of
// records that are put aside the size stays: the assembly ends contexts there.
static lp_err
append_rest(journal *file, const Loupe__Wire__Batch *batch, session_lateness lateness)
{
    Loupe__Wire__Batch rest = *batch; // shares what it points to
    rest.jfr_zstd = rest.chunk_header = rest.contexts_packed = (ProtobufCBinaryData){0};
    rest.own_policy = NULL;
    rest.jfr_size = 0;
    rest.contexts_size = lateness == SESSION_LATE ? batch->contexts_size : 0;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &rest;
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&request.base, &packed);
    err = err == LP_OK ? journal_append(file, lp_buf_slice(&packed)) : err;
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
    if (err == LP_OK) {
        err = keep_policy(self, s, chunk, lateness == SESSION_IN_TIME ? batch->own_policy : NULL);
    }
    if (err == LP_OK) {
        err = lateness == SESSION_IN_TIME ? journal_append(chunk->journal, message)
                                          : append_rest(chunk->journal, batch, lateness);
    }
    if (err == LP_OK) {
        const uint64_t made_good = s->batches_made_good;
        session_note(s, chunk, batch);
        if (s->batches_made_good > made_good) { // a start after a kill could not tell
            sessions_save(self->sessions, s);
        }
        sync_rounds_note(self->rounds, chunk->journal, s->row.id, s->row.next_sequence);
    }
    return err;
}

// is_put_off returns whether no batch of the session may be taken now, and the answer then.
static bool
is_put_off(agent_protocol *self, const session *s, agent_verdict *out_reply)
{
    lp_problem problem;
    if (day_quotas_admit(self->quotas, s->row.service, &problem)) {
        return false;
    }
    *out_reply = agent_verdict_make(
        AGENT_VERDICT_BUSY, s->row.next_sequence, "session %s: %s", s->row.id, problem.text);
    out_reply->is_told = true; // it may take all day
    out_reply->again_after_ms = (uint32_t)lp_time_scale_ms(DAY_QUOTAS_AGAIN_AFTER_MS);
    return true;
}

agent_verdict
agent_protocol_journal(
    agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    lp_problem problem;
    if (!disk_reserve_admit(self->reserve, message.len) &&
        disk_reserve_explain(self->reserve, &problem)) {
        return agent_verdict_make(
            AGENT_VERDICT_BUSY, s->row.next_sequence, "session %s: %s", s->row.id, problem.text);
    }
    note_cut(self, s, batch);
    if (session_get_lateness(s, batch) == SESSION_LATE && !count_late(self, s, batch)) {
        return agent_verdict_make(AGENT_VERDICT_BUSY, s->row.next_sequence,
            "session %s: batch %" PRIu64 " is late, which the disk does not have yet", s->row.id,
            batch->sequence);
    }
    lp_err err = journal_batch(self, s, batch, message);
    if (err == LP_ELIMIT) {
        return agent_verdict_make(AGENT_VERDICT_BUSY, s->row.next_sequence,
            "session %s: %d chunks wait for compaction", s->row.id, SESSION_CHUNKS_MAX);
    }
    if (err != LP_OK) {
        int error = errno;
        metrics_add(METRICS_journal_write_errors, 1);
        if (lp_io_lacks_descriptors(error)) { // journals keep theirs until the disk has them
            sync_rounds_hurry(self->rounds);
        }
        errno = error;
        return agent_verdict_make(AGENT_VERDICT_BUSY, s->row.next_sequence,
            "session %s: cannot write the journal: %s", s->row.id,
            disk_reason(self->reserve->path, err));
    }
    return agent_verdict_make(AGENT_VERDICT_OK, s->row.next_sequence, "%s", "");
}

// accept_next journals the batch whose turn it is.
static agent_verdict
accept_next(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    agent_verdict reply;
    if (is_put_off(self, s, &reply)) {
        return reply;
    }
    reply = agent_protocol_journal(self, s, batch, message);
    if (reply.status == AGENT_VERDICT_OK) {
        metrics_add(METRICS_batches_acked, 1);
        metrics_add(METRICS_acked_bytes, message.len);
        day_quotas_note(self->quotas, s->row.service, message.len);
        agent_verdict_await(&reply, self->rounds);
    }
    return reply;
}

// accept_duplicate answers a batch that is here already, though perhaps not on the disk.
static agent_verdict
accept_duplicate(const agent_protocol *self, session *s, const Loupe__Wire__Batch *batch)
{
    agent_verdict reply = agent_verdict_make(AGENT_VERDICT_OK, s->row.next_sequence, "%s", "");
    if (batch->sequence >= s->durable_sequence) {
        agent_verdict_await(&reply, self->rounds);
    }
    if (batch->is_last && batch->sequence + 1 == s->row.next_sequence) {
        s->has_ended = true; // a Hello after its answer was lost has said otherwise
        s->row.ended_how = CATALOG_ENDED_CLOSED;
    }
    return reply;
}

// accept_held goes on with batches that came early, now that those before them are there. They were
// unpacked once already, so only memory can be missing: they are then dropped and come again.
static void
accept_held(agent_protocol *self, session *s)
{
    for (agent_socket_request *held; (held = session_take_held(s)) != NULL;) {
        Loupe__Wire__Request *message;
        if (agent_request_unpack(agent_socket_get_bytes(held), &message) != LP_OK) {
            agent_socket_drop(held);
            return;
        }
        agent_verdict reply;
        if (session_admit(s, message->batch->sequence) == SESSION_NEXT) {
            reply = accept_next(self, s, message->batch, agent_socket_get_bytes(held));
        } else {
            reply = accept_duplicate(self, s, message->batch);
        }
        loupe__wire__request__free_unpacked(message, NULL);
        answer(self, held, s, reply);
        if (reply.status != AGENT_VERDICT_OK) {
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
    if (!agent_verdict_format_id(&batch->session, id)) {
        answer(self, request, NULL,
            agent_verdict_make(AGENT_VERDICT_REFUSED, 0,
                "batch: a session id has %d bytes, not %zu", WIRE_SESSION_BYTES,
                batch->session.len));
        return;
    }
    const char *fault = agent_request_find_fault(batch);
    if (fault != NULL) {
        answer(self, request, NULL,
            agent_verdict_make(AGENT_VERDICT_REFUSED, 0, "session %s: batch %" PRIu64 ": %s", id,
                batch->sequence, fault));
        return;
    }
    session *s = sessions_find(self->sessions, id);
    if (s == NULL || !s->is_greeted || s->is_lost ||
        s->connection != agent_socket_get_connection(request) || // or anybody could send it
        !agent_gate_renew(self->access, &s->pass, s->row.service)) {
        answer(self, request, NULL,
            agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, 0, "session %s needs a hello", id));
        return;
    }
    sessions_hear(self->sessions, s, agent_socket_get_connection(request), self->now_ms);
    if (!has_room(self)) {
        answer(self, request, s,
            agent_verdict_make(AGENT_VERDICT_BUSY, s->row.next_sequence,
                "session %s: too many answers wait for the disk", id));
        return;
    }
    agent_verdict reply;
    switch (session_admit(s, batch->sequence)) {
    case SESSION_NEXT:
        reply = accept_next(self, s, batch, agent_socket_get_bytes(request));
        break;
    case SESSION_DUPLICATE:
        metrics_add(METRICS_batches_duplicate, 1);
        reply = accept_duplicate(self, s, batch);
        break;
    case SESSION_EARLY:
        if (is_put_off(self, s, &reply)) { // or it would have room here all day
            break;
        }
        if (agent_socket_get_taken_bytes(self->socket) <= self->early_bytes_max) {
            metrics_add(METRICS_batches_held, 1);
            session_hold(s, batch->sequence, request);
            return;
        }
        reply = agent_verdict_make(AGENT_VERDICT_BUSY, s->row.next_sequence,
            "session %s: too many batches that came early are held", id);
        break;
    case SESSION_TOO_EARLY:
        reply = agent_verdict_make(AGENT_VERDICT_UNKNOWN_SESSION, s->row.next_sequence,
            "session %s: batch %" PRIu64 " is more than a window ahead of %" PRIu64, id,
            batch->sequence, s->row.next_sequence);
        break;
    }
    answer(self, request, s, reply);
    if (reply.status == AGENT_VERDICT_OK) {
        accept_held(self, s);
        self->on_batch(self->arg, s);
    }
}

void
agent_protocol_handle(agent_protocol *self, agent_socket_request *request, uint64_t now_ms)
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

void
agent_protocol_release(agent_protocol *self)
{
    const held_answer *first;
    while ((first = held_answers_first(&self->held)) != NULL &&
           sync_rounds_is_over(self->rounds, first->round)) {
        held_answer held = held_answers_pop(&self->held);
        if (sync_rounds_has_failed(self->rounds, held.session_id)) {
            answer(self, held.request, NULL,
                agent_verdict_make(AGENT_VERDICT_BUSY, 0,
                    "session %s: the disk does not take its journal", held.session_id));
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
