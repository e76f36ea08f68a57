// SPDX-License-Identifier: Apache-2.0
// root_times: the times of roots. A part whose key is rooted counts only if it begins in such a
// time.
//
// The time begins with the root, and lasts until linger_ticks after the root's end, or until the
// key begins again. Threads work for its parts no longer than that.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "engine/requests/request_types.h"

typedef struct compact_root_time {
    uint64_t key;
    int64_t begin; // ticks
    int64_t until; // the last tick; INT64_MAX: not known
} compact_root_time;

typedef struct compact_root_times {
    LP_VEC(compact_root_time) items; // by key, then begin
} compact_root_times;

// compact_root_times_find fills out, which is empty, with the times of the window's roots and of
// carried ones. out is in arena. Errors: as of arena
void compact_root_times_find(
    const compact_requests_input *input, lp_arena *arena, compact_root_times *out);

// compact_root_times_at returns a key's last time that begins up to ticks; NULL: none.
const compact_root_time *compact_root_times_at(
    const compact_root_times *times, uint64_t key, int64_t ticks);
