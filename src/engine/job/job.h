// SPDX-License-Identifier: Apache-2.0

// job: compact_chunk in the steps that it consists of, for those who have many chunks at
// hand: of one session, views can be opened in any order and on any thread, decisions follow one
// another, and written is again in any order.
//
//   compact_view_open(view N), compact_view_open(view N + 1)
//   compact_job_decide      view N, view N + 1, carry of N - 1   ->  fates, carry of N
//   compact_job_write       view N                               ->  result of N
//
// Threads: one thread at a time for each job.

#ifndef LP_ENGINE_JOB_JOB_H
#define LP_ENGINE_JOB_JOB_H

#include "engine/carry/carry.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decide.h"
#include "engine/read/view.h"
#include "engine/types.h"
#include "engine/write/write.h"

typedef struct compact_job {
    // Given, and borrowed:
    const compact_source *chunk;
    compact_view *view;
    const compact_source *next; // or NULL
    // Of next, until compact_job_decide returns; NULL if there is none, or it cannot be read at
    // all.
    const compact_view *ahead;
    const compact_carry *carry; // or NULL; until compact_job_decide returns
    const compact_options *options;
    // Made by compact_job_decide:
    bool is_first;             // of its session
    compact_carry *new_carry;  // shared with the next job: it is complete and is not changed
    uint64_t *identities;      // parallel to view->threads
    compact_contexts contexts; // those of carry and of the chunk, and what next tells of them
    compact_recorded recorded; // of carry, of the chunk and of next
    compact_window window;
    int64_t recent_min; // all events that are stored later are committed from here on
    compact_parts parts;
    ctx_type *types;   // those of new_carry, with what RecordingContexts show; NULL: without any
    size_t type_count; // of types
    compact_amount *contexts_in; // parallel to new_carry->types: those that began in the chunk
    compact_dropped
        *contexts_gone;        // the same: those of which it is known now that they are dropped
    uint64_t completions_lost; // damaged records of types that complete others
    compact_clock clock;       // by which the output shows its times
    compact_clock start;       // the same line, through the start of the output
    bool is_met;               // the next chunk starts where this one ends, at
    int64_t next_start_ticks;  // this tick
    compact_style *style;      // NULL: contexts are events
} compact_job;

// compact_job_decide decides what is kept. Of the view's contextual events, only those are left.
// Errors: LP_ECORRUPT for context records, with an offset into them; LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err compact_job_decide(compact_job *job, lp_problem *out_problem);

// compact_job_write writes the output and the statistics; out_result->carry stays NULL.
// Owns:   on LP_OK the caller owns *out_result, which is zeroed before.
// Errors: LP_ENOMEM; LP_ECORRUPT as options want it for damage
LP_MUST_USE lp_err compact_job_write(
    compact_job *job, compact_result *out_result, lp_problem *out_problem);

// compact_job_fini frees what compact_job_decide made, new_carry included; the caller may have
// taken it.
void compact_job_fini(compact_job *job);

// compact_carry_make completes new_carry: what later chunks have to know of this one. It is the
// last step of deciding: contexts that are over go. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_carry_make(compact_job *job);

// compact_job_tally fills stats, which is zeroed, once the output is made. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_job_tally(
    const compact_job *job, const compact_output *output, compact_stats *stats);

#endif // LP_ENGINE_JOB_JOB_H
