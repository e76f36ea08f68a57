// SPDX-License-Identifier: Apache-2.0
// owners: the threads that held the monitors for which a thread waited, and how long each held them
// during these waits. An owner may have waited for monitors itself meanwhile: their owners are
// below it.
//
//   exec-1 waits for A   ├───────────────────────────┤
//   exec-2 gets A            ┤ (exec-9 held it before)
//   exec-2 waits for B           ├──────────┤ (exec-3 held it before)
//
//   exec-1 ┬ exec-9, A   from the begin of the wait to when exec-2 got A
//          └ exec-2, A   from then to when exec-1 got A
//               └ exec-3, B   while exec-2 waited for B
//
// For each wait the JVM records its end and the previous owner of the monitor. So the time between
// the ends of two successive waits for a monitor belongs to the previous owner that the second wait
// names. Threads that held the monitor in between without waiting are unknown.
//
// If waits of a thread overlap, the one that began first counts. A chain of owners ends at a thread
// that is already in the chain, and at a thread that the JVM does not name.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_owners.c
// Memory:  64 bytes for each wait, at most QUERY_OWNER_WAITS_MAX of them.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_OWNER_WAITS_MAX = 1 << 20, // further waits are left out
    QUERY_OWNERS_MAX = 256,          // further owners are left out
    QUERY_OWNERS_DEPTH = 8,          // threads in a chain
    QUERY_NO_OWNER = UINT32_MAX,     // not an index
};

// A wait of a thread for a monitor. Threads are identities; 0: unknown.
typedef struct query_monitor_wait {
    int64_t begin; // ticks
    int64_t end;   // ticks: when it got the monitor
    uint64_t thread;
    uint64_t owner; // the previous owner
    uint64_t monitor;
    uint32_t class_name; // the number of the name of its class
} query_monitor_wait;

// A thread that held monitors of a class while another thread waited for them.
typedef struct query_owner {
    uint32_t parent; // index of the owner that waited; QUERY_NO_OWNER: the explained thread
    uint32_t class_name;
    uint64_t thread;
    uint64_t waits;     // in how many waits it held the monitor
    int64_t had;        // ticks: how long it held them
    int64_t begin;      // ticks: when it first held a monitor in such a wait
    int64_t end;        // ticks: when it last held a monitor
    uint32_t last_wait; // private
} query_owner;

// {0} has no waits.
typedef struct query_owners {
    LP_VEC(query_monitor_wait) waits;
    LP_VEC(query_owner) items; // parents first
    bool is_truncated;

    // Private, set by query_owners_finish.
    LP_VEC(struct query_owner_stretch {
        int64_t begin; // ticks: the wait counts from here on
        uint32_t wait;
    })
    by_thread;                       // by thread, then begin, without overlaps
    LP_VEC(uint32_t) by_monitor;     // waits by monitor, then end
    const atomic_bool *is_cancelled; // during query_owners_explain
    size_t pieces;                   // visited parts of waits
} query_owners;

void query_owners_fini(query_owners *owners);

LP_MUST_USE lp_err query_owners_add(query_owners *owners, const query_monitor_wait *wait);

// query_owners_finish sorts the waits once all are added. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_owners_finish(query_owners *owners);

// query_owners_explain adds to items the owners of monitors for which a thread waited in [begin,
// end). It checks is_cancelled now and then. Errors: LP_ENOMEM, LP_ECLOSED
LP_MUST_USE lp_err query_owners_explain(query_owners *owners, uint64_t thread, int64_t begin,
    int64_t end, const atomic_bool *is_cancelled);
