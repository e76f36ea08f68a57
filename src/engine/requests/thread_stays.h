// SPDX-License-Identifier: Apache-2.0
// thread_stays: for which part each thread works, and when, by the parts of the thread alone.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#ifndef LP_ENGINE_REQUESTS_THREAD_STAYS_H
#define LP_ENGINE_REQUESTS_THREAD_STAYS_H

#include "common/base/lp_map.h"
#include "engine/requests/request_types.h"
#include "engine/requests/root_times.h"

static const uint32_t COMPACT_PART_NONE = UINT32_MAX;

// What a thread does where a part begins.
typedef enum compact_part_role {
    COMPACT_PART_NOT_MET, // it begins behind the window, or not in the time of its root
    COMPACT_PART_FIRST,  // the thread works for it from then on, and has worked for none with a key
    COMPACT_PART_BEFORE, // so it does, and has worked for another one with a key
    COMPACT_PART_WITHIN, // it works for another one
    COMPACT_PART_SHELL,  // without a key, and no request, since parts with keys begin in it
} compact_part_role;

typedef struct compact_part_place {
    int64_t end; // ticks; of the part, or of the time of its root
    compact_part_role role;
    uint32_t other; // BEFORE, WITHIN: the part for which the thread has worked
} compact_part_place;

// A stretch in which a thread works for a part. It ends where the next of the thread may begin.
typedef struct compact_part_stay {
    uint64_t thread; // identity
    int64_t begin;   // ticks; may lie before the window
    int64_t end;     // up to the first tick behind the window
    uint32_t part;
} compact_part_stay;

// The parts with keys that begin in a part that is a shell: some of the outermost ones.
typedef struct compact_part_shell {
    uint32_t part;
    size_t inner_begin; // indexes outermost
    size_t inner_end;
} compact_part_shell;

typedef struct compact_thread_stays {
    LP_VEC(compact_part_stay) items; // by thread, then begin
    compact_part_place *places;      // parallel to the parts
    LP_VEC(uint32_t) outermost;      // parts that are FIRST and have a key, by thread, then begin
    LP_VEC(compact_part_shell) shells;
} compact_thread_stays;

// compact_thread_stays_key returns the key of the request that a part without a key may be.
uint64_t compact_thread_stays_key(const compact_request_part *part);

// compact_thread_stays_order compares indexes of parts, for qsort_r: by begin. Of those that begin
// at one time the one of the later source is first, then the longer one.
int compact_thread_stays_order(const void *a, const void *b, void *input);

// compact_thread_stays_find fills out, which is empty and is in arena. ended has the keys of those
// parts of earlier windows that are no request. Errors: as of arena
void compact_thread_stays_find(const compact_requests_input *input, const compact_root_times *roots,
    const lp_map *ended, lp_arena *arena, compact_thread_stays *out);

#endif // LP_ENGINE_REQUESTS_THREAD_STAYS_H
