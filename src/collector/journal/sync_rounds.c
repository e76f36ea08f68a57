// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/sync_rounds.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/journal/sync_work.h"
#include "collector/store/catalog/sqlite/catalog_copier.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sync_rounds {
    sync_rounds_config config;
    sync_work_to to;
    catalog_copier *copier; // NULL if to.log_fd is -1
    atomic_bool is_copying; // set on the loop, cleared (release) on the thread that copies
    bool has_copy_failed;   // the last time; written by the thread that copies
    unsigned synced_count;  // catalog_count_changes when the last round began
    int problem;            // see sync_rounds_get_problem
    sync_work works[2];
    sync_work *coming;
    sync_work *running; // NULL: none
    bool is_awaited;    // sync_rounds_hurry was called for the coming round
    bool is_stopping;
    bool is_synced;       // see sync_rounds_is_synced
    uv_async_t done;      // sent when the running round has ended
    uv_prepare_t prepare; // begins rounds that are due at once, when the loop is about to wait
    uv_timer_t timer;     // begins the others
};

static void
rounds_check(const sync_rounds *self)
{
    LP_ASSERT(self->coming == &self->works[0] || self->coming == &self->works[1]);
    LP_ASSERT(self->coming->number > 0 && self->running != self->coming);
    LP_ASSERT(self->running == NULL || self->running->number + 1 == self->coming->number);
}

// --- On a thread

// copy copies the catalog's log into the database. After a failure a later round tries again.
static void
copy(void *arg, const atomic_bool *is_stopping)
{
    sync_rounds *self = arg;
    (void)is_stopping; // a copy is short
    lp_err err = catalog_copier_run(self->copier);
    metrics_add(METRICS_sync_errors, err == LP_OK ? 0 : 1);
    if (err != LP_OK && !self->has_copy_failed) {
        lp_log(LP_LOG_ERROR, "cannot copy the catalog's log: %s; retrying", lp_err_reason(err));
    }
    self->has_copy_failed = err != LP_OK;
    atomic_store_explicit(&self->is_copying, false, memory_order_release);
}

// --- Beginning, on the loop

static uint64_t
now_ms(const sync_rounds *self)
{
    return uv_now(self->config.loop);
}

static bool
is_catalog_due(const sync_rounds *self)
{
    return self->problem == 0 && catalog_count_changes(self->config.catalog) != self->synced_count;
}

// is_due returns whether the coming round has work other than retries.
static bool
is_due(const sync_rounds *self)
{
    return self->is_awaited || self->coming->first_ms != UINT64_MAX || is_catalog_due(self);
}

// begin_items drops journals that were removed since they were noted, moves failures whose retry is
// not due to the coming round, and begins the other items.
static void
begin_items(sync_rounds *self, sync_work *now)
{
    rounds_check(self);
    size_t kept = 0;
    now->has_new = false;
    now->names_error = 0;
    now->retried_count = 0;
    for (size_t i = 0; i < now->items.count; i++) {
        sync_item *it = &now->items.items[i];
        if (it->journal != NULL && journal_is_removed(it->journal)) {
            sync_work_drop_journal(it);
        }
        if (it->error != 0 && it->retry_ms > now_ms(self)) {
            sync_work_put_back(self->coming, it);
        } else {
            sync_work_begin(it);
            now->retried_count += it->error != 0;
            now->has_new = now->has_new || it->is_new;
            now->items.items[kept++] = *it;
        }
    }
    now->items.count = kept;
    lp_map_clear(&now->failed);
}

static void
begin(sync_rounds *self)
{
    LP_ASSERT(self->running == NULL);

    sync_work *now = self->coming;
    self->coming = now == &self->works[0] ? &self->works[1] : &self->works[0];
    LP_ASSERT(self->coming->items.count == 0);
    // Items that fail move back; sync_rounds_admit keeps that room free.
    if (!sync_work_make_room(self->coming, now->items.count)) {
        self->coming = now; // tried again by the next on_prepare or on_timer
        return;
    }
    self->coming->number = now->number + 1;
    self->coming->first_ms = UINT64_MAX;
    begin_items(self, now);
    now->begin_ms = now_ms(self);
    now->catalog_error = self->problem;
    now->has_catalog = is_catalog_due(self);
    self->synced_count = catalog_count_changes(self->config.catalog);
    self->is_awaited = false;
    self->running = now;
    sync_work_run(now, &self->to);
}

static void
on_prepare(uv_prepare_t *prepare)
{
    sync_rounds *self = prepare->data;
    bool is_wanted = self->is_awaited || (self->config.mode == SYNC_ALWAYS && is_due(self));
    if (is_wanted && self->running == NULL) {
        begin(self);
    }
}

static bool
is_retry_due(const sync_rounds *self)
{
    return self->coming->failed.count > 0 &&
           LP_ANY(self->coming->items.items, self->coming->items.count,
               at->error != 0 && at->retry_ms <= now_ms(self));
}

static void
on_timer(uv_timer_t *timer)
{
    sync_rounds *self = timer->data;
    if (self->running == NULL && (is_due(self) || is_retry_due(self))) {
        begin(self);
    }
}

// --- Ending, on the loop

// finish_item ends an item of a round: its journal refuses appends while the item has an error.
static void
finish_item(sync_rounds *self, sync_work *now, sync_item *it)
{
    sync_work_check(it);
    sync_work_end(it);
    if (it->is_new && it->error == 0) {
        it->error = now->names_error;
    }
    sync_work_report(it);
    if (it->journal != NULL) {
        journal_refuse(it->journal, it->error);
    }
    if (it->error == 0 && it->damaged_bytes > 0) {
        self->config.on_damaged(self->config.arg, it->session_id, it->journal, it->damaged_bytes);
    }
    if (it->error != 0) {
        metrics_add(METRICS_sync_errors, 1);
        it->retry_ms = now_ms(self) + lp_time_scale_ms(SYNC_ROUNDS_RETRY_MS);
        sync_work_note_failed(now, it);
    }
}

// find_later finds the item of the coming round for the same file as `it`; NULL if there is none.
static sync_item *
find_later(const sync_rounds *self, const sync_item *it)
{
    rounds_check(self);
    if (it->kind != SYNC_ITEM_JOURNAL) {
        return sync_work_find(self->coming, &self->coming->others, it->kind, it->session_id);
    }
    const journal_note *note = journal_get_note(it->journal);
    return note->round == self->coming->number ? &self->coming->items.items[note->place] : NULL;
}

// retry_later moves a failed item to the coming round, or merges it into the item that was noted
// for the same file while the round ran.
static void
retry_later(sync_rounds *self, sync_item *it)
{
    sync_work_check(it);
    sync_item *later = find_later(self, it);
    if (later == NULL) {
        sync_work_put_back(self->coming, it);
        return;
    }
    later->sequence = it->sequence > later->sequence ? it->sequence : later->sequence;
    if (it->kind != SYNC_ITEM_HELLO) { // a later Hello replaces the failed one
        later->is_new = later->is_new || it->is_new;
        later->error = it->error;
        later->retry_ms = it->retry_ms;
        sync_work_note_failed(self->coming, later);
    }
    sync_work_fini_item(it);
}

// report_durable reports the batches of a synced item as durable. If another item of the session
// has failed, that one reports them later.
static void
report_durable(const sync_rounds *self, const sync_work *now, const sync_item *it)
{
    rounds_check(self);
    sync_item *failed = sync_work_find(now, &now->failed, SYNC_ITEM_JOURNAL, it->session_id);
    failed = failed == NULL ? sync_work_find(self->coming, &self->coming->failed, SYNC_ITEM_JOURNAL,
                                  it->session_id)
                            : failed;
    if (failed == NULL) {
        self->config.on_durable(self->config.arg, it->session_id, it->sequence);
    } else if (it->sequence > failed->sequence) {
        failed->sequence = it->sequence;
    }
}

// settle reports durable batches, moves failures to the coming round and empties this one.
static void
settle(sync_rounds *self, sync_work *now)
{
    for (size_t i = 0; i < now->items.count; i++) {
        const sync_item *it = &now->items.items[i];
        if (it->sequence > 0 && it->error == 0) {
            report_durable(self, now, it);
        }
    }
    for (size_t i = 0; i < now->items.count; i++) {
        if (now->items.items[i].error != 0) {
            retry_later(self, &now->items.items[i]);
        } else {
            sync_work_fini_item(&now->items.items[i]);
        }
    }
    now->items.count = 0;
    lp_map_clear(&now->others);
    lp_map_clear(&now->failed);
}

static void
close_handles(sync_rounds *self)
{
    uv_close((uv_handle_t *)&self->done, NULL);
    uv_close((uv_handle_t *)&self->prepare, NULL);
    uv_close((uv_handle_t *)&self->timer, NULL);
}

static void
on_done(uv_async_t *done)
{
    sync_rounds *self = done->data;
    sync_work *now = self->running;
    uint64_t number = now->number;
    rounds_check(self);
    bool has_ended = sync_work_has_ended(now);
    LP_ASSERT(has_ended);
    self->running = NULL;
    metrics_add(METRICS_sync_rounds, 1);
    metrics_add(METRICS_sync_round_ms, now_ms(self) - now->begin_ms);
    metrics_add(METRICS_synced_journals, now->items.count);
    if (now->catalog_error != 0 && self->problem == 0) {
        self->problem = now->catalog_error;
        metrics_add(METRICS_sync_errors, 1);
        lp_log(LP_LOG_ERROR,
            "cannot sync the catalog's log: %s; no journal is removed until the collector restarts",
            strerror(self->problem));
    }
    for (size_t i = 0; i < now->items.count; i++) {
        finish_item(self, now, &now->items.items[i]);
    }
    settle(self, now);
    if (self->problem == 0 && self->copier != NULL && catalog_copier_is_due(self->copier) &&
        !self->is_stopping &&
        !atomic_exchange_explicit(&self->is_copying, true, memory_order_acquire)) {
        lp_err err = workers_push(self->to.threads, copy, self);
        LP_ASSERT(err == LP_OK); // is_copying: one at a time
    }
    self->config.on_end(self->config.arg, number, self->problem == 0);
    if (self->is_stopping && is_due(self)) {
        begin(self);
    }
    if (self->is_stopping && self->running == NULL) {
        self->is_synced = self->problem == 0 && self->coming->items.count == 0;
        close_handles(self);
    }
}

// --- Doors

static void
open_handles(sync_rounds *self)
{
    uv_handle_t *handles[] = {
        (uv_handle_t *)&self->done, (uv_handle_t *)&self->prepare, (uv_handle_t *)&self->timer};
    // libuv: these cannot fail on new handles with callbacks.
    (void)uv_prepare_init(self->config.loop, &self->prepare);
    (void)uv_prepare_start(&self->prepare, on_prepare);
    (void)uv_timer_init(self->config.loop, &self->timer);
    (void)uv_timer_start(&self->timer, on_timer, SYNC_ROUNDS_WAIT_MS, SYNC_ROUNDS_WAIT_MS);
    for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++) {
        handles[i]->data = self;
        uv_unref(handles[i]);
    }
}

// open_catalog opens the catalog's log to sync and copy it, unless the catalog is durable by
// itself.
static lp_err
open_catalog(sync_rounds *self, lp_problem *out_problem)
{
    if (catalog_is_durable(self->config.catalog)) {
        return LP_OK;
    }
    lp_err err = catalog_open_log(self->config.catalog, &self->to.log_fd);
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "cannot open the catalog's log: %s", strerror(errno)));
    err = catalog_copier_create(self->config.catalog, &self->copier);
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "cannot open the catalog again: %s",
                              lp_err_reason(err));
}

static lp_err
start(sync_rounds *self, lp_problem *out_problem)
{
    LP_TRY(open_catalog(self, out_problem));
    // One thread may copy while threads of the last round, and of this one, have not returned.
    if (workers_start("loupe-sync", WORKERS_NORMAL, SYNC_WORK_THREADS, SYNC_WORK_THREADS + 1,
            &self->to.threads) != LP_OK) {
        return lp_problem_set(out_problem, LP_ENOMEM, "cannot start a thread");
    }
    int failure = uv_async_init(self->config.loop, &self->done, on_done);
    LP_REQUIRE(failure == 0, lp_problem_set(out_problem, LP_EIO, "%s", uv_strerror(failure)));
    open_handles(self);
    return LP_OK;
}

lp_err
sync_rounds_create(
    const sync_rounds_config *config, sync_rounds **out_rounds, lp_problem *out_problem)
{
    sync_rounds *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    self->config = *config;
    self->to = (sync_work_to){.blobs = config->blobs,
        .journals_path = config->journals_path,
        .damaged_path = config->damaged_path,
        .log_fd = -1,
        .done = &self->done};
    self->coming = &self->works[0];
    self->coming->number = 1;
    self->coming->first_ms = UINT64_MAX;
    lp_err err = config->mode == SYNC_NEVER ? LP_OK : start(self, out_problem);
    if (err != LP_OK) {
        sync_rounds_destroy(self);
        return err;
    }
    *out_rounds = self;
    return LP_OK;
}

static bool
sync_all(const sync_rounds *self)
{
    int fd = open(self->config.journals_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = fd >= 0 && syncfs(fd) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return is_synced;
}

void
sync_rounds_stop(sync_rounds *self)
{
    if (self == NULL) {
        return;
    }
    rounds_check(self);
    if (self->config.mode == SYNC_NEVER) {
        self->is_synced = sync_all(self);
        return;
    }
    uv_ref((uv_handle_t *)&self->done); // until close_handles
    self->is_stopping = true;
    if (self->running == NULL) {
        begin(self);
    }
    if (self->running == NULL) { // out of memory: the next start reads the journals
        close_handles(self);
    }
}

void
sync_rounds_destroy(sync_rounds *self)
{
    if (self == NULL) {
        return;
    }
    workers_stop(self->to.threads);
    catalog_copier_destroy(self->copier);
    for (size_t i = 0; i < 2; i++) {
        sync_work_fini(&self->works[i]);
    }
    lp_io_close(self->to.log_fd);
    free(self);
}

lp_err
sync_rounds_admit(sync_rounds *self)
{
    rounds_check(self);
    // Items that fail in the running round move here, too.
    size_t returning = self->running == NULL ? 0 : self->running->items.count;
    return self->config.mode == SYNC_NEVER || sync_work_make_room(self->coming, 1 + returning)
               ? LP_OK
               : LP_ENOMEM;
}

static sync_item *
add(sync_rounds *self, sync_item_kind kind, const char *session_id)
{
    sync_work *to = self->coming;
    to->first_ms = to->first_ms == UINT64_MAX ? now_ms(self) : to->first_ms;
    return sync_work_add(to, kind, session_id); // sync_rounds_admit made room
}

void
sync_rounds_note(sync_rounds *self, journal *noted, const char *session_id, uint64_t sequence)
{
    rounds_check(self);
    if (self->config.mode == SYNC_NEVER) {
        self->config.on_durable(self->config.arg, session_id, sequence);
        return;
    }
    journal_note *note = journal_get_note(noted);
    sync_item *it;
    if (note->round == self->coming->number) {
        LP_ASSERT(note->place < self->coming->items.count);
        it = &self->coming->items.items[note->place];
        LP_ASSERT(it->journal == noted);
    } else {
        bool is_new = note->round == 0;
        *note = (journal_note){self->coming->number, self->coming->items.count};
        it = add(self, SYNC_ITEM_JOURNAL, session_id);
        it->journal = journal_ref(noted);
        journal_hold(noted);
        it->is_new = is_new;
    }
    it->sequence = sequence;
}

bool
sync_rounds_has(const sync_rounds *self, journal *noted)
{
    return !sync_rounds_is_over(self, journal_get_note(noted)->round);
}

lp_err
sync_rounds_put_hello(sync_rounds *self, const char *session_id, lp_slice hello)
{
    rounds_check(self);
    if (self->config.mode == SYNC_NEVER) {
        return blobs_put_hello(self->config.blobs, session_id, hello);
    }
    lp_buf copy = {0};
    lp_buf_append(&copy, hello.ptr, hello.len);
    if (lp_buf_check(&copy) != LP_OK || sync_rounds_admit(self) != LP_OK) {
        lp_buf_fini(&copy);
        return LP_ENOMEM;
    }
    sync_item *it = sync_work_find(
        self->coming, &self->coming->others, SYNC_ITEM_HELLO, session_id); // one item a file
    it = it == NULL ? add(self, SYNC_ITEM_HELLO, session_id) : it;
    lp_buf_fini(&it->hello);
    it->hello = copy; // moves
    return LP_OK;
}

lp_err
sync_rounds_put_names(sync_rounds *self, const char *session_id)
{
    rounds_check(self);
    if (self->config.mode == SYNC_NEVER ||
        sync_work_find(self->coming, &self->coming->others, SYNC_ITEM_NAMES, session_id) != NULL) {
        return LP_OK;
    }
    lp_err err = sync_rounds_admit(self);
    if (err == LP_OK) {
        (void)add(self, SYNC_ITEM_NAMES, session_id);
    }
    return err;
}

uint64_t
sync_rounds_get_coming(const sync_rounds *self)
{
    rounds_check(self);
    return self->config.mode == SYNC_NEVER ? 0 : self->coming->number;
}

void
sync_rounds_hurry(sync_rounds *self)
{
    rounds_check(self);
    self->is_awaited = true;
}

bool
sync_rounds_is_over(const sync_rounds *self, uint64_t round)
{
    rounds_check(self);
    const sync_work *first = self->running == NULL ? self->coming : self->running;
    return round < first->number;
}

bool
sync_rounds_is_committed(const sync_rounds *self, uint64_t round)
{
    return self->problem == 0 && sync_rounds_is_over(self, round);
}

bool
sync_rounds_is_late(const sync_rounds *self)
{
    rounds_check(self);
    const sync_work *first = self->running == NULL ? self->coming : self->running;
    bool is_old =
        first->first_ms != UINT64_MAX && now_ms(self) - first->first_ms > SYNC_ROUNDS_AGE_MS_MAX;
    return self->config.mode == SYNC_ALWAYS || (self->config.mode == SYNC_SECOND && is_old);
}

bool
sync_rounds_has_failed(const sync_rounds *self, const char *session_id)
{
    rounds_check(self);
    return sync_work_find(self->coming, &self->coming->failed, SYNC_ITEM_JOURNAL, session_id) !=
           NULL;
}

bool
sync_rounds_has_names_failed(const sync_rounds *self, const char *session_id)
{
    rounds_check(self);
    const sync_work *now = self->running;
    for (size_t i = 0; now != NULL && i < now->items.count && now->retried_count > 0; i++) {
        const sync_item *it = &now->items.items[i];
        if (it->error_before != 0 && it->kind == SYNC_ITEM_NAMES &&
            strcmp(it->session_id, session_id) == 0) {
            return true;
        }
    }
    return sync_work_find(self->coming, &self->coming->failed, SYNC_ITEM_NAMES, session_id) != NULL;
}

int
sync_rounds_get_failure(const sync_rounds *self)
{
    rounds_check(self);
    for (size_t i = 0; i < self->coming->items.count && self->coming->failed.count > 0; i++) {
        const sync_item *it = &self->coming->items.items[i];
        if (it->error != 0 && it->kind != SYNC_ITEM_NAMES) {
            return it->error;
        }
    }
    for (size_t i = 0; self->running != NULL && i < self->running->items.count; i++) {
        const sync_item *it = &self->running->items.items[i];
        if (it->error_before != 0 && it->kind != SYNC_ITEM_NAMES) {
            return it->error_before;
        }
    }
    return 0;
}

bool
sync_rounds_is_synced(const sync_rounds *self)
{
    rounds_check(self);
    return self->is_synced;
}

int
sync_rounds_get_problem(const sync_rounds *self)
{
    return self->problem;
}
