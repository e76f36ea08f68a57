// SPDX-License-Identifier: Apache-2.0
// ask_now: the statistics of what running JVMs have sent and is not compacted yet: the last minute.
// They come with snapshots (snapshot.h), which are made on demand, and shared with all other
// questions of a second.
//
// Threads: the worker that answers.
// Tests:   tests/e2e/ask_now.py
// Memory:  that of the statistics of one chunk, and of its snapshots

#ifndef LP_COLLECTOR_ASK_ASK_NOW_H
#define LP_COLLECTOR_ASK_ASK_NOW_H

#include "collector/ask/work/ask_pending.h"
#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog.h"
#include "common/rollup/rollup.h"

enum {
    // The newest running recordings that are asked; metric heatmap_recordings_left_out counts
    // others, and those without statistics.
    ASK_NOW_RECORDINGS_MAX = 128,
    // Ranges that end earlier have nothing of what is not compacted: a chunk waits for batches that
    // are late, or for a JVM that may come back.
    ASK_NOW_REACH_S = 900,
};

typedef struct ask_now {
    LP_VEC(ask_pending) items; // with their snapshots
    lp_arena arena;            // has their ids
    size_t left_out;           // recordings
} ask_now;

// ask_now_get gets the snapshots of the recordings that a query is about, and those that it may
// read. Either way ask_now_fini ends it. Errors: LP_ECLOSED cancelled; LP_ENOMEM; those of a
// catalog
LP_MUST_USE lp_err ask_now_get(ask_now *now, const ask_work *work, catalog *from);
void ask_now_fini(ask_now *now);

// ask_now_has returns whether a stored chunk is among them, as it was stored after they were made:
// by its recording and its middle. One whose statistics they lack is not.
bool ask_now_has(const ask_now *now, const char *session_id, int64_t middle_wall_ns);

// ask_now_each calls on_chunk for the statistics of each chunk, with its place. They are lent until
// it returns; LP_OK or the error that ends it. Errors: LP_ENOMEM; what on_chunk returns
LP_MUST_USE lp_err ask_now_each(const ask_now *now,
    lp_err (*on_chunk)(void *arg, int64_t middle_wall_ns, int64_t length_ns, const rollup *found),
    void *arg);

#endif // LP_COLLECTOR_ASK_ASK_NOW_H
