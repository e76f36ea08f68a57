// SPDX-License-Identifier: Apache-2.0
// pipeline_input: the chunks of a recording, ordered by session, and the callbacks for their
// results (pipeline.h).
//
// Threads: plain values; any thread.
// Tests:   tests/unit/offline/test_pipeline.c

#pragma once

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

// The outcome of a chunk. Unless err is LP_OK, result is NULL and problem has the reason.
typedef struct pipeline_outcome {
    size_t index; // of the chunk
    lp_err err;
    const compact_result *result; // its pieces may borrow bytes of the chunk; its carry is NULL
    const lp_problem *problem;
} pipeline_outcome;

// pipeline_take receives the outcomes in the order of the chunks. Any result but LP_OK ends the
// run.
typedef lp_err (*pipeline_take)(void *arg, const pipeline_outcome *outcome);

// pipeline_release is called when the bytes of a chunk are not needed, at least for some time.
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
