// SPDX-License-Identifier: Apache-2.0
// reach: the look-ahead that deciding a chunk needs.
//
// A chunk needs the following chunks that begin soon after its end (engine/job/reach.h): they are
// its reach. Of chunks beyond its reach it needs only contextual events that began before the first
// of these chunks (far_contexts.h).
//
// Threads: any thread; immutable once found.
// Memory:  32 bytes for each chunk.

#pragma once

#include "common/base/lp_err.h"
#include "offline/pipeline_input.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // Only chunks of less than 50 ms exceed the limit. Events of the chunks beyond it count as
    // late.
    REACH_CHUNKS_MAX = 64,
};

// Where a chunk starts.
typedef struct reach_start {
    int64_t ticks;
    int64_t ticks_per_s; // 0: unreadable header
    size_t next;         // the first readable chunk from this one on; else the number of chunks
} reach_start;

typedef struct chunk_reach {
    reach_start *starts; // by chunk, and one for the end
    size_t *ends;        // by chunk: 1 + the last chunk that it needs, which is at least the
                         // next readable one of its session, if any
} chunk_reach;

// reach_find finds the starts and the reaches of the chunks of in. A chunk counts as readable if
// its header is readable.
// Owns:   the caller ends *out_reach with reach_fini, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err reach_find(const pipeline_input *in, chunk_reach *out_reach);

void reach_fini(chunk_reach *reach);
