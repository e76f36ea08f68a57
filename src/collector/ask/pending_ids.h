// SPDX-License-Identifier: Apache-2.0

// pending_ids: whether what a running session has not stored yet has contexts with an id, before
// anything that is stored is read for it.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask.c, tests/e2e/ask_collector.py
// Memory:  that of a chunk of the snapshot

#ifndef LP_COLLECTOR_ASK_PENDING_IDS_H
#define LP_COLLECTOR_ASK_PENDING_IDS_H

#include "collector/base/snapshot.h"
#include "common/base/lp_err.h"

#include <stdbool.h>

// pending_ids_has returns whether a context of a snapshot may have the id: also where a chunk of it
// cannot be read, which who reads it says.
bool pending_ids_has(const snapshot *pending, const char *id);

#endif // LP_COLLECTOR_ASK_PENDING_IDS_H
