// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_worker.h"

#include "collector/base/metrics.h"
#include "collector/intake/agent_hello.h"
#include "collector/intake/agent_request.h"
#include "collector/journal/journal_list.h"
#include "collector/log/log_record.h"
#include "collector/session/hello_file.h"
#include "collector/session/session_owner.h"
#include "collector/session/session_settle.h"
#include "collector/session/session_take.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void
log_worker_init(log_worker *self, journal_sink *journals, log_client *log)
{
    LP_ASSERT(journals->sessions != NULL && journals->on_batch != NULL);
    *self = (log_worker){
        .journals = journals,
        .log = log,
    };
}

void
log_worker_fini(log_worker *self)
{
    log_offsets_fini(&self->offsets);
    LP_VEC_FINI(&self->running);
}

static sessions *
all_of(const log_worker *self)
{
    return self->journals->sessions;
}

// --- Sessions

static bool
is_shared(const log_worker *self)
{
    return catalog_is_shared(all_of(self)->catalog);
}

static int32_t
partition_of(const log_worker *self, const char *session_id)
{
    LP_ASSERT(strlen(session_id) == CATALOG_ID_CHARS);
    return log_client_get_partition(
        self->log, (lp_slice){(const uint8_t *)session_id, CATALOG_ID_CHARS});
}

// rewind_session makes a session that was loaded from its row expect the batches that are not in
// compacted chunks. A session that has ended expects none.
static void
rewind_session(session *s)
{
    catalog_session *row = &s->row;
    if (row->is_remade) {
        session_settle_unknown(s);
    } else if (!row->is_ended) {
        row->next_sequence = lp_ranges_first_gap(&row->settled, 0);
        row->journal_bytes_missing = 0;
    }
}

static void
begin_session(const log_worker *self, session *s, int32_t partition, uint64_t term)
{
    s->row.term = term;
    rewind_session(s);
    s->partition = partition;
    s->is_greeted = true;
    s->heard_ms = self->journals->now_ms;
}

// check_owner returns LP_OK if this node may take the session now. Errors: LP_ENOENT if it is
// unknown; LP_EAGAIN if another collector has it: its partition is doubted then
static lp_err
check_owner(log_worker *self, const char *session_id, int32_t partition)
{
    LP_ASSERT(partition >= 0);
    catalog *of = all_of(self)->catalog;
    catalog_owner owner = {.node = ""};
    if (!is_shared(self)) {
        return LP_OK;
    }
    lp_err err = catalog_owners_find(of, session_id, &owner);
    if (err == LP_OK && owner.is_running && strcmp(owner.node, catalog_get_node(of)) != 0) {
        log_offsets_doubt(&self->offsets, partition);
        self->why = "another collector has one of its sessions; it will be read again";
        return LP_EAGAIN;
    }
    return err == LP_ENOENT && owner.is_known ? LP_OK : err;
}

static lp_err
find_in_memory(log_worker *self, const char *session_id, session **out)
{
    self->why = NULL;
    session *s = sessions_find(all_of(self), session_id);
    LP_REQUIRE(s != NULL, LP_ENOENT);
    if (s->standing != SESSION_OURS) {
        self->why = "an earlier copy of one of its sessions is still leaving";
        return LP_EAGAIN;
    }
    *out = s;
    return LP_OK;
}

// find_session returns a session of the partition that is in memory, or takes it. If it is unknown,
// it returns LP_ENOENT; with takes_unknown this node then owns the id, and *out_term is written.
// Errors: as session_own and sessions_load; LP_EAGAIN also while an earlier copy leaves, or if the
// partition has to be read again
static lp_err
find_session(log_worker *self, const char *session_id, int32_t partition, bool takes_unknown,
    session **out, uint64_t *out_term)
{
    lp_err err = find_in_memory(self, session_id, out);
    if (err != LP_ENOENT) {
        *out_term = err == LP_OK ? (*out)->row.term : 0;
        return err;
    }
    err = check_owner(self, session_id, partition);
    if (err != LP_OK && (err != LP_ENOENT || !takes_unknown)) {
        return err;
    }
    LP_TRY(session_own(all_of(self), session_id, out_term));
    LP_TRY(sessions_load(all_of(self), session_id, out));
    begin_session(self, *out, partition, *out_term);
    return LP_OK;
}

// --- Running sessions

static void
note_running(void *arg, const catalog_running *running)
{
    log_worker *self = arg;
    if (!log_offsets_has(&self->offsets, partition_of(self, running->id))) {
        return;
    }
    const session *s = sessions_find(all_of(self), running->id);
    if (s != NULL) { // maybe of the time before its partition was revoked
        self->lists_again |= s->standing != SESSION_OURS;
        return;
    }
    catalog_own *item = LP_VEC_PUSH(&self->running);
    if (item == NULL) {
        self->must_list = true;
        return;
    }
    *item = (catalog_own){.term = running->term};
    (void)snprintf(item->session_id, sizeof(item->session_id), "%s", running->id);
}

LP_COMPARE(compare_ids, catalog_own, strcmp(one->session_id, other->session_id))

static lp_err
list_running(log_worker *self)
{
    LP_ASSERT(self->must_list);
    self->must_list = false;
    self->lists_again = false;
    self->running.count = 0;
    lp_err err = catalog_owners_list_running(all_of(self)->catalog, note_running, self);
    self->must_list |= err != LP_OK;
    // All collectors lock rows in this order.
    LP_QSORT(self->running.items, self->running.count, compare_ids);
    return err == LP_OK && self->must_list ? LP_ENOMEM : err;
}

// begin_running loads a session that was taken. If that fails, the session is loaded with its next
// record, or it is listed again; the latter not if too many sessions are in memory.
static void
begin_running(log_worker *self, const char *session_id, uint64_t term_before, uint64_t term)
{
    session *s;
    int32_t partition = partition_of(self, session_id);
    lp_err err = sessions_load(all_of(self), session_id, &s);
    if (err != LP_OK) {
        self->lists_again |= err != LP_ELIMIT;
        return;
    }
    begin_session(self, s, partition, term);
    if (term_before != 0 && term > term_before) {
        metrics_add(METRICS_sessions_taken, 1);
        lp_log(LP_LOG_INFO,
            "session %s: taken with partition %" PRId32 " of the log, term %" PRIu64, session_id,
            partition, term);
    }
}

// take_running takes the last count sessions of running, and loads them. Their journals, if any,
// are of an earlier time as this node's, and are deleted.
static lp_err
take_running(log_worker *self, size_t count)
{
    LP_ASSERT(count > 0 && count <= LOG_WORKER_TAKEN_MAX);
    LP_ASSERT(count <= self->running.count);
    catalog_own taken[LOG_WORKER_TAKEN_MAX];
    const catalog_own *from = &self->running.items[self->running.count - count];
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        taken[i] = from[i];
        taken[i].term = 0;
        err = journal_list_remove(all_of(self)->dir, taken[i].session_id);
    }
    if (err == LP_OK && is_shared(self)) {
        err = catalog_owners_take_all(all_of(self)->catalog, taken, count);
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        begin_running(self, taken[i].session_id, from[i].term, taken[i].term);
    }
    self->running.count -= err == LP_OK ? count : 0;
    return err;
}

// bring_running takes up to LOG_WORKER_TAKEN_MAX running sessions. Errors: LP_EAGAIN if more are
// left: no record may be taken; LP_ENOMEM, LP_EIO and the catalog's, likewise
static lp_err
bring_running(log_worker *self)
{
    self->why = NULL;
    lp_err err = self->must_list ? list_running(self) : LP_OK;
    size_t count = self->running.count;
    if (err == LP_OK && count > 0) {
        count = count < LOG_WORKER_TAKEN_MAX ? count : LOG_WORKER_TAKEN_MAX;
        err = take_running(self, count);
    }
    if (err == LP_OK && self->running.count > 0) {
        self->why = "its running sessions are being taken";
        return LP_EAGAIN;
    }
    LP_ASSERT(err != LP_OK || !self->must_list);
    return err;
}

// --- Records

// is_line_due limits lines about the log, which may be one for each record.
static bool
is_line_due(log_worker *self)
{
    uint64_t now_ms = self->journals->now_ms;
    bool is_due = now_ms >= self->log_ms;
    self->log_ms = is_due ? now_ms + LOG_CLIENT_LOG_MS : self->log_ms;
    return is_due;
}

// put_off logs why a record cannot be taken now, and returns false.
static bool
put_off(log_worker *self, const log_client_record *record, const char *why)
{
    LP_ASSERT(why[0] != '\0');
    if (is_line_due(self)) {
        lp_log(LP_LOG_WARN, "partition %" PRId32 " of the log waits at offset %" PRId64 ": %s",
            record->partition, record->offset, why);
    }
    return false;
}

// explain returns the reason of an error of find_session or bring_running.
static const char *
explain(const log_worker *self, lp_err err)
{
    LP_ASSERT(err != LP_OK);
    return err == LP_EAGAIN && self->why != NULL ? self->why : lp_err_reason(err);
}

// skip counts a record that is not used, and returns true.
static bool
skip(const log_client_record *record, const char *why)
{
    LP_ASSERT(why[0] != '\0');
    metrics_add(METRICS_log_records_skipped, 1);
    lp_log(LP_LOG_DEBUG, "partition %" PRId32 " of the log, offset %" PRId64 ": %s",
        record->partition, record->offset, why);
    return true;
}

static void
hear(const log_worker *self, session *s, const log_client_record *record)
{
    int64_t old_ms = lp_time_now() / 1000000 - record->wall_ms;
    if (record->wall_ms >= 0 && old_ms > LOG_WORKER_OLD_MS) {
        return;
    }
    sessions_hear(
        all_of(self), s, self->find_connection(self->arg, s->row.id), self->journals->now_ms);
}

// is_old returns whether the session has ended after this Hello, which was read before.
static bool
is_old(const session *s, const Loupe__Wire__Hello *hello)
{
    return s->row.is_ended && hello->next_sequence < s->row.next_sequence;
}

// lose_before counts acknowledged batches below number that the log does not have, except those
// that were counted before the log was read again.
static void
lose_before(session *s, uint64_t number)
{
    LP_ASSERT(number > s->row.next_sequence);
    s->row.next_sequence = number;
    lp_ranges fresh =
        session_lose_missing(s, "they were acknowledged, but the log does not have them");
    lp_ranges_fini(&fresh);
}

static void
lose_before_hello(session *s, const Loupe__Wire__Hello *hello, const catalog_session *claim)
{
    bool lacks_some = !s->row.is_ended && hello->next_sequence > s->row.next_sequence;
    if (lacks_some && session_owner_compare(&s->row, claim) == NULL) {
        lose_before(s, hello->next_sequence);
    }
}

typedef struct reading {
    log_worker *worker;
    int32_t partition;
} reading;

static lp_err
take_for_hello(void *arg, const char *id, session **out, uint64_t *out_term)
{
    const reading *r = arg;
    return find_session(r->worker, id, r->partition, true, out, out_term);
}

// is_astray returns whether a record is in a wrong partition, because somebody has changed their
// number or copied the topic. It cannot be used if collectors share the log, as another one may own
// its session.
static bool
is_astray(log_worker *self, const char *id, const log_client_record *record)
{
    int32_t partition = is_shared(self) ? partition_of(self, id) : record->partition;
    if (partition != record->partition && is_line_due(self)) {
        lp_log(LP_LOG_WARN,
            "partition %" PRId32 " of the log, offset %" PRId64
            ": not used, as its session %s belongs to partition %" PRId32
            "; the number of partitions must not change",
            record->partition, record->offset, id, partition);
    }
    return partition != record->partition;
}

static bool
take_hello(log_worker *self, const log_client_record *record, const Loupe__Wire__Hello *hello)
{
    char id[CATALOG_ID_CHARS + 1];
    agent_verdict verdict = agent_hello_check(hello, id);
    LP_REQUIRE(verdict.status == AGENT_VERDICT_OK, skip(record, verdict.text));
    LP_REQUIRE(!is_astray(self, id, record), skip(record, "a Hello of another partition"));
    session *s;
    uint64_t term;
    reading of = {.worker = self, .partition = record->partition};
    lp_err err = take_for_hello(&of, id, &s, &term);
    if (err == LP_OK && is_old(s, hello)) {
        return skip(record, "a Hello of a session that has ended");
    }
    LP_REQUIRE(err == LP_OK || err == LP_ENOENT, put_off(self, record, explain(self, err)));
    catalog_session claim = {.service = hello->service, .secret = CATALOG_SECRET_NONE};
    hello_file_get_owner(hello, &claim);
    if (err == LP_OK) {
        lose_before_hello(s, hello, &claim);
    }
    const agent_hello_env env = {
        .sessions = all_of(self),
        .rounds = self->journals->rounds,
        .reserve = self->journals->reserve,
        .now_ms = self->journals->now_ms,
        .take = take_for_hello,
        .arg = &of,
    };
    verdict = agent_hello_take(&env, hello, &claim, self->find_connection(self->arg, id), &s);
    if (verdict.status == AGENT_VERDICT_REFUSED) {
        if (is_line_due(self)) {
            lp_log(LP_LOG_WARN, "a Hello of the log is not used: %s", verdict.text);
        }
        return skip(record, verdict.text);
    }
    session *there = sessions_find(all_of(self), id);
    if (there != NULL) { // also if the Hello was not taken
        there->partition = record->partition;
    }
    LP_REQUIRE(verdict.status == AGENT_VERDICT_OK, put_off(self, record, verdict.text));
    s->is_greeted = true;
    if (hello->last_counters != NULL) { // the session is complete
        self->journals->on_batch(self->journals->arg, s);
    }
    return true;
}

// note_offset notes the offset of the first record in a chunk's journal.
static void
note_offset(session *s, uint64_t sequence, int64_t offset)
{
    LP_ASSERT(offset >= 0);
    for (size_t i = 0; i < s->chunk_count; i++) {
        session_chunk *chunk = &s->chunks[i];
        if (lp_ranges_end(&chunk->batches) == sequence + 1 && chunk->log_begin == 0) {
            chunk->log_begin = offset + 1;
        }
    }
}

static bool
journal_next(log_worker *self, session *s, const log_client_record *record,
    const Loupe__Wire__Batch *batch, lp_slice message)
{
    LP_ASSERT(batch->sequence == s->row.next_sequence);
    agent_verdict verdict = journal_sink_append(self->journals, s, batch, message);
    LP_REQUIRE(verdict.status == AGENT_VERDICT_OK, put_off(self, record, verdict.text));
    LP_ASSERT(s->row.next_sequence == batch->sequence + 1);
    note_offset(s, batch->sequence, record->offset);
    self->journals->on_batch(self->journals->arg, s);
    return true;
}

static bool
take_again(const log_worker *self, session *s, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(batch->sequence < s->row.next_sequence);
    metrics_add(METRICS_log_batches_again, 1);
    if (journal_sink_repeat(s, batch)) {
        self->journals->on_batch(self->journals->arg, s);
    }
    return true;
}

static bool
take_batch(log_worker *self, const log_client_record *record, const log_record *parts,
    const Loupe__Wire__Batch *batch)
{
    char id[CATALOG_ID_CHARS + 1];
    const char *fault = agent_verdict_format_id(&batch->session, id)
                            ? agent_request_find_fault(batch)
                            : "a batch without a session";
    LP_REQUIRE(fault == NULL, skip(record, fault));
    LP_REQUIRE(!is_astray(self, id, record), skip(record, "a batch of another partition"));
    session *s;
    uint64_t term;
    lp_err err = find_session(self, id, record->partition, false, &s, &term);
    if (err == LP_ENOENT) {
        self->on_unknown(self->arg, id);
        return skip(record, "a batch of an unknown session");
    }
    LP_REQUIRE(err == LP_OK, put_off(self, record, explain(self, err)));
    LP_ASSERT(s->standing == SESSION_OURS);
    hear(self, s, record);
    uint64_t acknowledged =
        parts->acknowledged < batch->sequence ? parts->acknowledged : batch->sequence;
    if (acknowledged > s->row.next_sequence) {
        lose_before(s, acknowledged);
    }
    if (batch->sequence > s->row.next_sequence) {
        return skip(record, "batches before it will be resent");
    }
    return batch->sequence == s->row.next_sequence
               ? journal_next(self, s, record, batch, parts->message)
               : take_again(self, s, batch);
}

// take returns false if the record has to be offered again.
static bool
take(log_worker *self, const log_client_record *record)
{
    log_record parts;
    Loupe__Wire__Request *request;
    if (log_record_read(record->bytes, &parts) != LP_OK) {
        if (is_line_due(self)) {
            lp_log(LP_LOG_WARN,
                "partition %" PRId32 " of the log, offset %" PRId64
                ": not a record of this version of Loupe",
                record->partition, record->offset);
        }
        return skip(record, "not a record");
    }
    lp_err err = agent_request_unpack(parts.message, &request);
    LP_REQUIRE(err != LP_ENOMEM, put_off(self, record, lp_err_text(err)));
    LP_REQUIRE(err == LP_OK, skip(record, "not a message"));
    bool is_taken = true;
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        is_taken = take_hello(self, record, request->hello);
    } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        is_taken = take_batch(self, record, &parts, request->batch);
    }
    loupe__wire__request__free_unpacked(request, NULL);
    return is_taken;
}

bool
log_worker_take(log_worker *self, const log_client_record *record, uint64_t now_ms)
{
    self->journals->now_ms = now_ms;
    lp_err err = bring_running(self);
    LP_REQUIRE(err == LP_OK, put_off(self, record, explain(self, err)));
    LP_REQUIRE(!log_offsets_is_doubted(&self->offsets, record->partition),
        put_off(self, record, "it will be read again from an earlier one"));
    LP_REQUIRE(take(self, record), false);
    log_offsets_read(&self->offsets, record->partition, record->offset);
    return true;
}

// --- Partitions

void
log_worker_begin(log_worker *self, int32_t partition)
{
    LP_ASSERT(partition >= 0);
    if (log_offsets_add(&self->offsets, partition) != LP_OK) {
        lp_log(LP_LOG_ERROR, "out of memory: no offset of partition %" PRId32 " is committed",
            partition);
    }
    self->must_list = true;
}

typedef struct ending {
    log_worker *worker;
    int32_t partition;
} ending;

static void
end_one(void *arg, session *s)
{
    const ending *e = arg;
    if (s->partition == e->partition) {
        session_withdraw(s, SESSION_LEAVING);
        e->worker->journals->on_batch(e->worker->journals->arg, s); // may drop it
    }
}

void
log_worker_end(log_worker *self, int32_t partition)
{
    LP_ASSERT(partition >= 0);
    ending e = {.worker = self, .partition = partition};
    log_offsets_remove(&self->offsets, partition);
    self->must_list = true; // without its sessions
    sessions_each(all_of(self), end_one, &e);
}

// --- Offsets

static void
hold(void *arg, session *s)
{
    log_worker *self = arg;
    LP_ASSERT(self->offsets.has_look);
    for (size_t i = 0; i < s->chunk_count && s->standing != SESSION_LEAVING; i++) {
        if (s->chunks[i].log_begin > 0) {
            log_offsets_hold(&self->offsets, s->partition, s->chunks[i].log_begin - 1);
        }
    }
}

// end_lost withdraws a session that another collector has taken, though this one reads its
// partition: one of the two has not heard of a rebalance yet. What this one has not stored is read
// again.
static void
end_lost(void *arg, session *s)
{
    log_worker *self = arg;
    if (s->standing == SESSION_LOST) {
        log_offsets_doubt(&self->offsets, s->partition);
        session_withdraw(s, SESSION_LEAVING);
        self->journals->on_batch(self->journals->arg, s); // may drop it
    }
}

// read_doubted_again rewinds each doubted partition. If that fails, the next tick tries again.
static void
read_doubted_again(log_worker *self)
{
    size_t at = 0;
    int32_t partition;
    int64_t offset;
    while (log_offsets_take_doubted(&self->offsets, &at, &partition, &offset)) {
        self->must_list = true;
        if (offset >= 0 && log_client_rewind(self->log, partition, offset) != LP_OK) {
            log_offsets_doubt(&self->offsets, partition);
        }
    }
}

static void
commit_offsets(log_worker *self)
{
    LP_ASSERT(self->offsets.has_look);
    int32_t partition;
    int64_t offset;
    log_offsets_settle(&self->offsets);
    while (log_offsets_take(&self->offsets, &partition, &offset)) {
        log_client_commit(self->log, partition, offset);
    }
}

void
log_worker_tick(log_worker *self, uint64_t now_ms)
{
    sync_rounds *rounds = self->journals->rounds;
    self->journals->now_ms = now_ms;
    sessions_each(all_of(self), end_lost, self);
    read_doubted_again(self);
    self->must_list |= self->lists_again;
    lp_err err = bring_running(self);
    if (err != LP_OK && err != LP_EAGAIN && is_line_due(self)) {
        lp_log(LP_LOG_WARN, "cannot take the running sessions yet: %s", lp_err_reason(err));
    }
    if (self->offsets.has_look && sync_rounds_is_committed(rounds, self->look_round)) {
        commit_offsets(self);
    }
    if (self->tick_count++ % LOG_WORKER_COMMIT_TICKS == 0 && log_offsets_begin(&self->offsets)) {
        sessions_each(all_of(self), hold, self);
        self->look_round = sync_rounds_get_coming(rounds);
        sync_rounds_hurry(rounds);
    }
}
