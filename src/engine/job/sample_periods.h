// SPDX-License-Identifier: Apache-2.0
// sample_periods: the periods of samples without a period of their own (jdk.ExecutionSample), from
// the settings that the output keeps (jdk.ActiveSetting).
//
// JFR writes settings where a recording begins and where they change, so most chunks have none:
// there the carried period of an earlier chunk counts.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_make.c

#pragma once

#include "engine/frame.h"
#include "engine/read/context_sums.h"

// compact_sample_periods_find notes the periods in frame->view->sums, once the rows of the view are
// decided. If memory runs out, the arena of the sums fails.
void compact_sample_periods_find(const compact_frame *frame);

// compact_sample_periods_at returns the period of samples at a time, in ns: the last one in the
// chunk up to then, or else its first, or else the carried one; 0 if none is known.
int64_t compact_sample_periods_at(const compact_sums *sums, int64_t ticks);

// compact_sample_periods_after returns the period to carry to the next chunk; 0 if none is known.
// Without sums, the periods of the chunk are unknown, and the carried one stays.
int64_t compact_sample_periods_after(const compact_frame *frame);
