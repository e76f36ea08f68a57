// SPDX-License-Identifier: Apache-2.0
// request_walk: which requests there are, and what begins and ends them: roots and parts, met in
// the order of time over all threads.
//
// A key means one request at a time: the one that it began last, or the one that its request was
// joined to, as long as parts may belong to that.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_WALK_H
#define LP_ENGINE_REQUESTS_REQUEST_WALK_H

#include "common/base/lp_map.h"
#include "engine/requests/request_types.h"
#include "engine/requests/thread_stays.h"

typedef struct compact_request_walk {
    const compact_requests_input *input;
    lp_arena *arena;
    // Requests, in the order in which they are met: those that were carried first. One that was
    // joined to another, or turned out to be none, stays here.
    LP_VEC(compact_request) items;
    LP_VEC(int64_t) last_ends;  // parallel: of the parts with keys, up to the end of the window
    LP_VEC(uint32_t) joined_to; // parallel: itself, the request that it was joined to, or none
    size_t carried_count;
    lp_map by_key;                // the request that a key means
    LP_VEC(uint64_t) joined_keys; // that came to mean another request, any number of times
    lp_map further;               // keys that came to mean another request as further ones
    lp_map ended;                 // keys of parts of earlier windows that belong to no request
    uint32_t *request_of;         // parallel to the parts: the request that a part was met in
    bool *was_open;               // parallel: that one was open before the window
    compact_request_losses losses;
} compact_request_walk;

// compact_request_walk_begin begins a walk with the requests that the window before has left. All
// of it but the maps is in arena. Errors: as of arena, here and below
void compact_request_walk_begin(
    compact_request_walk *walk, const compact_requests_input *input, lp_arena *arena);

// compact_request_walk_run finds all requests, and those of the parts.
void compact_request_walk_run(compact_request_walk *walk, const compact_thread_stays *stays);

// compact_request_walk_final returns the request that one was joined to, or itself;
// COMPACT_REQUEST_NONE: none.
uint32_t compact_request_walk_final(compact_request_walk *walk, uint32_t request);

// compact_request_walk_meant returns the request that a key has meant last; COMPACT_REQUEST_NONE:
// none.
uint32_t compact_request_walk_meant(compact_request_walk *walk, uint64_t key);

void compact_request_walk_fini(compact_request_walk *walk);

// compact_request_is_late returns whether a part that begins at a time is too late for a request
// that ended, or whose last part did.
bool compact_request_is_late(
    const compact_requests_input *input, const compact_request *request, int64_t ticks);

#endif // LP_ENGINE_REQUESTS_REQUEST_WALK_H
