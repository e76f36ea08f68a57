// SPDX-License-Identifier: Apache-2.0

// snapshots: makes snapshots of sessions, on threads of its own.
//
// A snapshot compacts everything that waits. There is one for a session at a time, for all that ask
// while it is made and for kept_ms after that; once the session has ended, one that was
// made before is not passed on any more. When all that asked have left, it is given up: at once
// where it is made, else when its turn comes and nobody has asked again.
//
// Those of wide questions (SNAPSHOT_WIDE) have other threads than the others, of low priority, so
// that they hold up neither what JVMs send nor narrow questions. Who asks for few does not wait for
// one of them, but gets another one. Of either kind SNAPSHOTS_AT_ONCE are made at once, and no more
// than these ask for room in memory, where narrow ones come before compactions, and wide ones after
// them. While a narrow one is made, wide ones begin only up to SNAPSHOTS_WIDE_BESIDE.
//
// Of a session that another collector has, that one is asked, by threads of their own: two that ask
// each other do not wait for each other.
//
// Threads: the loop that owns it.

#ifndef LP_COLLECTOR_SERVER_SNAPSHOTS_H
#define LP_COLLECTOR_SERVER_SNAPSHOTS_H

#include "collector/base/memory_room.h"
#include "collector/base/snapshot.h"
#include "collector/chunks/remote_pending.h"
#include "collector/keep/retention.h"
#include "collector/session/sessions.h"
#include "policy/policy.h"

#include <stdatomic.h>
#include <uv.h>

enum {
    SNAPSHOTS_AT_ONCE = 4,
    SNAPSHOTS_WIDE_BESIDE = 1, // wide ones that are begun while a narrow one is made
    SNAPSHOTS_FETCHED_AT_ONCE = 8,
};

typedef struct side_work side_work;

// Snapshots of one kind.
typedef struct snapshots_lane {
    side_work *work; // of SNAPSHOTS_AT_ONCE threads
    size_t count;    // that are made
    struct session_making *first_waiting;
    struct session_making *last_waiting;
} snapshots_lane;

typedef struct snapshots {
    uv_loop_t *loop;
    snapshots_lane narrow;
    snapshots_lane wide;
    sessions *sessions;
    blobs *files;            // where their chunks are
    memory_room *memory;     // shared with the chunk queue
    snapshot_room room;      // of what narrow ones have made
    policy *policy;          // of chunks that have none of their own; NULL: defaults
    int64_t context_hold_ns; // see server_config
    retention *retention;
    side_work *fetches;                // of SNAPSHOTS_FETCHED_AT_ONCE threads
    size_t fetch_count;                // that are under way
    struct remote_making *first_fetch; // of those that wait, in their order
    remote_pending *remote; // asks the collectors that share the catalog; NULL: there are none
    uint64_t kept_ms;
    atomic_bool is_stopping; // as in chunk_queue
} snapshots;

// A request on its way to the loop, and until it is answered.
typedef struct snapshots_request {
    struct snapshots_request *next;
    char session_id[CATALOG_ID_CHARS + 1];
    uint64_t ticket;
    snapshot_kind kind;
    snapshot_receiver *on_snapshot; // NULL: takes back the request with this ticket
    void *arg;
} snapshots_request;

// snapshots_serve takes a request, which is on the heap, and answers it at once or later on the
// loop, exactly once.
void snapshots_serve(snapshots *snapshots, snapshots_request *request);

// snapshots_open starts the threads of a zeroed one, whose other members may be set after that.
// Either way snapshots_stop and snapshots_close end it. Errors: LP_ENOMEM, also for threads; LP_EIO
LP_MUST_USE lp_err snapshots_open(snapshots *snapshots, uv_loop_t *loop);

// snapshots_stop gives up what is made: it is answered soon, with LP_ECLOSED, as is what is asked
// for from now on.
void snapshots_stop(snapshots *snapshots);

// snapshots_close ends the threads, once the loop has nothing left to do after snapshots_stop.
void snapshots_close(snapshots *snapshots);

// snapshots_forget drops the session's last snapshot once it is too old to be passed on.
void snapshots_forget(const snapshots *snapshots, session *session);

#endif // LP_COLLECTOR_SERVER_SNAPSHOTS_H
