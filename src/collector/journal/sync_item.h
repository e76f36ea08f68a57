// SPDX-License-Identifier: Apache-2.0

// sync_item: what is to come to the disk of a session in a round (sync_rounds.h), and how it does.
//
// Threads: the loop that owns the round; sync_item_write any one thread while the round runs.
// Tests:   tests/unit/collector/journal/test_sync_rounds.c

#ifndef LP_COLLECTOR_SERVER_SYNC_ITEM_H
#define LP_COLLECTOR_SERVER_SYNC_ITEM_H

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum sync_item_kind {
    SYNC_ITEM_JOURNAL,
    SYNC_ITEM_HELLO,
    SYNC_ITEM_NAMES, // of the files of a session's chunks
} sync_item_kind;

// What is to come to the disk of a session.
typedef struct sync_item {
    sync_item_kind kind;
    char session_id[CATALOG_ID_CHARS + 1];
    journal *journal;  // a reference; NULL: it is none, or was removed
    uint64_t sequence; // see sync_rounds_note, of what else waits for this, too; 0: nothing
    bool is_new;       // of a journal
    bool is_read;      // of a journal: a round runs, which may copy it
    lp_buf hello;
    int error;              // of the last try, an errno; 0: there was none, or it went well
    int error_before;       // of the one before, while a round runs
    uint64_t retry_ms;      // loop time; with an error
    uint64_t damaged_bytes; // of a journal that was copied
} sync_item;

// Where items are; borrowed, as of sync_rounds_config.
typedef struct sync_item_places {
    const char *journals_path;
    const char *damaged_path;
    blobs *blobs;
} sync_item_places;

// sync_item_begin has a journal stay where it is until sync_item_end, for as long as a round runs.
void sync_item_begin(sync_item *it);
void sync_item_end(sync_item *it);

// sync_item_write brings it to the disk, in another way where that failed before. Returns an errno,
// or 0.
int sync_item_write(const sync_item_places *to, sync_item *it);

// sync_item_let_go is for a journal that was removed: nothing is left to write, and what waited for
// it goes on.
void sync_item_let_go(sync_item *it);

// sync_item_report logs that the disk did not take it, or has taken it at last.
void sync_item_report(const sync_item *it);

void sync_item_fini(sync_item *it);

#endif // LP_COLLECTOR_SERVER_SYNC_ITEM_H
