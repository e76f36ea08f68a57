// SPDX-License-Identifier: Apache-2.0

// ask_pending: waits for the snapshot of a running session (snapshot.h), for a question that may be
// cancelled meanwhile.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_ASK_PENDING_H
#define LP_COLLECTOR_ASK_ASK_PENDING_H

#include "collector/ask/ask_cancel.h"
#include "collector/base/snapshot.h"
#include "common/base/lp_err.h"

enum { ASK_PENDING_LOOK_MS = 100 }; // how often it looks whether the question is cancelled

// ask_pending_get returns a snapshot with its chunks, of which the caller ends its share with
// snapshot_unref. Errors: LP_ECLOSED cancelled; LP_ENOMEM
LP_MUST_USE lp_err ask_pending_get(
    snapshot_source from, const char *session_id, ask_cancel *cancel, snapshot **out_snapshot);

#endif // LP_COLLECTOR_ASK_ASK_PENDING_H
