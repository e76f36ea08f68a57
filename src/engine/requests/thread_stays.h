// SPDX-License-Identifier: Apache-2.0
// thread_stays: the part for which each thread works at any time, from the thread's parts alone.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "common/base/lp_map.h"
#include "engine/requests/request_types.h"
#include "engine/requests/root_times.h"

static const uint32_t COMPACT_PART_NONE = UINT32_MAX;

// What a thread does when a part begins.
typedef enum compact_part_role {
    COMPACT_PART_NOT_MET, // the part begins after the window, or outside its root's time
    COMPACT_PART_FIRST,   // the thread works for it, and worked for no part with a key
    COMPACT_PART_BEFORE,  // the thread works for it, and worked for another part with a key
    COMPACT_PART_WITHIN,  // the thread goes on to work for another part
    COMPACT_PART_SHELL,   // the part is keyless and no request, since parts with keys begin in it
} compact_part_role;

typedef struct compact_part_place {
    int64_t end; // ticks; of the part, or of its root's time
    compact_part_role role;
    uint32_t other; // BEFORE, WITHIN: the part for which the thread worked
} compact_part_place;

// A time in which a thread works for a part. The thread's next one may begin where it ends.
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
    LP_VEC(uint32_t) outermost;      // FIRST parts with a key, by thread, then begin
    LP_VEC(compact_part_shell) shells;
} compact_thread_stays;

// compact_thread_stays_key returns the key of the request that a keyless part may be.
uint64_t compact_thread_stays_key(const compact_request_part *part);

// compact_thread_stays_order compares indexes of parts, for qsort_r: by begin, then descending
// source, then descending end.
int compact_thread_stays_order(const void *a, const void *b, void *input);

// compact_thread_stays_find fills out, which is empty, in arena. ended has the keys of parts of
// earlier windows that belong to no request. Errors: as of arena
void compact_thread_stays_find(const compact_requests_input *input, const compact_root_times *roots,
    const lp_map *ended, lp_arena *arena, compact_thread_stays *out);
