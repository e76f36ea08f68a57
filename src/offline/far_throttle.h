// SPDX-License-Identifier: Apache-2.0
// far_throttle: chooses beforehand among the contexts of a session for context-throttle, as the
// engine does for one chunk after the other (engine/decide/context_throttle.h): the same seconds,
// of the same contexts, in the same order. So contexts that are not chosen need no rows, and chunks
// know of one that goes on for long behind them whether it matters.
//
//   add 0   add 1   add 2   ...    all contexts of types with the setting, chunk by chunk
//           turn 0  turn 1  ...    each as soon as all is there that the chunk may look at
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_far_contexts.c
// Memory:  32 bytes for each such context of the chunks whose turns have not come; over the whole
//          session a bit for each such context, and 40 bytes for each chunk.

#ifndef LP_OFFLINE_FAR_THROTTLE_H
#define LP_OFFLINE_FAR_THROTTLE_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/clock.h"
#include "engine/read/rows.h"
#include "engine/sample/throttles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A context that is not decided.
typedef struct far_offer {
    int64_t begin; // ticks
    int64_t commit;
    size_t chunk;    // from the session's first
    uint32_t number; // among the offers of its chunk
    uint32_t quota;  // indexes quotas
} far_offer;

#define FAR_NOT_OFFERED UINT32_MAX

typedef struct far_chunk {
    int64_t start_ticks;
    int64_t start_wall_ns;
    int64_t ticks_per_s; // 0: it cannot be read
    compact_chosen chosen;
    uint64_t *bits; // of chosen; NULL until the first is decided
} far_chunk;

// {0} is one of a session of which nothing was added.
typedef struct far_throttle {
    compact_throttles quotas;
    const uint32_t *type_quotas; // by type of the last chunk, in the arena of its view
    LP_VEC(far_chunk) chunks;
    LP_VEC(far_offer) offers; // in the order of chunks
    size_t turn;              // of this chunk, from the session's first
    bool has_clock;           // a chunk that can be read has had its turn
    compact_clock clock;
    int64_t judged_end_ns;
} far_throttle;

// far_throttle_add_chunk adds the next chunk; NULL for one that cannot be read.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err far_throttle_add_chunk(far_throttle *throttle, compact_view *view);

// far_throttle_offer adds the context of a row of the last chunk that was added; all of them are to
// be added in their order. *out_number is its number among the offers of the chunk, or
// FAR_NOT_OFFERED for one of a type without the setting. Errors: LP_ENOMEM
LP_MUST_USE lp_err far_throttle_offer(far_throttle *throttle, const compact_view *view,
    const compact_span *span, uint32_t *out_number);

// far_throttle_take_turns decides what can be. ends has where the look-ahead of each chunk of the
// session ends (reach.h), where first is the session's first chunk.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err far_throttle_take_turns(
    far_throttle *throttle, const size_t *ends, size_t first);

// far_throttle_is_chosen returns whether an offer of a chunk was chosen, once all are decided.
bool far_throttle_is_chosen(const far_throttle *throttle, size_t chunk, uint32_t number);

void far_throttle_fini(far_throttle *throttle);

#endif // LP_OFFLINE_FAR_THROTTLE_H
