// SPDX-License-Identifier: Apache-2.0

// remote_pending: fetches what is not stored yet of a session from the collector that has it, of
// those that share a catalog.
//
// Threads: remote_pending_fetch and remote_pending_interrupt any thread; the rest the one that
//          makes it.
// Tests:   tests/e2e/cluster.py

#ifndef LP_COLLECTOR_SERVER_REMOTE_PENDING_H
#define LP_COLLECTOR_SERVER_REMOTE_PENDING_H

#include "collector/base/snapshot.h"
#include "collector/store/catalog/catalog_owners.h"

#include <stdbool.h>

enum {
    REMOTE_PENDING_MS_MAX = 60 * 1000, // for an answer, all of it
    REMOTE_PENDING_QUIET_S_MAX = 20,   // of these without any: the other one compacts what it has
};

typedef struct remote_pending remote_pending;

// remote_pending_create borrows files, where what comes is put. NULL if memory ran out.
remote_pending *remote_pending_create(blobs *files);

// remote_pending_destroy is for when nobody fetches any more. NULL is fine.
void remote_pending_destroy(remote_pending *remote);

// remote_pending_interrupt has each fetch end at once. NULL is fine.
void remote_pending_interrupt(remote_pending *remote);

// remote_pending_fetch asks the owner of a session, and waits. Returns a snapshot in any case but
// without memory, which has LP_EAGAIN where the owner could not be asked: that is logged, and
// counted.
snapshot *remote_pending_fetch(
    remote_pending *remote, const catalog_owner *owner, const char *session_id, bool is_wide);

#endif // LP_COLLECTOR_SERVER_REMOTE_PENDING_H
