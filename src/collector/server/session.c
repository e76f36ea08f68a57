// SPDX-License-Identifier: Apache-2.0

#include "collector/server/session.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/jfr/jfr_chunk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

session *
session_create(const catalog_session *row)
{
    session *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return NULL;
    }
    s->row = *row;
    s->row.service = s->row.instance = s->row.jvm_name = s->row.jvm_version = NULL;
    if (session_rename(&s->row.service, row->service) != LP_OK ||
        session_rename(&s->row.instance, row->instance) != LP_OK ||
        session_rename(&s->row.jvm_name, row->jvm_name) != LP_OK ||
        session_rename(&s->row.jvm_version, row->jvm_version) != LP_OK) {
        session_destroy(s);
        return NULL;
    }
    return s;
}

void
session_destroy(session *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_drop(self->held[i].request);
    }
    session_remove_chunks(self, self->chunk_count);
    lp_buf_fini(&self->carry);
    snapshot_unref(self->kept);
    free(self->row.service);
    free(self->row.instance);
    free(self->row.jvm_name);
    free(self->row.jvm_version);
    free(self);
}

void
session_check(const session *self)
{
    LP_ASSERT(self->chunk_count <= SESSION_CHUNKS_MAX);
    uint64_t least = self->row.next_chunk;
    for (size_t i = 0; i < self->chunk_count; i++) {
        LP_ASSERT(self->chunks[i].journal != NULL);
        LP_ASSERT(self->chunks[i].ordinal >= least);
        least = (uint64_t)self->chunks[i].ordinal + 1;
    }
}

lp_err
session_rename(char **field, const char *text)
{
    char *copy = strdup(text == NULL ? "" : text);
    if (copy == NULL) {
        return LP_ENOMEM;
    }
    free(*field);
    *field = copy;
    return LP_OK;
}

session_admission
session_admit(const session *self, uint64_t sequence)
{
    uint64_t next = self->row.next_sequence;
    if (sequence == next) {
        return SESSION_NEXT;
    }
    if (sequence < next) {
        return SESSION_DUPLICATE;
    }
    return sequence - next < WIRE_WINDOW_MAX ? SESSION_EARLY : SESSION_TOO_EARLY;
}

void
session_hold(session *self, uint64_t sequence, agent_socket_request *request)
{
    LP_ASSERT(session_admit(self, sequence) == SESSION_EARLY);

    session_held *held = &self->held[sequence % WIRE_WINDOW_MAX];
    agent_socket_drop(held->request);
    *held = (session_held){.request = request, .sequence = sequence};
}

agent_socket_request *
session_take_held(session *self)
{
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        session_held *held = &self->held[i];
        if (held->request != NULL && held->sequence <= self->row.next_sequence) {
            agent_socket_request *request = held->request;
            held->request = NULL;
            return request;
        }
    }
    return NULL;
}

session_chunk *
session_find_chunk(session *self, uint32_t ordinal)
{
    for (size_t i = self->chunk_count; i > 0; i--) { // the last is nearly always the one
        if (self->chunks[i - 1].ordinal == ordinal) {
            return &self->chunks[i - 1];
        }
    }
    return NULL;
}

lp_err
session_add_chunk(session *self, uint32_t ordinal, journal *file)
{
    LP_ASSERT(session_find_chunk(self, ordinal) == NULL);

    if (self->chunk_count == SESSION_CHUNKS_MAX) {
        return LP_ELIMIT;
    }
    size_t index = self->chunk_count++;
    while (index > 0 && self->chunks[index - 1].ordinal > ordinal) {
        self->chunks[index] = self->chunks[index - 1];
        index--;
    }
    self->chunks[index] = (session_chunk){.ordinal = ordinal, .journal = file};
    session_check(self);
    return LP_OK;
}

void
session_remove_chunks(session *self, size_t count)
{
    LP_ASSERT(count <= self->chunk_count);

    for (size_t i = 0; i < count; i++) {
        journal_unref(self->chunks[i].journal);
        policy_file_unref(self->chunks[i].policy);
    }
    self->chunk_count -= count;
    memmove(self->chunks, self->chunks + count, self->chunk_count * sizeof(self->chunks[0]));
}

void
session_forget_chunk(session *self, uint32_t ordinal)
{
    session_chunk *chunk = session_find_chunk(self, ordinal);
    LP_ASSERT(chunk != NULL);

    journal_unref(chunk->journal);
    policy_file_unref(chunk->policy);
    size_t behind = (size_t)(self->chunks + self->chunk_count - chunk) - 1;
    self->chunk_count--;
    memmove(chunk, chunk + 1, behind * sizeof(*chunk));
}

bool
session_hear(session *self, uint64_t now_ms, uint64_t connection)
{
    catalog_session *row = &self->row;
    self->heard_ms = now_ms;
    self->connection = connection;
    row->heard_wall_ns = lp_time_now();
    if (row->ended_how != CATALOG_ENDED_KILLED && row->ended_how != CATALOG_ENDED_TIMED_OUT) {
        return false;
    }
    lp_log(LP_LOG_INFO, "session %s: it goes on", row->id);
    row->ended_how = CATALOG_ENDED_UNKNOWN;
    self->is_unsaved = true;
    return true;
}

static void
note_header(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    jfr_chunk_info info;
    lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
    if (header.len == 0 || jfr_chunk_parse(header, &info, NULL) != LP_OK) {
        return; // compaction is where damage is reported
    }
    chunk->duration_ns = info.duration_ns;
    int64_t end_wall_ns;
    if (!__builtin_add_overflow(info.start_wall_ns, info.duration_ns, &end_wall_ns) &&
        end_wall_ns > self->row.end_wall_ns) {
        self->row.end_wall_ns = end_wall_ns;
    }
}

// note_total adds the growth of one of the agent's totals to its metric.
static void
note_total(uint64_t *noted, uint64_t total, metrics_id metric)
{
    if (total > *noted) {
        metrics_add(metric, total - *noted);
        *noted = total;
    }
}

// note_not_resent counts the growth of an agent's total, of which the row has what was counted.
static void
note_not_resent(session *self, uint64_t total)
{
    uint64_t noted = self->row.losses[CATALOG_LOSS_CHUNKS_NOT_RESENT];
    if (total > noted) {
        session_lose(self, CATALOG_LOSS_CHUNKS_NOT_RESENT, total - noted,
            "its agent was asked for them, and did not have them whole any more");
    }
}

// note_latest is for the batch with the highest number. That need not be the last one that recovery
// reads: journals are read chunk by chunk.
static void
note_latest(session *self, const Loupe__Wire__Batch *batch)
{
    self->row.next_sequence = batch->sequence + 1;
    self->has_ended = batch->is_last;
    self->row.ended_how = batch->is_last ? CATALOG_ENDED_CLOSED : CATALOG_ENDED_UNKNOWN;
    self->at_chunk = batch->chunk;
    if (self->lack.chunk != 0 && batch->sequence >= self->lack.until_sequence) {
        session_give_up_lack(self);
    }
    if (batch->counters != NULL) {
        self->row.contexts_dropped = batch->counters->contexts_dropped;
        self->row.context_values_cut = batch->counters->context_values_cut;
        self->row.context_bytes_dropped = batch->counters->context_bytes_dropped;
        self->row.chunk_bytes_dropped = batch->counters->chunk_bytes_dropped;
        self->row.jfr_restarts = batch->counters->jfr_restarts;
        note_not_resent(self, batch->counters->chunks_not_resent);
        note_total(&self->jfr_restarts, batch->counters->jfr_restarts, METRICS_jfr_restarts);
        note_total(&self->contexts_misclosed, batch->counters->contexts_misclosed,
            METRICS_contexts_misclosed);
        note_total(&self->recordings_refused, batch->counters->recording_contexts_refused,
            METRICS_recording_contexts_refused);
        note_total(&self->entries_dropped, batch->counters->recording_entries_dropped,
            METRICS_recording_entries_dropped);
        note_total(&self->filters_refused, batch->counters->context_filters_refused,
            METRICS_context_filters_refused);
    }
}

// note_bytes notes the batch's bytes of its chunk; those that came before do not count again.
static void
note_bytes(session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    uint64_t end_bytes;
    if (__builtin_add_overflow(batch->chunk_offset, batch->jfr_size, &end_bytes)) {
        end_bytes = UINT64_MAX;
    }
    if (batch->jfr_size > 0 && end_bytes > chunk->jfr_bytes) {
        chunk->jfr_bytes = end_bytes;
    }
    if (batch->jfr_size > 0 && end_bytes > chunk->came_end) {
        uint64_t more = end_bytes - chunk->came_end;
        chunk->came_bytes += more < batch->jfr_size ? more : batch->jfr_size;
        chunk->came_end = end_bytes;
    }
}

void
session_lack_chunk(session *self, uint32_t ordinal)
{
    if (self->lack.chunk == 0 || ordinal < self->lack.chunk - 1) {
        self->lack.chunk = ordinal + 1;
    }
    self->lack.until_sequence = UINT64_MAX; // the next Hello says
}

void
session_note_damage(session *self, const journal *file, uint64_t damaged_bytes)
{
    for (size_t i = 0; i < self->chunk_count; i++) {
        session_chunk *chunk = &self->chunks[i];
        if (chunk->journal != file || damaged_bytes <= chunk->damaged_bytes) {
            continue;
        }
        uint64_t more = damaged_bytes - chunk->damaged_bytes;
        chunk->damaged_bytes = damaged_bytes;
        self->row.journal_bytes_missing += more;
        self->lack.journal_bytes += more;
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST, more,
            "chunk %" PRIu32 ": its journal was refused by the disk and could not be read again",
            chunk->ordinal);
        session_lack_chunk(self, chunk->ordinal);
        self->is_greeted = false;
    }
}

void
session_go_on(session *self)
{
    catalog_session *row = &self->row;
    self->has_ended = false;
    if (row->compacted_sequence >= row->next_sequence || self->chunk_count > 0) {
        return;
    }
    uint64_t missing = row->next_sequence - row->compacted_sequence;
    if (missing > row->batches_missing) { // or a start before this one has counted them
        uint64_t discarded = missing - row->batches_missing;
        row->batches_missing = missing;
        row->is_ended = false; // so that the next start knows what lacks, if it comes before that
        self->lack.batches += discarded;
        session_lose(self, CATALOG_LOSS_BATCHES_LOST, discarded,
            "batches up to %" PRIu64 " came before it counted as ended, without events",
            row->next_sequence - 1);
    }
    session_lack_chunk(self, row->next_chunk);
}

void
session_forget_lack(session *self)
{
    self->lack = (session_lack){0};
}

// has_left returns whether the agent has come to a chunk behind those that are compacted.
static bool
has_left(const session *self)
{
    for (size_t i = 0; i < self->chunk_count; i++) {
        if (self->chunks[i].has_own) {
            return true;
        }
    }
    return false;
}

session_lateness
session_get_lateness(const session *self, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk >= self->row.next_chunk) {
        return SESSION_IN_TIME;
    }
    bool is_again = batch->begins_again || batch->chunk + 1 == self->again_chunk;
    bool is_whole = has_left(self) && batch->chunk + 1 != self->cut_chunk;
    bool is_empty = batch->jfr_size == 0 && batch->contexts_size == 0;
    return is_empty || (is_again && is_whole) ? SESSION_HERE : SESSION_LATE;
}

// add_lack adds what lacks to a sum, where not all of its chunks are compacted.
static void
add_lack(const session *self, const session_lack *lack, session_lack *sum)
{
    if (lack->chunk > self->row.next_chunk) {
        sum->chunk = sum->chunk == 0 || lack->chunk < sum->chunk ? lack->chunk : sum->chunk;
        sum->batches += lack->batches;
        sum->journal_bytes += lack->journal_bytes;
        sum->chunks += lack->chunks;
    }
}

void
session_give_up_lack(session *self)
{
    session_lack both = {0};
    add_lack(self, &self->given_up, &both);
    add_lack(self, &self->lack, &both);
    self->given_up = both;
    session_forget_lack(self);
}

// last_chunk returns the highest chunk of which something has come, in this process or before, or
// that may have lacked before.
static uint32_t
last_chunk(const session *self)
{
    uint32_t last = self->good_end > 0 ? self->good_end - 1 : 0;
    last = self->at_chunk > last ? self->at_chunk : last;
    const session_chunk *waiting =
        self->chunk_count > 0 ? &self->chunks[self->chunk_count - 1] : NULL;
    return waiting != NULL && waiting->ordinal > last ? waiting->ordinal : last;
}

void
session_forget_made_good(session *self)
{
    if (self->row.next_chunk >= self->good_end) {
        self->batches_made_good = 0;
    }
}

// make_good takes back the losses of what comes again: chunk and those behind it.
static void
make_good(session *self, uint32_t chunk)
{
    session_lack coming = {0};
    const session_lack *const lacks[] = {&self->given_up, &self->lack};
    for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
        if (chunk < lacks[i]->chunk) {
            add_lack(self, lacks[i], &coming);
        }
    }
    self->given_up = (session_lack){0};
    session_forget_lack(self);
    if (coming.chunk == 0) {
        return;
    }
    uint64_t *losses = self->row.losses;
    catalog_loss_take_back(&losses[CATALOG_LOSS_BATCHES_LOST], coming.batches);
    catalog_loss_take_back(&losses[CATALOG_LOSS_JOURNAL_BYTES_LOST], coming.journal_bytes);
    catalog_loss_take_back(&losses[CATALOG_LOSS_CHUNKS_UNREADABLE], coming.chunks);
    self->batches_made_good += coming.batches;
    self->good_end = last_chunk(self) + 1; // an agent that sends again goes through to the last
    metrics_add(METRICS_batches_made_good, coming.batches);
    lp_log(LP_LOG_INFO,
        "session %s: chunk %" PRIu32 " and those behind it come again: %" PRIu64
        " batches and %" PRIu64 " damaged bytes are not lost",
        self->row.id, coming.chunk - 1, coming.batches, coming.journal_bytes);
}

uint64_t
session_get_ignored_from(const session_chunk *chunk)
{
    return chunk->came_bytes < chunk->before_bytes ? chunk->before_end : 0;
}

void
session_forget_before(session_chunk *chunk)
{
    chunk->before_bytes = 0;
}

// note_again notes that the batch's chunk begins once more. What lacked in it, and behind it, comes
// now: also where it is one before those that lack, as an agent that sends chunks again goes
// through to the last. Where only a later chunk comes again nobody knows what of it is still
// lacking, and so all is.
static void
note_again(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    if (batch->chunk == chunk->ordinal) {
        if (!chunk->is_damaged && chunk->came_bytes >= chunk->before_bytes) {
            chunk->before_bytes = chunk->came_bytes;
            chunk->before_end = batch->sequence;
        }
        chunk->came_bytes = 0;
        chunk->came_end = 0;
        chunk->has_jfr = chunk->before_bytes > 0;
        chunk->is_damaged = false;
        chunk->duration_ns = 0;
        chunk->damaged_bytes = 0;
        chunk->again_sequence = batch->sequence;
        chunk->again_count = 0;
    } else {
        self->again_chunk = batch->chunk + 1;
    }
    make_good(self, batch->chunk);
}

void
session_note(session *self, session_chunk *chunk, const Loupe__Wire__Batch *batch)
{
    LP_ASSERT(chunk >= self->chunks && chunk < self->chunks + self->chunk_count);

    if (batch->begins_again) {
        note_again(self, chunk, batch);
    }
    if (batch->sequence + 1 >= self->row.next_sequence) {
        note_latest(self, batch);
    }
    chunk->record_bytes += batch->contexts_size;
    if (chunk->batch_count == 0 || batch->sequence < chunk->first_sequence) {
        chunk->first_sequence = batch->sequence;
    }
    if (chunk->batch_count == 0 || batch->sequence > chunk->last_sequence) {
        chunk->last_sequence = batch->sequence;
    }
    chunk->batch_count++;
    chunk->rest_count += batch->chunk != chunk->ordinal;
    bool is_of_again = batch->begins_again && batch->chunk == chunk->ordinal;
    chunk->again_count += chunk->again_count > 0 || is_of_again ? 1 : 0;
    if (batch->chunk == chunk->ordinal) {
        chunk->has_own = true;
        note_bytes(chunk, batch);
        chunk->has_jfr = chunk->has_jfr || batch->jfr_size > 0;
        note_header(self, chunk, batch);
    }
    self->row.is_ended = false; // until all of it is compacted
    self->is_unsaved = true;
}

enum { LOSS_TEXT_BYTES = 256 };

static void
report_loss(const session *self, catalog_loss loss, uint64_t amount, const char *where)
{
    metrics_add(METRICS_losses_BATCHES_LOST + (metrics_id)loss, amount);
    lp_log(LP_LOG_WARN, "session %s: loss: %s %" PRIu64 ": %s", self->row.id,
        catalog_loss_name(loss), amount, where);
}

// sequence_behind returns the number behind the batches of the first count chunks; 0: they have
// none.
static uint64_t
sequence_behind(const session *self, size_t count)
{
    uint64_t behind = 0;
    for (size_t i = 0; i < count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        if (chunk->batch_count > 0 && chunk->last_sequence >= behind) {
            behind = chunk->last_sequence + 1;
        }
    }
    return behind;
}

// Batches go to the journals in the order of their numbers, and chunks are compacted in order. So
// the journals of the chunks that wait have all batches from the lowest of theirs on, but those of
// a chunk that was sent again, and those that are lost.
void
session_settle(const session *self, size_t count, catalog_session *row)
{
    uint64_t first = row->next_sequence;
    uint64_t batches = 0;
    row->journal_bytes_missing = 0;
    for (size_t i = count; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        if (chunk->batch_count > 0 && chunk->first_sequence < first) {
            first = chunk->first_sequence;
        }
        batches += chunk->batch_count;
        row->journal_bytes_missing += chunk->damaged_bytes;
    }
    uint64_t behind = sequence_behind(self, count); // what is missing there is missing in the next
    first = behind > 0 && behind < first ? behind : first;
    uint64_t all = row->next_sequence - first;
    row->compacted_sequence = first;
    row->batches_missing = all > batches ? all - batches : 0;
    row->late_missing = 0; // first is behind them, or one of them
}

// What session_go_on counts as lost is the difference between what the row says is missing from
// compacted_sequence on, and all of that. Where batches of the waiting chunks themselves are among
// it, it has none but those; else it stays, as what is asked for then, and counts as missing
// already, though not as lost.
void
session_settle_end(session *self)
{
    catalog_session *row = &self->row;
    uint64_t batches = 0;
    uint64_t rest = 0;
    for (size_t i = 0; i < self->chunk_count; i++) {
        batches += self->chunks[i].batch_count;
        rest += self->chunks[i].rest_count;
    }
    session_settle(self, 0, row);
    uint64_t known = row->next_sequence - row->compacted_sequence - row->batches_missing;
    rest = rest < known ? rest : known; // a journal may have a batch twice
    if (batches > rest) {
        row->compacted_sequence += rest;
    } else {
        row->batches_missing += rest;
        row->late_missing = rest;
    }
}

// add_lost_before counts the batches between those that are compacted and the first in a journal.
// Returns false if nobody knows which are compacted.
static bool
add_lost_before(const catalog_session *before, catalog_session *row)
{
    if (before->compacted_sequence > row->compacted_sequence) {
        return row->compacted_sequence == 0; // else it is unknown, too
    }
    if (before->compacted_sequence < row->compacted_sequence) {
        row->batches_missing += row->compacted_sequence - before->compacted_sequence;
        row->late_missing = before->late_missing; // those were the first
        row->compacted_sequence = before->compacted_sequence;
    }
    return true;
}

// begin_of returns the number of the first batch of a chunk, since it began again if it did.
static uint64_t
begin_of(const session_chunk *chunk)
{
    return chunk->again_count > 0 ? chunk->again_sequence : chunk->first_sequence;
}

// has_hole returns whether numbers are missing, or may be, between the first batch of the waiting
// chunk at index, since it began again if it did, and the next one in a later chunk. Of one whose
// journal has none nobody knows which were in it.
static bool
has_hole(const session *self, size_t index)
{
    const session_chunk *chunk = &self->chunks[index];
    uint64_t begin = begin_of(chunk);
    uint64_t end = self->row.next_sequence;
    for (size_t i = index + 1; i < self->chunk_count; i++) {
        const session_chunk *later = &self->chunks[i];
        const uint64_t begins[] = {later->first_sequence, begin_of(later)};
        for (size_t k = 0; k < 2 && later->batch_count > 0; k++) {
            end = begins[k] > begin && begins[k] < end ? begins[k] : end;
        }
    }
    uint64_t count = chunk->again_count > 0 ? chunk->again_count : chunk->batch_count;
    return chunk->batch_count == 0 || (end > begin && end - begin > count);
}

// lacks_start returns whether batches are missing before those of the first waiting chunk, which
// did not begin again with them.
static bool
lacks_start(const session *self)
{
    const session_chunk *first = &self->chunks[0];
    return first->again_count == 0 && first->first_sequence > self->row.compacted_sequence;
}

// lack_some notes the lowest chunk that the batches which are in no journal may be of: one that has
// no journal, or one with a hole; if there are none of those, any.
static void
lack_some(session *self)
{
    uint32_t ordinal = self->row.next_chunk;
    for (size_t i = 0; i < self->chunk_count; i++, ordinal++) {
        if (self->chunks[i].ordinal != ordinal || has_hole(self, i) ||
            (i == 0 && lacks_start(self))) {
            session_lack_chunk(self, ordinal);
            return;
        }
    }
    session_lack_chunk(self, self->row.next_chunk);
}

// count_lacking returns how many of the missing batches still lack: those behind the last batch
// with which a chunk began again. Those before it came with that, or the agent did not have them.
// *out_late is how many of these were late.
static uint64_t
count_lacking(const session *self, uint64_t *out_late)
{
    const session_chunk *again = NULL;
    for (size_t i = 0; i < self->chunk_count; i++) {
        const session_chunk *chunk = &self->chunks[i];
        bool is_later = again == NULL || chunk->again_sequence > again->again_sequence;
        again = chunk->again_count > 0 && is_later ? chunk : again;
    }
    *out_late = again == NULL ? self->row.late_missing : 0;
    if (again == NULL) {
        return self->row.batches_missing;
    }
    uint64_t all = self->row.next_sequence - again->again_sequence;
    uint64_t batches = again->again_count;
    for (const session_chunk *c = again + 1; c < self->chunks + self->chunk_count; c++) {
        batches += c->first_sequence > again->again_sequence ? c->batch_count : 0;
    }
    return all > batches ? all - batches : 0;
}

// recover_lack notes what lacks by the journals, counted now or by an earlier start. Where nobody
// knows which batches came before those in the journals, all that is not compacted may lack. What
// was late is asked for as well, and never counted as lost: nothing of that is taken back.
static void
recover_lack(session *self, bool is_known)
{
    uint64_t late;
    uint64_t lacking = count_lacking(self, &late);
    self->lack.batches = lacking > late ? lacking - late : 0;
    self->lack.journal_bytes += self->row.journal_bytes_missing;
    if (!is_known) {
        session_lack_chunk(self, self->row.next_chunk);
    } else if (lacking > 0) {
        lack_some(self);
    }
}

// count_more returns how many batches are missing that were not when the session's row was written.
// One that the catalog lost, and that is made again, does not know what came again before.
static uint64_t
count_more(const session *self, const catalog_session *before)
{
    uint64_t missing = self->row.batches_missing;
    uint64_t more = missing > before->batches_missing ? missing - before->batches_missing : 0;
    uint64_t late;
    uint64_t lacking = count_lacking(self, &late);
    bool is_lost = before->compacted_sequence == CATALOG_SEQUENCE_UNKNOWN;
    return is_lost && lacking < more ? lacking : more;
}

void
session_count_recovered(session *self)
{
    const catalog_session before = self->row;
    catalog_session *row = &self->row;
    session_settle(self, 0, row);
    bool is_known = add_lost_before(&before, row);
    uint64_t more = count_more(self, &before);
    if (more > 0) {
        session_lose(self, CATALOG_LOSS_BATCHES_LOST, more,
            "of batches %" PRIu64 " to %" PRIu64 ", which were acknowledged, some are in no "
            "journal",
            row->compacted_sequence, row->next_sequence - 1);
    }
    if (row->journal_bytes_missing > before.journal_bytes_missing) {
        session_lose(self, CATALOG_LOSS_JOURNAL_BYTES_LOST,
            row->journal_bytes_missing - before.journal_bytes_missing,
            "damaged records of journals, which are passed over");
    }
    recover_lack(self, is_known);
    if (!is_known) { // the next start asks as well, until a chunk is compacted
        row->compacted_sequence = before.compacted_sequence;
    }
    self->is_unsaved |= row->batches_missing != before.batches_missing ||
                        row->compacted_sequence != before.compacted_sequence ||
                        row->late_missing != before.late_missing ||
                        row->journal_bytes_missing != before.journal_bytes_missing;
    if (self->has_ended || self->lack.chunk == 0) { // its JVM has ended, or all came again
        session_forget_lack(self);
    }
}

void
session_lose(session *self, catalog_loss loss, uint64_t amount, const char *format, ...)
{
    LP_ASSERT(amount > 0);

    bool is_in_journals =
        loss == CATALOG_LOSS_BATCHES_LOST || loss == CATALOG_LOSS_JOURNAL_BYTES_LOST ||
        loss == CATALOG_LOSS_GAP_BYTES || loss == CATALOG_LOSS_CHUNKS_UNREADABLE ||
        loss == CATALOG_LOSS_CARRIES_LOST;
    self->row.losses[loss] += amount;
    self->untold[loss] += is_in_journals ? 0 : amount;
    self->is_unsaved = true;
    char where[LOSS_TEXT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(where, sizeof(where), format, args);
    va_end(args);
    report_loss(self, loss, amount, where);
}

void
session_report_loss(
    const session *self, catalog_loss loss, uint64_t amount, const char *format, ...)
{
    char where[LOSS_TEXT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(where, sizeof(where), format, args);
    va_end(args);
    report_loss(self, loss, amount, where);
}

size_t
session_unit_end(const session *self, size_t begin)
{
    LP_ASSERT(begin <= self->chunk_count);

    for (size_t i = begin; i < self->chunk_count; i++) {
        if (self->chunks[i].has_jfr && !self->chunks[i].is_damaged) {
            return i + 1;
        }
    }
    return self->chunk_count;
}

bool
session_unit_has_jfr(const session *self, size_t begin)
{
    size_t end = session_unit_end(self, begin);
    return end > begin && self->chunks[end - 1].has_jfr && !self->chunks[end - 1].is_damaged;
}

uint64_t
session_count_missing(const session *self, uint64_t rows)
{
    uint64_t known = rows + self->row.expired_chunks;
    return self->row.next_chunk > known ? self->row.next_chunk - known : 0;
}

snapshot_waiting
session_get_waiting(const session *self)
{
    snapshot_waiting waiting = {.chunks = (uint32_t)self->chunk_count};
    for (size_t i = 0; i < self->chunk_count; i++) {
        waiting.journal_bytes += journal_get_size(self->chunks[i].journal);
        int64_t duration_ns = self->chunks[i].duration_ns;
        if (duration_ns > 0 &&
            __builtin_add_overflow(waiting.duration_ns, duration_ns, &waiting.duration_ns)) {
            waiting.duration_ns = INT64_MAX;
        }
    }
    return waiting;
}

// may_come_again returns whether bytes of the unit that ends at end may still come: the agent is at
// it, or it may be sent again.
static bool
may_come_again(const session *self, size_t end)
{
    uint32_t last = self->chunks[end - 1].ordinal;
    return (self->lack.chunk != 0 && last + 1 >= self->lack.chunk) ||
           (!self->has_ended && last >= self->at_chunk);
}

bool
session_is_due(const session *self, int64_t wait_ns)
{
    if (!session_unit_has_jfr(self, 0)) {
        return false;
    }
    size_t end = session_unit_end(self, 0);
    if (may_come_again(self, end)) {
        return false;
    }
    int64_t later_ns = 0;
    for (size_t i = end; i < self->chunk_count && later_ns < wait_ns; i++) {
        int64_t duration_ns = self->chunks[i].duration_ns;
        later_ns += duration_ns < 0 ? 0 : duration_ns < wait_ns ? duration_ns : wait_ns;
    }
    bool is_held = later_ns < wait_ns && self->chunk_count - end <= SESSION_CHUNKS_HELD_MAX;
    return self->has_ended || !is_held;
}
