// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/journal_sink.h"

#include "collector/base/disk_reason.h"
#include "collector/base/metrics.h"
#include "collector/intake/policy_message.h"
#include "collector/session/session_note.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

// put_aside_late writes a late batch to its chunk's late journal. It does so once, though the batch
// is put off and resent if journaling its rest fails.
static lp_err
put_aside_late(journal_sink *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    LP_ASSERT(batch->chunk < s->row.next_chunk);
    if (s->late_kept == batch->sequence + 1) {
        return LP_OK;
    }
    const data_path path = data_dir_at(self->sessions->dir, DATA_DIR_LATE, s->row.id, batch->chunk);
    journal *file = NULL;
    lp_err err = sync_rounds_admit(self->rounds);
    LP_THEN(err, late_journals_open(&self->sessions->late, path.text, &file));
    LP_THEN(err, journal_append(file, message));
    if (err == LP_OK) {
        sync_rounds_note(self->rounds, file, s->row.id, s->row.next_sequence);
        s->late_kept = batch->sequence + 1;
    }
    return err;
}

// count_late counts a late batch. Returns whether the count and the compaction are on the disk, so
// that no power cut undoes them; also true if the catalog cannot be synced any more. A batch that
// is resent after a restart counts again.
static bool
count_late(journal_sink *self, session *s, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(batch->chunk < s->row.next_chunk);
    if (s->late_end != batch->sequence + 1) {
        s->late_end = batch->sequence + 1;
        s->late_round = UINT64_MAX;
        metrics_add(METRICS_batches_late, 1);
        session_lose(s, CATALOG_LOSS_BATCHES_LATE, 1,
            "chunk %u: batch %" PRIu64 " came after the compaction: it is put aside in damaged/",
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

// note_cut notes in the session if an earlier batch of the batch's chunk was late, maybe before a
// restart. As the chunk may have a part of that batch, all later ones are late, too.
static void
note_cut(const journal_sink *self, session *s, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk >= s->row.next_chunk || s->cut_chunk == batch->chunk + 1) {
        return;
    }
    const data_path path = data_dir_at(self->sessions->dir, DATA_DIR_LATE, s->row.id, batch->chunk);
    if (access(path.text, F_OK) == 0 || errno != ENOENT) {
        s->cut_chunk = batch->chunk + 1;
    }
}

static void
refuse_own(journal_sink *self, const session *s, session_chunk *chunk, const char *why)
{
    LP_ASSERT(why[0] != '\0');
    metrics_add(METRICS_own_policies_refused, !chunk->is_own_refused); // once a chunk
    chunk->is_own_refused = true;
    if (self->now_ms >= self->own_log_ms) {
        self->own_log_ms = self->now_ms + AGENT_PROTOCOL_LOG_MS;
        lp_log(LP_LOG_WARN, "session %s: %s; everything is kept", s->row.id, why);
    }
}

// find_own finds the policy of a JVM's own settings, NULL if it has none or none that is valid.
// Errors: LP_ENOMEM
static lp_err
find_own(journal_sink *self, const session *s, session_chunk *chunk,
    const Loupe__Wire__OwnPolicy *own, policy_file **out_file)
{
    *out_file = NULL;
    if (own->is_lost) {
        refuse_own(self, s, chunk, "the agent has lost the settings of its JVM");
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

// set_policy journals the policy that decides a chunk. Takes ownership of file; NULL: the JVM
// turned out to have no settings.
static lp_err
set_policy(session_chunk *chunk, policy_file *file, bool is_own)
{
    LP_ASSERT(chunk->journal != NULL);
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

// keep_policy journals the policy that decides a chunk, before a batch. A new chunk gets the policy
// that applies to the service. If the collector has none, the JVM's own decides: the chunk's first
// batch brings it, and a later one may correct it. own is NULL if this batch has none.
static lp_err
keep_policy(
    journal_sink *self, const session *s, session_chunk *chunk, const Loupe__Wire__OwnPolicy *own)
{
    LP_ASSERT(chunk->journal != NULL);
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
    if (err == LP_OK && file == chunk->policy) { // the cache shares equal texts
        policy_file_unref(file);
        return LP_OK;
    }
    return err == LP_OK ? set_policy(chunk, file, true) : err;
}

// append_rest journals a batch of a compacted chunk without its bytes and records. The size of late
// records stays: the assembly ends contexts there.
static lp_err
append_rest(journal *file, const Loupe__Wire__Batch *batch, session_lateness lateness)
{
    LP_ASSERT(lateness != SESSION_IN_TIME);
    Loupe__Wire__Batch rest = *batch; // shallow
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
    LP_THEN(err, journal_append(file, lp_buf_slice(&packed)));
    lp_buf_fini(&packed);
    return err;
}

static lp_err
journal_batch(journal_sink *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    LP_ASSERT(batch->sequence == s->row.next_sequence);
    session_lateness lateness = session_get_lateness(s, batch);
    LP_TRY(lateness == SESSION_LATE ? put_aside_late(self, s, batch, message) : LP_OK);
    // The rest of a late batch belongs to the next chunk.
    uint32_t ordinal = lateness == SESSION_IN_TIME ? batch->chunk : s->row.next_chunk;
    session_chunk *chunk;
    lp_err err = sync_rounds_admit(self->rounds);
    LP_THEN(err, sessions_open_chunk(self->sessions, s, ordinal, &chunk));
    LP_THEN(
        err, keep_policy(self, s, chunk, lateness == SESSION_IN_TIME ? batch->own_policy : NULL));
    LP_THEN(err, lateness == SESSION_IN_TIME ? journal_append(chunk->journal, message)
                                             : append_rest(chunk->journal, batch, lateness));
    if (err == LP_OK) {
        const bool has_lacked = s->lack.chunk != 0;
        session_note(s, chunk, batch);
        LP_ASSERT(s->row.next_sequence == batch->sequence + 1);
        if (has_lacked && s->lack.chunk == 0) {
            sessions_save(self->sessions, s); // a start after a kill could not tell that it came
        }
        sync_rounds_note(self->rounds, chunk->journal, s->row.id, s->row.next_sequence);
    }
    return err;
}

agent_verdict
journal_sink_append(
    journal_sink *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    lp_problem problem;
    LP_REQUIRE(disk_reserve_admit(self->reserve, message.len) ||
                   !disk_reserve_explain(self->reserve, &problem),
        agent_verdict_busy(s->row.id, s->row.next_sequence, "%s", problem.text));
    note_cut(self, s, batch);
    LP_REQUIRE(session_get_lateness(s, batch) != SESSION_LATE || count_late(self, s, batch),
        agent_verdict_busy(s->row.id, s->row.next_sequence,
            "batch %" PRIu64 " is late, and its loss is not on the disk yet", batch->sequence));
    lp_err err = journal_batch(self, s, batch, message);
    LP_REQUIRE(err != LP_ELIMIT, agent_verdict_busy(s->row.id, s->row.next_sequence,
                                     "%d chunks wait for compaction", SESSION_CHUNKS_MAX));
    if (err != LP_OK) {
        int error = errno;
        metrics_add(METRICS_journal_write_errors, 1);
        if (lp_io_lacks_descriptors(error)) { // a round closes journals
            sync_rounds_hurry(self->rounds);
        }
        errno = error;
        return agent_verdict_busy(s->row.id, s->row.next_sequence, "cannot write the journal: %s",
            disk_reason(self->reserve->path, err));
    }
    return agent_verdict_accept(s->row.next_sequence);
}

bool
journal_sink_repeat(session *s, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(batch->sequence < s->row.next_sequence);
    bool is_end = batch->is_last && batch->sequence + 1 == s->row.next_sequence;
    if (is_end) {
        session_enter(s, SESSION_ENDED); // undoes the Hello after the lost answer
        s->row.ended_how = CATALOG_ENDED_CLOSED;
    }
    return is_end;
}

// --- As a sink

static agent_verdict
greet(void *arg, const agent_greeting *greeting, agent_place **out_place)
{
    journal_sink *self = arg;
    LP_ASSERT(self->door != NULL);
    self->now_ms = greeting->now_ms;
    const agent_hello_env env = {
        .sessions = self->sessions,
        .rounds = self->rounds,
        .reserve = self->reserve,
        .places = &self->door->places,
        .now_ms = self->now_ms,
        .on_empty = self->on_batch,
        .arg = self->arg,
    };
    session *s = NULL;
    agent_verdict reply = agent_hello_greet(&env, greeting, &s);
    LP_REQUIRE(reply.status == AGENT_VERDICT_OK, reply);
    agent_place *place = agent_protocol_open_place(self->door, greeting);
    LP_REQUIRE(place != NULL, agent_verdict_busy(greeting->id, 0, "out of memory"));
    s->is_greeted = true;
    agent_protocol_greeted(place);
    *out_place = place;
    return reply;
}

static bool
has(void *arg, const agent_place *place)
{
    const journal_sink *self = arg;
    const session *s = sessions_find(self->sessions, place->id);
    return s != NULL && s->is_greeted && s->standing != SESSION_LOST;
}

static void
set_numbers(agent_place *place, const session *s)
{
    place->acknowledged = place->next = s->row.next_sequence;
}

static bool
hear(void *arg, agent_place *place, uint64_t now_ms)
{
    journal_sink *self = arg;
    self->now_ms = now_ms;
    LP_REQUIRE(has(arg, place), false);
    session *s = sessions_find(self->sessions, place->id);
    sessions_hear(self->sessions, s, place->connection, now_ms);
    set_numbers(place, s);
    return true;
}

static agent_verdict
append(void *arg, agent_place *place, const Loupe__Wire__Batch *batch, lp_slice message)
{
    journal_sink *self = arg;
    session *s = sessions_find(self->sessions, place->id);
    LP_ASSERT(s != NULL && s->row.next_sequence == batch->sequence);
    agent_verdict reply = journal_sink_append(self, s, batch, message);
    set_numbers(place, s);
    if (reply.status == AGENT_VERDICT_OK) {
        agent_verdict_await(&reply, self->rounds);
    }
    return reply;
}

// repeat answers a batch that was journaled, though maybe not synced.
static agent_verdict
repeat(void *arg, const agent_place *place, const Loupe__Wire__Batch *batch)
{
    const journal_sink *self = arg;
    session *s = sessions_find(self->sessions, place->id);
    LP_ASSERT(s != NULL && batch->sequence < s->row.next_sequence);
    agent_verdict reply = agent_verdict_accept(s->row.next_sequence);
    if (batch->sequence >= s->durable_sequence) {
        agent_verdict_await(&reply, self->rounds);
    }
    journal_sink_repeat(s, batch);
    return reply;
}

static uint64_t
get_durable(void *arg, const agent_place *place, const agent_verdict *reply)
{
    const journal_sink *self = arg;
    const session *s = sessions_find(self->sessions, place->id);
    if (s == NULL || session_get_lacking(s) != 0) { // the agent keeps lacking batches
        return 0;
    }
    bool is_here_alone = s->row.term == 0; // else a batch is durable when its chunk is stored
    return reply->round != 0 && is_here_alone ? reply->next_sequence : s->durable_sequence;
}

static void
settle(void *arg, const agent_place *place)
{
    const journal_sink *self = arg;
    session *s = sessions_find(self->sessions, place->id);
    LP_ASSERT(s != NULL); // agent_protocol has just heard or greeted it
    self->on_batch(self->arg, s);
}

void
journal_sink_bind(journal_sink *self, agent_protocol *door)
{
    LP_ASSERT(door->places.all.count == 0);
    self->door = door;
    door->sink = (agent_sink){
        .arg = self,
        .greet = greet,
        .hear = hear,
        .append = append,
        .repeat = repeat,
        .get_durable = get_durable,
        .has = has,
        .settle = settle,
    };
}
