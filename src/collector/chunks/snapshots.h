// SPDX-License-Identifier: Apache-2.0

// snapshots: makes snapshots of sessions, on its own threads.
//
// A snapshot compacts all waiting chunks. A session has at most one narrow and one wide
// snapshot at a time. All requests share it while it is made and for kept_ms afterwards. Once the
// session has ended, snapshots from before its end are not reused. If all requests of a snapshot
// are cancelled, it stops before its next chunk; if it is still queued, it is dropped at its turn
// unless a new request arrived.
//
// Wide requests (SNAPSHOT_WIDE) have other threads than narrow ones, with low priority, so they
// delay neither the JVMs' batches nor narrow requests. A narrow request does not wait for a wide
// snapshot but starts its own. SNAPSHOTS_AT_ONCE of each kind are in work at a time, and only
// they ask for room in memory. Narrow snapshots get room before compactions do, wide ones after
// them. While a narrow snapshot runs, at most SNAPSHOTS_WIDE_BESIDE wide ones start.
//
// The snapshot of another collector's session is fetched from that collector, on other threads, so
// that two collectors that ask each other do not block.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/chunks/test_snapshots.c

#pragma once

#include "collector/base/memory_room.h"
#include "collector/base/snapshot.h"
#include "collector/chunks/remote_pending.h"
#include "collector/chunks/side_work.h"
#include "collector/keep/retention.h"
#include "collector/session/sessions.h"
#include "policy/policy.h"

#include <stdatomic.h>
#include <uv.h>

enum {
    SNAPSHOTS_AT_ONCE = 4,
    SNAPSHOTS_WIDE_BESIDE = 1, // wide ones that may start beside a narrow one
    SNAPSHOTS_FETCHED_AT_ONCE = 8,
};

// The queue of one kind of snapshots.
typedef struct snapshots_lane {
    side_work *work; // of SNAPSHOTS_AT_ONCE threads
    size_t count;    // snapshots in work
    struct session_making *first_waiting;
    struct session_making *last_waiting;
} snapshots_lane;

typedef struct snapshots {
    uv_loop_t *loop;
    snapshots_lane narrow;
    snapshots_lane wide;
    sessions *sessions;
    blobs *files;            // stores the snapshots' chunks
    memory_room *memory;     // shared with the chunk queue
    snapshot_room room;      // of narrow snapshots; wide ones are in files
    policy *policy;          // of chunks without their own; NULL: defaults
    int64_t context_hold_ns; // see server_config
    retention *retention;
    side_work *fetches;                // of SNAPSHOTS_FETCHED_AT_ONCE threads
    size_t fetch_count;                // running fetches
    struct remote_making *first_fetch; // the queue
    remote_pending *remote;            // NULL: no other collector shares the catalog
    uint64_t kept_ms;
    atomic_bool is_stopping; // as in chunk_queue
} snapshots;

// A request until its answer.
typedef struct snapshots_request {
    struct snapshots_request *next;
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t ticket;
    snapshot_kind kind;
    snapshot_receiver *on_snapshot; // NULL: cancels the request with this ticket
    void *arg;
} snapshots_request;

// snapshots_serve takes ownership of request, which is on the heap. It calls on_snapshot exactly
// once, now or later, on the loop.
void snapshots_serve(snapshots *snapshots, snapshots_request *request);

// snapshots_open starts the threads of a zeroed snapshots; set the other members afterwards. End it
// with snapshots_stop and snapshots_close, also after an error. Errors: LP_ENOMEM, also for
// threads; LP_EIO
LP_MUST_USE lp_err snapshots_open(snapshots *snapshots, uv_loop_t *loop);

// snapshots_stop answers running and later requests with LP_ECLOSED, soon.
void snapshots_stop(snapshots *snapshots);

// snapshots_close ends the threads. Between snapshots_stop and snapshots_close, run the loop until
// it is idle.
void snapshots_close(snapshots *snapshots);

// snapshots_forget drops the session's last snapshot if it is too old to be reused.
void snapshots_forget(const snapshots *snapshots, session *session);
