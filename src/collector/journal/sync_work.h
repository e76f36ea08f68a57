// SPDX-License-Identifier: Apache-2.0

// sync_work: what a round has to do (sync_rounds.h): items, found by their kind and session, and
// which sessions have some that failed.
//
// Threads: the loop that owns the round, but for what its struct says.
// Tests:   tests/unit/collector/journal/test_sync_rounds.c

#ifndef LP_COLLECTOR_SERVER_SYNC_WORK_H
#define LP_COLLECTOR_SERVER_SYNC_WORK_H

#include "collector/journal/sync_item.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a round has to do. It belongs to the threads while the round runs, an item to one of them.
typedef struct sync_work {
    LP_VEC(sync_item) items;
    lp_map others; // the items that are no journals, by kind and session; of the coming round alone
    lp_map failed; // likewise, what of a session has an error: SYNC_ITEM_NAMES, or
                   // SYNC_ITEM_JOURNAL for all else
    size_t retried_count; // of a running round, items that had an error
    uint64_t number;
    uint64_t first_ms; // loop time of the first note; UINT64_MAX: none
    uint64_t begin_ms;
    bool has_catalog; // the log has commits that no round before brought to the disk
    int catalog_error;
    bool has_new;          // journals whose names are to come to the disk
    int names_error;       // of the directory of those names
    atomic_size_t next;    // item that no thread has yet; past the last one: what they share
    atomic_size_t helpers; // threads that work on it
} sync_work;

// sync_work_make_room returns whether count more items have room.
bool sync_work_make_room(sync_work *work, size_t count);

// sync_work_add adds an item; there is room for it.
sync_item *sync_work_add(sync_work *work, sync_item_kind kind, const char *session_id);

// sync_work_put_back adds an item that failed, for which there is room: it moves.
void sync_work_put_back(sync_work *work, const sync_item *it);

// sync_work_note_failed notes that an item of the work has an error.
void sync_work_note_failed(sync_work *work, const sync_item *it);

// sync_work_find_failed finds a journal or Hello of the session that failed; NULL: there is none.
// sync_work_has_names_failed returns whether its names did.
sync_item *sync_work_find_failed(const sync_work *work, const char *session_id);
bool sync_work_has_names_failed(const sync_work *work, const char *session_id);

// sync_work_find finds what is no journal: there is one of a session at most. NULL: there is none.
sync_item *sync_work_find(const sync_work *work, sync_item_kind kind, const char *session_id);

void sync_work_fini(sync_work *work);

#endif // LP_COLLECTOR_SERVER_SYNC_WORK_H
