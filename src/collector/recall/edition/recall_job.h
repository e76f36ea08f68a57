// SPDX-License-Identifier: Apache-2.0

// recall_job: makes a further edition of a chunk from its raw data: with all events, or with what
// all pins so far want (recall_wants.h).
//
// The edition must have all that is stored. Compacted as the first time, raw data then makes the
// same bytes: this is the proof. It is not needed if the chunk was compacted in the present run of
// the collector, with the same engine and policy, and if no journal is damaged since.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/server/test_server_raw.c, test_server_recall.c

#pragma once

#include "collector/chunks/chunk_task.h"
#include "collector/intake/policy_cache.h"
#include "collector/journal/data_dir.h"
#include "collector/recall/edition/recall_wants.h"
#include "collector/recall/pin/pins.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct recall_job {
    // What to do. Borrowed, apart from traces.
    const data_dir *dir;
    blobs *blobs;
    policy_cache *policies; // of this job alone meanwhile
    policy *rules;          // of chunks without a policy of their own; NULL: defaults
    uint64_t run;           // of the collector (recall.h)
    pin_work pinned;        // pin_id 0: of no pin, but of traces
    rollup_hashes traces;   // that are made whole; empty: a pin wants the chunk
    uint64_t before_edition;
    int large_fd;

    // The result.
    lp_err err;
    lp_problem problem;
    bool is_known;    // the stored edition was made for this, too
    bool is_left_out; // whole traces do not fit into a further edition
    bool is_without;  // the chunk has nothing of the trace, by its filter
    bool has_nothing; // the stored edition has all that is wanted
    recall_wants wants;
    uint64_t edition;            // that is made
    uint64_t before_hash;        // of the first one
    recall_counts before_counts; // of the stored one
    recall_counts counts;        // of the one that is made
    chunk_task_output made;
    blob_name stored; // the edition that is made
} recall_job;

// recall_job_run makes the edition and stores its file.
void recall_job_run(recall_job *job);

// Threads: the loop.
void recall_job_fini(recall_job *job);
