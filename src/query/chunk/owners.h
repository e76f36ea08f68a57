// SPDX-License-Identifier: Apache-2.0
// owners: which threads had the monitors that a thread waited for, for how long each of them within
// these waits, and for whom they waited themselves meanwhile.
//
//   exec-1 waits for A   ├───────────────────────────┤
//   exec-2 gets A            ┤ (exec-9 had it before)
//   exec-2 waits for B           ├──────────┤ (exec-3 had it before)
//
//   exec-1 ┬ exec-9, A   from the begin of the wait to when exec-2 got A
//          └ exec-2, A   from then to when exec-1 got A
//               └ exec-3, B   while exec-2 waited for B
//
// The JVM says of a wait when it ended, and which thread had the monitor last. So the time between
// two waits for a monitor that ended one after the other belongs to the thread that had it last
// before the second; others that had it before that one, without a wait, are not known.
//
// Of several waits of a thread that go on at once the one that began first counts. A thread that
// is already one of those that wait, and one that the JVM does not name, end a chain.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_owners.c
// Memory:  64 bytes for each wait, of which QUERY_OWNER_WAITS_MAX are remembered.

#ifndef LP_QUERY_OWNERS_H
#define LP_QUERY_OWNERS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_OWNER_WAITS_MAX = 1 << 20, // further ones are left out
    QUERY_OWNERS_MAX = 256,          // the same
    QUERY_OWNERS_DEPTH = 8,          // of a chain; it ends there
    QUERY_NO_OWNER = UINT32_MAX,     // not an index
};

// A wait of a thread for a monitor. Threads are identities; 0: it is not known.
typedef struct query_monitor_wait {
    int64_t begin; // ticks
    int64_t end;   // ticks: then it got the monitor
    uint64_t thread;
    uint64_t owner;      // the thread that had the monitor last before
    uint64_t monitor;    // which one
    uint32_t class_name; // the number of the name of its class
} query_monitor_wait;

// A thread that had monitors of a class while another one waited for them.
typedef struct query_owner {
    uint32_t parent; // the owner that waited, an index; QUERY_NO_OWNER: who was asked for
    uint32_t class_name;
    uint64_t thread;
    uint64_t waits;     // in which it had one
    int64_t had;        // ticks
    int64_t begin;      // ticks: when it had one first in such a wait
    int64_t end;        // ticks: and last
    uint32_t last_wait; // owners' own
} query_owner;

// {0} has no waits.
typedef struct query_owners {
    LP_VEC(query_monitor_wait) waits;
    LP_VEC(query_owner) items; // parents first
    bool is_truncated;

    // The rest is owners' own, once they are finished.
    LP_VEC(struct query_owner_stretch {
        int64_t begin; // ticks, in which the wait counts
        uint32_t wait;
    })
    by_thread;                       // by thread, then begin; no two of a thread meet
    LP_VEC(uint32_t) by_monitor;     // waits by monitor, then end
    const atomic_bool *is_cancelled; // while they are explained
    size_t pieces;                   // of waits, that were looked at
} query_owners;

void query_owners_fini(query_owners *owners);

// query_owners_add adds a wait. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_owners_add(query_owners *owners, const query_monitor_wait *wait);

// query_owners_finish puts waits in order once all were added. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_owners_finish(query_owners *owners);

// query_owners_explain adds to items who had the monitors for which a thread waited in [begin,
// end). is_cancelled: as of a question, looked at now and then. Errors: LP_ENOMEM, LP_ECLOSED
LP_MUST_USE lp_err query_owners_explain(query_owners *owners, uint64_t thread, int64_t begin,
    int64_t end, const atomic_bool *is_cancelled);

#endif // LP_QUERY_OWNERS_H
