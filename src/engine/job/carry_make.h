// SPDX-License-Identifier: Apache-2.0

// carry_make: makes the carry-over for the next chunk, as the last step of deciding one.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/decide/test_decide.c, tests/prop/test_compact_prop.c

#ifndef LP_ENGINE_JOB_CARRY_MAKE_H
#define LP_ENGINE_JOB_CARRY_MAKE_H

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"

// compact_carry_make completes new_carry, once the rows of frame->view are decided and parts are
// known. Contexts that are over are removed from it. arena is the chunk's. Errors: as of arena
void compact_carry_make(const compact_frame *frame, const compact_decided *decided, lp_arena *arena,
    compact_carry *new_carry);

#endif // LP_ENGINE_JOB_CARRY_MAKE_H
