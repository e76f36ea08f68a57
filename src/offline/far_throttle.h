// SPDX-License-Identifier: Apache-2.0
// far_throttle: chooses beforehand among the contexts of a session for context-throttle, as the
// engine does when the turn of their chunks comes: the same seconds, of the same contexts, in the
// same order. So chunks know of a context that goes on for long behind them whether it matters.
//
//   add 0   add 1   add 2   ...    all contexts of types with the setting, chunk by chunk
//           turn 0  turn 1  ...    each as soon as all is there that the chunk may look at
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_far_contexts.c
// Memory:  40 bytes for each such context of the chunks whose turns have not come, and 24 for each
//          chunk; over the whole session 32 for each context that is open where the knowledge of
//          some chunk ends, and 4 for each that was found and not chosen.

#ifndef LP_OFFLINE_FAR_THROTTLE_H
#define LP_OFFLINE_FAR_THROTTLE_H

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/clock.h"
#include "engine/sample/throttles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_view compact_view;

// A context that is not decided.
typedef struct far_offer {
    int64_t begin; // ticks
    int64_t commit;
    size_t chunk;      // from the session's first
    uint32_t found;    // the caller's index, or FAR_NOT_FOUND
    uint32_t offset;   // in the chunk
    uint32_t quota;    // indexes quotas
    bool is_looked_up; // a chunk has to know how it is decided
} far_offer;

#define FAR_NOT_FOUND UINT32_MAX

typedef struct far_chunk {
    int64_t start_ticks;
    int64_t start_wall_ns;
    int64_t ticks_per_s; // 0: it cannot be read
} far_chunk;

// {0} is one of a session of which nothing was added.
typedef struct far_throttle {
    compact_throttles quotas; // with the decisions that chunks look up
    LP_VEC(far_chunk) chunks;
    LP_VEC(far_offer) offers; // in the order of chunks
    size_t turn;              // of this chunk, from the session's first
    bool has_clock;           // a chunk that can be read has had its turn
    compact_clock clock;
    int64_t judged_end_ns;
    LP_VEC(uint32_t) unchosen; // found, as the caller counts
} far_throttle;

// far_throttle_add_chunk adds the next chunk; NULL for one that cannot be read. view has all of its
// contexts. first_found is the caller's index of the first of its contexts that are found: those on
// a thread that begin before a time. Errors: LP_ENOMEM
LP_MUST_USE lp_err far_throttle_add_chunk(
    far_throttle *throttle, compact_view *view, uint32_t first_found, int64_t before);

// far_throttle_take_turns decides what can be. ends has where the look-ahead of each chunk of the
// session ends (reach_find), where first is the session's first chunk.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err far_throttle_take_turns(
    far_throttle *throttle, const size_t *ends, size_t first);

void far_throttle_fini(far_throttle *throttle);

#endif // LP_OFFLINE_FAR_THROTTLE_H
