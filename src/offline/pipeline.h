// SPDX-License-Identifier: Apache-2.0
// pipeline: the engine over the chunks of a recording, on one thread or on several.
//
//   open 0   open 1   open 2   open 3 ...    in any order, on any thread
//            decide 0 decide 1 decide 2      one after the other: each needs the carry-over of
//                                            the one before, and those behind it, as far as it
//                                            reaches (reach.h), to be open
//                     write 0  write 1       in any order, on any thread
//                              take 0 take 1 one after the other
//
// Where events are selected by context, a first pass over all chunks finds the contexts that a
// chunk needs out of those that are not open (far_contexts.h).
//
// The same chunks give the same results, on any number of threads.
//
// Threads: pipeline_run starts its own and ends them. take is called by one at a time, on any of
//          them; release by several at once.
// Memory:  views of threads + 1 chunks and of those that one reaches, and results of as many.

#ifndef LP_OFFLINE_PIPELINE_H
#define LP_OFFLINE_PIPELINE_H

#include "common/base/lp_err.h"
#include "offline/pipeline_input.h"

// pipeline_run compacts all chunks. Over one that cannot be read its session goes on, as if it were
// not there.
// Errors: what take returned; LP_ENOMEM
LP_MUST_USE lp_err pipeline_run(const pipeline_input *in);

#endif // LP_OFFLINE_PIPELINE_H
