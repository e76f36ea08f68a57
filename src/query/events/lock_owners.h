// SPDX-License-Identifier: Apache-2.0
// lock_owners: the threads that held the monitors for which a context or a request waited
// (owners.h), from the chunks of its session.
//
//   [{"thread": "exec-9", "monitor": "shop.Inventory", "had": 150, "waits": 1, "start": 20,
//     "end": 170, "owners": [{"thread": "exec-3", "monitor": "shop.Stock", ..}]}, ..]
//
// The owner that held a monitor for longest comes first. had is that time in ns; start and end
// count from the begin of the context or request. owners are the threads for which this thread
// waited meanwhile.
//
// Only kept events are known. If a wait of another thread was dropped, the time up to the next kept
// wait counts for the owner that this kept wait names.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  that of owners.h; about twice that during query_lock_owners_read.

#pragma once

#include "query/chunk/owners.h"
#include "query/run/run.h"

#include <jansson.h>

// {0} is empty.
typedef struct query_lock_owners {
    query_owners owners;
    lp_map name_of; // the number of the name of a thread

    // Private: when which thread worked for the context or the request.
    LP_VEC(struct query_lock_window {
        uint64_t thread;
        int64_t begin; // ticks
        int64_t end;   // ticks
    })
    windows;
    bool has_waits; // for a monitor; else nothing is read
    jfr_clock clock;
    int64_t begin; // ticks: starts count from here
    uint32_t first_source;
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
} query_lock_owners;

void query_lock_owners_fini(query_lock_owners *self);

// query_lock_owners_note notes the context or the request of an answer, which has its rows.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_lock_owners_note(
    query_lock_owners *self, const query_answer *answer, const query_names *names);

// query_lock_owners_read reads the waits of all threads during the noted context or request. Chunks
// that cannot be read are skipped. Errors: LP_ENOMEM, LP_ECLOSED
LP_MUST_USE lp_err query_lock_owners_read(query_lock_owners *self, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled);

// query_lock_owners_next returns the index of the next owner below parent after index, or the first
// one if index is QUERY_NO_OWNER; QUERY_NO_OWNER at the end.
uint32_t query_lock_owners_next(const query_lock_owners *self, uint32_t parent, uint32_t index);

// query_lock_owners_name returns the name of an owner's thread; NULL if it has none.
const char *query_lock_owners_name(
    const query_lock_owners *self, uint32_t index, const query_names *names);

// query_lock_owners_held_ns returns how long an owner held monitors.
int64_t query_lock_owners_held_ns(const query_lock_owners *self, uint32_t index);

// query_lock_owners_json returns the array; NULL if out of memory. The caller owns it.
json_t *query_lock_owners_json(const query_lock_owners *self, const query_names *names);
