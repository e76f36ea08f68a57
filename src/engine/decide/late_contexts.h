// SPDX-License-Identifier: Apache-2.0
// late_contexts: the contextual events of a chunk that were stored too late for an earlier one:
// that ended while they were open, and was decided when their ends were not known: they ended later
// than was waited for (compact_options.known_ns), or than all that was at hand. Events in them were
// taken for events without a context.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/decide/test_known.c
// Memory:  16 bytes in the carry-over for each chunk that ended within known_ns.

#ifndef LP_ENGINE_DECIDE_LATE_CONTEXTS_H
#define LP_ENGINE_DECIDE_LATE_CONTEXTS_H

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/frame.h"

#include <stdint.h>

// compact_late_contexts_count returns how many there are. The contextual events that do not matter
// have been removed.
uint64_t compact_late_contexts_count(const compact_frame *frame);

// compact_late_contexts_carry notes in new_carry where the chunks ended for which contexts may come
// too late, and what was known then. Where memory runs out, arena fails.
void compact_late_contexts_carry(
    const compact_frame *frame, lp_arena *arena, compact_carry *new_carry);

#endif // LP_ENGINE_DECIDE_LATE_CONTEXTS_H
