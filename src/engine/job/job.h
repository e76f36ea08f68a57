// SPDX-License-Identifier: Apache-2.0

// job: compact_chunk in the steps that it consists of, for those who have many chunks at hand: of
// one session, views can be opened in any order and on any thread, decisions follow one another,
// and chunks are written in any order again.
//
//   compact_view_open(view N), compact_view_open(view N + 1), ...
//   compact_job_decide      views N, N + 1, ..., carry of N - 1  ->  fates, carry of N
//   compact_job_write       view N                               ->  result of N
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/offline/test_pipeline.c, tests/prop/test_compact_prop.c

#ifndef LP_ENGINE_JOB_JOB_H
#define LP_ENGINE_JOB_JOB_H

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "engine/carry/carry.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/types.h"

typedef struct compact_job {
    lp_arena arena;           // of the chunk, from compact_job_decide to compact_job_fini
    compact_frame frame;      // its first members are given, see compact_job_init
    compact_carry *new_carry; // complete once decided, and not changed then: the next job shares
                              // it. frame looks into it until compact_job_write has returned
    compact_opened opened;
    compact_decided decided;
    compact_style *style; // NULL: contexts are events
} compact_job;

// compact_job_init starts a job with the first members of a frame. It borrows source, view and
// options until compact_job_fini; aheads, far and carry until compact_job_decide returns. All but
// source and view may be NULL.
void compact_job_init(compact_job *job, const compact_frame *given);

// compact_job_decide decides which events and contexts are kept. Of the view's contextual events,
// only those are left.
//
// Errors: LP_ECORRUPT for context records, with an offset into them; LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err compact_job_decide(compact_job *job, lp_problem *out_problem);

// compact_job_write writes the output and the statistics; out_result->carry stays NULL.
// Owns:   the caller ends *out_result, which is zeroed before, with compact_result_fini, also after
//         an error.
// Errors: LP_ENOMEM; LP_ECORRUPT as options want it for damage
LP_MUST_USE lp_err compact_job_write(
    compact_job *job, compact_result *out_result, lp_problem *out_problem);

// compact_job_fini frees what compact_job_decide made, new_carry included; the caller may have
// taken it.
void compact_job_fini(compact_job *job);

#endif // LP_ENGINE_JOB_JOB_H
