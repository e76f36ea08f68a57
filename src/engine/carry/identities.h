// SPDX-License-Identifier: Apache-2.0
// identities: which threads of different chunks are the same.
//
// The identity of a thread comes from the chunk's own constants (threads.h), and where these lack
// the thread, from the chunks around it: JFR may write the constant of a virtual thread after
// its first events, even into a later chunk, or only into an earlier one.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c

#ifndef LP_ENGINE_CARRY_IDENTITIES_H
#define LP_ENGINE_CARRY_IDENTITIES_H

#include "engine/carry/carry.h"
#include "engine/read/threads.h"

// compact_identities_identify returns the identities of the threads of views[index], parallel to
// them, in arena; NULL if memory ran out. The count views are of chunks in their order, and carry
// (or NULL) is of those before them. An identity that the chunk does not know comes from the last
// one before it that does, or else from the first one behind it.
uint64_t *compact_identities_identify(lp_arena *arena, const compact_view *const *views,
    size_t count, size_t index, const compact_carry *carry);

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
