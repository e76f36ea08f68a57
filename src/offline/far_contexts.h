// SPDX-License-Identifier: Apache-2.0
// far_contexts: the contexts that a chunk needs, but that are stored in chunks beyond its reach
// (reach.h). A context is stored when it ends. So these contexts began before the first chunk
// beyond the reach, and ended later. A first pass over all chunks finds them.
//
// The result does not depend on the number of threads (crew_read.h).
//
// The first pass finds only contexts that matter: contexts that pass context-threshold and
// context-match and are chosen by context-throttle.
//
// Threads: far_contexts_find starts its own and ends them; after that, calls for chunks of
//          different sessions may run at the same time.
// Memory:  48 bytes for each of these contexts, if the policy selects by context; 16 for each
//          thread key; the views of one chunk per thread while they are read. If the policy
//          samples contexts: 32 bytes for each undecided context, 1 bit for each context of the
//          session and 40 bytes for each chunk.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/carry/carry.h"
#include "engine/clock.h"
#include "engine/frame.h"
#include "engine/read/rows.h"
#include "engine/sample/throttles.h"
#include "offline/pipeline_input.h"
#include "offline/reach.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A context that context-throttle has not decided yet.
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
    int64_t ticks_per_s; // 0: unreadable
    compact_chosen chosen;
    uint64_t *bits; // of `chosen`; NULL until the first context is decided
} far_chunk;

// {0} is the throttle of a session without chunks.
typedef struct far_throttle {
    compact_throttles quotas;
    const uint32_t *type_quotas; // by type of the last chunk, in the arena of its view
    LP_VEC(far_chunk) chunks;
    LP_VEC(far_offer) offers; // in the order of chunks
    size_t turn;              // the chunk whose turn is next, from the session's first
    bool has_clock;           // a readable chunk has had its turn
    compact_clock clock;
    int64_t judged_end_ns;
} far_throttle;

// A context, and where it is stored.
typedef struct far_context {
    compact_interval interval;
    uint32_t chunk;  // from the session's first
    uint32_t number; // among the offers of its chunk; FAR_NOT_OFFERED: not in them
} far_context;

// The chunks of one JVM.
typedef struct far_session {
    size_t begin;               // its first chunk
    size_t end;                 // behind its last
    LP_VEC(far_context) found;  // sorted by begin once all chunks are read
    size_t met;                 // how many of found began before the last taken chunk's `needs`
    LP_VEC(far_context) active; // the found ones that a later chunk may need
    LP_VEC(compact_interval) lent;
    far_throttle throttle;
} far_session;

typedef struct far_contexts {
    const chunk_reach *reach; // borrowed
    int64_t *needs;           // by chunk: it needs contexts that began before this; INT64_MIN: none
    int64_t *limits;          // by chunk: earlier chunks need its contexts that began before this
    bool has_throttles;       // the policy samples contexts
    LP_VEC(far_session) sessions;
} far_contexts;

// far_contexts_find finds the contexts of all chunks of in, from its options and the given reaches.
// Unreadable chunks have none.
// Owns:   the caller ends *out_contexts with far_contexts_fini, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err far_contexts_find(
    const pipeline_input *in, const chunk_reach *reach, far_contexts *out_contexts);

// far_contexts_take sets frame->far to the contexts that the chunk at index needs, lent until the
// next call for its session. Call it in the order of the session's chunks. Errors: LP_ENOMEM
LP_MUST_USE lp_err far_contexts_take(far_contexts *contexts, size_t index, compact_frame *frame);

// far_contexts_chosen returns which contextual events of a chunk context-throttle has chosen; NULL
// if the engine chooses them itself.
const compact_chosen *far_contexts_chosen(const far_contexts *contexts, size_t index);

void far_contexts_fini(far_contexts *contexts);
