// SPDX-License-Identifier: Apache-2.0
// pipeline: the engine over the chunks of a recording, on one thread or on several.
//
//   open 0   open 1   open 2   open 3 ...    in any order, on any thread
//            decide 0 decide 1 decide 2      one after the other: each needs the carry-over of
//                                            the previous chunk; the chunks within its reach
//                                            (reach.h) must be open
//                     find 0  find 1         requests: one after the other, for the same reason
//                             write 0  write 1       in any order, on any thread
//                                      take 0 take 1 one after the other
//
// If the policy selects events by context, a first pass finds the contexts that a chunk needs from
// chunks that are not open (far_contexts.h).
//
// The result does not depend on the number of threads.
//
// Threads: pipeline_run starts its own and ends them. It calls take on any of them, one call at a
//          time, and release on several at the same time.
// Memory:  views and results of threads + 1 + N chunks, where N is the longest reach in chunks.

#pragma once

#include "common/base/lp_err.h"
#include "offline/pipeline_input.h"

// pipeline_run compacts all chunks. A session continues after an unreadable chunk as if the chunk
// were missing.
// Errors: those of take; LP_ENOMEM
LP_MUST_USE lp_err pipeline_run(const pipeline_input *in);
