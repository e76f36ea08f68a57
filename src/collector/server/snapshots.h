// SPDX-License-Identifier: Apache-2.0

// snapshots: makes snapshots of sessions, on libuv's workers.
//
// The counts of a chunk are known only once all of it is compacted, so a snapshot compacts
// everything that waits. Its counts are kept with the session: a reader that polls them costs one
// compaction for each batch that came in between, at most.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_SNAPSHOTS_H
#define LP_COLLECTOR_SERVER_SNAPSHOTS_H

#include "collector/base/snapshot.h"
#include "collector/server/sessions.h"

#include <stdatomic.h>
#include <uv.h>

typedef struct snapshots {
    uv_loop_t *loop;
    sessions *sessions;
    policy *policy;          // of chunks that have none of their own; NULL: defaults
    int64_t context_hold_ns; // see server_config
    atomic_bool is_stopping; // as in chunk_queue
} snapshots;

// snapshots_make calls on_snapshot exactly once, at once or later on the loop. The receiver owns
// the snapshot; NULL if memory ran out.
void snapshots_make(snapshots *snapshots, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg);

#endif // LP_COLLECTOR_SERVER_SNAPSHOTS_H
