// SPDX-License-Identifier: Apache-2.0

// compact_job: what one call of compact_chunk holds, and the steps that have files of their own.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_JOB_H
#define LP_COLLECTOR_COMPACT_COMPACT_JOB_H

#include "collector/compact/compact.h"
#include "collector/compact/compact_carry.h"
#include "collector/compact/compact_contexts.h"
#include "collector/compact/compact_decide.h"
#include "collector/compact/compact_view.h"
#include "collector/compact/compact_write.h"

typedef struct compact_job {
    const compact_source *chunk;
    const compact_source *next;
    const compact_carry *carry;
    compact_view view;
    compact_view ahead;
    bool has_ahead;
    compact_carry *new_carry;  // its contexts are those known when the chunk ended
    compact_contexts contexts; // those, and what the next chunk tells of them
    size_t carried_count;      // of new_carry->contexts: how many came from the chunk before
    compact_window window;
    compact_parts parts;
    compact_output output;
} compact_job;

// compact_job_clock tells by which line the output shows its times.
compact_clock compact_job_clock(const compact_job *job);

// compact_job_tally fills stats, which is zeroed, once the output is made. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_job_tally(const compact_job *job, compact_stats *stats);

// compact_job_remember completes new_carry: what later chunks have to know of this one. It is the
// last step: contexts that are over go. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_job_remember(compact_job *job);

// compact_ticks_add adds and stops at the ends of the numbers: absurd times must not wrap around.
static inline int64_t
compact_ticks_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

#endif // LP_COLLECTOR_COMPACT_COMPACT_JOB_H
