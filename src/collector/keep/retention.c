// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/retention.h"

#include "collector/base/metrics.h"
#include "collector/journal/data_dir.h"
#include "collector/journal/journal_list.h"
#include "collector/keep/leaving_files.h"
#include "collector/keep/retention_stock.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// --- State

struct retention {
    retention_config config;
    retention_stock stock;
    leaving_files leaving;
    bool has_looked_aside; // aside is up to date for the present removals
    bool is_in_charge;     // retention_set_in_charge
    bool is_unsure;        // the catalog may have done a removal that failed
    // Monotonic
    uint64_t retry_ms; // no try before, after the catalog failed
    uint64_t count_ms; // of the next count of all chunks in a shared catalog
    uint64_t sweep_ms; // of the next sweep
    lp_err err;        // of a callback
};

static uint64_t
now_ms(void)
{
    return (uint64_t)lp_time_mono_ms();
}

static void
retention_check(const retention *self)
{
    LP_ASSERT(self->leaving.rest.arg == self);
    LP_ASSERT(self->stock.aside_services.count == self->stock.aside.count);
    LP_ASSERT(self->leaving.items.count <= self->leaving.items.capacity);
}

static void
note_kept(void *arg, const catalog_kept *kept)
{
    retention *self = arg;
    kept_service *s = retention_stock_find(&self->stock, kept->service);
    if (s == NULL) {
        self->err = LP_ENOMEM;
    } else {
        retention_stock_add(&self->stock, s, kept->stored_bytes);
    }
}

// note_left notes a removal that an earlier run of the collector did not complete.
static void
note_left(void *arg, const char *session_id, int64_t ordinal)
{
    retention *self = arg;
    LP_THEN(self->err, leaving_files_reserve(&self->leaving, 1));
    if (self->err == LP_OK) {
        leaving_files_add(&self->leaving, session_id, ordinal, 0);
    }
}

// note_missing notes a removal that only the catalog knows.
static void
note_missing(void *arg, const char *session_id, int64_t ordinal)
{
    retention *self = arg;
    if (!leaving_files_has(&self->leaving, session_id, ordinal)) {
        note_left(self, session_id, ordinal);
    }
}

// note_refusal notes that the catalog may have done a call that it did not answer in time.
static void
note_refusal(retention *self, lp_err err)
{
    self->is_unsure = self->is_unsure || err == LP_EAGAIN;
}

// try_look_aside lists the files that were put aside. It logs a failure; the next sweep tries
// again.
static void
try_look_aside(retention *self)
{
    lp_err err = retention_stock_look_aside(&self->stock);
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "files that were put aside cannot be listed: %s; trying again in %d s",
            lp_err_reason(err), RETENTION_SWEEP_MS / 1000);
    }
}

// remove_rest_of removes a session's files that were put aside, its remaining journals and its raw
// data, as many as possible. Returns an error of one that failed.
static lp_err
remove_rest_of(void *arg, const char *session_id)
{
    retention *self = arg;
    lp_err err = self->has_looked_aside ? LP_OK : retention_stock_look_aside(&self->stock);
    self->has_looked_aside = err == LP_OK;
    LP_THEN(err, retention_stock_remove_aside_of(&self->stock, session_id));
    int error = errno;
    lp_err left = journal_list_remove(self->config.dir, session_id);
    LP_THEN(left, journal_list_remove_raw(self->config.dir, session_id));
    if (left == LP_OK) {
        errno = error;
    }
    return left == LP_OK ? err : left;
}

// --- Life

lp_err
retention_create(const retention_config *config, retention **out_retention)
{
    retention *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->config = *config;
    self->is_in_charge = true;
    self->stock = (retention_stock){.keep = config->keep,
        .policies = config->policies,
        .dir = config->dir,
        .catalog = config->catalog,
        .late = &config->sessions->late};
    self->leaving = (leaving_files){.catalog = config->catalog,
        .blobs = config->blobs,
        .rounds = config->rounds,
        .rest = {.remove = remove_rest_of, .arg = self}};
    lp_err err = catalog_list_kept(config->catalog, note_kept, self);
    LP_THEN(err, catalog_list_removals(config->catalog, note_left, self));
    LP_THEN(err, self->err);
    if (err != LP_OK) {
        retention_destroy(self);
        return err;
    }
    try_look_aside(self);
    *out_retention = self;
    return LP_OK;
}

void
retention_destroy(retention *self)
{
    if (self == NULL) {
        return;
    }
    leaving_files_fini(&self->leaving);
    retention_stock_fini(&self->stock);
    free(self);
}

// complain logs and counts a failure of the catalog, and pauses all work.
static void
complain(retention *self, const char *what, lp_err err)
{
    lp_log(LP_LOG_ERROR, "%s: %s; trying again in %d s", what, lp_err_reason(err),
        RETENTION_RETRY_MS / 1000);
    metrics_add(METRICS_removal_errors, 1);
    self->retry_ms = now_ms() + lp_time_scale_ms(RETENTION_RETRY_MS);
}

// find_missing finds removals that the catalog did although the calls failed. The bytes of their
// chunks count as kept until the next start.
static void
find_missing(retention *self)
{
    self->err = LP_OK;
    lp_err err = catalog_list_removals(self->config.catalog, note_missing, self);
    LP_THEN(err, self->err);
    self->is_unsure = err != LP_OK;
    if (err != LP_OK) {
        complain(self, "removals cannot be listed", err);
    }
}

void
retention_remove_files(retention *self)
{
    retention_check(self);
    if (now_ms() < self->retry_ms) {
        return;
    }
    self->has_looked_aside = false;
    lp_err err = leaving_files_go_on(&self->leaving, now_ms());
    if (err != LP_OK) {
        complain(self, "the notes of removed files cannot be deleted from the catalog", err);
    }
}

// --- Chunks

static void
note_row(void *arg, const catalog_session *row)
{
    session *s = arg;
    s->row.expired_chunks = row->expired_chunks;
    s->row.kept_wall_ns = row->kept_wall_ns;
}

// expire removes chunks. is_counted: count them as expired.
static lp_err
expire(retention *self, const catalog_old_chunk *chunks, size_t count, bool is_counted)
{
    LP_ASSERT(count > 0 && count <= RETENTION_BATCH);
    lp_err err = leaving_files_reserve(&self->leaving, count);
    LP_THEN(err, catalog_expire(self->config.catalog, chunks, count));
    if (err != LP_OK) {
        note_refusal(self, err);
        return err;
    }
    for (size_t i = 0; i < count; i++) {
        const catalog_old_chunk *chunk = &chunks[i];
        if (!chunk->is_in_object) {
            leaving_files_add(
                &self->leaving, chunk->session_id, chunk->ordinal, chunk->stored_bytes);
        }
        session *s = sessions_find(self->config.sessions, chunk->session_id);
        if (s != NULL) { // if it fails, the row that is saved next has lower counts
            lp_err ignored = catalog_find(self->config.catalog, chunk->session_id, note_row, s);
            (void)ignored;
        }
        metrics_add(METRICS_chunks_expired, is_counted);
        metrics_add(METRICS_expired_bytes, is_counted ? chunk->stored_bytes : 0);
    }
    return LP_OK;
}

// expire_decided removes the first RETENTION_BATCH chunks and files that go. *out_count is their
// number.
static lp_err
expire_decided(retention *self, size_t *out_count)
{
    catalog_old_chunk batch[RETENTION_BATCH] = {0};
    size_t services[RETENTION_BATCH];
    size_t count = 0;
    size_t aside = 0;
    for (size_t i = 0; i < self->stock.candidates.count && count + aside < RETENTION_BATCH; i++) {
        const retention_candidate *c = &self->stock.candidates.items[i];
        if (c->goes && c->is_aside) {
            lp_err failed = retention_stock_remove_aside(
                &self->stock, c->source); // the next look finds it again
            metrics_add(METRICS_removal_errors, failed != LP_OK);
            aside++;
        } else if (c->goes) {
            services[count] = c->service;
            LP_ASSERT(c->source < self->stock.chunks.count);
            batch[count++] = self->stock.chunks.items[c->source];
        }
    }
    lp_err err = count == 0 ? LP_OK : expire(self, batch, count, true);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        retention_stock_take(
            &self->stock, &self->stock.services.items[services[i]], batch[i].stored_bytes);
    }
    *out_count = count + aside;
    return err;
}

// pass removes some expired chunks and files. Returns whether there may be more.
static bool
pass(retention *self, int64_t now_wall_ns)
{
    size_t gone = 0;
    size_t done = 0;
    lp_err err = retention_stock_choose(&self->stock, RETENTION_BATCH, now_wall_ns, &gone);
    LP_THEN(err, gone > 0 ? expire_decided(self, &done) : LP_OK);
    if (err == LP_OK && gone == done) {
        retention_stock_find_due(&self->stock);
    }
    if (err != LP_OK) {
        complain(self, "expired chunks cannot be removed", err);
        return false;
    }
    return gone > 0;
}

static void
run(retention *self, int64_t now_wall_ns)
{
    uint64_t begin_ms = now_ms();
    if (self->is_in_charge && begin_ms >= self->retry_ms) {
        while (pass(self, now_wall_ns) && now_ms() - begin_ms < RETENTION_BUSY_MS_MAX) {
        }
    }
}

void
retention_note(
    retention *self, const char *service, const catalog_chunk *chunk, int64_t now_wall_ns)
{
    retention_check(self);
    kept_service *s = retention_stock_find(&self->stock, service);
    if (s == NULL) {
        return; // it counts after the next start
    }
    retention_stock_add(&self->stock, s, chunk->stored_bytes);
    s->due_wall_ns = INT64_MIN; // it may be the oldest
    run(self, now_wall_ns);
}

// --- Sessions

typedef struct slice {
    retention *of;
    catalog_old_chunk chunks[RETENTION_BATCH];
    size_t services[RETENTION_BATCH];
    size_t count;
} slice;

static void
note_removed(void *arg, const char *service, const catalog_old_chunk *chunk)
{
    slice *s = arg;
    LP_ASSERT(s->count < RETENTION_BATCH); // the list's limit
    const kept_service *of = retention_stock_find(&s->of->stock, service);
    if (of != NULL) { // else the next time
        s->services[s->count] = (size_t)(of - s->of->stock.services.items);
        s->chunks[s->count++] = *chunk;
    }
}

static lp_err
remove_some(retention *self, const char *session_id, bool *out_has_more)
{
    slice s = {.of = self};
    lp_err err =
        catalog_list_removed(self->config.catalog, session_id, RETENTION_BATCH, note_removed, &s);
    *out_has_more = s.count > 0;
    LP_THEN(err, s.count > 0 ? expire(self, s.chunks, s.count, false) : LP_OK);
    for (size_t i = 0; i < s.count && err == LP_OK; i++) {
        retention_stock_take(
            &self->stock, &self->stock.services.items[s.services[i]], s.chunks[i].stored_bytes);
    }
    return err;
}

// remove_rest removes the chunks of removed recordings from the catalog. The items that it adds to
// the list have no chunks.
static void
remove_rest(retention *self)
{
    uint64_t begin_ms = now_ms();
    for (size_t i = 0; i < self->leaving.items.count; i++) {
        char id[CATALOG_ID_CHARS + 1];
        bool has_more = self->leaving.items.items[i].has_chunks;
        if (!has_more) {
            continue;
        }
        lp_err err = LP_OK;
        memcpy(id, self->leaving.items.items[i].session_id, sizeof(id));
        while (has_more && err == LP_OK && now_ms() - begin_ms < RETENTION_BUSY_MS_MAX) {
            err = remove_some(self, id, &has_more);
        }
        if (err != LP_OK) {
            complain(self, "a recording cannot be removed", err);
            return;
        }
        if (!has_more) {
            leaving_files_note_no_chunks(&self->leaving, &self->leaving.items.items[i]);
        }
    }
}

static lp_err
remove_row(retention *self, const char *session_id)
{
    lp_err err = leaving_files_reserve(&self->leaving, 1);
    if (err == LP_OK) {
        err = catalog_remove_session(self->config.catalog, session_id);
        note_refusal(self, err);
    }
    if (err == LP_OK) {
        leaving_files_add(&self->leaving, session_id, CATALOG_REMOVAL_ALL, 0);
    }
    return err;
}

static void
note_running(void *arg, const catalog_session *row)
{
    *(bool *)arg = !row->is_ended;
}

lp_err
retention_remove(retention *self, const char *session_id)
{
    retention_check(self);
    LP_REQUIRE(sessions_find(self->config.sessions, session_id) == NULL, LP_EAGAIN);
    bool is_running = false; // elsewhere
    lp_err err = catalog_find(self->config.catalog, session_id, note_running, &is_running);
    if (err == LP_OK && is_running) {
        return LP_EAGAIN;
    }
    LP_THEN(err, remove_row(self, session_id));
    if (err == LP_OK) {
        metrics_add(METRICS_recordings_removed, 1);
        lp_log(LP_LOG_INFO, "recording %s was removed on request", session_id);
    }
    return err == LP_EAGAIN ? LP_EIO : err; // LP_EAGAIN would mean that it is running
}

bool
retention_is_removing(const retention *self, const char *session_id)
{
    retention_check(self);
    return leaving_files_has(&self->leaving, session_id, CATALOG_REMOVAL_ALL);
}

typedef struct empties {
    retention *of;
    int64_t now_wall_ns;
    LP_VEC(removal) items; // their session_id
} empties;

static void
note_empty(void *arg, const catalog_session *row)
{
    empties *e = arg;
    retention *self = e->of;
    policy_keep own = policy_dir_find_keep(self->config.policies, row->service);
    int64_t age_ns = own.age_ns != 0 ? own.age_ns : self->config.keep.age_ns;
    int64_t past_ns; // since it ended, by its JVM's clock
    bool is_old = age_ns != 0 && age_ns != INT64_MAX &&
                  !__builtin_sub_overflow(e->now_wall_ns, row->end_wall_ns, &past_ns) &&
                  past_ns > age_ns;
    if (!catalog_id_is_valid(row->id) || sessions_find(self->config.sessions, row->id) != NULL ||
        (row->expired_chunks == 0 && !is_old)) {
        return;
    }
    removal item = {.ordinal = CATALOG_REMOVAL_ALL};
    memcpy(item.session_id, row->id, sizeof(item.session_id));
    (void)!LP_VEC_ADD(&e->items, item); // else the next time
}

// count_anew counts all chunks of a shared catalog again, if bytes are limited.
static void
count_anew(retention *self, bool has_limits)
{
    self->is_unsure = true; // a dead collector may have left removals
    if (!has_limits) {
        return;
    }
    for (size_t i = 0; i < self->stock.services.count; i++) {
        kept_service *s = &self->stock.services.items[i];
        retention_stock_take(&self->stock, s, s->bytes - s->aside_bytes);
        s->due_wall_ns = INT64_MIN;
    }
    self->err = LP_OK;
    lp_err err = catalog_list_kept(self->config.catalog, note_kept, self);
    LP_THEN(err, self->err);
    if (err != LP_OK) {
        complain(self, "the stored chunks cannot be counted", err);
    }
}

void
retention_set_in_charge(retention *self, bool is_in_charge)
{
    retention_check(self);
    if (is_in_charge && !self->is_in_charge) {
        self->sweep_ms = self->count_ms = 0;
    }
    self->is_in_charge = is_in_charge;
}

static void
sweep(retention *self, int64_t now_wall_ns)
{
    empties e = {.of = self, .now_wall_ns = now_wall_ns};
    lp_err err =
        self->is_in_charge ? catalog_list_empty(self->config.catalog, note_empty, &e) : LP_OK;
    for (size_t i = 0; i < e.items.count && err == LP_OK; i++) {
        err = remove_row(self, e.items.items[i].session_id);
    }
    LP_VEC_FINI(&e.items);
    if (err != LP_OK) {
        complain(self, "expired recordings cannot be removed", err);
    }
}

void
retention_tick(retention *self, int64_t now_wall_ns)
{
    retention_check(self);
    if (self->is_unsure && now_ms() >= self->retry_ms) {
        find_missing(self);
    }
    run(self, now_wall_ns);
    if (now_ms() >= self->retry_ms) {
        remove_rest(self);
    }
    const policy_keep *all = &self->config.keep;
    bool has_limits = all->age_ns != 0 || all->bytes != 0 || self->config.policies != NULL;
    if (now_ms() >= self->sweep_ms && now_ms() >= self->retry_ms) {
        self->sweep_ms = now_ms() + lp_time_scale_ms(RETENTION_SWEEP_MS);
        try_look_aside(self);
        bool is_shared = catalog_is_shared(self->config.catalog);
        if (is_shared && self->is_in_charge && now_ms() >= self->count_ms) {
            self->count_ms = now_ms() + RETENTION_COUNT_MS;
            count_anew(self, all->bytes != 0 || self->config.policies != NULL);
        }
        if (has_limits) {
            sweep(self, now_wall_ns);
        }
    }
    retention_remove_files(self);
}
