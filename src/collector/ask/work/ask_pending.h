// SPDX-License-Identifier: Apache-2.0

// ask_pending: waits for the snapshots of running sessions (snapshot.h), unless the question is
// cancelled.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c, tests/e2e/ask_collector.py

#pragma once

#include "collector/ask/work/ask_cancel.h"
#include "collector/base/snapshot.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ASK_PENDING_LOOK_MS = 100, // between two checks whether the question is cancelled
    ASK_PENDING_AT_ONCE = 4,   // snapshots; if a question needs more, all its snapshots are wide
};

typedef struct ask_pending {
    const char *session_id;
    snapshot *snapshot; // set by ask_pending_get
} ask_pending;

// ask_pending_get gets the snapshot of each item. The caller releases them with snapshot_unref.
// Errors: LP_ECLOSED if cancelled, LP_ENOMEM; after an error no item has a snapshot
LP_MUST_USE lp_err ask_pending_get(
    snapshot_source from, ask_pending *items, size_t count, ask_cancel *cancel);

// ask_pending_has returns whether a context of a snapshot may have the id. If a chunk cannot be
// read, it returns true.
bool ask_pending_has(const snapshot *pending, const char *id);
