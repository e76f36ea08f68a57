// SPDX-License-Identifier: Apache-2.0
// late_contexts: counts the contextual events that were stored too late for an earlier chunk. They
// were open at the end of that chunk, and ended later than it waited for (compact_options.known_ns)
// or than all chunks at hand. So that chunk took the events in them for events without a context.
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

// compact_late_contexts_count returns the number of these. compact_context_throttle_judge has
// removed the contextual events that do not matter.
uint64_t compact_late_contexts_count(const compact_frame *frame);

// compact_late_contexts_carry fills new_carry->borders, which is empty before: the ends of the
// chunks for which contexts may come too late, and what was known then. Errors: as of arena
void compact_late_contexts_carry(
    const compact_frame *frame, lp_arena *arena, compact_carry *new_carry);

#endif // LP_ENGINE_DECIDE_LATE_CONTEXTS_H
