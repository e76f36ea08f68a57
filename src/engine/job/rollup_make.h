// SPDX-License-Identifier: Apache-2.0
// rollup_make: makes the rollup of a chunk (docs/internals/rollup.md) of what was counted while its
// events were read, and of what was decided.
//
// Threads: one thread at a time for each job.

#ifndef LP_ENGINE_JOB_ROLLUP_MAKE_H
#define LP_ENGINE_JOB_ROLLUP_MAKE_H

#include "engine/decide/decided.h"
#include "engine/frame.h"

// compact_rollup_make adds to out, which is empty, what frame->view->sums have counted, what was
// kept, and the requests of decided. It is called once the chunk is written. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_rollup_make(
    const compact_frame *frame, const compact_decided *decided, rollup *out);

#endif // LP_ENGINE_JOB_ROLLUP_MAKE_H
