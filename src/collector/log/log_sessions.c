// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_sessions.h"

#include "collector/base/metrics.h"
#include "collector/journal/left_journals.h"
#include "collector/session/session_settle.h"
#include "collector/session/session_take.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
log_sessions_fini(log_sessions *self)
{
    LP_VEC_FINI(&self->running);
}

void
log_sessions_expect(log_sessions *self)
{
    self->must_list = true;
}

void
log_sessions_expect_rest(log_sessions *self)
{
    self->must_list |= self->lists_again;
}

static bool
is_shared(const log_sessions *self)
{
    return catalog_is_shared(sessions_get_catalog(self->all));
}

static int32_t
partition_of(const log_sessions *self, const char *session_id)
{
    LP_ASSERT(strlen(session_id) == CATALOG_ID_CHARS);
    return log_client_get_partition(
        self->log, (lp_slice){(const uint8_t *)session_id, CATALOG_ID_CHARS});
}

// rewind_session has a session that comes from its row wait for the batches that are in no
// compacted chunk. One that has ended has no others.
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
begin(session *s, int32_t partition, uint64_t term, uint64_t now_ms)
{
    s->row.term = term;
    rewind_session(s);
    s->partition = partition;
    s->is_greeted = true;
    s->heard_ms = now_ms;
}

// --- One

// check_owner finds out whether a session may become this node's now.
// Errors: LP_ENOENT nobody knows it
static lp_err
check_owner(log_sessions *self, const char *session_id, int32_t partition)
{
    LP_ASSERT(partition >= 0);
    catalog *of = sessions_get_catalog(self->all);
    catalog_owner owner = {.node = ""};
    if (!is_shared(self)) {
        return LP_OK;
    }
    lp_err err = catalog_owners_find(of, session_id, &owner);
    if (err == LP_OK && owner.is_running && strcmp(owner.node, catalog_get_node(of)) != 0) {
        log_offsets_doubt(self->offsets, partition);
        self->why = "another collector has a session of it: it is read again";
        return LP_EAGAIN;
    }
    return err == LP_ENOENT && owner.is_known ? LP_OK : err;
}

static lp_err
find_here(log_sessions *self, const char *session_id, session **out)
{
    LP_ASSERT(self->all != NULL && self->offsets != NULL);
    self->why = NULL;
    session *s = sessions_find(self->all, session_id);
    if (s == NULL) {
        return LP_ENOENT;
    }
    if (s->standing != SESSION_OURS) {
        self->why = "what was here of a session of it is on its way out";
        return LP_EAGAIN;
    }
    *out = s;
    return LP_OK;
}

static lp_err
bring_here(log_sessions *self, const char *session_id, int32_t partition, uint64_t now_ms,
    session **out, uint64_t *out_term)
{
    lp_err err = session_own(self->all, session_id, out_term);
    LP_THEN(err, sessions_load(self->all, session_id, out));
    if (err == LP_OK) {
        begin(*out, partition, *out_term, now_ms);
    }
    return err;
}

lp_err
log_sessions_load(log_sessions *self, const char *session_id, int32_t partition, uint64_t now_ms,
    session **out, uint64_t *out_term)
{
    lp_err err = find_here(self, session_id, out);
    if (err != LP_ENOENT) {
        *out_term = err == LP_OK ? (*out)->row.term : 0;
        return err;
    }
    err = check_owner(self, session_id, partition);
    return err == LP_OK || err == LP_ENOENT
               ? bring_here(self, session_id, partition, now_ms, out, out_term)
               : err;
}

lp_err
log_sessions_find(
    log_sessions *self, const char *session_id, int32_t partition, uint64_t now_ms, session **out)
{
    uint64_t term;
    lp_err err = find_here(self, session_id, out);
    if (err != LP_ENOENT) {
        return err;
    }
    err = check_owner(self, session_id, partition);
    return err == LP_OK ? bring_here(self, session_id, partition, now_ms, out, &term) : err;
}

// --- All that run

// note_running notes a session that has not ended, if its partition is read here.
static void
note_running(void *arg, const catalog_running *running)
{
    log_sessions *self = arg;
    LP_ASSERT(self->offsets != NULL);
    if (!log_offsets_has(self->offsets, partition_of(self, running->id))) {
        return;
    }
    const session *s = sessions_find(self->all, running->id);
    if (s != NULL) { // perhaps its partition has come back before it was gone
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

static int
compare_ids(const void *a, const void *b)
{
    const catalog_own *left = a;
    const catalog_own *right = b;
    return strcmp(left->session_id, right->session_id);
}

static lp_err
list_running(log_sessions *self)
{
    LP_ASSERT(self->must_list);
    self->must_list = false;
    self->lists_again = false;
    self->running.count = 0;
    lp_err err = catalog_owners_list_running(sessions_get_catalog(self->all), note_running, self);
    self->must_list |= err != LP_OK;
    if (self->running.count > 0) { // in the order in which others lock their rows
        qsort(self->running.items, self->running.count, sizeof(catalog_own), compare_ids);
    }
    return err == LP_OK && self->must_list ? LP_ENOMEM : err;
}

// begin_running brings a session into memory that was taken. One that cannot be there now comes
// with its next record, or, where there is none, is listed again; where there are too many, that
// would be in vain.
static void
begin_running(log_sessions *self, const char *session_id, uint64_t term_before, uint64_t term,
    uint64_t now_ms)
{
    session *s;
    int32_t partition = partition_of(self, session_id);
    lp_err err = sessions_load(self->all, session_id, &s);
    if (err != LP_OK) {
        self->lists_again |= err != LP_ELIMIT;
        return;
    }
    begin(s, partition, term, now_ms);
    if (term_before != 0 && term > term_before) {
        metrics_add(METRICS_sessions_taken, 1);
        lp_log(LP_LOG_INFO,
            "session %s: taken with partition %" PRId32 " of the log, term %" PRIu64, session_id,
            partition, term);
    }
}

// take_running makes the last count of the sessions that run this node's, and brings them into
// memory. What journals have of them is of a time when they were this node's.
static lp_err
take_running(log_sessions *self, size_t count, uint64_t now_ms)
{
    LP_ASSERT(count > 0 && count <= LOG_SESSIONS_TAKEN_MAX);
    LP_ASSERT(count <= self->running.count);
    catalog_own taken[LOG_SESSIONS_TAKEN_MAX];
    const catalog_own *from = &self->running.items[self->running.count - count];
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        taken[i] = from[i];
        taken[i].term = 0;
        err = left_journals_remove(sessions_get_dir(self->all), taken[i].session_id);
    }
    if (err == LP_OK && is_shared(self)) {
        err = catalog_owners_take_all(sessions_get_catalog(self->all), taken, count);
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        begin_running(self, taken[i].session_id, from[i].term, taken[i].term, now_ms);
    }
    self->running.count -= err == LP_OK ? count : 0;
    return err;
}

lp_err
log_sessions_bring(log_sessions *self, uint64_t now_ms)
{
    self->why = NULL;
    lp_err err = self->must_list ? list_running(self) : LP_OK;
    size_t count = self->running.count;
    if (err == LP_OK && count > 0) {
        count = count < LOG_SESSIONS_TAKEN_MAX ? count : LOG_SESSIONS_TAKEN_MAX;
        err = take_running(self, count, now_ms);
    }
    if (err == LP_OK && self->running.count > 0) {
        self->why = "the sessions that run in it are being taken";
        return LP_EAGAIN;
    }
    LP_ASSERT(err != LP_OK || !self->must_list);
    return err;
}
