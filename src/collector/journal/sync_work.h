// SPDX-License-Identifier: Apache-2.0

// sync_work: what one round syncs (sync_rounds.h), and the threads that do it.
//
// Threads: the loop that owns the rounds. From sync_work_run until the send of `done`, the threads
//          of the round have the items; the loop does not touch them.
// Tests:   tests/unit/collector/journal/test_sync_rounds.c
// Memory:  some 150 bytes an item, and the Hellos

#pragma once

#include "collector/base/workers.h"
#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum { SYNC_WORK_THREADS = 8 }; // that sync in parallel

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
    bool has_new;    // some journals' names are not on the disk
    int names_error; // errno of the sync of their parents' names
    // Of the threads, while the round runs
    const struct sync_work_to *to;
    atomic_size_t next;    // the next item to sync; items.count: what all share
    atomic_size_t helpers; // threads that work on the round
} sync_work;

// What the threads use. All is borrowed.
typedef struct sync_work_to {
    workers *threads;
    uv_async_t *done; // sent when a round has ended
    blobs *blobs;
    const char *journals_path; // the parent of the sessions' directories
    const char *damaged_path;  // the directory of damaged files
    int log_fd;                // the catalog's log; -1: there is none to sync
} sync_work_to;

void sync_work_fini(sync_work *work);

// sync_work_run begins to sync the items, all of which have begun, and what they share. to is
// borrowed until `done` is sent.
void sync_work_run(sync_work *work, const sync_work_to *to);

// sync_work_has_ended returns whether all threads have returned. Then the loop sees what they
// wrote.
bool sync_work_has_ended(const sync_work *work);

// --- The items of a round

// sync_work_make_room reserves room for count more items. False: memory ran out.
bool sync_work_make_room(sync_work *work, size_t count);

// sync_work_add adds an item, for which there is room.
sync_item *sync_work_add(sync_work *work, sync_item_kind kind, const char *session_id);

// sync_work_put_back moves an item that failed to another round, which has room for it.
void sync_work_put_back(sync_work *to, const sync_item *failed);

// sync_work_note_failed adds an item with an error to work->failed.
void sync_work_note_failed(sync_work *work, const sync_item *failed);

// sync_work_find finds an item of a session by one of the work's maps; NULL if there is none.
sync_item *sync_work_find(
    const sync_work *work, const lp_map *map, sync_item_kind kind, const char *session_id);

// --- An item

// sync_work_check asserts what holds at any time.
void sync_work_check(const sync_item *item);

// sync_work_begin keeps a journal's file in place until sync_work_end, while a round runs.
void sync_work_begin(sync_item *item);
void sync_work_end(sync_item *item);

// sync_work_report logs that an item failed, or no longer fails.
void sync_work_report(const sync_item *item);

// sync_work_drop_journal is for a journal that was removed: it needs no sync, and what waits for it
// proceeds.
void sync_work_drop_journal(sync_item *item);

void sync_work_fini_item(sync_item *item);
