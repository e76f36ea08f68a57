// SPDX-License-Identifier: Apache-2.0
// request_steps: the steps of compact_requests_make, in their order.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "common/base/lp_map.h"
#include "engine/requests/requests.h"

// --- The times of roots (root_times.c)
//
// The time of a root begins with the root. It lasts until linger_ticks after the root's end, or
// until the key begins again. A part whose key is rooted counts only if it begins in the time of a
// root with its key. After that time no thread works for the part.

typedef struct compact_root_time {
    uint64_t key;
    int64_t begin; // ticks
    int64_t until; // the last tick; INT64_MAX: not known
} compact_root_time;

typedef struct compact_root_times {
    LP_VEC(compact_root_time) items; // by key, then begin
} compact_root_times;

// compact_root_times_find fills out, which must be empty, with the times of the window's roots and
// of carried roots. out is in arena. Errors: in arena
void compact_root_times_find(
    const compact_requests_input *input, lp_arena *arena, compact_root_times *out);

// compact_root_times_at returns a key's last time that begins up to ticks; NULL if there is none.
const compact_root_time *compact_root_times_at(
    const compact_root_times *times, uint64_t key, int64_t ticks);

// --- The part for which each thread works at any time, from the thread's parts alone
// (thread_stays.c)

static const uint32_t COMPACT_PART_NONE = UINT32_MAX;

// What a thread does when a part begins.
typedef enum compact_part_role {
    COMPACT_PART_NOT_MET, // the part begins after the window, or outside its root's time
    COMPACT_PART_FIRST,   // the thread now works for the part, before for no part with a key
    COMPACT_PART_BEFORE,  // the thread now works for the part, before for another part with a key
    COMPACT_PART_WITHIN,  // the thread keeps working for another part
    COMPACT_PART_SHELL,   // the part is keyless and no request, since parts with keys begin in it
} compact_part_role;

typedef struct compact_part_place {
    int64_t end; // ticks; of the part, or of its root's time
    compact_part_role role : 3;
    uint32_t other : 29; // BEFORE, WITHIN: the part for which the thread worked
} compact_part_place;

enum { COMPACT_PARTS_MAX = 1 << 29 }; // in a window; other has their indexes

// A time in which a thread works for a part. The thread's next stay may begin where this one ends.
typedef struct compact_part_stay {
    uint64_t thread; // identity
    int64_t begin;   // ticks; may lie before the window
    int64_t end;     // up to the window's hi
    uint32_t part;
} compact_part_stay;

// A shell, and the parts with keys that begin in it: a range of outermost.
typedef struct compact_part_shell {
    uint32_t part;
    size_t inner_begin; // indexes outermost
    size_t inner_end;
} compact_part_shell;

typedef struct compact_thread_stays {
    LP_VEC(compact_part_stay) items; // by thread, then begin
    compact_part_place *places;      // parallel to the parts
    // The parts that are met, by thread, then by begin, descending source and descending end.
    uint32_t *order;
    size_t order_count;
    LP_VEC(uint32_t) outermost; // FIRST parts with a key, by thread, then begin
    LP_VEC(compact_part_shell) shells;
    // Parts in their own order:
    LP_VEC(uint32_t) outside; // that begin outside their root's time
    LP_VEC(uint32_t) later;   // with keys, that begin after the window
    LP_VEC(uint32_t) open;    // that are open at the end of the window, but without rooted ones
    // The parts of order that are in no request of a part without a key, in that order
    // (nested_requests.c).
    LP_VEC(uint32_t) rest;
} compact_thread_stays;

// compact_thread_stays_find fills out, which is empty, in arena. ended has the keys of parts of
// earlier windows that belong to no request. Errors: as of arena
void compact_thread_stays_find(const compact_requests_input *input, const compact_root_times *roots,
    const lp_map *ended, lp_arena *arena, compact_thread_stays *out);

// --- The requests, and their begins and ends: visits the roots, the parts with keys and the parts
// in them, of all threads, in the order of time (request_walk.c)
//
// A key means one request at a time: the last request that the key began, or the request to which
// that request was joined. The key means this request as long as parts may belong to the request.

typedef struct compact_request_walk {
    const compact_requests_input *input;
    lp_arena *arena;
    // Requests: carried ones first, then those without keys, then the others in the order in which
    // the walk met them. A request that was joined to another one, or turned out to be none, stays
    // here.
    LP_VEC(compact_request) items;
    LP_VEC(int64_t) last_ends;  // parallel: end of the last part, up to the end of the window
    LP_VEC(uint32_t) joined_to; // parallel: itself, the request it was joined to, or none
    size_t carried_count;
    lp_map by_key;                // key to request; without keyless ones of this window
    LP_VEC(uint64_t) joined_keys; // keys that came to mean another request; may repeat
    lp_map further;               // keys that mean a request as further keys (requests.h)
    lp_map ended;                 // keys of parts of earlier windows that belong to no request
    uint32_t *request_of;         // parallel to parts: the request of a part when it was met
    bool *was_open;               // parallel to parts: request_of was open before the window
    uint64_t omitted;             // as in compact_requests
    compact_request_losses losses;
} compact_request_walk;

// compact_request_walk_begin begins a walk with the requests that the previous window carried. All
// memory but the maps is in arena. Errors: in arena, here and below
void compact_request_walk_begin(
    compact_request_walk *walk, const compact_requests_input *input, lp_arena *arena);

// compact_request_walk_reserve makes room for more requests.
void compact_request_walk_reserve(compact_request_walk *walk, size_t more);

// compact_request_walk_add adds a request that its key does not mean. Returns its index;
// COMPACT_REQUEST_NONE if memory ran out.
uint32_t compact_request_walk_add(compact_request_walk *walk, const compact_request *request);

// compact_request_walk_extend extends a request by a part, which ends at end.
void compact_request_walk_extend(
    compact_request_walk *walk, uint32_t request, const compact_request_part *part, int64_t end);

// compact_request_walk_run finds all other requests, and the request to which each part of
// stays->rest belongs.
void compact_request_walk_run(compact_request_walk *walk, const compact_thread_stays *stays);

// compact_request_walk_final returns the request to which a request was joined in the end, or the
// request itself; COMPACT_REQUEST_NONE: none.
uint32_t compact_request_walk_final(compact_request_walk *walk, uint32_t request);

// compact_request_walk_meant returns the request that a key meant last; COMPACT_REQUEST_NONE: none.
uint32_t compact_request_walk_meant(compact_request_walk *walk, uint64_t key);

void compact_request_walk_fini(compact_request_walk *walk);

// --- The requests of parts without keys (nested_requests.c)

// compact_nested_requests_find adds the requests that are parts without keys, with all that is to
// be known of their parts, to walk, which has begun. The parts of the thread suffice, so later
// steps visit only stays->rest, which it fills in arena. Errors: in arena and the arena of walk
void compact_nested_requests_find(
    compact_thread_stays *stays, lp_arena *arena, compact_request_walk *walk);

// compact_request_keep notes that a part of a request is kept.
static inline void
compact_request_keep(compact_request *request)
{
    request->is_kept = true;
    request->has_event = true;
    if (request->kept_by == COMPACT_REQUEST_KEPT_NO) {
        request->kept_by = COMPACT_REQUEST_KEPT_PARTS;
    }
}

// compact_request_is_late returns whether a part that begins at ticks is too late to belong to a
// request that has ended or has no open part.
bool compact_request_is_late(
    const compact_requests_input *input, const compact_request *request, int64_t ticks);

// --- How long threads worked for requests, and how long tasks of requests waited (request_times.c)

// compact_request_times_wait finds the request of each hand-over. It is the request for which the
// taking thread works when it takes the task. If the thread works for none, it is the next request
// for which the thread works before it takes another task. Errors: in arena, here and below
void compact_request_times_wait(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests);

// compact_request_times_add adds to each request its times in the window, clipped to the request's
// begin and end. A wait that began before the window counts from the request's worked_until.
void compact_request_times_add(
    const compact_requests_input *input, lp_arena *arena, compact_requests *requests);
