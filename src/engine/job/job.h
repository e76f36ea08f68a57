// SPDX-License-Identifier: Apache-2.0

// job: compact_chunk in steps, for callers that have many chunks of a session. Views can be opened
// in any order and on any thread; chunks are decided one after the other, and written in any order.
//
//   compact_view_open(view N), compact_view_open(view N + 1), ...
//   compact_job_decide         views N, N + 1, ..., carry of N - 1  ->  fates, carry of N
//   compact_job_find_requests  view N, carry of N - 1               ->  requests
//   compact_job_write          view N                               ->  result of N
//
// A chunk may be decided before the requests of earlier ones are found.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/offline/test_pipeline.c, tests/prop/test_compact_prop.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/types.h"

typedef struct compact_job {
    lp_arena arena;      // of the chunk, from compact_job_decide to compact_job_fini
    compact_frame frame; // its first members are given, see compact_job_init
    // Complete and constant when compact_job_find_requests returns. Before, the next job may be
    // decided with it, as that does not read requests. frame points into it until compact_job_write
    // returns.
    compact_carry *new_carry;
    bool awaits_requests; // compact_job_decide left them out
    compact_opened opened;
    compact_decided decided;
    compact_style *style; // NULL: contexts are events
} compact_job;

// compact_job_init starts a job with the given members of a frame. It borrows source, view and
// options until compact_job_fini; far until compact_job_decide returns; aheads and carry until
// compact_job_find_requests returns. source must not be NULL. options may be NULL for the defaults.
// job->frame.view may be set after the call, before compact_job_decide.
void compact_job_init(compact_job *job, const compact_frame *given);

// compact_job_decide decides which events and contexts are kept. It removes the dropped contextual
// events from the view.
//
// Errors: LP_ECORRUPT for context records, with an offset into them; LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err compact_job_decide(compact_job *job, lp_problem *out_problem);

// compact_job_find_requests finds the requests of the chunk, if compact_job_decide has not done so
// because it needs them. Call it in the order of the chunks. The next chunk's job may be decided at
// the same time. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_job_find_requests(compact_job *job);

// compact_job_write writes the output and the statistics; out_result->carry stays NULL.
// Owns:   the caller zeroes *out_result, calls rollup_init for its rollup if the view has sums, and
//         ends *out_result with compact_result_fini, also after an error.
// Errors: LP_ENOMEM; LP_ECORRUPT for damage that options refuse
LP_MUST_USE lp_err compact_job_write(
    compact_job *job, compact_result *out_result, lp_problem *out_problem);

// compact_job_fini frees everything that compact_job_decide made, including new_carry unless the
// caller took it.
void compact_job_fini(compact_job *job);
