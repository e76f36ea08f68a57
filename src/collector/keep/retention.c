// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/retention.h"

#include "collector/base/metrics.h"
#include "collector/journal/journal_list.h"
#include "collector/keep/aside_files.h"
#include "collector/keep/kept_services.h"
#include "collector/keep/leaving_files.h"
#include "collector/keep/retention_decide.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OLDEST_OF_ALL = 4 }; // chunks of each service that are looked at for the bytes of all

// --- What is known

struct retention {
    retention_config config;
    kept_services kept;
    aside_files aside;
    leaving_files leaving;
    bool has_looked_aside; // for those of leaving
    bool is_in_charge;     // see retention_set_in_charge
    bool is_unsure;        // whether the catalog has taken a removal, though it said no
    uint64_t retry_ms;     // monotonic, before which nothing is tried after the catalog refused
    uint64_t count_ms;     // when what there is is to be counted anew, where others add to it
    uint64_t sweep_ms;     // when the next look for empty sessions is due
    // Of one pass
    LP_VEC(retention_candidate) candidates;
    LP_VEC(catalog_old_chunk) chunks; // of the candidates
    LP_VEC(retention_service) limits;
    bool is_failed; // out of memory, in a callback
};

static uint64_t
now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
note_kept(void *arg, const catalog_kept *kept)
{
    retention *self = arg;
    kept_service *s = kept_services_find(&self->kept, kept->service);
    if (s == NULL) {
        self->is_failed = true;
        return;
    }
    kept_services_add(&self->kept, s, kept->stored_bytes);
}

// note_left notes files that did not go before the collector ended.
static void
note_left(void *arg, const char *session_id, int64_t ordinal)
{
    retention *self = arg;
    if (leaving_files_reserve(&self->leaving, 1) != LP_OK) {
        self->is_failed = true;
        return;
    }
    leaving_files_add(&self->leaving, session_id, ordinal, 0);
}

// note_missing notes files of which only the catalog knows that they have to go.
static void
note_missing(void *arg, const char *session_id, int64_t ordinal)
{
    retention *self = arg;
    if (!leaving_files_has(&self->leaving, session_id, ordinal)) {
        note_left(self, session_id, ordinal);
    }
}

// note_refusal: what the catalog did not answer in time it may have done.
static void
note_refusal(retention *self, lp_err err)
{
    self->is_unsure = self->is_unsure || err == LP_EAGAIN;
}

// try_look_aside looks for what was put aside, for who goes on where that fails: it is looked for
// again.
static void
try_look_aside(retention *self)
{
    lp_err err = aside_files_look(&self->aside);
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "what was put aside cannot be listed: %s; trying again in %d s",
            lp_err_reason(err), RETENTION_SWEEP_MS / 1000);
    }
}

// remove_rest_of removes what was put aside of a session, and journals that are left of it: all
// that can be removed. The error is that of one that cannot.
static lp_err
remove_rest_of(void *arg, const char *session_id)
{
    retention *self = arg;
    lp_err looked = self->has_looked_aside ? LP_OK : aside_files_look(&self->aside);
    int error = errno;
    self->has_looked_aside = looked == LP_OK;
    lp_err err = looked == LP_OK ? aside_files_remove_of(&self->aside, session_id) : looked;
    error = looked == LP_OK ? errno : error;
    lp_err left = journal_list_remove(self->config.dir, session_id);
    if (left == LP_OK) {
        errno = error;
        return err;
    }
    return left;
}

// --- Life

lp_err
retention_create(const retention_config *config, retention **out_retention)
{
    retention *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return LP_ENOMEM;
    }
    self->config = *config;
    self->is_in_charge = true;
    self->aside = (aside_files){.dir = config->dir,
        .catalog = config->catalog,
        .kept = &self->kept,
        .late = sessions_get_late(config->sessions)};
    self->leaving = (leaving_files){.catalog = config->catalog,
        .blobs = config->blobs,
        .rounds = config->rounds,
        .rest = {.remove = remove_rest_of, .arg = self}};
    lp_err err = catalog_list_kept(config->catalog, note_kept, self);
    LP_THEN(err, catalog_list_removals(config->catalog, note_left, self));
    err = err == LP_OK && self->is_failed ? LP_ENOMEM : err;
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
    aside_files_fini(&self->aside);
    leaving_files_fini(&self->leaving);
    kept_services_fini(&self->kept);
    LP_VEC_FINI(&self->candidates);
    LP_VEC_FINI(&self->chunks);
    LP_VEC_FINI(&self->limits);
    free(self);
}

// complain logs and counts that the catalog refused something, and has everything wait.
static void
complain(retention *self, const char *what, lp_err err)
{
    lp_log(LP_LOG_ERROR, "%s: %s; trying again in %d s", what, lp_err_reason(err),
        RETENTION_RETRY_MS / 1000);
    metrics_add(METRICS_removal_errors, 1);
    self->retry_ms = now_ms() + lp_time_scale_ms(RETENTION_RETRY_MS);
}

// find_missing finds the files of removals that failed, for all that was known, and were done: the
// catalog was away before it could say so. What the chunks among them had is counted as kept until
// the next start.
static void
find_missing(retention *self)
{
    self->is_failed = false;
    lp_err err = catalog_list_removals(self->config.catalog, note_missing, self);
    err = err == LP_OK && self->is_failed ? LP_ENOMEM : err;
    self->is_unsure = err != LP_OK;
    if (err != LP_OK) {
        complain(self, "removals cannot be listed", err);
    }
}

void
retention_remove_files(retention *self)
{
    if (now_ms() < self->retry_ms) {
        return;
    }
    self->has_looked_aside = false;
    lp_err err = leaving_files_go_on(&self->leaving, now_ms());
    if (err != LP_OK) {
        complain(self, "the catalog does not forget files that were removed", err);
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

// expire removes chunks. is_counted: because they are not kept any longer.
static lp_err
expire(retention *self, const catalog_old_chunk *chunks, size_t count, bool is_counted)
{
    lp_err err = leaving_files_reserve(&self->leaving, count);
    LP_THEN(err, catalog_expire(self->config.catalog, chunks, count));
    if (err != LP_OK) {
        note_refusal(self, err);
        return err;
    }
    for (size_t i = 0; i < count; i++) {
        const catalog_old_chunk *chunk = &chunks[i];
        if (!chunk->is_in_object) { // that has no file of its own
            leaving_files_add(
                &self->leaving, chunk->session_id, chunk->ordinal, chunk->stored_bytes);
        }
        session *s = sessions_find(self->config.sessions, chunk->session_id);
        if (s != NULL) { // where it fails, the row that is saved next says less
            lp_err ignored = catalog_find(self->config.catalog, chunk->session_id, note_row, s);
            (void)ignored;
        }
        metrics_add(METRICS_chunks_expired, is_counted);
        metrics_add(METRICS_expired_bytes, is_counted ? chunk->stored_bytes : 0);
    }
    return LP_OK;
}

typedef struct listing {
    retention *of;
    size_t service;
    size_t first; // candidate
} listing;

static void
note_oldest(void *arg, const char *service, const catalog_old_chunk *chunk)
{
    (void)service;
    const listing *l = arg;
    retention *self = l->of;
    retention_candidate *c = LP_VEC_PUSH(&self->candidates);
    catalog_old_chunk *copy = c == NULL ? NULL : LP_VEC_PUSH(&self->chunks);
    if (copy == NULL) {
        self->is_failed = true;
        return;
    }
    *copy = *chunk;
    *c = (retention_candidate){.service = l->service,
        .start_wall_ns = chunk->start_wall_ns,
        .end_wall_ns = chunk->end_wall_ns,
        .bytes = chunk->stored_bytes};
}

// list_service adds the first chunks of a service to the candidates, count_max at most.
static lp_err
list_service(retention *self, size_t index, size_t count_max)
{
    listing l = {.of = self, .service = index, .first = self->candidates.count};
    lp_err err = catalog_list_oldest(
        self->config.catalog, self->kept.list.items[index].name, count_max, note_oldest, &l);
    size_t count = self->candidates.count - l.first;
    if (err == LP_OK && count == count_max) {
        self->candidates.items[self->candidates.count - 1].has_more = true;
    }
    return err == LP_OK && self->is_failed ? LP_ENOMEM : err;
}

// list_aside adds what was put aside of a service to the candidates: all of it, which is in its
// place among the chunks, as those before it go before.
static lp_err
list_aside(retention *self, size_t service)
{
    for (size_t i = 0; i < self->aside.files.count; i++) {
        const damaged_file *file = &self->aside.files.items[i];
        if (file->is_gone || self->aside.services.items[i] != service) {
            continue;
        }
        retention_candidate *c = LP_VEC_PUSH(&self->candidates);
        catalog_old_chunk *none = c == NULL ? NULL : LP_VEC_PUSH(&self->chunks);
        if (none == NULL) {
            return LP_ENOMEM;
        }
        *none = (catalog_old_chunk){.ordinal = 0};
        *c = (retention_candidate){.service = service,
            .start_wall_ns = file->since_wall_ns,
            .end_wall_ns = file->since_wall_ns,
            .bytes = file->bytes,
            .aside = i + 1};
    }
    return LP_OK;
}

// find_limits finds the limits of all services.
static lp_err
find_limits(retention *self)
{
    self->limits.count = 0;
    const policy_keep *all = &self->config.keep;
    for (size_t i = 0; i < self->kept.list.count; i++) {
        kept_service *s = &self->kept.list.items[i];
        retention_service *limits = LP_VEC_PUSH(&self->limits);
        if (limits == NULL) {
            return LP_ENOMEM;
        }
        policy_keep own = policy_dir_find_keep(self->config.policies, s->name);
        int64_t age_ns = own.age_ns != 0 ? own.age_ns : all->age_ns;
        *limits = (retention_service){.bytes = s->bytes,
            .age_ns_max = age_ns == 0 ? INT64_MAX : age_ns,
            .bytes_max = own.bytes == 0 ? UINT64_MAX : own.bytes};
        if (limits->age_ns_max != s->age_ns_max) {
            s->age_ns_max = limits->age_ns_max;
            s->due_wall_ns = INT64_MIN;
        }
    }
    return LP_OK;
}

static uint64_t
bytes_max_of(const retention *self)
{
    return self->config.keep.bytes == 0 ? UINT64_MAX : self->config.keep.bytes;
}

static lp_err
list_candidates(retention *self, int64_t now_wall_ns)
{
    self->candidates.count = 0;
    self->chunks.count = 0;
    lp_err err = find_limits(self);
    bool is_over = self->kept.bytes > bytes_max_of(self);
    for (size_t i = 0; i < self->kept.list.count && err == LP_OK; i++) {
        const kept_service *s = &self->kept.list.items[i];
        const retention_service *limits = &self->limits.items[i];
        bool is_due = limits->age_ns_max != INT64_MAX && now_wall_ns >= s->due_wall_ns;
        bool is_listed = is_due || s->bytes > limits->bytes_max;
        if (is_listed) {
            err = list_service(self, i, RETENTION_BATCH);
        } else if (is_over) { // as a rule by one chunk, of any service
            err = list_service(self, i, OLDEST_OF_ALL);
        }
        if (err == LP_OK && (is_listed || is_over)) {
            err = list_aside(self, i);
        }
    }
    return err;
}

static int
compare_candidates(const void *a, const void *b, void *arg)
{
    const retention *self = arg;
    const retention_candidate *one = &self->candidates.items[*(const size_t *)a];
    const retention_candidate *other = &self->candidates.items[*(const size_t *)b];
    if (one->start_wall_ns != other->start_wall_ns) {
        return one->start_wall_ns < other->start_wall_ns ? -1 : 1;
    }
    return *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

// order_candidates puts the candidates, and the chunks that they are, in the order of their starts.
static lp_err
order_candidates(retention *self)
{
    size_t count = self->candidates.count;
    retention_candidate *candidates = malloc(count * sizeof(*candidates));
    catalog_old_chunk *chunks = malloc(count * sizeof(*chunks));
    size_t *order = malloc(count * sizeof(*order));
    bool has_memory = candidates != NULL && chunks != NULL && order != NULL;
    if (has_memory) {
        for (size_t i = 0; i < count; i++) {
            order[i] = i;
        }
        qsort_r(order, count, sizeof(*order), compare_candidates, self);
        for (size_t i = 0; i < count; i++) {
            candidates[i] = self->candidates.items[order[i]];
            chunks[i] = self->chunks.items[order[i]];
        }
        memcpy(self->candidates.items, candidates, count * sizeof(*candidates));
        memcpy(self->chunks.items, chunks, count * sizeof(*chunks));
    }
    free(candidates);
    free(chunks);
    free(order);
    return has_memory ? LP_OK : LP_ENOMEM;
}

// find_due finds when the next chunk of each service that was listed is too old.
static void
find_due(retention *self)
{
    for (size_t i = 0; i < self->candidates.count; i++) {
        self->kept.list.items[self->candidates.items[i].service].due_wall_ns = INT64_MAX;
    }
    for (size_t i = 0; i < self->candidates.count; i++) {
        const retention_candidate *c = &self->candidates.items[i];
        kept_service *s = &self->kept.list.items[c->service];
        if (c->goes && !c->has_more) {
            continue;
        }
        int64_t due_wall_ns;
        int64_t end_wall_ns =
            c->has_more ? c->start_wall_ns : c->end_wall_ns; // of others, at least
        if (__builtin_add_overflow(end_wall_ns, s->age_ns_max, &due_wall_ns)) {
            due_wall_ns = INT64_MAX;
        }
        s->due_wall_ns = due_wall_ns < s->due_wall_ns ? due_wall_ns : s->due_wall_ns;
    }
}

// expire_decided removes the first chunks that go, and what was put aside among them,
// RETENTION_BATCH at most. *out_count is how many did.
static lp_err
expire_decided(retention *self, size_t *out_count)
{
    catalog_old_chunk batch[RETENTION_BATCH] = {0};
    size_t services[RETENTION_BATCH];
    size_t count = 0;
    size_t aside = 0;
    for (size_t i = 0; i < self->candidates.count && count + aside < RETENTION_BATCH; i++) {
        const retention_candidate *c = &self->candidates.items[i];
        if (c->goes && c->aside > 0) {
            lp_err failed = aside_files_remove(&self->aside, c->aside - 1); // nothing waits for it
            metrics_add(METRICS_removal_errors, failed != LP_OK);
            aside++;
        } else if (c->goes) {
            services[count] = c->service;
            batch[count++] = self->chunks.items[i];
        }
    }
    lp_err err = count == 0 ? LP_OK : expire(self, batch, count, true);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        kept_services_take(&self->kept, &self->kept.list.items[services[i]], batch[i].stored_bytes);
    }
    *out_count = count + aside;
    return err;
}

// pass removes some of what is due. Returns whether there may be more.
static bool
pass(retention *self, int64_t now_wall_ns)
{
    size_t gone = 0;
    size_t done = 0;
    self->is_failed = false;
    lp_err err = list_candidates(self, now_wall_ns);
    if (err == LP_OK && self->candidates.count > 0) {
        err = order_candidates(self);
    }
    if (err == LP_OK && self->candidates.count > 0) {
        gone = retention_decide(self->candidates.items, self->candidates.count, self->limits.items,
            self->kept.list.count, bytes_max_of(self), now_wall_ns);
        if (gone > 0) {
            err = expire_decided(self, &done);
        }
        if (gone == done && err == LP_OK) {
            find_due(self);
        }
    }
    if (err != LP_OK) {
        complain(self, "chunks that are not kept any longer cannot be removed", err);
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
    kept_service *s = kept_services_find(&self->kept, service);
    if (s == NULL) {
        return; // it counts after the next start
    }
    kept_services_add(&self->kept, s, chunk->stored_bytes);
    s->due_wall_ns = INT64_MIN; // it may be older than the others
    run(self, now_wall_ns);
}

// --- Sessions

// Some chunks of a recording that was removed.
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
    const kept_service *of = kept_services_find(&s->of->kept, service);
    if (of != NULL) { // else the next time
        s->services[s->count] = (size_t)(of - s->of->kept.list.items);
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
    if (err == LP_OK && s.count > 0) {
        err = expire(self, s.chunks, s.count, false);
    }
    for (size_t i = 0; i < s.count && err == LP_OK; i++) {
        kept_services_take(
            &self->kept, &self->kept.list.items[s.services[i]], s.chunks[i].stored_bytes);
    }
    return err;
}

// remove_rest takes the chunks of recordings that were removed from the catalog. What that adds to
// the list has no chunks in it.
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
    if (sessions_find(self->config.sessions, session_id) != NULL) {
        return LP_EAGAIN;
    }
    bool is_running = false; // elsewhere
    lp_err err = catalog_find(self->config.catalog, session_id, note_running, &is_running);
    if (err == LP_OK && is_running) {
        return LP_EAGAIN;
    }
    LP_THEN(err, remove_row(self, session_id));
    if (err == LP_OK) {
        metrics_add(METRICS_recordings_removed, 1);
        lp_log(LP_LOG_INFO, "recording %s was removed, as somebody asked for it", session_id);
    }
    return err == LP_EAGAIN ? LP_EIO : err; // else it would count as running
}

bool
retention_is_removing(const retention *self, const char *session_id)
{
    return leaving_files_has_session(&self->leaving, session_id);
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
    int64_t past_ns; // since it ended, as its JVM's clock says
    bool is_old = age_ns != 0 && age_ns != INT64_MAX &&
                  !__builtin_sub_overflow(e->now_wall_ns, row->end_wall_ns, &past_ns) &&
                  past_ns > age_ns;
    if (sessions_find(self->config.sessions, row->id) != NULL ||
        (row->expired_chunks == 0 && !is_old)) {
        return;
    }
    removal *item = LP_VEC_PUSH(&e->items);
    if (item != NULL) { // else the next time
        memcpy(item->session_id, row->id, sizeof(item->session_id));
    }
}

// count_anew counts the chunks that there are, in a catalog that other collectors write as well,
// where there are limits of bytes.
static void
count_anew(retention *self, bool has_limits)
{
    self->is_unsure = true; // a collector that has gone may have left files to be removed
    if (!has_limits) {
        return;
    }
    for (size_t i = 0; i < self->kept.list.count; i++) {
        kept_service *s = &self->kept.list.items[i];
        kept_services_take(&self->kept, s, s->bytes - s->aside_bytes);
        s->due_wall_ns = INT64_MIN;
    }
    self->is_failed = false;
    lp_err err = catalog_list_kept(self->config.catalog, note_kept, self);
    err = err == LP_OK && self->is_failed ? LP_ENOMEM : err;
    if (err != LP_OK) {
        complain(self, "what is kept cannot be counted", err);
    }
}

void
retention_set_in_charge(retention *self, bool is_in_charge)
{
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
        complain(self, "recordings that are not kept any longer cannot be removed", err);
    }
}

void
retention_tick(retention *self, int64_t now_wall_ns)
{
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
