// SPDX-License-Identifier: Apache-2.0
// sample_periods: the periods of samples that do not say theirs (jdk.ExecutionSample), as the
// settings have them that the output keeps (jdk.ActiveSetting).
//
// JFR writes settings where a recording begins and where they change, so most chunks have none.
// The one of the chunks before counts there, which the carry-over has.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_make.c

#ifndef LP_ENGINE_JOB_SAMPLE_PERIODS_H
#define LP_ENGINE_JOB_SAMPLE_PERIODS_H

#include "engine/frame.h"
#include "engine/read/context_sums.h"

// compact_sample_periods_find notes the periods in frame->view->sums, once the rows of the view are
// decided. Where memory runs out, their arena fails.
void compact_sample_periods_find(const compact_frame *frame);

// compact_sample_periods_at returns the period of samples at a time in ns: the one that was set
// last in the chunk, or else its first. Where it has none, that of the chunks before; 0 if nothing
// is known.
int64_t compact_sample_periods_at(const compact_sums *sums, int64_t ticks);

// compact_sample_periods_after returns the period that holds in the chunks behind the frame's; 0 if
// nothing is known. Only who counts contexts looks for periods: else it is that of the chunk
// before.
int64_t compact_sample_periods_after(const compact_frame *frame);

#endif // LP_ENGINE_JOB_SAMPLE_PERIODS_H
