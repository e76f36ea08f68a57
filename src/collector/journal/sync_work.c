// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/sync_work.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// --- An item

void
sync_work_check(const sync_item *it)
{
    bool is_journal = it->kind == SYNC_ITEM_JOURNAL;
    LP_ASSERT(it->journal == NULL || is_journal);
    LP_ASSERT(it->journal != NULL || (!it->is_new && !it->is_read));
    LP_ASSERT(it->journal != NULL || !is_journal || it->error == 0); // dropped
}

// sync_journal syncs a journal and, if it is new, its name. After a failure it copies the journal
// into a new file instead. Returns an errno, or 0.
static int
sync_journal(sync_item *it)
{
    sync_work_check(it);
    bool has_failed = it->error_before != 0;
    lp_err err =
        has_failed ? journal_copy(it->journal, &it->damaged_bytes) : journal_sync(it->journal);
    LP_THEN(err, it->is_new && !has_failed ? journal_sync_name(it->journal) : LP_OK);
    return err == LP_OK ? 0 : err == LP_ENOMEM ? ENOMEM : errno;
}

// sync_names syncs the directories that files of the session were removed from: that of its chunks,
// the parent of its journals' directory, which is removed with them, and that of damaged files.
static int
sync_names(const sync_work_to *to, const sync_item *it)
{
    sync_work_check(it);
    lp_err err = blobs_sync_names(to->blobs, it->session_id);
    LP_THEN(err, lp_io_sync_dir(AT_FDCWD, to->journals_path));
    if (err == LP_OK && lp_io_sync_dir(AT_FDCWD, to->damaged_path) != LP_OK) {
        err = errno == ENOENT ? LP_OK : LP_EIO; // somebody has deleted the directory
    }
    return err == LP_OK ? 0 : errno;
}

// write_item syncs an item; a journal that failed before is copied. Returns an errno, or 0.
static int
write_item(const sync_work_to *to, sync_item *it)
{
    sync_work_check(it);
    if (it->kind == SYNC_ITEM_JOURNAL) {
        return it->journal == NULL ? 0 : sync_journal(it);
    }
    if (it->kind == SYNC_ITEM_NAMES) {
        return sync_names(to, it);
    }
    lp_err err = blobs_put_hello(to->blobs, it->session_id, lp_buf_slice(&it->hello));
    return err == LP_OK ? 0 : err == LP_EIO ? errno : EIO;
}

// begin_item keeps a journal's file in place until sync_work_end, while a round runs.
void
sync_work_begin(sync_item *it)
{
    sync_work_check(it);
    LP_ASSERT(!it->is_read);

    it->error_before = it->error;
    if (it->journal != NULL) {
        (void)journal_begin_reading(it->journal);
        it->is_read = true;
        journal_begin_sync(it->journal);
    }
}

void
sync_work_end(sync_item *it)
{
    sync_work_check(it);

    if (it->is_read) {
        it->is_read = false;
        journal_end_reading(it->journal);
    }
}

// drop_journal is for a journal that was removed: it needs no sync, and what waits for it proceeds.
void
sync_work_drop_journal(sync_item *it)
{
    LP_ASSERT(!it->is_read);

    journal_release(it->journal);
    journal_unref(it->journal);
    it->journal = NULL;
    it->is_new = false;
    it->error = 0;
}

void
sync_work_fini_item(sync_item *it)
{
    sync_work_end(it);
    if (it->journal != NULL) {
        sync_work_drop_journal(it);
    }
    lp_buf_fini(&it->hello);
}

void
sync_work_report(const sync_item *it)
{
    sync_work_check(it);
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

void
sync_work_note_failed(sync_work *in, const sync_item *it)
{
    note_key(
        &in->failed, it->kind == SYNC_ITEM_NAMES ? SYNC_ITEM_NAMES : SYNC_ITEM_JOURNAL, in, it);
}

bool
sync_work_make_room(sync_work *to, size_t count)
{
    size_t least = to->items.count + count;
    return LP_VEC_RESERVE(&to->items, count) && lp_map_reserve(&to->others, least) == LP_OK &&
           lp_map_reserve(&to->failed, least) == LP_OK;
}

sync_item *
sync_work_add(sync_work *to, sync_item_kind kind, const char *session_id)
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
void
sync_work_put_back(sync_work *to, const sync_item *it)
{
    sync_work_check(it);
    LP_ASSERT(to->items.count < to->items.capacity && it->error != 0 && !it->is_read);

    sync_item *kept = &to->items.items[to->items.count];
    *kept = *it;
    if (it->kind == SYNC_ITEM_JOURNAL) {
        *journal_get_note(it->journal) = (journal_note){to->number, to->items.count};
    } else {
        note_key(&to->others, it->kind, to, kept);
    }
    sync_work_note_failed(to, kept);
    to->items.count++;
}

// find finds an item of a session by one of the work's maps; NULL if there is none.
sync_item *
sync_work_find(const sync_work *in, const lp_map *map, sync_item_kind kind, const char *session_id)
{
    uint32_t place = map->count == 0 ? LP_MAP_NONE : lp_map_find(map, key_of(kind, session_id));
    LP_ASSERT(place == LP_MAP_NONE || place < in->items.count);
    return place == LP_MAP_NONE ? NULL : &in->items.items[place];
}

void
sync_work_fini(sync_work *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        sync_work_fini_item(&self->items.items[i]);
    }
    LP_VEC_FINI(&self->items);
    lp_map_fini(&self->others);
    lp_map_fini(&self->failed);
}

// --- On the threads

// sync_shared syncs what items share: the names of the sessions' directories, which new journals
// need, and the catalog's log.
static void
sync_shared(sync_work *now)
{
    const sync_work_to *to = now->to;
    if (now->has_new && lp_io_sync_dir(AT_FDCWD, to->journals_path) != LP_OK) {
        now->names_error = errno;
    }
    if (now->has_catalog && to->log_fd >= 0 && fdatasync(to->log_fd) != 0) {
        now->catalog_error = errno;
    }
}

// help syncs items of the round until none is left. The last thread to return ends the round.
static void
help(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // acknowledged batches have to reach the disk
    sync_work *now = arg;
    const sync_work_to *to = now->to; // now is the loop's once the last thread has returned
    size_t next;
    // Relaxed: the order in which threads take items does not matter.
    while ((next = atomic_fetch_add_explicit(&now->next, 1, memory_order_relaxed)) <=
           now->items.count) {
        if (next == now->items.count) {
            sync_shared(now);
        } else {
            now->items.items[next].error = write_item(to, &now->items.items[next]);
        }
    }
    // Releases what this thread wrote; sync_work_has_ended acquires it.
    if (atomic_fetch_sub_explicit(&now->helpers, 1, memory_order_acq_rel) == 1) {
        (void)uv_async_send(to->done); // fails only on a handle of another kind
    }
}

// run starts the writeback of all journals, then waits for them on several threads: a file system
// serves concurrent syncs together.
static void
run(void *arg, const atomic_bool *is_stopping)
{
    sync_work *now = arg;
    for (size_t i = 0; i < now->items.count && now->items.count > 1; i++) {
        if (now->items.items[i].journal != NULL) {
            journal_write_out(now->items.items[i].journal);
        }
    }
    size_t helpers = now->items.count < SYNC_WORK_THREADS ? now->items.count : SYNC_WORK_THREADS;
    helpers = helpers == 0 ? 1 : helpers;
    atomic_store_explicit(&now->helpers, helpers, memory_order_relaxed); // the push orders it
    for (size_t i = 1; i < helpers; i++) {
        lp_err err = workers_push(now->to->threads, help, now);
        LP_ASSERT(err == LP_OK); // SYNC_WORK_THREADS - 1 threads are idle
    }
    help(now, is_stopping);
}

void
sync_work_run(sync_work *self, const sync_work_to *to)
{
    LP_ASSERT(to->done != NULL && to->blobs != NULL);
    self->to = to;
    atomic_store_explicit(&self->next, 0, memory_order_relaxed); // the push orders it
    lp_err err = workers_push(to->threads, run, self);
    LP_ASSERT(err == LP_OK); // no other round runs
}

bool
sync_work_has_ended(const sync_work *self)
{
    return atomic_load_explicit(&self->helpers, memory_order_acquire) == 0; // help releases it
}
