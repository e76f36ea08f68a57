// SPDX-License-Identifier: Apache-2.0
// sample_periods: the sampling periods for samples that do not record one (jdk.ExecutionSample),
// from the settings that the output keeps (jdk.ActiveSetting).
//
// JFR writes settings at the begin of a recording and when they change, so most chunks have none.
// These chunks use the carried period of an earlier chunk.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/rollup/test_rollup_make.c

#pragma once

#include "engine/frame.h"
#include "engine/read/context_sums.h"

// compact_sample_periods_find stores the periods in frame->view->sums. The rows of the view are
// decided. If memory runs out, the arena of the sums fails.
void compact_sample_periods_find(const compact_frame *frame);

// compact_sample_periods_at returns the sampling period at a time, in ns: the last period of the
// chunk up to that time, else the chunk's first period, else the carried one; 0 if none is known.
int64_t compact_sample_periods_at(const compact_sums *sums, int64_t ticks);

// compact_sample_periods_after returns the period to carry to the next chunk; 0 if none is known.
// If the frame has no sums, it returns the carried period.
int64_t compact_sample_periods_after(const compact_frame *frame);
