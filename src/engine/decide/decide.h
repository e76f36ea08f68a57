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

// The settings contextual, context-threshold and context-match of a type decide which of its
// contexts of the Loupe API matter. A context that does not matter is dropped, and
// select=if-context ignores it. Contextual events are judged when they are read (worth_event.h),
// API contexts when the end of the chunk is known.
//
// compact_worth_judge sets is_ignored and ignored_by of the contexts that do not matter, and
// is_unmeasured of contexts that are open at the begin or end of the window. contexts are the
// frame's.
//
// Errors: in arena
// Cost:   O(types) if no type has these settings, else O(contexts)
void compact_worth_judge(const compact_frame *frame, compact_contexts *contexts, lp_arena *arena);

// The setting context-throttle samples (sampler.h) the contexts of a type that matter, in the order
// of their ends, over all threads, and drops those that it does not choose. A context that ends
// after frame->judged still matters; the throttle counts it when it ends. If
// compact_view_open_chosen opened a view, the contextual events of the view are not judged again.
//
// compact_context_throttle_judge removes the contextual events that do not matter from frame->view,
// counts them as dropped, and sets decided->ahead_is_ignored. It sets standing of contexts, and
// is_ignored and ignored_by of the contexts that do not matter. contexts are the frame's, after
// compact_worth_judge. The function updates quotas, which belong to the new carry. arena is the
// chunk's.
//
// Errors: in arena
// Memory: 36 bytes for each context of such a type that ends in the chunk, and 1 for each
//         contextual event; none if no type has the setting
void compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided);

// --- Late contexts

// compact_decide needs the contextual events that were open at the end of the chunk. It knows only
// those that end up to compact_options.known_ns after the chunk, or are in frame->aheads or
// frame->far. A contextual event that ends even later is late for that chunk: events inside it were
// decided as if they had no context.
//
// compact_late_contexts_count returns how many contextual events of frame are late for an earlier
// chunk. Call it after compact_context_throttle_judge: contextual events that do not matter do not
// count.
uint64_t compact_late_contexts_count(const compact_frame *frame);

// compact_late_contexts_carry fills new_carry->borders, which must be empty: the end of each chunk
// for which contextual events may still be late, and the tick up to which that chunk knew contexts.
// It uses 16 bytes for each such chunk. Errors: in arena
void compact_late_contexts_carry(
    const compact_frame *frame, lp_arena *arena, compact_carry *new_carry);

// --- The decision

// compact_decide decides a window of ticks, [lo, hi): from the end of the previous window to the
// begin of the next chunk. The fate of an event is set with the chunk that stores it. Contexts of
// the Loupe API are clipped to the window: a part is kept if an event was kept within it.
//
// It decides every undecided row of frame->view; rows that it drops stay COMPACT_UNDECIDED. It
// fills decided->parts and new_carry->past, which must be empty, and view->weights: the bytes that
// each kept sample stands for. It updates throttles and pending_bytes of new_carry.
//
// Errors: LP_ENOMEM
// Memory: 8 bytes for each kept plain event, and for each contextual event on threads whose
//         contexts may cross (overlap, not nest); 24 for each context that crosses or that a
//         throttle may keep; 64 for each context if events are selected by context;
//         new_carry->past
LP_MUST_USE lp_err compact_decide(
    const compact_frame *frame, compact_carry *new_carry, compact_decided *decided);
