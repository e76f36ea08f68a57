// SPDX-License-Identifier: Apache-2.0
// rollup_divide: where the time of kept contexts went, by category: time_split.h of the kept events
// of the chunk that were committed in them, on their thread, and of the pauses of the JVM. The same
// for kept requests, by their stays: what their threads did. Where only some stays are divided,
// their time counts for the others, so that it stands beside the time in which no thread worked.
//
// An event counts with the chunk that has it: the time of a context before the chunk, and the part
// of an event that lies before the part of a context of the Loupe API, is left.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_make.c, tests/prop/test_rollup_prop.c
// Memory:  40 bytes for each kept event that takes time, in a context whose time is divided; 128
//          for each such context

#ifndef LP_ENGINE_JOB_ROLLUP_DIVIDE_H
#define LP_ENGINE_JOB_ROLLUP_DIVIDE_H

#include "common/rollup/rollup.h"
#include "engine/frame.h"
#include "engine/requests/requests.h"

// Events that are looked at, in all contexts of a chunk together: an event in several counts in
// each. Where there are more, only every second context is divided, every third and so on.
enum { COMPACT_ROLLUP_ROWS_MAX = 1 << 22 };

// compact_rollup_divide adds the times of contexts to frame->view->sums, and those of requests, if
// there are any (NULL: none), to out. Where memory runs out, the arena of the sums fails.
void compact_rollup_divide(
    const compact_frame *frame, const compact_requests *requests, rollup *out);

#endif // LP_ENGINE_JOB_ROLLUP_DIVIDE_H
