// SPDX-License-Identifier: Apache-2.0
// lock_owners: the threads that had the monitors for which a context or a request waited
// (owners.h), out of the chunks of its session.
//
//   [{"thread": "exec-9", "monitor": "shop.Inventory", "had": 150, "waits": 1, "start": 20,
//     "end": 170, "owners": [{"thread": "exec-3", "monitor": "shop.Stock", ..}]}, ..]
//
// The one that had a monitor for longest comes first. had is in ns; start and end count from the
// begin of the context or request. owners: for whom that one waited meanwhile.
//
// Only kept events are known: where a wait of another thread was dropped, the time up to the next
// one belongs to the owner that this names.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  that of owners.h, and as much again while they are read.

#ifndef LP_QUERY_LOCK_OWNERS_H
#define LP_QUERY_LOCK_OWNERS_H

#include "query/chunk/owners.h"
#include "query/run/run.h"

#include <jansson.h>

// {0} has none.
typedef struct query_lock_owners {
    query_owners owners;
    lp_map name_of; // by thread: the number of its name

    // The rest is lock_owners' own: when which thread of the context or the request worked.
    LP_VEC(struct query_lock_window {
        uint64_t thread;
        int64_t begin; // ticks
        int64_t end;   // ticks
    })
    windows;
    bool has_waits; // it waited for a monitor: else nothing is read
    jfr_clock clock;
    int64_t begin; // ticks: what times count from
    uint32_t first_source;
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
} query_lock_owners;

void query_lock_owners_fini(query_lock_owners *self);

// query_lock_owners_note notes the context or the request whose monitors are asked for: one answer,
// with its rows. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_lock_owners_note(
    query_lock_owners *self, const query_answer *answer, const query_names *names);

// query_lock_owners_read reads the waits of all threads meanwhile; of a chunk that cannot be read
// none. Errors: LP_ENOMEM, LP_ECLOSED
LP_MUST_USE lp_err query_lock_owners_read(query_lock_owners *self, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled);

// query_lock_owners_next returns the owner below parent that comes behind the one at an index, or
// the first one where that is QUERY_NO_OWNER; QUERY_NO_OWNER behind the last.
uint32_t query_lock_owners_next(const query_lock_owners *self, uint32_t parent, uint32_t index);

// query_lock_owners_name returns the name of an owner's thread; NULL if it has none.
const char *query_lock_owners_name(
    const query_lock_owners *self, uint32_t index, const query_names *names);

// query_lock_owners_had_ns returns for how long an owner had monitors.
int64_t query_lock_owners_had_ns(const query_lock_owners *self, uint32_t index);

// query_lock_owners_json returns the array, which the caller owns; NULL where memory ran out.
json_t *query_lock_owners_json(const query_lock_owners *self, const query_names *names);

#endif // LP_QUERY_LOCK_OWNERS_H
