// SPDX-License-Identifier: Apache-2.0

// ask_pending: waits for the snapshots of running sessions (snapshot.h), for a question that may be
// cancelled meanwhile. Those of a question of many sessions are made after all others.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c, tests/e2e/ask_collector.py

#ifndef LP_COLLECTOR_ASK_ASK_PENDING_H
#define LP_COLLECTOR_ASK_ASK_PENDING_H

#include "collector/ask/work/ask_cancel.h"
#include "collector/base/snapshot.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ASK_PENDING_LOOK_MS = 100, // how often it looks whether the question is cancelled
    // Snapshots that a question waits for at once; one that wants more is wide.
    ASK_PENDING_AT_ONCE = 4,
};

// What is asked for.
typedef struct ask_pending {
    const char *session_id;
    snapshot *snapshot; // the answer
} ask_pending;

// ask_pending_get gets snapshots with their chunks, of which the caller ends its share with
// snapshot_unref. Errors: LP_ECLOSED cancelled, LP_ENOMEM: there is none then
LP_MUST_USE lp_err ask_pending_get(
    snapshot_source from, ask_pending *items, size_t count, ask_cancel *cancel);

// ask_pending_has returns whether a context of a snapshot may have the id, before anything that is
// stored is read for it: also where a chunk of it cannot be read, which who reads it says.
bool ask_pending_has(const snapshot *pending, const char *id);

#endif // LP_COLLECTOR_ASK_ASK_PENDING_H
