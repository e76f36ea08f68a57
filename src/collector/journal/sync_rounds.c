// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/sync_rounds.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/store/catalog/sqlite/catalog_copier.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_map.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum sync_item_kind {
    SYNC_ITEM_JOURNAL,
    SYNC_ITEM_HELLO,
    SYNC_ITEM_NAMES, // the directories that the session's files are in
} sync_item_kind;

// One thing of a session that a round syncs.
typedef struct sync_item {
    sync_item_kind kind;
    char session_id[CATALOG_ID_CHARS + 1];
    journal *journal;  // a reference; NULL: another kind, or it was removed
    uint64_t sequence; // batches below it are durable after this item (sync_rounds_note); 0: none
    bool is_new;       // the journal's name is not on the disk
    bool is_read;      // the journal is in a running round, which may copy it
    lp_buf hello;
    int error;              // errno of the last try; 0: success, or not tried yet
    int error_before;       // errno of the try before, while a round runs
    uint64_t retry_ms;      // loop time; with an error
    uint64_t damaged_bytes; // of a journal that was copied
} sync_item;

// The work of one round. While the round runs, each item belongs to one of the threads.
typedef struct sync_work {
    LP_VEC(sync_item) items;
    lp_map others; // by kind and session, the items that are no journals; of the coming round only
    lp_map failed; // by kind and session, items with an error: SYNC_ITEM_NAMES, or
                   // SYNC_ITEM_JOURNAL for the other kinds; of the coming round only
    size_t retried_count; // items of a running round that had an error
    uint64_t number;
    uint64_t first_ms; // loop time of the first note; UINT64_MAX: none
    uint64_t begin_ms;
    bool has_catalog; // the log has commits that no earlier round synced
    int catalog_error;
    bool has_new;          // some journals' names are not on the disk
    int names_error;       // errno of the sync of their parents' names
    atomic_size_t next;    // the next item to sync; items.count: what all share (sync_shared)
    atomic_size_t helpers; // threads that work on the round
} sync_work;

struct sync_rounds {
    sync_rounds_config config;
    workers *threads;
    int log_fd;             // the catalog's log; -1 with SYNC_NEVER, or if commits sync themselves
    catalog_copier *copier; // NULL if log_fd is -1
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

// --- Items

static void
item_check(const sync_item *it)
{
    bool is_journal = it->kind == SYNC_ITEM_JOURNAL;
    LP_ASSERT(it->journal == NULL || is_journal);
    LP_ASSERT(it->journal != NULL || (!it->is_new && !it->is_read));
    LP_ASSERT(it->journal != NULL || !is_journal || it->error == 0); // drop_journal
}

// sync_journal syncs a journal and, if it is new, its name. After a failure it copies the journal
// into a new file instead. Returns an errno, or 0.
static int
sync_journal(sync_item *it)
{
    item_check(it);
    bool has_failed = it->error_before != 0;
    lp_err err =
        has_failed ? journal_copy(it->journal, &it->damaged_bytes) : journal_sync(it->journal);
    LP_THEN(err, it->is_new && !has_failed ? journal_sync_name(it->journal) : LP_OK);
    return err == LP_OK ? 0 : err == LP_ENOMEM ? ENOMEM : errno;
}

// sync_names syncs the directories that files of the session were removed from: that of its chunks,
// the parent of its journals' directory, which is removed with them, and that of damaged files.
static int
sync_names(const sync_rounds_config *to, const sync_item *it)
{
    item_check(it);
    lp_err err = blobs_sync_names(to->blobs, it->session_id);
    LP_THEN(err, lp_io_sync_dir(AT_FDCWD, to->journals_path));
    if (err == LP_OK && lp_io_sync_dir(AT_FDCWD, to->damaged_path) != LP_OK) {
        err = errno == ENOENT ? LP_OK : LP_EIO; // somebody has deleted the directory
    }
    return err == LP_OK ? 0 : errno;
}

// write_item syncs an item; a journal that failed before is copied. Returns an errno, or 0.
static int
write_item(const sync_rounds_config *to, sync_item *it)
{
    item_check(it);
    if (it->kind == SYNC_ITEM_JOURNAL) {
        return it->journal == NULL ? 0 : sync_journal(it);
    }
    if (it->kind == SYNC_ITEM_NAMES) {
        return sync_names(to, it);
    }
    lp_err err = blobs_put_hello(to->blobs, it->session_id, lp_buf_slice(&it->hello));
    return err == LP_OK ? 0 : err == LP_EIO ? errno : EIO;
}

// begin_item keeps a journal's file in place until end_item, while a round runs.
static void
begin_item(sync_item *it)
{
    item_check(it);
    LP_ASSERT(!it->is_read);

    it->error_before = it->error;
    if (it->journal != NULL) {
        (void)journal_begin_reading(it->journal);
        it->is_read = true;
        journal_begin_sync(it->journal);
    }
}

static void
end_item(sync_item *it)
{
    item_check(it);

    if (it->is_read) {
        it->is_read = false;
        journal_end_reading(it->journal);
    }
}

// drop_journal is for a journal that was removed: it needs no sync, and what waits for it proceeds.
static void
drop_journal(sync_item *it)
{
    LP_ASSERT(!it->is_read);

    journal_release(it->journal);
    journal_unref(it->journal);
    it->journal = NULL;
    it->is_new = false;
    it->error = 0;
}

static void
item_fini(sync_item *it)
{
    end_item(it);
    if (it->journal != NULL) {
        drop_journal(it);
    }
    lp_buf_fini(&it->hello);
}

static void
report_item(const sync_item *it)
{
    item_check(it);
    bool is_refused = it->error != 0;
    if (is_refused == (it->error_before != 0)) {
        return;
    }
    const char *what = it->kind == SYNC_ITEM_HELLO   ? "its Hello"
                       : it->kind == SYNC_ITEM_NAMES ? "the directories of its files"
                                                     : journal_get_path(it->journal);
    if (is_refused) {
        lp_log(LP_LOG_ERROR, "session %s: cannot sync %s: %s; retrying until it succeeds",
            it->session_id, what, strerror(it->error));
    } else {
        lp_log(LP_LOG_INFO, "session %s: synced %s", it->session_id, what);
    }
}

// --- The items of a round, by kind and session

// key_of returns the key of an item, seeded, as agents choose the session's id. Two sessions do not
// share a key (sessions.c).
static uint64_t
key_of(sync_item_kind kind, const char *session_id)
{
    return lp_hash_text(lp_hash_seed() + (uint64_t)kind, session_id);
}

static void
note_key(lp_map *in, sync_item_kind kind, const sync_work *of, const sync_item *it)
{
    lp_err err = lp_map_put(in, key_of(kind, it->session_id), (uint32_t)(it - of->items.items));
    LP_ASSERT(err == LP_OK); // make_room
}

static void
note_failed(sync_work *in, const sync_item *it)
{
    note_key(
        &in->failed, it->kind == SYNC_ITEM_NAMES ? SYNC_ITEM_NAMES : SYNC_ITEM_JOURNAL, in, it);
}

static bool
make_room(sync_work *to, size_t count)
{
    size_t least = to->items.count + count;
    return LP_VEC_RESERVE(&to->items, count) && lp_map_reserve(&to->others, least) == LP_OK &&
           lp_map_reserve(&to->failed, least) == LP_OK;
}

static sync_item *
add_item(sync_work *to, sync_item_kind kind, const char *session_id)
{
    LP_ASSERT(to->items.count < to->items.capacity);

    sync_item *it = &to->items.items[to->items.count++];
    *it = (sync_item){.kind = kind};
    (void)snprintf(it->session_id, sizeof(it->session_id), "%s", session_id);
    if (kind != SYNC_ITEM_JOURNAL) {
        note_key(&to->others, kind, to, it);
    }
    return it;
}

// put_back moves an item that failed to the coming round, which has room for it.
static void
put_back(sync_work *to, const sync_item *it)
{
    item_check(it);
    LP_ASSERT(to->items.count < to->items.capacity && it->error != 0 && !it->is_read);

    sync_item *kept = &to->items.items[to->items.count];
    *kept = *it;
    if (it->kind == SYNC_ITEM_JOURNAL) {
        *journal_get_note(it->journal) = (journal_note){to->number, to->items.count};
    } else {
        note_key(&to->others, it->kind, to, kept);
    }
    note_failed(to, kept);
    to->items.count++;
}

// find finds an item of a session by one of the work's maps; NULL if there is none.
static sync_item *
find(const sync_work *in, const lp_map *map, sync_item_kind kind, const char *session_id)
{
    uint32_t place = map->count == 0 ? LP_MAP_NONE : lp_map_find(map, key_of(kind, session_id));
    LP_ASSERT(place == LP_MAP_NONE || place < in->items.count);
    return place == LP_MAP_NONE ? NULL : &in->items.items[place];
}

static void
work_fini(sync_work *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        item_fini(&self->items.items[i]);
    }
    LP_VEC_FINI(&self->items);
    lp_map_fini(&self->others);
    lp_map_fini(&self->failed);
}

// --- On the threads

// sync_shared syncs what items share: the names of the sessions' directories, which new journals
// need, and the catalog's log.
static void
sync_shared(const sync_rounds *self, sync_work *now)
{
    if (now->has_new && lp_io_sync_dir(AT_FDCWD, self->config.journals_path) != LP_OK) {
        now->names_error = errno;
    }
    if (now->has_catalog && self->log_fd >= 0 && fdatasync(self->log_fd) != 0) {
        now->catalog_error = errno;
    }
}

// help syncs items of the running round until none is left. The last thread to return ends the
// round.
static void
help(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // acknowledged batches have to reach the disk
    sync_rounds *self = arg;
    sync_work *now = self->running;
    size_t next;
    // Relaxed: the order in which threads take items does not matter.
    while ((next = atomic_fetch_add_explicit(&now->next, 1, memory_order_relaxed)) <=
           now->items.count) {
        if (next == now->items.count) {
            sync_shared(self, now);
        } else {
            now->items.items[next].error = write_item(&self->config, &now->items.items[next]);
        }
    }
    // Releases what this thread wrote; on_done acquires it.
    if (atomic_fetch_sub_explicit(&now->helpers, 1, memory_order_acq_rel) == 1) {
        (void)uv_async_send(&self->done); // fails only on a handle of another kind
    }
}

// run_round starts the writeback of all journals, then waits for them on several threads: a file
// system serves concurrent syncs together.
static void
run_round(void *arg, const atomic_bool *is_stopping)
{
    sync_rounds *self = arg;
    sync_work *now = self->running;
    for (size_t i = 0; i < now->items.count && now->items.count > 1; i++) {
        if (now->items.items[i].journal != NULL) {
            journal_write_out(now->items.items[i].journal);
        }
    }
    size_t helpers =
        now->items.count < SYNC_ROUNDS_THREADS ? now->items.count : SYNC_ROUNDS_THREADS;
    helpers = helpers == 0 ? 1 : helpers;
    atomic_store_explicit(&now->helpers, helpers, memory_order_relaxed); // the push orders it
    for (size_t i = 1; i < helpers; i++) {
        lp_err err = workers_push(self->threads, help, self);
        LP_ASSERT(err == LP_OK); // SYNC_ROUNDS_THREADS - 1 threads are idle
    }
    help(self, is_stopping);
}

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
            drop_journal(it);
        }
        if (it->error != 0 && it->retry_ms > now_ms(self)) {
            put_back(self->coming, it);
        } else {
            begin_item(it);
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
    if (!make_room(self->coming, now->items.count)) {
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
    atomic_store_explicit(&now->next, 0, memory_order_relaxed); // the push orders it
    self->is_awaited = false;
    self->running = now;
    lp_err err = workers_push(self->threads, run_round, self);
    LP_ASSERT(err == LP_OK); // no other round runs
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
    item_check(it);
    end_item(it);
    if (it->is_new && it->error == 0) {
        it->error = now->names_error;
    }
    report_item(it);
    if (it->journal != NULL) {
        journal_refuse(it->journal, it->error);
    }
    if (it->error == 0 && it->damaged_bytes > 0) {
        self->config.on_damaged(self->config.arg, it->session_id, it->journal, it->damaged_bytes);
    }
    if (it->error != 0) {
        metrics_add(METRICS_sync_errors, 1);
        it->retry_ms = now_ms(self) + lp_time_scale_ms(SYNC_ROUNDS_RETRY_MS);
        note_failed(now, it);
    }
}

// find_later finds the item of the coming round for the same file as `it`; NULL if there is none.
static sync_item *
find_later(const sync_rounds *self, const sync_item *it)
{
    rounds_check(self);
    if (it->kind != SYNC_ITEM_JOURNAL) {
        return find(self->coming, &self->coming->others, it->kind, it->session_id);
    }
    const journal_note *note = journal_get_note(it->journal);
    return note->round == self->coming->number ? &self->coming->items.items[note->place] : NULL;
}

// retry_later moves a failed item to the coming round, or merges it into the item that was noted
// for the same file while the round ran.
static void
retry_later(sync_rounds *self, sync_item *it)
{
    item_check(it);
    sync_item *later = find_later(self, it);
    if (later == NULL) {
        put_back(self->coming, it);
        return;
    }
    later->sequence = it->sequence > later->sequence ? it->sequence : later->sequence;
    if (it->kind != SYNC_ITEM_HELLO) { // a later Hello replaces the failed one
        later->is_new = later->is_new || it->is_new;
        later->error = it->error;
        later->retry_ms = it->retry_ms;
        note_failed(self->coming, later);
    }
    item_fini(it);
}

// report_durable reports the batches of a synced item as durable. If another item of the session
// has failed, that one reports them later.
static void
report_durable(const sync_rounds *self, const sync_work *now, const sync_item *it)
{
    rounds_check(self);
    sync_item *failed = find(now, &now->failed, SYNC_ITEM_JOURNAL, it->session_id);
    failed = failed == NULL
                 ? find(self->coming, &self->coming->failed, SYNC_ITEM_JOURNAL, it->session_id)
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
            item_fini(&now->items.items[i]);
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
    // Acquires the writes of the threads (help).
    LP_ASSERT(atomic_load_explicit(&now->helpers, memory_order_acquire) == 0);
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
        lp_err err = workers_push(self->threads, copy, self);
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
    lp_err err = catalog_open_log(self->config.catalog, &self->log_fd);
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
    if (workers_start("loupe-sync", WORKERS_NORMAL, SYNC_ROUNDS_THREADS, SYNC_ROUNDS_THREADS + 1,
            &self->threads) != LP_OK) {
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
    self->log_fd = -1;
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
    workers_stop(self->threads);
    catalog_copier_destroy(self->copier);
    for (size_t i = 0; i < 2; i++) {
        work_fini(&self->works[i]);
    }
    lp_io_close(self->log_fd);
    free(self);
}

lp_err
sync_rounds_admit(sync_rounds *self)
{
    rounds_check(self);
    // Items that fail in the running round move here, too.
    size_t returning = self->running == NULL ? 0 : self->running->items.count;
    return self->config.mode == SYNC_NEVER || make_room(self->coming, 1 + returning) ? LP_OK
                                                                                     : LP_ENOMEM;
}

static sync_item *
add(sync_rounds *self, sync_item_kind kind, const char *session_id)
{
    sync_work *to = self->coming;
    to->first_ms = to->first_ms == UINT64_MAX ? now_ms(self) : to->first_ms;
    return add_item(to, kind, session_id); // sync_rounds_admit made room
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
    sync_item *it =
        find(self->coming, &self->coming->others, SYNC_ITEM_HELLO, session_id); // one item a file
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
        find(self->coming, &self->coming->others, SYNC_ITEM_NAMES, session_id) != NULL) {
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
    return find(self->coming, &self->coming->failed, SYNC_ITEM_JOURNAL, session_id) != NULL;
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
    return find(self->coming, &self->coming->failed, SYNC_ITEM_NAMES, session_id) != NULL;
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
