// SPDX-License-Identifier: Apache-2.0
// request_walk: finds the requests, and their begins and ends, by meeting the roots and parts of
// all threads in the order of time.
//
// A key means one request at a time: the last one that it began, or the one to which that was
// joined, as long as parts may belong to it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "common/base/lp_map.h"
#include "engine/requests/request_types.h"
#include "engine/requests/thread_stays.h"

typedef struct compact_request_walk {
    const compact_requests_input *input;
    lp_arena *arena;
    // Requests: carried ones first, then in the order in which they were met. One that was joined
    // to another, or turned out to be none, stays here.
    LP_VEC(compact_request) items;
    LP_VEC(int64_t) last_ends;  // parallel: end of the last part, up to the end of the window
    LP_VEC(uint32_t) joined_to; // parallel: itself, the request it was joined to, or none
    size_t carried_count;
    lp_map by_key;                // key to request
    LP_VEC(uint64_t) joined_keys; // keys that came to mean another request; may repeat
    lp_map further;               // keys that mean a request as further keys
    lp_map ended;                 // keys of parts of earlier windows that belong to no request
    uint32_t *request_of;         // parallel to parts: the request of a part when it was met
    bool *was_open;               // parallel to parts: that request was open before the window
    compact_request_losses losses;
} compact_request_walk;

// compact_request_walk_begin begins a walk with the requests that the previous window carried. All
// but the maps is in arena. Errors: as of arena, here and below
void compact_request_walk_begin(
    compact_request_walk *walk, const compact_requests_input *input, lp_arena *arena);

// compact_request_walk_run finds all requests, and the request of each part.
void compact_request_walk_run(compact_request_walk *walk, const compact_thread_stays *stays);

// compact_request_walk_final returns the request that one was joined to at last, or itself;
// COMPACT_REQUEST_NONE: none.
uint32_t compact_request_walk_final(compact_request_walk *walk, uint32_t request);

// compact_request_walk_meant returns the request that a key meant last; COMPACT_REQUEST_NONE: none.
uint32_t compact_request_walk_meant(compact_request_walk *walk, uint64_t key);

void compact_request_walk_fini(compact_request_walk *walk);

// compact_request_is_late returns whether a part that begins at ticks is too late for a request
// that has ended, or has no open part.
bool compact_request_is_late(
    const compact_requests_input *input, const compact_request *request, int64_t ticks);
