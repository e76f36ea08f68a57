// SPDX-License-Identifier: Apache-2.0

// remote_pending: fetches the unstored part of a session from the collector that owns it, if
// several collectors share a catalog.
//
// Threads: remote_pending_fetch and remote_pending_interrupt: any; the rest: the creating thread.
// Tests:   tests/e2e/cluster.py

#pragma once

#include "collector/base/snapshot.h"
#include "collector/store/catalog/catalog_owners.h"

#include <stdbool.h>

enum {
    REMOTE_PENDING_MS_MAX = 60 * 1000, // for a whole answer
    REMOTE_PENDING_QUIET_S_MAX = 20,   // without a byte: the owner compacts first
};

typedef struct remote_pending remote_pending;

// remote_pending_create borrows files, which stores the answers. NULL if memory ran out.
remote_pending *remote_pending_create(blobs *files);

// Call remote_pending_destroy after the last fetch. NULL is fine.
void remote_pending_destroy(remote_pending *remote);

// remote_pending_interrupt ends each fetch at once. NULL is fine.
void remote_pending_interrupt(remote_pending *remote);

// remote_pending_fetch asks the owner of a session, and waits. Returns a snapshot, with LP_EAGAIN
// if the owner did not answer, which is logged and counted; NULL if memory ran out.
snapshot *remote_pending_fetch(
    remote_pending *remote, const catalog_owner *owner, const char *session_id, bool is_wide);
