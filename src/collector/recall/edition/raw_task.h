// SPDX-License-Identifier: Apache-2.0

// raw_task: compacts a chunk again from raw data (raw_tail.h), by the record in its journal
// (recall_get_seal). The result has the same bytes as the chunk that is stored: nothing that the
// first compaction knew is missing. Where it has not, another version of Loupe or another --policy
// made the stored chunk, or raw data is damaged.
//
// Threads: one thread at a time for a task. The loop may move or delete the files meanwhile: a task
//          has them open, with a descriptor for each journal that it reads.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/chunks/chunk_task.h"
#include "collector/intake/policy_cache.h"
#include "collector/journal/data_dir.h"
#include "collector/recall/edition/recall_wants.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct raw_task {
    chunk_task task;
    uint64_t content_hash;      // of the first edition (blobs_hash)
    uint64_t run;               // of the collector that made it (recall.h); 0: unknown, or
                                // other journals are there by now
    recall_counts first_counts; // of it, if the run is known
    lp_buf ids;                 // a filter of its ids (raw_ids.h); empty: unknown
    recall_wants wants;         // of all pins so far
    recall_counts counts;       // of the edition that raw_task_from names; {0}: it has no record
    bool is_in_vain;            // wants are of an edition that the catalog never named
} raw_task;

// Where raw tasks come from. Borrowed until raw_task_close.
typedef struct raw_task_from {
    const data_dir *dir;
    policy_cache *policies; // of the policies in journals
    policy *rules;          // of chunks without a policy of their own; NULL: defaults
    uint64_t edition;       // that is stored
} raw_task_from;

// raw_task_open reads the record of a chunk, and finds the journals that its compaction read: in
// raw data, or among those that still wait. Owns:   on LP_OK the caller ends *out_task with
// raw_task_close. Errors: LP_ENOENT the chunk, or a later one that it needs, has no raw data (any
// more);
//         LP_ECORRUPT the record is damaged, LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err raw_task_open(
    const raw_task_from *from, const char *session_id, uint32_t ordinal, raw_task *out_task);
void raw_task_close(raw_task *task);

// raw_task_find_ids appends the filter of a chunk's ids (raw_ids.h) to out_ids; none if its record
// has none. Errors: as raw_task_open; LP_ENOENT its journal has no record
LP_MUST_USE lp_err raw_task_find_ids(
    const raw_task_from *from, const char *session_id, uint32_t ordinal, lp_buf *out_ids);

// raw_task_note appends the record of an edition (recall_wants.h) to the chunk's journal. Threads:
// the loop, which moves and deletes journals. Errors: LP_ENOENT the journal is gone; LP_EIO with
// errno; LP_ENOMEM
LP_MUST_USE lp_err raw_task_note(const data_dir *dir, const pin_chunk *chunk,
    const recall_wants *wants, uint64_t edition, const recall_counts *counts);
