// SPDX-License-Identifier: Apache-2.0
// request_step: the requests of a chunk, which of them are kept, and what is kept for them.
//
// It follows compact_decide. A part that is kept for its request alone triggers nothing.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c, tests/e2e/access_log.py

#ifndef LP_ENGINE_JOB_REQUEST_STEP_H
#define LP_ENGINE_JOB_REQUEST_STEP_H

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"

// compact_request_step_run finds the requests, if the options want them, adds to decided and to the
// kept contextual events of the view what is kept for them, and leaves in new_carry those that are
// open. What decided gets is in arena. Errors: as of arena, and of new_carry->arena
void compact_request_step_run(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_carry *new_carry, compact_decided *decided);

#endif // LP_ENGINE_JOB_REQUEST_STEP_H
