// SPDX-License-Identifier: Apache-2.0
// request_told: chunks that Loupe has written, in which events say which requests there are.
//
// Requests are not looked for again there. What was kept for a whole request is kept again,
// although nothing happened in it, and triggers nothing.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c, tests/e2e/again.py

#ifndef LP_ENGINE_JOB_REQUEST_TOLD_H
#define LP_ENGINE_JOB_REQUEST_TOLD_H

#include "common/base/lp_arena.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"

#include <stdbool.h>

// compact_request_told_is returns whether a chunk has events that say which requests there are.
bool compact_request_told_is(const compact_frame *frame);

// compact_request_told_keep keeps the contextual events that lie in stays of whole requests. It
// follows compact_decide. Errors: as of arena
void compact_request_told_keep(
    const compact_frame *frame, lp_arena *arena, compact_decided *decided);

#endif // LP_ENGINE_JOB_REQUEST_TOLD_H
