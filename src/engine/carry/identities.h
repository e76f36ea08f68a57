// SPDX-License-Identifier: Apache-2.0
// identities: finds the same thread in different chunks.
//
// A thread's identity comes from the chunk's constants (threads.h), or else from the chunks around
// it. JFR may write the constant of a virtual thread after the thread's first events, even into a
// later chunk. Or only an earlier chunk has the constant.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_decide.c

#pragma once

#include "engine/carry/carry.h"
#include "engine/read/threads.h"

// compact_identities_identify returns the identities of the threads of views[index], in arena. NULL
// if memory ran out. views are consecutive chunks; carry (or NULL) is of the chunks before them. An
// unknown identity comes from the last earlier chunk that knows it, else from the first later one.
uint64_t *compact_identities_identify(lp_arena *arena, const compact_view *const *views,
    size_t count, size_t index, const compact_carry *carry);

// compact_identities_map maps each identity to its first index in view->threads. Errors: in arena
void compact_identities_map(
    const compact_view *view, const uint64_t *identities, lp_arena *arena, lp_map *out_threads);

// compact_identities_carry adds the threads of view to carry, and the threads of `before` (the
// previous carry-over, or NULL) that may still be needed. The members of carry that refer to
// threads are already set. Errors: in carry->arena
void compact_identities_carry(const compact_view *view, const uint64_t *identities,
    const compact_carry *before, compact_carry *carry);
