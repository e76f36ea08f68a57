// SPDX-License-Identifier: Apache-2.0
// identities: which threads of different chunks are the same.
//
// The identity of a thread comes from the chunk's own constants (threads.h), and where these lack
// the thread, from the neighbouring chunks: JFR may write the constant of a virtual thread after
// its first events, even into the next chunk, or only into the chunk before.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c

#ifndef LP_ENGINE_CARRY_IDENTITIES_H
#define LP_ENGINE_CARRY_IDENTITIES_H

#include "engine/carry/carry.h"
#include "engine/read/threads.h"

// compact_identities_identify returns the identities of view's threads, parallel to view->threads,
// in arena; NULL if memory ran out. An identity that view does not know comes from before, then
// carry, then next; each of these may be NULL.
uint64_t *compact_identities_identify(lp_arena *arena, const compact_view *view,
    const compact_view *before, const compact_carry *carry, const compact_view *next);

// compact_identities_map maps each identity to its index in view->threads, the first of several.
// Where memory runs out, arena fails.
void compact_identities_map(
    const compact_view *view, const uint64_t *identities, lp_arena *arena, lp_map *out_threads);

// compact_identities_carry adds to carry, which has everything else, the threads of view, and those
// of the carry-over before (or NULL) that may still be needed. Where memory runs out, carry->arena
// fails.
void compact_identities_carry(const compact_view *view, const uint64_t *identities,
    const compact_carry *before, compact_carry *carry);

#endif // LP_ENGINE_CARRY_IDENTITIES_H
