// SPDX-License-Identifier: Apache-2.0

// frame_open: fills the frame of a chunk (frame.h): copies the carry of the previous chunk, applies
// the records of this chunk and of later ones, and finds identities and times.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/contexts/test_contexts.c, tests/unit/engine/decide/test_decide.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/frame.h"
#include "engine/read/recorded.h"
#include "engine/read/view.h"

// A contextual event of a later chunk.
typedef struct compact_later_span {
    const compact_ahead *ahead; // of frame->aheads
    compact_span span;          // its fate is not known
} compact_later_span;

// Data that an open frame refers to, in addition to the new carry. {0} is empty.
typedef struct compact_opened {
    compact_contexts contexts;
    compact_recorded recorded;
    compact_signs signs;   // carried, the chunk's, and of later chunks; borrowed from the arena
    size_t own_sign_count; // without the signs of later chunks, which come last
    const compact_amount *contexts_in; // parallel to frame->types: contexts that began in the
                                       // chunk; borrowed from the arena
    uint64_t completions_lost;         // damaged records of types that complete others
    // Contextual events of later chunks that are open at the end of the window; in the arena, and
    // only if options have has_requests.
    LP_VEC(compact_later_span) open_spans; // of aheads
    LP_VEC(compact_interval) open_far;
} compact_opened;

// compact_frame_open fills frame, whose given members the caller has set. It stores in new_carry,
// which must be empty, everything that does not depend on decisions.
//
// Owns:   the caller ends *out_opened with compact_opened_fini, also after an error. frame borrows
//         *out_opened and new_carry. arena is the chunk's.
// Errors: LP_ECORRUPT for context records, with an offset into them; LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err compact_frame_open(compact_frame *frame, compact_carry *new_carry,
    lp_arena *arena, compact_opened *out_opened, lp_problem *out_problem);
void compact_opened_fini(compact_opened *opened);
