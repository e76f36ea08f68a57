// SPDX-License-Identifier: Apache-2.0
// decide: which events and contexts of one chunk are kept. Pure functions of rows.
//
// A chunk is decided in these steps: compact_worth_judge, compact_context_throttle_judge,
// compact_late_contexts_count, compact_decide, compact_late_contexts_carry.
//
// Threads: any thread; one at a time for a frame.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/unit/engine/decide/test_known.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/sample/throttles.h"

#include <stdint.h>

// --- Contexts that matter

// A context of the Loupe API matters by the settings contextual, context-threshold and
// context-match of its type. If it does not, it is dropped, and is no context for events that need
// one. Contextual events are judged when they are read (worth_event.h), contexts when the end of
// the chunk is known.
//
// compact_worth_judge sets is_ignored and ignored_by of the contexts that do not matter, and
// is_unmeasured of contexts that are open at the begin or end of the window. contexts are the
// frame's.
//
// Errors: as of arena
// Cost:   O(types) if no type has these settings, else O(contexts)
void compact_worth_judge(const compact_frame *frame, compact_contexts *contexts, lp_arena *arena);

// The setting context-throttle takes a sample (sampler.h) of the contexts of a type that matter, in
// the order of their ends, over all threads, and drops the others. A context that ends behind
// frame->judged matters at once, and counts in the sample when it ends. The events of a view that
// compact_view_open_chosen opened were judged when they were read.
//
// compact_context_throttle_judge removes the contextual events that do not matter from frame->view,
// counts them as dropped, and sets decided->ahead_is_ignored. It sets standing of contexts, and
// is_ignored and ignored_by where one does not matter. contexts are the frame's, after
// compact_worth_judge. It updates quotas, the new carry's. arena is the chunk's.
//
// Errors: as of arena
// Memory: 36 bytes for each context of such a type that ends in the chunk, and 1 for each
//         contextual event; none if no type has the setting
void compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided);

// --- Late contexts

// A contextual event is late for an earlier chunk if it was open at the end of that chunk, and
// ended later than that waited for (compact_options.known_ns) or than all chunks at hand. So that
// chunk took the events in it for events without a context.
//
// compact_late_contexts_count returns the number of these in frame. compact_context_throttle_judge
// has removed the contextual events that do not matter.
uint64_t compact_late_contexts_count(const compact_frame *frame);

// compact_late_contexts_carry fills new_carry->borders, which is empty before: the ends of the
// chunks for which contexts may come too late, and up to where contexts were known then: 16 bytes
// each. Errors: as of arena
void compact_late_contexts_carry(
    const compact_frame *frame, lp_arena *arena, compact_carry *new_carry);

// --- The decision

// compact_decide decides a window of ticks, [lo, hi): from the end of the previous window to the
// begin of the next chunk. Events are decided with the chunk that stores them. Contexts of the
// Loupe API are clipped to the window: a part is kept if an event was kept within it.
//
// It sets the fate of every row of frame->view that has none yet; rows that stay
// COMPACT_UNDECIDED are dropped. It fills decided->parts and new_carry->past, which are empty
// before, and view->weights: the bytes for which each kept sample stands. It updates throttles and
// weights of new_carry.
//
// Errors: LP_ENOMEM
// Memory: 8 bytes for each kept plain event, and for each contextual one on threads whose contexts
//         may cross; 24 for each context that crosses, and for each that a throttle may keep;
//         64 for each context if events are selected by context; that of new_carry->past
LP_MUST_USE lp_err compact_decide(
    const compact_frame *frame, compact_carry *new_carry, compact_decided *decided);
