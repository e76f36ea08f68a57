// SPDX-License-Identifier: Apache-2.0
// pipeline: the engine over the chunks of a recording, on one thread or on several.
//
//   open 0   open 1   open 2   open 3 ...    in any order, on any thread
//            decide 0 decide 1 decide 2      one after the other: each needs the carry-over of
//                                            the one before
//                     write 0  write 1       in any order, on any thread
//                              take 0 take 1 one after the other
//
// The same chunks give the same results, on any number of threads.
//
// Threads: pipeline_run starts its own and ends them. take is called by one at a time, on any of
//          them; release by several at once.
// Memory:  views of threads + 2 chunks, and results of as many.

#ifndef LP_OFFLINE_PIPELINE_H
#define LP_OFFLINE_PIPELINE_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/compact.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct pipeline_chunk {
    lp_slice jfr;
    bool goes_on;               // the next chunk is of the same session
    const compact_merge *merge; // as in compact_source
    uint32_t merge_source;
} pipeline_chunk;

// The outcome of a chunk. Where err is not LP_OK, result is NULL and problem has the reason.
typedef struct pipeline_outcome {
    size_t index; // of the chunk
    lp_err err;
    const compact_result *result; // in pieces, of its own and of the chunk; its carry is NULL
    const lp_problem *problem;
} pipeline_outcome;

// pipeline_take gets the outcomes in the order of the chunks. Anything but LP_OK ends the run.
typedef lp_err (*pipeline_take)(void *arg, const pipeline_outcome *outcome);

// pipeline_release is called when the bytes of a chunk are not needed any more, or not for some
// time.
typedef void (*pipeline_release)(void *arg, size_t index);

typedef struct pipeline_input {
    const pipeline_chunk *chunks;
    size_t count;
    unsigned threads; // 1 to CREW_THREADS_MAX
    const compact_options *options;
    pipeline_take take;
    pipeline_release release;
    void *arg; // of take and release
} pipeline_input;

// pipeline_run compacts all chunks. Over one that cannot be read its session goes on, but the chunk
// before it is decided without looking ahead.
// Errors: what take returned; LP_ENOMEM
LP_MUST_USE lp_err pipeline_run(const pipeline_input *in);

#endif // LP_OFFLINE_PIPELINE_H
